"""Workspaces of both arms, and of machines: reach, height, singularities."""

import numpy as np
import pytest

from oleodyn.catalogue import hydm, loader_crane
from oleodyn.catalogue.arm_geometry import HYDM, PIPE_CUTTER
from oleodyn.errors import DeclarationError
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.kinematics.workspace import workspace
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame
from oleodyn.mechanics.joint import Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism


def test_hydm_reaches_as_far_as_the_specification_says():
    seen = workspace(HYDM, size=100_000)
    shoulder = np.linalg.norm(seen.points - [0, 0, HYDM.d1], axis=1)
    assert shoulder.max() == pytest.approx(1.964, abs=0.01)  # 1.964 m over another 1e5 sets
    assert seen.reach <= HYDM.d1 + HYDM.a2 + HYDM.a3 + HYDM.a4 + HYDM.d5 + HYDM.d6


def test_the_pipe_cutter_reaches_the_published_distance_and_its_stroke():
    seen = workspace(PIPE_CUTTER)
    assert 3.4 < seen.reach <= 3.6421 + 1e-12


def test_only_the_shoulder_of_hydm_is_singular_inside_its_limits():
    share = workspace(HYDM, size=50_000).singular_share(0.02)
    assert share["elbow"] == share["wrist"] == 0
    assert 0 < share["shoulder"] < 0.05


def test_views_show_every_point_in_its_cell():
    seen = workspace(PIPE_CUTTER, size=5000)
    for x, y, best in (seen.side_view(50), seen.top_view(50)):
        assert best.shape == (len(x) - 1, len(y) - 1)
        assert np.nanmax(best) == seen.regular.max()
        assert np.isfinite(best).sum() <= 5000
        assert np.diff(x) == pytest.approx(np.diff(y)[0])


def test_the_figure_has_both_views():
    figure = workspace(HYDM, size=5000).figure("HydM", cells=40)
    assert [ax.get_xlabel() for ax in figure.axes[:2]] == ["distance from axis z0 [m]", "x0 [m]"]


def test_the_machine_has_the_workspace_of_its_closed_form():
    made = Kinematics(hydm.machine(), "tool")
    seen, closed = workspace(made, size=2000), workspace(HYDM, size=2000)
    assert np.abs(seen.points - closed.points).max() < 1e-12  # the same draws: the stops are the limits
    values = np.linalg.svd(HYDM.jacobian(closed.q), compute_uv=False)
    assert seen.regular == pytest.approx(values[:, 5] / values[:, 0], abs=1e-12)
    shoulder = np.abs(HYDM.sines(closed.q.T)[2])
    assert seen.regular[shoulder < 0.005].max() < 0.01 < np.median(seen.regular)
    assert seen.singular_share(0.01)["any"] == pytest.approx((seen.regular < 0.01).mean())


def test_a_crane_reaches_as_far_as_its_strokes_let_it_with_every_loop_closed():
    crane = Kinematics(loader_crane.machine(), "tip")
    seen = workspace(crane, size=400, point=True)
    assert len(seen.q) > 200
    assert (seen.q >= crane.limits[:, 0] - 1e-9).all() and (seen.q <= crane.limits[:, 1] + 1e-9).all()
    assert np.abs(crane.problem(False).at(seen.q, np.zeros(3))[0][:, 3:]).max() < 1e-9
    out = np.hypot(seen.points[:, 0], seen.points[:, 1])
    assert 5.5 < out.max() < 2.6 + 0.35 + 3.4 + 0.01  # boom, barrel eye, telescope with all of its rod out
    assert 0 < seen.regular.min() and seen.regular.max() < 1
    assert [ax.get_ylabel() for ax in seen.figure(cells=20).axes[:2]] == ["height z0 [m]", "y0 [m]"]


def test_a_slide_without_limits_has_no_workspace_until_they_are_given():
    built = Machine("slide")
    joints = {"rail": Prismatic(child="sled"), "turn": Revolute(parent="sled", child="arm")}
    bodies = {name: Body(mass=1.0, inertia=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))) for name in ("sled", "arm")}
    frames = {"tip": Frame(body="arm", position=(0.5, 0.0, 0.0))}
    built.add("m", Mechanism(bodies=bodies, joints=joints, frames=frames))
    with pytest.raises(DeclarationError, match=r"m\.rail\.q \[m\] has no limits: must have both ends\. Give them"):
        workspace(Kinematics(built), size=10)
    limits = {"rail.q": (-0.2, 0.3), "turn.q": (1.0, np.inf)}
    seen = workspace(Kinematics(built, limits=limits), size=4000)
    assert (seen.q[:, 0].min(), seen.q[:, 0].max()) == pytest.approx((-0.2, 0.3), abs=0.002)  # 4000 draws
    assert (seen.q[:, 1].min(), seen.q[:, 1].max()) == pytest.approx((1.0, 1.0 + 2 * np.pi), abs=0.02)
