"""Limits of the general inverse: where they come from, and what is said where there are none."""

from functools import cache

import casadi as ca
import numpy as np
import pytest

from oleodyn.catalogue import hydm, loader_crane
from oleodyn.catalogue.shelf import machine
from oleodyn.errors import DataError, DeclarationError
from oleodyn.kinematics.branches import FOUND, NOT_A_POSE, OUTSIDE_LIMITS
from oleodyn.kinematics.kinematics import Kinematics


@cache
def crane():
    return Kinematics(loader_crane.machine(), "tip")


def ends(kinematics, name):
    return kinematics.limits[kinematics.names.index(name)]


def test_a_sliding_joint_ends_where_the_stroke_of_its_cylinder_ends():
    assert ends(crane(), "arm.telescope.q") == pytest.approx((1.80, 3.40), abs=1e-12)
    assert ends(crane(), "arm.lift_rod.q") == pytest.approx((1.12, 1.88), abs=1e-12)


def test_a_cylinder_on_a_line_ends_the_angle_that_it_turns():
    built = hydm.machine().replace("arm.joints.joint_2.stop", None)
    built = built.replace("drive_2.length_0", 0.50).replace("drive_2.stroke", 0.13)
    # law of cosines; the pins are 30 deg apart where joint 2 is at 0
    angles = [np.arccos((0.12**2 + 0.6**2 - length**2) / (2 * 0.12 * 0.6)) - np.radians(30) for length in (0.50, 0.63)]
    assert ends(Kinematics(built), "arm.joint_2.q") == pytest.approx(angles, abs=1e-9)


def test_a_helical_actuator_ends_its_joint_where_no_stop_does_before():
    built = hydm.machine().replace("arm.joints.joint_1.stop", None)
    assert ends(Kinematics(built), "arm.joint_1.q") == pytest.approx(np.radians([-92, 92]), abs=1e-12)
    assert ends(Kinematics(hydm.machine()), "arm.joint_1.q") == pytest.approx(np.radians([-90, 90]))


def test_a_point_far_beyond_the_crane_is_not_met_by_a_telescope_of_47_m():
    found = crane().inverse(np.array([50.0, 0.0, 0.0]))
    assert found.status == OUTSIDE_LIMITS
    assert "arm.telescope.q = 47." in found.explain() and "must lie within 1.8 and 3.4" in found.explain()
    assert (found.q >= crane().limits[:, 0]).all() and (found.q <= crane().limits[:, 1]).all()
    assert found.distance == pytest.approx(np.linalg.norm(crane().forward(found.q)[:3, 3] - [50, 0, 0]), rel=1e-12)
    e = crane().equations
    apart = ca.Function("apart", [e.q], [ca.substitute(e.Phi, e.p, ca.DM(e.p_0))])(found.q)
    assert np.abs(np.array(apart)).max() < 1e-9  # the nearest is a posture that there is: its loops are closed


def test_the_answer_names_the_coordinates_without_limits():
    found = crane().inverse(crane().forward(crane().q_0)[:3, 3] + [0.1, 0.2, 0.3])
    assert found.status == FOUND
    assert "arm.boom.q" in found.unlimited and "arm.telescope.q" not in found.unlimited
    assert found.explain() == (
        "solved (no limits are known of arm.slew.q, arm.boom.q, arm.jib.q, arm.swing.q_1, arm.swing.q_2, "
        "arm.rotator.q and 10 more)"
    )
    bounded = Kinematics(machine("pipe-cutter"))
    assert bounded.inverse(bounded.forward(bounded.q_0)).explain() == "solved"


@pytest.mark.parametrize("pair", [(1.0, -1.0), (0.0, np.nan), (1.0,)])
def test_limits_that_do_not_rise_are_refused(pair):
    with pytest.raises(DeclarationError, match=r"limits of 'elbow.q' = \(.*\): must be a lower and an upper end"):
        Kinematics(machine("rigid-arm"), limits={"elbow.q": pair})


def test_equal_limits_hold_a_coordinate():
    arm = Kinematics(machine("rigid-arm"), limits={"elbow.q": (0.7, 0.7)})
    found = arm.inverse(arm.forward([0.3, -0.2, 0.7, 0.1, 0.5, 0.0])[:3, 3])
    assert found.status == FOUND and found.q[2] == 0.7


def test_a_machine_without_frames_is_told_how_to_get_one():
    with pytest.raises(DeclarationError, match=r"Its frames are none\. Add one .*frames: \{tip: \{type: Frame, body:"):
        Kinematics(machine("four-bar"), "tool")


def test_what_is_not_a_number_is_named_where_it_stands():
    arm = Kinematics(machine("rigid-arm"))
    point = arm.inverse(np.array([[1.0, np.nan, 0.5], [1.5, 0.0, 1.5]]))
    assert point.status.tolist() == [NOT_A_POSE, FOUND]
    assert point.explain(0) == "not a point: p[1] = nan; numbers must be finite"
    T = arm.forward(arm.q_0)
    T[3, 0] = 0.1
    assert arm.inverse(T).explain().startswith("not a pose: the last row is (0.1, 0, 0, 1)")
    with pytest.raises(DataError, match=r"rigid-arm: near\[2\] = nan: must be finite"):
        arm.inverse(arm.forward(arm.q_0), near=[0, 0, np.nan, 0, 0, 0])
