"""The native loop: advances one machine, or `width` of them side by side, through a plan.

`run(args)` is machine code. It allocates nothing, keeps all state in its arguments, and works
through `n` plan entries. An entry is: fire samplers and restarts, record, step, check, commit.

    args (i64 each)  what it points to, or is
     0 y             double[n_y·W] in/out; after a failure the state at the start of the failed entry
     1 p             double[n_p·W]
     2 u             inputs: step i, stage s, input j, lane l at u[i·u_stride + (s·n_u + j)·W + l]
     3 u_stride      doubles per entry; 0: the same inputs in every entry
     4 t, 5 h        double[n]: start and size of each step
     6 flags         i64[n], see JUMP, SAMPLE, RECORD, NO_STEP
     7 n             number of entries
     8 rec           double[rows·n_out·W]
     9 info          i64[16] out, see INFO
    10 lane_status   i64[W] in/out: 0 alive, else why it failed; a frozen lane keeps its y bit for bit
    11 settings      double[8]: iterations, inner iterations, accept factor, limit of `bad`
    12 scratch       double[`scratch_size`]
    13 lane_step     i64[W] out: the entry in which the lane failed
    14 stop          i32: set by another thread, ends the run after the entry under way
    returns          entries completed

Three state buffers take turns, so a step costs no copy: the last good state, the present one, the
next one. Lanes are frozen by selection. The first failed entry ends a run of width 1; a wider run
goes on while a lane lives.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from oleodyn.program import newton
from oleodyn.program.failure import BAD_PIVOT, GUARD, NON_FINITE, OK
from oleodyn.program.failure import NEWTON as NEWTON
from oleodyn.program.lanes import F64, I32, I64, PTR, Here, Lanes

JUMP, SAMPLE, RECORD, NO_STEP = 1, 2, 1 << 32, 1 << 33
"""Bits of `flags`: inputs jumped (restart_0); SAMPLE << j: sampler j fires; record; do not step."""

EVENTS = RECORD - 1

INFO = (
    "entries", "rows", "status", "iterations", "max_iterations", "accepted", "inner_iterations", "max_inner",
    "frozen",
)  # fmt: skip
"""What info[k] holds after a run: counters are summed over lanes; status is that of the first failure."""

ARGS = (
    "y", "p", "u", "u_stride", "t", "h", "flags", "n", "rec", "info", "lane_status", "settings", "scratch",
    "lane_step", "stop",
)  # fmt: skip

BAD_LIMIT = 1e-6
"""Relative residual of the linear solve above which a step fails."""

EXPONENT = 0x7FF0000000000000
CHAINS = 4
"""Maxima that the check of finite numbers forms side by side, so that they do not wait for each other."""


@dataclass(frozen=True)
class Sizes:
    """Numbers per lane: state, Newton workspace, a recorded row, scratch of the kernels."""

    y: int
    w: int = 0
    out: int = 0
    scratch: int = 0

    def total_scratch(self, width: int) -> int:
        """Doubles that `run` needs as scratch."""
        rows = [2, 2, 2, self.w, self.w, self.y, self.y, self.y, self.scratch]
        return sum(_room(n, width) for n in rows) + 8


def _check(width: int) -> int:
    """Lanes that the check of finite numbers takes at a time."""
    return 8 if width == 1 else width


def _room(rows: int, width: int) -> int:
    """Doubles for rows of lanes, rounded up to whole turns of that check, thus to whole cache lines."""
    turn = CHAINS * _check(width)
    return -(-rows * width // turn) * turn


def driver(kernels: Mapping[str, int], sizes: Sizes, width: int) -> str:
    """LLVM text of `run` for these kernels (name → number of pointer arguments)."""
    run = Run(kernels, sizes, width)
    run.write()
    return run.text()


class Run(Lanes):
    """Writes `run`."""

    def __init__(self, kernels: Mapping[str, int], sizes: Sizes, width: int):
        super().__init__("run", 1, width)
        self.sizes, self.check = sizes, _check(width)
        self.kernels = {
            name: ir.Function(self.module, ir.FunctionType(ir.VoidType(), [PTR] * n), name)
            for name, n in kernels.items()
        }
        self.samplers = sorted(int(name.removeprefix("sample_")) for name in kernels if name.startswith("sample_"))

    def write(self) -> None:
        """The whole function."""
        b = self.b
        self._arguments()
        self._buffers()
        self._variables()
        with self.loop(self.a["n"]) as (k, end):
            with b.if_then(b.not_(self.some(self.alive())), likely=False):
                b.branch(end)
            self._entry(k, end)
            b.store(b.add(k, I64(1)), self.counters["entries"])
            stop = b.load_atomic(self.a["stop"], "monotonic", 4, typ=I32)
            with b.if_then(b.icmp_unsigned("!=", stop, I32(0)), likely=False):
                b.branch(end)
        self._finish()

    def room(self, rows: int) -> int:
        """Doubles set aside for rows of lanes."""
        return _room(rows, self.W)

    # ------------------------------------------------------------------ before the loop

    def _arguments(self) -> None:
        args = self.function.args[0]
        self.a = {name: self.element(args, k, I64 if name in ("u_stride", "n") else PTR) for k, name in enumerate(ARGS)}
        self.settings = [self.element(self.a["settings"], k) for k in range(4)]

    def _buffers(self) -> None:
        """Cut the scratch into vectors that start on cache lines."""
        b, s = self.b, self.sizes
        start = b.inttoptr(b.and_(b.add(b.ptrtoint(self.a["scratch"], I64), I64(63)), I64(-64)), PTR)
        taken = 0

        def take(rows: int) -> Here:
            nonlocal taken
            here, taken = self.at(start, taken), taken + self.room(rows)
            return here

        self.c, self.norm, self.health = take(2), take(2), take(2)
        self.w, self.w_next = (self.variable(PTR, take(s.w)) for _ in range(2))
        states = [take(s.y) for _ in range(3)]
        self.good, self.next, self.third = (self.variable(PTR, state) for state in states)
        self.now = self.variable(PTR, states[0])
        self.kernel_scratch = take(s.scratch)
        for state in states:  # the tail takes part in the check of finite numbers
            for k in range(s.y * self.W, self.room(s.y)):
                b.store(F64(0.0), self.at(state, k))
        self.copy(self.a["y"], states[0], s.y * self.W)

    def _variables(self) -> None:
        self.counters = {name: self.variable(I64, I64(0)) for name in INFO}
        status = self.b.load(self.a["lane_status"], typ=self.VI, align=8)
        self.lane_status = self.variable(self.VI, status)
        self.failed = self.variable(self.VI, self.whole(OK))
        """Why lanes fail in the present entry."""

    # ------------------------------------------------------------------ one entry

    def _entry(self, k: Here, end: Here) -> None:
        b, a = self.b, self.a
        flags = self.element(a["flags"], k, I64)
        for j, name in enumerate(("t", "h")):
            b.store(self.splat(self.element(a[name], k)), self.at(self.c, j * self.W), align=8)
        self.u = self.at(a["u"], b.mul(k, a["u_stride"]))
        b.store(self.whole(OK), self.failed)
        self._events(flags)
        self._record(flags)
        with b.if_then(b.not_(self._has(flags, NO_STEP)), likely=True):
            self._step()
        fresh = b.and_(self.alive(), self.failing())
        with b.if_then(self.some(fresh), likely=False):
            self._freeze(k, fresh)
        if self.W > 1:
            with b.if_then(b.not_(self.all(self.alive())), likely=False):
                self.blend(self.alive(), self.get(self.now, PTR), self.get(self.good, PTR), self.sizes.y)
        with b.if_then(b.not_(self.some(self.alive())), likely=False):
            b.branch(end)
        self._commit()

    def _has(self, flags: Here, bits: int) -> Here:
        return self.b.icmp_unsigned("!=", self.b.and_(flags, I64(bits)), I64(0))

    def call(self, name: str, *extra: Here) -> None:
        """Call a kernel on the present state."""
        given = [self.get(self.now, PTR), self.a["p"], self.u, self.c, *extra, self.kernel_scratch]
        self.b.call(self.kernels[name], given)

    def advance(self, name: str, before: tuple[Any, ...] = (), after: tuple[Any, ...] = ()) -> None:
        """Call a kernel whose first output is the next state, and make that the present one."""
        now, following, third, good = (self.get(v, PTR) for v in (self.now, self.next, self.third, self.good))
        self.call(name, *before, following, *after)
        self.b.store(following, self.now)
        self.b.store(self.b.select(self.same(now, good), third, now), self.next)

    def _events(self, flags: Here) -> None:
        b = self.b
        with b.if_then(self._has(flags, EVENTS), likely=False):
            for j in self.samplers:
                with b.if_then(self._has(flags, SAMPLE << j), likely=False):
                    self.advance(f"sample_{j}")
                    if f"restart_{1 + j}" in self.kernels:
                        self.advance(f"restart_{1 + j}")
            if "restart_0" in self.kernels:
                with b.if_then(self._has(flags, JUMP), likely=False):
                    self.advance("restart_0")
            self.fail(self._non_finite(), NON_FINITE)

    def _record(self, flags: Here) -> None:
        if "observe" in self.kernels:
            with self.b.if_then(self._has(flags, RECORD), likely=False):
                rows = self.counters["rows"]
                place = self.b.mul(self.get(rows, I64), I64(self.sizes.out * self.W))
                self.call("observe", self.at(self.a["rec"], place))
                self.increase(rows, I64(1))

    def _step(self) -> None:
        b = self.b
        if "step" in self.kernels:
            self.advance("step", after=(self.health,))
        else:
            newton.solve(self)
            self.advance("finish", before=(self.get(self.w, PTR),), after=(self.health,))
        bad, guard = self.row(self.health, 0), self.row(self.health, 1)
        self.fail(self.mask(b.fcmp_ordered("<=", guard, self.splat(F64(0.0)))), GUARD)
        self.fail(self.mask(b.fcmp_ordered(">", bad, self.splat(self.settings[3]))), BAD_PIVOT)
        self.fail(self._non_finite(), NON_FINITE)
        self.fail(self.mask(b.fcmp_unordered("uno", guard, guard)), GUARD)
        self.fail(self.mask(b.fcmp_unordered("uno", bad, bad)), BAD_PIVOT)

    def alive(self) -> Here:
        """Lanes that are not frozen."""
        return self.mask(self.b.icmp_signed("==", self.get(self.lane_status, self.VI), self.whole(OK)))

    def failing(self) -> Here:
        """Lanes that failed in the present entry."""
        return self.mask(self.b.icmp_signed("!=", self.get(self.failed, self.VI), self.whole(OK)))

    def fail(self, mask: Here, why: int) -> None:
        """Give a reason to lanes that have none yet."""
        fresh = self.chosen(self.without(mask, self.failing()))
        self.b.store(self.b.select(fresh, self.whole(why), self.get(self.failed, self.VI)), self.failed)

    def _non_finite(self) -> Here:
        """Lanes whose present state holds an infinity or a NaN: four running maxima of exponents."""
        b, state, lanes = self.b, self.get(self.now, PTR), self.check
        words = ir.VectorType(I64, lanes)
        exponent, zero = ir.Constant(words, [EXPONENT] * lanes), ir.Constant(words, [0] * lanes)
        worst = [self.variable(words, zero) for _ in range(CHAINS)]

        def larger(x: Here, y: Here) -> Here:
            return b.select(b.icmp_unsigned(">", x, y), x, y)

        with self.loop(self.room(self.sizes.y) // (CHAINS * lanes)) as (k, _):
            place = self.at(state, b.mul(k, I64(CHAINS * lanes)))
            for j, chain in enumerate(worst):
                part = b.load(self.at(place, j * lanes), typ=words, align=8 * min(lanes, 8))
                b.store(larger(b.and_(part, exponent), self.get(chain, words)), chain)
        largest = functools.reduce(larger, (self.get(chain, words) for chain in worst))
        mask = b.bitcast(b.icmp_unsigned("==", largest, exponent), ir.IntType(lanes))
        return b.icmp_unsigned("!=", mask, ir.IntType(8)(0)) if self.W == 1 else mask

    # ------------------------------------------------------------------ after a step

    def _freeze(self, k: Here, fresh: Here) -> None:
        """Freeze the lanes that failed in entry k."""
        b = self.b
        status = b.select(self.chosen(fresh), self.get(self.failed, self.VI), self.get(self.lane_status, self.VI))
        b.store(status, self.lane_status)
        first = self.counters["status"]
        for lane in range(self.W):
            new = fresh if self.W == 1 else b.trunc(b.lshr(fresh, self.MASK(lane)), ir.IntType(1))
            why = status if self.W == 1 else b.extract_element(status, I32(lane))
            with b.if_then(new):
                b.store(k, self.at(self.a["lane_step"], lane, I64))
                old = self.get(first, I64)
                b.store(b.select(b.icmp_signed("==", old, I64(OK)), why, old), first)

    def _commit(self) -> None:
        """The present state is the last good one; its former place is free."""
        b = self.b
        now, good, third = (self.get(v, PTR) for v in (self.now, self.good, self.third))
        b.store(now, self.good)
        b.store(b.select(self.same(now, good), third, good), self.third)

    def _finish(self) -> None:
        b, a = self.b, self.a
        self.copy(self.get(self.good, PTR), a["y"], self.sizes.y * self.W)
        b.store(self.get(self.lane_status, self.VI), a["lane_status"], align=8)
        b.store(b.sub(I64(self.W), self.count(self.alive())), self.counters["frozen"])
        for k, place in enumerate(self.counters.values()):
            b.store(self.get(place, I64), self.at(a["info"], k, I64))
        b.ret(self.get(self.counters["entries"], I64))
