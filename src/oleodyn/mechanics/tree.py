"""Recursive dynamics of trees: mass matrix, bias force, and points seen from anywhere.

Equations   M by composite bodies: M_ij = (effort of freedom i) of what accelerates all beyond j
            bias by Newton-Euler: outward w, ẇ, a; inward forces and moments; gravity as a₀ = −g
            U = [ẇ]× + [w]×[w]×, the acceleration of a point is a + U r
References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 5, 6.
            [2] Khalil & Dombre (2002) Modeling, Identification and Control of Robots, ch. 9:
                Denavit-Hartenberg frames and grouped inertial parameters.
"""

from collections.abc import Sequence

from oleodyn.machine.part import Expr
from oleodyn.maths import cos, sin
from oleodyn.mechanics import quaternion
from oleodyn.mechanics.freedom import Ball, Slide, Turn, Wrench
from oleodyn.mechanics.inertia import Moments, rotated
from oleodyn.mechanics.link import WORLD, Link, Seat, common_ancestor, path_up
from oleodyn.mechanics.rotation import Turn as Angle
from oleodyn.mechanics.rotation import turned, turned_back
from oleodyn.mechanics.vector import (
    ZERO,
    Matrix,
    Tensor,
    Vector,
    add,
    apply,
    cross,
    minus,
    plus,
    scale,
    subtract,
    times,
    total,
    transposed,
)


class Hop:
    """The way from a link to its parent at given coordinates: turns, or a matrix, and an offset."""

    def __init__(self, link: Link, q: Sequence[Expr]):
        self.r = link.r
        self.slide: Expr = 0.0
        self.turns: tuple[Angle, ...] = link.turns
        self.ball: Matrix | None = None
        if isinstance(link.freedom, Turn):
            self.turns = (*link.turns, _sum_of_angles(q[link.q], link.offset))
        elif isinstance(link.freedom, Slide):
            self.slide = q[link.q]
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
        return add(self.r, self.up((r[0], r[1], plus(r[2], self.slide))))

    def wrench_up(self, wrench: Wrench) -> Wrench:
        """A wrench about the parent's origin, in its axes."""
        f, n = wrench
        n = (minus(n[0], times(self.slide, f[1])), plus(n[1], times(self.slide, f[0])), n[2])
        f = self.up(f)
        return f, add(self.up(n), cross(self.r, f))

    def moments_up(self, mass: Moments) -> Moments:
        """Masses in the parent's frame."""
        mass = mass.shifted((0.0, 0.0, self.slide))
        mc, J = mass.mc, mass.J
        if self.ball is not None:
            mc, J = apply(self.ball, mc), rotated(self.ball, J)
        for turn in reversed(self.turns):
            mc, J = turned(turn, mc), turned_tensor(turn, J)
        return Moments(mass.m, mc, J).shifted(self.r)


def _sum_of_angles(q: Expr, offset: Angle) -> Angle:
    """cos and sin of q + offset about z."""
    from math import atan2

    _, c, s = offset
    if c == 0.0 or s == 0.0:
        cos_q, sin_q = cos(q), sin(q)
        return 2, minus(times(c, cos_q), times(s, sin_q)), plus(times(c, sin_q), times(s, cos_q))
    angle = q + atan2(s, c)
    return 2, cos(angle), sin(angle)


def turned_tensor(turn: Angle, J: Tensor) -> Tensor:
    """R J Rᵀ for a turn about x or z."""
    axis, c, s = turn
    if axis == 2:
        xx, yy, zz, xy, xz, yz = J
        xx, yy, xy = _turned_plane(c, s, xx, yy, xy)
        xz, yz, _ = turned((2, c, s), (xz, yz, 0.0))
        return xx, yy, zz, xy, xz, yz
    xx, yy, zz, xy, xz, yz = J
    yy, zz, yz = _turned_plane(c, s, yy, zz, yz)
    xy, xz, _ = turned((2, c, s), (xy, xz, 0.0))
    return xx, yy, zz, xy, xz, yz


def _turned_plane(c: Expr, s: Expr, aa: Expr, bb: Expr, ab: Expr) -> tuple[Expr, Expr, Expr]:
    """(aa, bb, ab) of a tensor turned in the plane of a and b; aa + bb stays."""
    p, r = minus(times(c, aa), times(s, ab)), minus(times(c, ab), times(s, bb))
    new = minus(times(c, p), times(s, r))
    return new, minus(plus(aa, bb), new), plus(times(s, p), times(c, r))


def hops(links: Sequence[Link], q: Sequence[Expr]) -> list[Hop]:
    """The way of every link to its parent at q."""
    return [Hop(link, q) for link in links]


# ------------------------------------------------------------------ mass matrix


def mass_matrix(links: Sequence[Link], ways: Sequence[Hop], size: int) -> list[list[Expr]]:
    """M(q), by composite bodies."""
    beyond = [link.mass for link in links]
    for i in reversed(range(len(links))):
        if links[i].parent != WORLD:
            beyond[links[i].parent] += ways[i].moments_up(beyond[i])
    M: list[list[Expr]] = [[0.0] * size for _ in range(size)]
    for i, link in enumerate(links):
        mass = beyond[i]
        for column, wrench in enumerate(link.freedom.pushes(mass.m, mass.mc, mass.J), start=link.v):
            for row, effort in enumerate(link.freedom.efforts(wrench), start=link.v):
                M[row][column] = effort
            above = i
            while links[above].parent != WORLD:
                wrench = ways[above].wrench_up(wrench)
                above = links[above].parent
                for row, effort in enumerate(links[above].freedom.efforts(wrench), start=links[above].v):
                    M[row][column] = M[column][row] = effort
    return M


# ------------------------------------------------------------------ Newton-Euler


