"""The arm of the loader crane: bodies, joints, loops, and where they are at the start.

Sizes are those of a truck crane of the 6 t·m class, chosen here: the reasons stand beside them.
Side view as complex numbers, x forward and z up; the boom's plane turns with the pillar.
"""

import cmath
import math
from dataclasses import dataclass, replace
from typing import Any

from oleodyn.catalogue.at_rest import gravity
from oleodyn.machine.part import Named
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Joint, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.vector import Vector
from oleodyn.units import deg

X, Z, UP = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)
"""UP: about it a positive angle raises."""

FOOT = 1.70j
"""Boom's pin on the pillar: at 1.7 m the folded arm clears the cab's floor."""
BOOM, TUBE = 2.6, 0.35
"""Boom from pin to knuckle; barrel eye of the extension from the knuckle [m]."""
LIFT_EYE, LIFT_PIN = 0.25 + 0.45j, 0.70 - 0.20j
"""Lift cylinder on pillar and boom: lever 0.72 m at 0° and 0.33 m at 75°, most where the load is far out."""
KNUCKLE_EYE = 1.05 - 0.28j
"""Jib cylinder on the boom, below it, so that it pushes the load up."""
LEVER_PIN, LEVER, LINK = 2.25 - 0.05j, 0.30, 0.35
LINK_PIN = 0.30 * cmath.exp(-30j * deg)
"""Four-bar at the knuckle: searched for the largest least lever over 125° of jib, 0.10 m to 0.30 m, with no two
bars nearer than 15° to a line."""
SLEW_EYE, SLEW_LUG = (-0.95, 0.35, 0.34), (-0.05, 0.25, 0.22)
"""Left slewing cylinder on frame and pillar (right: mirrored): the two levers add up to 0.48 m in the middle and
to 0.30 m at ±45°. Its eyes lie at different heights, so both turns of its cardan move."""
HOOK = 0.25
"""From the swing joint to the rotator [m]."""

BARRELS = {"lift": (60.0, 1.05), "knuckle": (48.0, 0.85), "left": (16.0, 0.65), "right": (16.0, 0.65)}
RODS = {"lift": (34.0, 1.00), "knuckle": (26.0, 0.80), "left": (9.0, 0.62), "right": (9.0, 0.62)}
"""Mass [kg] and length [m]: steel tubes with a wall of a tenth of the bore, half of the mass in head, eye and oil;
solid rods, a third in piston and eye."""
BEAMS: dict[str, tuple[float, float, float, int]] = {
    "pillar": (380.0, 1.7, 0.35, 2),
    "boom": (300.0, BOOM, 0.26, 0),
    "jib": (170.0, 2.1, 0.22, 0),
    "telescope": (110.0, -2.2, 0.17, 0),
    "lever": (11.0, LEVER, 0.08, 0),
    "link": (13.0, LINK, 0.08, 0),
    "hook": (14.0, -HOOK, 0.12, 2),
}
"""Mass [kg], length and height [m], axis. Square steel tubes with walls of 10, 8, 6 and 5 mm weigh 110, 65, 41 and
27 kg/m; lugs, pins and what lies inside (the extension's barrel in the jib, its rod in the telescope) as much again."""


@dataclass(frozen=True)
class Posture:
    """Where the four driven joints are; the load hangs straight down."""

    slew: float = 0.0
    boom: float = 40 * deg
    jib: float = -70 * deg
    telescope: float = 2.2


