"""Pressure valves: relief, reducing, compensator. Pressures against springs."""

from oleodyn.hydraulics.edge import Edge, SmoothEdge, flow_constant
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.spool import InstantSpool, Spool
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import clip, fmin, positive
from oleodyn.units import bar


def opening(dp, dp_open, dp_band):
    """Opening against a spring: 0 up to dp_open, linear to 1 at dp_open + dp_band, first 5 % rounded.

    >>> opening(dp=200 * bar, dp_open=200 * bar, dp_band=20 * bar), opening(205 * bar, 200 * bar, 20 * bar)
    (0.0, 0.25)
    """
    return positive(fmin((dp - dp_open) / dp_band, 1.0), 0.05)


class ReliefValve(Part):
    """Relief valve from P to T: opens at p_set and takes Q_nom at p_set + dp_over.

    Equations   Q = Q_nom x root(p_P − p_T) / √(p_set + dp_over)
                x follows ((p_P − p_T) − p_set) / dp_over, limited to 0 … 1
    Assumes     p_set is counted from the pressure at T. Closed it passes exactly nothing.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9; ISO 1219-1 (2012).
    """

    passive = True

    P, T = HydraulicPort("guarded pressure"), HydraulicPort("tank")

    p_set: float = parameter("Pa", "drop at which it begins to open", above=0)
    dp_over: float = parameter("Pa", "override: further drop until Q_nom passes", above=0, default=10 * bar)
    Q_nom: float = parameter("m³/s", "flow at p_set + dp_over, where it is fully open", above=0)
    spool: Spool = ingredient("how the poppet follows", default=InstantSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening, part of full")

    def equations(self) -> Terms:
        dp = self.P.p - self.T.p
        u = opening(dp, self.p_set, self.dp_over)
        x = clip(self.spool.position(u), 0.0, 1.0)
        Q = flow_constant(self.Q_nom, self.p_set + self.dp_over) * x * self.edge.root(dp)
        return Terms(
            into=dict(P=Q, T=-Q),
            parts=dict(spool=self.spool.equations(u)),
            out=dict(x=x),
            power=Power(lost=dict(throttling=Q * dp)),
        )


class ReducingValve(Part):
    """Three-way reducing valve: keeps A at p_set above T, fed from P, relieved to T.

    Equations   P → A open by (p_set + dp_band/2 − (p_A − p_T)) / dp_band, limited to 0 … 1
                A → T open by ((p_A − p_T) − p_set − dp_band/2) / dp_band, limited to 0 … 1
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9; ISO 1219-1 (2012).
    """

    passive = True

    P, A, T = HydraulicPort("supply"), HydraulicPort("reduced pressure"), HydraulicPort("tank")

    p_set: float = parameter("Pa", "reduced pressure above T", above=0)
    dp_band: float = parameter("Pa", "change of p_A from open to closed", above=0, default=2 * bar)
    Q_nom: float = parameter("m³/s", "flow of the open valve at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=10 * bar)
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening P→A, part of full")

    def equations(self) -> Terms:
        P, A, T = self.P.p, self.A.p, self.T.p
        error, half = A - T - self.p_set, self.dp_band / 2
        C = flow_constant(self.Q_nom, self.dp_nom)
        x = opening(-error, -half, self.dp_band)
        Q_PA = C * x * self.edge.root(P - A)
        Q_AT = C * opening(error, half, self.dp_band) * self.edge.root(A - T)
        lost = dict(edge_PA=Q_PA * (P - A), edge_AT=Q_AT * (A - T))
        return Terms(into=dict(P=Q_PA, A=Q_AT - Q_PA, T=-Q_AT), out=dict(x=x), power=Power(lost=lost))


class PressureCompensator(Part):
    """Pressure compensator: keeps the drop from A to X, over a valve behind it, at dp_set.

    Equations   P → A open by (dp_set + dp_band/2 − (p_A − p_X)) / dp_band, limited to 0 … 1
    Assumes     X is led to the far side of the metering edge (the load). No flow enters X.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9: flow control; ISO 1219-1 (2012).
    """

    passive = True

    P, A = HydraulicPort("supply"), HydraulicPort("to the metering edge")
    X = HydraulicPort("load pressure, behind the metering edge")

    dp_set: float = parameter("Pa", "drop to be kept over the metering edge", above=0, default=7 * bar)
    dp_band: float = parameter("Pa", "change of that drop from open to closed", above=0, default=2 * bar)
    Q_nom: float = parameter("m³/s", "flow of the open compensator at dp_nom", above=0)
    dp_nom: float = parameter("Pa", "drop at Q_nom", above=0, default=5 * bar)
    spool: Spool = ingredient("how the spool follows", default=InstantSpool())
    edge: Edge = ingredient("how flow grows with the drop", default=SmoothEdge())

    x = Output("-", "opening, part of full")

    def equations(self) -> Terms:
        dp, kept = self.P.p - self.A.p, self.A.p - self.X.p
        u = opening(self.dp_set - kept, -self.dp_band / 2, self.dp_band)
        x = clip(self.spool.position(u), 0.0, 1.0)
        Q = flow_constant(self.Q_nom, self.dp_nom) * x * self.edge.root(dp)
        return Terms(
            into=dict(P=Q, A=-Q, X=0.0),
            parts=dict(spool=self.spool.equations(u)),
            out=dict(x=x),
            power=Power(lost=dict(throttling=Q * dp)),
        )
