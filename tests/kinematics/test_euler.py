"""z-y-z Euler angles against an independent routine and at their two degenerate tilts."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from oleodyn.kinematics.euler import rotation_from_zyz, zyz_from_rotation


def random_angles(size, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform([-np.pi, 0.01, -np.pi], [np.pi, np.pi - 0.01, np.pi], (size, 3))


def test_the_rotation_is_that_of_an_independent_zyz_routine():
    angles = random_angles(1000, seed=1)
    assert np.abs(rotation_from_zyz(angles) - Rotation.from_euler("ZYZ", angles).as_matrix()).max() < 1e-15 * 4


def test_angles_come_back_from_their_rotation():
    angles = random_angles(1000, seed=2)
    back, degenerate = zyz_from_rotation(rotation_from_zyz(angles))
    assert np.abs(back - angles).max() < 1e-13  # 1e-15 through sin β of 0.01
    assert not degenerate.any()


@pytest.mark.parametrize("beta", [0.0, np.pi])
def test_where_azimuth_and_roll_turn_about_one_axis_the_roll_is_zero_and_it_is_said(beta):
    R = rotation_from_zyz([0.7, beta, 0.4])
    angles, degenerate = zyz_from_rotation(R)
    assert degenerate
    assert angles[2] == 0.0
    assert np.abs(rotation_from_zyz(angles) - R).max() < 1e-15 * 4


def test_the_worked_example_has_the_angles_of_the_specification():
    R = [
        [-0.729691439057, -0.531866344753, 0.429730840277],
        [0.078712451235, 0.558952226468, 0.825455485503],
        [-0.679231001786, 0.636152968904, -0.365998150771],
    ]
    angles, _ = zyz_from_rotation(R)
    assert np.degrees(angles) == pytest.approx([62.498585, 111.469024, 43.124268], abs=1e-6)  # as printed
