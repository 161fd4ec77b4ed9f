"""Words for writing native loops: variables, loops and masks over the lanes of a vector."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

I64, I32, F64, PTR = ir.IntType(64), ir.IntType(32), ir.DoubleType(), ir.PointerType()
"""Types: integers, double, pointer."""

Here = Any
"""A value or a place in the function being written."""


class Lanes:
    """Writes one LLVM function `name(pointers...)` that works on `width` lanes at once.

    A mask is an integer with one bit for each lane. Local variables live in the entry block.
    """

    def __init__(self, name: str, n_arguments: int, width: int, result: Any = I64):
        self.W = width
        self.module = ir.Module(name)
        self.V = F64 if width == 1 else ir.VectorType(F64, width)
        self.VI = I64 if width == 1 else ir.VectorType(I64, width)
        self.MASK = ir.IntType(width)
        self.none = self.MASK(0)
        self.function = ir.Function(self.module, ir.FunctionType(result, [PTR] * n_arguments), name)
        self.entry = self.function.append_basic_block("entry")
        self.body = self.function.append_basic_block("body")
        self.b = ir.IRBuilder(self.body)

    def text(self) -> str:
        """The finished module."""
        with self.b.goto_block(self.entry):
            self.b.branch(self.body)
        return str(self.module)

    def variable(self, type_: Any, value: Here) -> Here:
        """A local variable with its first value."""
        with self.b.goto_block(self.entry):
            place = self.b.alloca(type_)
        self.b.store(value, place)
        return place

    def get(self, place: Here, type_: Any) -> Here:
        """The value of a variable, or of what a pointer points to."""
        return self.b.load(place, typ=type_)

    def at(self, base: Here, index: Here, type_: Any = F64) -> Here:
        """The address of an element."""
        return self.b.gep(base, [index if isinstance(index, ir.Value) else I64(index)], source_etype=type_)

    def element(self, base: Here, index: Here, type_: Any = F64) -> Here:
        """The value of an element."""
        return self.get(self.at(base, index, type_), type_)

    def row(self, base: Here, k: int) -> Here:
        """One number of each lane: the k-th row of an array."""
        return self.b.load(self.at(base, k * self.W), typ=self.V, align=8)

    def splat(self, value: Here) -> Here:
        """The same number in all lanes."""
        if self.W == 1:
            return value
        one = self.b.insert_element(ir.Constant(ir.VectorType(value.type, self.W), ir.Undefined), value, I32(0))
        return self.b.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, self.W), [0] * self.W))

    def whole(self, value: int) -> Here:
        """The same integer in all lanes."""
        return I64(value) if self.W == 1 else ir.Constant(self.VI, [value] * self.W)

    def mask(self, lanes: Here) -> Here:
        """A comparison of lanes as a mask."""
        return lanes if self.W == 1 else self.b.bitcast(lanes, self.MASK)

    def chosen(self, mask: Here) -> Here:
        """A mask as what `select` wants."""
        return mask if self.W == 1 else self.b.bitcast(mask, ir.VectorType(ir.IntType(1), self.W))

    def some(self, mask: Here) -> Here:
        """True if the mask has a lane."""
        return self.b.icmp_unsigned("!=", mask, self.none)

    def all(self, mask: Here) -> Here:
        """True if the mask has every lane."""
        return self.b.icmp_unsigned("==", mask, self.MASK(-1))

    def count(self, mask: Here) -> Here:
        """Number of lanes in a mask."""
        return self.b.zext(mask if self.W == 1 else self.b.ctpop(mask), I64)

    def without(self, mask: Here, other: Here) -> Here:
        """Lanes of a mask that are not in another."""
        return self.b.and_(mask, self.b.not_(other))

    def increase(self, place: Here, amount: Here) -> None:
        """Add to a counter."""
        self.b.store(self.b.add(self.get(place, I64), amount), place)

    def raise_to(self, place: Here, value: Here) -> None:
        """Keep the larger of a counter and a value."""
        old = self.get(place, I64)
        self.b.store(self.b.select(self.b.icmp_signed(">", value, old), value, old), place)

    def same(self, a: Here, b: Here) -> Here:
        """True if two pointers are equal."""
        return self.b.icmp_unsigned("==", self.b.ptrtoint(a, I64), self.b.ptrtoint(b, I64))

    @contextmanager
    def loop(self, n: Here) -> Generator[tuple[Here, Here]]:
        """Repeat for i in range(n): gives i and the block after the loop, to leave early."""
        b = self.b
        i = self.variable(I64, I64(0))
        head, body, end = (b.append_basic_block(name) for name in ("head", "body", "end"))
        b.branch(head)
        b.position_at_end(head)
        now = self.get(i, I64)
        b.cbranch(b.icmp_signed("<", now, n if isinstance(n, ir.Value) else I64(n)), body, end)
        b.position_at_end(body)
        yield now, end
        b.store(b.add(now, I64(1)), i)
        b.branch(head)
        b.position_at_end(end)

    def copy(self, source: Here, target: Here, n: int) -> None:
        """Copy n doubles."""
        with self.loop(n) as (k, _):
            self.b.store(self.element(source, k), self.at(target, k))

    def blend(self, mask: Here, new: Here, old: Here, rows: int) -> None:
        """Put the old rows back into `new` where a lane is not in the mask."""
        with self.loop(rows) as (k, _):
            at = self.b.mul(k, I64(self.W))
            fresh, kept = (self.b.load(self.at(x, at), typ=self.V, align=8) for x in (new, old))
            self.b.store(self.b.select(self.chosen(mask), fresh, kept), self.at(new, at), align=8)
