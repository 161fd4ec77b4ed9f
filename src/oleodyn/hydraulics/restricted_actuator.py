"""Actuators behind line resistances, their oil counted in the lines (Hose, HoseValve43)."""

from oleodyn.errors import DeclarationError
from oleodyn.hydraulics.cylinder import areas
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import fabs
from oleodyn.mechanics.port import LinePort, RotationPort


def motor_pressures(p_A, p_B, p_D, Q, G_A, G_B, G_in, G_eA, G_eB):
    """Pressures at the ports of a motor behind linear lines [Pa], from the balance of flows at each.

    G_A (p_A − p_e) = Q + G_in (p_e − p_f) + G_eA (p_e − p_D)
    G_B (p_f − p_B) = Q + G_in (p_e − p_f) − G_eB (p_f − p_D)

    >>> lines = dict(G_A=1 / 1.9e8, G_B=1 / 1.9e8, G_in=1 / 1.2e12, G_eA=1 / 2.4e12, G_eB=1 / 2.4e12)
    >>> p_e, p_f = motor_pressures(p_A=80e5, p_B=60e5, p_D=0.0, Q=120 * 2.5e-5 * 0.05, **lines)
    >>> round(p_e, 6), round(p_f, 6)
    (7970561.477276, 6028330.277126)
    """
    a, d = G_A + G_in + G_eA, G_B + G_in + G_eB
    b_e, b_f = G_A * p_A + G_eA * p_D - Q, G_B * p_B + G_eB * p_D + Q
    det = a * d - G_in * G_in
    return (d * b_e + G_in * b_f) / det, (a * b_f + G_in * b_e) / det


class RestrictedMotor(Part):
    """Motor and gear on a revolute joint, each port behind a laminar line, with a case drain.

    Equations   Q = D n ω,   p_e, p_f from the balance of flows (motor_pressures)
                into A: (p_A − p_e)/R_A,   into B: (p_B − p_f)/R_B,   the rest leaves at D
                τ = D n (p_e − p_f) − τ_friction,   n² J joins the inertia of the joint
    References  [1] Papadopoulos & Gonthier (2002) eq. 12a and A6, signs corrected.
    """

    passive = True

    A, B = HydraulicPort("line A"), HydraulicPort("line B")
    D = HydraulicPort("case drain")
    shaft = RotationPort("joint")

    D_m: float = parameter("m³/rad", "displacement", above=0)
    ratio: float = parameter("-", "motor turns per turn of the joint", above=0, default=1.0)
    J: float = parameter("kg·m²", "inertia of the rotor", within=(0, 1e4), default=0.0)
    R_A: float = parameter("Pa·s/m³", "resistance of line A", above=0)
    R_B: float = parameter("Pa·s/m³", "resistance of line B", above=0)
    R_in: float = parameter("Pa·s/m³", "resistance of the leakage between the ports", above=0)
    R_eA: float = parameter("Pa·s/m³", "resistance of the leakage from A to the drain", above=0)
    R_eB: float = parameter("Pa·s/m³", "resistance of the leakage from B to the drain", above=0)
    friction: Part | None = ingredient("friction of the joint", default=None)

    p_e = Output("Pa", "pressure at the motor's port A")
    p_f = Output("Pa", "pressure at the motor's port B")
    tau = Output("N·m", "torque of the oil at the joint, before friction")

    def equations(self) -> Terms:
        w, p_A, p_B, p_D = self.shaft.speed, self.A.p, self.B.p, self.D.p
        D_n = self.ratio * self.D_m
        G = [1 / R for R in (self.R_A, self.R_B, self.R_in, self.R_eA, self.R_eB)]
        p_e, p_f = motor_pressures(p_A, p_B, p_D, D_n * w, *G)
        drops = dict(leakage=p_e - p_f, drain_A=p_e - p_D, drain_B=p_f - p_D)
        Q = {name: g * dp for g, (name, dp) in zip(G[2:], drops.items(), strict=True)}
        Q_A = D_n * w + Q["leakage"] + Q["drain_A"]
        Q_B = -D_n * w - Q["leakage"] + Q["drain_B"]
        tau = D_n * (p_e - p_f)
        rubbing = self.friction.equations(w) if self.friction else Terms(out=dict(F=0.0))
        lost = dict(line_A=self.R_A * Q_A**2, line_B=self.R_B * Q_B**2)
        lost |= {name: Q[name] * dp for name, dp in drops.items()}
        return Terms(
            into=dict(A=Q_A, B=Q_B, D=-Q["drain_A"] - Q["drain_B"], shaft=rubbing.out["F"] - tau),
            store=dict(shaft=self.ratio**2 * self.J),
            parts=dict(friction=rubbing) if self.friction else {},
            out=dict(p_e=p_e, p_f=p_f, tau=tau),
            power=Power(lost=lost),
        )


class RestrictedCylinder(Part):
    """Cylinder, each port behind a turbulent line.

    Equations   p_1 = p_A − R_A A_A² ẋ |ẋ|,   p_4 = p_B + R_B A_B² ẋ |ẋ|
                into A: A_A ẋ,   into B: −A_B ẋ,   F = p_1 A_A − p_4 A_B − F_friction
    Assumes     its oil is counted in the lines; no stops, no leakage.
    References  [1] Papadopoulos & Gonthier (2002) eq. 12b.
    """

    passive = True

    A, B = HydraulicPort("line to the piston side"), HydraulicPort("line to the rod side")
    rod = LinePort("from pin to pin")

    d_bore: float = parameter("m", "bore", above=0)
    d_rod: float = parameter("m", "rod diameter", above=0)
    stroke: float = parameter("m", "stroke", above=0)
    length_0: float = parameter("m", "length from pin to pin, retracted", within=(0, 100))
    R_A: float = parameter("Pa·s²/m⁶", "resistance of line A", within=(0, float("inf")))
    R_B: float = parameter("Pa·s²/m⁶", "resistance of line B", within=(0, float("inf")))
    friction: Part | None = ingredient("friction of the seals", default=None)

    x = Output("m", "piston position from retracted")
    p_1 = Output("Pa", "pressure on the piston side")
    p_4 = Output("Pa", "pressure on the rod side")
    F = Output("N", "force on the rod, pushing")

    def check(self) -> None:
        if self.d_rod >= self.d_bore:
            raise DeclarationError(
                f"RestrictedCylinder.d_rod = {self.d_rod:g} m: must be below d_bore = {self.d_bore:g} m (rod diameter)"
            )

    def equations(self) -> Terms:
        v = self.rod.v
        A_A, A_B = areas(self.d_bore, self.d_rod)
        drop_A, drop_B = (R * area**2 * v * fabs(v) for R, area in ((self.R_A, A_A), (self.R_B, A_B)))
        p_1, p_4 = self.A.p - drop_A, self.B.p + drop_B
        rubbing = self.friction.equations(v) if self.friction else Terms(out=dict(F=0.0))
        F = p_1 * A_A - p_4 * A_B - rubbing.out["F"]
        x = self.rod.s - self.length_0
        return Terms(
            into=dict(A=A_A * v, B=-A_B * v, rod=-F),
            parts=dict(friction=rubbing) if self.friction else {},
            fits=dict(x=(0.0, self.stroke)),
            guard=dict(length_A=x, length_B=self.stroke - x),
            out=dict(x=x, p_1=p_1, p_4=p_4, F=F),
            power=Power(lost=dict(line_A=drop_A * A_A * v, line_B=drop_B * A_B * v)),
        )
