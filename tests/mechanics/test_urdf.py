"""URDF: the mechanism that the file describes, and clear words on what it cannot be."""

import math
import time
import tracemalloc

import casadi as ca
import numpy as np
import pinocchio as pin
import pytest

import oleodyn as od
from oleodyn.equations.assemble import assemble
from oleodyn.errors import DeclarationError
from oleodyn.friction.coulomb_viscous import CoulombViscous
from oleodyn.friction.rubbing import ShaftFriction
from oleodyn.machine.file import load
from oleodyn.machine.machine import Machine
from oleodyn.machine.save import to_text
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Fixed, Floating, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.stop import LineStop, RotationStop
from oleodyn.mechanics.urdf import load_urdf

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"/>
  <link name="base_link">
    <inertial><mass value="4"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.12" iyz="0" izz="0.14"/></inertial>
    <visual><geometry><box size="1 1 1"/></geometry></visual>
  </link>
  <link name="boom">
    <inertial>
      <origin xyz="0.3 0.01 -0.02" rpy="0 0 1.5707963267948966"/>
      <mass value="3"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="0.003" izz="0.025"/>
    </inertial>
  </link>
  <link name="rod-1">
    <inertial><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
  </link>
  <link name="tool0"/>
  <joint name="shoulder" type="revolute">
    <parent link="base_link"/><child link="boom"/>
    <origin xyz="0 0 0.5" rpy="0.1 -0.2 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="5" velocity="1"/><dynamics damping="0.7"/>
  </joint>
  <joint name="extension" type="prismatic">
    <parent link="boom"/><child link="rod-1"/>
    <axis xyz="0 0 1"/><limit lower="0" upper="1.5" effort="5" velocity="1"/>
  </joint>
  <joint name="tcp" type="fixed"><parent link="rod-1"/><child link="tool0"/><origin xyz="0.1 0.2 0.3"/></joint>
