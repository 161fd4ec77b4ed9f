"""The skeleton of a mechanism: from bodies and joints to links."""

from collections.abc import Mapping

from oleodyn.mechanics.alignment import aligned, reseated
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.freedom import Ball
from oleodyn.mechanics.grouping import regrouped
from oleodyn.mechanics.joint import Joint
from oleodyn.mechanics.link import WORLD, Link, Seat, Skeleton
from oleodyn.mechanics.rotation import rotation, unit, with_z_along
from oleodyn.mechanics.vector import IDENTITY, ZERO, apply, scale, transposed


def skeleton(bodies: Mapping[str, Body], joints: Mapping[str, Joint], order: list[str]) -> Skeleton:
    """The links of a mechanism; `order` names its joints, parents first."""
    links, seats, frames = [], {"world": Seat(WORLD)}, {}
    q, v = _places(joints)
    for name in order:
        joint = joints[name]
        seat = seats[joint.parent].at(rotation(joint.orientation), joint.position)
        at_q, at_v = q[name], v[name]
        for freedom in joint.freedoms():
            R = with_z_along(unit(freedom.axis)) if not isinstance(freedom, Ball) else IDENTITY
            seat = seat.at(R, ZERO)
            links.append(Link(name, freedom, seat.link, at_q, at_v, seat.R, seat.r))
            seat = Seat(len(links) - 1, transposed(R))
            at_q, at_v = at_q + len(freedom.q), at_v + len(freedom.v)
        frames[name] = seat
        back = transposed(rotation(joint.child_orientation))
        seats[joint.child] = seat.at(back, scale(-1.0, apply(back, joint.child_position)))
    links, shifts = aligned(links)
    seats = {name: reseated(seat, shifts) for name, seat in seats.items()}
    frames = {name: reseated(seat, shifts) for name, seat in frames.items()}
    links, still = regrouped(links, bodies, seats)
    return Skeleton(tuple(links), seats, frames, still)


def _places(joints: Mapping[str, Joint]) -> tuple[dict[str, int], dict[str, int]]:
    """Where each joint's coordinates and speeds begin, in the order in which joints are declared."""
    q, v, at_q, at_v = {}, {}, 0, 0
    for name, joint in joints.items():
        q[name], v[name] = at_q, at_v
        at_q += sum(len(freedom.q) for freedom in joint.freedoms())
        at_v += sum(len(freedom.v) for freedom in joint.freedoms())
    return q, v
