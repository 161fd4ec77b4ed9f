"""The comparison on the loader crane: its checks hold for one stepper of each kind, its report tells them."""

import functools

from oleodyn.studies.formulations_3d import study
from oleodyn.studies.loader_crane_runs import PAIRS

CHOSEN = ("augmented Lagrangian, trapezoidal", "partitioning, trapezoidal", "partitioning, hht", "penalty, rk4")


@functools.cache
def done():
    shares = []
    pairs = [pair for pair in PAIRS if pair.name in CHOSEN]
    return study(shares.append, pairs, steps=(2.5e-3, 1e-3)), shares


def test_every_check_of_the_comparison_holds():
    made, shares = done()
    assert [f"{check.name}: {check.computed}" for check in made.checks if check.ok is False] == []
    assert shares[-1] == 1.0 and shares == sorted(shares)


def test_formulations_agree_on_the_crane(verification):
    rows = {check.name: check for check in done()[0].checks}
    for what, most, unit in (("positions", 1e-7, "rad"), ("pressures", 50.0, "Pa")):
        name = f"augmented Lagrangian against partitioning, trapezoidal at 1 ms: {what}"
        verification(
            "Closed loops in three dimensions", f"loader-crane, {what} over 10 s, trapezoidal at 1 ms",
            "augmented Lagrangian against partitioning", rows[name].computed, most, unit=unit,
        )  # fmt: skip


def test_the_report_tells_every_pair(tmp_path):
    done()[0].report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    for words in (*CHOSEN, "How well loops are kept", "does not go with", "of computing for 10 s"):
        assert words in text
