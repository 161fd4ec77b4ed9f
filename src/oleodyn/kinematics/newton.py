"""Damped Newton within limits, many problems side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oleodyn.kinematics.branches import FOUND, LIMIT_TOLERANCE, NOT_A_POSE, OUTSIDE_LIMITS, UNREACHABLE
from oleodyn.kinematics.compiled import mapped
from oleodyn.kinematics.pose import fault_in_words

TOLERANCE = 1e-10
"""Residual that counts as none [m, rad]."""

STEPS = 100
STALLED = 1e-6
"""Part of |r|² by which a step must lower it, or no more is to be had from here."""

DRAWN = 2000
"""Postures drawn to find those to begin from; always the same ones."""

SEED = 1

AIM = 1e-3
"""Weight of an aim that cannot be met against loops that must close: 44 m away they open by 0.04 mm, then by none."""

SHOWN = 6
"""How many coordinates without limits are named in a sentence."""


@dataclass(frozen=True, eq=False)
class Problem:
    """r(q, goal) = 0 within limits.

    function   (q, goal) → (r, slope of r by increments of q, column by column)
    seen       q → what a goal says of it
    plus       (q, δ) → q ⊕ δ
    turning    which coordinates are angles: a whole turn more changes nothing
    place      for each increment its coordinate, or −1 where it has none of its own
    aim        how many rows of r are the aim; the rest keep loops closed
    """

    function: Any
    seen: Any
    plus: Any
    names: Sequence[str]
    limits: np.ndarray
    turning: np.ndarray
    place: np.ndarray
    aim: int
    n_v: int
    weight: float = 1.0
    """of the aim against the loops"""

    def at(self, q: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (N, m) and slopes (N, m, n_v)."""
        r, slope = mapped(self.function, q, goal)
        slope = np.swapaxes(slope.reshape(len(q), self.n_v, -1), 1, 2)
        if self.weight != 1.0:
            r[:, : self.aim] *= self.weight
            slope[:, : self.aim] *= self.weight
        return r, slope

    def room(self, q: np.ndarray, bound: bool) -> tuple[np.ndarray, np.ndarray]:
        """How far each increment may go, down and up (N, n_v)."""
        low, high = np.full((len(q), self.n_v), -np.inf), np.full((len(q), self.n_v), np.inf)
        if bound:
            own = self.place >= 0
            at = self.place[own]
            low[:, own] = np.minimum(self.limits[at, 0] - q[:, at], 0.0)
            high[:, own] = np.maximum(self.limits[at, 1] - q[:, at], 0.0)
        return low, high

    def within(self, q: np.ndarray) -> np.ndarray:
        """q with every coordinate brought inside its limits."""
        own = self.place[self.place >= 0]
        q = q.copy()
        q[:, own] = np.clip(q[:, own], self.limits[own, 0], self.limits[own, 1])
        return q

    def turned(self, q: np.ndarray) -> np.ndarray:
        """q with angles that lie outside their limits brought nearest to the middle by whole turns."""
        finite = np.isfinite(self.limits).all(axis=1) & self.turning
        middle = np.where(finite, self.limits.sum(axis=1, where=finite[:, None]) / 2, 0.0)
        out = finite & ((q < self.limits[:, 0]) | (q > self.limits[:, 1]))
        return np.where(out, q + 2 * np.pi * np.round((middle - q) / (2 * np.pi)), q)

    def inside(self, q: np.ndarray) -> np.ndarray:
        """Which rows are within all limits."""
        low, high = self.limits.T
        return ((q >= low - LIMIT_TOLERANCE) & (q <= high + LIMIT_TOLERANCE)).all(axis=1)


