"""Trees with other parts at their ports: what is connected acts, and is felt by the joints."""

import math

import casadi as ca
import numpy as np
import pinocchio as pin
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.mechanics.joint import Cylindrical, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.source import ForceSource, TorqueSource, WrenchSource
from oleodyn.mechanics.spring import SpringDamper, TorsionSpringDamper
from tests.mechanics.random_tree import random_pair

ROUNDING = 1e-12
FLAT = ((0.2, 0.0, 0.0), (0.0, 0.3, 0.0), (0.0, 0.0, 0.4))
BOOM = Body(mass=10.0, com=(1.0, 0.0, 0.0), inertia=FLAT)


def hinge(**more):
    """A boom that turns about z, without gravity along its path."""
    return Mechanism(bodies={"boom": BOOM}, joints={"pin": Revolute(child="boom")}, **more)


def machine(*connections, **parts):
    made = Machine("test")
    for name, part in parts.items():
        made.add(name, part)
    for ends in connections:
        made.connect(*ends)
    return made


def evaluate(equations, what, q=None, v=None, u=None, p=None):
    """One of the set's expressions at these numbers, at the start where none are given; at rest otherwise."""
    symbols = [equations.t, equations.q, equations.v, equations.x, equations.u, equations.p]
    given = [0.0, q, v, None, u, p]
    starts = [0.0, equations.q_0, equations.v_0, equations.x_0, equations.u_0, equations.p_0]
    numbers = [start if value is None else value for value, start in zip(given, starts, strict=True)]
    return np.array(ca.Function("value", symbols, [ca.densify(what)])(*numbers), dtype=float)


def acceleration(equations, **at):
    return np.linalg.solve(evaluate(equations, equations.M, **at), evaluate(equations, equations.f, **at)).ravel()


def test_a_torque_turns_the_boom_and_the_rotor_on_its_joint():
    connections = [("arm.pin", "motor.shaft", "rotor.shaft")]
    equations = assemble(machine(*connections, arm=hinge(), motor=TorqueSource(), rotor=Inertia(I=2.5)))
    assert acceleration(equations, u=[60.0]) == pytest.approx([60.0 / (0.4 + 10.0 + 2.5)], rel=ROUNDING)


def test_a_lone_rotor_turns_as_its_inertia_says():
    parts = dict(motor=TorqueSource(), rotor=Inertia(I=2.5, angle_0=0.3, speed_0=4.0))
    equations = assemble(machine(("motor.shaft", "rotor.shaft"), **parts))
    assert acceleration(equations, u=[60.0]) == pytest.approx([24.0], rel=ROUNDING)
    assert (equations.q_0.tolist(), equations.v_0.tolist()) == ([0.3], [4.0])


def test_a_lone_mass_on_a_spring_swings_back():
    parts = dict(rod=SpringDamper(k=4e3, c=150.0, s_free=0.3), block=Mass(m=20.0, s_0=0.5, v_0=-1.0))
    equations = assemble(machine(("rod.rod", "block.rod"), **parts))
    assert acceleration(equations) == pytest.approx([(-4e3 * 0.2 + 150.0) / 20.0], rel=ROUNDING)


def test_a_torsion_spring_drives_the_boom_back():
    parts = dict(arm=hinge(), spring=TorsionSpringDamper(k=800.0, c=12.0, angle_free=0.2))
    equations = assemble(machine(("arm.pin", "spring.shaft"), **parts))
    expected = (-800.0 * (0.5 - 0.2) - 12.0 * 2.0) / (0.4 + 10.0)
    assert acceleration(equations, q=[0.5], v=[2.0]) == pytest.approx([expected], rel=ROUNDING)


def test_a_cylinder_lifts_by_its_lever_arm():
    line = Line(from_point=(0.75, -1.0, 0.0), to_body="boom", to_point=(0.8, 0.0, 0.0))
    equations = assemble(machine(("arm.lift", "ram.rod"), arm=hinge(lines={"lift": line}), ram=ForceSource()))
    q = 0.4
    along = np.array([0.8 * math.cos(q) - 0.75, 0.8 * math.sin(q) + 1.0])
    along /= np.linalg.norm(along)
    lever = 0.8 * (math.cos(q) * along[1] - math.sin(q) * along[0])
    assert acceleration(equations, q=[q], u=[5e3]) == pytest.approx([5e3 * lever / (0.4 + 10.0)], rel=ROUNDING)


