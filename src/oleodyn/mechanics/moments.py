"""Mass distributions as mass, first and second moment, which add up and move as points do."""

from dataclasses import dataclass

from oleodyn.machine.part import Expr
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.rotation import Turn, turned
from oleodyn.mechanics.vector import (
    NO_TENSOR,
    ZERO,
    Matrix,
    Tensor,
    Vector,
    add,
    add_tensor,
    apply,
    dyad,
    minus,
    outer,
    plus,
    scale,
    tensor_of,
    times,
    total,
)


@dataclass(frozen=True)
class Moments:
    """Mass m = ∫dm, first moment mc = ∫r dm, second moment J = ∫r rᵀ dm about an origin.

    The inertia is tr(J) 1 − J. A distribution moves to another frame as its points do; some of it
    may be negative: what counts is the sum over a mechanism.
    """

    m: Expr = 0.0
    mc: Vector = ZERO
    J: Tensor = NO_TENSOR

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(plus(self.m, other.m), add(self.mc, other.mc), add_tensor(self.J, other.J))

    def shifted(self, r: Vector) -> "Moments":
        """The same masses, every point moved by r."""
        J = add_tensor(self.J, add_tensor(outer(r, self.mc), dyad(self.m, r)))
        return Moments(self.m, add(self.mc, scale(self.m, r)), J)

    def placed(self, R: Matrix, r: Vector) -> "Moments":
        """The same masses seen from a frame in which this one sits at (R, r)."""
        return Moments(self.m, apply(R, self.mc), rotated(R, self.J)).shifted(r)


def moments(body: Body) -> Moments:
    """A body's moments about the origin of its frame."""
    half = times(0.5, total(body.inertia[0][0], body.inertia[1][1], body.inertia[2][2]))
    xx, yy, zz, xy, xz, yz = tensor_of(body.inertia)
    central = (minus(half, xx), minus(half, yy), minus(half, zz), minus(0.0, xy), minus(0.0, xz), minus(0.0, yz))
    return Moments(body.mass, ZERO, central).shifted(body.com)


def rotated(R: Matrix, J: Tensor) -> Tensor:
    """R J Rᵀ."""
    xx, yy, zz, xy, xz, yz = J
    rows = [apply(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), row) for row in R]

    def entry(i: int, j: int) -> Expr:
        a, b = R[i], rows[j]
        return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))

    return entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)


def turned_moment(turn: Turn, J: Tensor) -> Tensor:
    """R J Rᵀ for a turn about x or z."""
    axis, c, s = turn
    xx, yy, zz, xy, xz, yz = J
    if axis == 2:
        xx, yy, xy = _turned_plane(c, s, xx, yy, xy)
        xz, yz, _ = turned((2, c, s), (xz, yz, 0.0))
    else:
        yy, zz, yz = _turned_plane(c, s, yy, zz, yz)
        xy, xz, _ = turned((2, c, s), (xy, xz, 0.0))
    return xx, yy, zz, xy, xz, yz


def _turned_plane(c: Expr, s: Expr, aa: Expr, bb: Expr, ab: Expr) -> tuple[Expr, Expr, Expr]:
    """(aa, bb, ab) of a tensor turned in the plane of a and b; aa + bb stays."""
    p, r = minus(times(c, aa), times(s, ab)), minus(times(c, ab), times(s, bb))
    new = minus(times(c, p), times(s, r))
    return new, minus(plus(aa, bb), new), plus(times(s, p), times(c, r))
