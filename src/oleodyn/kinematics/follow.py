"""Following a path: joint references, after the whole path has been looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.kinematics.branches import Branches, in_words
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.path import Path, unit
from oleodyn.kinematics.pose import nearest_turn
from oleodyn.kinematics.six_axis import SixAxisArm
from oleodyn.kinematics.tracking import tracked
from oleodyn.machine.part import ingredient, parameter, structure
from oleodyn.maths import pi
from oleodyn.simulation.signal import Signal

MARGIN = pi / 180
"""Least distance of a six-axis arm to a singularity [rad]: 1 deg."""

RATIO = 1e-3
"""Least ratio of singular values of any other machine: the tool moves a thousandth as far that way as another."""

LEAP = 0.5
"""A joint that moves further than this [rad, m] between two instants has changed its branch."""


@dataclass(frozen=True, eq=False)
class JointPath:
    """Joints along a path at instants t (n,): q_ref (n, joints), their rates v_ref, poses T (n, 4, 4)."""

    t: np.ndarray
    q_ref: np.ndarray
    v_ref: np.ndarray
    T: np.ndarray


class Instants(NamedTuple):
    """Instants, the poses asked for at them, and what the joints are called and measured in."""

    t: np.ndarray
    T: np.ndarray
    names: Sequence[str]
    units: Sequence[str]


def follow(
    arm: SixAxisArm | Kinematics,
    path: Path,
    *,
    period: float = 0.01,
    near: Any = None,
    margin: float | None = None,
    v_max: Any = None,
    point: bool = False,
) -> JointPath:
    """Joint references at every `period` from 0 to the path's end, all of it checked.

    The first joints are those nearest to `near`; from there the branch is kept: in closed form for a
    six-axis arm, by Newton's method from instant to instant for any other machine. v_ref is the
    central difference of q_ref over two periods. DeclarationError says where the path first cannot
    be followed and why: out of reach, outside the limits, within `margin` of a singularity, a leap
    from branch to branch, or (with `v_max`, a speed for each joint) a joint that would be too fast.

    margin   an angle for a six-axis arm (default 1 deg), else the ratio of the smallest to the
             largest singular value of the Jacobian (default 1e-3)
    point    the tool's origin alone goes along the path, as a crane's does; not for a six-axis arm
    """
    n = round(path.until / period)
    t = period * np.arange(-1, n + 2)
    T = path.poses(np.clip(t, 0.0, path.until))
    if isinstance(arm, Kinematics):
        at, q = _by_newton(arm, t, T, near, margin, point)
    else:
        at, q = _in_closed_form(arm, t, T, near, margin, point)
    v = (q[2:] - q[:-2]) / (2 * period)
    _refuse_leaps(q, at)
    if v_max is not None:
        _refuse_haste(v, np.broadcast_to(np.asarray(v_max, dtype=float), q.shape[1:]), at)
    return JointPath(t[1:-1], q[1:-1], v, T[1:-1])


def _in_closed_form(
    arm: SixAxisArm, t: np.ndarray, T: np.ndarray, near: Any, margin: float | None, point: bool
) -> tuple[Instants, np.ndarray]:
    """Joints of a six-axis arm, regular and within the limits."""
    if point:
        raise DeclarationError(
            f"follow: point = True, and {type(arm).__name__} has a closed form for whole poses only. "
            "Use Kinematics of its machine."
        )
    at = Instants(t, T, [f"q{i}" for i in range(1, 7)], arm.units)
    branches = arm.inverse(T, near)
    chosen = _kept(branches, arm.near(near), at)
    q = np.take_along_axis(branches.q, chosen[:, None, None], axis=1)[:, 0]
    _turned(arm, q, arm.near(near))
    _refuse_singular(arm, q, MARGIN if margin is None else margin, at)
    return at, q


def _by_newton(
    arm: Kinematics, t: np.ndarray, T: np.ndarray, near: Any, margin: float | None, point: bool
) -> tuple[Instants, np.ndarray]:
    """Coordinates of any machine, regular and within the limits."""
    at = Instants(t, T, arm.names, [card.unit for card in arm.equations.q_signals])
    q, failed = tracked(arm, T, arm.near(near), point)
    if failed is not None:
        _refuse(np.arange(len(t)) == len(q), at, lambda k: failed.explain())
    least = RATIO if margin is None else margin
    ratio, lost = arm.regularity(q, point)
    _refuse(ratio < least, at, lambda k: f"{_lost_in_words(float(ratio[k]), lost[k])}, must be at least {least:.3g}")
    return at, q


def _lost_in_words(ratio: float, lost: np.ndarray) -> str:
    """Which way a frame can hardly go."""
    turns = len(lost) == 6 and np.linalg.norm(lost[3:]) > np.linalg.norm(lost[:3])
    way = ", ".join(f"{x:.2f}" for x in unit(lost[3:] if turns else lost[:3]) + 0.0)
    how = f"turn about ({way})" if turns else f"move along ({way})"
    return f"near a singularity: the tool can hardly {how}, singular values 1 to {ratio:.3g}"


def _kept(branches: Branches, near: np.ndarray, at: Instants) -> np.ndarray:
    """Index of the branch at each instant: within the limits, nearest to the one before."""
    inside = branches.inside
    _refuse(~inside.any(axis=1), at, branches.explain)
    chosen = np.argmax(inside, axis=1)
    for k in np.flatnonzero(inside.sum(axis=1) > 1):
        before = branches.q[k - 1, chosen[k - 1]] if k else near
        gap = np.abs(branches.q[k] - before)
        for i in branches.arm.continuous:
            gap[:, i] = np.abs(nearest_turn(branches.q[k, :, i], before[i]) - before[i])
        chosen[k] = np.argmin(np.where(inside[k], gap.max(axis=1), np.inf))
    return chosen


def _turned(arm: SixAxisArm, q: np.ndarray, near: np.ndarray) -> None:
    """Bring joints that turn for ever onto one run of angles that begins near to `near`."""
    for i in arm.continuous:
        q[:, i] = np.unwrap(q[:, i])
        q[:, i] += nearest_turn(q[0, i], near[i]) - q[0, i]


def _refuse_singular(arm: SixAxisArm, q: np.ndarray, margin: float, at: Instants) -> None:
    sines = np.abs(np.stack(np.broadcast_arrays(*arm.sines(list(q.T))), axis=-1))
    names = list(arm.singularities.items())

    def why(k: int) -> str:
        name, lost = names[int(np.argmin(sines[k]))]
        left, least = (np.degrees(np.arcsin(min(x, 1.0))) for x in (sines[k].min(), np.sin(margin)))
        return f"{left:.3g} deg from the {name} singularity, must be at least {least:.3g} deg ({lost})"

    _refuse(sines.min(axis=1) < np.sin(margin), at, why)


def _refuse_leaps(q: np.ndarray, at: Instants) -> None:
    leap = np.abs(np.diff(q, axis=0))

    def why(k: int) -> str:
        i = int(np.argmax(leap[k]))
        return f"{at.names[i]} would leap by {in_words(leap[k, i], at.units[i])} to the next instant"

    _refuse(leap.max(axis=1) > LEAP, at, why)


def _refuse_haste(v: np.ndarray, v_max: np.ndarray, at: Instants) -> None:
    def why(k: int) -> str:
        i = int(np.argmax(np.abs(v[k]) / v_max))
        speed, most = (in_words(x, at.units[i]) for x in (abs(v[k, i]), v_max[i]))
        return f"{at.names[i]} would have to move {speed} in a second, at most {most}"

    _refuse((np.abs(v) > v_max).any(axis=1), at._replace(t=at.t[1:-1], T=at.T[1:-1]), why)


def _refuse(bad: Any, at: Instants, why: Any) -> None:
    if bad.any():
        k = int(np.argmax(bad))
        place = ", ".join(f"{x:.4g}" for x in at.T[k, :3, 3])
        raise DeclarationError(
            f"path at t = {max(at.t[k], 0.0):.4g} s, tool at ({place}) m: {why(k)}. Move the path or turn the tool."
        )


@lru_cache(maxsize=8)
def followed(arm: SixAxisArm, path: Path, period: float, near: tuple[float, ...] | None) -> JointPath:
    """`follow`, kept: the twelve references of one path are solved together, once."""
    return follow(arm, path, period=period, near=near)


class JointReference(Signal):
    """Position, or with `rate` the speed, that one joint shall have so that the tool follows a path.

    Between the instants of `period` it is straight; at them, where a controller samples, exact.
    """

    arm: SixAxisArm = ingredient("the arm, for its inverse")
    path: Path = ingredient("where the tool shall be")
    joint: int = structure("which joint, 1 to 6")
    rate: bool = structure("the speed instead of the position", default=False)
    period: float = parameter("s", "time between instants", above=0, default=0.01)
    near: tuple[float, ...] | None = structure("joints to begin near to; none: the middle of the limits", default=None)

    def check(self):
        """A joint that there is."""
        if self.joint not in range(1, 7):
            raise DeclarationError(f"JointReference.joint = {self.joint!r}: must be 1 to 6")

    def _at(self, t, left):
        solved = followed(self.arm, self.path, self.period, self.near)
        column = (solved.v_ref if self.rate else solved.q_ref)[:, self.joint - 1]
        return np.interp(t, solved.t, column)


def references(
    arm: SixAxisArm, path: Path, inputs: Sequence[str], *, period: float = 0.01, near: Any = None
) -> dict[str, Signal]:
    """Signals that drive `q_ref` and `v_ref` of six controllers, by the controllers' paths."""
    near = None if near is None else tuple(float(x) for x in near)
    return {
        f"{name}.{which}": JointReference(arm=arm, path=path, joint=i, rate=which == "v_ref", period=period, near=near)
        for i, name in enumerate(inputs, start=1)
        for which in ("q_ref", "v_ref")
    }
