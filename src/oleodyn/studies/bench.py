"""The bench: what a step of a machine costs here, how fast it starts, what a batch gets through."""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from oleodyn.catalogue.shelf import MACHINES, load, variants
from oleodyn.equations.assemble import assemble
from oleodyn.errors import StepError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.program.peak import peak_flops
from oleodyn.program.program import Program
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.cost import Cost, bearable, call_cost, step_cost
from oleodyn.simulation.loops import LOOPS, loops_named
from oleodyn.simulation.run import changed_by, chosen_scenario
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.simulation.stiffness import EXPLICIT
from oleodyn.studies import pipe_cutter_cost
from oleodyn.studies.bench_table import table
from oleodyn.studies.dynamics import Timing, absent, compared
from oleodyn.studies.pipe_cutter_cost import Comparison
from oleodyn.studies.starts import JOINTS, Compilation, Start, compilations, start

Progress = Callable[[float], None]
WIDTHS = (1, 4, 8)
SMALLEST = 1e-6
"""An explicit stepper that needs a smaller step [s] is given up."""
PUBLISHED: dict[str, Callable[[Progress], Comparison]] = {"pipe-cutter": pipe_cutter_cost.comparison}
"""What a paper printed of the cost of a machine, measured again."""
STARTED = "pipe-cutter"
"""The machine whose start is measured when all are."""


@dataclass(frozen=True)
class Step:
    """One machine with one stepper: seconds a step in machine code, called from Python on top, work done."""

    machine: str
    stepper: str
    loops: str | None
    dt: float
    seconds: float
    iterations: float
    operations: float
    call: float

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds in a second."""
        return self.dt / self.seconds


@dataclass(frozen=True)
class Lanes:
    """Steps a second of one machine on one core, `width` simulations side by side."""

    machine: str
    width: int
    rate: float
    operations: float


@dataclass
class Measured:
    """All that was measured in one run of the bench."""

    steps: list[Step] = field(default_factory=list)
    lanes: list[Lanes] = field(default_factory=list)
    started: str = ""
    start: Start | None = None
    peak: float = 0.0
    all_cores: tuple[str, int, float] | None = None
    dynamics: list[Timing] = field(default_factory=list)
    compilations: list[Compilation] = field(default_factory=list)
    published: Comparison | None = None
    remarks: list[str] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """For --json."""
        return {
            "machines": [
                {"machine": s.machine, "stepper": s.stepper, "loops": s.loops, "dt": s.dt,
                 "us_per_step": 1e6 * s.seconds, "real_time_factor": s.real_time_factor, "iterations": s.iterations}
                for s in self.steps
            ],
            "cold_start_s": self.start and self.start.cold, "warm_start_s": self.start and self.start.warm,
            "batch": [
                {"machine": b.machine, "width": b.width, "steps_per_s_per_core": b.rate} for b in self.lanes
            ],
            "peak_gflops": self.peak / 1e9,
            "forward_dynamics": [asdict(timing) for timing in self.dynamics],
            "compile": [asdict(one) for one in self.compilations],
            "published": self.published and self.published.summary(),
            "remarks": self.remarks,
        }  # fmt: skip

    def __str__(self):
        parts = [self._steps(), self._lanes(), *self._rest()]
        if self.dynamics:
            parts.append(self._dynamics())
        if self.compilations:
            parts.append(self._compilations())
        if self.published:
            parts.append(str(self.published))
        return "\n\n".join([*parts, *self.remarks])

    def _steps(self) -> str:
        rows = [
            (s.machine, s.stepper, s.loops or "", f"{1e3 * s.dt:g} ms", f"{1e6 * s.seconds:.3g}",
             f"{s.real_time_factor:.4g}", f"{s.iterations:.2f}" if s.iterations else "", f"{s.operations:.0f}",
             f"{s.operations / s.seconds / self.peak:.1%}", f"{1e6 * s.call:.2f}")
            for s in self.steps
        ]  # fmt: skip
        head = ("machine", "stepper", "loops", "dt", "µs a step", "× real time", "iterations", "operations", "of peak",
                "µs a call on top")  # fmt: skip
        return f"A step on one core (peak {self.peak / 1e9:.0f} GFLOP/s in fused multiply-adds)\n{table(head, rows)}"

    def _lanes(self) -> str:
        rows = [
            (b.machine, str(b.width), f"{b.rate / 1e6:.3g}", f"{b.rate / self._alone(b.machine):.2f}",
             f"{b.rate * b.operations / self.peak:.1%}")
            for b in self.lanes
        ]  # fmt: skip
        return "Side by side on one core\n" + table(
            ("machine", "width", "million steps/s", "× width 1", "of peak"), rows
        )

    def _alone(self, machine: str) -> float:
        return next(b.rate for b in self.lanes if b.machine == machine)

    def _rest(self) -> Iterator[str]:
        if self.all_cores:
            machine, threads, rate = self.all_cores
            yield f"{machine}, {threads} threads, recording ends: {rate / 1e6:.3g} million steps/s in all"
        if self.start:
            yield (
                f"From `import oleodyn` to the first step of {self.started}: {self.start.cold:.2f} s cold, "
                f"{self.start.warm:.2f} s from the cache"
            )

    def _dynamics(self) -> str:
        ours = {t.what: t.seconds for t in reversed(self.dynamics) if t.who == "oleodyn"}
        rows = [
            (t.who, t.what, f"{1e6 * t.seconds:.3f}", f"{t.seconds / ours.get(t.what, ours['v̇']):.1f}", t.how)
            for t in self.dynamics
        ]
        return "Forward dynamics of the same robot\n" + table(("by", "what", "µs", "ratio", "how it was called"), rows)

    def _compilations(self) -> str:
        rows = [(str(c.joints), c.stepper, f"{c.assemble:.2f}", f"{c.compile:.2f}") for c in self.compilations]
        return "Chains of hinges, nothing cached\n" + table(("joints", "stepper", "assemble s", "compile s"), rows)


def bench(machine: str | None, progress: Progress) -> Measured:
    """Measure one machine with all its steppers, or every machine of the catalogue with its own."""
    names = list(MACHINES) if machine is None else [machine]
    loaded = {name: load(name) for name in names}
    chains = machine is not None and _is_tree(loaded[machine])
    measured = Measured(peak=peak_flops())
    relatives = {} if machine is None else variants(machine)
    steppers = len(names) if machine is None else len(plans(loaded[machine]))
    total = steppers + len(relatives) + 2 + (2 * len(JOINTS) + 2 if chains else 0)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        progress(done / total)

    for made in loaded.values():
        _machine(made, measured, every=machine is not None, tell=tell)
    for what, made in relatives.items():
        _relative(what, made, measured)
        tell()
    measured.started = machine or (STARTED if STARTED in MACHINES else names[0])
    measured.start = start(measured.started)
    tell()
    if chains:
        measured.dynamics += compared(loaded[names[0]])
        measured.remarks += [f"{package} is not installed: pip install 'oleodyn[bench]'" for package in absent()]
        tell()
        measured.compilations += compilations(tell)
    if machine in PUBLISHED:
        measured.published = PUBLISHED[machine](lambda share: None)
    progress(1.0)
    return measured


def _is_tree(made: Machine) -> bool:
    """True for one mechanism alone and without loops: a robot that other programs know too."""
    return all(isinstance(part, Mechanism) and not part.loops for part in made.parts.values()) and len(made.parts) == 1


def _machine(made: Machine, measured: Measured, every: bool, tell: Callable[[], None]) -> None:
    """Its own stepper first, with a batch; then, with `every`, all others."""
    scenario = chosen_scenario(made, None)
    machine = changed_by(scenario, made)
    first = machine.defaults.stepper, machine.defaults.loops
    for name, loops in plans(machine) if every else [first]:
        try:
            program, step = _step(machine, scenario, name, loops)
        except StepError as error:
            if (name, loops) == first:
                raise
            measured.remarks.append(f"{machine.name} with {name}{f' and {loops}' if loops else ''}: {error}")
        else:
            measured.steps.append(step)
            if (name, loops) == first:
                measured.lanes += _batch(program, scenario, step.dt, machine.defaults.until)
                measured.all_cores = _all_cores(program, step.dt) if every else None
        tell()


def _relative(what: str, machine: Machine, measured: Measured) -> None:
    """A variant with the machine's stepper and every policy for loops that admits it."""
    name, own = machine.defaults.stepper, machine.defaults.loops
    for loops in [loops for loops in LOOPS if name in LOOPS[loops].admits] if own else [None]:
        try:
            _, step = _step(machine, chosen_scenario(machine, None), name, loops)
            measured.steps.append(replace(step, machine=f"{machine.name}, {what}"))
        except StepError as error:
            measured.remarks.append(f"{machine.name}, {what}, with {loops}: {error}")


