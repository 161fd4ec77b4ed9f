"""Kinematics and dynamics of a mechanism on its own: for numbers or symbols, without a machine."""

from collections.abc import Sequence

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Expr, nearest
from oleodyn.mechanics.mass_matrix import mass_matrix
from oleodyn.mechanics.mechanism import Mechanism, frame_seat
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.resistance import Resistance
from oleodyn.mechanics.tree import generalised_force
from oleodyn.mechanics.vector import Matrix, Vector, minus


def forward_kinematics(mechanism: Mechanism, q: Sequence[Expr]) -> dict[str, tuple[Vector, Matrix]]:
    """Position [m] and rotation of every frame in the world, by name, at the coordinates q.

    >>> from oleodyn.mechanics.body import Body
    >>> from oleodyn.mechanics.frame import Frame
    >>> from oleodyn.mechanics.joint import Revolute
    >>> arm = Mechanism(
    ...     bodies={"arm": Body(mass=1.0)},
    ...     joints={"pin": Revolute(child="arm")},
    ...     frames={"tip": Frame(body="arm", position=(2.0, 0.0, 0.0))},
    ... )
    >>> forward_kinematics(arm, [0.5])["tip"][0]
    (1.7551651237807455, 0.958851077208406, 0.0)
    """
    posture = Posture(mechanism.skeleton(), q, [0.0] * len(mechanism.declaration().speeds))
    seats = {name: frame_seat(posture.bones, frame) for name, frame in mechanism.frames.items()}
    return {name: (posture.seen(seat)[0], posture.axes(seat)) for name, seat in seats.items()}


def frame_jacobian(mechanism: Mechanism, frame: str, q: Sequence[Expr]) -> list[list[Expr]]:
    """Six rows by one column per speed: (velocity, angular velocity) of a frame = J v, world axes."""
    if frame not in mechanism.frames:
        known = ", ".join(mechanism.frames) or "none"
        raise DeclarationError(f"no frame {frame!r}{nearest(frame, mechanism.frames) or '.'} Frames are {known}.")
    n = len(mechanism.declaration().speeds)
    columns: list[list[Expr]] = []
    posture = Posture(mechanism.skeleton(), q, [0.0] * n)
    seat = frame_seat(posture.bones, mechanism.frames[frame])
    for k in range(n):
        posture.v = [1.0 if i == k else 0.0 for i in range(n)]
        columns.append([*posture.seen(seat)[1], *posture.spin(seat.link)])
    return [[column[row] for column in columns] for row in range(6)]


def inverse_dynamics(mechanism: Mechanism, q: Sequence[Expr], v: Sequence[Expr], v_dot: Sequence[Expr]) -> list[Expr]:
    """What must act along the speeds, beside joint friction and stops, for the accelerations v̇."""
    posture = Posture(mechanism.skeleton(), q, v)
    resistance = Resistance(mechanism.freedoms(), q, v)
    efforts = generalised_force(posture, v_dot, mechanism.gravity)
    return [minus(effort, given) for effort, given in zip(efforts, resistance.force, strict=True)]


def mass(mechanism: Mechanism, q: Sequence[Expr]) -> list[list[Expr]]:
    """The mass matrix M(q), rows and columns in the order of the speeds."""
    return mass_matrix(Posture(mechanism.skeleton(), q, [0.0] * len(mechanism.declaration().speeds)))
