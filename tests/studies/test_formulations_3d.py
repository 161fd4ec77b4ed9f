"""The comparison on the loader crane: its checks hold for one stepper of each kind, its report tells them."""

import functools
from dataclasses import replace

from oleodyn.catalogue.loader_crane import machine
from oleodyn.equations.assemble import assemble
from oleodyn.simulation.steppers.by_name import stepper_named
from oleodyn.studies.formulations_3d import limits, study
from oleodyn.studies.loader_crane_runs import ACCEPTED, CP, PAIRS, Findings, reason

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


def test_refusals_are_those_of_the_engine_and_a_pair_that_it_takes_is_told():
    rows = [check for check in done()[0].checks if check.name.endswith("is refused with the reason")]
    assert {check.name.partition(" is")[0] for check in rows} >= {
        "augmented Lagrangian, rk4",
        "augmented Lagrangian, hht",
    }
    assert all(check.computed == "does not go with" for check in rows)
    equations = assemble(machine(), loops=CP)
    assert reason(equations, stepper_named("rk4")) == ACCEPTED
    found = replace(blank(), refused=[("partitioning, rk4", ACCEPTED)])
    assert [check.ok for check in limits(found)] == [False]


def blank():
    """Findings of nothing."""
    return Findings(exact=None, confirmed=(0.0, 0.0), steps=())


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