@dataclass(frozen=True, eq=False)
class Answer:
    """Coordinates (…, n), the status of each, and what is missing: distance [m] and angle [rad].

    Where not FOUND, q is the nearest within the limits that was met.
    """

    q: np.ndarray
    status: np.ndarray
    distance: np.ndarray
    angle: np.ndarray
    free: np.ndarray
    """coordinates that would do if there were no limits; q where there are none"""
    names: tuple[str, ...]
    limits: np.ndarray
    target: np.ndarray
    """what was asked: poses or points"""

    @property
    def unlimited(self) -> tuple[str, ...]:
        """Coordinates of which no limit, or only one, is known."""
        return tuple(name for name, ends in zip(self.names, self.limits, strict=True) if not np.isfinite(ends).all())

    def shaped(self, shape: tuple[int, ...], rigid: np.ndarray, target: np.ndarray) -> "Answer":
        """The answer in the shape of the question; what was no pose is said to be none."""
        status = np.where(rigid.reshape(-1), self.status, NOT_A_POSE)
        n = len(self.names)
        return replace(
            self, q=self.q.reshape(*shape, n), status=status.reshape(shape), distance=self.distance.reshape(shape),
            angle=self.angle.reshape(shape), free=self.free.reshape(*shape, n), target=target,
        )  # fmt: skip

    def explain(self, index: Any = ()) -> str:
        """What became of one problem and why, in words; and which coordinates have no limits."""
        if int(self.status[index]) == NOT_A_POSE:
            what = "point" if self.target.shape[-1:] == (3,) else "pose"
            return f"not a {what}: {fault_in_words(self.target[index])}"
        some = self.unlimited[:SHOWN]
        more = f" and {len(self.unlimited) - SHOWN} more" if len(self.unlimited) > SHOWN else ""
        return self._found_in_words(index) + (f" (no limits are known of {', '.join(some)}{more})" if some else "")

    def _found_in_words(self, index: Any) -> str:
        status = int(self.status[index])
        missing = f"{1000 * self.distance[index]:.4g} mm and {np.degrees(self.angle[index]):.4g} deg"
        if status == FOUND:
            return "solved"
        if status == UNREACHABLE:
            return f"out of reach: the nearest that was found is {missing} away"
        free = self.free[index]
        wrong = [
            f"{name} = {x:.4g}, must lie within {low:.4g} and {high:.4g}"
            for name, x, (low, high) in zip(self.names, free, self.limits, strict=True)
            if not low - LIMIT_TOLERANCE <= x <= high + LIMIT_TOLERANCE
        ]
        return f"outside the limits: {', '.join(wrong)}; the nearest inside is {missing} away"


def answered(problem: Problem, goals: np.ndarray, near: np.ndarray, starts: int) -> Answer:
    """Solve each goal from `near`, then from other postures, with limits and without.

    What is solved without limits only, also after whole turns, says which limit is in the way.
    """
    q = problem.within(near)
    free, size, beyond = q.copy(), np.full(len(q), np.inf), np.full(len(q), np.inf)
    seeds: list[np.ndarray] = []
    for k in range(1 + starts if len(q) else 0):
        if k == 1 and (size > TOLERANCE).any():
            seeds = _postures(problem, goals, problem.within(near), starts)
        for bound in (True, False):
            rows = np.flatnonzero(size > TOLERANCE)
            if not len(rows):
                break
            start = problem.within(near) if k == 0 else seeds[k - 1]
            other, reached = _descended(problem, goals[rows], start[rows], bound)
            if not bound:
                other = problem.turned(other)
                better = (reached < beyond[rows]) & (beyond[rows] > TOLERANCE)
                free[rows[better]], beyond[rows[better]] = other[better], reached[better]
                reached = np.where(problem.inside(other), reached, np.inf)
            better = reached < size[rows]
            q[rows[better]], size[rows[better]] = other[better], reached[better]
    unsolved = np.where(beyond > TOLERANCE, UNREACHABLE, OUTSIDE_LIMITS)
    status = np.where(size > TOLERANCE, unsolved, FOUND)
    rows = np.flatnonzero(status)
    q[rows] = _closed(problem, goals[rows], q[rows])
    r = problem.at(q, goals)[0] if len(q) else np.zeros((0, 6))
    distance, angle = np.linalg.norm(r[:, :3], axis=1), np.linalg.norm(r[:, 3 : problem.aim], axis=1)
    return Answer(q, status, distance, angle, free, tuple(problem.names), problem.limits, goals)


def _closed(problem: Problem, goals: np.ndarray, q: np.ndarray) -> np.ndarray:
    """What came nearest with loops that gave way, brought to what comes nearest with loops closed."""
    for weight in (AIM, 0.0) if len(q) and problem.at(q[:1], goals[:1])[0].shape[1] > problem.aim else ():
        q, _ = _descended(replace(problem, weight=weight), goals, q, bound=True)
    return q


