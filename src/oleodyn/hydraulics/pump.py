"""Pumps: a shaft turns, oil flows; fixed, variable, pressure-controlled, load-sensing."""

from typing import Any

from oleodyn.hydraulics.leakage import Leak
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.spool import FirstOrderSpool, Spool
from oleodyn.machine.part import Input, Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import clip, fabs, tanh
from oleodyn.mechanics.port import RotationPort
from oleodyn.units import bar, ms


def pump_torque(dp, w, D, eta, c, w_lam=1.0):
    """Torque that turns a pump [N·m]: D dp, what its efficiency takes, and viscous drag.

    D dp + (1/η − 1) D |dp| tanh(ω / w_lam) + c ω: pumping it is D dp / η, and no quadrant gives power.

    >>> round(pump_torque(dp=200e5, w=157.0, D=45e-6 / 6.283185307, eta=0.92, c=0.02), 3)
    158.835
    """
    ideal = D * dp
    return ideal + (1 / eta - 1) * fabs(ideal) * tanh(w / w_lam) + c * w


class FixedPump(Part):
    """Pump of fixed displacement.

    Equations   Q = D ω − leakage(p_P − p_T),   τ = D dp + (1/η − 1) D |dp| tanh(ω/1 rad/s) + c ω
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 4: leakage and torque of pumps.
    """

    passive = True

    P, T = HydraulicPort("outlet"), HydraulicPort("inlet")
    shaft = RotationPort("drive shaft")

    D: float = parameter("m³/rad", "displacement", above=0)
    eta: float = parameter("-", "torque efficiency", within=(0.01, 1), default=0.95)
    c: float = parameter("N·m·s/rad", "viscous drag of the shaft", within=(0, 1e3), default=0.0)
    leak: Leak | None = ingredient("leakage from outlet to inlet", default=None)

    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        return Terms(**pumping(self, 1.0))


class VariablePump(Part):
    """Pump of variable displacement that follows a command, to both sides of zero.

    Equations   displacement = x D, x follows u;   Q and τ as in FixedPump
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 4.
    """

    passive = True

    P, T = HydraulicPort("outlet"), HydraulicPort("inlet")
    shaft = RotationPort("drive shaft")

    D: float = parameter("m³/rad", "displacement at u = 1", above=0)
    eta: float = parameter("-", "torque efficiency", within=(0.01, 1), default=0.92)
    c: float = parameter("N·m·s/rad", "viscous drag of the shaft", within=(0, 1e3), default=0.0)
    leak: Leak | None = ingredient("leakage from outlet to inlet", default=None)
    spool: Spool = ingredient("how the displacement follows", default=FirstOrderSpool(tau=60 * ms))

    u = Input("-", "displacement, part of full", within=(-1, 1))
    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        u = clip(self.u, -1, 1)
        return Terms(**pumping(self, self.spool.position(u)), parts=dict(spool=self.spool.equations(u)))


class PressurePump(Part):
    """Variable pump whose controller keeps the outlet at p_set as long as the flow suffices.

    Equations   x follows (p_set + dp_band − (p_P − p_T)) / dp_band, limited to 0 … 1
                Q and τ as in FixedPump with displacement x D
    Limits      full flow below p_set, none from p_set + dp_band on.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 4 and 9.
    """

    passive = True

    P, T = HydraulicPort("outlet"), HydraulicPort("inlet")
    shaft = RotationPort("drive shaft")

    D: float = parameter("m³/rad", "largest displacement", above=0)
    p_set: float = parameter("Pa", "pressure above T up to which flow is full", above=0)
    dp_band: float = parameter("Pa", "further pressure until flow is zero", above=0, default=5 * bar)
    eta: float = parameter("-", "torque efficiency", within=(0.01, 1), default=0.92)
    c: float = parameter("N·m·s/rad", "viscous drag of the shaft", within=(0, 1e3), default=0.0)
    leak: Leak | None = ingredient("leakage from outlet to inlet", default=None)
    spool: Spool = ingredient("how the displacement follows", default=FirstOrderSpool(tau=60 * ms))

    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        u = clip((self.p_set + self.dp_band - (self.P.p - self.T.p)) / self.dp_band, 0, 1)
        return Terms(**pumping(self, self.spool.position(u)), parts=dict(spool=self.spool.equations(u)))


class LoadSensingPump(Part):
    """Variable pump whose controller keeps the outlet a margin above LS, up to p_max.

    Equations   x follows (lim(p_LS + margin) + dp_band − p_P) / dp_band, limited to 0 … 1
                Q and τ as in FixedPump with displacement x D;   lim: at most p_max
    Assumes     no flow enters LS.
    References  [1] Krus (1988) On Load Sensing Fluid Power Systems, Linköping.
    """

    passive = True

    P, T = HydraulicPort("outlet"), HydraulicPort("inlet")
    LS = HydraulicPort("highest load pressure")
    shaft = RotationPort("drive shaft")

    D: float = parameter("m³/rad", "largest displacement", above=0)
    p_max: float = parameter("Pa", "pressure at cut-off", above=0)
    margin: float = parameter("Pa", "pressure kept above LS", within=(0, 1e8), default=20 * bar)
    dp_band: float = parameter("Pa", "further pressure until flow is zero", above=0, default=2 * bar)
    eta: float = parameter("-", "torque efficiency", within=(0.01, 1), default=0.92)
    c: float = parameter("N·m·s/rad", "viscous drag of the shaft", within=(0, 1e3), default=0.0)
    leak: Leak | None = ingredient("leakage from outlet to inlet", default=None)
    spool: Spool = ingredient("how the displacement follows", default=FirstOrderSpool(tau=60 * ms))

    Q = Output("m³/s", "flow delivered")

    def equations(self) -> Terms:
        aim = clip(self.LS.p + self.margin, 0.0, self.p_max)
        u = clip((aim + self.dp_band - self.P.p) / self.dp_band, 0, 1)
        terms = pumping(self, self.spool.position(u))
        terms["into"]["LS"] = 0.0
        return Terms(**terms, parts=dict(spool=self.spool.equations(u)))


def pumping(pump: FixedPump | VariablePump | PressurePump | LoadSensingPump, x) -> dict[str, Any]:
    """`into`, `out` and `power` of a pump at the part x of its displacement."""
    dp, w, D = pump.P.p - pump.T.p, pump.shaft.speed, x * pump.D
    Q_leak = pump.leak.flow(dp) if pump.leak else 0.0
    Q, tau = D * w - Q_leak, pump_torque(dp, w, D, pump.eta, pump.c)
    lost = dict(friction=(tau - D * dp) * w) | (dict(leakage=Q_leak * dp) if pump.leak else {})
    return dict(into=dict(P=-Q, T=Q, shaft=tau), out=dict(Q=Q), power=Power(lost=lost))
