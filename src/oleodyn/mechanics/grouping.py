"""Grouping: mass that a freedom cannot move goes to the link before, which leaves fewer numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from oleodyn.machine.part import Expr
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.freedom import Ball, Slide
from oleodyn.mechanics.link import WORLD, Link, Seat
from oleodyn.mechanics.moments import Moments, moments
from oleodyn.mechanics.rotation import ROUNDING
from oleodyn.mechanics.vector import ZERO, add, dyad, outer, scale, transposed


def regrouped(links: list[Link], bodies: Mapping[str, Body], seats: Mapping[str, Seat]) -> tuple[list[Link], Moments]:
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
