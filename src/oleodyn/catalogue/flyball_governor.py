"""flyball-governor: Watt's governor with couplers of spring and damper, a stiff machine in three dimensions.

All numbers are those of problem A05 of the library of computational benchmark problems (González,
Dopico, Lugrís & Cuadrado 2006, Multibody Syst. Dyn. 16, 179-190: A benchmarking system for MBS
simulation software), as restated with its figure and model by Tagliapietra, Vivian, Ceseracciu &
Reggiani (2015) Multi-Body Systems Benchmark in OpenSim, A05. z is up; the shaft turns freely from
its first spin on. With rigid couplers, the limit of stiff ones, two loops close it.
"""

import math

from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Line
from oleodyn.mechanics.joint import Fixed, Joint, Prismatic, Revolute
from oleodyn.mechanics.loop import Distance
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.spring import SpringDamper
from oleodyn.mechanics.vector import Matrix
from oleodyn.units import deg

RHO, SIDE, BLOCK = 3000.0, 0.01, 0.1
"""Density [kg/m³]; sides of shaft and rods, and of the slider [m]."""
LENGTH, OFFSET, BALL = 1.0, 0.05, 5.0
"""Shaft and rods [m]; their hinges and the couplers' pins from the axis [m]; each ball [kg]."""
K, C, FREE = 8e5, 4e4, 0.5
"""Each coupler: stiffness [N/m], damping [N·s/m], free length [m]."""
S_0, ALPHA_0, SPIN = 0.5, 30 * deg, 2 * math.pi
"""At the start: height of the slider [m], rods below the level [rad], spin [rad/s]."""
SIDES = {"right": 0.0, "left": math.pi}
"""Each rod, by the direction from the axis in which it is hinged."""
Y = (0.0, 1.0, 0.0)


def machine(*, rigid: bool = False) -> Machine:
    """The governor; with `rigid` couplers it is a mechanism of two loops."""
    made = Machine(
        "flyball-governor",
        text="Watt's governor with stiff couplers, spinning freely (library of computational benchmarks, A05)",
        defaults=Defaults(stepper="trapezoidal", loops="partitioning" if rigid else None, dt=1e-3, until=10.0),
    )
    made.add("governor", governor(rigid))
    for side in () if rigid else SIDES:
        made.add(f"{side}_coupler", SpringDamper(k=K, c=C, s_free=FREE))
        made.connect(f"{side}_coupler.rod", f"governor.{side}_line")
    return made


def variants() -> dict[str, Machine]:
    """The governor with rigid couplers: no longer stiff, but with loops."""
    return {"rigid couplers": machine(rigid=True)}


def governor(rigid: bool) -> Mechanism:
    """Shaft, slider on it, and two rods with balls hinged at its top."""
    bodies = {"shaft": prism(SIDE, SIDE, LENGTH, z=LENGTH / 2), "slider": prism(BLOCK, BLOCK, BLOCK)}
    joints: dict[str, Joint] = {
        "spin": Revolute(child="shaft", q_dot_0=SPIN),
        "s": Prismatic(parent="shaft", child="slider", q_0=S_0),
    }
    lines, loops = {}, {}
    for side, towards in SIDES.items():
        x = OFFSET * math.cos(towards)
        bodies |= {f"{side}_rod": prism(LENGTH, SIDE, SIDE, x=LENGTH / 2), f"{side}_ball": Body(mass=BALL)}
        joints[side] = Revolute(
            parent="shaft", child=f"{side}_rod", position=(x, 0.0, LENGTH), orientation=(0.0, 0.0, towards), axis=Y,
            q_0=ALPHA_0,
        )  # fmt: skip
        joints[f"{side}_weld"] = Fixed(parent=f"{side}_rod", child=f"{side}_ball", position=(LENGTH, 0.0, 0.0))
        pin, middle = (x, 0.0, 0.0), (LENGTH / 2, 0.0, 0.0)
        lines[f"{side}_line"] = Line(
            from_body="slider", from_point=pin, to_body=f"{side}_rod", to_point=middle,
        )  # fmt: skip
        loops[f"{side}_coupler"] = Distance(
            parent="slider", child=f"{side}_rod", position=pin, child_position=middle, length=FREE
        )
    return Mechanism(
        bodies=Named(bodies), joints=Named(joints), lines=Named(lines), loops=Named(loops if rigid else {})
    )


def prism(a: float, b: float, c: float, *, x: float = 0.0, z: float = 0.0) -> Body:
    """A prism with sides a, b, c along x, y, z and its middle at (x, 0, z)."""
    m = RHO * a * b * c
    inertia: Matrix = (
        (m * (b * b + c * c) / 12, 0.0, 0.0), (0.0, m * (a * a + c * c) / 12, 0.0), (0.0, 0.0, m * (a * a + b * b) / 12)
    )  # fmt: skip
    return Body(mass=m, com=(x, 0.0, z), inertia=inertia)
