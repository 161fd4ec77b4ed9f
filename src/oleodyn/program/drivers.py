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

from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from llvmlite import ir

JUMP, SAMPLE, RECORD, NO_STEP = 1, 2, 1 << 32, 1 << 33
"""Bits of `flags`: inputs jumped (restart_0); SAMPLE << j: sampler j fires; record; do not step."""

OK, NON_FINITE, BAD_PIVOT, GUARD, NEWTON = range(5)
"""Why a lane is frozen."""

INFO = (
    "entries", "rows", "status", "iterations", "max_iterations", "accepted", "inner_iterations", "max_inner",
    "frozen",
)  # fmt: skip
"""What info[k] holds after a run: counters are summed over lanes; status is that of the first failure."""

ARGS = (
    "y", "p", "u", "u_stride", "t", "h", "flags", "n", "rec", "info", "lane_status", "settings", "scratch",
    "lane_step", "stop",
)  # fmt: skip

I64, I32, F64, PTR = ir.IntType(64), ir.IntType(32), ir.DoubleType(), ir.PointerType()
BAD_LIMIT = 1e-6
"""Relative residual of the linear solve above which a step fails."""

EXPONENT = 0x7FF0000000000000


@dataclass(frozen=True)
class Sizes:
    """Numbers per lane: state, Newton workspace, a recorded row, scratch of the kernels."""

    y: int
    w: int = 0
    out: int = 0
    scratch: int = 0

    def total_scratch(self, width: int) -> int:
        """Doubles that `run` needs as scratch."""
        parts = [2, 2, 2, self.w, self.w, self.y, self.y, self.y, self.scratch]
        return sum(_padded(n * width) for n in parts) + 8


def _padded(n: int) -> int:
    return (n + 7) // 8 * 8


def driver(kernels: Mapping[str, int], sizes: Sizes, width: int) -> str:
    """LLVM text of `run` for these kernels (name → number of pointer arguments)."""
    return _Driver(kernels, sizes, width).text()


