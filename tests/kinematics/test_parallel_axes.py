"""HydM: three parallel axes, eight branches, and what a careless inverse gets wrong."""

import re

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.errors import DataError
from oleodyn.kinematics.branches import FOUND, NOT_A_POSE, OUTSIDE_LIMITS, UNREACHABLE
from oleodyn.kinematics.parallel_axes import ParallelAxes6R
from tests.kinematics.modified_dh import modified_dh

LOW, HIGH = np.array(HYDM.limits).T
TABLE = (
    (0, 0, HYDM.d1), (np.pi / 2, 0, 0), (0, HYDM.a2, 0),
    (0, HYDM.a3, 0), (-np.pi / 2, HYDM.a4, HYDM.d5), (-np.pi / 2, 0, HYDM.d6),
)  # fmt: skip


def inside(size, seed):
    return np.random.default_rng(seed).uniform(LOW, HIGH, (size, 6))


def rho(q):
    return HYDM.sines(q.T)[2] * (HYDM.a2 + HYDM.a3)


def test_forward_is_the_product_of_the_six_link_matrices():
    for q in inside(200, seed=3):
        T = np.eye(4)
        for (alpha, a, d), angle in zip(TABLE, q, strict=True):
            T = T @ modified_dh(alpha, a, d, angle)
        assert np.abs(T - HYDM.forward(q)).max() < 1e-14  # rounding, lengths of order 1 m


def test_every_joint_set_within_the_limits_comes_back_on_exactly_one_branch(verification):
    q = inside(100_000, seed=4)
    branches = HYDM.inverse(HYDM.forward(q))
    choice = branches.select()
    assert (branches.inside.sum(axis=-1) == 1).all()
    assert (choice.status == FOUND).all()
    worst = np.abs(choice.q - q).max()
    verification("HydM", "worst joint of IK(FK(q)), 1e5 sets", "Rong et al. (2014)", worst, 1e-9, unit="rad")


def test_every_real_branch_reproduces_the_pose():
    T = HYDM.forward(inside(20_000, seed=5))
    branches = HYDM.inverse(T)
    worst = np.abs(HYDM.forward(branches.q) - T[:, None])[branches.real].max()
    assert worst < 1e-12
    assert set(branches.real.sum(axis=-1)) == {2, 4, 6, 8}


def test_the_wrist_lies_behind_the_slewing_axis_in_seven_percent_and_plain_atan2_fails_there():
    q = inside(100_000, seed=6)
    behind = rho(q) < 0
    assert behind.mean() == pytest.approx(0.07, abs=0.01)
    T = HYDM.forward(q)
    w = T[:, :3, 3] - HYDM.d6 * T[:, :3, 2]
    plain = np.arctan2(w[:, 1], w[:, 0])
    wrong = np.abs(plain - q[:, 0]) > 1e-9
    assert (wrong[np.abs(rho(q)) > 1e-3] == behind[np.abs(rho(q)) > 1e-3]).all()


@pytest.mark.parametrize("joint", [1, 5])
def test_near_zero_no_digits_are_lost_as_an_arc_cosine_loses_them(joint):
    rng = np.random.default_rng(7)
    q = inside(20_000, seed=8)
    q[:, joint] = 10 ** rng.uniform(-12, -3, len(q))
    kept = np.abs(rho(q)) > 1e-4
    choice = HYDM.inverse(HYDM.forward(q)).select()
    assert np.abs(choice.q - q)[kept].max() < 1e-9  # arc cosine: 3e-8 and 5e-8


def test_the_jacobian_is_that_of_central_differences_and_its_determinant_the_closed_form():
    q = inside(500, seed=9)
    J = HYDM.jacobian(q)
    step = 1e-6
    for i in range(6):
        ahead, behind = HYDM.forward(q + step * np.eye(6)[i]), HYDM.forward(q - step * np.eye(6)[i])
        rate = (ahead - behind) / (2 * step)
        spin = rate[:, :3, :3] @ np.swapaxes(HYDM.forward(q)[:, :3, :3], 1, 2)
        w = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=-1)
        assert np.abs(J[:, :3, i] - rate[:, :3, 3]).max() < 1e-8
        assert np.abs(J[:, 3:, i] - w).max() < 1e-8
    exact = -HYDM.a2 * HYDM.a3 * np.sin(q[:, 2]) * np.sin(q[:, 4]) * rho(q)
    regular = np.abs(exact) > 1e-6
    assert np.linalg.det(J)[regular] == pytest.approx(exact[regular], rel=1e-9)


def test_the_worked_example_has_the_eight_solutions_of_the_specification():
    T = HYDM.forward(np.radians([30, 45, -90, 20, -60, 120]))
    assert T[:3, 3] == pytest.approx([1.209130518803, 0.871296911273, 0.506275428071], abs=1e-12)
    branches = HYDM.inverse(T)
    expected = [
        [30, -8.366870, 31.752987, 131.613883, 60, -60],
        [30, 21.213614, -31.752987, 165.539372, 60, -60],
        [30, -37.371850, 90, -77.628150, -60, 120],
        [30, 45, -90, 20, -60, 120],
        [-150, 157.081666, 54.597135, 173.321200, 120, 120],
        [-150, -152.262411, -54.597135, -128.140455, 120, 120],
        [-150, 131.822762, 74.276049, -1.098811, -120, -60],
        [-150, -159.681916, -74.276049, 78.957964, -120, -60],
    ]
    assert np.degrees(branches.q) == pytest.approx(np.array(expected), abs=1e-6)  # as printed
    assert branches.real.all()
    assert list(branches.inside) == [code == "0--" for code in HYDM.codes]


