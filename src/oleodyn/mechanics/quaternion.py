"""Unit quaternions (w, x, y, z): orientations without gimbal lock.

R(q) turns child axes into parent axes; angular velocities are in child axes.
"""

import math

from oleodyn.machine.part import Expr
from oleodyn.maths import cos, sin, sqrt, where
from oleodyn.mechanics.vector import Matrix, Vector, dot, scale

Quaternion = tuple[Expr, Expr, Expr, Expr]


def matrix(q: Quaternion) -> Matrix:
    """R(q) of a unit quaternion.

    >>> matrix((1.0, 0.0, 0.0, 0.0))
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """
    w, x, y, z = q
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    return (
        (1.0 - (yy + zz), xy - wz, xz + wy),
        (xy + wz, 1.0 - (xx + zz), yz - wx),
        (xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """a ⊗ b: the rotation b, then a."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def rate(q: Quaternion, w: Vector) -> Quaternion:
    """q̇ = ½ q ⊗ (0, w), with the angular velocity w in child axes."""
    return product(q, (0.0, *scale(0.5, w)))


def exponential(delta: Vector) -> Quaternion:
    """The rotation by |δ| about δ: (cos |δ|/2, sin(|δ|/2)/|δ| δ), smooth through δ = 0.

    >>> exponential((0.0, 0.0, math.pi / 2))
    (0.7071067811865476, 0.0, 0.0, 0.7071067811865475)
    """
    square = dot(delta, delta)
    small = square < 0.01
    angle = sqrt(where(small, 1.0, square))
    # series of sin(√s/2)/√s and cos(√s/2): the first term left out is below 1e-18
    s = square / 4
    sine = 0.5 * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72))))
    cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90))))
    factor = where(small, sine, sin(angle / 2) / angle)
    return (where(small, cosine, cos(angle / 2)), *scale(factor, delta))


def moved(q: Quaternion, delta: Vector) -> Quaternion:
    """q ⊕ δ = q ⊗ exp(δ/2), of length one: δ is a small rotation in child axes."""
    w, x, y, z = product(q, exponential(delta))
    size = sqrt(w * w + x * x + y * y + z * z)
    return w / size, x / size, y / size, z / size


def from_rpy(rpy: Vector) -> tuple[float, float, float, float]:
    """The quaternion of roll, pitch and yaw in rad.

    >>> from_rpy((0.0, 0.0, math.pi))[3]
    1.0
    """
    roll, pitch, yaw = (angle / 2 for angle in rpy)
    about_x = (math.cos(roll), math.sin(roll), 0.0, 0.0)
    about_y = (math.cos(pitch), 0.0, math.sin(pitch), 0.0)
    about_z = (math.cos(yaw), 0.0, 0.0, math.sin(yaw))
    return product(about_z, product(about_y, about_x))
