"""Supplies: constant pressure, load-sensing pressure, a given flow."""

from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Input, Output, Part, Power, State, Terms, parameter
from oleodyn.maths import clip
from oleodyn.units import bar, l_per_min, ms


class ConstantPressure(Part):
    """A supply that holds its pressure whatever flows.

    Equations   p = const.;   power supplied = −p Q, Q into the supply
    Assumes     a pump and an accumulator large enough.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 9: constant-pressure supplies.
    """

    port = HydraulicPort("supply")

    p: float = parameter("Pa", "supply pressure", within=(0, float("inf")))

    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        Q = -self.port.Q
        return Terms(hold=dict(port=self.p), out=dict(Q=Q), power=Power(supplied=dict(supply=self.p * Q)))


class LoadSensingSupply(Part):
    """A supply that keeps its pressure a margin above what the loads ask for.

    Equations   τ ṗ = lim(p_LS + margin) − p,   p_min ≤ lim ≤ p_max
    Assumes     a first-order pump controller; no flow enters LS.
    References  [1] Krus (1988) On Load Sensing Fluid Power Systems, Linköping: pump with margin.
    """

    P, LS = HydraulicPort("supply"), HydraulicPort("highest load pressure")

    p_max: float = parameter("Pa", "pressure at cut-off", above=0)
    p_min: float = parameter("Pa", "stand-by pressure", within=(0, float("inf")), default=20 * bar)
    margin: float = parameter("Pa", "pressure kept above LS", within=(0, 1e8), default=20 * bar)
    tau: float = parameter("s", "time constant of the pump's controller", above=0, default=40 * ms)

    p = State("Pa", "supply pressure", kind="pressure", nominal=1e5)
    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        aim = clip(self.LS.p + self.margin, self.p_min, self.p_max)
        Q = -self.P.Q
        return Terms(
            der=dict(p=(aim - self.p) / self.tau),
            hold=dict(P=self.p),
            into=dict(LS=0.0),
            start=dict(p=self.p_min),
            out=dict(Q=Q),
            power=Power(supplied=dict(supply=self.p * Q)),
        )


class FlowSource(Part):
    """An ideal pump: delivers the flow it is told to, from T to P, at any pressure.

    Equations   Q = u Q_nom,   power supplied = (p_P − p_T) Q
    References  [1] ISO 1219-1 (2012): pump of constant displacement.
    """

    P, T = HydraulicPort("outlet"), HydraulicPort("inlet")

    Q_nom: float = parameter("m³/s", "flow at u = 1", above=0, default=40 * l_per_min)

    u = Input("-", "flow, part of Q_nom", default=1.0)
    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        Q = self.u * self.Q_nom
        power = Power(supplied=dict(source=(self.P.p - self.T.p) * Q))
        return Terms(into=dict(P=-Q, T=Q), out=dict(Q=Q), power=power)
