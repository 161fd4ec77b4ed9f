"""The smallest machine there is: one first-order state, one input, against its exponential."""

import math

import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Input, Part, State, Terms, parameter
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import STEPPERS


class WarmTank(Part):
    """Oil that a heater warms and the room cools: C Ṫ = u − k T."""

    C: float = parameter("J/K", "heat capacity", above=0)
    k: float = parameter("W/K", "loss to the room", above=0)
    u = Input("W", "heater")
    temp = State("K", "temperature above the room")

    def equations(self) -> Terms:
        return Terms(der=dict(temp=(self.u - self.k * self.temp) / self.C))


# Steps of 0.1 s and a time constant of 5 s; errors scale as (dt / 5 s)^order.
TOLERANCE = {"rk4": 1e-8, "ab3": 5e-6, "trapezoidal": 2e-4, "hht": 2e-4, "hht-partitioned": 2e-2}


@pytest.mark.parametrize("name", STEPPERS)
def test_a_single_state_warms_as_an_exponential(name):
    machine = Machine("bench")
    machine.add("tank", WarmTank(C=60.0, k=12.0))
    program = compile(assemble(machine, tunable=["tank.k"]), STEPPERS[name]())
    result = run(program, until=7.0, dt=0.1, inputs={"tank.u": 840.0})
    exact = 70.0 * (1 - math.exp(-7.0 / 5.0))
    assert result.values("tank.temp")[-1] == pytest.approx(exact, rel=TOLERANCE[name])


def test_a_jump_of_a_plain_function_between_two_steps_acts_from_exactly_there():
    machine = Machine("bench")
    machine.add("tank", WarmTank(C=60.0, k=12.0))
    program = compile(assemble(machine), STEPPERS["rk4"]())
    result = run(program, until=7.0, dt=0.1, inputs={"tank.u": lambda t: 840.0 * (t >= 3)})
    exact = 70.0 * (1 - math.exp(-4.0 / 5.0))
    assert result.values("tank.temp")[-1] == pytest.approx(exact, rel=1e-8)  # smeared over a step it is 4e-3
