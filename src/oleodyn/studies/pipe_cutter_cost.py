"""Table 7 of Kim, Lee & Kim (IEEE Access 9, 2021): what 400 s of cutting cost them and what they cost here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_tasks import CUT
from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.simulation.cost import step_cost
from oleodyn.simulation.run import changed_by, run
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies.bench_table import table
from oleodyn.units import ms

DURATION = CUT.until
"""Of the cut [s]."""
BEGIN, STRETCH = 60.0, 2.0
"""Where the saw is in the pipe, and how much of it is timed [s]: 60 teeth."""
TITLE = "Table 7 of Kim, Lee & Kim (2021): 400 s of cutting, theirs on an i7-9750H"
MEASURED = (
    f"Measured on the {STRETCH:g} s after t = {BEGIN:g} s of scenario 'cut', where the saw is in the pipe, everything "
    f"on (oil, valves, friction, saw, stops, controllers), nothing recorded, the best of several; scaled to "
    f"{DURATION:g} s. Theirs solve valve, oil, friction and mechanics one after the other, as hht-partitioned does "
    "(stable up to 0.5 ms on the circle); hht couples them."
)


@dataclass(frozen=True)
class Row:
    """A stepper with a step [s]: seconds a step, for the whole cut, as published, and both over those of HHT."""

    name: str
    dt: float
    step: float
    published: float | None
    ratio: float
    published_ratio: float | None

    @property
    def seconds(self) -> float:
        """For the whole cut."""
        return self.step * DURATION / self.dt


RUNS: tuple[tuple[Stepper, float, float | None], ...] = (
    (RK4(), 0.01 * ms, 2139.93),
    (AdamsBashforth3(), 0.01 * ms, 583.493),
    (HHT(), 0.2 * ms, 273.882),
    (PartitionedHHT(), 0.2 * ms, 273.882),
    (PartitionedHHT(), 0.5 * ms, None),
)
"""Stepper, step [s], published time for the cut [s]."""
REFERENCE = RUNS.index((HHT(), 0.2 * ms, 273.882))
"""The run that all others are divided by."""


@dataclass(frozen=True)
class Comparison:
    """The table: every run beside the published one."""

    rows: tuple[Row, ...]

    def __str__(self):
        cells = [
            (r.name, f"{r.dt / ms:g} ms", f"{1e6 * r.step:.3g}", f"{r.seconds:.3g}", _number(r.published, "g"),
             f"{r.ratio:.2f}", _number(r.published_ratio, ".2f"))
            for r in self.rows
        ]  # fmt: skip
        head = ("method", "step", "µs a step", "400 s here", "400 s published", "× HHT here", "× HHT published")
        return f"{TITLE}\n{table(head, cells)}\n{MEASURED}"

    def summary(self) -> dict[str, object]:
        """For --json."""
        return {
            "title": TITLE, "measured": MEASURED,
            "rows": [
                {"method": r.name, "dt": r.dt, "us_per_step": 1e6 * r.step, "seconds_for_400_s": r.seconds,
                 "published_seconds": r.published, "ratio_to_hht": r.ratio,
                 "published_ratio_to_hht": r.published_ratio}
                for r in self.rows
            ],
        }  # fmt: skip


def comparison(progress: Callable[[float], None], stretch: float = STRETCH) -> Comparison:
    """Every run timed on the same stretch of the cut."""
    scenario = machine().scenarios["cut"]
    equations = assemble(changed_by(scenario, machine()))
    made = {stepper: compile(equations, stepper, record=[], account=False) for stepper, *_ in RUNS}
    begun = in_contact(made[HHT()])
    found: list[float] = []
    for stepper, dt, _ in RUNS:
        state = moved(made[stepper], begun)
        cost = step_cost(made[stepper], scenario, dt, BEGIN + stretch, state=state, most=round(stretch / dt))
        found.append(cost.seconds)
        progress(len(found) / len(RUNS))
    return Comparison(compared(found))


def compared(found: Sequence[float]) -> tuple[Row, ...]:
    """The runs with seconds a step found for each."""
    _, dt_hht, published_hht = RUNS[REFERENCE]
    assert published_hht is not None
    return tuple(
        Row(
            stepper.name, dt, step, published, (step / dt) / (found[REFERENCE] / dt_hht),
            None if published is None else published / published_hht,
        )
        for (stepper, dt, published), step in zip(RUNS, found, strict=True)
    )  # fmt: skip


def in_contact(program: Program) -> State:
    """The state of the cut at `BEGIN`."""
    state = program.start()
    run(program, until=BEGIN, dt=0.2 * ms, inputs=machine().scenarios["cut"], state=state, every=10**9)
    return state


def moved(program: Program, state: State) -> State:
    """The same instant for a program of the same equations with another stepper."""
    copy = program.start(t=BEGIN)
    for name, (which, _) in program.places.items():
        if which == "y":
            copy[name] = state[name]
    copy.samples[:] = state.samples
    return copy


def _number(value: float | None, form: str) -> str:
    return "" if value is None else f"{value:{form}}"