def arm(payload: float, at: Posture) -> Mechanism:
    """Seven freedoms in 21 coordinates: four cylinders and the four-bar at the knuckle close five loops."""
    q = coordinates(at)
    bodies = {name: beam(*size) for name, size in BEAMS.items()} | {"load": load(payload)}
    bodies |= {f"{name}_barrel": beam(m, length, 0.1) for name, (m, length) in BARRELS.items()}
    bodies |= {f"{name}_rod": beam(m, -length, 0.06) for name, (m, length) in RODS.items()}
    joints: dict[str, Joint] = {
        "slew": Revolute(child="pillar", axis=Z, q_0=q["slew.q"]),
        "boom": Revolute(parent="pillar", child="boom", position=point(FOOT), axis=UP, q_0=q["boom.q"]),
        "jib": Revolute(parent="boom", child="jib", position=(BOOM, 0.0, 0.0), axis=UP, q_0=q["jib.q"]),
        # greased pads: 0.6 kN at 0.1 m/s
        "telescope": Prismatic(
            parent="jib", child="telescope", position=(TUBE, 0.0, 0.0), axis=X, q_0=q["telescope.q"], damping=6e3
        ),
        # pins rub: a fifteenth of critical for the load below
        "swing": Universal(parent="telescope", child="hook", axis_1=UP, axis_2=X, q_1_0=q["swing.q_1"], damping=300.0),
        "rotator": Revolute(parent="hook", child="load", position=(0.0, 0.0, -HOOK), axis=Z, damping=60.0),
        "lever": Revolute(parent="boom", child="lever", position=point(LEVER_PIN), axis=UP, q_0=q["lever.q"]),
        "link": Revolute(parent="jib", child="link", position=point(LINK_PIN), axis=UP, q_0=q["link.q"]),
    }  # fmt: skip
    for name, parent, eye in (("lift", "pillar", LIFT_EYE), ("knuckle", "boom", KNUCKLE_EYE)):
        joints |= ram(name, parent, point(eye), (UP, Z), (q[f"{name}_eye.q_1"], 0.0), q[f"{name}_rod.q"])
    for name, eye in (("left", SLEW_EYE), ("right", mirrored(SLEW_EYE))):
        joints |= ram(name, "world", eye, (Z, UP), (q[f"{name}_eye.q_1"], q[f"{name}_eye.q_2"]), q[f"{name}_rod.q"])
    tip = (LEVER, 0.0, 0.0)
    loops: dict[str, Joint] = {
        "lift_pin": Spherical(parent="boom", child="lift_rod", position=point(LIFT_PIN)),
        "knuckle_pin": Spherical(parent="lever", child="knuckle_rod", position=tip),
        "link_pin": Revolute(parent="lever", child="link", position=tip, child_position=(LINK, 0.0, 0.0), axis=UP),
        "left_pin": Spherical(parent="pillar", child="left_rod", position=SLEW_LUG),
        "right_pin": Spherical(parent="pillar", child="right_rod", position=mirrored(SLEW_LUG)),
    }
    frames = {"tip": Frame(body="telescope"), "load_centre": Frame(body="load", position=(0.0, 0.0, -0.9))}
    return Mechanism(bodies=Named(bodies), joints=Named(joints), loops=Named(loops), frames=Named(frames))


def ram(
    name: str, parent: str, eye: Vector, axes: tuple[Vector, Vector], angles: tuple[float, float], length: float
) -> dict[str, Joint]:
    """A cylinder's own joints: its barrel on a cardan eye, its rod sliding from pin to pin."""
    return {
        f"{name}_eye": Universal(
            parent=parent, child=f"{name}_barrel", position=eye, axis_1=axes[0], axis_2=axes[1],
            q_1_0=angles[0], q_2_0=angles[1],
        ),
        f"{name}_rod": Prismatic(parent=f"{name}_barrel", child=f"{name}_rod", axis=X, q_0=length),
    }  # fmt: skip


def beam(m: float, length: float, height: float, axis: int = 0) -> Body:
    """A square beam along x (axis 0) or z (axis 2), to either side of its frame.

    Equations   m (L² + h²)/12 across,   m h²/6 along
    """
    across, along = m * (length**2 + height**2) / 12, m * height**2 / 6
    J = [along if i == axis else across for i in range(3)]
    com: Any = tuple(length / 2 if i == axis else 0.0 for i in range(3))
    return Body(mass=m, com=com, inertia=((J[0], 0.0, 0.0), (0.0, J[1], 0.0), (0.0, 0.0, J[2])))


