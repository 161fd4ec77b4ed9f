"""Plunger cylinders: single-acting, pushed back by the load."""

from oleodyn.fluids.oil import ATMOSPHERE, Oil
from oleodyn.hydraulics.node import known
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.stroke_end import EndStop
from oleodyn.machine.part import Output, Part, Power, Terms, ingredient, parameter
from oleodyn.maths import pi
from oleodyn.mechanics.port import LinePort
from oleodyn.units import cm3


class Plunger(Part):
    """Single-acting cylinder.

    Equations   x = s − length_0,   area = π d²/4,   V = V_dead + area x,   C = V (1/K_oil + 1/K_wall)
                F = (p_A − 1 atm) area − F_friction + F_stop,   into A: area ẋ
    Assumes     no mass; stops as in Cylinder.
    References  [1] Merritt (1967) Hydraulic Control Systems, ch. 6; ISO 1219-1 (2012).
    """

    passive = True

    A = HydraulicPort("pressure side")
    rod = LinePort("from pin to pin")

    d: float = parameter("m", "diameter of the plunger", above=0)
    stroke: float = parameter("m", "stroke", above=0)
    length_0: float = parameter("m", "length from pin to pin, retracted", within=(0, 100))
    V_dead: float = parameter("m³", "oil when retracted", within=(0, 1), default=50 * cm3)
    K_wall: float | None = parameter("Pa", "bulk modulus of the wall; none: rigid", above=0, default=None)
    p_0: float | None = parameter("Pa", "pressure at the start", within=(0, float("inf")), default=None)
    oil: Oil = ingredient("what is inside", default=Oil())
    stop: EndStop = ingredient("stops at both ends of the stroke", default=EndStop())
    friction: Part | None = ingredient("friction of the seals", default=None)

    x = Output("m", "position from retracted")
    F = Output("N", "force on the rod, pushing")

    def equations(self) -> Terms:
        v, area = self.rod.v, pi * self.d**2 / 4
        x = self.rod.s - self.length_0
        V = self.V_dead + area * x
        F_end, energy, lost = self.stop.act(x, v, self.stroke)
        rubbing = self.friction.equations(v) if self.friction else Terms(out=dict(F=0.0))
        F = (self.A.p - ATMOSPHERE) * area - rubbing.out["F"] + F_end
        return Terms(
            into=dict(A=area * v, rod=-F),
            store=dict(A=self.oil.capacity(V, self.A.p, self.K_wall)),
            parts=dict(friction=rubbing) if self.friction else {},
            start=known(A=self.p_0),
            clamp=self.oil.bounds("A"),
            fits=dict(x=(0.0, self.stroke)),
            guard=dict(length_A=V / area),
            out=dict(x=x, F=F),
            power=Power(lost=dict(stops=lost), stored=dict(atmosphere=ATMOSPHERE * area * v)),
            energy=dict(stops=energy),
        )
