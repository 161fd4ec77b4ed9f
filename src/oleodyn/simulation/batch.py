"""Batches: many simulations of one program side by side, in vector lanes and threads."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.machine.part import check_bounds, nearest
from oleodyn.program.drivers import INFO, JUMP, RECORD
from oleodyn.program.failure import OK
from oleodyn.program.program import FAILURES, Program
from oleodyn.program.target import vector_width
from oleodyn.result.result import Result
from oleodyn.simulation.checkpoint import layout, read_arrays, write_arrays
from oleodyn.simulation.feed import Feed
from oleodyn.simulation.plan import Plan, Planner, final
from oleodyn.simulation.scenario import Scenario

CHUNK = 4096
"""Whole steps between two returns to Python."""


class Batch:
    """`size` simulations of one program; each has its own states, tunables and inputs.

    `batch["lift.d_bore"] = values` sets a state, an input or a tunable: one number for all, or
    one for each. `width` lanes share a vector register (default: as many as the processor has),
    groups of lanes are shared out among `threads`.
    """

    def __init__(self, program: Program, size: int, *, width: int | None = None, threads: int | None = None):
        if size < 1:
            raise DataError(f"a batch of {size}: must have at least one simulation")
        self.program, self.size = program, size
        self.width = width or vector_width()
        self.threads = threads or os.cpu_count() or 1
        self.groups = -(-size // self.width)
        start = program.start()
        lanes = (self.groups, -1, self.width)
        self._y, self._p, self._u = (
            np.array(np.broadcast_to(a[None, :, None], (self.groups, len(a), self.width)), order="C").reshape(lanes)
            if len(a) else np.zeros((self.groups, 0, self.width))
            for a in (start.y, start.p, start.u)
        )  # fmt: skip
        self.t = 0.0
        self.status = np.zeros(self.groups * self.width, dtype=np.int64)
        """Why a simulation has stopped, 0 while it runs; `reasons` says it in words."""
        self.samples = np.zeros(len(program.equations.samplers), dtype=np.int64)
        self._stale, self._jumped, self._h = True, False, 0.0
        self.timing: dict[str, float] = {}

    def _place(self, name: str) -> tuple[np.ndarray, int, int]:
        places = self.program.places
        canonical = self.program.canonical(name)
        if canonical not in places:
            machine = self.program.equations.name
            raise DataError(f"{machine} has no state, input or tunable {name!r}{nearest(name, places)}")
        which, row = places[canonical]
        every = self.program.equations.u.numel() if which == "u" else 10**9
        return {"y": self._y, "p": self._p, "u": self._u}[which], row, every

    def __setitem__(self, name: str, values: Any) -> None:
        array, row, every = self._place(name)
        padded = np.empty(self.groups * self.width)
        numbers = np.asarray(values, dtype=float)
        if numbers.ndim and numbers.shape != (self.size,):
            raise DataError(f"{name}: give one number or {self.size}, not {numbers.shape}")
        if not np.isfinite(numbers).all():
            raise DataError(f"{name}: all numbers must be finite")
        if array is self._p:
            for number in (numbers.min(), numbers.max()):
                check_bounds(name, self.program.equations.p_specs[row], float(number))
        padded[: self.size] = numbers
        padded[self.size :] = padded[self.size - 1]
        array[:, row::every] = padded.reshape(self.groups, 1, self.width)
        if array is self._u:
            self._jumped = True
        else:
            self._stale = True

    def __getitem__(self, name: str) -> np.ndarray:
        array, row, _ = self._place(name)
        values = array[:, row].ravel()[: self.size].copy()
        floor = self.program.floors.get(self.program.canonical(name))
        return values if floor is None else np.maximum(values, [floor(p) for p in self._parameters()])

    def _parameters(self) -> np.ndarray:
        """The tunables of each simulation, a row for each."""
        return self._p.transpose(0, 2, 1).reshape(self.groups * self.width, self._p.shape[1])[: self.size]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything in the batch to an .npz file; `load` goes on from it bit for bit."""
        arrays = dict(zip(("y", "p", "u", "status", "samples"), self._arrays(), strict=True))
        clock = np.array([self.t, self._h, float(self._stale), float(self._jumped)])
        write_arrays(path, f"{layout(self.program)} x {self.width}", clock=clock, size=np.array(self.size), **arrays)

    @classmethod
    def load(cls, program: Program, path: str | os.PathLike[str], *, width: int | None = None) -> "Batch":
        """A batch that `save` wrote for the same machine, stepper and width."""
        meaning = f"{layout(program)} x {width or vector_width()}"
        read = read_arrays(path, meaning, ("y", "p", "u", "status", "samples", "clock", "size"))
        batch = cls(program, int(read["size"]), width=width)
        for name, array in zip(("y", "p", "u", "status", "samples"), batch._arrays(), strict=True):
            array[:] = read[name]
        batch.t, batch._h = (float(value) for value in read["clock"][:2])
        batch._stale, batch._jumped = (bool(value) for value in read["clock"][2:])
        return batch

    def _arrays(self) -> tuple[np.ndarray, ...]:
        return self._y, self._p, self._u, self.status, self.samples

    def run(
        self,
        *,
        until: float,
        dt: float,
        inputs: Scenario | Mapping[str, Any] | None = None,
        every: int | None = None,
        record: Sequence[str] | None = None,
    ) -> "BatchResult":
        """Run all to `until`. A simulation that fails is frozen, the others go on; see `status`."""
        program = self.program
        scenario = Scenario.of(inputs)
        feed = Feed(program, scenario)
        if self.t <= 0:
            for name, value in scenario.start.items():
                self[name] = value
        columns = list(range(len(program.signals))) if record is None else program.signal_rows(record)
        planner = self._planner(until, dt, every)
        jumped = self._prepare(feed, planner)
        tables: list[np.ndarray] = []
        times: list[np.ndarray] = []
        counts = np.zeros(len(INFO), dtype=np.int64)
        begin = time.perf_counter()
        with ThreadPoolExecutor(self.threads) as pool:
            k = 0
            while k < planner.last:
                plan = planner.cut(k, CHUNK, self.samples, *feed.edges(*planner.window(k, CHUNK)))
                plan.flags[0] |= JUMP * jumped
                counts += self._execute(pool, plan, feed, columns, tables, times)
                k, self.samples, self._h, jumped = plan.k, plan.samples, float(plan.h[-1]), False
            self._execute(pool, final(until), feed, columns, tables, times)
        wall = time.perf_counter() - begin
        self.t = until
        steps = int(counts[INFO.index("entries")]) * self.size // self.groups
        self.timing = {
            "wall_s": wall, "steps": steps, "steps_per_s": steps / wall, "width": self.width, "threads": self.threads,
        }  # fmt: skip
        table = np.concatenate(tables) if tables else np.zeros((0, len(columns), self.size))
        return BatchResult(self, np.concatenate(times), table, [program.signals[i] for i in columns], dt)

    def _planner(self, until: float, dt: float, every: int | None) -> Planner:
        if not dt > 0 or not until > self.t:
            raise DataError(f"dt = {dt:g} s must be above 0, until = {until:g} s after the batch's time, {self.t:g} s")
        periods = [sampler.period for sampler in self.program.equations.samplers]
        every = every or max(1, round((until - self.t) / dt / 1000))
        return Planner(self.t, dt, until, every, periods, self.program.kernels.multistep)

    def _prepare(self, feed: Feed, planner: Planner) -> bool:
        """Inputs at the start; the stepper's memory if any number was set. True if an input jumps."""
        n, stages = self.program.equations.u.numel(), len(self.program.kernels.stages)
        held = self._u[:, (stages - 1) * n :][0, feed.rows, 0]
        now, jumped = feed.first(self.t, held, fresh=self._stale)
        for row, value in zip(feed.rows, now, strict=True):
            self._u[:, row::n] = value
        jumped, self._jumped = jumped or self._jumped, False
        if not self._stale:
            planner.previous_h = self._h
            return jumped
        native = self.program.native(self.width)
        c = np.repeat([self.t, planner.dt], self.width)
        for g in range(self.groups):
            self._y[g] = native.call("start", self._y[g], self._p[g], self._u[g], c).reshape(self._y[g].shape)
        self._stale = False
        return False

    def _inputs(self, plan: Plan, feed: Feed, g: int) -> tuple[np.ndarray, int]:
        """The inputs of one group over a plan: its own numbers, with the common signals laid over."""
        stages, n = self.program.kernels.stages, self.program.equations.u.numel()
        held = self._u[g][(len(stages) - 1) * n :][feed.rows, 0]
        if feed.constant(plan):
            for row, value in zip(feed.rows, feed.finite_table(plan, 0.0, held)[0], strict=True):
                self._u[g][row::n] = value
            return self._u[g], 0
        u = np.broadcast_to(self._u[g], (len(plan.t), *self._u[g].shape)).copy()
        for i, stage in enumerate(stages):
            u[:, [i * n + row for row in feed.rows], :] = feed.finite_table(plan, stage, held)[:, :, None]
        return u, u[0].size

    def _execute(
        self,
        pool: ThreadPoolExecutor,
        plan: Plan,
        feed: Feed,
        columns: Sequence[int],
        tables: list[np.ndarray],
        times: list[np.ndarray],
    ) -> np.ndarray:
        rows = int(np.count_nonzero(plan.flags & RECORD))
        table = np.full((rows, len(columns), self.groups * self.width), np.nan)

        def group(g: int) -> np.ndarray:
            return self._group(g, plan, feed, columns, table)

        counts = sum(pool.map(group, range(self.groups)), np.zeros(len(INFO), dtype=np.int64))
        tables.append(table[:, :, : self.size])
        times.append(plan.t[np.flatnonzero(plan.flags & RECORD)])
        return counts

    def _group(self, g: int, plan: Plan, feed: Feed, columns: Sequence[int], table: np.ndarray) -> np.ndarray:
        """One group of lanes through one plan."""
        native, kernels, W = self.program.native(self.width), self.program.kernels, self.width
        u, stride = self._inputs(plan, feed, g)
        recorded = np.full((table.shape[0], len(self.program.signals), W), np.nan)
        arguments = native.arguments(
            y=self._y[g], p=self._p[g], u=u, u_stride=stride, t=plan.t, h=plan.h, flags=plan.flags, n=len(plan.t),
            rec=recorded, max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
        )  # fmt: skip
        lanes = slice(g * W, (g + 1) * W)
        arguments.lane_status[:] = self.status[lanes]
        native.run(arguments)
        if stride:
            self._u[g] = u[-1]
        at, dead = np.flatnonzero(plan.flags & RECORD), self.status[lanes] != OK
        for lane in np.flatnonzero(arguments.lane_status):  # a frozen lane has nothing more to tell
            recorded[at > (-1 if dead[lane] else arguments.lane_step[lane]), :, lane] = np.nan
        self.status[lanes] = arguments.lane_status
        table[:, :, lanes] = recorded[:, columns]
        return arguments.info[: len(INFO)].copy()


