"""Leakage: what passes gaps that ought to be tight."""

from oleodyn.fluids.oil import Oil
from oleodyn.machine.part import Part, ingredient, parameter
from oleodyn.maths import pi, signed_root
from oleodyn.units import bar


def gap_leakage(r, c, L, mu, eccentricity=0.0):
    """Flow per pascal through the ring gap around a piston [m³/(s·Pa)].

    π r c³ (1 + 1.5 ε²) / (6 μ L), with ε = 1 for a piston that lies on the wall.

    >>> f"{gap_leakage(r=0.04, c=30e-6, L=0.05, mu=0.04):.4g}"
    '2.827e-13'
    """
    return pi * r * c**3 * (1 + 1.5 * eccentricity**2) / (6 * mu * L)


class LaminarLeak(Part):
    """Leakage in proportion to the pressure drop: narrow, long gaps.

    Equations   Q = G dp
    References  [1] Merritt (1967) Hydraulic Control Systems, eq. 3-35: ring gap (see gap_leakage).
    """

    passive = True

    G: float = parameter("m³/(s·Pa)", "leakage per pascal", within=(0, float("inf")))

    def flow(self, dp):
        """Leakage at a drop [m³/s]."""
        return self.G * dp


class GapLeak(Part):
    """Leakage through the ring gap around a piston or a plunger: it grows as the oil gets thinner.

    Equations   Q = π r c³ (1 + 1.5 ε²) dp / (6 μ L),   μ = ρ ν of the oil in the gap
    Assumes     laminar flow; the oil has one temperature.
    References  [1] Merritt (1967) Hydraulic Control Systems, eq. 3-35.
    """

    passive = True

    r: float = parameter("m", "radius of the gap", above=0)
    c: float = parameter("m", "clearance", within=(0, 1e-3))
    L: float = parameter("m", "length of the gap", above=0)
    eccentricity: float = parameter("-", "0: in the middle; 1: on the wall", within=(0, 1), default=0.0)
    oil: Oil = ingredient("what leaks", default=Oil())

    def flow(self, dp):
        """Leakage at a drop [m³/s]."""
        return gap_leakage(self.r, self.c, self.L, self.oil.mu, self.eccentricity) * dp


class RootLeak(Part):
    """Leakage with the root of the pressure drop: short gaps, worn edges.

    Equations   Q = C dp / (dp² + dp_lam²)^¼   → C sign(dp) √|dp|
    References  [1] Kim, Lee & Kim (2021) IEEE Access 9, eq. 2: motor leakage, here with its sign.
    """

    passive = True

    C: float = parameter("m³/(s·√Pa)", "leakage per root of the drop", within=(0, float("inf")))
    dp_lam: float = parameter("Pa", "drop over which the root turns round", above=0, default=0.1 * bar)

    def flow(self, dp):
        """Leakage at a drop [m³/s]."""
        return self.C * signed_root(dp, self.dp_lam)


Leak = LaminarLeak | GapLeak | RootLeak
"""what actuators and pumps take as `leak`: these, or any part with a method flow(dp)"""