def on_loops(problem: Problem, q: np.ndarray) -> np.ndarray:
    """Those of q (N, n) that can be brought to closed loops within the limits, brought there."""
    goal = np.zeros(problem.seen.size1_out(0))
    goals = np.tile(goal, (len(q), 1))
    q, size = _descended(replace(problem, weight=0.0), goals, problem.within(q), bound=True)
    return q[(size < TOLERANCE) & problem.inside(q)]


def _postures(problem: Problem, goals: np.ndarray, near: np.ndarray, count: int) -> list[np.ndarray]:
    """`count` postures to begin from for each goal: of many drawn within the limits those that come nearest."""
    own = problem.place[problem.place >= 0]
    rng = np.random.default_rng(SEED)
    low = np.where(np.isfinite(problem.limits[:, 0]), problem.limits[:, 0], near[0] - np.pi)
    high = np.where(np.isfinite(problem.limits[:, 1]), problem.limits[:, 1], near[0] + np.pi)
    drawn = np.tile(near[0], (DRAWN, 1))
    drawn[:, own] = rng.uniform(low, high, drawn.shape)[:, own]
    seen = mapped(problem.seen, drawn)[0]
    nearest = np.empty((len(goals), count), dtype=int)
    for k, goal in enumerate(goals):
        nearest[k] = np.argsort(np.sum((seen - goal) ** 2, axis=1), kind="stable")[:count]
    return [drawn[nearest[:, k]] for k in range(count)]


def _descended(problem: Problem, goals: np.ndarray, q: np.ndarray, bound: bool) -> tuple[np.ndarray, np.ndarray]:
    """Levenberg-Marquardt, each problem with its own damping: q and the largest residual.

    Equations   (JᵀJ + μ |r| I) δ = −Jᵀ r within the limits;  μ falls while |r| does, else rises
    """
    q = q.copy()
    if not len(q):
        return q, np.zeros(0)
    r, J = problem.at(q, goals)
    damping = np.full(len(q), 1e-2)
    going = np.arange(len(q))
    for _ in range(STEPS):
        going = going[np.abs(r[going]).max(axis=1) > 0.01 * TOLERANCE]
        going = going[damping[going] < 1e10]
        if not len(going):
            break
        delta = _step(problem, q[going], r[going], J[going], damping[going], bound)
        (new,) = mapped(problem.plus, q[going], delta)
        new = problem.within(new) if bound else new
        r_new, J_new = problem.at(new, goals[going])
        before, after = np.sum(r[going] ** 2, axis=1), np.sum(r_new**2, axis=1)
        fell = after < before
        damping[going] *= np.where(fell, 0.1, 10.0)
        damping[going[fell & (after > (1 - STALLED) * before)]] = np.inf
        kept = going[fell]
        q[kept], r[kept], J[kept] = new[fell], r_new[fell], J_new[fell]
    return q, np.abs(r).max(axis=1)


def _step(problem: Problem, q, r, J, damping, bound: bool) -> np.ndarray:
    """The damped step; increments that would leave their limits go to them, and the others make up for it."""
    n = problem.n_v
    low, high = problem.room(q, bound)
    H = np.swapaxes(J, 1, 2) @ J
    H[:, np.arange(n), np.arange(n)] += (damping * np.linalg.norm(r, axis=1))[:, None] + 1e-14
    g = (np.swapaxes(J, 1, 2) @ r[..., None])[..., 0]
    fixed, delta = np.zeros((len(q), n), dtype=bool), np.zeros((len(q), n))
    for _ in range(n + 1):
        free = ~fixed
        held = np.where(fixed, delta, 0.0)
        A = np.where(free[:, :, None] & free[:, None, :], H, 0.0)
        A[:, np.arange(n), np.arange(n)] += fixed
        b = np.where(free, -g - (H @ held[..., None])[..., 0], held)
        delta = np.linalg.solve(A, b[..., None])[..., 0]
        out = free & ((delta < low) | (delta > high))
        if not out.any():
            break
        fixed |= out
        delta = np.clip(delta, low, high)
    return np.clip(delta, low, high)
