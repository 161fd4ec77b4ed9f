"""Stepping from Python: a state bound to machine code, and the rules of when things happen in a step."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from oleodyn.errors import DataError, StepError
from oleodyn.program.drivers import INFO, JUMP, SAMPLE
from oleodyn.program.failure import BAD_PIVOT
from oleodyn.program.state import State

if TYPE_CHECKING:
    from oleodyn.program.program import Program

SAMPLE_TOLERANCE = 1e-7
"""An instant this part of a step away from a boundary is on it."""

STATUS = INFO.index("status")


def due(t: Any, period: float, tolerance: float) -> int:
    """How often a controller has acted by the time t, if it acts at 0, period, 2 period, ...

    >>> due(0.03, 0.01, 1e-9), due(0.03 - 1e-8, 0.01, 1e-9)
    (4, 3)
    """
    return int(np.floor((t + tolerance) / period)) + 1


def differ(h: Any, before: Any, dt: float) -> Any:
    """True where a step has another size than the one before."""
    return abs(h - before) > 1e-9 * dt


@dataclass(frozen=True)
class Beat:
    """A period, and the controllers that act with it: always together, since all act at 0."""

    period: float
    which: tuple[int, ...]

    @property
    def first(self) -> int:
        """One of them: all have acted equally often."""
        return self.which[0]

    @cached_property
    def flags(self) -> int:
        """What tells the machine code that they act."""
        return sum(SAMPLE << j for j in self.which)


class Caller:
    """A state bound to a program's machine code: stepping costs one call and no allocation."""

    def __init__(self, program: "Program", state: State):
        self.program, self.state = program, state
        self.t, self.h, self.flags = np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.int64)
        self.multistep = program.kernels.multistep
        periods = [sampler.period for sampler in program.equations.samplers]
        self.beats = [Beat(T, tuple(j for j, p in enumerate(periods) if p == T)) for T in dict.fromkeys(periods)]
        self.due = self._due()
        """When the next controller acts."""
        self._bind()

    def _bind(self) -> None:
        native, kernels, state = self.program.native(1, self.state.choice), self.program.kernels, self.state
        self.arguments = native.arguments(
            y=state.y, p=state.p, u=state.u, u_stride=0, t=self.t, h=self.h, flags=self.flags, n=1,
            max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
        )  # fmt: skip
        self.run = native.runner(self.arguments)

    def __call__(self, dt: float) -> None:
        """One step of dt; shortened into several where a controller's sample falls inside."""
        state = self.state
        if dt != state.dt or not dt:
            if not dt > 0:
                raise DataError(f"dt = {dt}: must be above 0 s")
            self.program.check_step(state, dt)
            state.pace(dt)
        if state.stale:
            self.program.refresh(state)
        if self.due > state.t_0 + (state.k + 1 - SAMPLE_TOLERANCE) * dt:
            self._single(state.t, dt, 0)
        else:
            self._sampled(dt)
        state.k += 1

    def _due(self) -> float:
        samples = self.state.samples.tolist()
        return min((samples[beat.first] * beat.period for beat in self.beats), default=math.inf)

    def _single(self, t: float, h: float, flags: int) -> None:
        """One call of the machine code, from t to t + h."""
        state = self.state
        if state.jumped or (self.multistep and differ(h, state.h, state.dt)):
            flags |= JUMP
        self.t[0], self.h[0], self.flags[0] = t, h, flags
        while self.run() != 1:
            status = int(self.arguments.info[STATUS])
            if status != BAD_PIVOT or not self.program.rechosen(state, t):
                if t != state.t:
                    state.t_0, state.k = t, 0
                raise self.program.failure(state, t, h, status)
            self._bind()
        state.h, state.jumped = h, False

    def _sampled(self, dt: float) -> None:
        """From sample instant to sample instant, as a plan has it."""
        state, tolerance = self.state, SAMPLE_TOLERANCE * dt
        t = self._snapped(state.t, tolerance)
        end = self._snapped(state.t_0 + (state.k + 1) * dt, tolerance)
        while t < end - tolerance:
            before, flags, following = state.samples.copy(), 0, end
            for beat in self.beats:
                count, had = int(due(t, beat.period, tolerance)), int(before[beat.first])
                if count > had:
                    state.samples[list(beat.which)] = count
                    flags |= beat.flags
                again = max(count, had) * beat.period
                if again < following - tolerance:
                    following = self._snapped(again, tolerance)
            whole = abs(following - t - dt) <= 2 * tolerance
            try:
                self._single(t, dt if whole else following - t, flags)
            except StepError:
                state.samples[:] = before
                self.due = self._due()
                raise
            t = following
        self.due = self._due()

    def _snapped(self, t: float, tolerance: float) -> float:
        """The sample instant at t, if there is one."""
        for beat in self.beats:
            instant = round(t / beat.period) * beat.period
            if abs(instant - t) <= tolerance:
                t = instant
        return t
