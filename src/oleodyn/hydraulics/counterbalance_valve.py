"""Counterbalance valves: hold a load until the other side of the cylinder asks it to move."""

from oleodyn.hydraulics.edge import Edge, SmoothEdge, flow_constant
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.pressure_valve import opening
from oleodyn.hydraulics.spool import InstantSpool, Spool
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter, structure
from oleodyn.maths import clip
from oleodyn.units import bar


class CounterbalanceValve(Part):
    """Counterbalance (overcentre) valve between a load at A and a directional valve at B.

    Equations   free:   B → A through a check valve, from p_check on
                load:   A → B where (p_A − p_b) + ratio (p_X − p_b) exceeds p_set
                p_b     = p_B, or 0 with a vented spring chamber; full open dp_band further on
    References  [1] Zähe (1995) Kompendium Senkbremsventile, Sun Hydraulik; ISO 1219-1 (2012).
    """

    passive = True

    A, B = HydraulicPort("load"), HydraulicPort("directional valve")
    X = HydraulicPort("pilot, from the other side of the cylinder")

    p_set: float = parameter("Pa", "load pressure that opens it without pilot", above=0)
    ratio: float = parameter("-", "pilot area over load area", within=(0, 20), default=4.0)
    dp_band: float = parameter("Pa", "further load pressure until fully open", above=0, default=40 * bar)
    p_check: float = parameter("Pa", "cracking pressure of the check valve", within=(0, 1e7), default=1 * bar)
    Q_nom: float = parameter("m³/s", "flow of the open valve, either way, at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=10 * bar)
    vented: bool = structure("the spring chamber is vented, back pressure does not act", default=False)
    spool: Spool = ingredient("how the load side opens", default=InstantSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening for the load, part of full")

    def equations(self) -> Terms:
        A, B, X = self.A.p, self.B.p, self.X.p
        back = 0.0 if self.vented else B
        u = opening((A - back) + self.ratio * (X - back), self.p_set, self.dp_band)
        x = clip(self.spool.position(u), 0.0, 1.0)
        free = opening(B - A, self.p_check, 1 * bar)
        C = flow_constant(self.Q_nom, self.dp_nom)
        root = self.edge.root(A - B)
        Q_load, Q_free = C * x * root, C * free * root
        lost = dict(load=Q_load * (A - B), free=Q_free * (A - B))
        return Terms(
            into=dict(A=Q_load + Q_free, B=-Q_load - Q_free, X=0.0),
            parts=dict(spool=self.spool.equations(u)),
            out=dict(x=x),
            power=Power(lost=lost),
        )
