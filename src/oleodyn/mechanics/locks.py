"""Locks: what joints keep when they close a loop, written so that it holds in the right assembly alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from oleodyn.machine.part import Expr
from oleodyn.maths import sign, where
from oleodyn.mechanics.joint import Cylindrical, Fixed, Joint, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.rotation import unit
from oleodyn.mechanics.vector import ZERO, Vector, add, cross, dot, minus, plus, scale, subtract, times

Axes = Sequence[Vector]


@dataclass(frozen=True)
class Row:
    """One constraint Φ = 0 and its force: on the child F at `point` and tau, the opposite on the parent.

    Both per unit of −λ, in the axes of `ancestor`. A drive acts inside its joint and has no force here.
    """

    Phi: Expr
    F: Vector = ZERO
    tau: Vector = ZERO


def quotient(up: Expr, down: Expr, up_turn: Vector, down_turn: Vector) -> Row:
    """Φ = 2 up / down, from what a turn of the child does to both.

    Equations   τ = ∂Φ/∂ω = (2 ∂up/∂ω − Φ ∂down/∂ω) / down
    """
    if type(up) is float and up == 0.0 and not isinstance(down, float):
        return Row(0.0)  # nothing turns this way
    Phi = times(2 / down, up)
    return Row(Phi, tau=subtract(scale(2 / down, up_turn), scale(times(Phi, 1 / down), down_turn)))


def bolted(a: Axes, b: Axes) -> list[Row]:
    """The axes b along the axes a: zero there alone, without bound towards half a turn.

    Equations   Φ = 2 (a_i·b_j − a_j·b_i) / (1 + Σ a_k·b_k), ij = xy, yz, zx: −2 tan(θ/2) n
                within a plane, where one axis is along its own whatever moves: see `hinged`
    References  [1] Shuster (1993) J. Astronaut. Sci. 41, 439-517: the Rodrigues vector tan(θ/2) n.

    >>> x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    >>> [row.Phi for row in bolted((x, y, z), (y, z, x))]
    [-2.0, -2.0, -2.0]
    """
    flat = [k for k in range(3) if _one(dot(a[k], b[k]))]
    if flat:
        i, j = (flat[0] + 1) % 3, (flat[0] + 2) % 3
        return [hinged(a, b, i, j) if n == i else Row(0.0) for n in range(3)]
    down, down_turn = room(a, b), ZERO
    for mine, other in zip(a, b, strict=True):
        down_turn = add(down_turn, cross(other, mine))
    rows = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        turn = subtract(cross(b[j], a[i]), cross(b[i], a[j]))
        rows.append(quotient(minus(dot(a[i], b[j]), dot(a[j], b[i])), down, turn, down_turn))
    return rows


def hinged(a: Axes, b: Axes, i: int, j: int) -> Row:
    """The axes b along the axes a, where all turns are about one axis: a third of the work of `bolted`.

    Equations   Φ = a_i·b_j = −sin θ up to a right angle, beyond it ∓2 + sin θ: zero at θ = 0 alone

    >>> plane = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    >>> turned = (-0.6, 0.8, 0.0), (-0.8, -0.6, 0.0), (0.0, 0.0, 1.0)
    >>> round(hinged(plane, turned, 0, 1).Phi, 12)
    -1.2
    """
    sine, cosine = dot(a[i], b[j]), dot(a[j], b[j])
    way, side = sign(cosine), where(sine < 0, -1.0, 1.0)
    return Row(plus(times(way, sine), times(minus(1.0, way), side)), tau=scale(way, cross(b[j], a[i])))


def _one(value: Expr) -> bool:
    """True if the value is 1 whatever moves."""
    return type(value) is float and abs(value - 1) < 1e-14


def room(a: Axes, b: Axes) -> Expr:
    """1 + Σ a_k·b_k = 2 (1 + cos θ): zero half a turn away."""
    total: Expr = 1.0
    for mine, other in zip(a, b, strict=True):
        total = plus(total, dot(mine, other))
    return total


def aligned(a: Axes, b: Axes) -> list[Row]:
    """The last axis of b along that of a, not against it; b may turn about it.

    Equations   Φ = 2 a_i·b_z / (1 + a_z·b_z), i = x, y: 2 tan(θ/2) for an angle θ between the axes
    """
    down, down_turn = plus(1.0, dot(a[2], b[2])), cross(b[2], a[2])
    return [quotient(dot(a[i], b[2]), down, cross(b[2], a[i]), down_turn) for i in (0, 1)]


def crossed(a: Axes, b: Axes, cosine: float = 0.0) -> list[Row]:
    """The angle between the last axes of a and b.

    Equations   Φ = a_z·b_z − cosine
    """
    return [Row(minus(dot(a[2], b[2]), cosine), tau=cross(b[2], a[2]))]


LOCKS: Mapping[type, tuple[str, int]] = {
    Spherical: ("xyz", 0),
    Revolute: ("xyz", 2),
    Fixed: ("xyz", 3),
    Prismatic: ("xy", 3),
    Cylindrical: ("xy", 2),
    Universal: ("xyz", 1),
}
"""What a cut joint keeps: displacement along these axes of the parent's side, z along the joint's
axis; and how many turns."""


def turns(joint: Joint, a: Axes, b: Axes) -> list[Row]:
    """What a joint keeps of the turn between its sides a (parent) and b (child)."""
    if isinstance(joint, Universal):
        return crossed(a, b, cosine(joint))
    return {0: lambda a, b: [], 2: aligned, 3: bolted}[LOCKS[type(joint)][1]](a, b)


def cosine(joint: Universal) -> float:
    """Of the angle that a cardan joint keeps between its axes."""
    return float(dot(unit(joint.axis_1), unit(joint.axis_2)))


def headroom(joint: Joint, a: Axes, b: Axes) -> Expr:
    """What vanishes where a joint's sides are half a turn from where they belong; 1 where all turns are free."""
    kept = LOCKS[type(joint)][1]
    return room(a, b) if kept == 3 else plus(1.0, dot(a[2], b[2])) if kept == 2 else 1.0


def axes_of(joint: Joint) -> tuple[Vector, Vector]:
    """What the last axis of each side lies along, in the joint's frame on its body."""
    if isinstance(joint, Universal):
        return joint.axis_1, joint.axis_2
    axis = getattr(joint, "axis", (0.0, 0.0, 1.0))
    return axis, axis