class _Driver:
    def __init__(self, kernels: Mapping[str, int], sizes: Sizes, width: int):
        self.kernels, self.sizes, self.W = kernels, sizes, width
        self.module = ir.Module("run")
        self.V = F64 if width == 1 else ir.VectorType(F64, width)
        self.VI = I64 if width == 1 else ir.VectorType(I64, width)
        self.MASK = ir.IntType(width)
        self.functions = {
            name: ir.Function(self.module, ir.FunctionType(ir.VoidType(), [PTR] * n), name)
            for name, n in kernels.items()
        }
        self.samplers = sorted(int(name.removeprefix("sample_")) for name in kernels if name.startswith("sample_"))
        run = ir.Function(self.module, ir.FunctionType(I64, [PTR]), "run")
        self.entry = run.append_basic_block("entry")
        self.b = ir.IRBuilder(self.entry)
        self.body = run.append_basic_block("body")
        self.b.position_at_end(self.body)
        self._args(run.args[0])
        self._buffers()
        self._loop()
        self.b.position_at_end(self.entry)
        self.b.branch(self.body)

    def text(self) -> str:
        """The module."""
        return str(self.module)

    # ------------------------------------------------------------------ small words

    def variable(self, type_, value):
        """A local variable with its first value."""
        with self.b.goto_block(self.entry):
            place = self.b.alloca(type_)
        self.b.store(value, place)
        return place

    def get(self, place, type_):
        """The value of a variable, or of what a pointer points to."""
        return self.b.load(place, typ=type_)

    def at(self, base, index, type_=F64):
        """The address of element `index`."""
        return self.b.gep(base, [index], source_etype=type_)

    def splat(self, value):
        """The same number in all lanes."""
        if self.W == 1:
            return value
        zero = ir.Constant(value.type, None)
        vector = ir.VectorType(value.type, self.W)
        one = self.b.insert_element(ir.Constant(vector, ir.Undefined), value, I32(0))
        del zero
        return self.b.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, self.W), [0] * self.W))

    def load_lanes(self, place, type_=None):
        """One number of each lane."""
        return self.b.load(place, typ=type_ or self.V, align=8)

    def bits(self, lanes):
        """A comparison of lanes as an integer mask."""
        return lanes if self.W == 1 else self.b.bitcast(lanes, self.MASK)

    def lanes(self, mask):
        """The reverse of `bits`."""
        return mask if self.W == 1 else self.b.bitcast(mask, ir.VectorType(ir.IntType(1), self.W))

    def some(self, mask):
        """True if the mask has a lane."""
        return self.b.icmp_unsigned("!=", mask, self.MASK(0))

    def count(self, mask):
        """Number of lanes in a mask."""
        return self.b.zext(mask, I64) if self.W == 1 else self.b.zext(self.b.ctpop(mask), I64)

    def add(self, place, amount):
        """Increase a counter."""
        self.b.store(self.b.add(self.get(place, I64), amount), place)

    @contextmanager
    def loop(self, n):
        """Repeat for i in range(n), n > 0 or not."""
        b = self.b
        i = self.variable(I64, I64(0))
        head, body, end = (b.append_basic_block(x) for x in ("head", "body", "end"))
        b.branch(head)
        b.position_at_end(head)
        now = self.get(i, I64)
        b.cbranch(b.icmp_signed("<", now, n), body, end)
        b.position_at_end(body)
        yield now, end
        if not b.block.is_terminated:
            b.store(b.add(now, I64(1)), i)
            b.branch(head)
        b.position_at_end(end)

    # ------------------------------------------------------------------ the parts of a run

    def _args(self, args):
        pointers = {"u_stride": I64, "n": I64}
        self.a = {name: self.get(self.at(args, I64(k), I64), pointers.get(name, PTR)) for k, name in enumerate(ARGS)}
        self.setting = [self.get(self.at(self.a["settings"], I64(k)), F64) for k in range(4)]

    def _buffers(self):
        b, W = self.b, self.W
        place = b.ptrtoint(self.a["scratch"], I64)
        place = b.inttoptr(b.and_(b.add(place, I64(63)), I64(-64)), PTR)
        taken = 0

        def take(n):
            nonlocal taken
            here, taken = self.at(place, I64(taken)), taken + _padded(n * W)
            return here

        s = self.sizes
        self.c, self.norm, self.health = take(2), take(2), take(2)
        w_here, w_next = take(s.w), take(s.w)
        states = [take(s.y) for _ in range(3)]
        self.scratch = take(s.scratch)
        self.w, self.w_next = self.variable(PTR, w_here), self.variable(PTR, w_next)
        self.good, self.next, self.third = (self.variable(PTR, state) for state in states)
        self.now = self.variable(PTR, states[0])
        for state in states:  # the tail of the last vector takes part in the check of finite numbers
            for k in range(s.y * W, _padded(s.y * W)):
                b.store(F64(0.0), self.at(state, I64(k)))
        self._copy(self.a["y"], states[0], s.y * W)
        self.rows = self.variable(I64, I64(0))
        self.iterations, self.most = self.variable(I64, I64(0)), self.variable(I64, I64(0))
        self.inner_iterations, self.most_inner = self.variable(I64, I64(0)), self.variable(I64, I64(0))
        self.accepted, self.status = self.variable(I64, I64(0)), self.variable(I64, I64(0))
        self.lane_status = self.variable(self.VI, self.load_lanes(self.a["lane_status"], self.VI))
        self.done = self.variable(I64, I64(0))

    def _copy(self, source, target, n):
        with self.loop(I64(n)) as (k, _):
            self.b.store(self.get(self.at(source, k), F64), self.at(target, k))

    def _loop(self):
        b, a = self.b, self.a
        with self.loop(a["n"]) as (k, end):
            alive = self._alive()
            with b.if_then(b.not_(self.some(alive)), likely=False):
                b.branch(end)
            flags = self.get(self.at(a["flags"], k, I64), I64)
            for j, name in enumerate(("t", "h")):
                value = self.splat(self.get(self.at(a[name], k), F64))
                b.store(value, self.at(self.c, I64(j * self.W)), align=8)
            self.u = self.at(a["u"], b.mul(k, a["u_stride"]))
            failed = self.variable(self.VI, ir.Constant(self.VI, None))
            self._events(flags, failed)
            self._record(flags)
            with b.if_then(b.icmp_unsigned("==", b.and_(flags, I64(NO_STEP)), I64(0)), likely=True):
                self._step(alive, failed)
            self._settle(k, alive, failed, end)
            self._commit()
            b.store(b.add(k, I64(1)), self.done)
            stop = b.load_atomic(a["stop"], "monotonic", 4, typ=I32)
            with b.if_then(b.icmp_unsigned("!=", stop, I32(0)), likely=False):
                b.branch(end)
        self._finish()

    def _alive(self):
        zero = ir.Constant(self.VI, None)
        return self.bits(self.b.icmp_signed("==", self.get(self.lane_status, self.VI), zero))

    def _call(self, name, *extra):
        args = [self.get(self.now, PTR), self.a["p"], self.u, self.c, *extra, self.scratch]
        self.b.call(self.functions[name], args)

    def _advance(self, name, *extra):
        """Call a kernel whose first output is the next state, and make that the present one."""
        b = self.b
        now, following, third, good = (self.get(v, PTR) for v in (self.now, self.next, self.third, self.good))
        self.b.call(
            self.functions[name],
            [now, self.a["p"], self.u, self.c, *extra[:-1], following, *extra[-1:], self.scratch]
            if extra
            else [now, self.a["p"], self.u, self.c, following, self.scratch],
        )
        from_good = b.icmp_unsigned("==", b.ptrtoint(now, I64), b.ptrtoint(good, I64))
        b.store(following, self.now)
        b.store(b.select(from_good, third, now), self.next)

    def _events(self, flags, failed):
        b = self.b
        with b.if_then(self.some_bits(flags, 0xFFFFFFFF), likely=False):
            for j in self.samplers:
                with b.if_then(self.some_bits(flags, SAMPLE << j), likely=False):
                    self._advance(f"sample_{j}")
                    if f"restart_{1 + j}" in self.functions:
                        self._advance(f"restart_{1 + j}")
            if "restart_0" in self.functions:
                with b.if_then(self.some_bits(flags, JUMP), likely=False):
                    self._advance("restart_0")
            self._fail(failed, self._non_finite(self.get(self.now, PTR)), NON_FINITE)

    def some_bits(self, flags, which):
        """True if any of these bits is set."""
        return self.b.icmp_unsigned("!=", self.b.and_(flags, I64(which)), I64(0))

    def _record(self, flags):
        if "observe" not in self.functions:
            return
        with self.b.if_then(self.some_bits(flags, RECORD), likely=False):
            row = self.b.mul(self.get(self.rows, I64), I64(self.sizes.out * self.W))
            self._call("observe", self.at(self.a["rec"], row))
            self.add(self.rows, I64(1))

    def _step(self, alive, failed):
        if "step" in self.functions:
            self._advance("step", self.health)
        else:
            self._newton(alive, failed)
            self._advance("finish", self.get(self.w, PTR), self.health)
        bad, guard = (self.load_lanes(self.at(self.health, I64(k * self.W))) for k in range(2))
        zero = ir.Constant(self.V, None) if self.W > 1 else F64(0.0)
        self._fail(failed, self.bits(self.b.fcmp_ordered("<=", guard, zero)), GUARD)
        self._fail(failed, self.bits(self.b.fcmp_ordered(">", bad, self.splat(self.setting[3]))), BAD_PIVOT)
        self._fail(failed, self._non_finite(self.get(self.now, PTR)), NON_FINITE)
        self._fail(failed, self.bits(self.b.fcmp_unordered("uno", guard, guard)), GUARD)
        self._fail(failed, self.bits(self.b.fcmp_unordered("uno", bad, bad)), BAD_PIVOT)

    def _fail(self, failed, mask, why):
        """Give a reason to lanes that have none yet."""
        b = self.b
        old = self.get(failed, self.VI)
        reason = I64(why) if self.W == 1 else ir.Constant(self.VI, [why] * self.W)
        fresh = b.and_(self.lanes(mask), b.icmp_signed("==", old, ir.Constant(self.VI, None)))
        b.store(b.select(fresh, reason, old), failed)

    def _non_finite(self, state):
        """Mask of lanes that hold an infinity or a NaN."""
        b, n = self.b, _padded(self.sizes.y * self.W)
        lanes = 8 if self.W == 1 else self.W
        VI = ir.VectorType(I64, lanes)
        exponent = ir.Constant(VI, [EXPONENT] * lanes)
        worst = ir.Constant(VI, [0] * lanes)
        for k in range(0, n, lanes):
            part = b.and_(b.load(self.at(state, I64(k)), typ=VI, align=64 if lanes == 8 else 16), exponent)
            worst = b.select(b.icmp_unsigned(">", part, worst), part, worst)
        mask = b.bitcast(b.icmp_unsigned("==", worst, exponent), ir.IntType(lanes))
        return b.icmp_unsigned("!=", mask, ir.IntType(8)(0)) if self.W == 1 else mask

    # ------------------------------------------------------------------ Newton

    def _newton(self, alive, failed):
        b = self.b
        self._call("predict", self.get(self.w, PTR))
        active = self.variable(self.MASK, b.and_(alive, b.not_(self._failed(failed))))
        turns = self.variable(I64, I64(0))
        self._inner(active, failed)
        self._clear(active, failed)
        head, end = b.append_basic_block("iterate"), b.append_basic_block("converged")
        b.cbranch(self.some(self.get(active, self.MASK)), head, end)
        b.position_at_end(head)
        self.add(self.iterations, self.count(self.get(active, self.MASK)))
        self.add(turns, I64(1))
        size, bad = self._refine("iterate", self.get(active, self.MASK))
        self._judge(active, failed, size, bad)
        self._inner(active, failed)
        self._clear(active, failed)
        last = b.icmp_signed(">=", self.get(turns, I64), b.fptosi(self.setting[0], I64))
        going = self._going(active, failed, size, last)
        b.store(going, active)
        b.cbranch(self.some(going), head, end)
        b.position_at_end(end)
        self._largest(self.most, self.get(turns, I64))

    def _inner(self, active, failed):
        """The nested iteration, for the active lanes."""
        if "inner" not in self.functions:
            return
        b = self.b
        turning = self.variable(self.MASK, self.get(active, self.MASK))
        turns = self.variable(I64, I64(0))
        head, end = b.append_basic_block("inner"), b.append_basic_block("inner_end")
        b.cbranch(self.some(self.get(turning, self.MASK)), head, end)
        b.position_at_end(head)
        self.add(self.inner_iterations, self.count(self.get(turning, self.MASK)))
        self.add(turns, I64(1))
        size, bad = self._refine("inner", self.get(turning, self.MASK))
        self._judge(turning, failed, size, bad)
        self._clear(turning, failed)
        last = b.icmp_signed(">=", self.get(turns, I64), b.fptosi(self.setting[1], I64))
        going = self._going(turning, failed, size, last)
        b.store(going, turning)
        b.cbranch(self.some(going), head, end)
        b.position_at_end(end)
        self._largest(self.most_inner, self.get(turns, I64))

    def _refine(self, name, active):
        """One iteration; lanes that are not active keep their workspace."""
        b, W = self.b, self.W
        old, new = self.get(self.w, PTR), self.get(self.w_next, PTR)
        self._call(name, old, new, self.norm)
        if W > 1:
            with b.if_then(b.icmp_unsigned("!=", active, self.MASK(-1)), likely=False):
                self._blend(self.lanes(active), new, old, new, self.sizes.w)
        b.store(new, self.w)
        b.store(old, self.w_next)
        return [self.load_lanes(self.at(self.norm, I64(k * W))) for k in range(2)]

    def _judge(self, active, failed, size, bad):
        """Fail the active lanes whose iteration went wrong."""
        b, mask = self.b, self.get(active, self.MASK)
        wrong = b.fcmp_unordered("ugt", bad, self.splat(self.setting[3]))
        infinite = b.fcmp_unordered("uge", size, self.splat(F64(float("inf"))))
        self._fail(failed, b.and_(mask, self.bits(infinite)), NON_FINITE)
        self._fail(failed, b.and_(mask, self.bits(wrong)), BAD_PIVOT)

    def _going(self, active, failed, size, last):
        """Lanes to iterate again; at the cap they are accepted or fail."""
        b = self.b
        open_ = b.and_(self.get(active, self.MASK), self.bits(b.fcmp_unordered("uge", size, self.splat(F64(1.0)))))
        with b.if_then(b.and_(last, self.some(open_)), likely=False):
            near = b.and_(open_, self.bits(b.fcmp_ordered("<", size, self.splat(self.setting[2]))))
            self.add(self.accepted, self.count(near))
            self._fail(failed, b.and_(open_, b.not_(near)), NEWTON)
        return b.select(last, self.MASK(0), open_)

    def _failed(self, failed):
        zero = ir.Constant(self.VI, None)
        return self.bits(self.b.icmp_signed("!=", self.get(failed, self.VI), zero))

    def _clear(self, active, failed):
        b = self.b
        b.store(b.and_(self.get(active, self.MASK), b.not_(self._failed(failed))), active)

    def _largest(self, place, value):
        b, old = self.b, self.get(place, I64)
        b.store(b.select(b.icmp_signed(">", value, old), value, old), place)

    # ------------------------------------------------------------------ after a step

    def _blend(self, lanes, a, b_, target, n):
        b = self.b
        with self.loop(I64(n)) as (k, _):
            offset = b.mul(k, I64(self.W))
            new, old = (self.load_lanes(self.at(x, offset)) for x in (a, b_))
            b.store(b.select(lanes, new, old), self.at(target, offset), align=8)

    def _settle(self, k, alive, failed, end):
        """Freeze the lanes that failed in entry k; stop if none is left."""
        b = self.b
        fresh = b.and_(alive, self._failed(failed))
        with b.if_then(self.some(fresh), likely=False):
            status = self.get(self.lane_status, self.VI)
            status = b.select(self.lanes(fresh), self.get(failed, self.VI), status)
            b.store(status, self.lane_status)
            for lane in range(self.W):
                new = fresh if self.W == 1 else b.trunc(b.lshr(fresh, self.MASK(lane)), ir.IntType(1))
                why = status if self.W == 1 else b.extract_element(status, I32(lane))
                with b.if_then(new):
                    b.store(k, self.at(self.a["lane_step"], I64(lane), I64))
                    old = self.get(self.status, I64)
                    b.store(b.select(b.icmp_signed("==", old, I64(0)), why, old), self.status)
            with b.if_then(b.not_(self.some(self._alive()))):
                if self.W == 1:
                    b.store(self.get(self.good, PTR), self.now)
                else:
                    self._keep_frozen()
                    self._commit()
                b.branch(end)
        if self.W > 1:
            with b.if_then(b.icmp_unsigned("!=", self._alive(), self.MASK(-1)), likely=False):
                self._keep_frozen()

    def _keep_frozen(self):
        now, good = self.get(self.now, PTR), self.get(self.good, PTR)
        self._blend(self.lanes(self._alive()), now, good, now, self.sizes.y)

    def _commit(self):
        """The present state is the last good one."""
        b = self.b
        now, good, third, following = (self.get(v, PTR) for v in (self.now, self.good, self.third, self.next))
        moved = b.icmp_unsigned("!=", b.ptrtoint(now, I64), b.ptrtoint(good, I64))
        b.store(now, self.good)
        b.store(b.select(moved, good, third), self.third)
        b.store(following, self.next)

    def _finish(self):
        b, a = self.b, self.a
        self._copy(self.get(self.good, PTR), a["y"], self.sizes.y * self.W)
        b.store(self.get(self.lane_status, self.VI), a["lane_status"], align=8)
        counters = (
            self.done, self.rows, self.status, self.iterations, self.most, self.accepted, self.inner_iterations,
            self.most_inner,
        )  # fmt: skip
        for k, place in enumerate(counters):
            b.store(self.get(place, I64), self.at(a["info"], I64(k), I64))
        frozen = b.sub(I64(self.W), self.count(self._alive()))
        b.store(frozen, self.at(a["info"], I64(len(counters)), I64))
        b.ret(self.get(self.done, I64))
