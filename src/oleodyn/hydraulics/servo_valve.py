"""Servo valves: a current sets the spool, zero-lapped edges meter in proportion to its travel."""

from oleodyn.hydraulics.directional_valve import four_way
from oleodyn.hydraulics.edge import Edge, SmoothEdge
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.spool import SecondOrderSpool, Spool
from oleodyn.machine.part import Input, Output, Part, Terms, ingredient, parameter
from oleodyn.maths import clip, pi, where
from oleodyn.units import mA


def servo_constant(Q_rated, dp_total, x_max):
    """Flow per travel and root of an edge's drop [m³/(s·m·√Pa)]; half of dp_total falls at each edge.

    >>> f"{servo_constant(Q_rated=45e-3 / 60, dp_total=70e5, x_max=0.5e-3):.4g}"  # 45 l/min at 70 bar
    '0.0008018'
    """
    return Q_rated / (x_max * (dp_total / 2) ** 0.5)


class ServoValve43(Part):
    """4/3 servo valve, critical centre, driven by a current.

    Equations   x = K_sv i_max ξ,   ξ follows i / i_max (second order),   |i| ≤ i_max
                x ≥ 0:  Q_PA = C_d x root(p_P − p_A),     Q_BT = C_d x root(p_B − p_T)
                x < 0:  Q_PB = C_d |x| root(p_P − p_B),   Q_AT = C_d |x| root(p_A − p_T)
    Limits      flow per travel is continuous through x = 0, flow per pressure is not: at x = 0 the
                forward case counts, in the derivatives too.
    References  [1] Kim, Lee & Kim (2021) IEEE Access 9, eq. 1-2, with the signs of the root.
                [2] Merritt (1967) Hydraulic Control Systems, ch. 5 and 7.
    """

    passive = True

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("work port A"), HydraulicPort("work port B")

    C_d: float = parameter("m³/(s·m·√Pa)", "flow per travel and root of the drop of one edge", within=(0, 1e3))
    K_sv: float = parameter("m/A", "travel per current", above=0, default=0.05)
    i_max: float = parameter("A", "rated current; more is cut off", above=0, default=10 * mA)
    spool: Spool = ingredient("how the spool follows", default=SecondOrderSpool(w=2 * pi * 60, zeta=0.8))
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    i = Input("A", "current: positive opens P→A and B→T", within=(-0.1, 0.1))
    x = Output("m", "spool travel")

    def equations(self) -> Terms:
        u = clip(self.i / self.i_max, -1, 1)
        x = self.K_sv * self.i_max * self.spool.position(u)
        forward = x >= 0
        C = self.C_d * where(forward, x, -x)
        flows = four_way(self, forward, C, C, self.edge.root)
        return Terms(**flows, parts=dict(spool=self.spool.equations(u)), out=dict(x=x))
