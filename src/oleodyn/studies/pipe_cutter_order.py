"""Order of accuracy of the steppers on the pipe cutter, where its motion is smooth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import I_MAX
from oleodyn.catalogue.pipe_cutter_tasks import loaded_pressures
from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.content import Check
from oleodyn.simulation.run import run
from oleodyn.simulation.signal import Signal, as_signal
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies.pipe_cutter_laws import OPEN_LOOP
from oleodyn.studies.pipe_cutter_runs import SCALES

CURRENTS = (0.4, 0.5, 0.6, 0.5, -0.4, 0.6)
"""Constant valve currents, as shares of 10 mA: every joint moves, none turns round."""
LASTS = 0.064
"""How long the smooth motion is followed [s]."""
FINE = 2e-6


@dataclass(frozen=True)
class Order:
    """Errors of the joint speeds at the end, in deg/s and mm/s, for steps that are halved."""

    name: str
    steps: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def orders(self) -> tuple[float, ...]:
        """Observed order between one step and its half."""
        return tuple(float(np.log2(a / b)) for a, b in zip(self.errors, self.errors[1:], strict=False))


CASES: tuple[tuple[str, Stepper, Sequence[float], tuple[float, float]], ...] = (
    ("RK4", RK4(), (0.16e-3, 0.08e-3, 0.04e-3), (3.8, 4.1)),
    ("AB3", AdamsBashforth3(), (0.04e-3, 0.02e-3, 0.01e-3), (2.9, 3.1)),
    ("HHT coupled", HHT(), (0.16e-3, 0.08e-3, 0.04e-3), (1.9, 2.15)),
    ("HHT partitioned", PartitionedHHT(), (0.16e-3, 0.08e-3, 0.04e-3), (0.9, 1.1)),
)


def orders() -> list[Order]:
    """Each stepper on the same stretch of motion against RK4 with 2 µs."""
    equations = assemble(machine(controlled=False, saw=False))
    programs = {stepper: compile(equations, stepper, record=[], account=False) for _, stepper, _, _ in CASES}
    start = moving(programs[RK4()])
    exact = speeds(programs[RK4()], start, FINE)
    found = []
    for name, stepper, steps, _ in CASES:
        errors = tuple(float(np.abs(speeds(programs[stepper], start, h) - exact).max()) for h in steps)
        found.append(Order(name, tuple(steps), errors))
    return found


def moving(program: Program) -> State:
    """The arm gathering speed, 10 ms after all valves were opened."""
    state = program.start(**loaded_pressures(OPEN_LOOP))
    run(program, until=0.01, dt=0.02e-3, inputs=inputs(), state=state)
    return state


def speeds(program: Program, start: State, h: float) -> np.ndarray:
    """Joint speeds [deg/s, mm/s] after the smooth motion with steps of h."""
    state = program.start()
    for name in ("q", "v", "x"):
        state.y[program.kernels.block(name).slice] = start.y[start.program.kernels.block(name).slice]
    run(program, until=LASTS, dt=h, inputs=inputs(), state=state)
    return state.y[program.kernels.block("v").slice] / SCALES


def inputs() -> dict[str, Signal]:
    """The constant currents [A]."""
    return {f"valve_{i}.i": as_signal(share * I_MAX) for i, share in enumerate(CURRENTS, start=1)}


def checks(found: Sequence[Order]) -> Iterator[Check]:
    """The order at the finest pair of steps, beside the theory's."""
    theory = {"RK4": 4, "AB3": 3, "HHT coupled": 2, "HHT partitioned": 1}
    for order, (name, _, _, (low, high)) in zip(found, CASES, strict=True):
        observed = order.orders[-1]
        yield Check(f"order of accuracy, {name}", theory[name], observed, "-", bool(low <= observed <= high))
