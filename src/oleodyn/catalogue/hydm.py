"""hydm: a hydraulic manipulator of about 2 m with six revolute joints, three of them parallel.

Printed (Rong, Song, Chai & Ma, Open Mech. Eng. J. 8 (2014) 457-460): the arrangement of the axes,
the joint limits, and which kind of actuator moves which joint: helical rotary actuators 1, 4 and 5,
cylinders 2 and 3, a small motor with a worm gear 6. They print kinematics only. Lengths, masses,
pins, actuators, valves, gains and tasks are chosen here, as is usual for an arm of this size; what
this machine does under load is therefore an example, not a reproduction.
"""

from collections.abc import Sequence
from math import cos, sin, sqrt
from typing import Any

from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.catalogue.at_rest import gravity
from oleodyn.control.pid import PID
from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.cylinder import Cylinder, areas
from oleodyn.hydraulics.leakage import LaminarLeak
from oleodyn.hydraulics.motor import GearMotor
from oleodyn.hydraulics.rotary_actuator import RotaryActuator
from oleodyn.hydraulics.servo_valve import ServoValve43, servo_constant
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.kinematics.euler import zyz_from_rotation
from oleodyn.kinematics.follow import followed, references
from oleodyn.kinematics.path import CirclePath, Path, WaypointPath
from oleodyn.kinematics.progress import CruiseProgress
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.maths import pi
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.joint import Fixed, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import modified_dh
from oleodyn.mechanics.stop import RotationStop
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import bar, cm3, cm3_per_rev, deg, l_per_min, mA, mm

JOINTS = range(1, 7)
MIDDLE = tuple((low + high) / 2 for low, high in HYDM.limits)
TABLE = (
    (0.0, 0.0, HYDM.d1), (90 * deg, 0.0, 0.0), (0.0, HYDM.a2, 0.0),
    (0.0, HYDM.a3, 0.0), (-90 * deg, HYDM.a4, HYDM.d5), (-90 * deg, 0.0, HYDM.d6),
)  # fmt: skip
"""alpha, a, d of each joint; theta is its angle."""
LINKS = (  # mass [kg], centre of mass [m], central Ixx, Iyy, Izz [kg·m²], all in the link's frame
    (60.0, (0.0, 0.0, -0.20), (1.6, 1.6, 0.8)),
    (38.0, (0.36, 0.0, 0.0), (0.15, 2.2, 2.2)),
    (28.0, (0.30, 0.0, 0.0), (0.10, 1.3, 1.3)),
    (12.0, (0.08, 0.0, 0.02), (0.04, 0.07, 0.06)),
    (9.0, (0.0, 0.0, -0.03), (0.03, 0.03, 0.02)),
    (10.0, (0.0, 0.0, -0.17), (0.08, 0.08, 0.02)),
)
"""157 kg in all, as an aluminium arm of 2 m with its actuators weighs."""

PRESSURE, BACK = 160 * bar, 1 * bar
"""Supply and tank."""
OIL = Oil(K=1.2e9)
"""Bulk modulus with hoses."""
X_MAX, I_MAX = 0.5 * mm, 10 * mA
RATED_FLOW = tuple(q * l_per_min for q in (8.0, 12.0, 8.0, 4.0, 3.0, 3.0))
"""Of each valve at 10 mA and 70 bar."""
LEAK = LaminarLeak(G=1e-12)
"""Past every piston and vane, 1 l/min at 167 bar: what damps a valve-driven load most."""
SWEEP = {1: 150 * cm3, 4: 60 * cm3, 5: 40 * cm3}
"""Displacement of the helical actuators per radian: 2.4, 0.96 and 0.64 kN·m at 160 bar."""
MOTOR, WORM, ETA = 12.5 * cm3_per_rev, 40.0, 0.5
PIN, ROD_PIN, LIFT = 120 * mm, 600 * mm, 30 * deg
"""Each cylinder spans a triangle at its joint: the pins lie 120 mm and 600 mm from it, and with the
joint at its lower limit 30 deg apart; over the 120 deg of the joint its lever is 51 mm to 120 mm."""
RETRACTED, STROKE = 480 * mm, 250 * mm
BORE, ROD = 63 * mm, 36 * mm

K_V = 4.0
"""Speed per error that the controllers ask for [1/s]."""


