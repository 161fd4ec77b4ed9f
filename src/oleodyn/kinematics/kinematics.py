"""Forward and inverse kinematics of any machine, from its equations."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.assemble import assemble
from oleodyn.equations.equations import Equations
from oleodyn.errors import DeclarationError
from oleodyn.kinematics.compiled import CSE, mapped
from oleodyn.kinematics.limits import limits_of
from oleodyn.kinematics.newton import Answer, Problem, answered, on_loops
from oleodyn.kinematics.pose import Frame, bottomed, checked_poses, finite, frame_of, smoothed
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import nearest
from oleodyn.maths import atan2, sqrt, where
from oleodyn.mechanics.vector import cross

SX = ca.SX
AXES = [f"R_{row}{column}" for column in "xyz" for row in "xyz"]
POINT = ["r_x", "r_y", "r_z"]
RANK = 1e-9
"""Singular value, part of the largest, below which a row of the loops counts as one too many."""
NO_FRAME = (
    " Add one to the mechanism, frames={'tip': Frame(body=...)}; in a machine file: "
    "frames: {tip: {type: Frame, body: ...}}."
)


class Kinematics:
    """Where a frame of a machine is for its coordinates, and which coordinates put it there.

    `names` are the coordinates, in the order of every q below; `limits` (n, 2) their ends: those given
    by name, else the joint's stop and the stroke of what drives it. Closed loops are kept closed.

    >>> from oleodyn.catalogue.shelf import machine
    >>> arm = Kinematics(machine("rigid-arm"))
    >>> arm.forward(np.zeros(6))[:3, 3].round(6).tolist()
    [2.0, 0.0, 2.05]
    """

    def __init__(
        self,
        machine: Machine | Equations,
        frame: str | None = None,
        *,
        limits: Mapping[str, tuple[float, float]] | None = None,
    ):
        self.equations = e = machine if isinstance(machine, Equations) else assemble(machine)
        frames = [card.name.removesuffix(".R_xx") for card in e.y_signals if card.name.endswith(".R_xx")]
        self.frame = _one_of(frame, frames, e.name)
        self.names = tuple(card.name for card in e.q_signals)
        self.limits = limits_of(e, None if isinstance(machine, Equations) else machine, limits or {})
        self.q_0 = e.q_0
        self._problems: dict[bool, Problem] = {}

    def forward(self, q: Any) -> np.ndarray:
        """Poses (…, 4, 4) of the frame for coordinates (…, n)."""
        q = self._coordinates(q)
        (pose,) = mapped(self._pose, q.reshape(-1, len(self.names)))
        T = np.zeros((len(pose), 4, 4))
        T[:, :3, :] = pose.reshape(-1, 3, 4)
        T[:, 3, 3] = 1.0
        return T.reshape(*q.shape[:-1], 4, 4)

    def jacobian(self, q: Any) -> np.ndarray:
        """(…, 6, n_v): velocity of the frame's origin, then its angular velocity, for each speed."""
        q = self._coordinates(q)
        (columns,) = mapped(self._jacobian, q.reshape(-1, len(self.names)))
        return np.swapaxes(columns.reshape(*q.shape[:-1], self.equations.n_v, 6), -1, -2)

    def inverse(self, target: Any, near: Any = None, *, starts: int = 16) -> Answer:
        """Coordinates within the limits that put the frame at poses (…, 4, 4), or its origin at points (…, 3).

        Damped Newton from `near` (default: the machine's start), and where that fails from `starts`
        other postures. What cannot be had is answered with the nearest that can, and why.
        """
        target = np.asarray(target, dtype=float)
        whole = target.shape[-1:] != (3,)
        shape = target.shape[:-2] if whole else target.shape[:-1]
        near = np.broadcast_to(self.near(near), (*shape, len(self.names)))
        goals, rigid = self.goals(target)
        found = answered(self.problem(whole), goals, near.reshape(-1, len(self.names)), starts)
        return found.shaped(shape, rigid, target)

    def closed(self, q: Any) -> np.ndarray:
        """Of coordinates (N, n) those that can be brought to closed loops within the limits, brought there."""
        return on_loops(self.problem(False), self._coordinates(q))

    def distance_from_singularity(self, q: Any, *, point: bool = False) -> np.ndarray:
        """Smallest over largest singular value of the Jacobian (…): 0 where a direction of motion is lost.

        With `point` it is that of the frame's origin alone. Where loops are closed, only motions count
        that keep them closed.
        """
        q = self._coordinates(q)
        return self.regularity(q.reshape(-1, len(self.names)), point)[0].reshape(q.shape[:-1])

    def regularity(self, q: np.ndarray, point: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Smallest over largest singular value (N,) and the direction of motion that it belongs to (N, 6 or 3)."""
        problem = self.problem(not point)
        _, slope = problem.at(q, self.goals(np.zeros(3) if point else np.eye(4))[0][0])  # whatever the goal is
        J, loops = slope[:, : problem.aim], slope[:, problem.aim :]
        left = np.full(len(q), problem.n_v)
        if loops.shape[1]:
            J = J - J @ np.linalg.pinv(loops, rcond=RANK) @ loops
            left -= np.linalg.matrix_rank(loops, rtol=RANK)
        U, values, _ = np.linalg.svd(J, full_matrices=False)
        last = (np.minimum(left, problem.aim) - 1)[:, None]
        least = np.take_along_axis(values, last, axis=1)[:, 0]
        largest = np.where(values[:, 0] > 0, values[:, 0], 1.0)
        return least / largest, np.take_along_axis(U, last[:, None], axis=2)[..., 0]

    def goals(self, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Poses (…, 4, 4) or points (…, 3) as rows of what `problem` is about, and which of them can be asked for."""
        if target.shape[-1:] == (3,):
            goals = target.reshape(-1, 3)
            rigid = np.broadcast_to(np.isfinite(target).all(axis=-1), target.shape[:-1])
            return np.where(rigid.reshape(-1, 1), goals, 0.0), rigid
        target = checked_poses(target)
        with np.errstate(all="ignore"):  # what is no pose may overflow here; it is replaced
            clean, rigid = smoothed(frame_of(target))
        columns = [np.stack(np.broadcast_arrays(*axis), axis=-1) for axis in clean]
        asked = np.broadcast_to(rigid & bottomed(target), target.shape[:-2])
        return np.stack(columns, axis=-2).reshape(-1, 12), asked

    # ------------------------------------------------------------------ functions

    @cached_property
    def _tool(self) -> Frame:
        """Axes and origin of the frame, expressions in q."""
        e = self.equations
        rows = {card.name: e.outputs[i] for i, card in enumerate(e.y_signals)}
        values = ca.vertcat(*(rows[f"{self.frame}.{name}"] for name in (*AXES, *POINT)))
        values = ca.substitute([values], [e.p, e.t], [SX(ca.DM(e.p_0)), SX(0)])[0]
        return Frame(*([values[3 * j + i] for i in range(3)] for j in range(4)))

    @cached_property
    def _pose(self) -> ca.Function:
        rows = [self._tool[j][i] for i in range(3) for j in range(4)]
        return ca.Function("pose", [self.equations.q], [ca.vertcat(*rows)], ["q"], ["pose"], CSE)

    @cached_property
    def _rates(self) -> tuple[Any, Any]:
        """Velocity of the origin and angular velocity, each 3 × n_v."""
        n, o, a, p = (self.equations.tangent(ca.vertcat(*axis)) for axis in self._tool)
        turns = [SX(3, self.equations.n_v) for _ in range(3)]
        for k in range(self.equations.n_v):
            for turn, axis, rate in zip(turns, self._tool, (n, o, a), strict=False):
                turn[:, k] = ca.vertcat(*cross(axis, (rate[0, k], rate[1, k], rate[2, k])))
        return p, (turns[0] + turns[1] + turns[2]) / 2

    @cached_property
    def _jacobian(self) -> ca.Function:
        both = ca.vertcat(*self._rates)
        return ca.Function("jacobian", [self.equations.q], [ca.vec(ca.densify(both))], ["q"], ["columns"], CSE)

    def problem(self, whole: bool) -> Problem:
        """Residual and its slope for a pose, or for a point; loops are rows of it."""
        if whole not in self._problems:
            self._problems[whole] = self._problem(whole)
        return self._problems[whole]

    def _problem(self, whole: bool) -> Problem:
        e = self.equations
        rows = 12 if whole else 3
        goal = SX.sym("goal", rows)
        wanted = Frame(*([goal[3 * j + i] for i in range(3)] for j in range(4))) if whole else None
        p, w = self._rates
        r = ca.vertcat(*self._tool.p) - (ca.vertcat(*wanted.p) if wanted else goal)
        slope = p
        if wanted is not None:
            r, slope = ca.vertcat(r, -turn_between(self._tool, wanted)), ca.vertcat(p, w)
        Phi = ca.substitute([e.Phi], [e.p, e.t], [SX(ca.DM(e.p_0)), SX(0)])[0]
        r, slope = ca.vertcat(r, Phi), ca.vertcat(slope, e.tangent(Phi))
        outputs = [r, ca.vec(ca.densify(slope))]
        function = ca.Function("residual", [e.q, goal], outputs, ["q", "goal"], ["r", "slope"], CSE)
        plus = ca.Function("plus", [e.q, e.delta], [e.q_plus])
        places = [i if same else -1 for i, same in _coordinate_of_speed(e)]
        shown = ca.vertcat(*(x for axis in (self._tool if whole else (self._tool.p,)) for x in axis))
        seen = ca.Function("seen", [e.q], [shown])
        turning = np.array([card.unit == "rad" for card in e.q_signals])
        return Problem(
            function, seen, plus, self.names, self.limits, turning, np.array(places), 6 if whole else 3, e.n_v
        )

    def near(self, values: Any) -> np.ndarray:
        """Coordinates to begin near to, finite; by default those of the machine's start."""
        return self.q_0 if values is None else finite(self._coordinates(values), self.equations.name)

    def _coordinates(self, q: Any) -> np.ndarray:
        q = np.asarray(q, dtype=float)
        if q.shape[-1:] != (len(self.names),):
            raise DeclarationError(
                f"{self.equations.name} has {len(self.names)} coordinates ({', '.join(self.names)}); "
                f"got numbers of shape {q.shape}"
            )
        return q


def turn_between(tool: Frame, wanted: Frame) -> Any:
    """The rotation vector that turns the tool's axes onto the wanted ones, base axes [rad]."""
    sine = sum((ca.vertcat(*cross(have, want)) for have, want in zip(tool[:3], wanted[:3], strict=True)), SX(3, 1)) / 2
    cosine = (
        sum(x * y for have, want in zip(tool[:3], wanted[:3], strict=True) for x, y in zip(have, want, strict=True)) - 1
    ) / 2
    size = ca.sumsqr(sine)
    apart = size > 1e-24
    length = sqrt(where(apart, size, 1.0))
    return sine * where(apart, atan2(length, cosine) / length, 1.0)


def _coordinate_of_speed(e: Equations) -> Iterator[tuple[int, bool]]:
    """For each speed the coordinate that it is the rate of, and whether there is one."""
    plain = ca.substitute(ca.jacobian(e.q_plus, e.delta), e.delta, SX.zeros(e.n_v))
    constant = ca.Function("plain", [e.q], [plain])
    slope = np.array(constant(e.q_0 + 0.1))
    for i in range(e.n_v):
        rows = np.flatnonzero(slope[:, i])
        alone = len(rows) == 1 and slope[rows[0], i] == 1 and np.count_nonzero(slope[rows[0]]) == 1
        yield (int(rows[0]) if alone else -1), alone


def _one_of(frame: str | None, frames: list[str], machine: str) -> str:
    """The frame asked for, by full name or unique ending; the only one if none is asked for."""
    hits = frames if frame is None else [f for f in frames if f == frame or f.endswith("." + frame)]
    if len(hits) != 1:
        asked = "which frame?" if frame is None else f"no frame {frame!r}{nearest(frame, frames)}."
        remedy = "" if frames else NO_FRAME
        raise DeclarationError(f"{machine}: {asked} Its frames are {', '.join(frames) or 'none'}.{remedy}")
    return hits[0]
