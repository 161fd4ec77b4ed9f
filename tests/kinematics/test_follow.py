"""Paths of the tool and the joint references that follow them, checked before the start."""

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import HYDM, PIPE_CUTTER
from oleodyn.catalogue.shelf import SHELF, load
from oleodyn.control.pid import PID
from oleodyn.errors import DeclarationError
from oleodyn.kinematics.euler import rotation_from_zyz, zyz_from_rotation
from oleodyn.kinematics.follow import follow, references
from oleodyn.kinematics.path import CirclePath, StraightPath, WaypointPath, rotation_about, rotation_vector
from oleodyn.kinematics.progress import CruiseProgress, SteadyProgress
from oleodyn.machine.machine import Machine
from oleodyn.machine.save import to_text
from oleodyn.simulation.scenario import Scenario
from oleodyn.units import deg, mm


def pitched(pitch):
    """z-y-z angles of the pipe cutter's tool at this pitch, its n along x0."""
    return 90 * deg, 90 * deg - pitch, -90 * deg


CIRCLE = dict(
    centre=(0, 2.570, -1.400), radius=300 * mm, begin=(1, 0, 0), towards=(0, 0, 1), tool=pitched(-62 * deg),
    angle=CruiseProgress(start=5.0, ramp=2.0, speed=7.5 * deg, distance=2 * np.pi), until=60.0,
)  # fmt: skip
FEED = StraightPath(
    begin=(0, 2.570, -1.445), along=(0, 2, 0), tool=pitched(-65 * deg), until=400.0,
    distance=SteadyProgress(speed=0.2 * mm, distance=80 * mm),
)  # fmt: skip


def test_the_circle_takes_the_joints_through_the_ranges_of_the_specification():
    path = follow(PIPE_CUTTER, CirclePath(**CIRCLE))
    low, high = np.degrees(path.q_ref.min(axis=0)), np.degrees(path.q_ref.max(axis=0))
    assert high[[0, 4, 5]] == pytest.approx([8.0, 3.7, 7.1], abs=0.05)  # as printed
    assert low[[0, 4, 5]] == pytest.approx([-8.0, -3.7, -7.1], abs=0.05)
    assert (low[2], high[2], low[3], high[3]) == pytest.approx((-64.8, 16.9, -78.9, 2.8), abs=0.05)
    assert (path.q_ref[:, 1].min(), path.q_ref[:, 1].max()) == pytest.approx((0.091, 0.364), abs=5e-4)
    assert np.abs(path.v_ref[:, 1]).max() == pytest.approx(0.027, abs=0.001)


def test_the_references_put_the_tool_on_the_circle():
    circle = CirclePath(**CIRCLE)
    path = follow(PIPE_CUTTER, circle)
    assert len(path.t) == 6001
    assert np.abs(PIPE_CUTTER.forward(path.q_ref) - circle.poses(path.t)).max() < 1e-12
    tool = path.T[:, :3, 3]
    assert np.hypot(tool[:, 0], tool[:, 2] + 1.4) == pytest.approx(0.3, abs=1e-12)
    assert tool[0] == pytest.approx([0.3, 2.57, -1.4]) and tool[-1] == pytest.approx(tool[0])
    assert tool[600, 2] > -1.4  # from +x towards +z
    assert path.v_ref[0] == pytest.approx(0, abs=1e-12) and path.v_ref[-1] == pytest.approx(0, abs=1e-12)


def test_the_feed_of_the_cut_moves_only_the_boom():
    path = follow(PIPE_CUTTER, FEED)
    assert np.ptp(path.q_ref, axis=0) == pytest.approx([0, 0.080, 0, 0, 0, 0], abs=1e-9)
    assert path.q_ref[0] == pytest.approx([0, 0.170922, -0.337251, -0.797213, 0, 0], abs=5e-7)  # as printed
    assert path.v_ref[5:-5, 1] == pytest.approx(0.2 * mm, abs=1e-12)


def test_cruise_is_the_integral_of_its_speed():
    turn = CIRCLE["angle"]
    t = np.linspace(0, 60, 60_001)
    speed = np.interp(t, [5, 7, 53, 55], [0, 1, 1, 0])
    speed = 7.5 * deg * np.where(t < 30, 0.5 - 0.5 * np.cos(np.pi * speed), 0.5 - 0.5 * np.cos(np.pi * speed))
    exact = np.concatenate([[0], np.cumsum((speed[1:] + speed[:-1]) / 2) * 1e-3])
    assert turn(t) == pytest.approx(exact, abs=1e-7)  # trapezoids of 1 ms
    assert turn.end == 55.0


def test_a_cruise_without_room_for_its_ramps_is_refused():
    with pytest.raises(DeclarationError, match=r"the ramps alone take 4\. Make ramp shorter"):
        CruiseProgress(ramp=2.0, speed=2.0, distance=3.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(radius=0.4), r"path at t = 16.25 s, tool at \(0.09083, 2.57, -1.01\) m: .*q4 = -90.01 deg"),
        (dict(centre=(0, 1.57, -1.4)), r"path at t = 0 s, .*q2 = -855.3 mm, must lie within 0 mm and 400 mm"),
        (dict(centre=(0, 2.57, -2.2)), r"path at t = 0 s, .*out of reach: joint 4 would have to be .* below the boom"),
    ],
)
def test_a_path_that_cannot_be_followed_is_refused_before_the_start(changes, message):
    with pytest.raises(DeclarationError, match=message):
        follow(PIPE_CUTTER, CirclePath(**{**CIRCLE, **changes}))


