"""Batches: many simulations of one program side by side, in vector lanes and threads."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.machine.part import nearest
from oleodyn.program.drivers import INFO, RECORD
from oleodyn.program.program import Program
from oleodyn.program.target import vector_width
from oleodyn.result.result import Result
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
            np.ascontiguousarray(np.broadcast_to(a[None, :, None], (self.groups, len(a), self.width))).reshape(lanes)
            if len(a) else np.zeros((self.groups, 0, self.width))
            for a in (start.y, start.p, start.u)
        )  # fmt: skip
        self.t = 0.0
        self.status = np.zeros(self.groups * self.width, dtype=np.int64)
        """Why a simulation has stopped, 0 while it runs (see oleodyn.program.drivers)."""
        self.samples = np.zeros(len(program.equations.samplers), dtype=np.int64)
        self._fresh = False
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
        padded[: self.size] = numbers
        padded[self.size :] = padded[self.size - 1]
        array[:, row::every] = padded.reshape(self.groups, 1, self.width)
        self._fresh = False

    def __getitem__(self, name: str) -> np.ndarray:
        array, row, _ = self._place(name)
        return array[:, row].ravel()[: self.size].copy()

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
        e = program.equations
        scenario = Scenario.of(inputs)
        by_name = scenario.resolved([card.name for card in e.u_signals], e.aliases)
        signals = {row: by_name[card.name] for row, card in enumerate(e.u_signals) if card.name in by_name}
        planner = Planner(
            self.t, dt, until, every or max(1, round((until - self.t) / dt / 1000)),
            [sampler.period for sampler in e.samplers], program.kernels.multistep,
        )  # fmt: skip
        columns = list(range(len(program.signals))) if record is None else program.signal_rows(record)
        self._prepare(signals, dt)
        tables: list[np.ndarray] = []
        times: list[np.ndarray] = []
        counts = np.zeros(len(INFO), dtype=np.int64)
        begin = time.perf_counter()
        with ThreadPoolExecutor(self.threads) as pool:
            k = 0
            while k < planner.last:
                plan = self._stretch(planner, k, signals)
                counts += self._execute(pool, plan, signals, columns, tables, times)
                k, self.samples = plan.k, plan.samples
            self._execute(pool, final(until), signals, columns, tables, times)
        wall = time.perf_counter() - begin
        self.t = until
        steps = int(counts[INFO.index("entries")]) * self.size // self.groups
        self.timing = {
            "wall_s": wall, "steps": steps, "steps_per_s": steps / wall, "width": self.width, "threads": self.threads,
        }  # fmt: skip
        table = np.concatenate(tables) if tables else np.zeros((0, len(columns), self.size))
        return BatchResult(self, np.concatenate(times), table, [program.signals[i] for i in columns], dt)

    def _prepare(self, signals: Mapping[int, Any], dt: float) -> None:
        """Inputs at the start; the stepper's memory if any number was set."""
        n = self.program.equations.u.numel()
        before = self._u.copy()
        for row, signal in signals.items():
            self._u[:, row::n] = signal(self.t)
        if self._fresh and np.array_equal(before, self._u):
            return
        native = self.program.native(self.width)
        c = np.repeat([self.t, dt], self.width)
        for g in range(self.groups):
            self._y[g] = native.call("start", self._y[g], self._p[g], self._u[g], c).reshape(self._y[g].shape)
        self._fresh = True

    def _stretch(self, planner: Planner, k: int, signals: Mapping[int, Any]) -> Plan:
        a = planner.t_0 + k * planner.dt
        b = min(a + CHUNK * planner.dt, planner.until)
        empty = np.empty(0)
        jumps = np.unique(np.concatenate([empty, *(s.edges(a, b) for s in signals.values())]))
        kinks = np.unique(np.concatenate([empty, *(s.kinks(a, b) for s in signals.values())]))
        return planner.cut(k, CHUNK, self.samples, jumps, kinks)

    def _inputs(self, plan: Plan, signals: Mapping[int, Any], g: int) -> tuple[np.ndarray, int]:
        """The inputs of one group over a plan: its own numbers, with the common signals laid over."""
        if not signals or all(s.constant and not len(s.edges(plan.t[0], plan.t[-1])) for s in signals.values()):
            return self._u[g], 0
        stages, n = self.program.kernels.stages, self.program.equations.u.numel()
        u = np.broadcast_to(self._u[g], (len(plan.t), *self._u[g].shape)).copy()
        for row, signal in signals.items():
            for i, stage in enumerate(stages):
                t = plan.t + stage * plan.h
                values = signal.left(t) if stage == 1.0 else signal(t)
                u[:, i * n + row, :] = values[:, None]
        return u, u[0].size

    def _execute(
        self,
        pool: ThreadPoolExecutor,
        plan: Plan,
        signals: Mapping[int, Any],
        columns: Sequence[int],
        tables: list[np.ndarray],
        times: list[np.ndarray],
    ) -> np.ndarray:
        rows = int(np.count_nonzero(plan.flags & RECORD))
        table = np.full((rows, len(columns), self.groups * self.width), np.nan)

        def group(g: int) -> np.ndarray:
            return self._group(g, plan, signals, columns, table)

        counts = sum(pool.map(group, range(self.groups)), np.zeros(len(INFO), dtype=np.int64))
        tables.append(table[:, :, : self.size])
        times.append(plan.t[np.flatnonzero(plan.flags & RECORD)])
        return counts

    def _group(
        self, g: int, plan: Plan, signals: Mapping[int, Any], columns: Sequence[int], table: np.ndarray
    ) -> np.ndarray:
        """One group of lanes through one plan."""
        native, kernels, W = self.program.native(self.width), self.program.kernels, self.width
        u, stride = self._inputs(plan, signals, g)
        recorded = np.full((table.shape[0], len(self.program.signals), W), np.nan)
        arguments = native.arguments(
            y=self._y[g], p=self._p[g], u=u, u_stride=stride, t=plan.t, h=plan.h, flags=plan.flags, n=len(plan.t),
            rec=recorded, max_iterations=kernels.max_iterations, max_inner=kernels.max_inner,
        )  # fmt: skip
        lanes = slice(g * W, (g + 1) * W)
        arguments.lane_status[:] = self.status[lanes]
        native.run(arguments)
        self.status[lanes] = arguments.lane_status
        if stride:
            self._u[g] = u[-1]
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

    def __len__(self) -> int:
        return self.table.shape[2]

    def __getitem__(self, i: int) -> Result:
        """One simulation as a Result."""
        e, stepper = self._program.equations, self._program.stepper
        return Result(
            self.time, self.table[:, :, i], self.signals, aliases=e.aliases, timing=self.timing,
            attrs={"machine": e.name, "stepper": stepper.name, "dt": self._dt, "lane": i},
        )  # fmt: skip
