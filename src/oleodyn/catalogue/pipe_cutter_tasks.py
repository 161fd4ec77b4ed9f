"""The tasks of the pipe cutter: gains, the circle, the cut, and the loaded starts of both.

Printed: gains, radius, speed, duration, feed, stroke and the start of the cut (Kim, Lee & Kim,
IEEE Access 9 (2021), tables 4 and 6, section IV). Chosen: plane, centre, start and ramp of the
circle and the pitch of the tool, so that the published errors come out.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from oleodyn.catalogue import at_rest
from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_drives import AXES, EPS, I_MAX, PAYLOAD, PRESSURE, arm, motor, turns, valve
from oleodyn.kinematics.follow import references
from oleodyn.kinematics.path import CirclePath, Path, StraightPath
from oleodyn.kinematics.progress import CruiseProgress, SteadyProgress
from oleodyn.maths import pi, signed_root
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import Constant
from oleodyn.units import deg, mA, mm

CONTROLLERS = tuple(f"pid_{i}" for i in range(1, 7))

TABLE_4 = ((1.28, 2.56, 0.04), (3.20, 6.40, 0.10), (1.60, 3.20, 0.05), (1.28, 2.56, 0.04), (3.20, 6.40, 0.10),
           (3.20, 6.40, 0.10))  # fmt: skip
"""K_p [mA/deg or mA/mm], K_i and K_d of each joint for the circle; table 6, for the cut, is half of it."""


def gains(share: float = 1.0) -> tuple[dict[str, Any], ...]:
    """The gains of table 4 times `share`, in SI, as parameters of the six controllers."""
    return tuple(
        {
            name: share * value * mA / (mm if i == 1 else deg)
            for name, value in zip(("K_p", "K_i", "K_d"), row, strict=True)
        }
        for i, row in enumerate(TABLE_4)
    )


CIRCLE = CirclePath(
    centre=(0.0, 2.570, -1.400), radius=0.300, begin=(1.0, 0.0, 0.0), towards=(0.0, 0.0, 1.0),
    tool=(pi / 2, pi / 2 + 62 * deg, -pi / 2), until=60.0,
    angle=CruiseProgress(start=5.0, ramp=2.0, speed=7.5 * deg, distance=360 * deg),
)  # fmt: skip
"""300 mm about a centre straight ahead, in the plane x-z, the tool pitched down by 62 deg."""

CUT = StraightPath(
    begin=(0.0, 2.570, -1.445), along=(0.0, 1.0, 0.0), tool=(pi / 2, pi / 2 + 65 * deg, -pi / 2), until=400.0,
    distance=SteadyProgress(speed=0.2 * mm, distance=80 * mm),
)  # fmt: skip
"""80 mm straight ahead at 12 mm/min, the tool pitched down by 65 deg."""


def scenarios(payload: float = 0.0) -> dict[str, Scenario]:
    """What can be asked for; all but cut-cold begin loaded: pressures hold gravity, valves feed the leaks."""
    circle, cut = gains(), gains(0.5)
    return {
        "circle": task("a circle of 300 mm at 7.5 deg/s", CIRCLE, circle, payload=payload),
        "circle-loaded": task(
            f"the circle with {PAYLOAD:g} kg at the tool", CIRCLE, circle, payload=PAYLOAD,
            changes={"arm.bodies.payload.mass": PAYLOAD},
        ),
        "cut": task("80 mm straight through a pipe at 12 mm/min", CUT, cut, payload=payload),
        "cut-cold": task("the cut begun cold: the arm sags until its controllers hold it", CUT, cut, loaded=False),
        "hold": hold("held still where the circle begins", CIRCLE, circle, payload),
    }  # fmt: skip


def task(
    text: str,
    path: Path,
    of: Sequence[Mapping[str, float]],
    loaded: bool = True,
    *,
    payload: float = 0.0,
    changes: Mapping[str, float] | None = None,
) -> Scenario:
    """References along a path, gains, and the start; not `loaded`, the run begins cold and sags."""
    q = begins(path)
    return Scenario(
        text=text,
        until=path.until,
        signals=references(PIPE_CUTTER, path, CONTROLLERS),
        start=loaded_start(q, payload=payload) if loaded else placed(q),
        changes={**tuned(of), **(changes or {})},
    )


def hold(text: str, path: Path, of: Sequence[Mapping[str, float]], payload: float = 0.0) -> Scenario:
    """The arm at rest where a path begins, for 10 s."""
    q = begins(path)
    return Scenario(
        text=text,
        until=10.0,
        signals={f"{pid}.q_ref": Constant(value=value) for pid, value in zip(CONTROLLERS, q, strict=True)},
        start=loaded_start(q, payload=payload),
        changes=tuned(of),
    )


def tuned(of: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The gains of six controllers by path."""
    return {f"{pid}.{name}": value for pid, row in zip(CONTROLLERS, of, strict=True) for name, value in row.items()}


@cache
def begins(path: Path) -> tuple[float, ...]:
    """The joints where a path begins; the rest of it is solved when a run asks for it."""
    return tuple(PIPE_CUTTER.inverse(path.poses((0.0,))).select().q[0].tolist())


def placed(q: Sequence[float]) -> dict[str, float]:
    """The joints at a posture, nothing else."""
    return {f"arm.joint_{i}.q": float(value) for i, value in enumerate(q, start=1)}


def gravity(q: Sequence[float], payload: float = 0.0) -> list[float]:
    """Torque (force of joint 2) that each drive must give to hold the arm at rest."""
    return at_rest.gravity(arm(payload), q)


def loaded_pressures(q: Sequence[float], stiff: bool = False, *, payload: float = 0.0) -> dict[str, float]:
    """The joints at a posture, and the pressures that hold gravity there: p_A,B = p_S/2 ± τ_g / (2 η D_n)."""
    start = placed(q)
    for i, (axis, torque) in enumerate(zip(AXES, gravity(q, payload), strict=True), start=1):
        drive = motor(i, axis, stiff)
        dp = torque / ((drive.eta or 1.0) * turns(drive) * drive.D)
        start |= {f"motor_{i}.A.p": PRESSURE / 2 + dp / 2, f"motor_{i}.B.p": PRESSURE / 2 - dp / 2}
    return start


def holding_currents(q: Sequence[float], *, payload: float = 0.0) -> list[float]:
    """Valve currents [A] that feed the leaks while the arm stands still: C_d x root(p_low) = C_leak root(p_A − p_B)."""
    return _currents(loaded_pressures(q, payload=payload))


def _currents(pressures: Mapping[str, float]) -> list[float]:
    currents = []
    for i, axis in enumerate(AXES, start=1):
        p_A, p_B, servo = pressures[f"motor_{i}.A.p"], pressures[f"motor_{i}.B.p"], valve(axis)
        x = axis.leak * signed_root(p_A - p_B, EPS) / (servo.C_d * signed_root(min(p_A, p_B), EPS))
        currents.append(x / servo.K_sv)
    return currents


def loaded_start(q: Sequence[float], controlled: bool = True, *, payload: float = 0.0) -> dict[str, float]:
    """A start in equilibrium: pressures hold gravity, spools and controllers feed the leaks."""
    start = loaded_pressures(q, payload=payload)
    for i, current in enumerate(_currents(start), start=1):
        start[f"valve_{i}.spool.x"] = current / I_MAX
        if controlled:
            start |= {f"pid_{i}.integral": current, f"pid_{i}.u": current}
    return start
