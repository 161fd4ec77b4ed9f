"""Workspaces of both arms: reach, height, singularities."""

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import HYDM, PIPE_CUTTER
from oleodyn.kinematics.workspace import workspace


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