def machine(*, payload: float = 0.0) -> Machine:
    """The manipulator, with a mass of `payload` [kg] held at the tool point."""
    made = Machine(
        "hydm",
        text="hydraulic manipulator with six revolute joints: helical actuators, cylinders, a motor with worm gear",
        defaults=Defaults(stepper="hht", dt=1e-3, until=20.0, scenario="circle"),
        scenarios={
            "circle": task("the tool round a circle of 250 mm, pointing forward", CIRCLE, payload),
            "reach": task("the tool from pose to pose: low, worked example of the inverse, high", reach(), payload),
        },
    )
    made.add("arm", arm(payload))
    made.add("supply", ConstantPressure(p=PRESSURE))
    made.add("tank", Tank(p=BACK))
    for i in JOINTS:
        made.add(f"valve_{i}", valve(i))
        made.add(f"drive_{i}", drive(i))
        made.add(f"pid_{i}", controller(i))
        end = ("drive_{0}.rod", "arm.cylinder_{0}") if i in (2, 3) else ("drive_{0}.shaft", "arm.joint_{0}")
        made.connect(*(name.format(i) for name in end))
        made.connect(f"valve_{i}.A", f"drive_{i}.A")
        made.connect(f"valve_{i}.B", f"drive_{i}.B")
        made.connect(f"arm.joint_{i}.q", f"pid_{i}.q")
        made.connect(f"arm.joint_{i}.q_dot", f"pid_{i}.v")
        made.connect(f"pid_{i}.u", f"valve_{i}.i")
    made.connect("supply.port", *(f"valve_{i}.P" for i in JOINTS))
    made.connect("tank.port", *(f"valve_{i}.T" for i in JOINTS))
    return made


def arm(payload: float = 0.0) -> Mechanism:
    """Bodies, joints, the lines of both cylinders and the tool frame; z up, x forward."""
    bodies, joints = {}, {}
    for i, ((alpha, a, d), (mass, com, central)) in enumerate(zip(TABLE, LINKS, strict=True), start=1):
        inertia: Any = tuple(tuple(central[j] if j == k else 0.0 for k in range(3)) for j in range(3))
        bodies[f"link_{i}"] = Body(mass=mass, com=com, inertia=inertia)
        low, high = HYDM.limits[i - 1]
        stop = None if i - 1 in HYDM.continuous else RotationStop(stiffness=5e5, damping=5e3, low=low, high=high)
        seat: dict[str, Any] = modified_dh(alpha=alpha, a=a, d=d)
        parent = "world" if i == 1 else f"link_{i - 1}"
        joints[f"joint_{i}"] = Revolute(parent=parent, child=f"link_{i}", q_0=MIDDLE[i - 1], stop=stop, **seat)
    if payload:
        bodies["payload"] = Body(mass=payload)
        joints["payload_mount"] = Fixed(parent="link_6", child="payload")
    slope = HYDM.limits[2][1] + 30 * deg  # of the rod's pin on the forearm
    lines = {
        "cylinder_2": Line(
            from_body="link_1", from_point=(PIN * cos(LIFT), 0.0, -PIN * sin(LIFT)),
            to_body="link_2", to_point=(ROD_PIN, 0.0, 0.0),
        ),
        "cylinder_3": Line(
            from_body="link_2", from_point=(HYDM.a2 - ROD_PIN, 0.0, 0.0),
            to_body="link_3", to_point=(PIN * cos(slope), -PIN * sin(slope), 0.0),
        ),
    }  # fmt: skip
    return Mechanism(
        bodies=Named(bodies), joints=Named(joints), lines=Named(lines), frames=Named({"tool": Frame(body="link_6")})
    )


def valve(i: int) -> ServoValve43:
    """A servo valve; 10 mA open it by 0.5 mm."""
    return ServoValve43(C_d=servo_constant(RATED_FLOW[i - 1], 70 * bar, X_MAX), K_sv=X_MAX / I_MAX, i_max=I_MAX)


def drive(i: int) -> RotaryActuator | Cylinder | GearMotor:
    """What moves joint i."""
    shared: dict[str, Any] = dict(p_A_0=PRESSURE / 2, p_B_0=PRESSURE / 2, oil=OIL, leak=LEAK)
    if i in SWEEP:
        low, high = HYDM.limits[i - 1]
        return RotaryActuator(
            D=SWEEP[i], angle_min=low - 2 * deg, angle_max=high + 2 * deg, friction=Viscous(c=40.0), **shared
        )
    if i == 6:
        return GearMotor(
            D=MOTOR, ratio=WORM, eta=ETA, J=2e-5, V_A=100 * cm3, V_B=100 * cm3, friction=Viscous(c=20.0), **shared
        )
    return Cylinder(
        d_bore=BORE, d_rod=ROD, stroke=STROKE, length_0=RETRACTED, V_A_dead=100 * cm3, V_B_dead=100 * cm3,
        friction=Viscous(c=4e3), **shared,
    )  # fmt: skip


