"""The general inverse, on machines: an arm, the pipe cutter's joints, a body that floats."""

from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.four_bar import E, linkage
from oleodyn.catalogue.shelf import machine
from oleodyn.errors import DeclarationError
from oleodyn.kinematics.branches import FOUND, NOT_A_POSE, OUTSIDE_LIMITS, UNREACHABLE
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Floating, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.stop import LineStop, RotationStop

QUARTER = np.pi / 2
BODY = dict(mass=1.0, com=(0.0, 0.0, 0.0), inertia=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))


def boom():
    """The pipe cutter's joints, from its table of modified Denavit-Hartenberg parameters."""
    table = [(0, 0), (-QUARTER, 0), (-QUARTER, 0), (0, 0.502), (-QUARTER, 0.482), (-QUARTER, 0)]
    joints, bodies, parent = {}, {}, "world"
    for i, (alpha, a) in enumerate(table, start=1):
        low, high = PIPE_CUTTER.limits[i - 1]
        place = dict(parent=parent, child=f"link_{i}", position=(a, 0.0, 0.0), orientation=(alpha, 0.0, 0.0))
        turned = {2: -QUARTER, 3: -QUARTER, 5: -QUARTER}.get(i, 0.0)
        if i == 2:
            turn, out = dict(child_orientation=(0.0, 0.0, -turned)), dict(child_position=(0.0, 0.0, -1.329))
            joints["boom"] = Prismatic(**place, **turn, **out, stop=LineStop(low=low, high=high, stiffness=1e6))
        else:
            out = dict(child_position=(0.0, 0.0, -0.9291)) if i == 6 else {}
            turn = dict(child_orientation=(0.0, 0.0, -turned))
            joints[f"j{i}"] = Revolute(**place, **turn, **out, stop=RotationStop(low=low, high=high, stiffness=1e6))
        bodies[f"link_{i}"], parent = Body(**BODY), f"link_{i}"
    built = Machine("boom")
    built.add("arm", Mechanism(bodies=bodies, joints=joints, frames={"tool": Frame(body="link_6")}))
    return built


@cache
def boom_kinematics():
    return Kinematics(boom())


@cache
def arm_kinematics():
    return Kinematics(machine("rigid-arm"), limits=dict.fromkeys(("base.q", "shoulder.q", "elbow.q"), (-2.0, 2.0)))


def inside(size, seed):
    low, high = np.array(PIPE_CUTTER.limits).T
    return np.random.default_rng(seed).uniform(low + 0.05 * (high - low), high - 0.05 * (high - low), (size, 6))


def test_the_machine_and_the_closed_form_put_the_tool_in_the_same_place():
    q = inside(50, seed=1)
    assert np.abs(boom_kinematics().forward(q) - PIPE_CUTTER.forward(q)).max() < 1e-14 * 10
    assert np.abs(boom_kinematics().jacobian(q) - PIPE_CUTTER.jacobian(q)).max() < 1e-13 * 10


def test_limits_come_from_the_stops_of_the_joints():
    assert pytest.approx(np.array(PIPE_CUTTER.limits)) == boom_kinematics().limits
    assert boom_kinematics().names[1] == "arm.boom.q"


def test_newton_within_limits_finds_what_the_closed_form_finds():
    q = inside(100, seed=2)
    found = boom_kinematics().inverse(PIPE_CUTTER.forward(q))
    assert (found.status == FOUND).all()
    assert np.abs(found.q - q).max() < 1e-8  # 1e-10 of the residual through the Jacobian near its singularities


def test_a_joint_that_would_have_to_leave_its_limits_is_named():
    found = boom_kinematics().inverse(
        PIPE_CUTTER.tool_poses([0, 2.950, -1.445], np.radians(-65)), near=boom_kinematics().q_0
    )
    assert found.status == OUTSIDE_LIMITS
    assert "arm.boom.q = 0.5509, must lie within 0 and 0.4" in found.explain()
    low, high = np.array(PIPE_CUTTER.limits).T
    assert (found.q >= low).all() and (found.q <= high).all()


