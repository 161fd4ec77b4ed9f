"""A step that fails says when, why and where, and keeps what was there before it."""

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import StepError
from oleodyn.program.compile import compile
from oleodyn.result.result import Result
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import stepper_named
from tests.machines import small


def failed(machine, name, **how):
    """The program, and the error that its run ends with."""
    program = compile(assemble(machine), stepper_named(name))
    with pytest.raises(StepError) as caught:
        run(program, every=1, **how)
    return program, caught.value


def whole_until(error, dt):
    """True if result and state end, finite, where the failed step began."""
    assert isinstance(error.result, Result)
    state = error.state
    return (
        np.isfinite(error.result.table[:, : state.program.kernels.block("E").start]).all()
        and np.isfinite(state.y).all()
        and error.time == state.t
        and error.result.time[-1] == pytest.approx(error.time, abs=1e-9 * dt)
    )


def test_a_step_beyond_stability_ends_with_names_and_time_and_the_step_that_would_do():
    dt = 10.0  # stable up to 0.545 × 5 s
    _, error = failed(small.heater(), "ab3", until=1e5, dt=dt, inputs={"tank.u": 840.0})
    assert error.signals == ("tank.temp",) and f"from t = {error.time:g} s with dt = 10 s failed" in str(error)
    assert "a value is not finite at tank.temp" in str(error)
    assert "ab3 is stable up to 2.73 s" in str(error) and "fastest mode, 0.2 1/s at tank.temp" in str(error)
    assert whole_until(error, dt)


@pytest.mark.parametrize("name", ["rk4", "trapezoidal", "hht"])
def test_a_guard_that_is_violated_is_named(name):
    _, error = failed(small.explosive(limit=10.0), name, until=2.0, dt=1e-3)
    assert error.signals == ("bomb.room",)
    assert "a guard is violated (must stay positive) at bomb.room" in str(error)
    assert error.time == pytest.approx(0.9, abs=2e-3)  # x = 1 / (1 − t) passes 10
    assert whole_until(error, 1e-3)
    assert error.state["bomb.x"] < 10.0


@pytest.mark.parametrize("name", ["rk4", "hht", "ab3"])
def test_a_number_that_is_none_stops_the_run_in_its_step(name):
    inputs = {"bomb.u": lambda t: np.where(t > 0.25, np.nan, 0.0)}
    _, error = failed(small.explosive(), name, until=0.5, dt=0.01, inputs=inputs)
    assert error.time == pytest.approx(0.25, abs=0.0101) and error.signals == ("bomb.u",)
    assert "input bomb.u is nan in the step from t = 0.25 s: must be a finite number" in str(error)
    assert whole_until(error, 0.01)


def test_newton_that_finds_nothing_says_so():
    _, error = failed(small.explosive(x_0=50.0), "trapezoidal", until=1.0, dt=0.1)  # infinite after 0.02 s
    assert "Newton failed" in str(error) and error.time == 0.0


def test_a_failed_run_can_be_looked_at_and_continued():
    program, error = failed(small.explosive(limit=10.0), "rk4", until=2.0, dt=0.01)
    state = error.state
    seen = program.observe(state)
    assert seen["bomb.x"] == state["bomb.x"] == error.result.values("bomb.x")[-1]
    state["bomb.u"] = -300.0
    result = run(program, until=1.5, dt=0.01, state=state)
    assert result.time[0] == error.time and result.values("bomb.x")[-1] == pytest.approx(-(300**0.5))


def test_a_failure_in_a_step_of_python_keeps_the_state():
    program = compile(assemble(small.explosive(limit=10.0)), stepper_named("rk4"))
    state = program.start(**{"bomb.x": 9.9})
    with pytest.raises(StepError, match=r"at bomb\.room") as caught:
        program.step(state, 0.01)
    assert caught.value.state is state and state["bomb.x"] == 9.9 and state.t == 0.0


def test_a_failure_after_an_edge_between_two_steps_names_its_own_time():
    inputs = {"bomb.u": Steps(times=[0.105], values=[np.float64(1e300)])}
    _, error = failed(small.explosive(), "rk4", until=0.5, dt=0.01, inputs=inputs)
    assert error.time == 0.105 and error.state.t == 0.105