class Motion:
    """How one link moves: w, ẇ, acceleration a of its origin (less gravity), in its own axes."""

    def __init__(self, w: Vector, w_dot: Vector, a: Vector):
        self.w, self.w_dot, self.a = w, w_dot, a
        self.U = point_acceleration(w, w_dot)


def point_acceleration(w: Vector, w_dot: Vector) -> Matrix:
    """U = [ẇ]× + [w]×[w]×: a point at r accelerates by a + U r."""
    (x, y, z), (dx, dy, dz) = w, w_dot
    xx, yy, zz, xy, xz, yz = times(x, x), times(y, y), times(z, z), times(x, y), times(x, z), times(y, z)
    return (
        (minus(0.0, plus(yy, zz)), minus(xy, dz), plus(xz, dy)),
        (plus(xy, dz), minus(0.0, plus(xx, zz)), minus(yz, dx)),
        (minus(xz, dy), plus(yz, dx), minus(0.0, plus(xx, yy))),
    )


def motions(links, ways, v, v_dot, gravity: Vector) -> list[Motion]:
    """The motion of every link; gravity is felt as an acceleration of the world."""
    world = Motion(ZERO, ZERO, scale(-1.0, gravity))
    result: list[Motion] = []
    for link, way in zip(links, ways, strict=True):
        before = world if link.parent == WORLD else result[link.parent]
        size = slice(link.v, link.v + len(link.freedom.v))
        spin, glide = link.freedom.spin(v[size]), link.freedom.glide(v[size])
        w = way.down(before.w)
        w_dot = add(add(way.down(before.w_dot), cross(w, spin)), link.freedom.spin(v_dot[size]))
        a = add(way.down(add(before.a, apply(before.U, link.r))), link.freedom.glide(v_dot[size]))
        moving = Motion(add(w, spin), w_dot, a)
        if isinstance(link.freedom, Slide):
            coriolis = scale(2.0, cross(w, glide))
            x, y, z = moving.U
            moving.a = add(a, add(coriolis, scale(way.slide, (x[2], y[2], z[2]))))
        result.append(moving)
    return result


def inertial_wrench(mass: Moments, moving: Motion) -> Wrench:
    """Force and moment about the origin that a motion takes."""
    m, mc, (xx, yy, zz, xy, xz, yz), U, a = mass.m, mass.mc, mass.J, moving.U, moving.a
    f = add(scale(m, a), apply(U, mc))
    n = (
        total(
            times(yy, U[2][1]), times(-zz, U[1][2]), times(yz, _gap(U, 2, 1)), times(xy, U[2][0]), times(-xz, U[1][0])
        ),
        total(
            times(zz, U[0][2]), times(-xx, U[2][0]), times(xz, _gap(U, 0, 2)), times(yz, U[0][1]), times(-xy, U[2][1])
        ),
        total(
            times(xx, U[1][0]), times(-yy, U[0][1]), times(xy, _gap(U, 1, 0)), times(xz, U[1][2]), times(-yz, U[0][2])
        ),
    )  # fmt: skip
    return f, add(n, cross(mc, a))


def _gap(U: Matrix, i: int, j: int) -> Expr:
    return minus(U[i][i], U[j][j])


def generalised_force(links, ways, v, v_dot, gravity: Vector) -> list[Expr]:
    """What the freedoms must give for the accelerations v̇ at the speeds v against gravity."""
    moving = motions(links, ways, v, v_dot, gravity)
    wrenches = [inertial_wrench(link.mass, motion) for link, motion in zip(links, moving, strict=True)]
    efforts: list[Expr] = [0.0] * len(v)
    for i in reversed(range(len(links))):
        link = links[i]
        for row, effort in enumerate(link.freedom.efforts(wrenches[i]), start=link.v):
            efforts[row] = effort
        if link.parent != WORLD:
            f, n = ways[i].wrench_up(wrenches[i])
            wrenches[link.parent] = add(wrenches[link.parent][0], f), add(wrenches[link.parent][1], n)
    return efforts


# ------------------------------------------------------------------ points and axes


def seen(links, ways, v, seat: Seat, ancestor: int = WORLD) -> tuple[Vector, Vector]:
    """Position and velocity of a seat's origin in the frame of an ancestor, as seen from there."""
    r, r_dot = seat.r, ZERO
    for i in path_up(links, seat.link, ancestor):
        link, way = links[i], ways[i]
        own = v[link.v : link.v + len(link.freedom.v)]
        r_dot = way.up(add(r_dot, add(link.freedom.glide(own), cross(link.freedom.spin(own), r))))
        r = way.point_up(r)
    return r, r_dot


def seen_axes(links, ways, seat: Seat, ancestor: int = WORLD) -> Matrix:
    """Rotation of a seat in the frame of an ancestor."""
    x, y, z = transposed(seat.R)
    for i in path_up(links, seat.link, ancestor):
        x, y, z = ways[i].up(x), ways[i].up(y), ways[i].up(z)
    return transposed((x, y, z))


def seen_spin(links, ways, v, link: int, ancestor: int = WORLD) -> Vector:
    """Angular velocity of a link in the frame of an ancestor, as seen from there."""
    w = ZERO
    for i in path_up(links, link, ancestor):
        own = v[links[i].v : links[i].v + len(links[i].freedom.v)]
        w = ways[i].up(add(w, links[i].freedom.spin(own)))
    return w


def apart(links, ways, v, a: Seat, b: Seat) -> tuple[Vector, Vector]:
    """From a to b and its rate, in the frame of the last link that both hang on."""
    ancestor = common_ancestor(links, a.link, b.link)
    (r_a, v_a), (r_b, v_b) = seen(links, ways, v, a, ancestor), seen(links, ways, v, b, ancestor)
    return subtract(r_b, r_a), subtract(v_b, v_a)
