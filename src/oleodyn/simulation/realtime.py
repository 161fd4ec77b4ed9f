"""Real time: a program paced against the wall clock, and an honest report of how it went."""

import gc
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.simulation.feed import Feed
from oleodyn.simulation.run import begin
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.stopping import Stopped, patient


class Overrun(Enum):
    """What to do when a step is not finished in its period."""

    CATCH_UP = "catch up"
    """Go on at once; simulated time regains the wall clock."""
    STRETCH = "stretch time"
    """Shift the schedule: simulated time falls behind for good."""
    STOP = "stop"
    """End the run at the first miss."""


@dataclass(frozen=True)
class Pacing:
    """How a paced run went. Times in seconds.

    compute   percentiles {50, 90, 99, 99.9} and worst of the computation of one step
    misses    steps that were not finished when the next was due
    reserve   1 − mean computation / period
    late      worst delay of a step's begin against its schedule
    """

    period: float
    steps: int
    compute: Mapping[str, float]
    misses: int
    reserve: float
    late: float
    stretched: float
    policy: Overrun
    stopped_at: float | None = None

    @property
    def in_time(self) -> bool:
        """Whether even the worst computation fits into the period."""
        return self.compute["worst"] <= self.period

    def __str__(self):
        percentiles = ", ".join(f"{name} {1e6 * value:.1f} µs" for name, value in self.compute.items())
        lines = [
            f"{self.steps} steps of {1e3 * self.period:g} ms; policy on overrun: {self.policy.value}",
            f"computation of a step: {percentiles}",
            f"reserve {self.reserve:.1%}; deadline misses {self.misses}; latest begin {1e3 * self.late:.3f} ms late",
            f"worst computation {1e6 * self.compute['worst']:.1f} µs of the period {1e6 * self.period:g} µs: "
            + ("ok" if self.in_time else "too long"),
        ]
        if self.stretched:
            lines.append(f"time stretched by {1e3 * self.stretched:.3f} ms")
        if self.stopped_at is not None:
            lines.append(f"stopped at t = {self.stopped_at:g} s")
        return "\n".join(lines)


SPIN = 5e-4
"""The last stretch [s] before a deadline is waited for actively. A process that sleeps in between comes back to cold
caches, and late: at 5 kHz sleeping made the worst computation of the pipe cutter three times as long."""


