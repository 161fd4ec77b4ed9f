"""Link frames after Denavit and Hartenberg: most of a mechanism's constants become 0 or 1.

z lies along the freedom, x along the common normal towards the next one. A turn and a slide do not
care where on their axis, and how turned about it, their frame is; a ball keeps the child's axes.
"""

import math
from dataclasses import dataclass, replace

from oleodyn.mechanics.freedom import Ball, Freedom, Turn
from oleodyn.mechanics.link import WORLD, Link, Seat, rounded
from oleodyn.mechanics.rotation import Turn as Angle
from oleodyn.mechanics.rotation import clean, cleaned, turned, turned_back, zxz
from oleodyn.mechanics.vector import IDENTITY, Matrix, Vector, add, dot, product, scale, subtract, transposed

OBLIQUE = 0.01
"""sin² of the angle between axes below which their common normal is not looked for: it may be far off."""


@dataclass(frozen=True)
class Shift:
    """How a link's frame moves along and about its own z."""

    turn: Angle = (2, 1.0, 0.0)
    h: float = 0.0

    def matrix(self) -> Matrix:
        """The turn as a matrix."""
        x, y, z = (turned(self.turn, e) for e in IDENTITY)
        return transposed((x, y, z))


def aligned(links: list[Link]) -> tuple[list[Link], list[Shift]]:
    """Links in Denavit-Hartenberg frames, and how far each frame has moved for that."""
    first: dict[int, Link] = {}
    for link in links:
        first.setdefault(link.parent, link)
    result: list[Link] = []
    shifts: list[Shift] = []
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


def _shift(freedom: Freedom, R: Matrix, r: Vector, links: list[Link], parent: int, child: Link | None) -> Shift:
    """The frame along z that makes the way to the first child simplest, else the way from the parent."""
    if isinstance(freedom, Ball):
        return Shift()
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
    return Shift(turn, h)


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
    return 2, clean(x / size), clean(y / size)


def _foot(r: Vector, n: Vector) -> float | None:
    """Height on z of the common normal of z and the line r + t n; None if they are almost parallel."""
    k = n[2]
    across = 1.0 - k * k
    return (r[2] - k * dot(r, n)) / across if across > OBLIQUE else None


def _nearest(R: Matrix, r: Vector, axis_before: bool) -> float:
    """Where on its own axis a link's origin lies nearest to the axis, or the origin, before it."""
    n = transposed(R)[2]
    k, along = n[2], dot(r, n)
    if axis_before and 1.0 - k * k > OBLIQUE:
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


def reseated(seat: Seat, shifts: list[Shift]) -> Seat:
    """A seat as its link's frame, once shifted, sees it."""
    if seat.link == WORLD:
        return seat
    shift = shifts[seat.link]
    R = cleaned(product(transposed(shift.matrix()), seat.R))
    return Seat(seat.link, R, rounded(turned_back(shift.turn, subtract(seat.r, (0.0, 0.0, shift.h)))))
