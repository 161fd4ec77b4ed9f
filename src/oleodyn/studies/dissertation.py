"""The dissertation's mechanisms (Jaiswal 2021), run as published and as they should be: for both studies."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from oleodyn.catalogue import four_bar, four_bar_friction, quick_return
from oleodyn.equations.assemble import assemble
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Input, Part, State, Terms, ingredient
from oleodyn.mechanics.port import LinePort
from oleodyn.program.compile import compile
from oleodyn.program.drivers import INFO
from oleodyn.program.program import Program
from oleodyn.result.result import Result
from oleodyn.simulation.run import run
from oleodyn.simulation.signal import Signal
from oleodyn.simulation.steppers.tangent import ForwardDifferences
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal

INPUT = "valve.U_ref"
PRESSURES = ("hose_1.port.p", "hose_2.port.p", "hose_3.port.p")
SAMPLES = (1.5, 2.0, 3.0, 4.0, 6.0, 7.0, 9.0, 10.0)
"""Instants at which errors are taken [s]."""
UNTIL, DT = 10.0, 1e-3


class AtBothEnds(Signal):
    """A signal whose jumps already count at the end of the step before them, and restart nothing, as published."""

    of: Signal = ingredient("the signal")
    unsaveable = "it repeats a published mistake; use the signal itself"

    def _at(self, t, left):
        return self.of(t + 1e-9)


class WorkMeter(Part):
    """Work of a force along a line, as a state.

    Equations   Ẇ = F v
    References  Jaiswal (2021) dissertation, Publication I: actuator work.
    """

    line = LinePort("where the force acts")
    F = Input("N", "force")
    W = State("J", "work since the start")

    def equations(self) -> Terms:
        """The power is the rate."""
        return Terms(der=dict(W=self.F * self.line.v), into=dict(line=0.0))


def metered(machine: Machine) -> Machine:
    """The machine with a meter of its cylinder's work: meter.W."""
    made = machine.copy()
    made.add("meter", WorkMeter())
    made.connect("cylinder.F", "meter.F")
    made.connect("linkage.cylinder", "meter.line")
    return made


@dataclass(frozen=True)
class Case:
    """One mechanism: how it is made, its joints, edges of the voltage, and where its reference stands."""

    name: str
    make: Callable[..., Machine]
    joints: int
    edges: tuple[float, ...]

    @property
    def angles(self) -> list[str]:
        """Names of the joint angles."""
        return [f"linkage.z{i}.q" for i in range(1, self.joints + 1)]

    @cached_property
    def machine(self) -> Machine:
        """The machine with project settings."""
        return self.make()

    @property
    def voltage(self) -> Signal:
        """The reference voltage of its scenario."""
        scenario = self.machine.scenarios[self.machine.defaults.scenario or ""]
        return scenario.signals[INPUT]


def _friction(law: str) -> Callable[..., Machine]:
    def make(**options: Any) -> Machine:
        return four_bar_friction.machine(friction=four_bar_friction.LAWS[law], **options)

    return make


UP_AND_DOWN = (1.0, 2.5, 5.0, 8.0)
FIRST = (
    Case("four-bar", four_bar.machine, 3, UP_AND_DOWN),
    Case("quick-return", quick_return.machine, 5, (1.0, 4.0, 6.5, 8.0)),
)
"""The mechanisms of Publication I."""
SECOND = tuple(Case(law, _friction(law), 3, UP_AND_DOWN) for law in four_bar_friction.LAWS)
"""The mechanism of Publication II with its four friction laws."""


@dataclass(frozen=True, eq=False)
class Run:
    """One run over 10 s with what the publications tell of it."""

    case: Case
    result: Result
    program: Program

    @cached_property
    def power(self) -> Any:
        """Of the cylinder, net of its friction [W]."""
        return self.result.values("cylinder.F") * self.result.values("linkage.cylinder.v")

    def work(self, rectangles: bool = False) -> Any:
        """∫ F ṡ dt until each instant [J], by trapezoids, or by left rectangles as published."""
        import numpy as np

        steps = np.diff(self.result.time)
        height = self.power[:-1] if rectangles else (self.power[:-1] + self.power[1:]) / 2
        return np.concatenate([[0.0], np.cumsum(height * steps)])

    def energy(self) -> Any:
        """Kinetic and potential energy over time, less that at the start [J]."""
        total = self.result.values("linkage.kinetic.energy") + self.result.values("linkage.potential.energy")
        return total - total[0]

    def drift(self, rectangles: bool = False) -> tuple[float, float]:
        """Largest |ΔE_kin + ΔE_pot − W| [J] and its instant [s]."""
        import numpy as np

        left = np.abs(self.energy() - self.work(rectangles))
        return float(left.max()), float(self.result.time[left.argmax()])

    @property
    def iterations(self) -> float:
        """Newton iterations a step, on average."""
        return self.result.timing["iterations"] / self.result.timing["steps"]

    @property
    def most(self) -> int:
        """Newton iterations of the worst step."""
        return self.result.timing["max_iterations"]

    @property
    def inner(self) -> float:
        """Nested position iterations a step, on average."""
        return self.result.timing["inner"] / self.result.timing["steps"]

    def at(self, names: Sequence[str], times: Sequence[float] = SAMPLES) -> Any:
        """Values of signals at instants: (signals, instants)."""
        import numpy as np

        rows = np.searchsorted(self.result.time, np.asarray(times) - 1e-7)
        return np.array([self.result.values(name)[rows] for name in names])

    def gap(self, level: str = "gap") -> float:
        """Largest violation of the constraints: gap, gap_dot or gap_ddot."""
        return max(float(abs(self.result.values(name)).max()) for name in self.gaps(level))

    def gaps(self, level: str = "gap") -> list[str]:
        """Names of the violations of one level."""
        return [name for name in self.result.names if name.endswith(f".{level}")]


