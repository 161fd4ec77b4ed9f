"""Plans: when each step begins, how long it is, and what happens before it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from oleodyn.program.drivers import JUMP, NO_STEP, RECORD, SAMPLE
from oleodyn.program.program import SAMPLE_TOLERANCE


@dataclass(frozen=True)
class Plan:
    """Steps in order: start time, size, flags for the machine-code loop.

    k counts the whole steps of the grid that are done when the plan is; `samples` how often
    each controller has acted by then.
    """

    t: np.ndarray
    h: np.ndarray
    flags: np.ndarray
    k: int
    samples: np.ndarray


class Planner:
    """Lays the grid t_0 + k dt and cuts it at edges and at the controllers' sample instants."""

    def __init__(self, t_0: float, dt: float, until: float, every: int, periods: Sequence[float], multistep: bool):
        self.t_0, self.dt, self.until, self.every = t_0, dt, until, every
        self.periods, self.multistep = tuple(periods), multistep
        self.last = int(np.ceil((until - t_0) / dt - SAMPLE_TOLERANCE))
        self.on_grid = abs(t_0 + self.last * dt - until) <= SAMPLE_TOLERANCE * dt
        """False if the last step is shortened to end at `until`."""
        self.previous_h: float | None = None

    def cut(self, k: int, n: int, samples: np.ndarray, jumps: np.ndarray, kinks: np.ndarray) -> Plan:
        """The steps from grid point k to k + n (or the end), given this stretch's edges."""
        stop = min(k + n, self.last)
        grid = self.t_0 + np.arange(k, stop + 1) * self.dt
        if stop == self.last and not self.on_grid:
            grid[-1] = self.until
        instants, sources = [jumps, kinks], [JUMP, 0]
        samples = samples.copy()
        for j, period in enumerate(self.periods):
            first = samples[j]
            count = int(np.floor((grid[-1] - SAMPLE_TOLERANCE * self.dt) / period)) + 1
            fired = np.arange(first, max(count, first)) * period
            instants.append(np.maximum(fired, grid[0]))
            sources.append(SAMPLE << j)
            samples[j] = max(count, first)
        t, flags = _merge(grid, instants, sources, SAMPLE_TOLERANCE * self.dt)
        recorded = (np.arange(k, stop) % self.every) == 0
        flags[np.searchsorted(t, grid[:-1] - SAMPLE_TOLERANCE * self.dt)[recorded]] |= RECORD
        h = np.diff(t)
        if self.multistep:
            before = np.concatenate([[self.previous_h if self.previous_h is not None else h[0]], h[:-1]])
            flags[:-1][np.abs(h - before) > 1e-9 * self.dt] |= JUMP
            self.previous_h = h[-1]
        return Plan(t[:-1].copy(), h, flags[:-1].copy(), stop, samples)


def final(t: float) -> Plan:
    """One entry that records and does not step."""
    return Plan(np.array([t]), np.array([0.0]), np.array([RECORD | NO_STEP], dtype=np.int64), 0, np.zeros(0))


def _merge(
    grid: np.ndarray, instants: Sequence[np.ndarray], sources: Sequence[int], tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """Grid and instants in one row; an instant that meets a grid point takes its place exactly."""
    flags = np.zeros(len(grid), dtype=np.int64)
    t = grid.copy()
    for times, flag in zip(instants, sources, strict=True):
        times = times[(times >= t[0] - tolerance) & (times < t[-1] - tolerance)]
        if not len(times):
            continue
        at = np.clip(np.searchsorted(t, times - tolerance), 0, len(t) - 1)
        meets = np.abs(t[at] - times) <= tolerance
        flags[at[meets]] |= flag
        inner = (at[meets] > 0) & (at[meets] < len(t) - 1)
        t[at[meets][inner]] = times[meets][inner]
        t = np.insert(t, at[~meets], times[~meets])
        flags = np.insert(flags, at[~meets], flag)
    return t, flags
