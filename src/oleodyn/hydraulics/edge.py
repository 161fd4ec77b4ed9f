"""Edges: how flow through a sharp opening grows with the pressure drop across it."""

from oleodyn.machine.part import Part, parameter
from oleodyn.maths import fabs, fmax, signed_root, sqrt
from oleodyn.units import bar


def linearised_root(dp, dp_lin=2 * bar):
    """sign(dp) √|dp|, and a straight line below dp_lin [√Pa]: dp / √max(|dp|, dp_lin).

    >>> linearised_root(9e6), linearised_root(2e5) / linearised_root(1e5)
    (3000.0, 2.0)
    """
    return dp / sqrt(fmax(fabs(dp), dp_lin))


def flow_constant(Q_nom, dp_nom, u_nom=1.0):
    """Flow per root of the drop [m³/(s·√Pa)], and per unit of opening, from a data sheet.

    >>> f"{flow_constant(Q_nom=24e-3 / 60, dp_nom=35e5, u_nom=10.0):.4g}"  # 24 l/min at 35 bar and 10 V
    '2.138e-08'
    """
    return Q_nom / (u_nom * dp_nom**0.5)


class SmoothEdge(Part):
    """A turbulent edge whose slope stays finite at zero drop.

    Equations   root(dp) = dp / (dp² + dp_lam²)^¼   → sign(dp) √|dp| for |dp| ≫ dp_lam
    Limits      the root is 1 % low at 5 dp_lam, 1e-4 low at 50 dp_lam; slope 1/√dp_lam at zero drop.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3: turbulent orifices.
    """

    passive = True

    dp_lam: float = parameter("Pa", "drop over which the root turns round", above=0, default=0.1 * bar)

    def root(self, dp):
        """Signed root of the drop [√Pa]."""
        return signed_root(dp, self.dp_lam)


class LinearisedEdge(Part):
    """A turbulent edge with a straight laminar zone.

    Equations   root(dp) = sign(dp) √|dp|      |dp| ≥ dp_lin
                root(dp) = dp / √dp_lin        |dp| < dp_lin
    Limits      continuous; the slope falls to one half at dp_lin, as printed.
    References  [1] Jaiswal (2021) LUT Acta 981, eq. 2.36-2.39: linear below 2 bar.
    """

    passive = True

    dp_lin: float = parameter("Pa", "drop up to which flow is proportional to it", above=0, default=2 * bar)

    def root(self, dp):
        """Signed root of the drop, linear below dp_lin [√Pa]."""
        return linearised_root(dp, self.dp_lin)


Edge = SmoothEdge | LinearisedEdge
"""what valves take as `edge`: these, or any part with a method root(dp)"""
