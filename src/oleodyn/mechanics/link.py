"""Links: a mechanism reduced to elementary freedoms, with frames and masses chosen for few operations.

Bodies that are bolted together share a link. Link frames follow Denavit and Hartenberg (z along
the freedom, x along the common normal towards the next), so that most constants are 0 or 1. Mass
that a freedom cannot move (on the axis of a turn) goes to the link before. Neither changes the
motion: bodies keep their own frames as seats on their links.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from oleodyn.machine.part import Expr
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.freedom import Ball, Freedom, Slide, Turn
from oleodyn.mechanics.joint import Joint
from oleodyn.mechanics.moments import Moments, moments
from oleodyn.mechanics.rotation import ROUNDING, cleaned, rotation, turned, turned_back, unit, with_z_along, zxz
from oleodyn.mechanics.rotation import Turn as Angle
from oleodyn.mechanics.vector import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    add,
    apply,
    dot,
    dyad,
    outer,
    product,
    scale,
    subtract,
    transposed,
)

WORLD = -1


@dataclass(frozen=True)
class Seat:
    """A frame fixed to a link: R and r of the frame in the link's frame."""

    link: int
    R: Matrix = IDENTITY
    r: Vector = ZERO

    def at(self, R: Matrix, r: Vector) -> "Seat":
        """The frame that sits at (R, r) in this one."""
        return Seat(self.link, cleaned(product(self.R, R)), rounded(add(self.r, apply(self.R, r))))


@dataclass(frozen=True)
class Link:
    """One freedom and what moves with it.

    parent   index of the link before; −1 is the world
    q, v     where its coordinates and speeds begin
    R, r     its frame in the parent's at q = 0, but for what lies along its own z:
    along    how far it then sits along its own z (a Slide adds its coordinate)
    turns    R as turns about single axes, the outermost first; a Turn's last one is its offset
    offset   the angle (cosine, sine and value) that a Turn adds to q
    mass     moments about its origin, without what the link before has taken
    """

    joint: str
    freedom: Freedom
    parent: int
    q: int
    v: int
    R: Matrix
    r: Vector
    along: float = 0.0
    turns: tuple[Angle, ...] = ()
    offset: Angle = (2, 1.0, 0.0)
    mass: Moments = field(default_factory=Moments)

    def own(self, v: Sequence[Expr]) -> Sequence[Expr]:
        """Its part of the speeds, or of accelerations."""
        return v[self.v : self.v + len(self.freedom.v)]


@dataclass(frozen=True)
class Skeleton:
    """All links, parents first; where each body sits; and the masses that never move."""

    links: tuple[Link, ...]
    seats: Mapping[str, Seat]
    joints: Mapping[str, Seat]
    """joint → its frame after the motion, on the child's link"""
    still: Moments


def skeleton(bodies: Mapping[str, Body], joints: Mapping[str, Joint], order: list[str]) -> Skeleton:
    """The links of a mechanism; `order` names its joints, parents first."""
    links, seats, frames = [], {"world": Seat(WORLD)}, {}
    q, v = _places(joints)
    for name in order:
        joint = joints[name]
        seat = seats[joint.parent].at(rotation(joint.orientation), joint.position)
        at_q, at_v = q[name], v[name]
        for freedom in joint.freedoms():
            R = with_z_along(unit(freedom.axis)) if not isinstance(freedom, Ball) else IDENTITY
            seat = seat.at(R, ZERO)
            links.append(Link(name, freedom, seat.link, at_q, at_v, seat.R, seat.r))
            seat = Seat(len(links) - 1, transposed(R))
            at_q, at_v = at_q + len(freedom.q), at_v + len(freedom.v)
        frames[name] = seat
        back = transposed(rotation(joint.child_orientation))
        seats[joint.child] = seat.at(back, scale(-1.0, apply(back, joint.child_position)))
    links, shifts = _aligned(links)
    seats = {name: _reseated(seat, shifts) for name, seat in seats.items()}
    frames = {name: _reseated(seat, shifts) for name, seat in frames.items()}
    links, still = _regrouped(links, bodies, seats)
    return Skeleton(tuple(links), seats, frames, still)