def test_wrenches_on_frames_act_as_pinocchio_says():
    for seed in (1, 5, 9):
        pair = random_pair(seed, joints=7)
        name = list(pair.mechanism.frames)[-1]
        equations = assemble(machine((f"tree.{name}", "hand.frame"), tree=pair.mechanism, hand=WrenchSource()))
        wrench = np.array([30.0, -50.0, 20.0, 4.0, -6.0, 9.0])
        ours = acceleration(equations, q=pair.q, v=pair.v, u=wrench)
        data, at = pair.model.createData(), pair.model.getFrameId(name)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = pin.computeFrameJacobian(pair.model, data, pair.pin_q, at, world)
        theirs = pin.aba(pair.model, data, pair.pin_q, pair.pin_v, J.T @ wrench)
        assert ours == pytest.approx(pair.S @ theirs + pair.drift, rel=1e-9)  # conditioning of seven joints


def test_the_hand_on_a_frame_is_felt_in_the_joint():
    arm = hinge(gravity=(0.0, 0.0, 0.0), frames={"tip": Frame(body="boom", position=(2.0, 0.0, 0.0))})
    equations = assemble(machine(("arm.tip", "hand.frame"), arm=arm, hand=WrenchSource()))
    rows = {signal.name: row for row, signal in enumerate(equations.y_signals)}
    told = ca.substitute(equations.outputs, equations.a, ca.DM([0.0]))
    values = evaluate(equations, told, u=[0.0, 0.0, 7.0, 0.0, 0.0, 0.0]).ravel()
    assert values[rows["arm.pin.reaction.F_z"]] == pytest.approx(-7.0, rel=ROUNDING)
    assert values[rows["arm.pin.reaction.tau_y"]] == pytest.approx(14.0, rel=ROUNDING)
    assert values[rows["arm.tip.r_x"]] == pytest.approx(2.0, rel=ROUNDING)


def test_a_cylindrical_joint_is_driven_along_and_about_its_axis():
    rig = Mechanism(bodies={"boom": BOOM}, joints={"post": Cylindrical(child="boom")}, gravity=(0.0, 0.0, -10.0))
    connections = [("arm.post_slide", "ram.rod"), ("arm.post_turn", "motor.shaft")]
    equations = assemble(machine(*connections, arm=rig, ram=ForceSource(), motor=TorqueSource()))
    found = acceleration(equations, u=[300.0, 26.0])
    assert found == pytest.approx([300.0 / 10.0 - 10.0, 26.0 / (0.4 + 10.0)], rel=ROUNDING)


def test_a_frame_on_the_world_stays_where_it_is():
    arm = hinge(frames={"anchor": Frame(position=(1.0, 2.0, 3.0)), "tip": Frame(body="boom")})
    equations = assemble(machine(("arm.anchor", "hand.frame"), arm=arm, hand=WrenchSource()))
    assert acceleration(equations, u=[1.0] * 6) == pytest.approx([0.0], abs=ROUNDING)
    rows = {signal.name: row for row, signal in enumerate(equations.y_signals)}
    assert evaluate(equations, equations.outputs[rows["arm.anchor.r_z"]]).item() == 3.0


def test_masses_friction_and_stiffness_may_be_tuned_without_assembling_again():
    def rig(mass, k):
        boom = Body(mass=mass, com=(1.0, 0.2, 0.1), inertia=FLAT)
        joints = {
            "pin": Revolute(child="boom", axis=(0.0, 1.0, 0.0)),
            "elbow": Revolute(parent="boom", child="stick", position=(2.0, 0.0, 0.0), damping=3.0),
        }
        arm = Mechanism(bodies={"boom": boom, "stick": BOOM}, joints=joints)
        return machine(("arm.pin", "spring.shaft"), arm=arm, spring=TorsionSpringDamper(k=k))

    tuned = assemble(rig(10.0, 50.0), tunable=["arm.bodies.boom.mass", "spring.k"])
    fixed = assemble(rig(17.0, 90.0))
    names = [signal.name for signal in tuned.p_signals]
    p = [dict(zip(("arm.bodies.boom.mass", "spring.k"), (17.0, 90.0), strict=True))[name] for name in names]
    state = dict(q=[0.4, -0.3], v=[1.0, 2.0])
    assert acceleration(tuned, p=p, **state) == pytest.approx(acceleration(fixed, **state), rel=ROUNDING)


def test_joints_may_have_the_names_of_symbols():
    names = "q v a t lam port".split()
    bodies = {f"body_{name}": BOOM for name in names}
    joints = {name: Revolute(child=f"body_{name}", axis=(0.0, 1.0, 0.0)) for name in names}
    equations = assemble(machine(arm=Mechanism(bodies=bodies, joints=joints)))
    expected = 10.0 * 9.81 * 1.0 / (0.3 + 10.0)
    assert acceleration(equations) == pytest.approx([expected] * 6, rel=ROUNDING)