def plans(machine: Machine) -> list[tuple[str, str | None]]:
    """Stepper and policy for loops: the machine's own first, then all others that go together."""
    first = machine.defaults.stepper, machine.defaults.loops
    policies = LOOPS if machine.defaults.loops else [None]
    others = [(name, loops) for loops in policies for name in STEPPERS if loops is None or name in LOOPS[loops].admits]
    return [first, *(other for other in others if other != first)]


def _step(machine: Machine, scenario: Scenario, name: str, loops: str | None) -> tuple[Program, Step]:
    stepper = stepper_named(name, loops_named(loops))
    equations = assemble(machine, loops=loops_named(loops))
    program = compile(equations, stepper)
    dt, cost = _cost(program, scenario, bearable(equations, stepper, scenario.dt or machine.defaults.dt), machine)
    return program, Step(
        machine.name, name, loops, dt, cost.seconds, cost.iterations, cost.operations, call_cost(program, dt)
    )


def _cost(program: Program, scenario: Scenario, dt: float, machine: Machine) -> tuple[float, Cost]:
    """What a step costs; an explicit stepper halves it until it comes through: some stiffness comes with the motion."""
    try:
        return dt, step_cost(program, scenario, dt, scenario.until or machine.defaults.until)
    except StepError:
        if dt < SMALLEST or all(program.stepper.name != stepper.name for stepper in EXPLICIT):
            raise
    return _cost(program, scenario, dt / 2, machine)


def _batch(program: Program, scenario: Scenario, dt: float, until: float) -> Iterator[Lanes]:
    for width in WIDTHS:
        cost = step_cost(program, scenario, dt, scenario.until or until, width)
        yield Lanes(program.equations.name, width, cost.rate, cost.operations)


def _all_cores(program: Program, dt: float) -> tuple[str, int, float]:
    """Steps a second of a whole batch on all cores."""
    threads = os.cpu_count() or 1
    batch = Batch(program, 64 * threads, threads=threads)
    result = batch.run(until=4000 * dt, dt=dt, every=4000)
    return program.equations.name, threads, float(result.timing["steps_per_s"])
