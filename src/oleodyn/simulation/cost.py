"""What a step costs: machine code alone, called from Python, and side by side in a vector register."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from oleodyn.equations.equations import Equations
from oleodyn.equations.inspect import work
from oleodyn.program.caller import STATUS
from oleodyn.program.drivers import INFO, RECORD
from oleodyn.program.failure import OK
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.simulation.run import Runner
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.stiffness import stiffness

STEPS = 20_000
REPEATS, ENOUGH = 5, 0.25
"""How often, and for how long [s], something is repeated at least."""


@dataclass(frozen=True)
class Cost:
    """Of one step: time in machine code [s], Newton iterations, scalar operations; how many simulations at once."""

    seconds: float
    iterations: float
    operations: float
    width: int

    @property
    def rate(self) -> float:
        """Steps a second of all simulations on one core."""
        return self.width / self.seconds


def step_cost(
    program: Program,
    scenario: Scenario,
    dt: float,
    until: float,
    width: int = 1,
    *,
    state: State | None = None,
    most: int | None = None,
) -> Cost:
    """The best of several runs through the first steps of a scenario, inputs and controllers at work, nothing recorded.

    `state` is where they begin, `most` how many there are at most. All lanes of a vector do the same.
    """
    runner = Runner(program, state or program.start(), until, dt, scenario, every=10**9)
    runner.ready()
    plan = runner.stretch(min(most or STEPS // width, runner.planner.last))
    u, stride = runner.inputs(plan)
    begin, native, kernels = runner.state, program.native(width), program.kernels
    start, p = np.repeat(begin.y, width), np.repeat(begin.p, width)
    u, y = np.ascontiguousarray(np.repeat(u, width, axis=-1)), start.copy()
    arguments = native.arguments(
        y=y, p=p, u=u, u_stride=stride * width, t=plan.t, h=plan.h, flags=plan.flags & ~RECORD, n=len(plan.t),
        max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
    )  # fmt: skip

    def work_through() -> None:
        y[:], arguments.lane_status[:] = start, OK
        native.run(arguments)

    seconds = best(work_through) / len(plan.t)
    info = dict(zip(INFO, arguments.info.tolist(), strict=False))
    if arguments.info[STATUS]:
        done = info["entries"]
        raise program.failure(begin, float(plan.t[done]), float(plan.h[done]), info["status"])
    iterations = info["iterations"] / width / len(plan.t)
    return Cost(
        seconds, iterations, operations(program, iterations, info["inner_iterations"] / width / len(plan.t)), width
    )


def operations(program: Program, iterations: float, inner: float = 0.0) -> float:
    """Scalar operations of one step with so many iterations."""
    often = {"step": 1.0, "predict": 1.0, "iterate": iterations, "inner": inner, "finish": 1.0}
    functions = program.kernels.functions
    return sum(times * work(functions[name]) for name, times in often.items() if name in functions)


def call_cost(program: Program, dt: float, steps: int = 2000) -> float:
    """What a call of `program.step(state, dt)` costs beyond the step itself [s]; inputs rest."""
    state = program.start()
    program.step(state, dt)
    begin, arguments = state.copy(), None

    def called() -> None:
        for name in ("y", "u"):
            getattr(state, name)[:] = getattr(begin, name)
        for _ in range(steps):
            program.step(state, dt)

    native, kernels = program.native(1), program.kernels
    t, h, y = begin.t + np.arange(steps) * dt, np.full(steps, dt), begin.y.copy()
    arguments = native.arguments(
        y=y, p=begin.p, u=begin.u, u_stride=0, t=t, h=h, flags=np.zeros(steps, dtype=np.int64), n=steps,
        max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
    )  # fmt: skip

    def alone() -> None:
        y[:] = begin.y
        native.run(arguments)

    return (best(called) - best(alone)) / steps


def bearable(e: Equations, stepper: Stepper, dt: float) -> float:
    """dt, or a round number below the largest step that this stepper can bear at the machine's start."""
    largest = stiffness(e).steps.get(stepper.name, np.inf)
    if dt <= 0.9 * largest:
        return dt
    power = 10.0 ** np.floor(np.log10(0.7 * largest))
    return float(power * max(k for k in (1, 2, 5) if k * power <= 0.7 * largest))


def best(action: Callable[[], object]) -> float:
    """The shortest of several times that an action takes [s]: what else runs on the machine only adds."""
    times, end = [], time.perf_counter() + ENOUGH
    while len(times) < REPEATS or time.perf_counter() < end:
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return min(times)
