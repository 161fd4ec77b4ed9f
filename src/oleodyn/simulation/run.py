"""Running: from a machine or a program to a Result."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.coordinate_partitioning import redundant
from oleodyn.errors import DataError, DeclarationError, StepError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import nearest
from oleodyn.program.caller import STATUS, due
from oleodyn.program.compile import compile
from oleodyn.program.drivers import JUMP, RECORD, SAMPLE
from oleodyn.program.failure import BAD_PIVOT, GUARD
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.result import Result
from oleodyn.simulation.account import account
from oleodyn.simulation.feed import Feed
from oleodyn.simulation.loops import loops_named
from oleodyn.simulation.plan import Plan, Planner, final
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.by_name import stepper_named
from oleodyn.simulation.stiffness import unstable
from oleodyn.simulation.stopping import Stopped, patient

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
    """Assemble, compile and run a machine: everything not given is the machine's own default.

    `inputs` replace the signals of the scenario that they name, the machine's default scenario too;
    `scenario=Scenario()` starts from none.
    """
    if not isinstance(machine, Machine):
        raise DeclarationError(f"simulate({machine!r}): give a Machine, such as oleodyn.load({str(machine)!r})")
    chosen = chosen_scenario(machine, scenario)
    machine = changed_by(chosen, machine)
    equations = assemble(machine, loops=loops or loops_named(machine.defaults.loops), tunable=tunable)
    program = compile(equations, stepper or stepper_named(machine.defaults.stepper, equations.loops), record=record)
    return run(
        program,
        until=first_given(until, chosen.until, machine.defaults.until),
        dt=first_given(dt, chosen.dt, machine.defaults.dt),
        inputs=chosen.with_inputs(inputs),
        every=every,
        progress=progress,
    )


def first_given(*values: float | None) -> float:
    """The first value that is not None."""
    return next(value for value in values if value is not None)


def chosen_scenario(machine: Machine, scenario: str | Scenario | None) -> Scenario:
    """The scenario asked for, by name or given; else the machine's default; else an empty one."""
    if isinstance(scenario, Scenario):
        return scenario
    name = scenario or machine.defaults.scenario
    if name is None:
        return Scenario(signals={})
    if name not in machine.scenarios:
        raise DeclarationError(
            f"{machine.name} has no scenario {name!r}{nearest(name, machine.scenarios) or '.'} "
            f"Its scenarios are {', '.join(machine.scenarios) or 'none'}."
        )
    return machine.scenarios[name]


def changed_by(scenario: Scenario, machine: Machine) -> Machine:
    """The machine with a scenario's changes of parameters."""
    for path, value in scenario.changes.items():
        machine = machine.replace(path, value)
    return machine


