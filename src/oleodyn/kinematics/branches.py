"""What an inverse answers: every branch, the one to take, and why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from oleodyn.kinematics.pose import fault_in_words, nearest_turn
from oleodyn.maths import both, fmax, where

if TYPE_CHECKING:
    from oleodyn.kinematics.six_axis import SixAxisArm

FOUND, OUTSIDE_LIMITS, UNREACHABLE, NOT_A_POSE = 0, 1, 2, 3
"""Status of one pose: solved; solved but outside the limits; no real solution; no pose at all."""

LIMIT_TOLERANCE = 1e-9
"""How far a joint may lie outside its limits [rad, m] by rounding."""

FAR = 1e300


SINGULAR = 1e-6
"""Sine below which a posture counts as singular: what rounding of a pose leaves of a sine that is 0."""


class Choice(NamedTuple):
    """The joints to take (…, 6) and the status (…) of each pose; where not FOUND, q is `near`.

    `sines` (…, number of singularities) is the distance of q to each singularity, as in
    `Branches.sines`: 0 is singular. Where not FOUND, there is no posture to judge and it is 1.
    """

    q: np.ndarray
    status: np.ndarray
    sines: np.ndarray

    def singular(self, margin: float = SINGULAR) -> np.ndarray:
        """Which answers lie within `margin` of which singularity (…, number of singularities).

        What is lost there was taken from `near`: another q does as well.
        """
        return np.abs(self.sines) < margin


def choose(
    arm: "SixAxisArm", branches: Sequence[Any], rigid: Any, near: Sequence[Any]
) -> tuple[list[Any], Any, list[Any]]:
    """The branch within the limits nearest to `near`, the status, the sines; for arrays and symbols.

    `branches` are pairs (joints, is it real). Continuous joints come on the turn nearest to `near`.
    """
    best, cost, reachable = list(near), FAR, 0.0
    for q, real in branches:
        q = [nearest_turn(x, near[i]) if i in arm.continuous else x for i, x in enumerate(q)]
        allowed = both(real, excess(arm, q) <= LIMIT_TOLERANCE)
        distance = sum((x - y) * (x - y) for x, y in zip(q, near, strict=True))
        take = both(allowed, distance < cost)
        best = [where(take, new, old) for new, old in zip(q, best, strict=True)]
        cost = where(take, distance, cost)
        reachable = where(real, 1.0, reachable)
    unsolved = where(reachable > 0, OUTSIDE_LIMITS, UNREACHABLE)
    found = both(rigid, cost < FAR)
    sines = [where(found, sine, 1.0) for sine in arm.sines(best)]
    return best, where(rigid, where(cost < FAR, FOUND, unsolved), NOT_A_POSE), sines


def excess(arm: "SixAxisArm", q: Sequence[Any]) -> Any:
    """How far the worst joint lies outside its limits; negative inside; continuous joints never do."""
    worst = -FAR
    for i, (low, high) in enumerate(arm.limits):
        if i not in arm.continuous:
            worst = fmax(worst, fmax(low - q[i], q[i] - high))
    return worst


@dataclass(frozen=True, eq=False)
class Branches:
    """All branches of the inverse at poses (…): no number in it is ever NaN.

    q       joints (…, 8, 6); where a branch is not real, those that come nearest to the pose
    reach   (…, 8) cosine or sine at the elbow: real within ±1
    rigid   (…) the input is a pose
    T       the input (…, 4, 4)
    """

    arm: "SixAxisArm"
    q: np.ndarray
    reach: np.ndarray
    rigid: np.ndarray
    T: np.ndarray

    @property
    def real(self) -> np.ndarray:
        """Which branches reproduce the pose (…, 8)."""
        return self.rigid[..., None] & self.arm.reaches(self.reach)

    @property
    def inside(self) -> np.ndarray:
        """Which branches are real and within the limits (…, 8)."""
        return self.real & (excess(self.arm, list(np.moveaxis(self.q, -1, 0))) <= LIMIT_TOLERANCE)

    @property
    def sines(self) -> np.ndarray:
        """Distance to each singularity (…, 8, number of singularities): 0 is singular."""
        return np.stack(np.broadcast_arrays(*self.arm.sines(list(np.moveaxis(self.q, -1, 0)))), axis=-1)

    def singular(self, margin: float = SINGULAR) -> np.ndarray:
        """Which branches lie within `margin` of which singularity (…, 8, number of singularities)."""
        return np.abs(self.sines) < margin

    def select(self, near: Any = None) -> Choice:
        """For each pose the branch within the limits nearest to `near` (…, 6)."""
        near = self.arm.near(near)
        near = np.broadcast_to(near, (*self.rigid.shape, 6))
        q = np.moveaxis(self.q, (-2, -1), (0, 1))
        real = np.moveaxis(self.real, -1, 0)
        branches = list(zip(q, real, strict=True))
        joints, status, sines = choose(self.arm, branches, self.rigid, list(np.moveaxis(near, -1, 0)))
        sines = np.stack(np.broadcast_arrays(*sines), axis=-1)
        return Choice(np.stack(joints, axis=-1), np.asarray(status).astype(int), sines)

    def explain(self, index: Any = (), margin: float = 0.1) -> str:
        """What became of one pose and why, in words.

        >>> from oleodyn.catalogue.arm_geometry import HYDM
        >>> T = HYDM.forward([0.0, 1.0, -1.0, 0.2, -1.5, 0.0])
        >>> T[0, 3] += 1.0
        >>> print(HYDM.inverse(T).explain())
        out of reach: joint 4 would have to be 2.236 m from joint 2; upper arm and forearm reach 0.1 m to 1.5 m
        """
        if not self.rigid[index]:
            return f"not a pose: {fault_in_words(self.T[index])}"
        if not self.real[index].any():
            nearest = np.argmin(np.abs(self.reach[index]))
            return f"out of reach: {self.arm.reach_in_words(float(self.reach[index][nearest]))}"
        if not self.inside[index].any():
            nearest, text = self._outside_in_words(index)
            return "; ".join([text, *self._flags(index, [nearest], margin)])
        inside = np.flatnonzero(self.inside[index])
        codes = [self.arm.codes[b] for b in inside]
        text = f"solved by {'branches' if len(codes) > 1 else 'branch'} {', '.join(codes)}"
        return "; ".join([text, *self._flags(index, inside, margin)])

    def _flags(self, index: Any, branches: Any, margin: float) -> list[str]:
        """The singularities that any of these branches is near to, and what is lost there."""
        sines = np.abs(self.sines[index][branches]).min(axis=0)
        return [
            f"{'at' if sine < SINGULAR else f'{sine:.2g} away from'} the {name} singularity: {lost}"
            for (name, lost), sine in zip(self.arm.singularities.items(), sines, strict=True)
            if sine < margin
        ]

    def _outside_in_words(self, index: Any) -> tuple[int, str]:
        """The real branch that is least outside the limits, and what is wrong with it."""
        real = np.flatnonzero(self.real[index])
        over = np.array([excess(self.arm, self.q[index][b]) for b in real])
        b = int(real[int(np.argmin(over))])
        wrong = [
            f"q{i + 1} = {in_words(x, unit)}, must lie within {in_words(low, unit)} and {in_words(high, unit)}"
            for i, (x, unit, (low, high)) in enumerate(
                zip(self.q[index][b], self.arm.units, self.arm.limits, strict=True)
            )
            if i not in self.arm.continuous and not low - LIMIT_TOLERANCE <= x <= high + LIMIT_TOLERANCE
        ]
        text = f"outside the limits on each of {len(real)} branches; nearest is {self.arm.codes[b]}: {', '.join(wrong)}"
        return b, text


def in_words(value: float, unit: str) -> str:
    """A joint's position in the unit people use.

    >>> in_words(1.5, "rad"), in_words(0.4123, "m")
    ('85.94 deg', '412.3 mm')
    """
    shown, unit = (np.degrees(value), "deg") if unit == "rad" else (1000 * value, "mm")
    return f"{round(float(shown), 9) + 0.0:.4g} {unit}"
