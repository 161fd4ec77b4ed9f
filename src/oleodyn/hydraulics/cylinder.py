"""Cylinders: pressure on a piston pushes a rod."""

from oleodyn.errors import DeclarationError
from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.leakage import Leak
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.stroke_end import Cushion, EndStop
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import fabs, pi, tanh
from oleodyn.mechanics.port import LinePort
from oleodyn.units import cm3


def areas(d_bore, d_rod):
    """Piston area and ring area [m²].

    >>> tuple(f"{area:.9e}" for area in areas(d_bore=0.080, d_rod=0.035))
    ('5.026548246e-03', '4.064435496e-03')
    """
    area = pi * d_bore**2 / 4
    return area, area - pi * d_rod**2 / 4


class Cylinder(Part):
    """Double-acting cylinder along a line of the mechanism.

    Equations   x = s − length_0,   A_A = π d_bore²/4,   A_B = A_A − π d_rod²/4
                into A: A_A ẋ + leakage,   into B: −A_B ẋ − leakage
                C_A = V_A (1/K_oil + 1/K_wall),   V_A = V_A_dead + A_A x,   V_B = V_B_dead + A_B (stroke − x)
                F_oil = p_A A_A − p_B A_B − p_ambient (A_A − A_B)
                F = F_oil − F_friction − (1 − η)|F_oil| tanh(ẋ/v_η) + F_stop
    Assumes     no mass (give it to bodies of the mechanism). Where a chamber has no length left the run ends
                with an error. An open drain D leaks against 0 Pa. Pressures are absolute: papers leave out
                the atmosphere that pushes the rod back in, so p_ambient is 0 unless given.
    Published   with `mirror_at` = s₀ the chambers change the wrong way, as printed in Publ. I (43):
                x is replaced by its mirror image about s₀ in V_A and V_B, and nowhere else.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 6;  [2] Jaiswal (2021) LUT Acta 981, eq. 2.35-2.40.
    """

    passive = True

    A, B = HydraulicPort("piston side"), HydraulicPort("rod side")
    D = HydraulicPort("drain of the rod seal", optional=True)
    rod = LinePort("from pin to pin")

    d_bore: float = parameter("m", "bore", above=0)
    d_rod: float = parameter("m", "rod diameter", above=0)
    stroke: float = parameter("m", "stroke", above=0)
    length_0: float = parameter("m", "length from pin to pin, retracted", within=(0, 100))
    V_A_dead: float = parameter("m³", "oil at A when retracted", within=(0, 1), default=50 * cm3)
    V_B_dead: float = parameter("m³", "oil at B when extended", within=(0, 1), default=50 * cm3)
    K_wall: float | None = parameter("Pa", "bulk modulus of the wall; none: rigid", above=0, default=None)
    eta: float | None = parameter("-", "force efficiency; none: no such loss", within=(0.01, 1), default=None)
    v_eta: float = parameter("m/s", "speed over which the loss of efficiency turns round", above=0, default=0.01)
    p_ambient: float = parameter("Pa", "pressure around the rod, such as 1.01325 bar", within=(0, 1e7), default=0.0)
    mirror_at: float | None = parameter("m", "length s₀ of the published misprint", above=0, default=None)
    p_A_0: float | None = parameter("Pa", "pressure at A at the start", within=(0, float("inf")), default=None)
    p_B_0: float | None = parameter("Pa", "pressure at B at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())
    leak: Leak | None = ingredient("leakage past the piston, A to B", default=None)
    leak_out: Leak | None = ingredient("leakage past the rod seal, B to D", default=None)
    friction: Part | None = ingredient("friction of the seals", default=None)
    stop: EndStop | None = ingredient("stops at both ends of the stroke", default=EndStop())
    cushion: Cushion | None = ingredient("cushions at both ends", default=None)

    x = Output("m", "piston position from retracted")
    F = Output("N", "force on the rod, pushing")
    F_oil = Output("N", "force of the oil on the piston")
    F_friction = Output("N", "friction against the motion")

    def check(self) -> None:
        if self.d_rod >= self.d_bore:
            raise DeclarationError(
                f"Cylinder.d_rod = {self.d_rod:g} m: must be below d_bore = {self.d_bore:g} m (rod diameter)"
            )

    def equations(self) -> Terms:
        p_A, p_B, v = self.A.p, self.B.p, self.rod.v
        A_A, A_B = areas(self.d_bore, self.d_rod)
        x = self.rod.s - self.length_0
        V_A, V_B = self.volumes(x, A_A, A_B)
        Q_leak = self.leak.flow(p_A - p_B) if self.leak else 0.0
        Q_out = self.leak_out.flow(p_B - self.D.p) if self.leak_out else 0.0
        F_oil = p_A * A_A - p_B * A_B - self.p_ambient * (A_A - A_B)
        rubbing, F_lost, lost = self.losses(F_oil, v)
        F_end, energy, lost_there = self.ends(x, v, A_A, A_B)
        F = F_oil - F_lost + F_end
        still = isinstance(self.p_ambient, float) and self.p_ambient == 0.0
        pushed = {} if still else dict(ambient=self.p_ambient * (A_A - A_B) * v)
        leaking = dict(leakage=Q_leak * (p_A - p_B) + Q_out * (p_B - self.D.p)) if self.leak or self.leak_out else {}
        return Terms(
            into=dict(A=A_A * v + Q_leak, B=Q_out - A_B * v - Q_leak, D=-Q_out, rod=-F),
            store=dict(A=self.oil.capacity(V_A, p_A, self.K_wall), B=self.oil.capacity(V_B, p_B, self.K_wall)),
            parts=rubbing,
            start=known(A=self.p_A_0, B=self.p_B_0),
            clamp=self.oil.bounds("A", "B"),
            fits=dict(x=(0.0, self.stroke)),
            guard=dict(length_A=V_A / A_A, length_B=V_B / A_B),
            out=dict(x=x, F=F, F_oil=F_oil, F_friction=F_lost),
            power=Power(lost=lost | lost_there | leaking, stored=pushed),
            energy=energy,
        )

    def volumes(self, x, A_A, A_B):
        """Oil in the two chambers [m³]."""
        if self.mirror_at is not None:
            x = 2 * (self.mirror_at - self.length_0) - x
        return self.V_A_dead + A_A * x, self.V_B_dead + A_B * (self.stroke - x)

    def losses(self, F_oil, v):
        """Friction and efficiency: terms of the ingredient, force against the motion, losses by name."""
        parts, F, lost = {}, 0.0, {}
        if self.friction:
            parts["friction"] = self.friction.equations(v)
            F = parts["friction"].out["F"]
        if self.eta is not None:
            F_eta = (1 - self.eta) * fabs(F_oil) * tanh(v / self.v_eta)
            F, lost["efficiency"] = F + F_eta, F_eta * v
        return parts, F, lost

    def ends(self, x, v, A_A, A_B):
        """Stops and cushions: force on the rod, stored energy and losses by name."""
        F, energy, lost = 0.0, {}, {}
        if self.stop:
            F, energy["stops"], lost["stops"] = self.stop.act(x, v, self.stroke)
        if self.cushion:
            F_A = A_A * self.cushion.drop(-A_A * v, x)
            F_B = A_B * self.cushion.drop(A_B * v, self.stroke - x)
            F, lost["cushions"] = F + F_A - F_B, (F_B - F_A) * v
        return F, energy, lost
