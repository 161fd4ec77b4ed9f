"""The study of HydM's inverse, on fewer joint sets, and that it would notice what goes wrong."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.studies import hydm_inverse
from oleodyn.studies.shelf import STUDIES, about, study

SIZE = 20_000


@cache
def done():
    return hydm_inverse.study(lambda share: None, size=SIZE)


@cache
def swept():
    return hydm_inverse.sweep(SIZE, lambda share: None)


def verdicts(seen):
    return {check.name: check.ok for check in hydm_inverse.of_the_sweep(seen)}


def test_it_is_on_the_shelf_with_its_first_sentence():
    assert STUDIES["hydm-inverse"] == hydm_inverse.__name__
    assert study("hydm-inverse") is hydm_inverse.study
    assert about("hydm-inverse").startswith("HydM's inverse kinematics")


def test_every_row_agrees():
    assert [check for check in done().checks if check.ok is False] == []
    assert len(done().checks) > 30


def test_only_times_and_printed_arc_cosines_are_without_a_verdict():
    without = [check.name for check in done().checks if check.ok is None]
    assert [name.partition(",")[0] for name in without] == [
        "branch solver on one core", "q2 from 1e-12 to 1e-3 rad", "q6 from 1e-12 to 1e-3 rad",
    ]  # fmt: skip


def test_the_summary_is_plain_json():
    rows = json.loads(json.dumps(done().summary()))["checks"]
    assert rows[0]["computed"] < 1e-9 and rows[0]["ok"] is True


def test_progress_ends_at_one_and_never_goes_back():
    shares = []
    hydm_inverse.study(shares.append, size=2000)
    assert shares[-1] == 1 and shares == sorted(shares)


def test_the_report_holds_all_its_pictures(tmp_path):
    done().report(tmp_path / "hydm.html")
    page = (tmp_path / "hydm.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 9
    assert "at the shoulder singularity" in page and "out of reach: joint 4" in page
    assert "✗" not in page


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        (dict(error=np.full(SIZE, 2e-9)), f"IK(FK(q)) − q, worst joint of {hydm_inverse.thousands(SIZE)} sets"),
        (dict(inside=np.zeros(SIZE)), "sets with exactly one branch within the limits"),
        (dict(plain=np.zeros(SIZE)), "sets lost with q₁ from a plain atan2"),
        (dict(real=np.full(SIZE, 8)), "poses with 8 real branches"),
        (dict(rho=np.ones(SIZE)), "sets with the wrist behind the axis (ρ < 0)"),
        (dict(reproduced=2e-12), "pose from any real branch, worst entry"),
        (dict(euler=np.nan), "z-y-z angles and back, worst entry of R"),
    ],
)
def test_a_wrong_inverse_is_noticed(changes, row):
    assert verdicts(swept())[row] is True
    assert verdicts(replace(swept(), **changes))[row] is False


def test_a_pose_that_is_not_answered_counts_as_an_error_without_end(monkeypatch):
    limits = [list(ends) for ends in HYDM.limits]
    limits[3][1] = 0.0
    narrow = type(HYDM)(**{**{name: getattr(HYDM, name) for name in HYDM.fields}, "limits": limits})
    monkeypatch.setattr(hydm_inverse, "HYDM", narrow)
    assert hydm_inverse.sweep(500, lambda share: None).error.max() == np.inf


def test_a_pose_with_two_columns_exchanged_is_noticed(monkeypatch):
    rows = ("worked example, all 12 numbers of the pose, worst entry", "mid-range, the nine cosines of n, o and a")

    def told():
        found = {check.name: check.ok for check in hydm_inverse.of_the_example()}
        return [ok for name, ok in found.items() if name.startswith(rows)]

    assert told() == [True, True]
    for name in ("POSE", "MIDDLE_POSE"):
        monkeypatch.setattr(hydm_inverse, name, getattr(hydm_inverse, name)[:, [1, 0, 2, 3]])
    assert told() == [False, False]


def test_the_wrist_on_the_axis_is_within_the_limits():
    q = hydm_inverse.on_the_axis()
    assert (q > hydm_inverse.LOW).all() and (q < hydm_inverse.HIGH).all()
    assert HYDM.sines(list(q))[2] == pytest.approx(0, abs=1e-12)


def test_every_question_has_an_answer_in_words():
    asked, answers, unspoken = hydm_inverse.questions()
    assert len(asked) == len(answers) and unspoken == 0
    kinds = [answer.partition(":")[0].partition(" by ")[0] for answer in answers]
    assert kinds.count("solved") == 3 and kinds.count("not a pose") == 3 and "out of reach" in kinds
