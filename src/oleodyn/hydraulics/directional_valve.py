"""Directional control valves: a spool meters oil between P, A, B and T."""

from typing import Any

from oleodyn.hydraulics.edge import Edge, SmoothEdge, flow_constant
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.spool import InstantSpool, SecondOrderSpool, Spool
from oleodyn.machine.part import Input, Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import clip, positive, signed_root, where
from oleodyn.units import bar


def edge_flow(dp, opening, Q_nom, dp_nom, dp_lam=0.1 * bar):
    """Flow over one metering edge [m³/s]: Q = Q_nom · opening · √(dp / dp_nom).

    >>> edge_flow(dp=5 * bar, opening=1.0, Q_nom=1e-3, dp_nom=5 * bar)
    0.0009999000249925024
    """  # 0.01 % under the data sheet: the price of a finite slope at dp = 0
    return Q_nom * opening * signed_root(dp, dp_lam) / dp_nom**0.5


def overlapped(travel, overlap, width=0.01):
    """Opening beyond a dead band, from 0 to 1 as travel goes from overlap to 1; exactly 0 in the dead band.

    The corner is rounded over `width`; less so where the overlap is smaller, not at all at zero lap.

    >>> overlapped(travel=0.03, overlap=0.03), overlapped(1.0, 0.03), overlapped(0.005, 0.0)
    (0.0, 1.0, 0.005)
    """
    beyond = where(travel >= overlap, travel - overlap, 0.0)
    rounding = clip(overlap / width, 0.0, 1.0) * (beyond - positive(beyond, width))
    return (beyond - rounding) / (1 - overlap)


def four_way(valve: Any, forward, C_A, C_B, root) -> dict[str, Any]:
    """`into` and `power` of a spool that opens P→A and B→T forward, else P→B and A→T.

    C_A and C_B are the flow constants [m³/(s·√Pa)], never negative, of the edges in use at A and at B.
    """
    P, A, B, T = valve.P.p, valve.A.p, valve.B.p, valve.T.p
    dp_A = where(forward, P - A, A - T)
    dp_B = where(forward, B - T, P - B)
    Q_A, Q_B = C_A * root(dp_A), C_B * root(dp_B)
    into_P, into_T = where(forward, Q_A, Q_B), -where(forward, Q_B, Q_A)
    into_A, into_B = where(forward, -Q_A, Q_A), where(forward, Q_B, -Q_B)
    lost = dict(edge_A=Q_A * dp_A, edge_B=Q_B * dp_B)
    return dict(into=dict(P=into_P, A=into_A, B=into_B, T=into_T), power=Power(lost=lost))


