"""Reactions: what each joint carries, by Newton and Euler for every body."""

from collections.abc import Mapping, Sequence

from oleodyn.mechanics.body import Body
from oleodyn.mechanics.freedom import Wrench
from oleodyn.mechanics.joint import Joint
from oleodyn.mechanics.link import WORLD, Seat, path_up
from oleodyn.mechanics.moments import moments
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.tree import Motion, inertial_wrench, resting
from oleodyn.mechanics.vector import ZERO, Vector, add, apply, cross, subtract, transposed


class Loads:
    """Forces from outside on bodies, each about the origin of the body's link, in link axes."""

    def __init__(self, posture: Posture):
        self.posture = posture
        self.on: dict[str, Wrench] = {}

    def push(self, body: str, seat: Seat, F: Vector, tau: Vector = ZERO, ancestor: int = WORLD) -> None:
        """A force at a seat's origin and a moment, both in the axes of an ancestor of its link."""
        F, tau = (self.posture.down(a, seat.link, ancestor) for a in (F, tau))
        f, n = self.on.get(body, (ZERO, ZERO))
        self.on[body] = add(f, F), add(n, add(tau, cross(seat.r, F)))


def reactions(
    loads: Loads,
    moving: Sequence[Motion],
    gravity: Vector,
    bodies: Mapping[str, Body],
    joints: Mapping[str, Joint],
    order: Sequence[str],
) -> dict[str, Wrench]:
    """What the parent exerts on the child through each joint, about it, in its axes after the motion.

    The component along a joint's freedom is what drives, friction and stops transmit there.
    """
    posture, bones = loads.posture, loads.posture.bones
    carried: dict[str, Wrench] = {"world": (ZERO, ZERO)}
    for name, body in bodies.items():
        seat = bones.seats[name]
        motion = resting(gravity) if seat.link == WORLD else moving[seat.link]
        f, n = inertial_wrench(moments(body).placed(seat.R, seat.r), motion)
        outside = loads.on.get(name, (ZERO, ZERO))
        carried[name] = subtract(f, outside[0]), subtract(n, outside[1])
    result: dict[str, Wrench] = {}
    for name in reversed(order):
        joint, at = joints[name], bones.joints[name]
        f, n = carried[joint.child]
        back = transposed(at.R)
        result[name] = apply(back, f), apply(back, subtract(n, cross(at.r, f)))
        for i in path_up(bones.links, at.link, bones.seats[joint.parent].link):
            f, n = posture.ways[i].wrench_up((f, n))
        above = carried[joint.parent]
        carried[joint.parent] = add(above[0], f), add(above[1], n)
    return result