def controller(i: int) -> PID:
    """A PID whose speed is fed forward; its integral works off what that leaves in 1 s."""
    K_ff = I_MAX / full_speed(i)
    return PID(K_p=K_V * K_ff, K_i=K_V * K_ff, K_ff=K_ff, u_max=I_MAX, period=5e-3)


def full_speed(i: int) -> float:
    """Speed of joint i at mid-range, without load, at 10 mA [rad/s]: half of the supply falls at each edge."""
    flow = valve(i).C_d * X_MAX * sqrt(PRESSURE / 2)
    A, B = displacements(i, MIDDLE)
    return 2 * flow / (A + B)


# ------------------------------------------------------------------ tasks

CIRCLE = CirclePath(
    centre=(1.30, 0.0, 0.90), radius=250 * mm, begin=(0.0, 0.0, 1.0), towards=(0.0, 1.0, 0.0),
    tool=(0.0, pi / 2, pi), until=20.0, angle=CruiseProgress(start=1.0, ramp=2.0, speed=24 * deg, distance=2 * pi),
)  # fmt: skip


def reach() -> WaypointPath:
    """Straight from pose to pose; the third is the worked example of the inverse."""
    degrees = (
        (0, 60, -65, 10, -90, 0),
        (-40, 15, -100, 30, -70, 60),
        (30, 45, -90, 20, -60, 120),
        (10, 95, -80, 0, -90, 0),
    )
    T = HYDM.forward([[x * deg for x in row] for row in degrees])
    points: Any = T[:, :3, 3]
    tools: Any = zyz_from_rotation(T[:, :3, :3])[0]
    return WaypointPath(points=points, tools=tools, durations=(6.0, 6.0, 6.0), start=0.5, until=20.0)


def task(text: str, path: Path, payload: float = 0.0) -> Scenario:
    """The tool along a path, begun at rest with the oil carrying the arm."""
    q = followed(HYDM, path, 0.005, None).q_ref[0]
    names = [f"pid_{i}" for i in JOINTS]
    return Scenario(
        text=text,
        until=path.until,
        signals=references(HYDM, path, names, period=0.005),
        start=start(q, payload),
    )


def start(q: Sequence[float], payload: float = 0.0) -> dict[str, float]:
    """At rest at q: pressures carry the weight, the valves feed the leaks.

    Equations   p_A A_A − p_B A_B = τ_g / lever,   p_A + p_B = p_S + p_T,   C_d x √(p_low − p_T) = G (p_A − p_B)
    """
    placed = {f"arm.joint_{i}.q": float(value) for i, value in enumerate(q, start=1)}
    for i, torque in zip(JOINTS, gravity(arm(payload), q), strict=True):
        A, B = displacements(i, q)
        p_A = (torque / (ETA if i == 6 else 1) + (PRESSURE + BACK) * B) / (A + B)
        p_B = PRESSURE + BACK - p_A
        x = LEAK.G * (p_A - p_B) / (valve(i).C_d * sqrt(min(p_A, p_B) - BACK))
        current = x / X_MAX * I_MAX
        placed |= {
            f"drive_{i}.A.p": p_A, f"drive_{i}.B.p": p_B, f"valve_{i}.spool.x": x / X_MAX,
            f"pid_{i}.integral": current, f"pid_{i}.u": current,
        }  # fmt: skip
    return placed


def displacements(i: int, q: Sequence[float]) -> tuple[float, float]:
    """Torque on joint i per pressure at A, and per pressure at B against it [m³/rad]."""
    if i in SWEEP:
        return SWEEP[i], SWEEP[i]
    if i == 6:
        return WORM * MOTOR, WORM * MOTOR
    angle = q[i - 1] - HYDM.limits[i - 1][0] + LIFT
    length = sqrt(PIN**2 + ROD_PIN**2 - 2 * PIN * ROD_PIN * cos(angle))
    lever = PIN * ROD_PIN * sin(angle) / length
    A, B = areas(BORE, ROD)
    return A * lever, B * lever
