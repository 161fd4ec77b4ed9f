"""Loops: joints that close a chain of bodies, distances that are kept, motions that are prescribed."""

from collections.abc import Mapping

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Expr, Part, ingredient, parameter, structure
from oleodyn.maths import sin
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.freedom import Freedom
from oleodyn.mechanics.joint import Joint, Prismatic, Revolute
from oleodyn.mechanics.link import Seat, Skeleton
from oleodyn.mechanics.locks import LOCKS, Axes, Row, axes_of, headroom, turns
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.reaction import Loads
from oleodyn.mechanics.rotation import rotation, unit, with_z_along
from oleodyn.mechanics.skeleton import skeleton
from oleodyn.mechanics.topology import check_body, order
from oleodyn.mechanics.vector import ZERO, Vector, add, cross, dot, length, minus, scale, subtract, transposed

FLIPPED = 1e-12
"""Below this, 1 + cos θ of the sides of a joint is zero but for rounding."""


class Motion(Part):
    """A prescribed motion over time.

    Equations   s(t) = offset + speed t + amplitude sin(w t + phase)
    References  [1] Nikravesh (1988) Computer-Aided Analysis of Mechanical Systems, ch. 7: driver constraints.
    """

    offset: float = parameter("rad|m", "value at t = 0 without the sine", default=0.0)
    speed: float = parameter("rad/s|m/s", "steady speed", default=0.0)
    amplitude: float = parameter("rad|m", "amplitude of the sine", default=0.0)
    w: float = parameter("rad/s", "angular frequency of the sine", default=0.0)
    phase: float = parameter("rad", "phase of the sine at t = 0", default=0.0)

    def at(self, t: Expr) -> Expr:
        """The value at a time."""
        return self.offset + self.speed * t + self.amplitude * sin(self.w * t + self.phase)


class Distance(Part):
    """A massless rod with ball joints: keeps the distance between two points.

    Equations   |r_PC| − length − s(t) = 0;   s = 0 without a motion, and with one λ ṡ is the power it takes
    Limits      the length must not be 0: use a Spherical joint.
    References  [1] Nikravesh (1988) Computer-Aided Analysis of Mechanical Systems, ch. 7.
    """

    parent: str = structure("body at one end, or world", default="world")
    child: str = structure("body at the other end")
    position: Vector = parameter("m", "the point on the parent, in its frame", shape=(3,), default=ZERO)
    child_position: Vector = parameter("m", "the point on the child, in its frame", shape=(3,), default=ZERO)
    length: float = parameter("m", "distance between the points", above=0)
    motion: Motion | None = ingredient("what is added to the length over time", default=None)


class Drive(Part):
    """A joint that is made to move: its coordinate follows a motion, whatever it takes.

    Equations   q − s(t) = 0;   its multiplier is minus the torque (force) of the drive
    References  [1] Nikravesh (1988) Computer-Aided Analysis of Mechanical Systems, ch. 7: driver constraints.
    """

    joint: str = structure("revolute or prismatic joint of the tree")
    motion: Motion = ingredient("where the joint is over time")


Loop = Joint | Distance | Drive
"""What closes a loop: a joint taken out of the tree, a distance, or a drive."""


def count(loop: Loop) -> int:
    """How many constraints a loop has."""
    if isinstance(loop, (Distance, Drive)):
        return 1
    along, turned = LOCKS[type(loop)]
    return len(along) + turned