class ProportionalValve43(Part):
    """4/3 proportional valve, closed centre.

    Equations   Q_ij = ratio_ij Q_nom a(±x) √(Δp_ij / dp_nom)    PA, BT open for x > 0; PB, AT for x < 0
                a(x) = max(x − overlap, 0) / (1 − overlap)       corner rounded (see overlapped)
    Assumes     quasi-steady edges, no flow forces. Closed edges pass exactly nothing.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 5.
    """

    passive = True

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("work port A"), HydraulicPort("work port B")

    Q_nom: float = parameter("m³/s", "rated flow of one edge at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "rated pressure drop of one edge", above=0, default=5 * bar)
    overlap: float = parameter("-", "dead band, part of full stroke", within=(0, 0.9), default=0.03)
    ratio_AT: float = parameter("-", "edge A→T compared with P→A", within=(0, 10), default=1.0)
    ratio_PB: float = parameter("-", "edge P→B compared with P→A", within=(0, 10), default=1.0)
    ratio_BT: float = parameter("-", "edge B→T compared with P→A", within=(0, 10), default=1.0)
    spool: Spool = ingredient("how the spool follows", default=SecondOrderSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    u = Input("-", "spool command: +1 fully P→A, −1 fully P→B", within=(-1, 1))
    x = Output("-", "spool position, part of full stroke")

    def equations(self) -> Terms:
        u = clip(self.u, -1, 1)
        x = self.spool.position(u)
        forward = x >= 0
        C = flow_constant(self.Q_nom, self.dp_nom) * overlapped(where(forward, x, -x), self.overlap)
        C_A, C_B = C * where(forward, 1.0, self.ratio_AT), C * where(forward, self.ratio_BT, self.ratio_PB)
        flows = four_way(self, forward, C_A, C_B, self.edge.root)
        return Terms(**flows, parts=dict(spool=self.spool.equations(u)), out=dict(x=x))


class OpenCentreValve43(Part):
    """4/3 proportional valve with underlap: in the middle all four edges are open.

    Equations   Q_ij = Q_nom a(±x) √(Δp_ij / dp_nom)             four edges at any x
                a(x) = max(x + underlap, 0) / (1 + underlap)     corner rounded over 1 % of the stroke
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 5: open-centre valves.
    """

    passive = True

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("work port A"), HydraulicPort("work port B")

    Q_nom: float = parameter("m³/s", "rated flow of one edge at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "rated pressure drop of one edge", above=0, default=5 * bar)
    underlap: float = parameter("-", "opening in the middle, part of full stroke", within=(0, 1), default=0.1)
    spool: Spool = ingredient("how the spool follows", default=SecondOrderSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    u = Input("-", "spool command: +1 fully P→A, −1 fully P→B", within=(-1, 1))
    x = Output("-", "spool position, part of full stroke")

    def equations(self) -> Terms:
        u = clip(self.u, -1, 1)
        x = self.spool.position(u)
        C = flow_constant(self.Q_nom, self.dp_nom)
        up = C * positive(self.underlap + x, 0.01) / (1 + self.underlap)
        down = C * positive(self.underlap - x, 0.01) / (1 + self.underlap)
        P, A, B, T = self.P.p, self.A.p, self.B.p, self.T.p
        drops = dict(PA=P - A, BT=B - T, PB=P - B, AT=A - T)
        Q = {edge: (up if edge in ("PA", "BT") else down) * self.edge.root(dp) for edge, dp in drops.items()}
        into = dict(P=Q["PA"] + Q["PB"], A=Q["AT"] - Q["PA"], B=Q["BT"] - Q["PB"], T=-Q["AT"] - Q["BT"])
        lost = {f"edge_{edge}": Q[edge] * dp for edge, dp in drops.items()}
        parts = dict(spool=self.spool.equations(u))
        return Terms(into=into, parts=parts, out=dict(x=x), power=Power(lost=lost))


class VoltageValve43(Part):
    """4/3 valve known by the flow constants of its edges per volt; no dead band.

    Equations   U = U_max x,   x follows U_ref / U_max
                U ≥ 0:  Q_PA = C_PA U root(p_P − p_A),     Q_BT = C_BT U root(p_B − p_T)
                U < 0:  Q_PB = C_PB |U| root(p_P − p_B),   Q_AT = C_AT |U| root(p_A − p_T)
    Assumes     the exact product C U, so the slope is finite and not zero through the middle.
    References  [1] Jaiswal (2021) LUT Acta 981, eq. 2.37-2.39: one constant, first-order spool.
                [2] Petrović & Mattila (2022) Mech. Mach. Theory 104680, eq. 82-83: four constants.
    """

    passive = True

    P, T = HydraulicPort("supply"), HydraulicPort("tank")
    A, B = HydraulicPort("work port A"), HydraulicPort("work port B")

    C_PA: float = parameter("m³/(s·V·√Pa)", "flow constant P→A", within=(0, 1))
    C_BT: float = parameter("m³/(s·V·√Pa)", "flow constant B→T", within=(0, 1))
    C_PB: float = parameter("m³/(s·V·√Pa)", "flow constant P→B", within=(0, 1))
    C_AT: float = parameter("m³/(s·V·√Pa)", "flow constant A→T", within=(0, 1))
    U_max: float = parameter("V", "voltage of full stroke; U_ref is limited to it", above=0, default=10.0)
    spool: Spool = ingredient("how the spool follows", default=InstantSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    U_ref = Input("V", "command: positive opens P→A and B→T", within=(-10, 10))
    U = Output("V", "spool position")

    def equations(self) -> Terms:
        u = clip(self.U_ref / self.U_max, -1, 1)
        U = self.U_max * self.spool.position(u)
        forward = U >= 0
        opening = where(forward, U, -U)
        C_A = opening * where(forward, self.C_PA, self.C_AT)
        C_B = opening * where(forward, self.C_BT, self.C_PB)
        flows = four_way(self, forward, C_A, C_B, self.edge.root)
        return Terms(**flows, parts=dict(spool=self.spool.equations(u)), out=dict(U=U))
