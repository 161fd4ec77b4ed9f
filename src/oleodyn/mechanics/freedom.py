"""Freedoms: one turn, one slide or one ball, of which every joint is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from oleodyn.machine.part import Expr
from oleodyn.machine.port import Port
from oleodyn.mechanics import quaternion
from oleodyn.mechanics.port import LinePort, RotationPort
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.mechanics.vector import ZERO, Matrix, Tensor, Vector, cross, minus, plus, transposed

Wrench = tuple[Vector, Vector]
"""(force, moment about the origin)."""


@dataclass(frozen=True, kw_only=True)
class Freedom:
    """One elementary motion of a joint. Child axes below are axes after this motion.

    q, v          names of its coordinates and of its speeds
    axis          direction in the joint frame
    port          what its port is called after the joint's name; None for no port
    q_0, v_0      where it starts
    damping       resistance per speed
    """

    q: tuple[str, ...] = ("q",)
    v: tuple[str, ...] = ("q_dot",)
    axis: Vector = (0.0, 0.0, 1.0)
    port: str | None = None
    q_0: tuple[float, ...] = (0.0,)
    v_0: tuple[float, ...] = (0.0,)
    damping: Expr = 0.0
    stop: RotationStop | LineStop | None = None

    units: ClassVar[tuple[str, str, str]] = ("rad", "rad/s", "N·m")
    """of coordinate, speed and force"""
    nature: ClassVar[str] = "angle"
    port_type: ClassVar[type[Port]] = RotationPort

    def path(self, joint: str) -> str:
        """What it is called among a mechanism's joints: elbow, post.slide, cardan.q_1."""
        first, *others = self.q
        return joint if others or first == "q" else f"{joint}.{first}"

    def spin(self, v: Sequence[Expr]) -> Vector:
        """Angular velocity of the child against its parent, in child axes."""
        return ZERO

    def glide(self, v: Sequence[Expr]) -> Vector:
        """Velocity of the child's origin against its parent, in child axes."""
        return ZERO

    def efforts(self, wrench: Wrench) -> list[Expr]:
        """The components of a wrench along this freedom."""
        raise TypeError(type(self))

    def pushes(self, m: Expr, mc: Vector, J: Tensor) -> list[Wrench]:
        """What it takes to accelerate a body (mass, first, second moment) by one, from rest."""
        raise TypeError(type(self))

    def screws(self, R: Matrix, r: Vector) -> list[tuple[Vector, Vector]]:
        """For a child at (R, r) the pairs (a, b): its efforts are a · n + b · f of a wrench (f, n) out there."""
        raise TypeError(type(self))

    def held(self, q: Sequence[Expr], v: Sequence[Expr]) -> dict[str, Expr]:
        """The port's across quantities."""
        return dict(zip(self.port_type.across, (q[0], v[0]), strict=True))

    def q_dot(self, q: Sequence[Expr], v: Sequence[Expr]) -> list[Expr]:
        """Rates of the coordinates."""
        return list(v)

    def moved(self, q: Sequence[Expr], delta: Sequence[Expr]) -> list[Expr]:
        """q ⊕ δ."""
        return [plus(a, b) for a, b in zip(q, delta, strict=True)]


class Turn(Freedom):
    """A turn by an angle about z of the child."""

    def spin(self, v):
        """θ̇ z."""
        return 0.0, 0.0, v[0]

    def efforts(self, wrench):
        """The moment about z."""
        return [wrench[1][2]]

    def pushes(self, m, mc, J):
        """f = z × mc, n = I z."""
        return [((minus(0.0, mc[1]), mc[0], 0.0), (minus(0.0, J[4]), minus(0.0, J[5]), plus(J[0], J[1])))]

    def screws(self, R, r):
        """(z, r × z)."""
        z = transposed(R)[2]
        return [(z, cross(r, z))]


class Slide(Freedom):
    """A slide along z of the child."""

    units = ("m", "m/s", "N")
    nature = "length"
    port_type = LinePort

    def glide(self, v):
        """ṡ z."""
        return 0.0, 0.0, v[0]

    def efforts(self, wrench):
        """The force along z."""
        return [wrench[0][2]]

    def pushes(self, m, mc, J):
        """f = m z, n = mc × z."""
        return [((0.0, 0.0, m), (mc[1], minus(0.0, mc[0]), 0.0))]

    def screws(self, R, r):
        """(0, z)."""
        return [(ZERO, transposed(R)[2])]


class Ball(Freedom):
    """Any rotation: a unit quaternion, and the angular velocity in child axes."""

    units = ("-", "rad/s", "N·m")
    nature = "orientation"

    def spin(self, v):
        """The speeds are the angular velocity."""
        return v[0], v[1], v[2]

    def efforts(self, wrench):
        """The moment."""
        return list(wrench[1])

    def pushes(self, m, mc, J):
        """f = e × mc, n = I e for each axis e."""
        (x, y, z), (xx, yy, zz, *products) = mc, J
        xy, xz, yz = (minus(0.0, product) for product in products)
        return [
            ((0.0, minus(0.0, z), y), (plus(yy, zz), xy, xz)),
            ((z, 0.0, minus(0.0, x)), (xy, plus(xx, zz), yz)),
            ((minus(0.0, y), x, 0.0), (xz, yz, plus(xx, yy))),
        ]

    def screws(self, R, r):
        """(e, r × e) for each axis e."""
        return [(e, cross(r, e)) for e in transposed(R)]

    def q_dot(self, q, v):
        """½ q ⊗ (0, ω)."""
        return list(quaternion.rate((q[0], q[1], q[2], q[3]), (v[0], v[1], v[2])))

    def moved(self, q, delta):
        """q ⊗ exp(δ/2)."""
        return list(quaternion.moved((q[0], q[1], q[2], q[3]), (delta[0], delta[1], delta[2])))