class BatchResult:
    """What a batch recorded: `time` (n_t), `table` (n_t, signals, size)."""

    def __init__(self, batch: Batch, time: np.ndarray, table: np.ndarray, signals: Sequence[Any], dt: float):
        self.time, self.table, self.signals = time, table, tuple(signals)
        self.status = batch.status[: batch.size].copy()
        self.timing = dict(batch.timing)
        self._program, self._dt = batch.program, dt

    def values(self, name: str) -> np.ndarray:
        """One signal of all simulations: (n_t, size), in SI."""
        canonical = self._program.canonical(name)
        names = [signal.name for signal in self.signals]
        if canonical not in names:
            raise DataError(f"no signal {name!r}{nearest(name, names)} was recorded")
        return self.table[:, names.index(canonical)]

    def reasons(self) -> dict[int, str]:
        """Why simulations have stopped, in words, by their number; those that came through are left out."""
        return {int(i): FAILURES[int(self.status[i])] for i in np.flatnonzero(self.status)}

    def __len__(self) -> int:
        return self.table.shape[2]

    def __getitem__(self, i: int) -> Result:
        """One simulation as a Result."""
        e, stepper = self._program.equations, self._program.stepper
        return Result(
            self.time, self.table[:, :, i], self.signals, aliases=e.aliases, timing=self.timing,
            attrs={"machine": e.name, "stepper": stepper.name, "dt": self._dt, "lane": i},
        )  # fmt: skip
