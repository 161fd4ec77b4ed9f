"""The mechanism: bodies, joints, frames and lines as one part of a machine."""

from collections.abc import Iterator
from functools import cached_property

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Declaration, Expr, Named, Part, Power, State, Terms, ingredients, parameter
from oleodyn.machine.port import Port
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.freedom import Freedom
from oleodyn.mechanics.inertia import Moments
from oleodyn.mechanics.joint import Joint
from oleodyn.mechanics.link import WORLD, Seat, Skeleton, skeleton
from oleodyn.mechanics.port import FramePort, LinePort
from oleodyn.mechanics.rotation import rotation
from oleodyn.mechanics.stop import act
from oleodyn.mechanics.topology import check_body, check_tree, order
from oleodyn.mechanics.tree import Hop, apart, generalised_force, hops, mass_matrix, seen, seen_axes, seen_spin
from oleodyn.mechanics.vector import IDENTITY, Vector, dot, length, minus, plus, times, total


class Mechanism(Part):
    """Rigid bodies on joints, in three dimensions.

    Equations   M(q) v̇ = f(q, v) + Σ Jᵀ F                       F: what comes through the ports
                q̇ = N(q) v;  q ⊕ δ turns a quaternion by δ     else q̇ = v, q + δ
    Names       a joint `elbow` has the coordinate elbow.q and the speed elbow.q_dot (cylindrical:
                slide, turn; universal: q_1, q_2; spherical: q_w q_x q_y q_z and w_x w_y w_z;
                floating: also r_x r_y r_z and v_x v_y v_z).
    Ports       `elbow` of a revolute or prismatic joint (cylindrical: elbow_slide, elbow_turn;
                universal: elbow_1, elbow_2), one of each frame and one of each line.
    References  [1] Featherstone (2008) Rigid Body Dynamics Algorithms.
    """

    gravity: Vector = parameter(
        "m/s²", "acceleration of free fall, in world axes", shape=(3,), default=(0.0, 0.0, -9.81)
    )
    bodies: Named = ingredients("the bodies, by name; `world` is always there")
    joints: Named = ingredients("the joints, by name: one for each body")
    frames: Named = ingredients("frames on bodies: ports for wrenches, and poses to look at")
    lines: Named = ingredients("lines between bodies: ports for cylinders and springs")

    def check(self) -> None:
        """The bodies make a tree; all names are good and different."""
        for field, kind in (("bodies", Body), ("joints", Joint), ("frames", Frame), ("lines", Line)):
            for name, item in getattr(self, field).items():
                if not isinstance(item, kind):
                    raise DeclarationError(f"Mechanism.{field}.{name} = {item!r}: must be a {kind.__name__}")
                if not name.replace("_", "").isalnum() or not name[:1].isalpha():
                    raise DeclarationError(
                        f"Mechanism.{field}.{name}: use letters, digits and _, beginning with a letter"
                    )
        check_tree(self.bodies, self.joints)
        for name, frame in self.frames.items():
            check_body(f"Mechanism.frames.{name}.body", frame.body, self.bodies)
        for name, line in self.lines.items():
            check_body(f"Mechanism.lines.{name}.from_body", line.from_body, self.bodies)
            check_body(f"Mechanism.lines.{name}.to_body", line.to_body, self.bodies)
            self._check_line(name, line)
        names = [name for name, _ in self._named_ports()]
        for name in names:
            if names.count(name) > 1:
                raise DeclarationError(
                    f"Mechanism: {name!r} names two ports (joints, frames, lines). Rename one of them."
                )

    def _check_line(self, name: str, line: Line) -> None:
        seats = self.skeleton().seats
        if seats[line.from_body].link == seats[line.to_body].link:
            raise DeclarationError(
                f"Mechanism.lines.{name}: {line.from_body!r} and {line.to_body!r} do not move against each other. "
                "Draw the line between two bodies with a joint that moves between them."
            )

    # ------------------------------------------------------------------ declaration

    @cached_property
    def _declaration(self) -> Declaration:
        coordinates, speeds = {}, {}
        for name, joint in self.joints.items():
            for freedom in joint.freedoms():
                unit, rate = freedom.units
                text = f"{freedom.nature} of joint {name}"
                coordinates |= {f"{name}.{q}": State(unit, text, kind="position") for q in freedom.q}
                speeds |= {f"{name}.{v}": State(rate, f"rate of the {text}", kind="speed") for v in freedom.v}
        return Declaration(ports=dict(self._named_ports()), coordinates=coordinates, speeds=speeds, outputs={})

    def declaration(self) -> Declaration:
        """Ports, coordinates, speeds and outputs of this instance."""
        return self._declaration

    def _named_ports(self) -> list[tuple[str, Port]]:
        ports: list[tuple[str, Port]] = []
        for name, joint in self.joints.items():
            for freedom in joint.freedoms():
                if freedom.port is not None:
                    text = f"{freedom.nature} of joint {name}"
                    ports.append((f"{name}{freedom.port}", freedom.port_type(text, optional=True)))
        ports += [
            (name, FramePort(f"frame {name} on {frame.body}", optional=True)) for name, frame in self.frames.items()
        ]
        ports += [
            (name, LinePort(f"line {name} from {line.from_body} to {line.to_body}", optional=True))
            for name, line in self.lines.items()
        ]
        return ports

    # ------------------------------------------------------------------ equations

    def skeleton(self) -> Skeleton:
        """The mechanism as links."""
        return skeleton(self.bodies, self.joints, order(self.bodies, self.joints))

    def equations(self) -> Terms:
        """Mass, force, kinematics, ports and energies."""
        q, v = self.q, self.v
        bones = self.skeleton()
        ways = hops(bones.links, q)
        bias = generalised_force(bones.links, ways, v, [0.0] * len(v), self.gravity)
        mass = mass_matrix(bones.links, ways, len(v))
        friction = _Friction(self)
        return Terms(
            mass=mass,
            force=[minus(applied, effort) for applied, effort in zip(friction.force, bias, strict=True)],
            q_dot=self._q_dot(q, v),
            plus=self._plus,
            hold=self._holds(bones, ways),
            start=self._start(),
            power=Power(lost=friction.lost),
            energy=dict(kinetic=_kinetic(mass, v), potential=self._potential(bones, ways), **friction.energy),
        )

    def freedoms(self) -> Iterator[tuple[str, Freedom, slice, slice]]:
        """(joint, freedom, its coordinates, its speeds), in order of declaration."""
        at_q = at_v = 0
        for name, joint in self.joints.items():
            for freedom in joint.freedoms():
                to_q, to_v = at_q + len(freedom.q), at_v + len(freedom.v)
                yield name, freedom, slice(at_q, to_q), slice(at_v, to_v)
                at_q, at_v = to_q, to_v

    def _q_dot(self, q: list[Expr], v: list[Expr]) -> list[Expr]:
        return [rate for _, freedom, at_q, at_v in self.freedoms() for rate in freedom.q_dot(q[at_q], v[at_v])]

    def _plus(self, q: list[Expr], delta: list[Expr]) -> list[Expr]:
        return [new for _, freedom, at_q, at_v in self.freedoms() for new in freedom.moved(q[at_q], delta[at_v])]

    def _start(self) -> dict[str, Expr]:
        start: dict[str, Expr] = {}
        for name, freedom, _, _ in self.freedoms():
            start |= {f"{name}.{q}": value for q, value in zip(freedom.q, freedom.q_0, strict=True)}
            start |= {f"{name}.{v}": value for v, value in zip(freedom.v, freedom.v_0, strict=True)}
        return start

    def _holds(self, bones: Skeleton, ways: list[Hop]) -> dict[str, dict[str, Expr]]:
        """What the ports share: angles and lengths, poses and twists, and their rates."""
        links, q, v = bones.links, self.q, self.v
        holds: dict[str, dict[str, Expr]] = {}
        for name, freedom, at_q, at_v in self.freedoms():
            if freedom.port is not None:
                holds[f"{name}{freedom.port}"] = freedom.held(q[at_q], v[at_v])
        for name, frame in self.frames.items():
            seat = frame_seat(bones, frame)
            r, r_dot = seen(links, ways, v, seat)
            holds[name] = dict(r=r, R=seen_axes(links, ways, seat), v=r_dot, w=seen_spin(links, ways, v, seat.link))
        for name, line in self.lines.items():
            r, r_dot = apart(links, ways, v, *line_seats(bones, line))
            s = length(r)
            holds[name] = dict(s=s, v=dot(r, r_dot) / s)
        return holds

    def _potential(self, bones: Skeleton, ways: list[Hop]) -> Expr:
        """−g · Σ m r."""
        mass = whole(bones, ways)
        return minus(0.0, dot(self.gravity, mass.mc))


