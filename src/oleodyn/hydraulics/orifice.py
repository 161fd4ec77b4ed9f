"""Orifices: sharp restrictions known by their flow constant."""

from oleodyn.hydraulics.edge import Edge, SmoothEdge, linearised_root
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Part, Power, Terms, ingredient, parameter
from oleodyn.maths import signed_root
from oleodyn.units import bar


def orifice_flow(C, dp, dp_lin=2 * bar):
    """Flow through an orifice that is linear below dp_lin [m³/s]: q(C, dp) of the dissertation.

    >>> f"{orifice_flow(C=2.138e-7, dp=35e5) * 60e3:.3f}"  # l/min, the valve of Jaiswal (2021) at 10 V
    '23.999'
    """
    return C * linearised_root(dp, dp_lin)


def smooth_orifice_flow(C, dp, dp_lam=0.1 * bar):
    """Flow through an orifice, smooth through zero drop [m³/s].

    >>> f"{smooth_orifice_flow(C=2.138e-7, dp=35e5) * 60e3:.3f}"
    '23.999'
    """
    return C * signed_root(dp, dp_lam)


class Orifice(Part):
    """A sharp restriction.

    Equations   Q = C root(p_A − p_B)                          from A to B
    Assumes     quasi-steady flow; C = C_d A √(2/ρ) does not depend on viscosity.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3.
    """

    passive = True

    A, B = HydraulicPort("one side"), HydraulicPort("other side")

    C: float = parameter("m³/(s·√Pa)", "flow per root of the drop", within=(0, float("inf")))
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        Q = self.C * self.edge.root(dp)
        return Terms(into=dict(A=Q, B=-Q), power=Power(lost=dict(throttling=Q * dp)))
