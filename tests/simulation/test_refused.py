"""What no run can be made of is refused by name, with the rule and the remedy."""

import re

import pytest

import oleodyn as od
from oleodyn.errors import OleodynError
from tests.machines import small

HEATER = small.heater()


def program(**options):
    return od.compile(od.assemble(HEATER, **options), od.RK4())


def set_to(name, value):
    made = program(tunable=["tank.k"])
    made.start()[name] = value


REFUSED = {
    "a machine by name": (lambda: od.simulate("heater"), "simulate('heater'): give a Machine, such as oleodyn.load("),
    "a stepper by name": (lambda: od.simulate(HEATER, stepper="rk4"), "stepper = 'rk4': must be a stepper such as"),
    "a stepper's class": (lambda: od.simulate(HEATER, stepper=od.RK4), "must be a stepper such as oleodyn.HHT()"),
    "no step": (lambda: od.simulate(HEATER, dt=0), "dt = 0: must be above 0 s"),
    "a step in words": (lambda: od.simulate(HEATER, dt="1 ms"), "dt = '1 ms': must be a number of seconds"),
    "half a step": (lambda: od.simulate(HEATER, every=2.5), "every = 2.5: must be a whole number of steps"),
    "no steps": (lambda: od.simulate(HEATER, every=0), "every = 0: must be a whole number of steps, at least 1"),
    "an input that is none": (
        lambda: od.simulate(HEATER, until=1.0, dt=0.1, inputs={"tank.u": lambda t: float("nan") if t > 0.45 else 1.0}),
        "input tank.u is nan in the step from t = 0.",
    ),
    "an input by hand that is none": (lambda: set_to("tank.u", float("inf")), "tank.u = inf: must be a finite number"),
    "a tunable out of its bounds": (lambda: set_to("tank.k", -3.0), "tank.k = -3"),
    "a file by number": (lambda: od.load(3), "load(3): give the name of a machine or of a file"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_no_run_can_be_made_of_is_refused(what):
    call, text = REFUSED[what]
    with pytest.raises(OleodynError, match=re.escape(text)):
        call()


def test_a_state_of_another_program_is_refused():
    state = od.compile(od.assemble(small.oil_spring()), od.RK4()).start()
    with pytest.raises(OleodynError, match=r"the state is one of 'oil-spring' with RK4\(\), not of 'heater'"):
        od.run(program(), until=1.0, dt=0.1, state=state)
