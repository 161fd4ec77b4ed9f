"""The pipe-cutting arm: slewing base, sliding boom, two pitches, wrist, roll."""

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.kinematics.branches import FOUND, OUTSIDE_LIMITS, UNREACHABLE
from tests.kinematics.modified_dh import modified_dh

LOW, HIGH = np.array(PIPE_CUTTER.limits).T


def inside(size, seed):
    return np.random.default_rng(seed).uniform(LOW, HIGH, (size, 6))


def test_forward_is_the_product_of_the_six_link_matrices():
    quarter = np.pi / 2
    for q in inside(200, seed=1):
        table = (
            (0, 0, 0, q[0]), (-quarter, 0, 1.329 + q[1], -quarter), (-quarter, 0, 0, q[2] - quarter),
            (0, 0.502, 0, q[3]), (-quarter, 0.482, 0, q[4] - quarter), (-quarter, 0, 0.9291, q[5]),
        )  # fmt: skip
        T = np.eye(4)
        for alpha, a, d, angle in table:
            T = T @ modified_dh(alpha, a, d, angle)
        assert np.abs(T - PIPE_CUTTER.forward(q)).max() < 1e-14  # rounding


def test_stretched_out_the_arm_reaches_the_published_distance():
    assert PIPE_CUTTER.forward(np.zeros(6))[:3, 3] == pytest.approx([0, 3.2421, 0], abs=1e-12)


def test_the_pose_of_the_specification():
    T = PIPE_CUTTER.forward([0.3, 0.15, -0.35, -0.5, 0.2, 0.4])
    expected = [
        [0.913152, -0.145028, -0.380947, -1.024377],
        [0.102645, -0.822635, 0.559227, 2.686928],
        [-0.394484, -0.549762, -0.736305, -1.218353],
    ]
    assert T[:3] == pytest.approx(np.array(expected), abs=6e-7)  # as printed


def test_every_joint_set_within_the_limits_comes_back_on_exactly_one_branch():
    q = inside(20_000, seed=2)
    branches = PIPE_CUTTER.inverse(PIPE_CUTTER.forward(q))
    choice = branches.select()
    assert (branches.inside.sum(axis=-1) == 1).all()
    assert (choice.status == FOUND).all()
    assert np.abs(choice.q - q).max() < 1e-9


def test_every_real_branch_reproduces_the_pose_even_from_outside_the_limits():
    rng = np.random.default_rng(3)
    q = rng.uniform([-np.pi, -3, *[-np.pi] * 4], [np.pi, 3, *[np.pi] * 4], (5000, 6))
    T = PIPE_CUTTER.forward(q)
    branches = PIPE_CUTTER.inverse(T)
    assert np.abs(PIPE_CUTTER.forward(branches.q) - T[:, None])[branches.real].max() < 1e-12
    assert np.abs(branches.q - q[:, None]).max(axis=-1).min(axis=-1).max() < 1e-9


def test_the_determinant_of_the_jacobian_is_the_closed_form():
    q = inside(2000, seed=4)
    rho = 1.329 + q[:, 1] + 0.502 * np.cos(q[:, 2]) + 0.482 * np.cos(q[:, 2] + q[:, 3])
    exact = 0.502 * np.cos(q[:, 2]) * np.cos(q[:, 4]) * rho
    regular = np.abs(exact) > 1e-4
    assert np.linalg.det(PIPE_CUTTER.jacobian(q))[regular] == pytest.approx(exact[regular], rel=1e-9)


def test_the_start_of_the_cut_is_the_start_of_the_specification():
    choice = PIPE_CUTTER.solve(PIPE_CUTTER.tool_poses([0, 2.570, -1.445], np.radians(-65)))
    assert choice.status == FOUND
    assert choice.q == pytest.approx([0, 0.170922, -0.337251, -0.797213, 0, 0], abs=5e-7)  # as printed


def test_too_low_a_tool_is_out_of_reach_by_the_height_of_joint_4():
    branches = PIPE_CUTTER.inverse(PIPE_CUTTER.tool_poses([0, 2.570, -2.2], np.radians(-65)))
    assert branches.select().status == UNREACHABLE
    assert (
        branches.explain() == "out of reach: joint 4 would have to be 0.9211 m below the boom; link 3 reaches 0.502 m"
    )


def test_too_far_a_tool_names_the_boom_and_its_stroke():
    branches = PIPE_CUTTER.inverse(PIPE_CUTTER.tool_poses([0, 2.950, -1.445], np.radians(-65)))
    assert branches.select().status == OUTSIDE_LIMITS
    assert "q2 = 550.9 mm, must lie within 0 mm and 400 mm" in branches.explain()


def test_a_wrist_at_a_right_angle_is_said_to_be_singular_and_the_pose_is_met():
    q = np.array([0.2, 0.1, -0.4, 0.3, np.pi / 2, 0.5])
    T = PIPE_CUTTER.forward(q)
    choice = PIPE_CUTTER.inverse(T, near=q).select(near=q)
    assert np.abs(PIPE_CUTTER.forward(choice.q) - T).max() < 1e-9
    assert "the wrist singularity" in PIPE_CUTTER.inverse(T, near=q).explain()