def rounded(r: Vector) -> Vector:
    """r without the 1e-17 that rotating constants leaves."""
    x, y, z = (0.0 if type(a) is float and abs(a) < ROUNDING else a for a in r)
    return x, y, z


def _places(joints: Mapping[str, Joint]) -> tuple[dict[str, int], dict[str, int]]:
    """Where each joint's coordinates and speeds begin, in the order in which joints are declared."""
    q, v, at_q, at_v = {}, {}, 0, 0
    for name, joint in joints.items():
        q[name], v[name] = at_q, at_v
        at_q += sum(len(freedom.q) for freedom in joint.freedoms())
        at_v += sum(len(freedom.v) for freedom in joint.freedoms())
    return q, v


# ------------------------------------------------------------------ frames


@dataclass(frozen=True)
class _Shift:
    """How a link's frame moves along and about its own z."""

    turn: Angle = (2, 1.0, 0.0)
    h: float = 0.0

    def matrix(self) -> Matrix:
        """The turn as a matrix."""
        x, y, z = (turned(self.turn, e) for e in IDENTITY)
        return transposed((x, y, z))


def _aligned(links: list[Link]) -> tuple[list[Link], list[_Shift]]:
    """Links in Denavit-Hartenberg frames, and how far each frame has moved for that."""
    first: dict[int, Link] = {}
    for link in links:
        first.setdefault(link.parent, link)
    result: list[Link] = []
    shifts: list[_Shift] = []
    for i, link in enumerate(links):
        R, r = link.R, link.r
        if link.parent != WORLD:
            before = shifts[link.parent]
            R = cleaned(product(transposed(before.matrix()), R))
            r = rounded(turned_back(before.turn, subtract(r, (0.0, 0.0, before.h))))
        shift = _shift(link.freedom, R, r, links, link.parent, first.get(i))
        shifts.append(shift)
        r = rounded(add(r, scale(shift.h, transposed(R)[2])))
        R = cleaned(product(R, shift.matrix()))
        r, along = _split_offset(R, r, link.freedom)
        result.append(replace(link, R=R, r=r, along=along, **_as_turns(R, link.freedom)))
    return result, shifts


def _shift(freedom: Freedom, R: Matrix, r: Vector, links: list[Link], parent: int, child: Link | None) -> _Shift:
    """The frame along z that makes the way to the first child simplest, else the way from the parent."""
    if isinstance(freedom, Ball):
        return _Shift()
    turn, h = None, None
    if child is not None and not isinstance(child.freedom, Ball):
        turn = _towards(child)
        if isinstance(child.freedom, Turn) and isinstance(freedom, Turn):
            h = _foot(child.r, transposed(child.R)[2])
    if turn is None:
        _, c, s = zxz(R)[2]
        turn = (2, c, -s)
    if h is None:
        h = _nearest(R, r, parent != WORLD and isinstance(links[parent].freedom, Turn))
    return _Shift(turn, h)


def _towards(child: Link) -> Angle | None:
    """The turn about z that brings x across the child's axis; None where any will do."""
    first, bend, _ = zxz(child.R)
    if bend[2] != 0.0:
        return first
    x, y, _ = child.r
    size = math.hypot(x, y)
    if size == 0.0 or not isinstance(child.freedom, Turn):
        return None
    if x < 0 or (x == 0 and y < 0):
        x, y = -x, -y
    return 2, clean_ratio(x, size), clean_ratio(y, size)


def clean_ratio(a: float, b: float) -> float:
    """a / b, snapped to −1, 0 and 1."""
    ratio = a / b
    return float(round(ratio)) if abs(ratio - round(ratio)) <= ROUNDING else ratio


def _foot(r: Vector, n: Vector) -> float | None:
    """Height on z of the common normal of z and the line r + t n; None if they are parallel."""
    k = n[2]
    across = 1.0 - k * k
    return (r[2] - k * dot(r, n)) / across if across > 1e-12 else None


def _nearest(R: Matrix, r: Vector, axis_before: bool) -> float:
    """Where on its own axis a link's origin lies nearest to the axis, or the origin, before it."""
    n = transposed(R)[2]
    k, along = n[2], dot(r, n)
    if axis_before and 1.0 - k * k > 1e-12:
        return (k * r[2] - along) / (1.0 - k * k)
    return -along


