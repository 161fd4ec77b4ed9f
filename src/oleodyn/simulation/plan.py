"""Plans: when each step begins, how long it is, and what happens before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from oleodyn.program.caller import SAMPLE_TOLERANCE, differ, due
from oleodyn.program.drivers import JUMP, NO_STEP, RECORD, SAMPLE


@dataclass(frozen=True)
class Plan:
    """Steps in order: start and end, size, flags for the machine-code loop.

    A whole step has the size dt to the last bit. k counts the whole steps of the grid that are
    done when the plan is; `samples` how often each controller has acted by then.
    """

    t: np.ndarray
    end: np.ndarray
    h: np.ndarray
    flags: np.ndarray
    k: int
    samples: np.ndarray

    def at(self, stage: float) -> np.ndarray:
        """The instants of a stage, 0 to 1, of every step."""
        return self.end if stage == 1.0 else self.t + stage * (self.end - self.t)


class Planner:
    """Lays the grid t_0 + k dt and cuts it at edges and at the controllers' sample instants.

    `previous_h` is the size of the step before the first one, 0 if there was none. What is
    planned does not depend on how the steps are shared out among plans.
    """

    def __init__(
        self, t_0: float, dt: float, until: float, every: int, periods: Sequence[float], multistep: bool,
        previous_h: float = 0.0,
    ):  # fmt: skip
        self.t_0, self.dt, self.until, self.every = t_0, dt, until, every
        self.periods, self.multistep, self.previous_h = tuple(periods), multistep, previous_h
        self.tolerance = SAMPLE_TOLERANCE * dt
        """Instants nearer than this [s] are one."""
        self.last = int(np.ceil((until - t_0) / dt - SAMPLE_TOLERANCE))
        self.on_grid = abs(t_0 + self.last * dt - until) <= self.tolerance
        """False if the last step is shortened to end at `until`."""

    def window(self, k: int, n: int) -> tuple[float, float]:
        """From when to when a plan from k on needs to know edges."""
        return (
            self.t_0 + k * self.dt - self.tolerance,
            min(self.t_0 + (k + n) * self.dt, self.until) + self.tolerance,
        )

    def cut(self, k: int, n: int, samples: np.ndarray, jumps: np.ndarray, kinks: np.ndarray) -> Plan:
        """The steps from grid point k to k + n (or the end), given the edges in this window."""
        stop = min(k + n, self.last)
        grid = self.t_0 + np.arange(k, stop + 1) * self.dt
        if stop == self.last and not self.on_grid:
            grid[-1] = self.until
        instants, sources = [jumps, kinks], [JUMP, 0]
        samples = samples.copy()
        for j, period in enumerate(self.periods):
            first, samples[j] = samples[j], max(samples[j], due(grid[-1] - 2 * self.tolerance, period, self.tolerance))
            fired = np.arange(first, samples[j] + 1) * period  # the last one is the next plan's
            instants.append(np.where(fired < grid[0] - self.tolerance, grid[0], fired))
            sources.append(SAMPLE << j)
        t, flags = _merge(grid, instants, sources, self.tolerance)
        recorded = (np.arange(k, stop) % self.every) == 0
        flags[np.searchsorted(t, grid[:-1] - 1.5 * self.tolerance)[recorded]] |= RECORD
        h = np.diff(t)
        h[np.abs(h - self.dt) <= 2 * self.tolerance] = self.dt
        if self.multistep:
            before = np.concatenate([[self.previous_h], h[:-1]])
            flags[:-1][differ(h, before, self.dt)] |= JUMP
        self.previous_h = float(h[-1])
        return Plan(t[:-1].copy(), t[1:].copy(), h, flags[:-1].copy(), stop, samples)


def final(t: float) -> Plan:
    """One entry that records and does not step."""
    instant = np.array([t])
    return Plan(instant, instant, np.zeros(1), np.array([RECORD | NO_STEP], dtype=np.int64), 0, np.zeros(0))


def _merge(
    grid: np.ndarray, instants: Sequence[np.ndarray], sources: Sequence[int], tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Grid and instants in one row; an instant that meets a grid point takes its place exactly."""
    flags = np.zeros(len(grid), dtype=np.int64)
    t = grid.copy()
    for times, flag in zip(instants, sources, strict=True):
        times = times[(times >= t[0] - tolerance) & (times <= t[-1] + tolerance)]
        if not len(times):
            continue
        at = np.minimum(np.searchsorted(t, times - tolerance), len(t) - 1)
        meets = np.abs(t[at] - times) <= tolerance
        flags[at[meets]] |= flag
        t[at[meets]] = times[meets]
        t = np.insert(t, at[~meets], times[~meets])
        flags = np.insert(flags, at[~meets], flag)
    return t, flags
