"""Postures: a tree of links at given coordinates and speeds, and what is where in it."""

import math
from collections.abc import Sequence
from functools import cached_property

from oleodyn.machine.part import Expr
from oleodyn.maths import cos, sin
from oleodyn.mechanics import quaternion
from oleodyn.mechanics.freedom import Ball, Slide, Turn, Wrench
from oleodyn.mechanics.link import WORLD, Link, Seat, Skeleton, common_ancestor, path_up
from oleodyn.mechanics.moments import Moments, rotated, turned_moment
from oleodyn.mechanics.rotation import Turn as Angle
from oleodyn.mechanics.rotation import turned, turned_back
from oleodyn.mechanics.vector import (
    ZERO,
    Matrix,
    Vector,
    add,
    apply,
    cross,
    minus,
    plus,
    scale,
    subtract,
    times,
    transposed,
)


class Hop:
    """The way from a link to its parent at given coordinates: turns, or a matrix, and an offset.

    r lies in the parent's axes, `along` on the link's own z.
    """

    def __init__(self, link: Link, q: Sequence[Expr]):
        self.r = link.r
        self.along: Expr = link.along
        self.turns: tuple[Angle, ...] = link.turns
        self.ball: Matrix | None = None
        if isinstance(link.freedom, Turn):
            self.turns = (*link.turns, sum_of_angles(q[link.q], link.offset))
        elif isinstance(link.freedom, Slide):
            self.along = plus(q[link.q], link.along)
        elif isinstance(link.freedom, Ball):
            self.ball = quaternion.matrix((q[link.q], q[link.q + 1], q[link.q + 2], q[link.q + 3]))
            self.back = transposed(self.ball)

    def up(self, a: Vector) -> Vector:
        """A vector in the parent's axes."""
        if self.ball is not None:
            a = apply(self.ball, a)
        for turn in reversed(self.turns):
            a = turned(turn, a)
        return a

    def down(self, a: Vector) -> Vector:
        """A vector of the parent in the link's axes."""
        for turn in self.turns:
            a = turned_back(turn, a)
        return apply(self.back, a) if self.ball is not None else a

    def point_up(self, r: Vector) -> Vector:
        """A point in the parent's frame."""
        return add(self.r, self.up((r[0], r[1], plus(r[2], self.along))))

    def wrench_up(self, wrench: Wrench) -> Wrench:
        """A wrench about the parent's origin, in its axes."""
        f, n = wrench
        n = (minus(n[0], times(self.along, f[1])), plus(n[1], times(self.along, f[0])), n[2])
        f = self.up(f)
        return f, add(self.up(n), cross(self.r, f))

    def moments_up(self, mass: Moments) -> Moments:
        """Masses in the parent's frame."""
        mass = mass.shifted((0.0, 0.0, self.along))
        mc, J = mass.mc, mass.J
        if self.ball is not None:
            mc, J = apply(self.ball, mc), rotated(self.ball, J)
        for turn in reversed(self.turns):
            mc, J = turned(turn, mc), turned_moment(turn, J)
        return Moments(mass.m, mc, J).shifted(self.r)


def sum_of_angles(q: Expr, offset: Angle) -> Angle:
    """The turn about z by q and a constant; right angles cost nothing."""
    _, c, s = offset
    if c == 0.0 or s == 0.0:
        cos_q, sin_q = cos(q), sin(q)
        return 2, minus(times(c, cos_q), times(s, sin_q)), plus(times(c, sin_q), times(s, cos_q))
    angle = q + math.atan2(s, c)
    return 2, cos(angle), sin(angle)


class Posture:
    """A skeleton at coordinates q, moving with speeds v.

    `ancestor` below is the link from whose frame one looks: its index, or WORLD. Who looks from a
    link sees only what moves against that link, so nearby things stay simple expressions.
    """

    def __init__(self, bones: Skeleton, q: Sequence[Expr], v: Sequence[Expr]):
        self.bones, self.links, self.q, self.v = bones, bones.links, list(q), list(v)
        self.ways = [Hop(link, q) for link in bones.links]

    def seen(self, seat: Seat, ancestor: int = WORLD) -> tuple[Vector, Vector]:
        """Position and velocity of a seat's origin."""
        r, r_dot = seat.r, ZERO
        for i in path_up(self.links, seat.link, ancestor):
            freedom, way, own = self.links[i].freedom, self.ways[i], self.links[i].own(self.v)
            r_dot = way.up(add(r_dot, add(freedom.glide(own), cross(freedom.spin(own), r))))
            r = way.point_up(r)
        return r, r_dot

    def axes(self, seat: Seat, ancestor: int = WORLD) -> Matrix:
        """Rotation from a seat's axes to the ancestor's."""
        x, y, z = transposed(seat.R)
        for i in path_up(self.links, seat.link, ancestor):
            x, y, z = self.ways[i].up(x), self.ways[i].up(y), self.ways[i].up(z)
        return transposed((x, y, z))

    def spin(self, link: int, ancestor: int = WORLD) -> Vector:
        """Angular velocity of a link, in the ancestor's axes."""
        w = ZERO
        for i in path_up(self.links, link, ancestor):
            w = self.ways[i].up(add(w, self.links[i].freedom.spin(self.links[i].own(self.v))))
        return w

    def up(self, a: Vector, link: int, ancestor: int = WORLD) -> Vector:
        """A vector of a link in the ancestor's axes."""
        for i in path_up(self.links, link, ancestor):
            a = self.ways[i].up(a)
        return a

    def down(self, a: Vector, link: int, ancestor: int = WORLD) -> Vector:
        """A vector of the ancestor in a link's axes."""
        for i in reversed(list(path_up(self.links, link, ancestor))):
            a = self.ways[i].down(a)
        return a

    def apart(self, a: Seat, b: Seat) -> tuple[Vector, Vector, int]:
        """From a to b and its rate, seen from the last link that both hang on; and that link."""
        ancestor = common_ancestor(self.links, a.link, b.link)
        (r_a, v_a), (r_b, v_b) = self.seen(a, ancestor), self.seen(b, ancestor)
        return subtract(r_b, r_a), subtract(v_b, v_a), ancestor

    @cached_property
    def beyond(self) -> list[Moments]:
        """For each link the masses that move with it: its own and those of all links after it."""
        masses = [link.mass for link in self.links]
        for i in reversed(range(len(masses))):
            if self.links[i].parent != WORLD:
                masses[self.links[i].parent] += self.ways[i].moments_up(masses[i])
        return masses

    @cached_property
    def whole(self) -> Moments:
        """All masses, moving and at rest, about the world's origin."""
        result = self.bones.still
        for link, way, mass in zip(self.links, self.ways, self.beyond, strict=True):
            if link.parent == WORLD:
                result += way.moments_up(mass)
        return result

    @property
    def centre(self) -> Vector:
        """The centre of all masses; the world's origin where there is none."""
        m, mc = self.whole.m, self.whole.mc
        return ZERO if type(m) is float and m == 0.0 else scale(1 / m, mc)
