"""Lowering: a CasADi function becomes LLVM text, at any SIMD width, in a form that compiles fast.

LLVM's time grows faster than the length of a function, and most of it goes into values that wait
for a register. So a long function is cut into pieces, each a function of its own, and a value that
is not used for a while waits in memory: on the stack, or in a scratch array if another piece uses
it. LLVM's own optimiser has nothing left to find, so it is not called.
Vectors are stored lane-fastest: element i of lane l at [i * width + l].
"""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from oleodyn.program.operation import RULES, Block, literal
from oleodyn.program.tape import Value, tape

PIECE = 500
"""Operations in one LLVM function."""

PATIENCE = 40
"""A value that is not used for so many operations waits in memory."""


@dataclass(frozen=True)
class Lowered:
    """LLVM text of one function `name(inputs..., outputs..., scratch)`, all pointers to double.

    called     functions it needs: intrinsics (llvm.sqrt), ours and the C library's (sin)
    scratch    numbers of scratch it needs, per lane
    """

    name: str
    text: str
    called: frozenset[str]
    scratch: int


def lower(f: ca.Function, width: int, name: str, piece: int = PIECE, patience: int = PATIENCE) -> Lowered:
    """The LLVM text of a CasADi function of SX."""
    steps = tape(f).steps
    plan = _plan(steps, piece, patience)
    arguments = _arguments(f)
    signature = ", ".join(f"ptr noalias {a}" for a in arguments)
    slots = _Slots()
    pieces = [
        _Piece(width, plan, slots, patience).write(steps, start, min(start + piece, len(steps)))
        for start in range(0, len(steps) or 1, piece)
    ]
    if len(pieces) == 1:
        texts = [_function(name, signature, pieces[0].lines)]
    else:
        texts = [_function(f"{name}.{k}", signature, each.lines) for k, each in enumerate(pieces)]
        passed = ", ".join(f"ptr {a}" for a in arguments)
        calls = [f'call void @"{name}.{k}"({passed})' for k in range(len(pieces))]
        texts.append(_function(name, signature, calls))
    called = frozenset().union(*(each.block.called for each in pieces))
    return Lowered(name, "\n".join(texts), called, slots.count)


def forward(f: ca.Function, to: Lowered, name: str) -> Lowered:
    """A second name for a function that has been lowered: it calls the first."""
    arguments = _arguments(f)
    call = f'call void @"{to.name}"({", ".join(f"ptr {a}" for a in arguments)})'
    text = _function(name, ", ".join(f"ptr noalias {a}" for a in arguments), [call])
    return Lowered(name, text, to.called, to.scratch)


def _arguments(f: ca.Function) -> list[str]:
    return [f"%i{k}" for k in range(f.n_in())] + [f"%o{k}" for k in range(f.n_out())] + ["%s"]


def _function(name: str, signature: str, lines: list[str]) -> str:
    body = "\n".join(lines)
    return f'define void @"{name}"({signature}) noinline nounwind {{\n{body}\nret void\n}}'


@dataclass(frozen=True)
class _Plan:
    """Where values wait: `crossing` in scratch, `waiting` on the stack; `end` is each one's last use."""

    crossing: set[int]
    waiting: set[int]
    end: dict[int, int]


def _plan(steps: list[tuple[Any, ...]], piece: int, patience: int) -> _Plan:
    crossing, waiting, touched = set(), set(), {}
    for k, (operation, operands, target) in enumerate(steps):
        for x in operands:
            if x.__class__ is int:
                before = touched[x]
                if before // piece != k // piece:
                    crossing.add(x)
                elif k - before > patience:
                    waiting.add(x)
                touched[x] = k
        if operation != ca.OP_OUTPUT:
            touched[target] = k
    return _Plan(crossing, waiting - crossing, touched)


class _Slots:
    """Numbered places for values; a place is used again once its value is dead."""

    def __init__(self):
        self.of: dict[int, int] = {}
        self.count = 0
        self._free: list[int] = []

    def take(self, value: int) -> int:
        """A place for a value."""
        if self._free:
            slot = self._free.pop()
        else:
            slot, self.count = self.count, self.count + 1
        self.of[value] = slot
        return slot

    def release(self, value: int):
        """The value is dead."""
        slot = self.of.pop(value, None)
        if slot is not None:
            self._free.append(slot)


class _Piece:
    """Writes one piece: loads, operations, stores."""

    def __init__(self, width: int, plan: _Plan, scratch: _Slots, patience: int):
        self.block = Block(width)
        self.size = 8 * width
        self.plan, self.scratch, self.stack, self.patience = plan, scratch, _Slots(), patience
        self.here: dict[Value, tuple[str, int]] = {}
        self.cosine = ""

    @property
    def lines(self) -> list[str]:
        """The finished text."""
        V = self.block.V
        return [f"%w{k} = alloca {V}, align {self.size}" for k in range(self.stack.count)] + self.block.lines

    def write(self, steps: list[tuple[Any, ...]], start: int, stop: int) -> "_Piece":
        """Write the steps from `start` to `stop`."""
        crossing, waiting, end = self.plan.crossing, self.plan.waiting, self.plan.end
        for k in range(start, stop):
            operation, operands, target = steps[k]
            names = [self._fetch(x, k) for x in operands]
            for x in operands:
                if x.__class__ is int and end[x] == k:
                    self.stack.release(x)
                    self.scratch.release(x)
            if operation == ca.OP_OUTPUT:
                self._store(names[0], f"%o{target[0]}", target[1])
                continue
            name = self._value(operation, names, operands, steps[k + 1] if k + 1 < stop else None)
            self.here[target] = name, k
            if target in crossing:
                self._store(name, "%s", self.scratch.take(target))
            elif target in waiting:
                self._store(name, f"%w{self.stack.take(target)}", 0)
        return self

    def _value(
        self, operation: int, names: list[str], operands: tuple[Any, ...], following: tuple[Any, ...] | None
    ) -> str:
        """Write one operation; the sine and cosine of one angle are made together."""
        if self.cosine:
            name, self.cosine = self.cosine, ""
            return name
        if operation == ca.OP_SIN and following and following[:2] == (ca.OP_COS, operands):
            sine, self.cosine = self.block.pair("sincos", *names)
            return sine
        return RULES[operation](self.block, *names)

    def _fetch(self, x: Value, k: int) -> str:
        """The name of an operand of step k."""
        if x.__class__ is tuple and x[0] == "constant":
            return literal(float.fromhex(x[1]), self.block.width)
        name, touched = self.here.get(x, ("", -1))
        if not name or k - touched > self.patience:
            name = self._load(x)
        self.here[x] = name, k
        return name

    def _load(self, x: Value) -> str:
        if x.__class__ is tuple:
            place = self._place(f"%i{x[1]}", x[2])
        elif x in self.scratch.of:
            place = self._place("%s", self.scratch.of[x])
        else:
            place = f"%w{self.stack.of[x]}"
        return self.block.put(f"load {self.block.V}, ptr {place}, align 8")

    def _store(self, name: str, array: str, element: int):
        self.block.lines.append(f"store {self.block.V} {name}, ptr {self._place(array, element)}, align 8")

    def _place(self, array: str, element: int) -> str:
        return self.block.put(f"getelementptr i8, ptr {array}, i64 {element * self.size}") if element else array
