"""The study that paces machines against the wall clock: its rows, not its times."""

from functools import cache

from oleodyn.simulation.realtime import Overrun, Pacing
from oleodyn.studies import pipe_cutter_real_time as real_time
from oleodyn.studies.shelf import STUDIES, about, study

SHARES = []
PACED = ("circle, 5 kHz", "cut, 5 kHz", "rigid arm, 1 kHz", "rigid arm, 5 kHz")


@cache
def done():
    SHARES.clear()
    return real_time.study(SHARES.append, seconds=0.3)


def test_it_is_on_the_shelf_and_lasts_a_minute_each():
    assert STUDIES["pipe-cutter-real-time"] == real_time.__name__
    assert study("pipe-cutter-real-time") is real_time.study
    assert about("pipe-cutter-real-time").startswith("circle and cut")
    assert real_time.DURATION == 60.0


def test_every_machine_has_all_its_rows_and_a_verdict_on_the_worst_alone():
    rows = done().checks
    assert len(rows) == 4 * 8
    judged = {row.name: row.published for row in rows if row.ok is not None}
    assert judged == {
        f"{name}: worst computation of a step": f"≤ {period}"
        for name, period in zip(PACED, (200, 200, 1000, 200), strict=True)
    }
    for name in PACED:
        own = {row.name.removeprefix(f"{name}: "): row for row in rows if row.name.startswith(name)}
        assert all(f"computation of a step, {share}" in own for share in ("median", "p90", "p99", "p99.9"))
        assert f"misses in {300 if '1 kHz' in name else 1500} steps" in own
    assert SHARES[-1] == 1.0 and SHARES == sorted(SHARES)


def test_the_cut_is_paced_where_the_saw_is_in_the_pipe():
    (cut,) = [task for task in real_time.tasks() if task.name.startswith("cut")]
    assert cut.begin(cut.program).t == 60.0


def test_a_step_that_takes_longer_than_its_period_is_a_verdict():
    compute = {"median": 3e-6, "p90": 4e-6, "p99": 9e-6, "p99.9": 50e-6, "worst": 210e-6}
    slow = Pacing(
        period=200e-6, steps=1000, compute=compute, misses=1, reserve=0.98, late=1e-4, stretched=0.0,
        policy=Overrun.CATCH_UP,
    )  # fmt: skip
    assert [row.ok for row in real_time.rows("cut", slow) if row.ok is not None] == [False]


def test_the_report_says_what_a_busy_machine_does_to_it(tmp_path):
    done().report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    for words in ("otherwise idle", "p99.9", "cut, 5 kHz", "rigid arm, 1 kHz"):
        assert words in text
