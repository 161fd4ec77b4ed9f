"""Following a path: joint references, after the whole path has been looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.kinematics.branches import Branches, in_words
from oleodyn.kinematics.path import Path
from oleodyn.kinematics.pose import nearest_turn
from oleodyn.kinematics.six_axis import SixAxisArm
from oleodyn.machine.part import ingredient, parameter, structure
from oleodyn.maths import pi
from oleodyn.simulation.signal import Signal

MARGIN = pi / 180
"""Least distance to a singularity [rad]: 1 deg."""

LEAP = 0.5
"""A joint that moves further than this [rad, m] between two instants has changed its branch."""


@dataclass(frozen=True, eq=False)
class JointPath:
    """Joints along a path at instants t (n,): q_ref (n, 6), v_ref (n, 6), poses T (n, 4, 4)."""

    t: np.ndarray
    q_ref: np.ndarray
    v_ref: np.ndarray
    T: np.ndarray


def follow(
    arm: SixAxisArm, path: Path, *, period: float = 0.01, near: Any = None, margin: float = MARGIN, v_max: Any = None
) -> JointPath:
    """Joint references at every `period` from 0 to the path's end, all of it checked.

    The first joints are those nearest to `near`; from there the branch is kept. v_ref is the
    central difference of q_ref over two periods. DeclarationError says where the path first cannot
    be followed and why: out of reach, outside the limits, within `margin` of a singularity, a leap
    from branch to branch, or (with `v_max`, six speeds) a joint that would be too fast.
    """
    n = round(path.until / period)
    t = period * np.arange(-1, n + 2)
    T = path.poses(np.clip(t, 0.0, path.until))
    branches = arm.inverse(T, near)
    chosen = _kept(branches, arm.near(near), t, T)
    q = np.take_along_axis(branches.q, chosen[:, None, None], axis=1)[:, 0]
    _turned(arm, q, arm.near(near))
    v = (q[2:] - q[:-2]) / (2 * period)
    _refuse_singular(arm, q, margin, t, T)
    _refuse_leaps(arm, q, t, T)
    if v_max is not None:
        _refuse_haste(arm, v, np.asarray(v_max, dtype=float), t[1:-1], T[1:-1])
    return JointPath(t[1:-1], q[1:-1], v, T[1:-1])


def _kept(branches: Branches, near: np.ndarray, t: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Index of the branch at each instant: within the limits, nearest to the one before."""
    inside = branches.inside
    _refuse(~inside.any(axis=1), t, T, branches.explain)
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


def _refuse_singular(arm: SixAxisArm, q: np.ndarray, margin: float, t: np.ndarray, T: np.ndarray) -> None:
    sines = np.abs(np.stack(np.broadcast_arrays(*arm.sines(list(q.T))), axis=-1))
    names = list(arm.singularities.items())

    def why(k: int) -> str:
        name, lost = names[int(np.argmin(sines[k]))]
        left, least = (np.degrees(np.arcsin(min(x, 1.0))) for x in (sines[k].min(), np.sin(margin)))
        return f"{left:.3g} deg from the {name} singularity, must be at least {least:.3g} deg ({lost})"

    _refuse(sines.min(axis=1) < np.sin(margin), t, T, why)


def _refuse_leaps(arm: SixAxisArm, q: np.ndarray, t: np.ndarray, T: np.ndarray) -> None:
    leap = np.abs(np.diff(q, axis=0))

    def why(k: int) -> str:
        i = int(np.argmax(leap[k]))
        return f"q{i + 1} would leap by {in_words(leap[k, i], arm.units[i])} to the next instant"

    _refuse(leap.max(axis=1) > LEAP, t, T, why)


def _refuse_haste(arm: SixAxisArm, v: np.ndarray, v_max: np.ndarray, t: np.ndarray, T: np.ndarray) -> None:
    def why(k: int) -> str:
        i = int(np.argmax(np.abs(v[k]) / v_max))
        speed, most = (in_words(x, arm.units[i]) for x in (abs(v[k, i]), v_max[i]))
        return f"q{i + 1} would have to move {speed} in a second, at most {most}"

    _refuse((np.abs(v) > v_max).any(axis=1), t, T, why)


def _refuse(bad: Any, t: np.ndarray, T: np.ndarray, why: Any) -> None:
    if bad.any():
        k = int(np.argmax(bad))
        place = ", ".join(f"{x:.4g}" for x in T[k, :3, 3])
        raise DeclarationError(
            f"path at t = {max(t[k], 0.0):.4g} s, tool at ({place}) m: {why(k)}. Move the path or turn the tool."
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
