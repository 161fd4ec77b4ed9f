"""Six-axis arms in closed form: forward, all eight inverse branches, the one to take."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import casadi as ca
import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.kinematics.branches import NOT_A_POSE, Branches, Choice, choose
from oleodyn.kinematics.compiled import CSE, mapped
from oleodyn.kinematics.pose import Frame, bottomed, checked_poses, finite, smoothed
from oleodyn.machine.part import Declared, parameter
from oleodyn.maths import fabs
from oleodyn.mechanics.vector import cross

REACH_TOLERANCE = 1e-12
"""How far the elbow's cosine (or sine) may lie beyond ±1 by rounding."""


class Branch(NamedTuple):
    """One solution: six joints, and the elbow's cosine or sine, real within ±1."""

    q: Sequence[Any]
    reach: Any


class SixAxisArm(Declared, ABC):
    """Six joints whose inverse has a closed form with eight branches.

    A subclass says `frame` (forward), `branches` (inverse) and `sines` (distance to each
    singularity); all are written once for numbers, arrays and symbols.
    """

    limits: tuple[tuple[float, float], ...] = parameter("rad|m", "lower and upper end of each joint", shape=(6, 2))

    units: ClassVar[tuple[str, ...]] = ("rad",) * 6
    continuous: ClassVar[tuple[int, ...]] = ()
    """Joints that may turn for ever: their limits do not bind, the nearest turn is taken."""
    singularities: ClassVar[dict[str, str]] = {}
    """name → what is lost there; in the order of `sines`"""
    codes: ClassVar[tuple[str, ...]] = ()
    """the name of each branch"""

    @abstractmethod
    def frame(self, q: Sequence[Any]) -> Frame:
        """Axes and origin of the tool."""

    @abstractmethod
    def branches(self, tool: Frame, near: Sequence[Any]) -> list[Branch]:
        """All eight branches; `near` gives the joints that a singular pose leaves undefined."""

    @abstractmethod
    def sines(self, q: Sequence[Any]) -> tuple[Any, ...]:
        """Signed distance to each singularity: the sine of the angle that is left, or a ratio of lengths."""

    @abstractmethod
    def reach_in_words(self, reach: float) -> str:
        """Why a pose with this `reach`, beyond ±1, cannot be had."""

    def check(self):
        """Limits in order."""
        for i, (low, high) in enumerate(self.limits):
            if not low < high:
                raise DeclarationError(
                    f"{type(self).__name__}.limits: joint {i + 1} from {low:g} to {high:g}: must rise"
                )

    def forward(self, q: Any, *, threads: int = 1) -> np.ndarray:
        """Poses (…, 4, 4) of the tool for joints (…, 6)."""
        q = self.joints(q)
        (rows,) = mapped(self.pose, q.reshape(-1, 6), threads=threads)
        T = np.zeros((len(rows), 4, 4))
        T[:, :3], T[:, 3, 3] = rows.reshape(-1, 3, 4), 1.0
        return T.reshape(*q.shape[:-1], 4, 4)

    def inverse(self, T: Any, near: Any = None, *, threads: int = 1) -> Branches:
        """All branches for poses (…, 4, 4); `near` (6,) or (…, 6) fills in what a singular pose leaves open."""
        poses, T, near = self._asked(T, near)
        shape = T.shape[:-2]
        q, reach, rigid = mapped(self.all_branches, poses, near, threads=threads)
        rigid = (rigid.reshape(shape) > 0) & bottomed(T)
        return Branches(self, q.reshape(*shape, 8, 6), reach.reshape(*shape, 8), rigid, T)

    def solve(self, T: Any, near: Any = None, *, threads: int = 1) -> Choice:
        """For each pose (…, 4, 4) the branch within the limits nearest to `near` (6,) or (…, 6); in machine code."""
        poses, T, near = self._asked(T, near)
        shape = T.shape[:-2]
        q, status, sines = mapped(self.solver, poses, near, threads=threads)
        q, status, sines = (
            q.reshape(*shape, 6),
            status.reshape(shape).astype(int),
            sines.reshape(*shape, sines.shape[-1]),
        )
        crooked = ~bottomed(T)
        if crooked.any():
            near = np.broadcast_to(near if near.ndim == 1 else near.reshape(q.shape), q.shape)
            q = np.where(crooked[..., None], near, q)
            status, sines = np.where(crooked, NOT_A_POSE, status), np.where(crooked[..., None], 1.0, sines)
        return Choice(q, status, sines)

    def jacobian(self, q: Any) -> np.ndarray:
        """(…, 6, 6): velocity of the tool's origin, then its angular velocity, for each joint's speed."""
        q = self.joints(q)
        (columns,) = mapped(self._jacobian, q.reshape(-1, 6))
        return np.swapaxes(columns.reshape(*q.shape[:-1], 6, 6), -1, -2)

    # ------------------------------------------------------------------ functions, for machine code

    @cached_property
    def pose(self) -> Any:
        """CasADi function q → the upper 3 × 4 of T, row by row."""
        q = ca.SX.sym("q", 6)
        tool = self.frame(ca.vertsplit(q))
        return ca.Function("pose", [q], [ca.vertcat(*(axis[i] for i in range(3) for axis in tool))], ["q"], ["T"], CSE)

    @cached_property
    def solver(self) -> Any:
        """CasADi function (pose, near) → (q, status, sines); `pose` is the upper 3 × 4 of T, row by row."""
        pose, near, found, rigid = self._solved()
        real = [(b.q, self.reaches(b.reach)) for b in found]
        q, status, sines = choose(self, real, rigid, ca.vertsplit(near))
        outputs = [ca.vertcat(*q), status, ca.vertcat(*sines)]
        return ca.Function("solver", [pose, near], outputs, ["pose", "near"], ["q", "status", "sines"], CSE)

    @cached_property
    def all_branches(self) -> Any:
        """CasADi function (pose, near) → 8 × 6 joints branch after branch, 8 reaches, rigid."""
        pose, near, found, rigid = self._solved()
        outputs = [ca.vertcat(*(x for b in found for x in b.q)), ca.vertcat(*(b.reach for b in found)), rigid]
        return ca.Function("all_branches", [pose, near], outputs, ["pose", "near"], ["q", "reach", "rigid"], CSE)

    def _solved(self) -> tuple[Any, Any, list[Branch], Any]:
        """Symbols of a pose and of joints near it, the branches, whether it is a pose."""
        pose, near = ca.SX.sym("pose", 12), ca.SX.sym("near", 6)
        tool, rigid = smoothed(Frame(*([pose[4 * i + j] for i in range(3)] for j in range(4))))
        return pose, near, self.branches(tool, ca.vertsplit(near)), rigid

    @cached_property
    def _jacobian(self) -> Any:
        q = ca.SX.sym("q", 6)
        tool = self.frame(ca.vertsplit(q))
        columns = []
        for i in range(6):
            n, o, a, p = ((ca.jacobian(x, q[i]), ca.jacobian(y, q[i]), ca.jacobian(z, q[i])) for x, y, z in tool)
            turns = [cross(axis, rate) for axis, rate in zip(tool[:3], (n, o, a), strict=True)]
            columns += [*p, *(sum(turn[k] for turn in turns) / 2 for k in range(3))]
        return ca.Function("jacobian", [q], [ca.vertcat(*columns)], ["q"], ["columns"], CSE)

    def _asked(self, T: Any, near: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Upper parts of poses (n, 12), the poses (…, 4, 4), and the joints near them, (6,) or (n, 6)."""
        T, near = checked_poses(T), self.near(near)
        near = near if near.ndim == 1 else np.broadcast_to(near, (*T.shape[:-2], 6)).reshape(-1, 6)
        return T[..., :3, :].reshape(-1, 12), T, near

    @staticmethod
    def reaches(reach: Any) -> Any:
        """Whether the elbow's cosine or sine is one."""
        return fabs(reach) <= 1 + REACH_TOLERANCE

    def joints(self, values: Any) -> np.ndarray:
        """Joints (…, 6) as floats; anything of another shape is refused."""
        q = np.asarray(values, dtype=float)
        if q.shape[-1:] != (6,):
            raise DeclarationError(f"{type(self).__name__} has six joints; got numbers of shape {q.shape}")
        return q

    def near(self, values: Any) -> np.ndarray:
        """Joints to stay near to, finite; by default the middle of the limits."""
        return np.mean(self.limits, axis=1) if values is None else finite(self.joints(values), type(self).__name__)
