"""Gains for the joints of the pipe cutter: the plant of one joint as it moves, and what a PID makes of it."""

from collections.abc import Sequence
from functools import cache

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import AXES, EPS, I_MAX, PRESSURE, friction, motor, turns, valve
from oleodyn.catalogue.pipe_cutter_tasks import gravity, loaded_start
from oleodyn.control.gains import Selection, gains_of
from oleodyn.control.plant import Plant
from oleodyn.equations.assemble import assemble
from oleodyn.equations.equations import Equations
from oleodyn.equations.linearise import Linear, linearise
from oleodyn.errors import DeclarationError
from oleodyn.maths import signed_root
from oleodyn.units import deg, mm

POSTURE = (0.0, 0.2, -0.4, -0.7, 0.0, 0.0)
"""The middle of the circle [rad, m]."""
SPEEDS = (2 * deg, 5 * mm, 2 * deg, 2 * deg, 2 * deg, 2 * deg)
"""Slow, but fast enough that the bristles slip: where a controller of motion works."""
PERIOD = 0.01
"""Of the controllers [s]."""


def joint_gains(
    joint: int, bandwidth: float, damping: float, *, derivative: float = 1 / 32, q: Sequence[float] = POSTURE
) -> Selection:
    """Gains of joint 1 to 6 for a bandwidth [rad/s] and damping asked for, sampled every 10 ms, in SI.

    derivative   K_d / K_p [s]; 1/32 s is that of the printed tables
    q            the posture [rad, m]
    """
    return gains_of(
        _linear(joint, q), f"valve_{joint}.i", joint=f"arm.joint_{joint}.q",
        bandwidth=bandwidth, damping=damping, derivative=derivative, period=PERIOD,
    )  # fmt: skip


def joint_plant(joint: int, *, q: Sequence[float] = POSTURE, period: float | None = PERIOD) -> Plant:
    """From the valve's current [A] to the joint [rad or m], linear about a slow motion of this joint alone."""
    return Plant.of_joint(_linear(joint, q), f"valve_{joint}.i", f"arm.joint_{joint}.q", period=period)


def moving(joint: int, q: Sequence[float] = POSTURE) -> dict[str, float]:
    """One joint in steady slow motion at a posture, the others held.

    Equations   p_A,B = p_S/2 ± τ / (2 η D_n),   τ = τ_g + F(v),   C_d x root(p_S − p_A) = D_n v + leak
    """
    _known(joint)
    point = loaded_start(q, controlled=False)
    axis, v, drive, servo = (
        AXES[joint - 1],
        SPEEDS[joint - 1],
        motor(joint, AXES[joint - 1], stiff=False),
        valve(AXES[joint - 1]),
    )
    law = friction(axis)
    D = drive.D * turns(drive)
    dp = (gravity(q)[joint - 1] + law.g(v) + law.sigma_2 * v) / ((drive.eta or 1.0) * D)
    flow = D * v + axis.leak * signed_root(dp, EPS)
    x = flow / (servo.C_d * signed_root(PRESSURE / 2 - dp / 2, EPS))
    return point | {
        f"arm.joint_{joint}.q_dot": v, f"motor_{joint}.A.p": PRESSURE / 2 + dp / 2,
        f"motor_{joint}.B.p": PRESSURE / 2 - dp / 2, f"motor_{joint}.friction.z": law.g(v) / law.sigma_0,
        f"valve_{joint}.spool.x": x / (servo.K_sv * I_MAX), f"valve_{joint}.i": x / servo.K_sv,
    }  # fmt: skip


def _linear(joint: int, q: Sequence[float]) -> Linear:
    return linearise(_plant(), moving(joint, q))


def _known(joint: int) -> None:
    """A joint that there is."""
    if joint not in range(1, 7):
        raise DeclarationError(f"joint = {joint!r}: must be 1 to 6, a joint of the pipe cutter")


@cache
def _plant() -> Equations:
    return assemble(machine(controlled=False, saw=False))


def per_unit(joint: int) -> float:
    """A gain in mA/deg or mA/mm for one in SI."""
    _known(joint)
    return 1e3 * (mm if joint == 2 else deg)


def speed_per_current(plant: Plant) -> float:
    """How fast the joint moves for a steady current: the slope of the plant's slow end [rad/s or m/s per A]."""
    return abs(complex(plant.joint(1j * 0.05)[1]))
