"""HydM's inverse kinematics: the published check, forward and back again, on a million joint sets.

Rong, Song, Chai & Ma, Open Mech. Eng. J. 8 (2014) 457-460, verify theirs with random joint sets in
a block diagram and say that both agree "within a certain precision". Here that precision is a
number, and what such a check does not show (the borders, the axis, the other branches) is looked at.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.catalogue import hydm
from oleodyn.catalogue.arm_geometry import HYDM, PIPE_CUTTER
from oleodyn.catalogue.shelf import load
from oleodyn.kinematics.branches import FOUND
from oleodyn.kinematics.euler import rotation_from_zyz, zyz_from_rotation
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.workspace import workspace
from oleodyn.machine.machine import Machine
from oleodyn.result.content import Check, Picture, Plots, Section, Table
from oleodyn.result.display import number
from oleodyn.simulation.run import simulate
from oleodyn.studies.hydm_figures import branch_counts, postures, precision, singular_sheet
from oleodyn.studies.study import Study

SIZE = 1_000_000
CHUNK = 50_000
LOW, HIGH = (np.array(ends) for ends in zip(*HYDM.limits, strict=True))
COUNTS = {2: 18.7, 4: 31.0, 6: 11.3, 8: 38.9}
"""Share of poses with so many real branches [%], from a computation of 100 000 sets on its own."""
EXAMPLE = (30, 45, -90, 20, -60, 120)
SOLUTIONS = (
    (30, -8.366870, 31.752987, 131.613883, 60, -60), (30, 21.213614, -31.752987, 165.539372, 60, -60),
    (30, -37.371850, 90, -77.628150, -60, 120), (30, 45, -90, 20, -60, 120),
    (-150, 157.081666, 54.597135, 173.321200, 120, 120), (-150, -152.262411, -54.597135, -128.140455, 120, 120),
    (-150, 131.822762, 74.276049, -1.098811, -120, -60), (-150, -159.681916, -74.276049, 78.957964, -120, -60),
)  # fmt: skip
"""All solutions of the worked example [deg], computed apart from this program."""
POSE = np.array((
    (-0.729691439057, -0.531866344753, 0.429730840277, 1.209130518803),
    (0.078712451235, 0.558952226468, 0.825455485503, 0.871296911273),
    (-0.679231001786, 0.636152968904, -0.365998150771, 0.506275428071),
))  # fmt: skip
"""Its pose (n, o, a, p by columns), computed apart from this program to 1e-12."""
MIDDLE = (0, 60, -65, 10, -90, 0)
MIDDLE_POSE = np.array((
    (0.0, 0.0871557, 0.9961947, 1.53516521), (-1.0, 0.0, 0.0, 0.0), (0.0, -0.9961947, 0.0871557, 1.29057475),
))  # fmt: skip
"""The middle of the range [deg] and its pose: n, o, a to seven digits, p to eight."""
TEXT = (
    "Joint sets are drawn evenly within the printed limits, taken through the forward kinematics and back. "
    "The paper prints no lengths and no result in numbers: lengths are ours, and where a bound or a share "
    'stands under "published" it was computed apart from this program or asked of it.'
)


def study(progress: Callable[[float], None], size: int = SIZE) -> Study:
    """The check on `size` joint sets, what it leaves out, and the arm moved by its drives."""
    seen = sweep(size, lambda share: progress(0.7 * share))
    checks = [*of_the_sweep(seen), *of_the_jacobian(min(size // 10, 100_000)), *of_the_borders(min(size, 100_000))]
    progress(0.8)
    asked, answers, unspoken = questions()
    finite = near("answers to poses that cannot be had: numbers that are none", 0, unspoken, "-", 0)
    checks += [*of_the_example(), *of_the_mechanism(), finite]
    progress(0.9)
    machine = load("hydm")
    result = simulate(machine)
    replies = Table(("asked", "answer"), list(zip(asked, answers, strict=True)))
    counts, drawings = Picture(branch_counts(seen.real)), Picture(postures(EXAMPLE))
    shown = [[name.format(i) for i in hydm.JOINTS] for name in ("arm.joint_{}.q", "pid_{}.e", "drive_{}.A.p")]
    titles = ("Joints", "What the controllers see wrong", "Pressures at A")
    sections = (
        Section("What was done", (TEXT,)),
        Section("How exactly joints come back", (Picture(precision(seen.error, seen.rho)),)),
        Section("All branches", (_about_branches(seen), drawings, counts)),
        Section("What is answered when there is no answer", (replies,)),
        _workspaces(min(size, 400_000)),
        Section("The arm on its drives", (_about_the_run(result), Plots(result, shown, titles))),
    )
    progress(1.0)
    currents = [[f"pid_{i}.u" for i in hydm.JOINTS]]
    return Study(
        "hydm-inverse", "HydM: inverse kinematics in closed form", TEXT, checks, result, machine, sections, currents
    )


# ------------------------------------------------------------------ the sweep


@dataclass(frozen=True, eq=False)
class Sweep:
    """What joint sets drawn within the limits gave.

    error       worst joint of IK(FK(q)) − q [rad], of the branch within the limits
    plain       the same of a solver that takes q₁ from a plain atan2
    rho         distance of the wrist from the slewing axis [m], negative behind it
    real        how many real branches; `inside` how many of them are within the limits
    reproduced  worst entry of FK − T on any real branch;  `euler` of R through z-y-z angles and back
    seconds     spent in the solver that picks the branch, on one core
    """

    error: np.ndarray
    plain: np.ndarray
    rho: np.ndarray
    real: np.ndarray
    inside: np.ndarray
    reproduced: float
    euler: float
    seconds: float


def below(name: str, bound: float, value: float, unit: str) -> Check:
    """A check that has only a bound."""
    return Check(name, f"< {number(bound)}", float(value), unit, bool(value < bound))


def near(name: str, published: float, computed: float, unit: str, tolerance: float) -> Check:
    """A check against a number."""
    return Check(name, published, float(computed), unit, bool(abs(computed - published) <= tolerance))


def drawn(size: int, seed: int) -> np.ndarray:
    """Joint sets (size, 6) drawn evenly within the limits, always the same ones."""
    return np.random.default_rng(seed).uniform(LOW, HIGH, (size, 6))


def sweep(size: int, progress: Callable[[float], None], seed: int = 2014) -> Sweep:
    """Forward and back, in chunks."""
    q = drawn(size, seed)
    HYDM.solve(HYDM.forward(q[:8]))  # machine code is made before time is taken
    error, plain, rho = np.empty(size), np.empty(size), np.empty(size)
    real, inside = np.empty(size, dtype=int), np.empty(size, dtype=int)
    reproduced, euler, seconds = 0.0, 0.0, 0.0
    for begin in range(0, size, CHUNK):
        part = slice(begin, begin + CHUNK)
        T = HYDM.forward(q[part])
        start = time.perf_counter()
        choice = HYDM.solve(T)
        seconds += time.perf_counter() - start
        branches = HYDM.inverse(T)
        error[part] = np.where(choice.status == FOUND, np.abs(choice.q - q[part]).max(axis=1), np.inf)
        plain[part] = np.abs(branches.q[:, HYDM.codes.index("0--")] - q[part]).max(axis=1)
        rho[part] = HYDM.sines(list(q[part].T))[2] * (HYDM.a2 + HYDM.a3)
        real[part], inside[part] = branches.real.sum(axis=1), branches.inside.sum(axis=1)
        wrong = np.abs(HYDM.forward(branches.q) - T[:, None]).max(axis=(2, 3))
        reproduced = max(reproduced, float(wrong[branches.real].max()))
        R = T[:, :3, :3]
        euler = max(euler, float(np.abs(rotation_from_zyz(zyz_from_rotation(R)[0]) - R).max()))
        progress(min(begin + CHUNK, size) / size)
    return Sweep(error, plain, rho, real, inside, reproduced, euler, seconds)


def of_the_sweep(seen: Sweep) -> list[Check]:
    """What the sweep says."""
    n = len(seen.error)
    behind, lost = 100 * (seen.rho < 0).mean(), 100 * (seen.plain > 1e-6).mean()
    one = 100 * (seen.inside == 1).mean()
    chance = 0.3 + 200 / np.sqrt(n)  # what drawing leaves to it, four deviations
    return [
        below(f"IK(FK(q)) − q, worst joint of {thousands(n)} sets", 1e-9, seen.error.max(), "rad"),
        below("the same, wrist 10 mm or more off the axis", 1e-12, seen.error[np.abs(seen.rho) > 0.01].max(), "rad"),
        near("sets with exactly one branch within the limits", 100.0, one, "%", 0.0),
        below("pose from any real branch, worst entry", 1e-12, seen.reproduced, "-"),
        near("sets with the wrist behind the axis (ρ < 0)", 7.0, behind, "%", 1.0),
        near("sets lost with q₁ from a plain atan2", 7.174, lost, "%", chance),
        *(
            near(f"poses with {k} real branches", p, 100 * (seen.real == k).mean(), "%", chance)
            for k, p in COUNTS.items()
        ),
        below("z-y-z angles and back, worst entry of R", 1e-14, seen.euler, "-"),
        Check("branch solver on one core, a million poses", "< 1 s", 1e6 * seen.seconds / n, "s"),
    ]


def thousands(n: int) -> str:
    """A count that can be read.

    >>> thousands(1000000)
    '1 000 000'
    """
    return f"{n:,}".replace(",", " ")


# ------------------------------------------------------------------ checks on their own


def of_the_jacobian(size: int) -> list[Check]:
    """The determinant in closed form, and the Jacobian against central differences."""
    q = drawn(size, seed=5)
    J, rho = HYDM.jacobian(q), HYDM.sines(list(q.T))[2] * (HYDM.a2 + HYDM.a3)
    exact = -HYDM.a2 * HYDM.a3 * np.sin(q[:, 2]) * np.sin(q[:, 4]) * rho
    kept = np.abs(exact) > 1e-6
    apart = float(np.abs(np.linalg.det(J[kept]) / exact[kept] - 1).max())
    few, h = q[:1000], 1e-6
    ahead, behind = (HYDM.forward(few[:, None] + sign * h * np.eye(6)) for sign in (1, -1))
    rate = (ahead - behind) / (2 * h)
    spin = rate[..., :3, :3] @ np.swapaxes(HYDM.forward(few)[:, None, :3, :3], -1, -2)
    numeric = np.concatenate([rate[..., :3, 3], spin[..., [2, 0, 1], [1, 2, 0]]], axis=-1)
    differ = float(np.abs(np.swapaxes(numeric, 1, 2) - J[:1000]).max())
    return [
        below("det J = −a₂ a₃ sin q₃ sin q₅ ρ, largest relative difference", 1e-9, apart, "-"),
        below("Jacobian against central differences", 1e-8, differ, "-"),
    ]


def of_the_borders(size: int) -> list[Check]:
    """q₂ and q₆ next to zero, where an arc cosine loses digits and its sign."""
    checks: list[Check] = []
    tiny = 10 ** np.random.default_rng(7).uniform(-12, -3, size)
    for joint, lost in ((1, 3.0e-8), (5, 5.1e-8)):
        q = drawn(size, seed=8)
        q[:, joint] = tiny
        q = q[np.abs(HYDM.sines(list(q.T))[2]) > 1e-4]
        T = HYDM.forward(q)
        error = float(np.abs(HYDM.solve(T).q - q).max())
        by_cosine = float(np.abs(np.arccos(np.clip(_cosine(joint, q, T), -1, 1)) - q[:, joint]).max())
        name = f"q{joint + 1} from 1e-12 to 1e-3 rad"
        checks.append(below(f"{name}, worst joint", 1e-9, error, "rad"))
        checks.append(Check(f"{name}, by the printed arc cosine", lost, by_cosine, "rad"))
    return checks


def _cosine(joint: int, q: np.ndarray, T: np.ndarray) -> np.ndarray:
    """The argument of the printed arc cosines, equations (25) and (35), from poses on the right branch."""
    if joint == 5:  # between the x axes of links 5 and 6
        x5 = HYDM.forward(np.where(np.arange(6) == 5, 0.0, q))[:, :3, 0]
        return np.sum(T[:, :3, 0] * x5, axis=1)
    phi, w = q[:, 1:4].sum(axis=1), T[:, :3, 3] - HYDM.d6 * T[:, :3, 2]
    c1, s1, C, S = np.cos(q[:, 0]), np.sin(q[:, 0]), np.cos(phi), np.sin(phi)
    m = w[:, 0] * c1 + w[:, 1] * s1 - HYDM.a4 * C + HYDM.d5 * S
    h = w[:, 2] - HYDM.d1 - HYDM.a4 * S - HYDM.d5 * C
    along, across = HYDM.a2 + HYDM.a3 * np.cos(q[:, 2]), HYDM.a3 * np.sin(q[:, 2])
    return (m * along + h * across) / (m * m + h * h)


def of_the_example() -> list[Check]:
    """The worked example and the middle of the range."""
    T = HYDM.forward(np.radians(EXAMPLE))
    branches = HYDM.inverse(T)
    apart = float(np.abs(np.degrees(branches.q) - np.array(SOLUTIONS)).max())
    inside = [code for code, yes in zip(HYDM.codes, branches.inside, strict=True) if yes]
    angles = np.degrees(zyz_from_rotation(T[:3, :3])[0])
    middle = HYDM.forward(np.radians(MIDDLE))
    turned, shifted = np.abs(middle[:3] - MIDDLE_POSE)[:, :3].max(), np.abs(middle[:3] - MIDDLE_POSE)[:, 3].max()
    rows = [
        *(("worked example, " + axis, x, y, "m", 1e-11) for axis, x, y in
          zip("xyz", POSE[:, 3], T[:3, 3], strict=True)),
        *(("worked example, z-y-z angle " + name, x, y, "°", 1e-6) for name, x, y in
          zip(("α", "β", "γ"), (62.498585, 111.469024, 43.124268), angles, strict=True)),
        ("mid-range, x", MIDDLE_POSE[0, 3], middle[0, 3], "m", 1e-8),
        ("mid-range, z", MIDDLE_POSE[2, 3], middle[2, 3], "m", 1e-8),
    ]  # fmt: skip
    return [
        *(near(name, float(x), y, unit, limit) for name, x, y, unit, limit in rows),
        below("worked example, all 12 numbers of the pose, worst entry", 1e-12, np.abs(T[:3] - POSE).max(), "-, m"),
        below("mid-range, the nine cosines of n, o and a, worst entry", 6e-8, turned, "-"),
        below("mid-range, the point p, worst entry", 6e-9, shifted, "m"),
        below("worked example, the eight solutions, largest difference", 1e-6, apart, "°"),
        Check("worked example, the branch within the limits", "0--", ", ".join(inside), "-", inside == ["0--"]),
    ]


def of_the_mechanism(size: int = 200) -> list[Check]:
    """Closed form, link matrices, bodies and joints; closed-form inverse and damped Newton."""
    q = drawn(size, seed=9)
    T, product = HYDM.forward(q), np.broadcast_to(np.eye(4), (size, 4, 4))
    for (alpha, a, d), angle in zip(hydm.TABLE, q.T, strict=True):
        c, s, ca, sa, zero, one = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha), 0 * angle, 1 + 0 * angle
        rows = ((c, -s, zero, a * one), (s * ca, c * ca, -sa * one, -sa * d * one),
                (s * sa, c * sa, ca * one, ca * d * one), (zero, zero, zero, one))  # fmt: skip
        product = product @ np.moveaxis(np.array(rows), -1, 0)
    links = float(np.abs(product - T).max())
    joints = float(np.abs(bare().forward(q) - T).max())
    found = bare().inverse(T)
    by_newton = float(np.abs(found.q - q).max())
    return [
        below("closed form against the product of six link matrices", 1e-14, links, "-"),
        below("closed form against the bodies and joints of the machine", 1e-12, joints, "-"),
        below(f"general inverse (damped Newton) on {size} sets", 1e-6, by_newton, "rad"),
    ]


def bare() -> Kinematics:
    """The general kinematics of the arm without its drives."""
    made = Machine("hydm-arm")
    made.add("arm", hydm.arm())
    return Kinematics(made, limits={"joint_6.q": HYDM.limits[5]})


def questions() -> tuple[list[str], list[str], int]:
    """Poses that can, hardly can and cannot be had; what is answered; how many numbers are not finite."""
    shoulder = on_the_axis()
    asked: dict[str, Any] = {
        "the worked example": HYDM.forward(np.radians(EXAMPLE)),
        "1 m further out": moved(EXAMPLE, (1.0, 0.0, 0.0)),
        "the wrist close to the shoulder": moved((0, 60, -125, 10, -90, 0), (-0.35, 0.0, -0.35)),
        "the wrist bent up by 80 deg": HYDM.forward(np.radians((10, 30, -60, 80, -90, 0))),
        "the forearm almost in line with the upper arm": HYDM.forward(np.radians((10, 30, -5.1, 20, -90, 0))),
        "the wrist on the slewing axis": HYDM.forward(shoulder),
        "axis 6 parallel to axes 2 to 4": HYDM.forward(np.radians((10, 30, -60, 20, 0, 0))),
        "a matrix that is sheared": np.eye(4) + 0.01 * np.eye(4, k=1),
        "a mirror image": np.diag([1.0, 1.0, -1.0, 1.0]),
        "a number that is none": np.full((4, 4), np.nan),
    }
    found = [HYDM.inverse(T) for T in asked.values()]
    chosen = [HYDM.solve(T) for T in asked.values()]
    unspoken = sum(
        int((~np.isfinite(b.q)).sum() + (~np.isfinite(c.q)).sum()) for b, c in zip(found, chosen, strict=True)
    )
    return list(asked), [branches.explain() for branches in found], unspoken


def moved(degrees: tuple[float, ...], by: tuple[float, float, float]) -> np.ndarray:
    """The pose of joints [deg], displaced."""
    T = HYDM.forward(np.radians(degrees))
    T[:3, 3] += by
    return T


def on_the_axis() -> np.ndarray:
    """Joints within the limits that put the wrist on the slewing axis: Newton on q₂."""
    q, h = np.radians([20, 105, -45, 10, -90, 30]), 1e-7
    for _ in range(40):
        here, there = (HYDM.sines(q + step * np.eye(6)[1])[2] for step in (0.0, h))
        q[1] -= here * h / (there - here)
    return q


# ------------------------------------------------------------------ sections


def _about_branches(seen: Sweep) -> str:
    return (
        "A pose has up to eight postures: the base turned half round, the wrist flipped, the elbow up or down. Their "
        "number is always even, and never zero for a pose that can be had. Within the printed limits exactly one "
        f"remained on each of {thousands(len(seen.error))} sets. The picture shows the postures of the worked example, "
        "in the plane of the arm; solid is the one within the limits."
    )


def _workspaces(size: int) -> Section:
    parts: list[Any] = [
        "Where the tool point gets to with joints drawn evenly within the limits; the colour is the largest distance "
        "to a singularity met in each cell (the sine of the angle left, or a length by the arm's): dark cells can only "
        "be had next to one."
    ]
    rows: list[tuple[Any, ...]] = []
    for name, arm in (("HydM", HYDM), ("pipe cutter", PIPE_CUTTER)):
        seen = workspace(arm, size=size)
        parts.append(Picture(seen.figure(name), f"{name}: tool point, side and top view"))
        shares = seen.singular_share(0.1)
        rows += [(name, f"{seen.reach:.3f} m", "{:.3f} m to {:.3f} m".format(*seen.height), *row) for row in
                 ((kind, 100 * share) for kind, share in shares.items())]  # fmt: skip
    head = ("arm", "reach from the base", "height", "singularity", "sets nearer than 0.1 to it [%]")
    parts.append(Table(head, rows))
    parts.append(Picture(singular_sheet(HYDM), "HydM with q4 = 10 deg, q5 = −90 deg: |det J| over q2 and q3, zero on "
                                               "the shoulder singularity, which lies within the limits"))  # fmt: skip
    return Section("Workspace", parts)


def _about_the_run(result: Any) -> str:
    q = np.stack([result.values(f"arm.joint_{i}.q") for i in hydm.JOINTS], axis=1)
    T = HYDM.forward(q)[:, :3, 3] - hydm.CIRCLE.poses(result.time)[:, :3, 3]
    rms = 1e3 * np.sqrt((T**2).mean(axis=0))
    return (
        "The same inverse gives the references of six joint controllers that lead the tool round a circle of 250 mm, "
        "by valves, helical actuators, cylinders and a motor. Masses and drives are chosen, so this is an example, "
        "not a reproduction. The tool stays on the circle within {:.2f}, {:.2f} and {:.2f} mm (x, y, z, RMS).".format(
            *rms
        )
    )
