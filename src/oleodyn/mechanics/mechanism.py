"""The mechanism: bodies, joints, frames and lines as one part of a machine."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import NONE, Declaration, Expr, Part, Power, State, Terms, ingredients, parameter
from oleodyn.machine.port import Port
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.freedom import Freedom
from oleodyn.mechanics.joint import Joint
from oleodyn.mechanics.lever import lever_arms, levers
from oleodyn.mechanics.link import Seat, Skeleton
from oleodyn.mechanics.loop import Closure, Distance, Drive, check_loops, count
from oleodyn.mechanics.mass_matrix import mass_matrix
from oleodyn.mechanics.outputs import outputs, spread
from oleodyn.mechanics.port import FramePort, LinePort
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.reaction import Loads, reactions
from oleodyn.mechanics.resistance import Resistance
from oleodyn.mechanics.rotation import rotation
from oleodyn.mechanics.skeleton import skeleton
from oleodyn.mechanics.topology import check_body, check_name, check_tree, order
from oleodyn.mechanics.tree import Motion, generalised_force, momentum, motions
from oleodyn.mechanics.vector import IDENTITY, Vector, add, apply, dot, length, minus, scale, times


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
    bodies: Mapping[str, Body] = ingredients("the bodies, by name; `world` is always there", default=NONE)
    joints: Mapping[str, Joint] = ingredients("the joints, by name: one for each body", default=NONE)
    frames: Mapping[str, Frame] = ingredients(
        "frames on bodies: ports for wrenches, and poses to look at", default=NONE
    )
    lines: Mapping[str, Line] = ingredients("lines between bodies: ports for cylinders and springs", default=NONE)
    loops: Mapping[str, Joint | Distance | Drive] = ingredients(
        "joints that close loops, distances, drives: kept as constraints", default=NONE
    )

    # What a twin has besides: values here keep ports of these names from hiding them.
    q: ClassVar[list[Expr]] = []
    """coordinates, in the order of the declaration"""
    v: ClassVar[list[Expr]] = []
    """speeds"""
    a: ClassVar[list[Expr]] = []
    """accelerations, for outputs alone"""
    lam: ClassVar[dict[str, list[Expr]]] = {}
    """multipliers of each loop, for outputs alone"""
    t: ClassVar[Expr] = 0.0
    """time"""

    def port(self, name: str) -> Any:
        """A port by its name: on the twin, with what is shared there and the net force on the mechanism."""
        raise DeclarationError(f"port {name!r} has values only while equations are made")

    def check(self) -> None:
        """The bodies make a tree; all names are good and different."""
        for field, kind in (("bodies", Body), ("joints", Joint), ("frames", Frame), ("lines", Line)):
            for name, item in getattr(self, field).items():
                check_name(f"Mechanism.{field}.{name}", name)
                if not isinstance(item, kind):
                    raise DeclarationError(
                        f"Mechanism.{field}.{name} = {item!r}: must be a {kind.__name__}, such as "
                        f"{', '.join(sub.__name__ for sub in kind.__subclasses__()) or kind.__name__}"
                    )
        check_tree(self.bodies, self.joints)
        for name, frame in self.frames.items():
            check_body(f"Mechanism.frames.{name}.body", frame.body, self.bodies)
        for name, line in self.lines.items():
            check_body(f"Mechanism.lines.{name}.from_body", line.from_body, self.bodies)
            check_body(f"Mechanism.lines.{name}.to_body", line.to_body, self.bodies)
            self._check_line(name, line)
        for name in self.loops:
            check_name(f"Mechanism.loops.{name}", name)
            if name in self.joints:
                raise DeclarationError(
                    f"Mechanism.loops.{name}: a joint of the tree has this name. Rename one of them."
                )
        check_loops(self.loops, self.bodies, self.joints)
        names = [name for name, _ in self._named_ports()]
        for name in names:
            if names.count(name) > 1:
                raise DeclarationError(
                    f"Mechanism: {name!r} names two ports (of joints, frames or lines). Rename one of them."
                )

    def _check_line(self, name: str, line: Line) -> None:
        seats = self.skeleton().seats
        if seats[line.from_body].link == seats[line.to_body].link:
            raise DeclarationError(
                f"Mechanism.lines.{name}: {line.from_body!r} and {line.to_body!r} do not move against each other. "
                "Draw the line between two bodies with a joint that moves between them."
            )

    # ------------------------------------------------------------------ declaration

    def declaration(self) -> Declaration:
        """Ports, coordinates, speeds and outputs of this instance."""
        return self._declaration

    @cached_property
    def _declaration(self) -> Declaration:
        coordinates, speeds, stops = {}, {}, {}
        for joint, freedom, _, _ in self.freedoms():
            unit, rate, force = freedom.units
            text = f"{freedom.nature} of joint {joint}"
            coordinates |= {f"{joint}.{q}": State(unit, text, kind="position") for q in freedom.q}
            speeds |= {f"{joint}.{v}": State(rate, f"rate of the {text}", kind="speed") for v in freedom.v}
            if freedom.stop is not None:
                stops[f"{freedom.path(joint)}.stop"] = force
        return Declaration(
            ports=dict(self._named_ports()),
            coordinates=coordinates,
            speeds=speeds,
            outputs=outputs([*self.joints, *self._cut()], self.frames, stops)
            | {lever.name: lever.output for lever in levers(self.skeleton(), self._line_seats())},
            constraints={name: count(loop) for name, loop in self.loops.items()},
        )

    def _cut(self) -> dict[str, Joint | Distance]:
        """Loops between two bodies; a drive acts inside its joint."""
        return {name: loop for name, loop in self.loops.items() if not isinstance(loop, Drive)}

    def _line_seats(self) -> dict[str, tuple[Seat, Seat]]:
        """Where each line begins and ends."""
        bones = self.skeleton()
        return {name: line_seats(bones, line) for name, line in self.lines.items()}

    def _named_ports(self) -> Iterator[tuple[str, Port]]:
        for joint, freedom, _, _ in self.freedoms():
            if freedom.port is not None:
                yield f"{joint}{freedom.port}", freedom.port_type(f"{freedom.nature} of joint {joint}", optional=True)
        for name, frame in self.frames.items():
            yield name, FramePort(f"frame {name} on {frame.body}", optional=True)
        for name, line in self.lines.items():
            yield name, LinePort(f"line {name} from {line.from_body} to {line.to_body}", optional=True)

    def freedoms(self) -> Iterator[tuple[str, Freedom, slice, slice]]:
        """(joint, freedom, its coordinates, its speeds), in the order of the declaration."""
        at_q = at_v = 0
        for name, joint in self.joints.items():
            for freedom in joint.freedoms():
                to_q, to_v = at_q + len(freedom.q), at_v + len(freedom.v)
                yield name, freedom, slice(at_q, to_q), slice(at_v, to_v)
                at_q, at_v = to_q, to_v

    # ------------------------------------------------------------------ equations

    def skeleton(self) -> Skeleton:
        """The mechanism as links."""
        return skeleton(self.bodies, self.joints, order(self.joints))

    def equations(self) -> Terms:
        """Mass, force, kinematics, ports, energies and outputs."""
        posture = Posture(self.skeleton(), self.q, self.v)
        bias = generalised_force(posture, [0.0] * len(self.v), self.gravity)
        resistance = Resistance(self.freedoms(), self.q, self.v)
        holds = self._holds(posture)
        closures = {name: Closure(posture, loop, self.t) for name, loop in self._cut().items()}
        weight = times(-1.0, dot(self.gravity, posture.whole.mc))
        p, L, kinetic = momentum(posture)
        return Terms(
            mass=mass_matrix(posture),
            force=[minus(given, effort) for given, effort in zip(resistance.force, bias, strict=True)],
            q_dot=self._q_dot(self.q, self.v),
            plus=self._plus,
            hold=holds,
            out=self._outputs(posture, holds, closures)
            | spread({"com": posture.centre, "momentum": p, "angular_momentum": L})
            | lever_arms(posture, self._line_seats(), len(self.v))
            | resistance.stops,
            constraint=self._constraints(closures),
            start=self._start(),
            power=Power(lost=resistance.lost),
            energy=dict(kinetic=kinetic, potential=weight, **resistance.energy),
        )

    def _q_dot(self, q: list[Expr], v: list[Expr]) -> list[Expr]:
        return [rate for _, freedom, at_q, at_v in self.freedoms() for rate in freedom.q_dot(q[at_q], v[at_v])]

    def _plus(self, q: list[Expr], delta: list[Expr]) -> list[Expr]:
        return [new for _, freedom, at_q, at_v in self.freedoms() for new in freedom.moved(q[at_q], delta[at_v])]

    def _start(self) -> dict[str, Expr]:
        start: dict[str, Expr] = {}
        for joint, freedom, _, _ in self.freedoms():
            start |= {f"{joint}.{q}": value for q, value in zip(freedom.q, freedom.q_0, strict=True)}
            start |= {f"{joint}.{v}": value for v, value in zip(freedom.v, freedom.v_0, strict=True)}
        return start

    def _holds(self, posture: Posture) -> dict[str, dict[str, Expr]]:
        """What each port shares: angles and lengths, poses, and their rates."""
        holds: dict[str, dict[str, Expr]] = {}
        for joint, freedom, at_q, at_v in self.freedoms():
            if freedom.port is not None:
                holds[f"{joint}{freedom.port}"] = freedom.held(self.q[at_q], self.v[at_v])
        for name, frame in self.frames.items():
            seat = frame_seat(posture.bones, frame)
            r, v = posture.seen(seat)
            holds[name] = dict(r=r, R=posture.axes(seat), v=v, w=posture.spin(seat.link))
        for name, line in self.lines.items():
            r, r_dot, _ = posture.apart(*line_seats(posture.bones, line))
            s = length(r)
            holds[name] = dict(s=s, v=dot(r, r_dot) / s)
        return holds

    def _constraints(self, closures: dict[str, Closure]) -> dict[str, list[Expr]]:
        """Φ of every loop; a drive's from its joint's coordinate."""
        at = {joint: at_q.start for joint, _, at_q, _ in self.freedoms()}
        return {
            name: [row.Phi for row in closures[name].rows]
            if not isinstance(loop, Drive)
            else [minus(self.q[at[loop.joint]], loop.motion.at(self.t))]
            for name, loop in self.loops.items()
        }

    # ------------------------------------------------------------------ outputs

    def _outputs(
        self, posture: Posture, holds: dict[str, dict[str, Expr]], closures: dict[str, Closure]
    ) -> dict[str, Expr]:
        moving = motions(posture, self.a, self.gravity)
        values: dict[str, Expr] = {}
        for name, frame in self.frames.items():
            seat = frame_seat(posture.bones, frame)
            values |= {f"{name}.{key}": holds[name][key] for key in ("r", "R", "v", "w")}
            values[f"{name}.a"] = self._acceleration(posture, moving, seat)
        found = reactions(
            self._loads(posture, closures), moving, self.gravity, self.bodies, self.joints, order(self.joints)
        )
        found |= {name: closure.told(self.lam[name]) for name, closure in closures.items()}
        for name in found:
            values[f"{name}.reaction.F"], values[f"{name}.reaction.tau"] = found[name]
        return spread(values)

    def _acceleration(self, posture: Posture, moving: list[Motion], seat: Seat) -> Vector:
        if seat.link < 0:
            return 0.0, 0.0, 0.0
        link = moving[seat.link]
        return add(posture.up(add(link.a, apply(link.U, seat.r)), seat.link), self.gravity)

    def _loads(self, posture: Posture, closures: dict[str, Closure]) -> Loads:
        """What comes through frames, lines and loops, on each body; joints' ports act inside the joints."""
        loads = Loads(posture)
        for name, closure in closures.items():
            closure.load(loads, self.lam[name])
        for name, frame in self.frames.items():
            port = self.port(name)
            loads.push(frame.body, frame_seat(posture.bones, frame), port.F, port.tau)
        for name, line in self.lines.items():
            begin, end = line_seats(posture.bones, line)
            r, _, ancestor = posture.apart(begin, end)
            push = scale(self.port(name).F / length(r), r)
            loads.push(line.from_body, begin, scale(-1.0, push), ancestor=ancestor)
            loads.push(line.to_body, end, push, ancestor=ancestor)
        return loads


def frame_seat(bones: Skeleton, frame: Frame) -> Seat:
    """Where a frame sits."""
    return bones.seats[frame.body].at(rotation(frame.orientation), frame.position)


def line_seats(bones: Skeleton, line: Line) -> tuple[Seat, Seat]:
    """Where a line begins and ends."""
    begin, end = bones.seats[line.from_body], bones.seats[line.to_body]
    return begin.at(IDENTITY, line.from_point), end.at(IDENTITY, line.to_point)
