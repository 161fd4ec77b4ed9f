"""Newton and Euler along a tree: generalised force, momentum, kinetic energy.

Equations   outward w, ẇ, a of each link; inward its forces and moments; gravity as a₀ = −g
            U = [ẇ]× + [w]×[w]×: a point at r of a link accelerates by a + U r
References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms, ch. 5.
            [2] Khalil & Dombre (2002) Modeling, Identification and Control of Robots, ch. 9:
                link frames and grouped masses, of which few operations come.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from oleodyn.machine.part import Expr
from oleodyn.mechanics.freedom import Wrench
from oleodyn.mechanics.link import WORLD
from oleodyn.mechanics.moments import Moments
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.vector import (
    ZERO,
    Matrix,
    Vector,
    add,
    apply,
    cross,
    dot,
    matrix_of,
    minus,
    plus,
    scale,
    subtract,
    times,
    total,
)

# ------------------------------------------------------------------ motion


@dataclass(frozen=True)
class Motion:
    """How a link moves: U as above, and the acceleration a of its origin, in its own axes.

    Gravity is felt as an acceleration: a is the true one less g.
    """

    w: Vector
    w_dot: Vector
    a: Vector
    U: Matrix


def motion(w: Vector, w_dot: Vector, a: Vector) -> Motion:
    """The motion of these angular and linear rates."""
    (x, y, z), (dx, dy, dz) = w, w_dot
    xx, yy, zz, xy, xz, yz = times(x, x), times(y, y), times(z, z), times(x, y), times(x, z), times(y, z)
    U = (
        (minus(0.0, plus(yy, zz)), minus(xy, dz), plus(xz, dy)),
        (plus(xy, dz), minus(0.0, plus(xx, zz)), minus(yz, dx)),
        (minus(xz, dy), plus(yz, dx), minus(0.0, plus(xx, yy))),
    )
    return Motion(w, w_dot, a, U)


def resting(gravity: Vector) -> Motion:
    """The motion of the world."""
    return motion(ZERO, ZERO, scale(-1.0, gravity))


def motions(posture: Posture, v_dot: Sequence[Expr], gravity: Vector) -> list[Motion]:
    """The motion of every link at the accelerations v̇."""
    world, result = resting(gravity), []
    for link, way in zip(posture.links, posture.ways, strict=True):
        before = world if link.parent == WORLD else result[link.parent]
        spin, glide = link.freedom.spin(link.own(posture.v)), link.freedom.glide(link.own(posture.v))
        w, w_dot = way.down(before.w), way.down(before.w_dot)
        a = way.down(add(before.a, apply(before.U, link.r)))
        a = add(a, scale(way.along, _along_z(w, w_dot)))
        a = add(a, add(scale(2.0, cross(w, glide)), link.freedom.glide(link.own(v_dot))))
        w_dot = add(add(w_dot, cross(w, spin)), link.freedom.spin(link.own(v_dot)))
        result.append(motion(add(w, spin), w_dot, a))
    return result


def _along_z(w: Vector, w_dot: Vector) -> Vector:
    """U z: how a point at height one on z accelerates."""
    x, y, z = w
    return plus(times(x, z), w_dot[1]), minus(times(y, z), w_dot[0]), minus(0.0, plus(times(x, x), times(y, y)))


def inertial_wrench(mass: Moments, moving: Motion) -> Wrench:
    """Force, and moment about the origin, that a motion takes: ∫ a dm and ∫ r × a dm."""
    m, mc, (xx, yy, zz, xy, xz, yz), U, a = mass.m, mass.mc, mass.J, moving.U, moving.a
    f = add(scale(m, a), apply(U, mc))
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = U
    n = (
        total(times(yy, bz), times(-zz, cy), times(yz, minus(cz, by)), times(xy, az), times(-xz, ay)),
        total(times(zz, cx), times(-xx, az), times(xz, minus(ax, cz)), times(yz, bx), times(-xy, bz)),
        total(times(xx, ay), times(-yy, bx), times(xy, minus(by, ax)), times(xz, cy), times(-yz, cx)),
    )
    return f, add(n, cross(mc, a))


def generalised_force(posture: Posture, v_dot: Sequence[Expr], gravity: Vector) -> list[Expr]:
    """What must act along the freedoms for the accelerations v̇, against gravity and inertia."""
    links = posture.links
    wrenches = [inertial_wrench(link.mass, m) for link, m in zip(links, motions(posture, v_dot, gravity), strict=True)]
    efforts: list[Expr] = [0.0] * len(posture.v)
    for i in reversed(range(len(links))):
        for row, effort in enumerate(links[i].freedom.efforts(wrenches[i]), start=links[i].v):
            efforts[row] = effort
        above = links[i].parent
        if above != WORLD:
            f, n = posture.ways[i].wrench_up(wrenches[i])
            wrenches[above] = add(wrenches[above][0], f), add(wrenches[above][1], n)
    return efforts


# ------------------------------------------------------------------ momentum


def momentum(posture: Posture) -> tuple[Vector, Vector, Expr]:
    """Momentum ∫ ṙ dm, angular momentum ∫ r × ṙ dm about the world's origin, kinetic energy ∫ ṙ²/2 dm."""
    links, ways, v = posture.links, posture.ways, posture.v
    twists: list[tuple[Vector, Vector]] = []
    moved: list[Wrench] = []
    twice: Expr = 0.0
    for link, way in zip(links, ways, strict=True):
        w, r_dot = (ZERO, ZERO) if link.parent == WORLD else twists[link.parent]
        r_dot, w = way.down(add(r_dot, cross(w, link.r))), way.down(w)
        r_dot = add(r_dot, add(cross(w, (0.0, 0.0, way.along)), link.freedom.glide(link.own(v))))
        w = add(w, link.freedom.spin(link.own(v)))
        twists.append((w, r_dot))
        m, mc, J = link.mass.m, link.mass.mc, link.mass.J
        spin = subtract(scale(total(J[0], J[1], J[2]), w), apply(matrix_of(J), w))
        p, L = add(scale(m, r_dot), cross(w, mc)), add(cross(mc, r_dot), spin)
        twice = plus(twice, plus(dot(p, r_dot), dot(L, w)))
        moved.append((p, L))
    result: Wrench = (ZERO, ZERO)
    for i in reversed(range(len(moved))):
        (p, L), above = ways[i].wrench_up(moved[i]), links[i].parent
        if above == WORLD:
            result = add(result[0], p), add(result[1], L)
        else:
            moved[above] = add(moved[above][0], p), add(moved[above][1], L)
    return *result, times(0.5, twice)
