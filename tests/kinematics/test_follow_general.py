"""Paths followed by machines without a closed form: Newton's method from instant to instant."""

from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue import loader_crane, pipe_cutter
from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_tasks import CIRCLE
from oleodyn.catalogue.shelf import machine
from oleodyn.errors import DeclarationError
from oleodyn.kinematics.euler import zyz_from_rotation
from oleodyn.kinematics.follow import follow
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.path import CirclePath, StraightPath, WaypointPath
from oleodyn.kinematics.progress import CruiseProgress, QuinticProgress

POSTURE = np.array([0.3, -0.2, 0.9, 0.1, 0.5, 0.0])


@cache
def arm(**limits):
    return Kinematics(machine("rigid-arm"), limits={f"{name}.q": ends for name, ends in limits.items()})


def place(q=POSTURE):
    """Where the tool is, and its Euler angles."""
    T = arm().forward(q)
    return T[:3, 3], zyz_from_rotation(T[:3, :3])[0]


def circle(radius=0.2):
    """From the tool's place at POSTURE once round, in the plane x-y, the tool's axes held."""
    point, tool = place()
    turn = CruiseProgress(start=0.5, ramp=1.0, speed=0.7, distance=2 * np.pi)
    return CirclePath(centre=point - [radius, 0, 0], radius=radius, tool=tool, angle=turn, until=12.0)


def straight(distance):
    """From the same place towards x."""
    point, tool = place()
    return StraightPath(
        begin=point, along=(1, 0, 0), tool=tool, distance=QuinticProgress(duration=4.0, distance=distance), until=5.0
    )


def test_the_rigid_arm_goes_round_a_circle_and_comes_back_to_where_it_was():
    found, path = follow(arm(), circle(), near=POSTURE), circle()
    assert found.q_ref.shape == (1201, 6)
    assert np.abs(arm().forward(found.q_ref) - path.poses(found.t)).max() < 1e-10  # Newton's own tolerance
    assert found.q_ref[0] == pytest.approx(POSTURE, abs=1e-10)
    assert found.q_ref[-1] == pytest.approx(POSTURE, abs=1e-9)
    moved = np.gradient(found.T[:, :3, 3], found.t, axis=0)[1:-1]
    twist = np.einsum("nij,nj->ni", arm().jacobian(found.q_ref[1:-1]), found.v_ref[1:-1])
    assert np.abs(twist[:, :3] - moved).max() < 1e-4  # central differences over 20 ms, third derivatives of 0.2 m


def test_straight_on_the_joints_are_held_to_the_line_and_end_at_rest():
    found = follow(arm(), straight(0.4), near=POSTURE)
    tool = arm().forward(found.q_ref)[:, :3, 3]
    assert np.ptp(tool[:, 1:], axis=0) == pytest.approx([0, 0], abs=1e-10)
    assert np.ptp(tool[:, 0]) == pytest.approx(0.4, abs=1e-10)
    assert np.abs(found.v_ref[[0, -1]]).max() < 1e-5  # 6 µm of the quintic in the first 10 ms, over 20 ms


def test_newton_gives_the_joints_of_the_closed_form_on_the_circle_of_the_pipe_cutter():
    built = Kinematics(pipe_cutter.machine(controlled=False, saw=False))
    closed = follow(PIPE_CUTTER, CIRCLE)
    found = follow(built, CIRCLE, near=closed.q_ref[0])
    assert np.abs(found.q_ref - closed.q_ref).max() < 1e-9  # 1e-12 of the residual through the Jacobian
    assert np.abs(found.v_ref - closed.v_ref).max() < 1e-7  # the same over 20 ms


def test_where_a_path_leaves_what_can_be_reached_is_said_with_time_and_place():
    with pytest.raises(
        DeclarationError, match=r"path at t = 2\.55 s, tool at \(2\.723, .*\) m: out of reach: the nearest"
    ):
        follow(arm(), straight(2.0), near=POSTURE)


