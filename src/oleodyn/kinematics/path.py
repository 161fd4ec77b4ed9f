"""Paths of a tool: circle, straight line, way-points, each a shape and a progress in time."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.kinematics.euler import rotation_from_zyz
from oleodyn.kinematics.pose import pose
from oleodyn.kinematics.progress import Progress, QuinticProgress
from oleodyn.machine.part import Declared, ingredient, parameter

Triple = tuple[float, float, float]


class Path(Declared, ABC):
    """Where the tool shall be at each time, from 0 to `until`, and at rest before and after."""

    until: float = parameter("s", "end of the path", above=0)

    @abstractmethod
    def poses(self, t: Any) -> np.ndarray:
        """Poses (…, 4, 4) at times (…)."""


class CirclePath(Path):
    """Around a centre at constant radius, the tool's axes held.

    >>> from oleodyn.kinematics.progress import SteadyProgress
    >>> turn = SteadyProgress(speed=np.pi / 2, distance=np.pi)
    >>> half = CirclePath(centre=(0, 0, 1), radius=0.25, angle=turn, until=2.0)
    >>> half.poses([0.0, 1.0])[:, :3, 3].round(9).tolist()
    [[0.25, 0.0, 1.0], [0.0, 0.25, 1.0]]
    """

    centre: Triple = parameter("m", "centre, base axes", shape=(3,))
    radius: float = parameter("m", "radius", above=0)
    begin: Triple = parameter("-", "direction from the centre to where it begins", shape=(3,), default=(1.0, 0.0, 0.0))
    towards: Triple = parameter("-", "direction in which it sets off", shape=(3,), default=(0.0, 1.0, 0.0))
    tool: Triple = parameter("rad", "z-y-z Euler angles of the tool", shape=(3,), default=(0.0, 0.0, 0.0))
    angle: Progress = ingredient("angle that it has turned [rad]")

    def check(self):
        """A plane."""
        if np.linalg.norm(np.cross(self.begin, self.towards)) < 1e-9 * np.linalg.norm(self.begin):
            raise DeclarationError(f"CirclePath.towards = {self.towards}: must not point along begin = {self.begin}")

    def poses(self, t: Any) -> np.ndarray:
        """Poses (…, 4, 4) at times (…)."""
        e_1, towards = unit(self.begin), np.asarray(self.towards)
        e_2 = unit(towards - (towards @ e_1) * e_1)
        angle = np.asarray(self.angle(t))[..., None]
        points = np.asarray(self.centre) + self.radius * (np.cos(angle) * e_1 + np.sin(angle) * e_2)
        return pose(points, rotation_from_zyz(self.tool))


class StraightPath(Path):
    """Straight on from a point, the tool's axes held."""

    begin: Triple = parameter("m", "where it begins, base axes", shape=(3,))
    along: Triple = parameter("-", "direction", shape=(3,))
    tool: Triple = parameter("rad", "z-y-z Euler angles of the tool", shape=(3,), default=(0.0, 0.0, 0.0))
    distance: Progress = ingredient("how far it has come [m]")

    def check(self):
        """A direction."""
        if not np.any(self.along):
            raise DeclarationError("StraightPath.along = 0: must be a direction")

    def poses(self, t: Any) -> np.ndarray:
        """Poses (…, 4, 4) at times (…)."""
        points = np.asarray(self.begin) + np.asarray(self.distance(t))[..., None] * unit(self.along)
        return pose(points, rotation_from_zyz(self.tool))


class WaypointPath(Path):
    """From one pose to the next, at rest at each: the point goes straight, the tool turns about one axis."""

    points: tuple[Triple, ...] = parameter("m", "points, base axes", shape=(None, 3))
    tools: tuple[Triple, ...] = parameter("rad", "z-y-z Euler angles of the tool at each", shape=(None, 3))
    durations: tuple[float, ...] = parameter("s", "time from each to the next", above=0, shape=(None,))
    start: float = parameter("s", "when it leaves the first", default=0.0)

    def check(self):
        """A tool for each point, two or more, and a time between each two."""
        if len(self.points) != len(self.tools) or len(self.points) < 2 or len(self.durations) != len(self.points) - 1:
            raise DeclarationError(
                f"WaypointPath has {len(self.points)} points, {len(self.tools)} tools and {len(self.durations)} "
                "durations: must have as many points as tools, at least two, and a duration from each to the next"
            )

    def poses(self, t: Any) -> np.ndarray:
        """Poses (…, 4, 4) at times (…)."""
        points, R = np.asarray(self.points), rotation_from_zyz(self.tools)
        begins = self.start + np.concatenate([[0.0], np.cumsum(self.durations[:-1])])
        legs = [QuinticProgress(start=b, duration=d, distance=1.0) for b, d in zip(begins, self.durations, strict=True)]
        progress = np.asarray(sum(leg(t) for leg in legs))
        i = np.minimum(progress.astype(int), len(points) - 2)
        share = progress - i
        turns = rotation_vector(np.swapaxes(R[:-1], 1, 2) @ R[1:])[i]
        between = points[i] + share[..., None] * (points[i + 1] - points[i])
        return pose(between, R[i] @ rotation_about(share[..., None] * turns))


def unit(a: Any) -> np.ndarray:
    """The direction of a vector."""
    a = np.asarray(a, dtype=float)
    return a / np.linalg.norm(a)


def rotation_about(turn: Any) -> np.ndarray:
    """Rotations (…, 3, 3) about vectors (…, 3) by their length [rad] (Rodrigues).

    >>> rotation_about([0.0, 0.0, np.pi / 2]).round(12)[:, 0].tolist()
    [0.0, 1.0, 0.0]
    """
    turn = np.asarray(turn, dtype=float)
    angle = np.linalg.norm(turn, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(turn, -1, 0)
    zero = np.zeros_like(x)
    K = np.stack([np.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))], axis=-2)
    return np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(angle / (2 * np.pi)) ** 2 * K @ K


def rotation_vector(R: Any) -> np.ndarray:
    """Vectors (…, 3) about which, and by whose length [rad] up to π, rotations (…, 3, 3) turn.

    >>> rotation_vector(rotation_about([0.3, -0.4, 1.2])).round(12).tolist()
    [0.3, -0.4, 1.2]
    """
    R = np.asarray(R, dtype=float)
    twice_sine = np.stack(
        [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1
    )
    size = np.linalg.norm(twice_sine, axis=-1)
    angle = np.arctan2(size, np.trace(R, axis1=-2, axis2=-1) - 1)
    # far from 0 the symmetric part, cos φ I + (1 − cos φ) a aᵀ, has the axis: its largest column is along a
    symmetric = (R + np.swapaxes(R, -1, -2)) / 2 - np.cos(angle)[..., None, None] * np.eye(3)
    column = np.argmax(np.linalg.norm(symmetric, axis=-2), axis=-1)
    axis = np.take_along_axis(symmetric, column[..., None, None], axis=-1)[..., 0]
    axis = axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-300)
    axis = axis * np.where(np.sum(axis * twice_sine, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    small = np.where(size > 0, angle / np.where(size > 0, size, 1.0), 0.5)[..., None] * twice_sine
    return np.where((angle > 1.0)[..., None], angle[..., None] * axis, small)