def test_a_path_within_a_degree_of_a_singularity_is_refused_by_its_name():
    tip = PIPE_CUTTER.forward([0.1, 0.1, -0.2, 0.3, 89.5 * deg, 0.2])
    tools = [zyz_from_rotation(tip[:3, :3])[0]] * 2
    stay = WaypointPath(points=[tip[:3, 3]] * 2, tools=tools, durations=[1.0], until=1.0)
    with pytest.raises(DeclarationError, match=r"0.5 deg from the wrist singularity, must be at least 1 deg"):
        follow(PIPE_CUTTER, stay)
    follow(PIPE_CUTTER, stay, margin=0.4 * deg)


def test_too_fast_a_joint_is_named_with_its_speed():
    with pytest.raises(DeclarationError, match=r"q2 would have to move 20.01 mm in a second, at most 20 mm"):
        follow(PIPE_CUTTER, CirclePath(**CIRCLE), v_max=[1, 0.020, 1, 1, 1, 1])


def test_waypoints_are_met_at_rest_and_the_tool_turns_about_one_axis():
    q = np.radians([[10, 40, -60, 10, -90, 0], [-20, 70, -90, 30, -70, 60], [5, 50, -80, 20, -100, 170]])
    T = HYDM.forward(q)
    path = WaypointPath(
        points=T[:, :3, 3],
        tools=[[62 * deg, 111 * deg, 43 * deg], [0.3, 1.4, -1.0], [0.1, 1.2, 0.5]],
        durations=[2.0, 3.0],
        until=5.0,
    )
    t = np.array([0.0, 2.0, 5.0])
    assert path.poses(t)[:, :3, 3] == pytest.approx(T[:, :3, 3], abs=1e-12)
    assert path.poses(t)[:, :3, :3] == pytest.approx(rotation_from_zyz(path.tools), abs=1e-12)
    times = np.linspace(0, 2, 21)[1:-1]
    R = path.poses(times)[:, :3, :3]
    turns = rotation_vector(np.swapaxes(R[:-1], 1, 2) @ R[1:])
    axes = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    assert np.abs(axes - axes[0]).max() < 1e-9
    rate = (path.poses(2.0 + 1e-4) - path.poses(2.0 - 1e-4)) / 2e-4
    assert np.abs(rate).max() < 1e-6


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, 3.0, np.pi - 1e-9, np.pi])
def test_a_rotation_vector_comes_back_up_to_half_a_turn(angle):
    axis = np.array([0.36, -0.48, 0.8])
    R = rotation_about(angle * axis)
    back = rotation_vector(R)
    assert np.abs(rotation_about(back) - R).max() < 1e-12
    assert np.linalg.norm(back) == pytest.approx(angle, abs=1e-8)


def test_the_branch_and_the_turn_are_kept_where_several_would_do():
    wide = type(HYDM)(**{**{name: getattr(HYDM, name) for name in HYDM.fields}, "limits": [[-3.2, 3.2]] * 6})
    tool = rotation_from_zyz([0.3, 1.4, -1.0])
    path = CirclePath(
        centre=(1.0, 0.2, 0.9), radius=0.05, begin=(0, 1, 0), towards=(0, 0, 1), tool=(0.3, 1.4, -1.0),
        angle=CruiseProgress(ramp=1.0, speed=1.0, distance=2 * np.pi), until=8.0,
    )  # fmt: skip
    starts = wide.inverse(path.poses(0.0))
    assert starts.inside.sum() > 1 and np.allclose(path.poses(0.0)[:3, :3], tool)
    for b in np.flatnonzero(starts.inside):
        near = starts.q[b] + np.array([0, 0, 0, 0, 0, 4 * np.pi])
        solved = follow(wide, path, near=near, margin=0.0)
        assert solved.q_ref[0] == pytest.approx(near, abs=1e-9)
        assert np.abs(np.diff(solved.q_ref, axis=0)).max() < 0.02


def test_references_are_signals_for_six_controllers():
    signals = references(PIPE_CUTTER, FEED, [f"pid_{i}" for i in range(1, 7)])
    assert len(signals) == 12
    assert signals["pid_2.q_ref"]([0.0, 100.0, 500.0]) == pytest.approx([0.170922, 0.190922, 0.250922], abs=5e-7)
    assert signals["pid_2.v_ref"](100.0) == pytest.approx(0.2 * mm, abs=1e-12)
    assert signals["pid_4.q_ref"] == references(PIPE_CUTTER, FEED, [f"pid_{i}" for i in range(1, 7)])["pid_4.q_ref"]


def test_a_scenario_of_path_references_goes_into_a_machine_file_and_back():
    machine = Machine("cutter", scenarios={"cut": Scenario(signals=references(PIPE_CUTTER, FEED, ["pid"] * 6))})
    machine.add("pid", PID(K_p=0.1, u_max=0.01))
    assert load(to_text(machine, shelf=SHELF), SHELF) == machine