def frame_seat(bones: Skeleton, frame: Frame) -> Seat:
    """Where a frame sits."""
    return bones.seats[frame.body].at(rotation(frame.orientation), frame.position)


def line_seats(bones: Skeleton, line: Line) -> tuple[Seat, Seat]:
    """Where a line begins and ends."""
    a, b = bones.seats[line.from_body], bones.seats[line.to_body]
    return a.at(IDENTITY, line.from_point), b.at(IDENTITY, line.to_point)


def whole(bones: Skeleton, ways: list[Hop]) -> Moments:
    """All moving and resting masses, seen from the world."""
    result = bones.still
    beyond = [link.mass for link in bones.links]
    for i in reversed(range(len(beyond))):
        above = bones.links[i].parent
        moved = ways[i].moments_up(beyond[i])
        if above == WORLD:
            result += moved
        else:
            beyond[above] += moved
    return result


def _kinetic(mass: list[list[Expr]], v: list[Expr]) -> Expr:
    """½ vᵀ M v."""
    momentum = [total(*(times(entry, rate) for entry, rate in zip(row, v, strict=True))) for row in mass]
    return times(0.5, total(*(times(p, rate) for p, rate in zip(momentum, v, strict=True))))


class _Friction:
    """Viscous friction and stops of all joints: force, power lost, energy stored."""

    def __init__(self, mechanism: Mechanism):
        self.force: list[Expr] = []
        self.lost: dict[str, Expr] = {}
        self.energy: dict[str, Expr] = {}
        q, v = mechanism.q, mechanism.v
        for name, freedom, at_q, at_v in mechanism.freedoms():
            path = f"{name}.{freedom.v[0].removesuffix('_dot')}" if freedom.port else name
            force = [minus(0.0, times(freedom.damping, rate)) for rate in v[at_v]]
            if not (type(freedom.damping) is float and freedom.damping == 0.0):
                self.lost[f"{path}.damping"] = total(*(times(times(freedom.damping, rate), rate) for rate in v[at_v]))
            if freedom.stop is not None:
                pushed, self.lost[f"{path}.stop"], self.energy[f"{path}.stop"] = act(
                    freedom.stop, q[at_q][0], v[at_v][0]
                )
                force = [plus(force[0], pushed)]
            self.force += force
