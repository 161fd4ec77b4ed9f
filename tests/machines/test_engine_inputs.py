"""Inputs act when they change: inside a step, at its boundaries, at a controller's instants."""

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import run, simulate
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.wave import Sine
from tests.machines import small

JUMP = {"tank.u": Steps(times=[1.0], values=[840.0])}
RATE = 12.0 / 60.0  # of the heater [1/s]


def program(machine, name="rk4"):
    return compile(assemble(machine), stepper_named(name))


def warmed(t):
    """Temperature after a heater of 840 W is switched on at t = 1."""
    return 70.0 * -np.expm1(-RATE * np.maximum(t - 1.0, 0.0))


def test_rk4_keeps_order_four_with_a_sine_input(verification):
    warming, w = program(small.heater()), 3.0

    def error(dt):
        result = run(warming, until=6.0, dt=dt, inputs={"tank.u": Sine(amplitude=600.0, w=w)}, every=1)
        t = result.time
        exact = 10.0 * (RATE * np.sin(w * t) - w * np.cos(w * t) + w * np.exp(-RATE * t)) / (RATE**2 + w**2)
        return np.max(np.abs(result.values("tank.temp") - exact))

    verification(
        "Inputs", "order of rk4 with a sine input", "closed solution of a first-order lag",
        np.log2(error(0.1) / error(0.05)), 0.1, expected=4,
    )  # fmt: skip


# Errors in K of 70 K: (0.05 s × 0.2 1/s)^order, and the first step of HHT after its slope is made anew.
KELVIN = {"rk4": 1e-8, "ab3": 1e-4, "trapezoidal": 1e-3, "hht": 1e-3, "hht-partitioned": 0.3}


@pytest.mark.parametrize("name", STEPPERS)
@pytest.mark.parametrize("dt", [0.05, 0.03], ids=["on the grid", "between two steps"])
def test_a_step_input_acts_from_exactly_its_instant(name, dt):
    result = run(program(small.heater(), name), until=2.5, dt=dt, inputs=JUMP, every=1)
    before, temp = result.time <= 1.0, result.values("tank.temp")
    assert np.all(temp[before] == 0.0)
    assert temp[~before] == pytest.approx(warmed(result.time[~before]), abs=KELVIN[name])
    assert np.array_equal(result.values("tank.u"), np.where(result.time >= 1.0, 840.0, 0.0))


def test_the_grid_stays_where_it_was_after_a_step_that_an_edge_has_shortened():
    result = run(program(small.heater()), until=2.5, dt=0.03, inputs=JUMP, every=1)
    grid = np.append(np.arange(84) * 0.03, 2.5)
    assert np.array_equal(result.time, grid)


@pytest.mark.parametrize("name", STEPPERS)
def test_a_controller_of_100_hz_samples_on_time_between_steps_of_0_3_ms(name):
    result = simulate(small.spun(), until=0.1, dt=3e-4, stepper=stepper_named(name), every=1)
    acted = np.unique(result.values("clock.acted"))
    assert np.array_equal(acted, np.arange(10) * 0.01)
    k = np.floor(result.time / 0.01 + 1e-9)
    assert np.array_equal(result.values("clock.count"), np.minimum(k + 1, 10))  # at 0.1 s the run is over


def test_a_controller_sees_the_motion_at_its_instant():
    result = simulate(small.spun(), until=1.0, dt=3e-4, stepper=RK4(), every=1)
    seen, acted = result.values("clock.seen"), result.values("clock.acted")
    assert seen == pytest.approx(0.3 * np.cos(5.0 * acted), abs=1e-12)  # RK4 at 0.3 ms: (1.5e-3)^4 / 120 × 5 s


def test_a_controller_between_whole_steps_acts_before_the_step_that_begins_there():
    result = simulate(small.spun(period=0.02), until=0.06, dt=0.01, stepper=RK4(), every=1)
    assert result.values("clock.acted").tolist() == [0.0, 0.0, 0.02, 0.02, 0.04, 0.04, 0.04]


@pytest.mark.parametrize("name", ["ab3", "trapezoidal", "hht"])
def test_a_jump_costs_a_stepper_with_memory_no_order(name):
    """From (dt, dt/2) the observed order of a run through a jump between two steps."""
    stepped = program(small.oil_spring(), name)
    jump = {"pump.u": Steps(times=[0.01234], values=[0.3]), "weight.F": -12e3}

    def position(dt):
        return run(stepped, until=0.05, dt=dt, inputs=jump).values("load.rod.s")[-1]

    exact = run(program(small.oil_spring()), until=0.05, dt=1e-5, inputs=jump).values("load.rod.s")[-1]
    order = np.log2(abs(position(2e-4) - exact) / abs(position(1e-4) - exact))
    assert order > {"ab3": 2.8, "trapezoidal": 1.9, "hht": 1.9}[name]
