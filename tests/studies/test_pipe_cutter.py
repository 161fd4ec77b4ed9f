"""The studies of the pipe cutter: the runs themselves, checks and report, the cut that plays."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_tasks import CIRCLE, CUT
from oleodyn.result.content import Check, Checks
from oleodyn.result.result import Result
from oleodyn.simulation.run import simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies import (
    cut_animation,
    pipe_cutter_chips,
    pipe_cutter_cut,
    pipe_cutter_open_loop,
    pipe_cutter_order,
    pipe_cutter_steppers,
)
from oleodyn.studies.pipe_cutter_runs import TOOL, Tasks, Track, grouped, rms, tool_error, within

SPEC = "pipe-cutter specification"


def ignored(share):
    """A progress that nobody watches."""


def test_open_loop_study_meets_every_check(tmp_path):
    done = pipe_cutter_open_loop.study(ignored)
    assert [check for check in done.checks if check.ok is False] == []
    assert len(done.checks) > 60
    done.report(tmp_path / "open-loop.html")
    assert "is modelled right" in (tmp_path / "open-loop.html").read_text()  # what agreement shows, and what not


def test_circle_errors_are_those_of_the_reference(verification):
    result = simulate(machine(), scenario="circle", record=list(TOOL), every=50)
    for axis, found, expected in zip("XYZ", rms(tool_error(result, CIRCLE)) * 1e3, (0.495, 0.248, 0.646), strict=True):
        verification("Pipe cutter", f"circle, RMS error {axis}", f"{SPEC} 7.10", found, 0.05 * expected, expected, "mm")


@cache
def fine_cut():
    """The cut with the nominal feed, every 4 ms."""
    return pipe_cutter_cut.closely(machine(), machine().scenarios["cut"], every=20)


def test_chips_of_the_tools_own_motion_take_the_same_work_and_shake_the_tool_more():
    moved = pipe_cutter_chips.by_motion(machine())
    work, left, *errors = pipe_cutter_chips.chips(moved, fine_cut())
    assert work.ok and work.published == pytest.approx(11979, abs=1) and work.computed != work.published
    assert left.computed < 1e-5 and left.ok is None
    assert all(row.ok is None and row.computed > 1.3 * row.published for row in errors)  # X, Y and Z


def test_cut_follows_the_reference_from_first_to_last_touch(verification):
    fine = fine_cut()
    checks = list(pipe_cutter_cut.course(fine))
    assert [check for check in checks if check.ok is False] == []
    error = rms(tool_error(fine, CUT)) * 1e3
    assert error[0] < 2e-4
    for axis, found, expected in zip("YZ", error[1:], (0.0115, 0.0071), strict=True):
        verification("Pipe cutter", f"cut, RMS error {axis}", f"{SPEC} 7.10", found, 0.1 * expected, expected, "mm")
    data = cut_animation.frames(fine)
    assert len(json.dumps(data)) < 200_000
    assert max(data["F_high"]) == pytest.approx(318, rel=0.03)  # as printed
    assert [round(begin) for begin, _ in data["phases"]] == [0, 50, 75, 325, 350]  # touch, bore, far wall, through


def test_coupled_hht_at_a_millisecond_is_nearer_than_the_partitioned_at_a_fifth_of_it():
    tasks = Tasks()
    exact = tasks.track("circle", RK4(), 0.05e-3, 8.0)
    coupled = tasks.track("circle", HHT(), 1e-3, 8.0).apart(exact)
    partitioned = tasks.track("circle", PartitionedHHT(), 0.2e-3, 8.0).apart(exact)
    assert coupled < 1e-6  # a micrometre
    assert partitioned > 4 * coupled


def test_the_stiff_plant_is_too_stiff_for_the_partitioned_form_at_the_papers_step():
    tasks = Tasks()
    exact = tasks.track("circle", HHT(), 0.05e-3, 8.0, stiff=True, sample=0.04)
    assert tasks.track("circle", HHT(), 1e-3, 8.0, stiff=True, sample=0.04).apart(exact) < 1e-7
    assert tasks.track("circle", PartitionedHHT(), 0.2e-3, 8.0, stiff=True, sample=0.04).apart(exact) > 1e-3
    assert tasks.track("circle", RK4(), 0.2e-3, 8.0, stiff=True, sample=0.04).failed is not None


def test_coupled_hht_at_large_steps_is_as_exact_as_the_specification_found():
    rows = list(pipe_cutter_steppers.exactness(Tasks()))
    assert [row.published for row in rows] == [7e-4, 1e-6, 3e-5]
    assert [f"{row.name}: {row.computed}" for row in rows if not row.ok] == []


def test_a_track_that_broke_off_is_infinitely_far_from_any_other():
    t, r = np.arange(3.0), np.zeros((3, 3))
    whole, broken = Track(t, r, 1.0), Track(t, r, 1.0, failed=2.0)
    assert whole.apart(broken) == np.inf
    assert whole.apart(whole) == 0.0


def test_the_order_is_the_binary_logarithm_of_the_gain():
    assert pipe_cutter_order.Order("x", (4.0, 2.0, 1.0), (32.0, 8.0, 1.0)).orders == (2.0, 3.0)


def test_groups_keep_every_check_and_its_place():
    checks, section = grouped({"a": [Check("x", 1, 1)], "b": iter([Check("y", 2, 2), Check("z", 3, 3)])})
    assert [check.name for check in checks] == ["x", "y", "z"]
    assert [part.caption for part in section.parts if isinstance(part, Checks)] == ["a", "b"]


def test_within_is_a_share_of_the_published_figure():
    assert within(104.9, 100.0, 0.05)
    assert not within(105.1, 100.0, 0.05)
    assert within(-1.0, -1.04, 0.05)


def test_spans_give_mean_lowest_and_highest_around_each_frame():
    t = np.arange(0.0, 4.0, 0.5)
    run = Result.from_arrays(t, {"saw.F": (np.array([0, 2, 4, 6, 8, 10, 12, 14.0]), "N")})
    mean, low, high = cut_animation.spans(run, np.array([0.0, 2.0, 3.5]), "saw.F")
    assert (low, high) == ([0.0, 4.0, 12.0], [2.0, 10.0, 14.0])
    assert mean == [1.0, 7.0, 13.0]


def test_the_script_of_the_animation_may_stand_in_a_page():
    text = (Path(cut_animation.__file__).with_suffix(".js")).read_text(encoding="utf-8")
    assert "</script" not in text.lower()
    assert "<!--" not in text
    assert "http" not in text  # it loads nothing
