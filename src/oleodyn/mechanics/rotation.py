"""Rotations that are given as numbers: roll, pitch and yaw, axes, and turns about x and z."""

import math

from oleodyn.errors import DeclarationError
from oleodyn.mechanics.vector import (
    IDENTITY,
    Matrix,
    Vector,
    cross,
    dot,
    minus,
    plus,
    product,
    scale,
    times,
    transposed,
)

Turn = tuple[int, float, float]
"""A rotation about x (0), y (1) or z (2) by the angle of this cosine and sine."""

ROUNDING = 1e-15
"""Entries of a rotation this close to −1, 0 or 1 are taken to be −1, 0 or 1."""


def clean(number: float) -> float:
    """`number`, or −1, 0 or 1 where rounding alone keeps it from that.

    >>> clean(math.cos(math.pi / 2))
    0.0
    """
    whole = float(round(number)) if abs(number) < 1.5 else number
    return whole + 0.0 if abs(number - whole) <= ROUNDING else number


def cleaned(R: Matrix) -> Matrix:
    """A rotation without the 1e-17 that cosines of right angles leave."""
    x, y, z = ((clean(a), clean(b), clean(c)) for a, b, c in R)
    return x, y, z


def about(axis: int, angle: float) -> Matrix:
    """The rotation about x (0), y (1) or z (2)."""
    x, y, z = (turned((axis, clean(math.cos(angle)), clean(math.sin(angle))), column) for column in IDENTITY)
    return transposed((x, y, z))


def rotation(rpy: Vector) -> Matrix:
    """R = Rz(yaw) Ry(pitch) Rx(roll), from (roll, pitch, yaw) in rad.

    >>> rotation((0.0, 0.0, math.pi / 2))
    ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    """
    roll, pitch, yaw = rpy
    return cleaned(product(about(2, yaw), product(about(1, pitch), about(0, roll))))


def rpy(R: Matrix) -> tuple[float, float, float]:
    """(roll, pitch, yaw) in rad of a rotation matrix; at pitch = ±90° the roll is taken as 0.

    >>> rpy(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    (0.0, 0.0, 1.5707963267948966)
    """
    check_rotation(R)
    pitch = math.atan2(0.0 - R[2][0], math.hypot(R[0][0], R[1][0]))
    if math.hypot(R[0][0], R[1][0]) < ROUNDING:
        return 0.0, pitch, math.atan2(0.0 - R[0][1], R[1][1])
    return math.atan2(R[2][1], R[2][2]), pitch, math.atan2(R[1][0], R[0][0])


def check_rotation(R: Matrix) -> None:
    """Refuse a matrix whose columns are no right-handed set of unit vectors."""
    x, y, z = transposed(R)
    gaps = [dot(x, x) - 1, dot(y, y) - 1, dot(z, z) - 1, dot(x, y), dot(y, z), dot(z, x)]
    if max(map(abs, gaps)) > 1e-9:
        raise DeclarationError(
            f"rotation {R}: its columns are no orthogonal unit vectors (off by {max(map(abs, gaps)):.2g}). "
            "Normalise it, or give roll, pitch and yaw."
        )
    if dot(cross(x, y), z) < 0:
        raise DeclarationError(f"rotation {R}: is left-handed (determinant −1). Flip one of its axes.")


def modified_dh(alpha: float, a: float, d: float = 0.0, theta: float = 0.0) -> dict[str, Vector]:
    """Where a joint sits on the link before it, by modified (Craig) Denavit-Hartenberg numbers.

    T(i−1, i) = RotX(alpha) TransX(a) RotZ(theta) TransZ(d): alpha and a belong to the link
    before; theta is the angle at q = 0 of a revolute joint, d the offset at q = 0 of a prismatic
    one. The joint's axis is z. Use it as `Revolute(parent=..., child=..., **modified_dh(...))`.

    >>> modified_dh(alpha=-math.pi / 2, a=0.5, d=0.2)["position"]
    (0.5, 0.2, 0.0)
    """
    R = product(about(0, alpha), about(2, theta))
    x, y, z = scale(d, transposed(R)[2])
    return {"position": (a + x, y, z), "orientation": rpy(cleaned(R))}


def unit(a: Vector) -> Vector:
    """a / |a|, entries that rounding keeps from −1, 0 or 1 cleaned."""
    size = math.sqrt(dot(a, a))
    return clean(a[0] / size), clean(a[1] / size), clean(a[2] / size)


def with_z_along(n: Vector) -> Matrix:
    """A rotation whose third column is the unit vector n; the identity for n = z."""
    if n == (0.0, 0.0, 1.0):
        return IDENTITY
    x = unit(cross((0.0, 1.0, 0.0), n) if abs(n[1]) < 0.9 else cross(n, (1.0, 0.0, 0.0)))
    return transposed((x, cross(n, x), n))


# ------------------------------------------------------------------ turns about one axis


def turned(turn: Turn, a: Vector) -> Vector:
    """R a for a turn about one axis: its coordinates before → after."""
    axis, c, s = turn
    j, k = (axis + 1) % 3, (axis + 2) % 3
    b = list(a)
    b[j] = minus(times(c, a[j]), times(s, a[k]))
    b[k] = plus(times(s, a[j]), times(c, a[k]))
    return b[0], b[1], b[2]


def turned_back(turn: Turn, a: Vector) -> Vector:
    """Rᵀ a for a turn about one axis."""
    axis, c, s = turn
    j, k = (axis + 1) % 3, (axis + 2) % 3
    b = list(a)
    b[j] = plus(times(c, a[j]), times(s, a[k]))
    b[k] = minus(times(c, a[k]), times(s, a[j]))
    return b[0], b[1], b[2]


def zxz(R: Matrix) -> tuple[Turn, Turn, Turn]:
    """R as turns about z, x, z: R = Rz Rx Rz′, the first within ±90°; none where R keeps z."""
    n = transposed(R)[2]
    s = math.hypot(n[0], n[1])
    first = (2, 1.0, 0.0)
    if s > ROUNDING:
        s = -s if n[1] > 0 or (n[1] == 0 and n[0] < 0) else s
        first = (2, clean(-n[1] / s), clean(n[0] / s))
    x, y, z = (turned_back(first, column) for column in transposed(R))
    return first, (0, clean(z[2]), clean(-z[1])), (2, clean(x[0]), clean(-y[0]))
