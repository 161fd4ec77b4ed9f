"""Running: from a machine or a program to a Result."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from oleodyn.equations.assemble import assemble
from oleodyn.equations.equations import Equations
from oleodyn.errors import DataError, DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import nearest
from oleodyn.program.compile import compile
from oleodyn.program.drivers import BAD_PIVOT, JUMP, RECORD
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import STATUS, Program
from oleodyn.program.state import State
from oleodyn.result.result import Result
from oleodyn.simulation.account import account
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.plan import Plan, Planner, final
from oleodyn.simulation.scenario import Scenario, values_at
from oleodyn.simulation.signal import Signal
from oleodyn.simulation.steppers.by_name import stepper_named

Progress = Callable[[float], None]
"""Told the simulated time now and then."""

SLICE = 0.05
"""Wall time [s] between two returns to Python: progress, Ctrl-C."""


def simulate(
    machine: Machine,
    *,
    until: float | None = None,
    dt: float | None = None,
    stepper: Stepper | None = None,
    scenario: str | Scenario | None = None,
    inputs: Mapping[str, Any] | None = None,
    loops: Any = None,
    tunable: Iterable[str] = (),
    record: Sequence[str] | None = None,
    every: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Assemble, compile and run a machine: everything not given is the machine's own default."""
    chosen = chosen_scenario(machine, scenario)
    machine = changed_by(chosen, machine)
    equations = assemble(machine, loops=loops or loops_named(machine.defaults.loops), tunable=tunable)
    program = compile(equations, stepper or stepper_named(machine.defaults.stepper), record=record)
    return run(
        program,
        until=until or chosen.until or machine.defaults.until,
        dt=dt or chosen.dt or machine.defaults.dt,
        inputs=chosen.with_inputs(inputs),
        every=every,
        progress=progress,
    )


def chosen_scenario(machine: Machine, scenario: str | Scenario | None) -> Scenario:
    """The scenario asked for, by name or given; else the machine's default; else an empty one."""
    if isinstance(scenario, Scenario):
        return scenario
    name = scenario or machine.defaults.scenario
    if name is None:
        return Scenario(signals={})
    if name not in machine.scenarios:
        raise DeclarationError(
            f"{machine.name} has no scenario {name!r}{nearest(name, machine.scenarios)}. "
            f"Its scenarios are {', '.join(machine.scenarios) or 'none'}."
        )
    return machine.scenarios[name]


def changed_by(scenario: Scenario, machine: Machine) -> Machine:
    """The machine with a scenario's changes of parameters."""
    for path, value in scenario.changes.items():
        machine = machine.replace(path, value)
    return machine