</robot>
"""


def test_links_become_bodies_and_the_root_is_bolted_to_the_world():
    arm = load_urdf(ARM)
    assert list(arm.bodies) == ["base_link", "boom", "rod_1"]
    assert arm.bodies["base_link"] == Body(mass=4, inertia=((0.1, 0, 0), (0, 0.12, 0), (0, 0, 0.14)))
    assert arm.joints["base"] == Fixed(child="base_link")


def test_an_inertia_in_turned_axes_is_turned_into_the_axes_of_its_link():
    inertia = np.array(load_urdf(ARM).bodies["boom"].inertia)
    # a quarter turn about z: x of the inertial frame is y of the link, its y is −x
    expected = [[0.03, -0.001, -0.003], [-0.001, 0.02, 0.002], [-0.003, 0.002, 0.025]]
    np.testing.assert_allclose(inertia, expected, atol=1e-17)  # rounding of three-digit numbers


def test_joints_keep_origin_axis_damping_and_limits():
    arm = load_urdf(ARM, rotation_stop=RotationStop(stiffness=2e4, damping=30.0))
    assert arm.joints["shoulder"] == Revolute(
        parent="base_link", child="boom", position=(0, 0, 0.5), orientation=(0.1, -0.2, 0.3), axis=(0, 1, 0),
        damping=0.7, stop=RotationStop(stiffness=2e4, damping=30.0, low=-1, high=2),
    )  # fmt: skip
    assert arm.joints["extension"] == Prismatic(
        parent="boom", child="rod_1", axis=(0, 0, 1), stop=LineStop(stiffness=1e6, damping=1e4, low=0, high=1.5)
    )


def test_an_empty_link_at_the_end_of_a_fixed_joint_becomes_a_frame():
    arm = load_urdf(ARM)
    assert arm.frames["tool0"] == Frame(body="rod_1", position=(0.1, 0.2, 0.3))
    assert "tcp" not in arm.joints


def test_limits_can_be_left_out():
    arm = load_urdf(ARM, rotation_stop=None, line_stop=None)
    assert arm.joints["shoulder"].stop is None
    assert arm.joints["extension"].stop is None


def test_a_base_may_float_and_a_root_called_world_is_the_world():
    assert load_urdf(ARM, base=Floating).joints["base"] == Floating(child="base_link")
    arm = load_urdf(ARM.replace("base_link", "world"))
    assert list(arm.bodies) == ["boom", "rod_1"]
    assert arm.joints["shoulder"].parent == "world"


def test_a_continuous_joint_turns_about_x_without_ends_unless_it_says_otherwise():
    joint = load_urdf(ARM.replace('"revolute"', '"continuous"').replace('<axis xyz="0 1 0"/>', "")).joints["shoulder"]
    assert (joint.axis, joint.stop) == ((1.0, 0.0, 0.0), None)


def test_names_that_differ_only_in_what_is_replaced_stay_different():
    text = ARM.replace("boom", "rod.1")
    assert list(load_urdf(text).bodies) == ["base_link", "rod_1", "rod_1_"]


def test_a_file_and_its_text_give_the_same(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    assert load_urdf(path) == load_urdf(str(path)) == load_urdf(ARM)


def test_an_imported_mechanism_is_saved_and_loaded_like_any_part():
    classes = (Mechanism, Body, Frame, Fixed, Revolute, Prismatic, RotationStop, LineStop)
    machine = Machine("robot", start={"arm.shoulder.q": math.radians(30), "arm.extension.q": 0.25})
    machine.add("arm", load_urdf(ARM))
    assert load(to_text(machine), {class_.__name__: class_ for class_ in classes}) == machine


# ------------------------------------------------------------------ against Pinocchio

TYPES = ("revolute", "continuous", "prismatic", "fixed")


def random_urdf(seed):
    """A tree of 3 to 9 links with random places, axes, dampings and inertias."""
    rng = np.random.default_rng(seed)

    def triple(scale=1.0):
        return " ".join(map(repr, (scale * rng.normal(size=3)).tolist()))

    def link(name):
        points = rng.normal(size=(5, 3)) * 0.3  # the inertia of five points exists
        m = rng.uniform(0.5, 5.0)
        c = np.cov(points.T)
        I = m * (np.trace(c) * np.eye(3) - c)
        moments = {"ixx": I[0, 0], "ixy": I[0, 1], "ixz": I[0, 2], "iyy": I[1, 1], "iyz": I[1, 2], "izz": I[2, 2]}
        text = " ".join(f'{key}="{value!r}"' for key, value in ((k, float(v)) for k, v in moments.items()))
        inertial = f'<origin xyz="{triple(0.3)}" rpy="{triple()}"/><mass value="{m!r}"/><inertia {text}/>'
        return f'<link name="{name}"><inertial>{inertial}</inertial></link>'

    n = int(rng.integers(3, 10))
    lines = [link(f"l{i}") for i in range(n)]
    for i in range(1, n):
        lines.append(
            f'<joint name="j{i}" type="{TYPES[rng.integers(4) if i > 1 else 0]}"><parent link="l{rng.integers(i)}"/>'
            f'<child link="l{i}"/><origin xyz="{triple(0.5)}" rpy="{triple()}"/><axis xyz="{triple()}"/>'
            f'<limit lower="-9" upper="9" effort="1" velocity="1"/><dynamics damping="{rng.uniform(0, 2)!r}"/></joint>'
        )
    return "<robot name='r'>" + "\n".join(lines) + "</robot>", rng


@pytest.mark.parametrize("seed", range(12))
def test_mass_matrix_and_forces_agree_with_pinocchio(seed):
    text, rng = random_urdf(seed)
    arm = load_urdf(text)
    machine = Machine("robot")
    machine.add("arm", arm)
    equations = assemble(machine)
    names = [signal.name.split(".")[1] for signal in equations.q_signals]
    q, v = rng.uniform(-3, 3, size=(2, len(names)))
    M, f = ca.Function("F", [equations.q, equations.v, equations.t], [equations.M, equations.f])(q, v, 0.0)

    model = pin.buildModelFromXML(text)
    data = model.createData()
    joints = [model.joints[model.getJointId(name)] for name in names]
    rows = [joint.idx_v for joint in joints]
    theirs_q, theirs_v = pin.neutral(model), np.zeros(model.nv)
    theirs_v[rows] = v
    for joint, angle in zip(joints, q, strict=True):
        both = [math.cos(angle), math.sin(angle)]  # what Pinocchio keeps of an endless joint
        theirs_q[joint.idx_q : joint.idx_q + joint.nq] = both if joint.nq == 2 else angle
    upper = np.triu(pin.crba(model, data, theirs_q))
    expected = (upper + np.triu(upper, 1).T)[np.ix_(rows, rows)]
    damping = np.array([arm.joints[name].damping for name in names]) * v
    force = -pin.rnea(model, data, theirs_q, theirs_v, np.zeros(model.nv))[rows] - damping
    np.testing.assert_allclose(
        np.array(M), expected, rtol=0, atol=1e-12 * abs(expected).max()
    )  # rounding of two algorithms
    np.testing.assert_allclose(np.array(f).ravel(), force, rtol=0, atol=1e-12 * abs(force).max())


# ------------------------------------------------------------------ broken and hostile files

BROKEN = {
    "not XML": ("</robot>", "", ":30: is not XML: no element found"),
    "tags crossed": ("</link>", "</joint>", ":7: is not XML: mismatched tag"),
    "no robot": (ARM, "<arm/>", ":1: the root element is <arm>: must be <robot>"),
    "macros": ("<material", "<xacro:macro", ":3: is xacro"),
    "link twice": (
        '<link name="boom">',
        '<link name="base_link">',
        ":8: link base_link: is there twice, first in line 4",
    ),
    "nameless link": ('<link name="boom">', "<link>", ':8: <link>: name is missing. Add name="…"'),
    "no mass": ('<mass value="3"/>', "", ":9: link boom: <mass> is missing in <inertial>"),
    "mass without value": ('<mass value="3"/>', "<mass/>", ":11: link boom: value is missing"),
    "mass that is no number": ('"3"', '"heavy"', ':11: link boom: value="heavy" must be a number'),
    "mass that is nan": ('"3"', '"nan"', ':11: link boom: value="nan" must be a number'),
    "negative mass": ('"3"', '"-3"', ":8: link boom: Body.mass = -3 kg: must lie within"),
    "no inertia": ('<inertia ixx="0.02"', '<inertie ixx="0.02"', ":9: link boom: <inertia> is missing"),
    "half an inertia": ('iyz="0.003"', "", ":12: link boom: iyz is missing"),
    "impossible inertia": ('ixx="0.02"', 'ixx="2"', ":8: link boom: Body.inertia has principal moments"),
    "two numbers for a place": (
        'xyz="0 0 0.5"',
        'xyz="0 0.5"',
        ':21: joint shoulder: xyz="0 0.5" must be three numbers',
    ),
    "unknown type": (
        '"revolute"',
        '"planar"',
        ":19: joint shoulder: type 'planar' is not read. The types are revolute",
    ),
    "no type": (' type="revolute"', "", ":19: joint shoulder: type is missing"),
    "no parent": ('<parent link="base_link"/>', "", ":19: joint shoulder: <parent> is missing"),
    "unknown child": (
        'child link="boom"',
        'child link="bom"',
        "joint shoulder.child = 'bom': there is no such link; did you mean 'boom'?",
    ),
    "carried twice": (
        'child link="rod-1"',
        'child link="boom"',
        ":24: joint extension: link 'boom' is carried by joint 'shoulder' already",
    ),
    "two roots": (
        '<link name="tool0"/>',
        '<link name="tool0"/><link name="box"/>',
        ":18: links 'base_link', 'box' hang",
    ),
    "ring beside": (
        '<child link="tool0"/>',
        '<child link="base_link"/>',
        ":2: robot: Mechanism.joints: base_link → boom",
    ),
    "no direction": ('axis xyz="0 1 0"', 'axis xyz="0 0 0"', ":19: joint shoulder: Revolute.axis"),
    "limits crossed": (
        'lower="-1"',
        'lower="3"',
        ":19: joint shoulder.limit: RotationStop.low = 3: must be below high = 2",
    ),
    "dry friction": ('damping="0.7"', 'friction="0.7"', ":22: joint shoulder: has Coulomb friction of 0.7"),
    "mimic": ('<axis xyz="0 0 1"/>', '<mimic joint="shoulder"/>', ":26: joint extension: mimics another joint"),
    "infinite place": ('xyz="0 0 0.5"', 'xyz="0 0 1e999"', "must be a number"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_robot_is_answered_with_line_element_and_rule(name):
    old, new, says = BROKEN[name]
    assert old in ARM
    with pytest.raises(DeclarationError) as caught:
        load_urdf(ARM.replace(old, new, 1))
    assert str(caught.value).startswith("text:")
    assert says in str(caught.value)


def test_a_ring_of_links_is_refused():
    with pytest.raises(DeclarationError, match="form a ring"):
        load_urdf(ARM.replace('<child link="tool0"/>', '<child link="base_link"/>').replace('<link name="tool0"/>', ""))


def test_what_a_mechanism_has_no_place_for_can_be_passed_over_by_name():
    text = ARM.replace('damping="0.7"', 'friction="0.7"').replace('<axis xyz="0 0 1"/>', '<mimic joint="shoulder"/>')
    assert load_urdf(text, ignore=["friction", "mimic"]).joints["shoulder"].damping == 0.0
    with pytest.raises(DeclarationError, match="ignore = 'limits': may hold friction and mimic"):
        load_urdf(ARM, ignore=["limits"])


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
BOMBS = {
    "entity bomb": f'<!DOCTYPE robot [<!ENTITY l0 "lol">{LAUGHS}]><robot name="&l9;"/>',
    "quadratic bomb": f'<!DOCTYPE robot [<!ENTITY a "{"x" * 100_000}">]><robot name="{"&a;" * 10_000}"/>',
    "outside entity": '<!DOCTYPE robot [<!ENTITY f SYSTEM "file:///etc/passwd">]><robot name="x">&f;</robot>',
    "outside definition": '<!DOCTYPE robot SYSTEM "http://localhost:1/robot.dtd"><robot name="x"/>',
    "deep": "<robot name='x'>" + "<a>" * 600_000,
    "wide": "<robot name='x'>" + "<a/>" * 450_000 + "</robot>",
    "many attributes": "<robot " + " ".join(f'a{i}="1"' for i in range(120_000)) + "/>",
    "hundred million characters": "<robot name='" + "x" * 100_000_000 + "'/>",
    "long number": ARM.replace('"3"', f'"{"1" * 1_000_000}"'),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_under_a_second_with_little_memory(name):
    begin = time.process_time()  # of this process alone: others do not count
    with pytest.raises(DeclarationError):
        load_urdf(BOMBS[name])
    assert time.process_time() - begin < 1.0
    tracemalloc.start()
    with pytest.raises(DeclarationError):
        load_urdf(BOMBS[name])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6  # 50 MB


def test_an_entity_bomb_is_called_by_its_name():
    with pytest.raises(DeclarationError, match=r"text:1: a document type \(<!DOCTYPE\) is refused"):
        load_urdf(BOMBS["entity bomb"])


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.urdf"
    with path.open("wb") as file:
        file.truncate(100_000_000_000)  # a sparse file of 100 GB
    with pytest.raises(DeclarationError, match="has 100,000,000,000 bytes; at most 2,000,000 are read"):
        load_urdf(path)
    with pytest.raises(DeclarationError, match="there is no such file"):
        load_urdf(tmp_path / "none.urdf")


def test_dry_friction_of_a_joint_becomes_a_part_at_its_port(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.replace('damping="0.7"', 'friction="0.7"'), encoding="utf-8")
    machine = od.load(path)
    assert machine.parts["shoulder_friction"] == ShaftFriction(law=CoulombViscous(F_c=0.7))
    program = od.compile(od.assemble(machine), od.RK4())
    seen = program.observe(program.start(**{"mechanism.shoulder.q_dot": -2.0}))
    assert seen["shoulder_friction.tau"] == pytest.approx(-0.7, rel=1e-12)