def test_at_mid_range_the_tool_points_forward():
    T = HYDM.forward(np.radians([0, 60, -65, 10, -90, 0]))
    assert T[:3, 3] == pytest.approx([1.53516521, 0, 1.29057475], abs=1e-8)
    assert T[:3, 2] == pytest.approx([0.9961947, 0, 0.0871557], abs=1e-7)
    assert T[:3, 0] == pytest.approx([0, -1, 0], abs=1e-12)


def test_out_of_reach_is_answered_with_the_lengths_and_never_with_nan():
    T = HYDM.forward([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T[2, 3] += 3.0
    branches = HYDM.inverse(T)
    assert not branches.real.any()
    assert np.isfinite(branches.q).all()
    assert branches.select().status == UNREACHABLE
    assert "joint 4 would have to be" in branches.explain()
    assert "reach 0.1 m to 1.5 m" in branches.explain()


def test_outside_the_limits_the_joint_and_the_limit_are_named():
    q = np.radians([10, 30, -60, 80, -90, 0])
    branches = HYDM.inverse(HYDM.forward(q))
    assert branches.select().status == OUTSIDE_LIMITS
    assert "q4 = 80 deg, must lie within -50 deg and 70 deg" in branches.explain()


@pytest.mark.parametrize("spoil", [np.nan, np.inf, 1e200, 0.9])
def test_what_is_no_pose_is_refused_in_words(spoil):
    T = HYDM.forward([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T[1, 1] = spoil
    branches = HYDM.inverse(T)
    assert np.isfinite(branches.q).all()
    assert branches.select().status == HYDM.solve(T).status == NOT_A_POSE
    assert branches.explain().startswith("not a pose")


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((1, 1), np.nan, r"not a pose: R\[1, 1\] = nan; numbers must be finite"),
        ((2, 3), np.inf, r"not a pose: p\[2\] = inf; numbers must be finite"),
        ((3, 1), 1e-3, r"not a pose: the last row is \(0, 0.001, 0, 1\), must be \(0, 0, 0, 1\)"),
        ((3, 3), 2.0, r"not a pose: the last row is \(0, 0, 0, 2\)"),
        ((1, 1), 0.9, r"not a pose: \|RᵀR − I\| = "),
        ((0, 3), 1e200, r"not a pose: its origin is 1e\+200 m away"),
    ],
)
def test_each_way_not_to_be_a_pose_has_its_own_words(place, value, message):
    q = np.array([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T = np.stack([HYDM.forward(q)] * 2)
    T[1][place] = value
    branches, choice = HYDM.inverse(T), HYDM.solve(T, near=q + 0.1)
    assert choice.status.tolist() == branches.select().status.tolist() == [FOUND, NOT_A_POSE]
    assert choice.q[1] == pytest.approx(q + 0.1)
    assert re.match(message, branches.explain(1))


def test_rounding_in_the_last_row_is_taken_for_rounding():
    q = np.array([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T = HYDM.forward(q)
    T[3] += [1e-9, -1e-9, 0, 1e-9]
    assert HYDM.solve(T).q == pytest.approx(q, abs=1e-12)


def test_a_posture_to_be_near_to_must_be_one():
    T = HYDM.forward(np.zeros(6))
    for asked in (HYDM.solve, HYDM.inverse):
        with pytest.raises(DataError, match=r"ParallelAxes6R: near\[3\] = nan: must be finite .* leave near out"):
            asked(T, near=[0, 0, 0, np.nan, 0, 0])


def test_a_left_handed_frame_is_no_pose():
    T = HYDM.forward([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T[:3, 1] *= -1
    assert HYDM.inverse(T).select().status == NOT_A_POSE


def test_rounding_in_the_axes_is_smoothed_away():
    q = np.array([0.2, 1.0, -1.0, 0.3, -1.2, 0.5])
    T = HYDM.forward(q)
    T[:3, :3] *= 1 + 2e-7
    assert HYDM.inverse(T).select().q == pytest.approx(q, abs=1e-12)


def test_on_the_slewing_axis_the_first_joint_stays_and_the_pose_is_still_met():
    q = on_the_slewing_axis()
    branches = HYDM.inverse(HYDM.forward(q), near=q)
    kept = np.abs(branches.q - q).max(axis=-1).argmin()
    assert branches.q[kept] == pytest.approx(q, abs=1e-8)
    assert branches.real[kept] and branches.singular()[kept].tolist() == [False, False, True]
    assert np.abs(HYDM.forward(branches.q[kept]) - HYDM.forward(q)).max() < 1e-9


def on_the_slewing_axis():
    """A posture within the limits whose wrist is on axis 1."""
    q = np.array([0.4, 1.7, -0.5, 0.3, -1.3, 0.6])
    for _ in range(40):
        q[1] -= HYDM.sines(q)[2] * 1e-7 / (HYDM.sines(q + 1e-7 * np.eye(6)[1])[2] - HYDM.sines(q)[2])
    return q


def test_the_compiled_inverse_flags_the_joint_that_a_singular_pose_leaves_open():
    q = on_the_slewing_axis()
    T = np.stack([HYDM.forward(q), HYDM.forward(q + 0.01), np.diag([1.0, 1.0, 1.0, 2.0])])
    near = q + np.array([0.07, 0, 0, 0, 0, 0])
    for choice in (HYDM.solve(T, near), HYDM.inverse(T, near).select(near)):
        assert choice.status.tolist() == [FOUND, FOUND, NOT_A_POSE]
        assert choice.singular().tolist() == [[False, False, True], [False] * 3, [False] * 3]
        assert choice.q[0, 0] == near[0]  # from `near`: any other would do
        assert choice.sines[1] == pytest.approx(HYDM.sines(q + 0.01), abs=1e-9)
        assert choice.singular(margin=1.0)[1].any()


def test_a_singularity_of_a_posture_outside_the_limits_is_told_too():
    stretched = HYDM.inverse(HYDM.forward([0.2, 1.0, 0.0, -0.3, -1.2, 0.5]))
    assert stretched.select().status == OUTSIDE_LIMITS
    assert "outside the limits" in stretched.explain()
    assert "at the elbow singularity: upper arm and forearm are in line" in stretched.explain()
    straight = HYDM.inverse(HYDM.forward([0.2, 1.0, -1.0, 0.3, 0.0, 0.5]))
    assert straight.select().status == OUTSIDE_LIMITS
    assert "at the wrist singularity: axis 6 is parallel to axes 2 to 4" in straight.explain()


def test_a_straight_wrist_keeps_the_pitch_it_had_and_meets_the_pose():
    lengths = {name: getattr(HYDM, name) for name in ("d1", "a2", "a3", "a4", "d5", "d6")}
    arm = ParallelAxes6R(**lengths, limits=[[-4, 4]] * 6)
    q = np.array([0.4, 1.0, -1.3, 0.5, 0.0, 0.7])
    T = arm.forward(q)
    near = q + 0.05
    choice = arm.inverse(T, near).select(near)
    assert choice.status == FOUND
    assert choice.q[1:4].sum() == pytest.approx(near[1:4].sum(), abs=1e-12)
    assert np.abs(arm.forward(choice.q) - T).max() < 1e-12
    assert "at the wrist singularity" in arm.inverse(T, near).explain()


def test_the_tool_that_turns_for_ever_stays_on_its_own_turn():
    q = np.array([0.2, 1.0, -1.0, 0.3, -1.2, 40.0])
    assert HYDM.inverse(HYDM.forward(q)).select(near=q + 0.2).q == pytest.approx(q, abs=1e-12)


def test_the_branch_that_is_taken_is_the_same_from_all_branches_and_from_the_solver():
    q = inside(2000, seed=10)
    T = HYDM.forward(q)
    T[::7, 2, 3] += 1.5
    T[::11, 0, 0] += 0.1
    arrays, code = HYDM.inverse(T).select(near=q + 0.01), HYDM.solve(T, near=q + 0.01)
    assert (arrays.status == code.status).all()
    assert set(code.status) == {FOUND, OUTSIDE_LIMITS, UNREACHABLE, NOT_A_POSE}
    assert np.abs(arrays.q - code.q).max() < 1e-12


def test_machine_code_gives_what_the_same_text_gives_on_arrays():
    q = inside(500, seed=12)
    tool = HYDM.frame(list(q.T))
    T, near = HYDM.forward(q), list(np.mean(HYDM.limits, axis=1))
    columns = np.stack([np.stack(axis, axis=-1) for axis in tool], axis=-1)
    assert np.abs(T[:, :3] - columns).max() < 4e-15
    branches = HYDM.inverse(T)
    for b, (joints, reach) in enumerate(HYDM.branches(tool, near)):
        real = branches.real[:, b]
        assert np.abs(branches.q[:, b] - np.stack(joints, axis=-1))[real].max() < 1e-9  # at most eps / |rho|
        assert branches.reach[:, b] == pytest.approx(reach, abs=1e-12)


def test_no_poses_give_no_answers():
    nothing = np.empty((0, 4, 4))
    assert HYDM.solve(nothing).q.shape == (0, 6)
    assert HYDM.inverse(nothing).q.shape == (0, 8, 6)


def test_shapes_of_poses_are_kept():
    q = inside(12, seed=11)
    T = HYDM.forward(q).reshape(3, 4, 4, 4)
    assert HYDM.solve(T).q == pytest.approx(q.reshape(3, 4, 6), abs=1e-9)
    assert HYDM.solve(T, threads=2).status.shape == (3, 4)
    assert HYDM.inverse(T).explain((1, 2)) == "solved by branch 0--"
