"""Benchmarks: what a step costs, how far ahead of real time a machine runs, starts and batches.

Absolute times belong to the machine they were taken on; ratios within one run travel.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from oleodyn.catalogue.shelf import MACHINES, load
from oleodyn.equations.assemble import assemble
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError, StepError
from oleodyn.machine.machine import Machine
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.program.target import vector_width
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.loops import LOOPS, loops_named
from oleodyn.simulation.run import changed_by, chosen_scenario, run
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.studies.bench_extras import extras

Progress = Callable[[float], None]
SECONDS = 0.25
"""Wall time of one measurement; the best of `REPEATS` counts."""
REPEATS = 5
NEVER = 10**9


@dataclass(frozen=True)
class Cost:
    """One machine with one stepper: no recording, no energy account, one core."""

    machine: str
    stepper: str
    loops: str | None
    dt: float
    us_per_step: float
    real_time_factor: float
    iterations: float


@dataclass(frozen=True)
class Throughput:
    """Many simulations side by side on one core."""

    machine: str
    width: int
    steps_per_s_per_core: float


@dataclass(frozen=True)
class Measured:
    """All that was measured; `notes` are further lines for some machines."""

    machines: Sequence[Cost]
    batch: Sequence[Throughput]
    cold_start_s: float
    warm_start_s: float
    started: str
    notes: Sequence[str] = field(default_factory=tuple)

    def summary(self) -> dict[str, Any]:
        """For --json."""
        return {
            "machines": [asdict(cost) for cost in self.machines], "batch": [asdict(entry) for entry in self.batch],
            "cold_start_s": self.cold_start_s, "warm_start_s": self.warm_start_s, "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self):
        head = f"{'machine':20s} {'stepper':16s} {'loops':21s} {'dt':>9s}"
        lines = [f"{head} {'µs/step':>9s} {'× real time':>12s} {'iterations':>10s}"]
        for c in self.machines:
            lines.append(
                f"{c.machine:20s} {c.stepper:16s} {c.loops or '':21s} {1e3 * c.dt:6.3g} ms {c.us_per_step:9.3f} "
                f"{c.real_time_factor:12.4g} {c.iterations:10.3f}"
            )
        lines += [
            "",
            f"{'machine':20s} {'lanes':>5s} {'million steps a second, one core':>33s} {'against one lane':>17s}",
        ]
        for entry in self.batch:
            alone = next(b.steps_per_s_per_core for b in self.batch if b.machine == entry.machine and b.width == 1)
            rate = entry.steps_per_s_per_core
            lines.append(f"{entry.machine:20s} {entry.width:5d} {1e-6 * rate:33.3f} {rate / alone:16.2f}×")
        start = f"from import to the first step of {self.started}"
        lines += ["", f"{start}: cold {self.cold_start_s:.2f} s, from the cache {self.warm_start_s:.2f} s"]
        return "\n".join([*lines, *self.notes])


def bench(name: str | None, progress: Progress) -> Measured:
    """Measure one machine, its default stepper first, or the default of every machine."""
    names = [name] if name else list(MACHINES)
    costs: list[Cost] = []
    batches: list[Throughput] = []
    notes: list[str] = []
    for k, one in enumerate(names):
        machine = load(one)
        plans = _plans(machine) if name else _plans(machine)[:1]
        for i, (stepper, loops) in enumerate(plans):
            progress((k + i / len(plans)) / (len(names) + 1))
            cost = measured(machine, stepper, loops)
            if cost is not None:
                costs.append(cost)
        batches += _throughput(machine, *plans[0])
        if name:
            notes += extras(machine, progress)
    started = name if name in MACHINES else "rigid-arm"
    cold, warm = _starts(started)
    progress(1.0)
    return Measured(costs, batches, cold, warm, started, notes)


def _plans(machine: Machine) -> list[tuple[Stepper, Any]]:
    """Stepper and loop policy: the machine's own first, then all others that go together."""
    own = machine.defaults
    first = (stepper_named(own.stepper), loops_named(own.loops))
    policies = [loops_named(name) for name in LOOPS] if own.loops else [None]
    rest = [(STEPPERS[name](), loops) for name in STEPPERS for loops in policies]
    allowed = [(s, p) for s, p in rest if p is None or s.name in p.admits]
    return [first, *((s, p) for s, p in allowed if (s.name, p and p.name) != (own.stepper, own.loops))]


def measured(machine: Machine, stepper: Stepper, loops: Any) -> Cost | None:
    """Cost of a step at the machine's own step, or at the first tenth of it that is stable."""
    scenario = chosen_scenario(machine, None)
    try:
        program = _program(changed_by(scenario, machine), stepper, loops)
    except AssemblyError:
        return None
    dt = scenario.dt or machine.defaults.dt
    until = scenario.until or machine.defaults.until
    for _ in range(4):
        try:
            result = _best(program, scenario, dt, until)
        except StepError:
            dt /= 10
            continue
        us = 1e6 * result["wall_s"] / result["steps"]
        iterations = result["iterations"] / result["steps"]
        return Cost(machine.name, stepper.name, loops.name if loops else None, dt, us, 1e6 * dt / us, iterations)
    return None


def _program(machine: Machine, stepper: Stepper, loops: Any) -> Program:
    equations: Equations = assemble(machine, loops=loops)
    return compile(equations, stepper, record=[], account=False)


def _best(program: Program, scenario: Any, dt: float, until: float) -> dict[str, float]:
    trial = run(program, until=min(until, 200 * dt), dt=dt, inputs=scenario, every=NEVER).timing
    steps = max(200, int(SECONDS / max(trial["wall_s"] / trial["steps"], 1e-9)))
    end = min(until, steps * dt)
    timings = [run(program, until=end, dt=dt, inputs=scenario, every=NEVER).timing for _ in range(REPEATS)]
    return min(timings, key=lambda timing: timing["wall_s"])


def _throughput(machine: Machine, stepper: Stepper, loops: Any) -> list[Throughput]:
    """Batches of one group of lanes on one thread, for each width up to the processor's own."""
    scenario = chosen_scenario(machine, None)
    program = _program(changed_by(scenario, machine), stepper, loops)
    dt = scenario.dt or machine.defaults.dt
    found = []
    for width in (width for width in (1, 2, 4, 8) if width <= vector_width()):
        best = 0.0
        for _ in range(REPEATS):
            batch = Batch(program, width, width=width, threads=1)
            for name, value in scenario.start.items():
                batch[name] = value
            until = min(scenario.until or machine.defaults.until, 20_000 * dt)
            batch.run(until=until, dt=dt, inputs=scenario, every=NEVER, record=[])
            best = max(best, batch.timing["steps_per_s"])
        found.append(Throughput(machine.name, width, best))
    return found


START = """
import time
begin = time.perf_counter()
import oleodyn as od
machine = od.load({name!r})
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.steppers.by_name import stepper_named
equations = od.assemble(machine, loops=loops_named(machine.defaults.loops))
program = od.compile(equations, stepper_named(machine.defaults.stepper), record=[])
program.step(program.start(), machine.defaults.dt)
print(time.perf_counter() - begin)
"""


def _starts(name: str) -> tuple[float, float]:
    """Seconds from import to the first step in a new process: with an empty cache, then again."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"OLEODYN_CACHE_DIR": folder}
        seconds = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", START.format(name=name)],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            seconds.append(float(done.stdout))
            time.sleep(0.1)
    return seconds[0], seconds[1]