def test_out_of_reach_is_answered_with_the_nearest():
    found = arm_kinematics().inverse(np.array([10.0, 0.0, 1.0]))
    assert found.status == UNREACHABLE
    reach = np.linalg.norm(arm_kinematics().forward(found.q)[:3, 3] - [10, 0, 1])
    assert found.distance == pytest.approx(reach, rel=1e-9)
    assert found.explain().startswith("out of reach: the nearest that was found is")


def test_a_point_alone_leaves_the_orientation_free():
    points = arm_kinematics().forward(np.random.default_rng(3).uniform(-1.5, 1.5, (40, 6)))[:, :3, 3]
    found = arm_kinematics().inverse(points)
    assert (found.status == FOUND).all()
    assert np.abs(arm_kinematics().forward(found.q)[:, :3, 3] - points).max() < 1e-9


def test_from_nearby_the_same_branch_is_kept():
    q = np.random.default_rng(4).uniform(-1.5, 1.5, (100, 6))
    regular = q[arm_kinematics().distance_from_singularity(q) > 0.01]
    found = arm_kinematics().inverse(arm_kinematics().forward(regular), near=regular + 0.01)
    assert np.abs(found.q - regular).max() < 1e-8
    assert len(regular) > 80


def test_what_is_no_pose_is_said_to_be_none():
    T = arm_kinematics().forward(np.zeros((2, 6)))
    T[0, 0, 0] = np.nan
    found = arm_kinematics().inverse(T)
    assert found.status.tolist() == [NOT_A_POSE, FOUND]
    assert np.isfinite(found.q).all()
    assert found.explain(0).startswith("not a pose")


def test_a_floating_body_goes_where_it_is_told():
    built = Machine("buoy")
    joints = {"sea": Floating(child="hull")}
    frames = {"mast": Frame(body="hull", position=(0.0, 0.3, 2.0), orientation=(0.1, 0.2, 0.3))}
    built.add("buoy", Mechanism(bodies={"hull": Body(**BODY)}, joints=joints, frames=frames))
    mast = Kinematics(built)
    goal = PIPE_CUTTER.forward(inside(20, seed=5))
    found = mast.inverse(goal)
    assert (found.status == FOUND).all()
    assert np.abs(mast.forward(found.q) - goal).max() < 1e-9
    assert mast.jacobian(found.q).shape == (20, 6, 6)


def test_unknown_frames_coordinates_and_shapes_are_refused():
    with pytest.raises(DeclarationError, match=r"no frame 'tol'\. Its frames are arm.tool"):
        Kinematics(machine("rigid-arm"), "tol")
    with pytest.raises(DeclarationError, match=r"limits of 'elbo.q': there is no such coordinate"):
        Kinematics(machine("rigid-arm"), limits={"elbo.q": (0, 1)})
    with pytest.raises(DeclarationError, match=r"rigid-arm has 6 coordinates \(arm.base.q"):
        arm_kinematics().forward(np.zeros(5))


def test_a_closed_loop_stays_closed_while_the_boom_is_raised():
    bars = linkage()
    built = Machine("four-bar")
    frames = {
        "tip": Frame(body="body_1", position=(9.0, 0.0, 0.0)),
        "end": Frame(body="body_3", position=(2.0, 0.0, 0.0)),
    }
    built.add("linkage", Mechanism(bodies=bars.bodies, joints=bars.joints, loops=bars.loops, frames=frames))
    tip, end = Kinematics(built, "tip"), Kinematics(built, "end")
    angles = np.linspace(-0.1, 0.25, 8)
    found = tip.inverse(9.0 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=-1))
    assert (found.status == FOUND).all()
    assert found.q[:, 0] == pytest.approx(angles, abs=1e-9)
    assert np.abs(end.forward(found.q)[:, :3, 3] - E).max() < 1e-9
    stretched = tip.inverse(9.0 * np.array([np.cos(0.3), np.sin(0.3), 0.0]))  # the links span 3.414 m of 3.431 m
    assert stretched.status == UNREACHABLE