def begin(state: State, scenario: Scenario) -> None:
    """The initial values of a scenario, for a state that has not moved yet; one that goes on keeps its own."""
    if state.t <= 0:
        for name, value in scenario.start.items():
            state[name] = value


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
    raises StepError, which carries the result so far and the state before that step; Ctrl-C raises
    Stopped, a KeyboardInterrupt that carries the same.
    """
    state = program.start() if state is None else state
    return Runner(program, state, until, dt, Scenario.of(inputs), every).result(progress)


def check_run(program: Program, state: State, until: Any, dt: Any, every: Any) -> None:
    """Refuse what no run can be made of."""
    for name, value in (("until", until), ("dt", dt)):
        if isinstance(value, str) or not np.isfinite(value):
            raise DataError(f"{name} = {value!r}: must be a number of seconds")
    if not dt > 0:
        raise DataError(f"dt = {dt}: must be above 0 s")
    if not until > state.t:
        raise DataError(f"until = {until:g} s: must be after the state's time, {state.t:g} s")
    if every is not None and (every != int(every) or every < 1):
        raise DataError(f"every = {every!r}: must be a whole number of steps, at least 1")
    program.check_state(state)


class Runner:
    """One run: plans a stretch, lets machine code do it, keeps what it recorded."""

    def __init__(self, program: Program, state: State, until: float, dt: float, scenario: Scenario, every: int | None):
        check_run(program, state, until, dt, every)
        self.program, self.state, self.until = program, state, until
        self.feed, self.n_u = Feed(program, scenario), program.equations.u.numel()
        self.every = max(1, round((until - state.t) / dt / 10_000)) if every is None else every
        state.pace(dt)
        periods = [sampler.period for sampler in program.equations.samplers]
        self.planner = Planner(state.t_0, dt, until, self.every, periods, program.kernels.multistep)
        self.rows: list[np.ndarray] = []
        self.times: list[np.ndarray] = []
        counted = ("steps", "iterations", "max_iterations", "accepted", "inner", "max_inner", "rechosen")
        self.counts = dict.fromkeys(counted, 0)
        self.begin = time.perf_counter()
        begin(state, scenario)
        program.check_step(state, dt)

    def result(self, progress: Progress | None) -> Result:
        """Run to the end."""
        state, last, size = self.state, self.planner.last, 64
        self.ready()
        with patient() as stopped:
            while state.k < last and not stopped():
                start = time.perf_counter()
                plan = self.stretch(size)
                self._execute(plan)
                state.k, state.h = plan.k, float(plan.h[-1])
                state.samples[:] = plan.samples
                spent = time.perf_counter() - start
                size = int(min(max(size * min(SLICE / max(spent, 1e-9), 4.0), 16), 200_000))
                if progress is not None:
                    progress(state.t)
            early = state.k < last
        if not early and not self.planner.on_grid:
            state.t_0, state.k = self.until, 0
        self._execute(final(state.t))
        if early:
            raise Stopped(f"stopped at t = {state.t:g} s", result=self._collected(), state=state)
        return self._collected()

    def ready(self) -> None:
        """Inputs and the stepper's memory as they are at the start."""
        self._set_inputs(self.state.t)
        if self.state.stale:
            self.program.refresh(self.state)
        else:  # a past that was just made knows no moving inputs: the first step makes it once more
            self.planner.previous_h = self.state.h
        self.begin = time.perf_counter()

    def stretch(self, n: int) -> Plan:
        """The plan of the next n steps, or of those that are left."""
        k, planner = self.state.k, self.planner
        plan = planner.cut(k, n, self.state.samples, *self.feed.edges(*planner.window(k, n)))
        if self.state.jumped:
            plan.flags[0] |= JUMP
            self.state.jumped = False
        return plan

    def inputs(self, plan: Plan) -> tuple[np.ndarray, int]:
        """Inputs at every stage of every step, stage after stage in a row, and the length of a row; 0: all alike."""
        n, feed, stages = self.n_u, self.feed, self.program.kernels.stages
        held = self.state.u[len(self.state.u) - n :].copy()
        if feed.constant(plan):
            held[feed.rows] = feed.table(plan, 0.0, held[feed.rows])[0]
            return np.tile(held, len(stages)), 0
        u = np.tile(self.state.u, (len(plan.t), 1))
        for i, stage in enumerate(stages):
            u[:, [i * n + row for row in feed.rows]] = feed.table(plan, stage, held[feed.rows])
        return u, u.shape[1]

    def _execute(self, plan: Plan) -> None:
        """Let machine code work through the plan; keep what it recorded."""
        state = self.state
        u, stride = self.inputs(plan)
        recorded = np.empty((int(np.count_nonzero(plan.flags & RECORD)), len(self.program.signals)))
        done = rows = 0
        again = False
        good = self._fit(u, stride, len(plan.t))
        while done < good:
            arguments = self._bound(plan, slice(done, good), u, stride, recorded[rows:], again)
            done += self.program.native(1, state.choice).run(arguments)
            info = arguments.info
            rows += int(info[1])
            self._count(info, stepping=plan.k > 0)
            if info[STATUS]:
                state.u[:] = u[done] if stride else u
                again = info[STATUS] == BAD_PIVOT and self.program.rechosen(state, float(plan.t[done]))
                self.counts["rechosen"] += int(again)
                if not again:
                    self._keep(plan, recorded, rows)
                    self._failed(plan, done, int(info[STATUS]))
        self._keep(plan, recorded, rows)
        if good < len(plan.t):
            state.u[:] = u[good - 1] if good else state.u
            self._unfit(plan, good, u[good] if stride else u)
        state.u[:] = u[-1] if stride else u

    def _fit(self, u: np.ndarray, stride: int, n: int) -> int:
        """How many steps have inputs that are numbers."""
        bad = ~np.isfinite(u)
        return n if not bad.any() else int(np.argmax(bad.any(axis=1))) if stride else 0

    def _unfit(self, plan: Plan, done: int, u: np.ndarray) -> None:
        """Raise StepError for inputs that are no numbers."""
        column = int(np.argmax(~np.isfinite(u)))
        name = self.program.equations.u_signals[column % self.n_u].name
        t = self._stopped_at(plan, done)
        self.rows.append(np.array([list(self.program.observe(self.state).values())]))
        self.times.append(np.array([t]))
        rule = "must be a finite number; what was computed is kept"
        text = f"input {name} is {u[column]} in the step from t = {t:g} s: {rule}"
        raise StepError(text, time=t, signals=(name,), result=self._collected(), state=self.state)

    def _bound(self, plan: Plan, which: slice, u: np.ndarray, stride: int, recorded: np.ndarray, again: bool) -> Any:
        """Part of a plan as arguments of the machine code; `again`: its first entry has recorded before."""
        kernels = self.program.kernels
        inputs = np.ascontiguousarray(u[which] if stride else u)
        flags = plan.flags[which].copy()
        if again:
            flags[0] &= ~RECORD
        return self.program.native(1, self.state.choice).arguments(
            y=self.state.y, p=self.state.p, u=inputs, u_stride=stride, t=plan.t[which], h=plan.h[which], flags=flags,
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

    def _failed(self, plan: Plan, done: int, status: int) -> None:
        """Raise StepError with the state before the failed step and all that was recorded."""
        state, h, t = self.state, float(plan.h[done]), self._stopped_at(plan, done)
        program, dt = self.program, self.planner.dt
        advice = unstable(program.equations, program.stepper.name, dt) if status != GUARD else ""
        error = self.program.failure(state, t, h, status)
        raise StepError(
            f"{error} {advice}".rstrip(), time=t, signals=error.signals, result=self._collected(), state=state
        )

    def _stopped_at(self, plan: Plan, done: int) -> float:
        """Leave the state as it is before step `done` of a plan, and say when that is."""
        state, t = self.state, float(plan.t[done])
        for j, period in enumerate(self.planner.periods):
            if np.any(plan.flags[:done] & (SAMPLE << j)):
                state.samples[j] = due(plan.t[done - 1], period, self.planner.tolerance)
        state.t_0, state.k = t, 0
        state.h = float(plan.h[done - 1]) if done else state.h
        return t

    def _set_inputs(self, t: float) -> None:
        """Inputs at the start; if they come from elsewhere than where they had got to, that is a jump."""
        state, rows = self.state, self.feed.rows
        held = state.u[len(state.u) - self.n_u :].copy()
        held[rows], jumped = self.feed.first(t, held[rows], fresh=state.stale)
        state.jumped = state.jumped or jumped
        state.u[:] = np.tile(held, len(self.program.kernels.stages))

    def _collected(self) -> Result:
        program = self.program
        steps, wall = self.counts["steps"], time.perf_counter() - self.begin
        timing = {
            "wall_s": wall, "steps": steps, "dt": self.planner.dt,
            "us_per_step": 1e6 * wall / max(steps, 1),
            "real_time_factor": (self.state.t - self.planner.t_0) / wall,
            **{key: value for key, value in self.counts.items() if key != "steps"},
        }  # fmt: skip
        instants, table = np.concatenate(self.times), np.concatenate(self.rows)
        return Result(
            instants, table, program.signals,
            aliases=program.equations.aliases, timing=timing, energy=account(program, instants, table),
            attrs={
                "machine": program.equations.name, "stepper": program.stepper.name, "dt": self.planner.dt,
                **self._loops(),
            },
        )  # fmt: skip

    def _loops(self) -> dict[str, str]:
        """How loops were closed, and which constraints were redundant."""
        e = self.program.equations
        if not e.Phi.numel():
            return {}
        spare = redundant(e)
        return {"loops": e.loops.name} | ({"redundant_constraints": ", ".join(spare)} if spare else {})
