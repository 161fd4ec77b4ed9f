"""Links: what a mechanism consists of once bolted bodies are one and joints are elementary freedoms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from oleodyn.machine.part import Expr
from oleodyn.mechanics.freedom import Freedom
from oleodyn.mechanics.moments import Moments
from oleodyn.mechanics.rotation import ROUNDING, cleaned
from oleodyn.mechanics.rotation import Turn as Angle
from oleodyn.mechanics.vector import IDENTITY, ZERO, Matrix, Vector, add, apply, product

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


def rounded(r: Vector) -> Vector:
    """r without the 1e-17 that rotating constants leaves."""
    x, y, z = (0.0 if type(a) is float and abs(a) < ROUNDING else a for a in r)
    return x, y, z


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
