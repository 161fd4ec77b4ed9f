"""A step called from Python: the same bits as a run, and nothing allocated."""

import gc
import tracemalloc

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import DataError
from oleodyn.program.compile import compile
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from tests.machines import small


def program(machine, name):
    return compile(assemble(machine), stepper_named(name))


def stepped(made, steps, dt, **inputs):
    """All numbers of a state after steps called one by one."""
    state = made.start(**inputs)
    for _ in range(steps):
        made.step(state, dt)
    return state


@pytest.mark.parametrize("name", STEPPERS)
@pytest.mark.parametrize(
    ("machine", "dt", "inputs"),
    [(small.oil_spring, 1e-4, {"weight.F": -9e3, "pump.u": 0.2}), (small.spun, 3e-4, {"motor.tau": 3.0})],
    ids=["oil spring", "controller between steps"],
)
def test_steps_from_python_give_the_bits_of_a_run(name, machine, dt, inputs):
    made, ran = program(machine(), name), None
    ran = made.start(**inputs)
    run(made, until=101 * dt, dt=dt, state=ran)
    assert stepped(made, 101, dt, **inputs) == ran


@pytest.mark.parametrize("name", ["ab3", "hht", "trapezoidal"])
def test_a_jump_by_hand_is_the_jump_of_a_scenario(name):
    made, dt = program(small.oil_spring(), name), 1e-4
    state = made.start(**{"weight.F": -12e3, "pump.u": 0.0})
    for k in range(100):
        if k == 40:
            state["pump.u"] = 0.3
        made.step(state, dt)
    inputs = {"weight.F": -12e3, "pump.u": Steps(times=[40 * dt], values=[0.3])}
    result = run(made, until=100 * dt, dt=dt, inputs=inputs)
    assert state["load.rod.s"] == pytest.approx(result.values("load.rod.s")[-1], rel=1e-12)


@pytest.mark.parametrize("name", ["rk4", "trapezoidal"])
def test_a_step_allocates_nothing(name):
    made = program(small.oil_spring(), name)
    state = stepped(made, 10, 1e-4)
    step = made.caller(state)
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(100):
            step(1e-4)
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        for _ in range(2000):
            step(1e-4)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 500 and peak - before < 1000  # bytes: a few numbers, whatever the steps


def test_a_change_of_step_size_keeps_the_order_of_a_stepper_with_a_past():
    made = program(small.heater(), "ab3")
    state = made.start(**{"tank.u": 840.0})
    for dt in (0.1, 0.1, 0.05, 0.2, 0.1):
        made.step(state, dt)
    assert state["tank.temp"] == pytest.approx(70 * -np.expm1(-0.2 * 0.55), abs=2e-4)  # 3/8 (0.2 × 0.2)^4 × 70 K a step
    assert state.t == pytest.approx(0.55, abs=1e-15)


def test_time_is_counted_not_accumulated():
    made = program(small.heater(), "rk4")
    assert stepped(made, 1000, 0.1).t == 1000 * 0.1


def test_a_program_can_start_at_any_time():
    made = program(small.spun(), "rk4")
    state = made.start(t=5.0)
    for _ in range(40):
        made.step(state, 3e-4)
    assert state["clock.acted"] == 5.01 and state["clock.count"] == 2.0


def test_a_step_of_no_length_is_refused():
    made = program(small.heater(), "rk4")
    with pytest.raises(DataError, match=r"dt = 0\.0: must be above 0 s"):
        made.step(made.start(), 0.0)


def test_a_name_that_is_none_is_answered_with_the_nearest():
    state = program(small.heater(), "rk4").start()
    with pytest.raises(DataError, match=r"no state, input or tunable 'tank\.tmp'; did you mean 'tank\.temp'\?"):
        state["tank.tmp"] = 3.0
