"""Rotary actuators: vane or helical, turning through a limited angle."""

from oleodyn.errors import DeclarationError
from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.leakage import Leak
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.stroke_end import EndStop
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import fabs, pi, tanh
from oleodyn.mechanics.port import RotationPort
from oleodyn.units import cm3, deg


def vane_displacement(radius, shaft_radius, width, vanes=1):
    """Displacement of a vane actuator [m³/rad]: vanes · width (R² − r²) / 2.

    >>> round(vane_displacement(radius=0.10, shaft_radius=0.04, width=0.08) * 1e6, 3)
    336.0
    """
    return vanes * width * (radius**2 - shaft_radius**2) / 2


def helical_displacement(area, lead):
    """Displacement of a helical actuator [m³/rad]: area · lead / 2π, lead: travel of its piston per turn of the shaft.

    Two helices of opposite hand turn the shaft by both: their leads l₁ and l₂ count as l₁ l₂ / (l₁ + l₂).

    >>> round(helical_displacement(area=5.027e-3, lead=0.150) * 1e6, 2)
    120.01
    """
    return area * lead / (2 * pi)


class RotaryActuator(Part):
    """Vane or helical actuator: displacement in proportion to a limited angle.

    Equations   φ = angle − angle_min,   into A: D φ̇ + leakage,   into B: −D φ̇ − leakage
                V_A = V_dead + D φ,   V_B = V_dead + D (angle_max − angle),   C = V (1/K_oil + 1/K_wall)
                τ = D (p_A − p_B) − τ_friction − (1 − η) D |p_A − p_B| tanh(φ̇/w_η) + τ_stop
    Assumes     equal chambers; stops as in Cylinder, in rad and N·m.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 6; ISO 1219-1 (2012): limited rotation.
    """

    passive = True

    A, B = HydraulicPort("turns it forward"), HydraulicPort("turns it back")
    shaft = RotationPort("joint that it turns")

    D: float = parameter("m³/rad", "displacement", above=0)
    angle_min: float = parameter("rad", "angle of the joint at the first stop", within=(-20, 20), default=-90 * deg)
    angle_max: float = parameter("rad", "angle of the joint at the second stop", within=(-20, 20), default=90 * deg)
    V_dead: float = parameter("m³", "oil on each side at its stop", within=(0, 1), default=50 * cm3)
    K_wall: float | None = parameter("Pa", "bulk modulus of the wall; none: rigid", above=0, default=None)
    eta: float | None = parameter("-", "torque efficiency; none: no such loss", within=(0.01, 1), default=None)
    w_eta: float = parameter("rad/s", "speed over which the loss of efficiency turns round", above=0, default=0.01)
    p_A_0: float | None = parameter("Pa", "pressure at A at the start", within=(0, float("inf")), default=None)
    p_B_0: float | None = parameter("Pa", "pressure at B at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())
    leak: Leak | None = ingredient("leakage past the vane, A to B", default=None)
    stop: EndStop = ingredient("stops at both ends", default=EndStop(K=1e7, C=1e4, width=1e-3))
    friction: Part | None = ingredient("friction of seals and bearings", default=None)

    phi = Output("rad", "angle from the first stop")
    tau = Output("N·m", "torque on the joint")

    def check(self) -> None:
        if self.angle_max <= self.angle_min:
            raise DeclarationError(
                f"RotaryActuator.angle_max = {self.angle_max:g} rad: must be above angle_min = {self.angle_min:g} rad"
            )

    def equations(self) -> Terms:
        p_A, p_B, w = self.A.p, self.B.p, self.shaft.speed
        dp, angle, sweep = p_A - p_B, self.shaft.angle - self.angle_min, self.angle_max - self.angle_min
        V_A, V_B = self.V_dead + self.D * angle, self.V_dead + self.D * (sweep - angle)
        tau_end, energy, lost_there = self.stop.act(angle, w, sweep)
        Q_leak, tau, lost, parts = 0.0, self.D * dp + tau_end, dict(stops=lost_there), {}
        if self.leak:
            Q_leak = self.leak.flow(dp)
            lost["leakage"] = Q_leak * dp
        if self.friction:
            parts["friction"] = self.friction.equations(w)
            tau = tau - parts["friction"].out["F"]
        if self.eta is not None:
            tau_eta = (1 - self.eta) * self.D * fabs(dp) * tanh(w / self.w_eta)
            tau, lost["efficiency"] = tau - tau_eta, tau_eta * w
        return Terms(
            into=dict(A=self.D * w + Q_leak, B=-self.D * w - Q_leak, shaft=-tau),
            store=dict(A=self.oil.capacity(V_A, p_A, self.K_wall), B=self.oil.capacity(V_B, p_B, self.K_wall)),
            parts=parts,
            start=known(A=self.p_A_0, B=self.p_B_0),
            clamp=self.oil.bounds("A", "B"),
            fits=dict(phi=(0.0, sweep)),
            guard=dict(volume_A=V_A / self.D, volume_B=V_B / self.D),
            out=dict(phi=angle, tau=tau),
            power=Power(lost=lost),
            energy=dict(stops=energy),
        )