def run_realtime(
    program: Program,
    *,
    until: float,
    dt: float,
    inputs: Scenario | Mapping[str, Any] | None = None,
    state: State | None = None,
    overrun: Overrun = Overrun.CATCH_UP,
    exchange: Callable[[State], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Pacing:
    """Step a program every `dt` of wall time until `until` [s].

    `exchange(state)` is called before each step and may read and set inputs: a joystick, a bus.
    Inputs given as signals are evaluated beforehand. Garbage collection waits until the end. Ctrl-C
    raises Stopped, which carries the report so far.
    """
    state = program.start() if state is None else state
    if not dt > 0 or not until > state.t:
        raise DataError(f"dt = {dt} s must be above 0, until = {until} s after the state's time, {state.t:g} s")
    pacer = _Pacer(program, state, Scenario.of(inputs), round((until - state.t) / dt), dt, overrun)
    collecting = gc.isenabled()
    gc.disable()
    try:
        with patient() as stopped:
            pacer.run(exchange, progress, stopped)
    finally:
        if collecting:
            gc.enable()
    if pacer.interrupted:
        raise Stopped(f"stopped at t = {state.t:g} s", result=pacer.report(), state=state)
    return pacer.report()


class _Pacer:
    """One run against the wall clock."""

    def __init__(self, program: Program, state: State, scenario: Scenario, n: int, dt: float, policy: Overrun):
        begin(state, scenario)
        state.pace(dt)
        self.program, self.state, self.n, self.dt, self.policy = program, state, n, dt, policy
        self.feed = _Feeding(program, state, scenario, n, dt)
        self.feed(0)
        if state.stale:
            program.refresh(state)
        self.compute, self.done, self.misses, self.late, self.stretched = np.zeros(n), 0, 0, 0.0, 0.0
        self.interrupted = False

    def run(
        self,
        exchange: Callable[[State], None] | None,
        progress: Callable[[float], None] | None,
        stopped: Callable[[], bool],
    ) -> None:
        """Step after step, each when it is due."""
        state, dt, clock = self.state, self.dt, time.perf_counter
        step, due = self.program.caller(state), clock()
        for k in range(self.n):
            _wait(due, clock)
            start = clock()
            self.late = max(self.late, start - due)
            self.feed(k)
            if exchange is not None:
                exchange(state)
            step(dt)
            end = clock()
            self.compute[k], self.done, due = end - start, k + 1, due + dt
            if end > due:
                self.misses += 1
                if self.policy is Overrun.STOP:
                    return
                if self.policy is Overrun.STRETCH:
                    self.stretched, due = self.stretched + end - due, end
            if progress is not None and k % 1000 == 0:
                progress(state.t)
            if stopped():
                self.interrupted = True
                return

    def report(self) -> Pacing:
        """How it went."""
        compute = self.compute[: self.done]
        shares = {"median": 50, "p90": 90, "p99": 99, "p99.9": 99.9}
        percentiles = {name: float(np.percentile(compute, share)) for name, share in shares.items()}
        return Pacing(
            period=self.dt, steps=self.done, compute=percentiles | {"worst": float(compute.max())},
            misses=self.misses, reserve=1 - float(compute.mean()) / self.dt, late=self.late,
            stretched=self.stretched, policy=self.policy,
            stopped_at=self.state.t if self.done < self.n else None,
        )  # fmt: skip


class _Feeding:
    """Inputs evaluated beforehand, laid into the state step by step without allocating much.

    What only controllers read is kept for the steps at which one of them can act.
    """

    def __init__(self, program: Program, state: State, scenario: Scenario, n: int, dt: float):
        feed, n_u, stages = Feed(program, scenario), program.equations.u.numel(), program.kernels.stages
        self.state, t = state, state.t + np.arange(n) * dt
        self.stride = _stride([sampler.period / dt for sampler in program.equations.samplers])
        seen = [(row, s) for row, s, used in zip(feed.rows, feed.signals, feed.used, strict=True) if used]
        read = [(row, s) for row, s, used in zip(feed.rows, feed.signals, feed.used, strict=True) if not used]
        self.seen = np.array([i * n_u + row for i in range(len(stages)) for row, _ in seen], dtype=int)
        self.read = np.array([i * n_u + row for i in range(len(stages)) for row, _ in read], dtype=int)
        values = [s.left(t + h * dt) if h == 1.0 else s(t + h * dt) for h in stages for _, s in seen]
        self.values = np.stack(values, axis=1) if values else np.zeros((n, 0))
        every = self.stride * dt
        instants = np.round(t[:: self.stride] / every) * every
        asked = [s(instants) for _, s in read] * len(stages)
        self.asked = np.stack(asked, axis=1) if asked else np.zeros((n, 0))
        if not (np.isfinite(self.values).all() and np.isfinite(self.asked).all()):
            raise DataError("an input of the run in real time is not a finite number at some time")
        jumps = np.unique(np.concatenate([np.empty(0), *(s.edges(t[0], t[-1]) for _, s in seen)]))
        self.jumps = set(np.ceil((jumps - t[0]) / dt - 1e-7).astype(int).tolist())

    def __call__(self, k: int) -> None:
        """The inputs of step k."""
        if len(self.seen):
            self.state.u[self.seen] = self.values[k]
            if k in self.jumps:
                self.state.jumped = True
        if len(self.read) and k % self.stride == 0:
            self.state.u[self.read] = self.asked[k // self.stride]


def _stride(steps: list[float]) -> int:
    """In how many steps a controller can next act, if all act on whole steps; else 1.

    >>> _stride([50.0, 20.0]), _stride([12.5]), _stride([])
    (10, 1, 1)
    """
    if not steps or any(abs(x - round(x)) > 1e-6 for x in steps):
        return 1
    return max(math.gcd(*(round(x) for x in steps)), 1)


def _wait(due: float, clock: Callable[[], float]) -> None:
    remaining = due - clock()
    if remaining > SPIN:
        time.sleep(remaining - SPIN)
    while clock() < due:
        pass
