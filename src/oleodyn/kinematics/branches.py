"""What an inverse answers: every branch, the one to take, and why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from oleodyn.kinematics.pose import TOLERANCE, nearest_turn
from oleodyn.maths import both, fmax, where

if TYPE_CHECKING:
    from oleodyn.kinematics.six_axis import SixAxisArm

FOUND, OUTSIDE_LIMITS, UNREACHABLE, NOT_A_POSE = 0, 1, 2, 3
"""Status of one pose: solved; solved but outside the limits; no real solution; no pose at all."""

LIMIT_TOLERANCE = 1e-9
"""How far a joint may lie outside its limits [rad, m] by rounding."""

FAR = 1e300


class Choice(NamedTuple):
    """The joints to take (…, 6) and the status (…) of each pose; where not FOUND, q is `near`."""

    q: np.ndarray
    status: np.ndarray


def choose(arm: "SixAxisArm", branches: Sequence[Any], rigid: Any, near: Sequence[Any]) -> tuple[list[Any], Any]:
    """The branch within the limits nearest to `near`, and the status; for arrays and symbols.

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
    return best, where(rigid, where(cost < FAR, FOUND, unsolved), NOT_A_POSE)


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
    error   (…) |RᵀR − I| of the input
    """

    arm: "SixAxisArm"
    q: np.ndarray
    reach: np.ndarray
    rigid: np.ndarray
    error: np.ndarray

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

    def singular(self, margin: float = 1e-6) -> np.ndarray:
        """Which branches lie within `margin` of which singularity (…, 8, number of singularities)."""
        return np.abs(self.sines) < margin

    def select(self, near: Any = None) -> Choice:
        """For each pose the branch within the limits nearest to `near` (…, 6)."""
        near = self.arm.near(near)
        near = np.broadcast_to(near, (*self.rigid.shape, 6))
        q = np.moveaxis(self.q, (-2, -1), (0, 1))
        real = np.moveaxis(self.real, -1, 0)
        joints, status = choose(self.arm, list(zip(q, real, strict=True)), self.rigid, list(np.moveaxis(near, -1, 0)))
        return Choice(np.stack(joints, axis=-1), np.asarray(status).astype(int))

    def explain(self, index: Any = (), margin: float = 0.1) -> str:
        """What became of one pose and why, in words.

        >>> from oleodyn.catalogue.arm_geometry import HYDM
        >>> T = HYDM.forward([0.0, 1.0, -1.0, 0.2, -1.5, 0.0])
        >>> T[0, 3] += 1.0
        >>> print(HYDM.inverse(T).explain())
        out of reach: joint 4 would have to be 2.236 m from joint 2; upper arm and forearm reach 0.1 m to 1.5 m
        """
        if not self.rigid[index]:
            return f"not a pose: {self._wrong_in_words(index)}"
        if not self.real[index].any():
            nearest = np.argmin(np.abs(self.reach[index]))
            return f"out of reach: {self.arm.reach_in_words(float(self.reach[index][nearest]))}"
        if not self.inside[index].any():
            return self._outside_in_words(index)
        codes = [code for code, inside in zip(self.arm.codes, self.inside[index], strict=True) if inside]
        text = f"solved by {'branches' if len(codes) > 1 else 'branch'} {', '.join(codes)}"
        b = int(np.argmax(self.inside[index]))
        flags = [
            f"{'at' if abs(sine) < 1e-9 else f'{abs(sine):.2g} away from'} the {name} singularity: {lost}"
            for (name, lost), sine in zip(self.arm.singularities.items(), self.sines[index][b], strict=True)
            if abs(sine) < margin
        ]
        return "; ".join([text, *flags])

    def _wrong_in_words(self, index: Any) -> str:
        error = self.error[index]
        if error <= TOLERANCE:
            return "R is left-handed, a mirror image, or a number is beyond all measure"
        return (
            f"|RᵀR − I| = {error:.3g}, must be below {TOLERANCE:g}" if np.isfinite(error) else "numbers must be finite"
        )

    def _outside_in_words(self, index: Any) -> str:
        real = np.flatnonzero(self.real[index])
        over = np.array([excess(self.arm, self.q[index][b]) for b in real])
        b = real[int(np.argmin(over))]
        wrong = [
            f"q{i + 1} = {in_words(x, unit)}, must lie within {in_words(low, unit)} and {in_words(high, unit)}"
            for i, (x, unit, (low, high)) in enumerate(
                zip(self.q[index][b], self.arm.units, self.arm.limits, strict=True)
            )
            if i not in self.arm.continuous and not low - LIMIT_TOLERANCE <= x <= high + LIMIT_TOLERANCE
        ]
        return f"outside the limits on each of {len(real)} branches; nearest is {self.arm.codes[b]}: {', '.join(wrong)}"


def in_words(value: float, unit: str) -> str:
    """A joint's position in the unit people use.

    >>> in_words(1.5, "rad"), in_words(0.4123, "m")
    ('85.94 deg', '412.3 mm')
    """
    shown, unit = (np.degrees(value), "deg") if unit == "rad" else (1000 * value, "mm")
    return f"{round(float(shown), 9) + 0.0:.4g} {unit}"