def ran(
    case: Case,
    loops: Any,
    stepper: Any = None,
    *,
    machine: Machine | None = None,
    dt: float = DT,
    every: int = 1,
    until: float = UNTIL,
    record: Sequence[str] | None = None,
    late: bool = False,
) -> Run:
    """Run a case over 10 s; `late` takes the voltage at both ends of the step."""
    program = compile(assemble(machine or case.machine, loops=loops), stepper or Trapezoidal(), record=record)
    inputs = {INPUT: AtBothEnds(of=case.voltage) if late else case.voltage}
    return Run(case, run(program, until=until, dt=dt, inputs=inputs, every=every), program)


PRINTED = Trapezoidal(tangent=ForwardDifferences(), max_iterations=10)
"""The stepper as published."""
TIGHT = Trapezoidal(tolerance=1e-10, tolerance_pressure=1e-3, max_iterations=30)
"""Converged so far that only the order of the method is left."""


def published(case: Case, loops: Any) -> Run:
    """A run as published: tangent by differences; Publication II with κ = −1, its F_0, the voltage at both ends."""
    if case in SECOND:
        return ran(case, loops, PRINTED, machine=case.make(published=True), late=True)
    return ran(case, loops, PRINTED)


@cache
def reference() -> Mapping[str, Mapping[float, Mapping[str, float]]]:
    """case → instant → column → value, by an adaptive method at rtol 1e-11 (z_dot: the chosen speed)."""
    table: dict[str, dict[float, dict[str, float]]] = {}
    with Path(__file__).with_name("dissertation_reference.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            case, t = row.pop("case"), float(row.pop("t"))
            table.setdefault(case, {})[t] = {name: float(value) for name, value in row.items() if value}
    return table


SIGNALS = {
    **{f"z{i}": f"linkage.z{i}.q" for i in range(1, 6)}, "p1": PRESSURES[0], "p2": PRESSURES[1], "p3": PRESSURES[2],
    "U": "valve.U", "s": "linkage.cylinder.s", "bristle": "cylinder.friction.z", "film": "cylinder.friction.h",
}  # fmt: skip
"""Column of the reference → signal."""


def deviations(run: Run, case: str = "") -> Iterator[tuple[float, str, float]]:
    """(instant, column, deviation from the reference), work included."""
    rows = reference()[case or run.case.name]
    times = list(rows)
    work = dict(zip(run.result.time.round(9).tolist(), run.work().tolist(), strict=True))
    for t in times:
        for column, value in rows[t].items():
            if column in SIGNALS:
                yield t, column, float(run.at([SIGNALS[column]], [t])[0, 0]) - value
            elif column == "W":
                yield t, column, work[t] - value


def iterations_by_step(case: Case, loops: Any, stepper: Any = None, late: bool = False) -> Any:
    """Newton iterations of each step of 1 ms over 10 s."""
    import numpy as np

    machine = case.make(published=True) if late else case.machine
    program = compile(assemble(machine, loops=loops), stepper or Trapezoidal(), record=[], account=False)
    state, steps = program.start(), round(UNTIL / DT)
    signal = AtBothEnds(of=case.voltage) if late else case.voltage
    starts = np.arange(steps) * DT
    first, last = signal(starts + 1e-9), signal.left(starts + DT - (0.0 if late else 1e-9))
    caller, counts = program.caller(state), np.empty(steps, dtype=int)
    for k in range(steps):
        state.jumped = not late and k > 0 and first[k] != last[k - 1]
        state.u[:] = first[k], last[k]
        caller(DT)
        counts[k] = caller.arguments.info[INFO.index("iterations")]
    return counts
