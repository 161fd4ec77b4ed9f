"""The open-loop study of the pipe cutter: its rows, its report, and that it would notice what goes wrong."""

import json
from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue.pipe_cutter_drives import AXES, PRESSURE, X_MAX, motor, turns, valve
from oleodyn.result.result import Result
from oleodyn.studies import pipe_cutter_open_loop as open_loop
from oleodyn.studies.pipe_cutter_runs import SCALES
from oleodyn.studies.shelf import STUDIES, about, study

SHARES = []


@cache
def done():
    SHARES.clear()
    return open_loop.study(SHARES.append)


def row(name):
    (found,) = [check for check in done().checks if check.name == name]
    return found


def test_it_is_on_the_shelf_with_its_first_sentence():
    assert STUDIES["pipe-cutter-open-loop"] == open_loop.__name__
    assert study("pipe-cutter-open-loop") is open_loop.study
    assert "10 sin(πt) mA on one valve at a time" in about("pipe-cutter-open-loop")


def test_every_row_agrees():
    assert [check for check in done().checks if check.ok is False] == []
    assert len(done().checks) > 60


def test_only_the_papers_top_speeds_and_the_stiffness_of_the_stop_are_without_a_verdict():
    without = [check.name for check in done().checks if check.ok is None]
    assert without == ["joint 2: top speed (paper)", "joint 5: top speed (paper)", "torque over stop stiffness"]


def test_the_summary_is_plain_json():
    rows = json.loads(json.dumps(done().summary()))["checks"]
    assert rows[0]["name"] == "joint 1: peak near 1 s" and rows[0]["ok"] is True


def test_progress_ends_at_one_and_never_goes_back():
    done()
    assert SHARES[-1] == 1 and SHARES == sorted(SHARES)


def test_the_text_says_what_agreement_is_worth():
    assert "agreement of fitted figures is no validation" in done().text
    assert "the specification" in done().text


def test_the_report_holds_all_its_pictures(tmp_path):
    done().report(tmp_path / "open_loop.html")
    page = (tmp_path / "open_loop.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 9  # swings, pressures, stop, order, five signals
    assert "✗" not in page


@pytest.mark.parametrize("k", range(6))
def test_peaks_and_what_is_left_are_those_of_the_specification(k, verification):
    joint, unit = f"joint {k + 1}", "mm" if k == 1 else "deg"
    for what, values in (("left at 2 s", open_loop.AFTER_2), ("left at 4 s", open_loop.AFTER_4)):
        found = row(f"{joint}: {what}").computed
        verification("Pipe cutter", f"{joint}, {what}", "specification 5", found, 0.02, expected=values[k], unit=unit)
    peak = row(f"{joint}: peak near 1 s").computed
    tolerance = 0.01 * open_loop.PEAKS[k]  # 1 %: what is asked
    verification(
        "Pipe cutter", f"{joint}, peak near 1 s", "specification 5", peak, tolerance, expected=open_loop.PEAKS[k],
        unit=unit,
    )  # fmt: skip


@pytest.mark.parametrize("k", [0, 1, 4, 5])
def test_top_speed_of_a_joint_without_load_is_that_of_steady_flow(k):
    """Flow of the open valve, less leakage, over displacement; friction alone takes pressure from both edges."""
    axis = AXES[k]
    drive, servo = motor(k + 1, axis, stiff=False), valve(axis)
    D = drive.D * turns(drive)
    v = 0.0
    for _ in range(50):
        dp = (axis.F_c + axis.sigma_2 * v) / (drive.eta * D)
        flow = servo.C_d * X_MAX * np.sqrt((PRESSURE - dp) / 2) - axis.leak * np.sqrt(dp)
        v = flow / D
    name, unit = f"joint {k + 1}: top speed forward", SCALES[k]
    # 0.3 %: the inertia at joint 1 lets it lag by 23 ms, when the current is at cos(π · 23 ms) = 0.9974 of its peak
    assert row(name).computed == pytest.approx(v / unit, rel=3e-3)


def swung(change):
    """Six runs that give the specification's figures exactly, but for `change(k, t, moved)`."""
    t, runs = np.linspace(0.0, 4.0, 401), []
    for k in range(6):
        at = (0.0, 1.0, 2.0, 3.0, 4.0)
        moved = np.interp(t, at, (0, open_loop.PEAKS[k], open_loop.AFTER_2[k], 0, open_loop.AFTER_4[k]))
        speed = np.zeros_like(t)
        speed[1:3] = [open_loop.SPEEDS[k][0], open_loop.SPEEDS[k][1] or 0.0]
        columns = {}
        for i in range(6):
            own, scale = i == k, SCALES[i]
            columns[f"arm.joint_{i + 1}.q"] = (scale * own * change(k, t, moved), "rad")
            columns[f"arm.joint_{i + 1}.q_dot"] = (scale * own * speed, "rad/s")
        runs.append(Result.from_arrays(t, columns))
    return {check.name: check.ok for check in open_loop.swings(runs)}


def test_figures_of_the_specification_pass():
    assert False not in swung(lambda k, t, moved: moved).values()


@pytest.mark.parametrize(
    ("change", "missed"),
    [
        (lambda k, t, moved: moved * (1.02 if k == 4 else 1.0), "joint 5: peak near 1 s"),
        (lambda k, t, moved: moved - 0.03 * (t > 1.9) * (k == 2), "joint 3: left at 2 s"),
        (lambda k, t, moved: moved + 0.03 * (t > 3.9) * (k == 0), "joint 1: left at 4 s"),
        (lambda k, t, moved: np.where(t > 3.9, np.nan, moved), "joint 2: left at 4 s"),
    ],
)
def test_a_wrong_swing_is_noticed(change, missed):
    assert swung(change)[missed] is False