def test_the_first_joint_to_leave_its_limits_is_named():
    with pytest.raises(
        DeclarationError, match=r"path at t = 1\.\d+ s, .*: outside the limits: arm\.elbow\.q = 0\.\d+, "
    ):
        follow(arm(elbow=(0.8, 1.5)), straight(0.4), near=POSTURE)


def test_a_path_that_begins_out_of_reach_fails_at_its_begin():
    with pytest.raises(DeclarationError, match=r"path at t = 0 s, tool at \(9, 0, 1\) m: out of reach"):
        follow(arm(), WaypointPath(points=[(9, 0, 1)] * 2, tools=[(0, 0, 0)] * 2, durations=[1.0], until=1.0))


def test_a_straight_wrist_is_singular_and_the_way_it_cannot_go_is_told():
    straight = np.array([0.0, 0.3, 0.5, 0.2, 1e-4, 0.0])
    point, tool = place(straight)
    stay = WaypointPath(points=[point] * 2, tools=[tool] * 2, durations=[1.0], until=1.0)
    told = (
        r"path at t = 0 s, .*: near a singularity: the tool can hardly turn about \(.*\), .*, must be at least 0\.001"
    )
    with pytest.raises(DeclarationError, match=told):
        follow(arm(), stay, near=straight)
    follow(arm(), stay, near=straight, margin=0.0)
    _, way = arm().regularity(straight[None])
    assert np.abs(way[0] @ arm().jacobian(straight)).max() < 1e-3  # of speeds around 1


def test_too_fast_a_joint_is_named_as_the_machine_names_it():
    with pytest.raises(DeclarationError, match=r"arm\.\w+\.q would have to move .* in a second, at most 2\.865 deg"):
        follow(arm(), circle(), near=POSTURE, v_max=0.05)


def test_the_tip_of_a_crane_goes_straight_with_its_loops_closed_and_within_its_strokes():
    crane = Kinematics(loader_crane.machine(), "tip")
    start = crane.forward(crane.q_0)[:3, 3]
    out = StraightPath(begin=start, along=(1, 0, 0), distance=QuinticProgress(duration=4, distance=0.8), until=5.0)
    found = follow(crane, out, point=True, period=0.02)
    tip = crane.forward(found.q_ref)[:, :3, 3]
    assert np.abs(tip - out.poses(found.t)[:, :3, 3]).max() < 1e-10
    assert (found.q_ref >= crane.limits[:, 0]).all() and (found.q_ref <= crane.limits[:, 1]).all()
    lever = crane.problem(False).at(found.q_ref, np.zeros(3))[0][:, 3:]
    assert lever.shape[1] == 14 and np.abs(lever).max() < 1e-10
    with pytest.raises(DeclarationError, match=r"path at t = 2\.\d+ s, .*: out(side the limits| of reach): "):
        further = StraightPath(
            begin=start, along=(1, 0, 0), distance=QuinticProgress(duration=4, distance=4), until=5.0
        )
        follow(crane, further, point=True, period=0.02)


def test_only_what_keeps_loops_closed_counts_as_motion():
    crane = Kinematics(loader_crane.machine(), "tip")
    q, step = crane.q_0, 1e-6
    ways = crane.problem(False).at(q[None], np.zeros(3))[1][0]
    left = np.linalg.svd(ways[3:])[2][np.linalg.matrix_rank(ways[3:], rtol=1e-9) :]  # seven freedoms
    assert len(left) == 7
    moved = [(crane.forward(q + step * way) - crane.forward(q - step * way))[:3, 3] / (2 * step) for way in left]
    values = np.linalg.svd(np.array(moved), compute_uv=False)
    assert crane.distance_from_singularity(q, point=True) == pytest.approx(values[2] / values[0], rel=1e-6)


def test_a_six_axis_arm_in_closed_form_follows_whole_poses_only():
    with pytest.raises(DeclarationError, match=r"point = True, and SlidingBoomArm has a closed form for whole poses"):
        follow(PIPE_CUTTER, CIRCLE, point=True)
