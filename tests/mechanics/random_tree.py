"""Random mechanisms, and the same ones in Pinocchio."""

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from oleodyn.equations.bind import bind
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Cylindrical, Fixed, Floating, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import rotation

KINDS = (Revolute, Prismatic, Cylindrical, Universal, Spherical, Floating, Fixed)


@dataclass
class Pair:
    """One mechanism twice, in a state: ours at (q, v, a), Pinocchio's at (pin_q, pin_v, pin_a).

    S maps Pinocchio's speeds to ours: its floating joint has the velocity in child axes.
    """

    mechanism: Mechanism
    model: pin.Model
    q: list[float]
    v: list[float]
    a: list[float]
    pin_q: np.ndarray
    pin_v: np.ndarray
    pin_a: np.ndarray
    S: np.ndarray
    drift: np.ndarray
    """our accelerations are S · Pinocchio's + drift"""


def random_body(chance):
    """A body with a general inertia, as a cloud of points would have it."""
    cloud = chance.normal(size=(3, 5))
    J = cloud @ cloud.T * chance.uniform(0.02, 0.2)
    return Body(mass=chance.uniform(0.5, 3.0), com=chance.normal(size=3) * 0.3, inertia=np.trace(J) * np.eye(3) - J)


def random_joint(kind, chance, parent, child):
    """Ours, and Pinocchio's model of its motion."""
    where = dict(
        parent=parent, child=child, position=chance.normal(size=3) * 0.5, orientation=chance.uniform(-3, 3, size=3),
        child_position=chance.normal(size=3) * 0.2, child_orientation=chance.uniform(-3, 3, size=3),
    )  # fmt: skip
    one, two = (axis / np.linalg.norm(axis) for axis in chance.normal(size=(2, 3)))
    if kind is Revolute:
        return Revolute(axis=one, **where), pin.JointModelRevoluteUnaligned(one)
    if kind is Prismatic:
        return Prismatic(axis=one, **where), pin.JointModelPrismaticUnaligned(one)
    if kind is Cylindrical:
        return Cylindrical(axis=one, **where), both(
            pin.JointModelPrismaticUnaligned, one, pin.JointModelRevoluteUnaligned, one
        )
    if kind is Universal:
        hinge = pin.JointModelRevoluteUnaligned
        return Universal(axis_1=one, axis_2=two, **where), both(hinge, one, hinge, two)
    if kind is Spherical:
        return Spherical(**where), pin.JointModelSpherical()
    return (Floating(**where), pin.JointModelFreeFlyer()) if kind is Floating else (Fixed(**where), None)


def both(first, axis_1, second, axis_2):
    composite = pin.JointModelComposite(2)
    composite.addJoint(first(axis_1))
    composite.addJoint(second(axis_2))
    return composite


def random_pair(seed, joints, kinds=KINDS, branching=0.3):
    """A random tree of that many joints with a frame on every body; Pinocchio gets it depth-first."""
    chance = np.random.default_rng(seed)
    bodies, ours, frames, seats = {}, {}, {}, {"world": (0, pin.SE3.Identity())}
    model, branch = pin.Model(), ["world"]
    for i in range(joints):
        while len(branch) > 1 and chance.random() < branching:
            branch.pop()
        parent, body, name = branch[-1], random_body(chance), f"body_{i}"
        joint, motion = random_joint(kinds[chance.integers(len(kinds))], chance, parent, name)
        at, seat = seats[parent]
        seat = seat * placement(joint.orientation, joint.position)
        if motion is not None:
            at, seat = model.addJoint(at, motion, seat, f"joint_{i}"), pin.SE3.Identity()
        seat = seat * placement(joint.child_orientation, joint.child_position).inverse()
        frame = Frame(body=name, position=chance.normal(size=3) * 0.3, orientation=chance.uniform(-3, 3, size=3))
        model.appendBodyToJoint(at, pin.Inertia(body.mass, np.array(body.com), np.array(body.inertia)), seat)
        there = seat * placement(frame.orientation, frame.position)
        model.addFrame(pin.Frame(f"frame_{i}", at, 0, there, pin.FrameType.OP_FRAME))
        bodies[name], ours[f"joint_{i}"], frames[f"frame_{i}"], seats[name] = body, joint, frame, (at, seat)
        branch.append(name)
    gravity = chance.normal(size=3) * 7
    model.gravity = pin.Motion(np.concatenate([gravity, np.zeros(3)]))
    return in_a_state(Mechanism(gravity=gravity, bodies=bodies, joints=ours, frames=frames), model, chance)


def placement(rpy, position):
    return pin.SE3(np.array(rotation(rpy)), np.array(position, dtype=float))


def in_a_state(mechanism, model, chance):
    pin_q = pin.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq))
    pin_v, pin_a = chance.normal(size=(2, model.nv))
    S, drift, q, i, k = np.eye(model.nv), np.zeros(model.nv), [], 0, 0
    for joint in mechanism.joints.values():
        n_q, n_v = (sum(len(getattr(f, name)) for f in joint.freedoms()) for name in "qv")
        own = list(pin_q[i : i + n_q])
        if isinstance(joint, Floating):
            R = pin.Quaternion(*own[6:], *own[3:6]).matrix()
            S[k : k + 3, k : k + 3] = R
            drift[k : k + 3] = R @ np.cross(pin_v[k + 3 : k + 6], pin_v[k : k + 3])
        if isinstance(joint, Floating | Spherical):
            own = [*own[:-4], own[-1], *own[-4:-1]]
        q, i, k = q + own, i + n_q, k + n_v
    v, a = (S @ pin_v).tolist(), (S @ pin_a + drift).tolist()
    return Pair(mechanism, model, [float(x) for x in q], v, a, pin_q, pin_v, pin_a, S, drift)


def terms(mechanism, q, v, a=None, through=None):
    """The mechanism's Terms at these floats or symbols; `through` gives net forces by port and name."""
    values = {"coordinate": iter(q), "speed": iter(v), "acceleration": iter(a or [0.0] * len(v))}

    def make(role, path, declared):
        if role in values:
            return next(values[role])
        if role == "through":
            return (through or {}).get(path, nothing(declared.shape))
        return nothing(declared.shape) if role == "across" else 0.0 if role == "time" else None

    return bind(mechanism, "", make).equations()


def terms_in_symbols(mechanism, q, v):
    """The mechanism's Terms in columns of symbols, at rest and without forces from outside."""
    return terms(mechanism, [q[i] for i in range(q.numel())], [v[i] for i in range(v.numel())])


def nothing(shape):
    return tuple(nothing(shape[1:]) for _ in range(shape[0])) if shape else 0.0


def vector(out, name):
    """Three outputs as an array."""
    return np.array([out[f"{name}_{axis}"] for axis in "xyz"])