def check_loops(loops: Mapping[str, Loop], bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """Loops join bodies that exist, with joints that can be cut."""
    for name, loop in loops.items():
        where = f"Mechanism.loops.{name}"
        if isinstance(loop, Drive):
            if not isinstance(joints.get(loop.joint), (Revolute, Prismatic)):
                raise DeclarationError(f"{where}.joint = {loop.joint!r}: must name a Revolute or Prismatic joint")
            continue
        if not isinstance(loop, Distance) and type(loop) not in LOCKS:
            kinds = ", ".join(sorted([*(kind.__name__ for kind in LOCKS), "Distance", "Drive"]))
            raise DeclarationError(f"{where} = {type(loop).__name__}: cannot close a loop. Use {kinds}.")
        check_body(f"{where}.parent", loop.parent, bodies)
        check_body(f"{where}.child", loop.child, bodies)
        if loop.parent == loop.child:
            raise DeclarationError(f"{where}: joins {loop.child!r} to itself. Join two different bodies.")
        _refuse_spare(where, loop)
    _refuse_flipped(loops, bodies, joints)


def _refuse_spare(where: str, loop: Part) -> None:
    """A cut joint has no coordinate: friction, stops and starts belong to joints of the tree."""
    for name in loop.fields:
        value = getattr(loop, name)
        if (name.endswith(("damping", "_0")) and value not in (0.0, (1.0, 0.0, 0.0, 0.0), ZERO)) or (
            "stop" in name and value is not None
        ):
            raise DeclarationError(
                f"{where}.{name}: a joint that closes a loop has none. Put it on a joint of the tree."
            )


def _refuse_flipped(loops: Mapping[str, Loop], bodies: Mapping[str, Body], joints: Mapping[str, Joint]) -> None:
    """No cut joint sits the wrong way round for good, as across a plane mechanism."""
    cut = {name: loop for name, loop in loops.items() if isinstance(loop, Joint)}
    if not cut:
        return
    bones = skeleton(bodies, joints, order(joints))
    freedoms = [freedom for joint in joints.values() for freedom in joint.freedoms()]
    postures = [Posture(bones, _bent(freedoms, by), [0.0] * len(bones.links) * 3) for by in (0.37, -0.61)]
    for name, loop in cut.items():
        if all(abs(headroom(loop, *sides(posture, loop)[2])) < FLIPPED for posture in postures):
            raise DeclarationError(
                f"Mechanism.loops.{name}: {loop.child!r} sits in it half a turn from where it belongs on "
                f"{loop.parent!r}, however the joints of the tree move. Turn its orientation or child_orientation by "
                "half a turn."
            )


def _bent(freedoms: list[Freedom], by: float) -> list[float]:
    """The start, with every joint moved by an amount of its own."""
    return [
        x
        for i, freedom in enumerate(freedoms)
        for x in freedom.moved(freedom.q_0, [by / (1 + 0.3 * i + 0.1 * k) for k in range(len(freedom.v))])
    ]


class Closure:
    """One loop of a mechanism at a posture and a time: its constraints, and what it does to the bodies."""

    def __init__(self, posture: Posture, loop: Joint | Distance, t: Expr = 0.0):
        self.posture, self.loop, self.t = posture, loop, t
        (self.parent, self.child), self.ancestor, self.axes = sides(posture, loop)
        self.d = posture.apart(self.parent, self.child)[0]
        self.rows = self._rod() if isinstance(loop, Distance) else self._locks()

    def _rod(self) -> list[Row]:
        assert isinstance(self.loop, Distance)
        reach, motion = length(self.d), self.loop.motion
        kept = self.loop.length if motion is None else self.loop.length + motion.at(self.t)
        return [Row(minus(reach, kept), F=scale(1 / reach, self.d))]

    def _locks(self) -> list[Row]:
        assert isinstance(self.loop, Joint)
        kept = [self.axes[0]["xyz".index(k)] for k in LOCKS[type(self.loop)][0]]
        return [*(Row(dot(axis, self.d), F=axis) for axis in kept), *turns(self.loop, *self.axes)]

    def reaction(self, lam: list[Expr]) -> tuple[Vector, Vector]:
        """Force and moment of the parent on the child at the joint, in the axes of `ancestor`."""
        F, tau = ZERO, ZERO
        for row, multiplier in zip(self.rows, lam, strict=True):
            F, tau = add(F, scale(-multiplier, row.F)), add(tau, scale(-multiplier, row.tau))
        return F, tau

    def load(self, loads: Loads, lam: list[Expr]) -> None:
        """Put what the loop does on both bodies."""
        F, tau = self.reaction(lam)
        loads.push(self.loop.child, self.child, F, tau, ancestor=self.ancestor)
        against = subtract(scale(-1.0, tau), cross(self.d, F))
        loads.push(self.loop.parent, self.parent, scale(-1.0, F), against, ancestor=self.ancestor)

    def told(self, lam: list[Expr]) -> tuple[Vector, Vector]:
        """The reaction on the child as joints of the tree tell it: in the joint's axes on the child."""
        turned = getattr(self.loop, "child_orientation", ZERO)
        seat = self.posture.bones.seats[self.loop.child].at(rotation(turned), self.loop.child_position)
        axes = transposed(self.posture.axes(seat, self.ancestor))
        F, tau = self.reaction(lam)
        return tuple(dot(axis, F) for axis in axes), tuple(dot(axis, tau) for axis in axes)


def sides(posture: Posture, loop: Joint | Distance) -> tuple[tuple[Seat, Seat], int, tuple[Axes, Axes]]:
    """Both sides of a loop, the last link that they hang on, and their axes seen from there."""
    both = seats(posture.bones, loop)
    ancestor = posture.apart(*both)[2]
    a, b = (transposed(posture.axes(seat, ancestor)) for seat in both)
    return both, ancestor, (a, b)


def seats(bones: Skeleton, loop: Joint | Distance) -> tuple[Seat, Seat]:
    """The two sides of a loop, z along the joint's axis."""
    at = bones.seats[loop.parent], bones.seats[loop.child]
    if isinstance(loop, Distance):
        return at[0].at(rotation(ZERO), loop.position), at[1].at(rotation(ZERO), loop.child_position)
    parent = at[0].at(rotation(loop.orientation), loop.position)
    child = at[1].at(rotation(loop.child_orientation), loop.child_position)
    first, second = axes_of(loop)
    return parent.at(with_z_along(unit(first)), ZERO), child.at(with_z_along(unit(second)), ZERO)
