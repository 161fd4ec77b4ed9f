"""Throttles: restrictions known by their area, fixed or set by hand."""

from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.edge import Edge, SmoothEdge
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Input, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import clip


def area_constant(C_d, area, rho):
    """Flow per root of the drop of an opening [m³/(s·√Pa)]: C_d A √(2/ρ).

    >>> f"{area_constant(C_d=0.8, area=2.83e-5, rho=850.0):.8e}"  # throttle of Jaiswal (2021)
    '1.09820131e-06'
    """
    return C_d * area * (2 / rho) ** 0.5


class Throttle(Part):
    """A fixed throttle.

    Equations   Q = C_d A √(2/ρ) root(p_A − p_B)               from A to B
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3.
    """

    passive = True

    A, B = HydraulicPort("one side"), HydraulicPort("other side")

    area: float = parameter("m²", "area of the opening", within=(0, 1))
    C_d: float = parameter("-", "discharge coefficient", above=0, default=0.7)
    oil: Oil = ingredient("what flows (its density counts)", default=Oil())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        Q = area_constant(self.C_d, self.area, self.oil.rho) * self.edge.root(dp)
        return Terms(into=dict(A=Q, B=-Q), power=Power(lost=dict(throttling=Q * dp)))


class VariableThrottle(Part):
    """A throttle that is set while the machine runs; closed it passes exactly nothing.

    Equations   Q = u C_d A √(2/ρ) root(p_A − p_B),   0 ≤ u ≤ 1
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 3.
    """

    passive = True

    A, B = HydraulicPort("one side"), HydraulicPort("other side")

    area: float = parameter("m²", "area of the opening at u = 1", within=(0, 1))
    C_d: float = parameter("-", "discharge coefficient", above=0, default=0.7)
    oil: Oil = ingredient("what flows (its density counts)", default=Oil())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    u = Input("-", "opening, part of the full area", within=(0, 1))

    def equations(self) -> Terms:
        dp = self.A.p - self.B.p
        C = area_constant(self.C_d, self.area, self.oil.rho)
        Q = clip(self.u, 0, 1) * C * self.edge.root(dp)
        return Terms(into=dict(A=Q, B=-Q), power=Power(lost=dict(throttling=Q * dp)))