def run(
    program: Program,
    *,
    until: float,
    dt: float,
    inputs: Scenario | Mapping[str, Any] | None = None,
    state: State | None = None,
    every: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Run a program from `state` (default: its start) to `until` in steps of `dt` [s].

    `inputs` gives a number, a function of time or a signal per input. Every `every`-th step is
    recorded (default: so that about 10,000 are), the first and the last always. A failed step
    raises StepError, which carries the result so far and the state before that step.
    """
    state = program.start() if state is None else state
    return Runner(program, state, until, dt, Scenario.of(inputs), every).result(progress)


class Runner:
    """One run: plans a stretch, lets machine code do it, keeps what it recorded."""

    def __init__(self, program: Program, state: State, until: float, dt: float, scenario: Scenario, every: int | None):
        if not dt > 0:
            raise DataError(f"dt = {dt}: must be above 0 s")
        if not until > state.t:
            raise DataError(f"until = {until:g} s: must be after the state's time, {state.t:g} s")
        self.program, self.state, self.until = program, state, until
        e = program.equations
        names = [card.name for card in e.u_signals]
        by_name = scenario.resolved(names, e.aliases)
        self.signals: list[Signal | None] = [by_name.get(name) for name in names]
        self.used = _used_between_samples(e)
        self.every = every or max(1, round((until - state.t) / dt / 10_000))
        changed = state.pace(dt)
        self.planner = Planner(
            state.t_0, dt, until, self.every, [s.period for s in e.samplers], program.kernels.multistep
        )
        self.restart = changed and program.kernels.multistep
        self.rows: list[np.ndarray] = []
        self.times: list[np.ndarray] = []
        counted = ("steps", "iterations", "max_iterations", "accepted", "inner", "max_inner", "rechosen")
        self.counts = dict.fromkeys(counted, 0)
        self.wall = 0.0
        for name, value in scenario.start.items():
            state[name] = value
        program.check_step(state, dt)

    def result(self, progress: Progress | None) -> Result:
        """Run to the end."""
        state = self.state
        self._set_inputs(state.t)
        if state.stale:
            state.dt = self.planner.dt
            self.program.refresh(state)
            self.restart = self.program.kernels.multistep
        size, begin = 64, time.perf_counter()
        while state.k < self.planner.last:
            plan = self._stretch(size)
            start = time.perf_counter()
            self._execute(plan)
            state.k, state.samples = plan.k, plan.samples
            spent = time.perf_counter() - start
            size = int(min(max(size * min(SLICE / max(spent, 1e-9), 4.0), 16), 200_000))
            if progress is not None:
                progress(state.t)
        if not self.planner.on_grid:
            state.t_0, state.k = self.until, 0
        self._execute(final(state.t))
        self.wall = time.perf_counter() - begin
        return self._collected()

    def _stretch(self, n: int) -> Plan:
        k, planner = self.state.k, self.planner
        a, b = planner.t_0 + k * planner.dt, min(planner.t_0 + (k + n) * planner.dt, self.until)
        jumps, kinks = _instants(self.signals, a, b, "edges"), _instants(self.signals, a, b, "kinks")
        plan = planner.cut(k, n, self.state.samples, jumps, kinks)
        if self.restart or self.state.jumped:
            plan.flags[0] |= JUMP
            self.restart = self.state.jumped = False
        return plan

    def _inputs(self, plan: Plan) -> tuple[np.ndarray, int]:
        """Inputs at every stage of every step: (steps, stages, inputs), and the stride."""
        stages, defaults = self.program.kernels.stages, self.state.u
        n = len(self.signals)
        if all(s is None or (s.constant and not len(s.edges(plan.t[0], plan.t[-1]))) for s in self.signals):
            row = values_at(self.signals, defaults, plan.t[:1])[0]
            return np.tile(row, len(stages)), 0
        u = np.empty((len(plan.t), len(stages), n))
        for i, stage in enumerate(stages):
            t = plan.t + stage * plan.h
            u[:, i, :] = self._columns(t, stage == 1.0, plan)
        return u, len(stages) * n

    def _columns(self, t: np.ndarray, left: bool, plan: Plan) -> np.ndarray:
        """Input values at the times t; inputs that only controllers read, at sample instants only."""
        values = np.empty((len(t), len(self.signals)))
        fired = (plan.flags & ~(RECORD | JUMP)) > 0
        fired[0] = True
        last = np.maximum.accumulate(np.where(fired, np.arange(len(t)), 0))
        for j, signal in enumerate(self.signals):
            if signal is None:
                values[:, j] = self.state.u[j]
            elif self.used[j]:
                values[:, j] = signal.left(t) if left else signal(t)
            else:
                values[:, j] = np.asarray(signal(plan.t[fired]))[np.cumsum(fired) - 1] if len(last) else 0.0
        return values

    def _execute(self, plan: Plan) -> None:
        """Let machine code work through the plan; keep what it recorded."""
        state = self.state
        u, stride = self._inputs(plan)
        recorded = np.empty((int(np.count_nonzero(plan.flags & RECORD)), len(self.program.signals)))
        done = rows = 0
        while done < len(plan.t):
            arguments = self._bound(plan, done, u, stride, recorded[rows:])
            done += self.program.native(1, state.choice).run(arguments)
            info = arguments.info
            rows += int(info[1])
            self._count(info, stepping=plan.k > 0)
            if info[STATUS] == BAD_PIVOT and self.program.rechosen(
                state, float(plan.t[done]), u[done] if stride else u
            ):
                self.counts["rechosen"] += 1
            elif info[STATUS]:
                self._keep(plan, recorded, rows)
                self._failed(plan, done, u, stride, int(info[STATUS]))
        self._keep(plan, recorded, rows)
        state.u[:] = u[-1].ravel() if stride else u

    def _bound(self, plan: Plan, done: int, u: np.ndarray, stride: int, recorded: np.ndarray) -> Any:
        """The rest of a plan as arguments of the machine code."""
        kernels = self.program.kernels
        inputs = np.ascontiguousarray(u[done:] if stride else u)
        flags = plan.flags[done:].copy()
        if done:
            flags[0] &= ~((1 << 32) - 1)
        return self.program.native(1, self.state.choice).arguments(
            y=self.state.y, p=self.state.p, u=inputs, u_stride=stride, t=plan.t[done:], h=plan.h[done:], flags=flags,
            n=len(flags), rec=recorded, max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
        )  # fmt: skip

    def _keep(self, plan: Plan, recorded: np.ndarray, rows: int) -> None:
        self.rows.append(recorded[:rows])
        self.times.append(plan.t[np.flatnonzero(plan.flags & RECORD)][:rows])

    def _count(self, info: np.ndarray, stepping: bool) -> None:
        counts = self.counts
        counts["steps"] += int(info[0]) if stepping else 0
        counts["iterations"] += int(info[3])
        counts["max_iterations"] = max(counts["max_iterations"], int(info[4]))
        counts["accepted"] += int(info[5])
        counts["inner"] += int(info[6])
        counts["max_inner"] = max(counts["max_inner"], int(info[7]))

    def _failed(self, plan: Plan, done: int, u: np.ndarray, stride: int, status: int) -> None:
        """Raise StepError with the state before the failed step and all that was recorded."""
        t, h = float(plan.t[done]), float(plan.h[done])
        self.state.t_0, self.state.k = t, 0
        self.state.u[:] = u[done].ravel() if stride else u
        error = self.program.failure(self.state, t, h, status)
        error.result = self._collected()
        raise error

    def _set_inputs(self, t: float) -> None:
        """Inputs at the start; if they differ from the state's, that is a jump."""
        row = values_at(self.signals, self.state.u, np.array([t]))[0]
        u = np.tile(row, len(self.program.kernels.stages))
        if not np.array_equal(u, self.state.u):
            self.state.u[:] = u
            self.state.jumped = True

    def _collected(self) -> Result:
        program = self.program
        steps = self.counts["steps"]
        timing = {
            "wall_s": self.wall, "steps": steps, "dt": self.planner.dt,
            "us_per_step": 1e6 * self.wall / max(steps, 1),
            "real_time_factor": (self.state.t - self.planner.t_0) / self.wall if self.wall else 0.0,
            **{key: value for key, value in self.counts.items() if key != "steps"},
        }  # fmt: skip
        instants, table = np.concatenate(self.times), np.concatenate(self.rows)
        return Result(
            instants, table, program.signals,
            aliases=program.equations.aliases, timing=timing, energy=account(program, instants, table),
            attrs={"machine": program.equations.name, "stepper": program.stepper.name, "dt": self.planner.dt},
        )  # fmt: skip


def _instants(signals: Sequence[Signal | None], a: float, b: float, which: str) -> np.ndarray:
    found = [getattr(signal, which)(a, b) for signal in signals if signal is not None]
    return np.unique(np.concatenate(found)) if found else np.empty(0)


def _used_between_samples(e: Equations) -> list[bool]:
    """For each input: True if anything but a controller reads it."""
    return [e.used_between_samples(j) for j in range(e.u.numel())]
