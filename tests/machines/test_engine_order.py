"""The order of every stepper, observed by halving the step."""

import functools

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import STEPPERS
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.wave import Sine
from tests.machines import small

ORDERS = {"rk4": 4, "ab3": 3, "trapezoidal": 2, "hht": 2, "hht-partitioned": 1}
PUMPED = {"pump.u": Sine(amplitude=0.5, frequency=4.0, phase=1.0), "weight.F": -12e3}
PROBLEMS = {
    "double pendulum": (small.double_pendulum, {}, 1.0, 2e-3),
    "floating tree with a ball joint": (small.floating_tree, {}, 0.4, 2e-3),
    "load on oil, 500 rad/s": (small.oil_spring, PUMPED, 0.1, 2e-4),
}


@functools.cache
def equations(problem):
    return assemble(PROBLEMS[problem][0]())


def final(problem, stepper, dt):
    """All states at ten instants, in units of their typical size."""
    e, (_, inputs, until, _) = equations(problem), PROBLEMS[problem]
    cards = (*e.q_signals, *e.v_signals, *e.x_signals)
    result = run(
        compile(e, stepper, record=[], account=False), until=until, dt=dt, inputs=inputs, every=round(until / dt / 10)
    )
    return result.table[:, : len(cards)] / np.array([card.nominal for card in cards])


@functools.cache
def exact(problem):
    return final(problem, RK4(), PROBLEMS[problem][3] / 20)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", STEPPERS)
def test_error_falls_with_the_order_of_the_stepper(name, problem, verification):
    dt = PROBLEMS[problem][3]
    coarse, fine = (np.max(np.abs(final(problem, STEPPERS[name](), h) - exact(problem))) for h in (dt, dt / 2))
    verification(
        "Order of the steppers", f"{name}: {problem}", "order of the method", np.log2(coarse / fine),
        0.15, expected=ORDERS[name],  # 0.15: terms of higher order at these steps
    )  # fmt: skip


@pytest.mark.parametrize(("name", "order"), [("trapezoidal", 2), ("hht", 1), ("hht-partitioned", 1)])
def test_a_lag_of_ten_microseconds_is_followed_at_milliseconds(name, order, verification):
    """λh = 100 to 400: u sin(wt + 1) through a lag 1/λ. HHT loses an order where λh is large; what is left is small."""
    machine, amplitude, w = small.heater().replace("tank.k", 6e6), 1e6, 20.0
    rate = 6e6 / machine.parts["tank"].C
    program = compile(assemble(machine), STEPPERS[name]())

    def exact(t):
        return amplitude / 6e6 * rate * (rate * np.sin(w * t + 1) - w * np.cos(w * t + 1)) / (rate**2 + w**2)

    def error(dt):
        start = program.start(**{"tank.temp": exact(0.0)})
        result = run(
            program,
            until=0.4,
            dt=dt,
            inputs={"tank.u": Sine(amplitude=amplitude, w=w, phase=1.0)},
            state=start,
            every=1,
        )
        return np.abs(result.values("tank.temp") - exact(result.time)).max() / (amplitude / 6e6)

    coarse, fine = error(2e-3), error(1e-3)
    section = "Order of the steppers"
    verification(
        section, f"{name}: lag of 1e5 1/s at 1 ms", "closed solution", np.log2(coarse / fine), 0.25, expected=order
    )
    if name != "hht-partitioned":
        verification(section, f"{name}: lag of 1e5 1/s at 1 ms, error of the amplitude", "closed solution", fine, 1e-6)