def _split_offset(R: Matrix, r: Vector, freedom: Freedom) -> tuple[Vector, float]:
    """r as a part across the link's z and a part along it, where that leaves fewer numbers."""
    n = transposed(R)[2]
    along = dot(r, n)
    across = rounded(subtract(r, scale(along, n)))
    if isinstance(freedom, Ball) or along == 0.0 or sum(map(bool, across)) + 1 >= sum(map(bool, r)):
        return r, 0.0
    return across, along


def _as_turns(R: Matrix, freedom: Freedom) -> dict[str, object]:
    """R as turns about z, x and z; the last one joins a Turn's own angle."""
    turns = zxz(R)
    offset = (2, 1.0, 0.0)
    if isinstance(freedom, Turn):
        *turns, offset = turns
    return {"turns": tuple(turn for turn in turns if turn[1] != 1.0), "offset": offset}


def _reseated(seat: Seat, shifts: list[_Shift]) -> Seat:
    if seat.link == WORLD:
        return seat
    shift = shifts[seat.link]
    R = cleaned(product(transposed(shift.matrix()), seat.R))
    return Seat(seat.link, R, rounded(turned_back(shift.turn, subtract(seat.r, (0.0, 0.0, shift.h)))))


# ------------------------------------------------------------------ masses


def _regrouped(links: list[Link], bodies: Mapping[str, Body], seats: Mapping[str, Seat]) -> tuple[list[Link], Moments]:
    """Links with their masses, each without what its freedom cannot move, and what stands still.

    A turn about z moves no point of its axis: masses m at heights h there, with moments m, Σmh z
    and Σmh² z zᵀ, may as well sit on the link before. A slide does not move what has neither mass
    nor first moment; a ball does not move its centre.
    """
    mass = {i: Moments() for i in range(WORLD, len(links))}
    for name, body in bodies.items():
        mass[seats[name].link] += moments(body).placed(seats[name].R, seats[name].r)
    for i in reversed(range(len(links))):
        link, own = links[i], tidy(mass[i])
        kept, given = _split(link, own)
        mass[i] = kept
        mass[link.parent] += given
    return [replace(link, mass=mass[i]) for i, link in enumerate(links)], mass[WORLD]


def _split(link: Link, own: Moments) -> tuple[Moments, Moments]:
    """What a link keeps, in its frame, and what it gives to the link before, in that one's."""
    m, mc, J = own.m, own.mc, own.J
    n = transposed(link.R)[2]
    r = add(link.r, scale(link.along, n))
    at_origin = Moments(m).shifted(r)
    if isinstance(link.freedom, Ball):
        return Moments(0.0, mc, J), at_origin
    if isinstance(link.freedom, Slide):
        return Moments(m, mc), Moments(0.0, ZERO, J).placed(link.R, ZERO)
    first = scale(mc[2], n)
    on_axis = Moments(0.0, first, outer(r, first)) + Moments(0.0, ZERO, dyad(J[2], n))
    return Moments(0.0, (mc[0], mc[1], 0.0), (J[0], J[1], 0.0, J[3], J[4], J[5])), at_origin + on_axis


def tidy(own: Moments) -> Moments:
    """Moments without entries that are rounding of the others."""
    mc, J = _tidy(own.mc), _tidy(own.J)
    return Moments(own.m, (mc[0], mc[1], mc[2]), (J[0], J[1], J[2], J[3], J[4], J[5]))


def _tidy(entries: Sequence[Expr]) -> list[Expr]:
    size = max((abs(e) for e in entries if type(e) is float), default=0.0)
    return [0.0 if type(e) is float and abs(e) <= 4 * ROUNDING * size else e for e in entries]


def path_up(links: tuple[Link, ...], link: int, ancestor: int) -> Iterator[int]:
    """The links from `link` up to, but without, one of its ancestors."""
    while link != ancestor:
        yield link
        link = links[link].parent


def common_ancestor(links: tuple[Link, ...], a: int, b: int) -> int:
    """The last link that both hang on: parents have smaller indices than children."""
    while a != b:
        if a > b:
            a = links[a].parent
        else:
            b = links[b].parent
    return a