def load(payload: float) -> Body:
    """Grab of 60 kg and what it holds: a bundle of 1.2 × 0.6 × 0.6 m, 0.9 m below the rotator."""
    m = 60.0 + payload
    x, y, z = 1.2**2, 0.6**2, 0.6**2
    J = m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12
    return Body(mass=m, com=(0.0, 0.0, -0.9), inertia=((J[0], 0.0, 0.0), (0.0, J[1], 0.0), (0.0, 0.0, J[2])))


def point(z: complex) -> Vector:
    """A point of the boom's plane in space."""
    return z.real, 0.0, z.imag


def mirrored(r: Vector) -> Vector:
    """The same on the other side."""
    return r[0], -r[1], r[2]


# ------------------------------------------------------------------ where it is


def coordinates(at: Posture) -> dict[str, float]:
    """Every coordinate that is not zero there, the loops closed."""
    lift = FOOT + LIFT_PIN * cmath.exp(1j * at.boom) - LIFT_EYE
    lug = BOOM + LINK_PIN * cmath.exp(1j * at.jib)
    pin = meeting(LEVER_PIN, LEVER, lug, LINK)
    ram, lever, link = pin - KNUCKLE_EYE, pin - LEVER_PIN, (pin - lug) * cmath.exp(-1j * at.jib)
    found = {
        "slew.q": at.slew, "boom.q": at.boom, "jib.q": at.jib, "telescope.q": at.telescope,
        "swing.q_1": -at.boom - at.jib, "lever.q": cmath.phase(lever), "link.q": cmath.phase(link),
        "lift_eye.q_1": cmath.phase(lift), "lift_rod.q": abs(lift),
        "knuckle_eye.q_1": cmath.phase(ram), "knuckle_rod.q": abs(ram),
    }  # fmt: skip
    for name, side in (("left", 1.0), ("right", -1.0)):
        plan = complex(SLEW_LUG[0], side * SLEW_LUG[1]) * cmath.exp(1j * at.slew)
        plan -= complex(SLEW_EYE[0], side * SLEW_EYE[1])
        rise = SLEW_LUG[2] - SLEW_EYE[2]
        found |= {f"{name}_eye.q_1": cmath.phase(plan), f"{name}_eye.q_2": math.atan2(rise, abs(plan))}
        found[f"{name}_rod.q"] = math.hypot(abs(plan), rise)
    return found


def meeting(a: complex, r_a: float, b: complex, r_b: float) -> complex:
    """Where circles about a and b meet, right of the way from a to b."""
    d = abs(b - a)
    along = (r_a**2 - r_b**2 + d * d) / (2 * d)
    return a + (b - a) / d * complex(along, -math.sqrt(r_a**2 - along**2))


def holding(payload: float, at: Posture) -> dict[str, float]:
    """Push of each cylinder that carries the arm at rest, slewing in the middle [N].

    Equations   F ds/dθ = Σ effort_i dq_i/dθ: virtual work of the boom, of the jib and of the telescope
    """
    made = arm(payload, at)
    known = list(made.declaration().coordinates)
    start = coordinates(at)
    efforts = dict(zip(known, gravity(made, [start.get(name, 0.0) for name in known]), strict=True))
    found = {}
    for joint, ram in (("boom", "lift"), ("jib", "knuckle")):
        rates = moving(at, joint)
        found[ram] = sum(efforts[name] * rate for name, rate in rates.items()) / rates[f"{ram}_rod.q"]
    return found | {"extend": efforts["telescope.q"]}


def moving(at: Posture, joint: str, h: float = 1e-3) -> dict[str, float]:
    """Change of every coordinate per radian of one joint: differences of order four, exact to 1e-11."""
    there = {k: coordinates(replace(at, **{joint: getattr(at, joint) + k * h})) for k in (-2, -1, 1, 2)}
    weights = {-2: 1.0, -1: -8.0, 1: 8.0, 2: -1.0}
    return {name: sum(w * there[k][name] for k, w in weights.items()) / (12 * h) for name in there[1]}
