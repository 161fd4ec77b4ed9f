"""Coordinates along a path by Newton's method, each instant begun where the one before ended."""

from typing import Any

import numpy as np

from oleodyn.kinematics.branches import FOUND
from oleodyn.kinematics.compiled import mapped
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.newton import TOLERANCE, Answer, Problem

STEPS = 8
"""Newton steps from one instant to the next; what needs more is asked of the damped inverse."""


def tracked(
    kinematics: Kinematics, T: np.ndarray, near: np.ndarray, point: bool = False
) -> tuple[np.ndarray, Answer | None]:
    """Coordinates (k, n) for the first k of the poses T that can be had, and why the next cannot.

    With `point` the frame's origin goes along the path and its axes are free.
    """
    problem, targets = kinematics.problem(not point), T[:, :3, 3] if point else T
    goals, _ = kinematics.goals(targets)
    q = np.empty((len(T), len(near)))
    straight = kinematics.equations.n_q == kinematics.equations.n_v
    for k in range(len(T)):
        before = q[k - 1] if k else near
        guess = 2 * q[k - 1] - q[k - 2] if k > 1 and straight else before
        found = _newton(problem, goals[k], guess) if k else None
        if found is None:
            answer = kinematics.inverse(targets[k], before)
            if answer.status != FOUND:
                return q[:k], answer
            found = answer.q
        q[k] = found
    return q, None


def _newton(problem: Problem, goal: np.ndarray, q: np.ndarray) -> Any:
    """Plain Newton steps, the shortest where several would do: q within the limits, or None."""
    q, goal, last = q[None], goal[None], np.inf
    for _ in range(STEPS):
        r, J = problem.at(q, goal)
        size = np.abs(r).max()
        if size < 0.01 * TOLERANCE or (size < TOLERANCE and size > 0.5 * last):
            return q[0] if problem.inside(q)[0] else None
        if not np.isfinite(size):
            return None
        last = size
        delta = np.linalg.lstsq(J[0], -r[0], rcond=1e-10)[0]
        (q,) = mapped(problem.plus, q, delta[None])
    return None
