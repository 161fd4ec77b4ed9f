"""A run against the wall clock says honestly how it went, and does what its policy says when it is late."""

import time
from dataclasses import replace

import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import DataError
from oleodyn.program.compile import compile
from oleodyn.simulation.realtime import Overrun, run_realtime
from oleodyn.simulation.steppers.by_name import stepper_named
from tests.machines import small

LATE = 0.05
"""How long the injected delay is [s]: far more than what a busy machine adds."""


@pytest.fixture(scope="module")
def heater():
    return compile(assemble(small.heater()), stepper_named("rk4"))


def paced(program, overrun, state=None):
    """40 steps of 5 ms, the tenth of them held up."""
    calls = []

    def exchange(state):
        calls.append(state.t)
        if len(calls) == 10:
            time.sleep(LATE)

    begin = time.perf_counter()
    pacing = run_realtime(program, until=0.2, dt=5e-3, overrun=overrun, exchange=exchange, state=state)
    return pacing, time.perf_counter() - begin, calls


def test_catching_up_regains_the_wall_clock(heater):
    pacing, wall, calls = paced(heater, Overrun.CATCH_UP)
    assert pacing.steps == len(calls) == 40 and pacing.stretched == 0.0 and pacing.stopped_at is None
    assert pacing.misses >= 9 and pacing.late >= 0.9 * (LATE - 5e-3)  # 50 ms late, 5 ms regained a step
    assert pacing.compute["worst"] >= LATE
    assert wall >= 0.19


def test_stretching_shifts_the_schedule_for_good(heater):
    pacing, wall, _ = paced(heater, Overrun.STRETCH)
    assert pacing.steps == 40 and pacing.misses >= 1
    assert pacing.stretched >= 0.9 * (LATE - 5e-3)
    assert wall >= 0.19 + 0.9 * (LATE - 5e-3)
    assert "time stretched by" in str(pacing)


def test_stopping_ends_at_the_first_miss(heater):
    state = heater.start()
    pacing, _, calls = paced(heater, Overrun.STOP, state)
    assert pacing.steps == len(calls) <= 10 and pacing.misses == 1
    assert pacing.stopped_at == state.t == pytest.approx(pacing.steps * 5e-3)
    assert "stopped at t = " in str(pacing)


def test_the_report_has_percentiles_misses_and_reserve(heater):
    pacing = run_realtime(heater, until=0.05, dt=5e-3, inputs={"tank.u": 840.0})
    assert list(pacing.compute) == ["median", "p90", "p99", "p99.9", "worst"]
    assert list(pacing.compute.values()) == sorted(pacing.compute.values())
    assert pacing.reserve == pytest.approx(1.0, abs=0.5)
    for word in ("10 steps of 5 ms", "policy on overrun: catch up", "median", "p99.9", "reserve", "deadline misses"):
        assert word in str(pacing)


def test_the_worst_computation_is_judged_by_the_period(heater):
    slow, _, _ = paced(heater, Overrun.CATCH_UP)
    assert not slow.in_time and str(slow).endswith("of the period 5000 µs: too long")
    quick = replace(slow, compute={**slow.compute, "worst": 123.4e-6})
    assert quick.in_time and str(quick).endswith("worst computation 123.4 µs of the period 5000 µs: ok")


def test_an_exchange_sets_inputs_and_reads_the_state(heater):
    state, seen = heater.start(), []

    def exchange(state):
        seen.append(state["tank.temp"])
        state["tank.u"] = 840.0 if state.t >= 0.0049 else 0.0

    run_realtime(heater, until=0.02, dt=1e-3, state=state, exchange=exchange)
    assert seen[5] == 0.0 and seen[6] > 0.0
    assert state["tank.temp"] == pytest.approx(840.0 / 60.0 * 0.015, rel=2e-3)  # 2e-3: cooling meanwhile


def test_the_paced_result_is_that_of_a_run(heater):
    from oleodyn.simulation.run import run

    drive = {"tank.u": lambda t: 100.0 * (t >= 0.004)}
    one, other = heater.start(), heater.start()
    run_realtime(heater, until=0.01, dt=1e-3, inputs=drive, state=one)
    run(heater, until=0.01, dt=1e-3, inputs=drive, state=other)
    assert one["tank.temp"] == pytest.approx(other["tank.temp"], rel=1e-12)


def test_a_pace_of_nothing_is_refused(heater):
    with pytest.raises(DataError, match=r"dt = 0\.0 s must be above 0, until = 1\.0 s after"):
        run_realtime(heater, until=1.0, dt=0.0)
