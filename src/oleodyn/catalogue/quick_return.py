"""quick-return: a shaping machine's mechanism, driven at its crank by one cylinder.

All numbers of the mechanism and its circuit are printed (Jaiswal 2021, Publication I) unless they
stand in `dissertation_hydraulics.py` as chosen. The start is exact where the print rounds to 0.005°.
"""

import math

from oleodyn.catalogue.dissertation_hydraulics import VISCOUS, circuit, edges, rod, static_pressures
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Line
from oleodyn.mechanics.joint import Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism

K, G = (0.0, 3.0, 0.0), (-0.96, 3.0, 0.0)
HEIGHT = 5.0
"""The upper block slides along a level line at this height [m]."""
L = (5.0, 1.2, 0.3, 1.0, 0.3)
M = (25.0, 12.0, 3.0, 100.0, 30.0)
FORCE = -4151.691253
"""What the cylinder carries at the start [N]: it pulls."""
X = (1.0, 0.0, 0.0)


def start() -> tuple[float, ...]:
    """The five angles with the upper block at x = 0: L is the outer crossing of line OH and the crank's circle."""
    y = (2 * L[0] ** 2 - L[1] ** 2) / (2 * HEIGHT)
    z_1 = math.asin(y / L[0])
    upper = math.atan2(HEIGHT - y, -math.sqrt(L[0] ** 2 - y**2))
    reach = K[1] * math.sin(z_1) + math.sqrt((K[1] * math.sin(z_1)) ** 2 - K[1] ** 2 + L[3] ** 2)
    z_4 = math.atan2(reach * math.sin(z_1) - K[1], reach * math.cos(z_1))
    return z_1, upper - z_1, math.pi - upper, z_4, z_1 - z_4


def pin_distance() -> float:
    """Length of the cylinder from pin to pin at the start [m]: √2 is printed, 1.413507811 is exact."""
    z_4 = start()[3]
    return math.hypot(0.5 * math.cos(z_4) - G[0], K[1] + 0.5 * math.sin(z_4) - G[1])


def machine(*, oil: bool = True, mirrored: bool = False) -> Machine:
    """The machine; without `oil` the mechanism alone, falling; `mirrored` as printed (κ = −1)."""
    scenario = edges("voltage down, hold, up", (1.0, 4.0, 6.5, 8.0), (-10.0, 0.0, 10.0, 0.0))
    made = Machine(
        "quick-return",
        text="quick-return mechanism with two sliding blocks, one cylinder, throttle and valve "
        "(Jaiswal 2021, Publication I)",
        defaults=Defaults(
            stepper="trapezoidal", loops="partitioning", dt=1e-3, until=10.0, scenario="stroke" if oil else None
        ),
        scenarios={"stroke": scenario} if oil else None,
    )
    made.add("linkage", linkage())
    if oil:
        circuit(
            made, line="linkage.cylinder", s_0=pin_distance(), stroke=1.1, l_2=pin_distance() - 1.1,
            friction=VISCOUS, pressures=static_pressures(FORCE), mirrored=mirrored,
        )  # fmt: skip
    return made


def linkage() -> Mechanism:
    """Two branches, O-1-2-3 and K-4-5; block 3 slides along a level line, block 5 along body 1."""
    q_0 = start()
    joints = {
        "z1": Revolute(child="body_1", q_0=q_0[0]),
        "z2": Revolute(parent="body_1", child="body_2", position=(L[0], 0.0, 0.0), q_0=q_0[1]),
        "z3": Revolute(parent="body_2", child="body_3", position=(L[1], 0.0, 0.0), q_0=q_0[2]),
        "z4": Revolute(child="body_4", position=K, q_0=q_0[3]),
        "z5": Revolute(parent="body_4", child="body_5", position=(L[3], 0.0, 0.0), q_0=q_0[4]),
    }
    loops = {
        "guide": Prismatic(child="body_3", position=(0.0, HEIGHT, 0.0), orientation=(0.0, 0.0, math.pi), axis=X),
        "slot": Prismatic(parent="body_1", child="body_5", axis=X),
    }
    bodies = {
        f"body_{i}": rod(m, length) if i in (1, 2, 4) else block(m, length)
        for i, (m, length) in enumerate(zip(M, L, strict=True), start=1)
    }
    return Mechanism(
        gravity=(0.0, -9.81, 0.0),
        bodies=Named(bodies),
        joints=Named(joints),
        loops=Named(loops),
        lines=Named({"cylinder": Line(from_point=G, to_body="body_4", to_point=(L[3] / 2, 0.0, 0.0))}),
    )


def block(m: float, length: float) -> Body:
    """A cube about its joint: m L²/6."""
    J = m * length**2 / 6
    return Body(mass=m, inertia=((J, 0.0, 0.0), (0.0, J, 0.0), (0.0, 0.0, J)))
