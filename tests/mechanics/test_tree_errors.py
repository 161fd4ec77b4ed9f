"""A mechanism that cannot be is refused with place and remedy."""

import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import AssemblyError, DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.joint import Fixed, Prismatic, Revolute, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.motion import frame_jacobian
from oleodyn.mechanics.rotation import rpy
from oleodyn.mechanics.stop import LineStop

LOAD = Body(mass=2.0)


def flat(a, b, c):
    return [[a, 0, 0], [0, b, 0], [0, 0, c]]


def two(**joints):
    return lambda: Mechanism(bodies={"boom": LOAD, "stick": LOAD}, joints=joints)


def one(**more):
    return lambda: Mechanism(bodies={"boom": LOAD}, joints={"pin": Revolute(child="boom")}, **more)


BROKEN = {
    "unknown parent": (
        two(a=Revolute(child="boom"), b=Revolute(parent="bom", child="stick")),
        "Mechanism.joints.b.parent = 'bom': no such body; did you mean 'boom'? Bodies are world, boom, stick.",
    ),
    "unknown child": (
        two(a=Revolute(child="bucket")),
        "Mechanism.joints.a.child = 'bucket': no such body. Bodies are world, boom, stick.",
    ),
    "two parents": (
        two(a=Revolute(child="boom"), b=Revolute(child="stick"), c=Revolute(parent="boom", child="stick")),
        "Mechanism.joints.c.child = 'stick': b carries this body already. A body hangs on one joint of the tree; "
        "close a loop with a loop joint.",
    ),
    "a ring": (
        two(a=Revolute(parent="stick", child="boom"), b=Revolute(parent="boom", child="stick")),
        "boom → stick → boom hang on each other and not on the world",
    ),
    "no joint": (two(a=Revolute(child="boom")), "Mechanism.bodies.stick: no joint carries it. Add a joint with child"),
    "the world as child": (
        two(a=Revolute(parent="boom", child="world")),
        "Mechanism.joints.a.child = 'world': the world cannot move. Swap parent and child.",
    ),
    "a body called world": (
        lambda: Mechanism(bodies={"world": LOAD}),
        "Mechanism.bodies.world: the world is always there. Choose another name.",
    ),
    "a name with a dot": (
        lambda: Mechanism(bodies={"a.b": LOAD}),
        "Mechanism.bodies.a.b: use letters, digits and _, beginning with a letter",
    ),
    "a body among joints": (
        lambda: Mechanism(bodies={"boom": LOAD}, joints={"pin": LOAD}),
        "must be a Joint, such as Fixed, Revolute",
    ),
    "frame on no body": (
        one(frames={"tool": Frame(body="hand")}),
        "Mechanism.frames.tool.body = 'hand': no such body. Bodies are world, boom.",
    ),
    "line to no body": (
        one(lines={"lift": Line(to_body="booom")}),
        "Mechanism.lines.lift.to_body = 'booom': no such body; did you mean 'boom'?",
    ),
    "line within a body": (
        one(lines={"lift": Line(from_body="boom", to_body="boom", to_point=[1, 0, 0])}),
        "Mechanism.lines.lift: 'boom' and 'boom' do not move against each other.",
    ),
    "line between bolted bodies": (
        lambda: Mechanism(
            bodies={"base": LOAD},
            joints={"bolts": Fixed(child="base")},
            lines={"lift": Line(to_body="base", to_point=[1, 0, 0])},
        ),
        "'world' and 'base' do not move against each other. Draw the line between two bodies with a joint",
    ),
    "one name twice": (
        one(frames={"pin": Frame(body="boom")}),
        "Mechanism: 'pin' names two ports (of joints, frames or lines). Rename one of them.",
    ),
    "no axis": (
        lambda: Revolute(child="boom", axis=[0, 0, 0]),
        "Revolute.axis = (0.0, 0.0, 0.0): has no direction. Give a vector such as [0, 0, 1].",
    ),
    "parallel axes": (
        lambda: Universal(child="boom", axis_1=[0, 0, 2], axis_2=[0, 0, -1]),
        "Universal.axis_2 = (0.0, 0.0, -1.0): is parallel to axis_1 = (0.0, 0.0, 2.0). Choose it across",
    ),
    "negative damping": (
        lambda: Prismatic(child="boom", damping=-3.0),
        "Prismatic.damping = -3 N·s/m: must lie within 0 and inf",
    ),
    "negative mass": (lambda: Body(mass=-1.0), "Body.mass = -1 kg: must lie within 0 and inf (mass)"),
    "lopsided inertia": (
        lambda: Body(mass=1.0, inertia=[[1, 0.2, 0], [0, 1, 0], [0, 0, 1]]),
        "Body.inertia is not symmetric",
    ),
    "negative inertia": (
        lambda: Body(mass=1.0, inertia=flat(1, 1, -0.5)),
        "Body.inertia has the principal moment -0.5 kg·m²: must not be negative.",
    ),
    "impossible inertia": (
        lambda: Body(mass=1.0, inertia=flat(1, 1, 2.5)),
        "Body.inertia has principal moments 1, 1, 2.5 kg·m²: the largest must not exceed the sum of the other two.",
    ),
    "range upside down": (
        lambda: LineStop(stiffness=1e5, low=0.4, high=0.1),
        "LineStop.low = 0.4: must be below high = 0.1",
    ),
    "sheared rotation": (
        lambda: rpy(((1.0, 0.1, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))),
        "its columns are no orthogonal unit vectors (off by 0.1). Normalise it, or give roll, pitch and yaw.",
    ),
    "mirrored rotation": (
        lambda: rpy(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))),
        "is left-handed (determinant −1). Flip one of its axes.",
    ),
    "no such frame": (
        lambda: frame_jacobian(one(frames={"tool": Frame(body="boom")})(), "tol", [0.0]),
        "no frame 'tol'; did you mean 'tool'? Frames are tool.",
    ),
}


@pytest.mark.parametrize(("make", "sentence"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_is_refused_with_place_and_remedy(make, sentence):
    with pytest.raises(DeclarationError) as caught:
        make()
    assert sentence in str(caught.value)


def test_point_masses_rods_and_massless_bodies_are_allowed():
    Body(mass=1.0)
    Body(mass=1.0, inertia=flat(0, 2, 2))
    Body(mass=0.0)


@pytest.mark.parametrize("body", [Body(mass=0.0), Body(mass=3.0)], ids=["no mass", "a point on the axis"])
def test_a_joint_that_moves_nothing_is_refused_where_it_was_added(body):
    bodies = {"arm": Body(mass=2.0, com=(0.5, 0, 0)), "tip": body}
    joints = {"shoulder": Revolute(child="arm"), "wrist": Revolute(parent="arm", child="tip", position=(1.0, 0, 0))}
    machine = Machine("robot")
    machine.add("arm", Mechanism(bodies=bodies, joints=joints))
    with pytest.raises(AssemblyError, match=r"errors\.py:\d+: nothing that arm\.wrist moves has mass or inertia"):
        assemble(machine)
