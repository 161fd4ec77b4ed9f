"""Lowering: a CasADi function becomes LLVM text, at any SIMD width, in pieces that compile fast.

Compile time grows faster than the length of a function, so a long one is cut into chunks, each a
function of its own; values that cross from one chunk to a later one pass through a scratch array.
Vectors are stored lane-fastest: element i of lane l at [i * width + l].
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import casadi as ca
from casadi import _casadi

from oleodyn.errors import CompileError
from oleodyn.program.operation import FMA, FMS, FNMA, INTRINSICS, RULES, SELECT, Block, literal, refuse, vector_type

CHUNK = 3000
"""Operations in one LLVM function: measured, see benchmarks."""

Value = int | tuple
"""The number of a computed value, ("input", argument, element) or ("constant", hexadecimal)."""


@dataclass
class Tape:
    """A function as a list of operations in the order of execution, each value set once.

    steps    (operation, operands, value set); an output is (OP_OUTPUT, (value,), (output, element))
    """

    steps: list[tuple] = field(default_factory=list)
    n_values: int = 0


def read(f: ca.Function) -> Tape:
    """The scalar operations of f."""
    identity, inputs, outputs = (
        _casadi.Function_instruction_id,
        _casadi.Function_instruction_input,
        _casadi.Function_instruction_output,
    )  # the wrappers around these cost more than the calls: 2 µs an instruction instead of 6
    rows_in = [f.sparsity_in(k).find() for k in range(f.n_in())]
    rows_out = [f.sparsity_out(k).find() for k in range(f.n_out())]
    tape, at, steps = Tape(), {}, []
    for k in range(f.n_instructions()):
        operation, source, target = identity(f, k), inputs(f, k), outputs(f, k)
        if operation == ca.OP_CONST:
            at[target[0]] = ("constant", f.instruction_constant(k).hex())
        elif operation == ca.OP_INPUT:
            at[target[0]] = ("input", source[0], rows_in[source[0]][source[1]])
        elif operation == ca.OP_OUTPUT:
            steps.append((operation, (at[source[0]],), (target[0], rows_out[target[0]][target[1]])))
        elif operation == ca.OP_ASSIGN or operation == ca.OP_LIFT:
            at[target[0]] = at[source[0]]
        elif operation in RULES:
            steps.append((operation, tuple([at[s] for s in source]), tape.n_values))
            at[target[0]] = tape.n_values
            tape.n_values += 1
        else:
            refuse(operation, f.name())
    for o, rows in enumerate(rows_out):
        for row in set(range(f.numel_out(o))).difference(rows):
            steps.append((ca.OP_OUTPUT, (("constant", "0x0p+0"),), (o, row)))
    tape.steps = steps
    return tape


def fuse(tape: Tape) -> Tape:
    """The tape with products fused into sums and with pairs of one-sided choices made one."""
    uses = [0] * tape.n_values
    made: list[tuple | None] = [None] * tape.n_values
    for operation, operands, target in tape.steps:
        for x in operands:
            if x.__class__ is int:
                uses[x] += 1
        if operation != ca.OP_OUTPUT:
            made[target] = (operation, operands)
    gone = set()

    def product(x: Value):
        """The factors of x, if x is a product that only this sum uses."""
        if x.__class__ is int and uses[x] == 1:
            operation, operands = made[x]
            if operation == ca.OP_MUL:
                return operands
            if operation == ca.OP_SQ:
                return operands * 2
        return None

    def choice(a: Value, b: Value):
        """(condition, value if true, value if false), if a + b is CasADi's form of if_else."""
        if a.__class__ is not int or b.__class__ is not int or uses[a] != 1 or uses[b] != 1:
            return None
        (op_a, in_a), (op_b, in_b) = made[a], made[b]
        if op_a != ca.OP_IF_ELSE_ZERO or op_b != ca.OP_IF_ELSE_ZERO:
            return None
        otherwise = in_b[0]
        if otherwise.__class__ is int and made[otherwise] == (ca.OP_NOT, in_a[:1]):
            return in_a[0], in_a[1], in_b[1]
        return None

    steps = []
    for step in tape.steps:
        operation, operands, target = step
        if operation == ca.OP_ADD or operation == ca.OP_SUB:
            a, b = operands
            plus = operation == ca.OP_ADD
            if plus and (chosen := choice(a, b)):
                gone.update((a, b))
                step = (SELECT, chosen, target)
            elif factors := product(b):
                gone.add(b)
                step = (FMA if plus else FNMA, (*factors, a), target)
            elif factors := product(a):
                gone.add(a)
                step = (FMA if plus else FMS, (*factors, b), target)
            made[target] = step[:2]
        steps.append(step)
    kept = [s for s in steps if s[0] == ca.OP_OUTPUT or s[2] not in gone]
    return Tape(kept, tape.n_values)


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


def lower(f: ca.Function, width: int, name: str | None = None, chunk: int = CHUNK) -> Lowered:
    """The LLVM text of a CasADi function of SX."""
    name = name or f.name()
    if not f.is_a("SXFunction"):
        raise CompileError(f"{name} is not a function of SX. Call .expand() on it first.")
    if f.has_free():
        raise CompileError(f"{name} depends on {', '.join(f.get_free())}, not among its inputs. Add them there.")
    steps = fuse(read(f)).steps
    pieces = [steps[k : k + chunk] for k in range(0, len(steps), chunk)] or [[]]
    last_use = _last_use(pieces)
    slots = _Slots(len(pieces))
    arguments = [f"%i{k}" for k in range(f.n_in())] + [f"%o{k}" for k in range(f.n_out())] + ["%s"]
    signature = ", ".join(f"ptr noalias {a}" for a in arguments)
    texts, called = [], set()
    for index, piece in enumerate(pieces):
        block = _lower_piece(piece, index, width, last_use, slots)
        called |= block.called
        title = f"{name}.{index}" if len(pieces) > 1 else name
        texts.append(
            f'define void @"{title}"({signature}) noinline nounwind {{\n{chr(10).join(block.lines)}\nret void\n}}'
        )
    if len(pieces) > 1:
        calls = "\n".join(
            f'call void @"{name}.{k}"({", ".join(f"ptr {a}" for a in arguments)})' for k in range(len(pieces))
        )
        texts.append(f'define void @"{name}"({signature}) noinline nounwind {{\n{calls}\nret void\n}}')
    return Lowered(name, "\n".join(texts), frozenset(called), slots.count)


def declarations(called: Iterable[str], width: int) -> str:
    """Declarations of the intrinsics among `called`."""
    V, suffix = vector_type(width), "f64" if width == 1 else f"v{width}f64"
    return "\n".join(
        f"declare {V} @{c}.{suffix}({', '.join([V] * INTRINSICS[c.removeprefix('llvm.')])})"
        for c in sorted(called)
        if c.startswith("llvm.")
    )


def _last_use(pieces: list[list[tuple]]) -> dict[int, int]:
    """The last piece that uses each value."""
    last = {}
    for index, piece in enumerate(pieces):
        for _, operands, _ in piece:
            for x in operands:
                if x.__class__ is int:
                    last[x] = index
    return last


class _Slots:
    """Places in the scratch array for values that cross pieces, reused once their value is dead."""

    def __init__(self, n_pieces: int):
        self.of: dict[int, int] = {}
        self.count = 0
        self._free: list[int] = []
        self._ending: list[list[int]] = [[] for _ in range(n_pieces)]

    def take(self, value: int, last: int) -> int:
        """A place for a value that is needed until piece `last`."""
        if self._free:
            slot = self._free.pop()
        else:
            slot, self.count = self.count, self.count + 1
        self.of[value] = slot
        self._ending[last].append(slot)
        return slot

    def release(self, index: int):
        """Piece `index` is done."""
        self._free += self._ending[index]


def _lower_piece(piece, index, width, last_use, slots: _Slots) -> Block:
    """Write one piece: loads at first use, operations, stores of outputs and of what crosses."""
    block = Block(width)
    V, size = block.V, 8 * width
    here: dict[Value, str] = {}

    def fetch(x: Value) -> str:
        if x.__class__ is int:
            array, element = "%s", slots.of[x]
        elif x[0] == "constant":
            here[x] = literal(float.fromhex(x[1]), width)
            return here[x]
        else:
            array, element = f"%i{x[1]}", x[2]
        place = block.put(f"getelementptr i8, ptr {array}, i64 {element * size}")
        here[x] = block.put(f"load {V}, ptr {place}, align 8")
        return here[x]

    def store(value: str, array: str, element: int):
        place = block.put(f"getelementptr i8, ptr {array}, i64 {element * size}")
        block.lines.append(f"store {V} {value}, ptr {place}, align 8")

    for operation, operands, target in piece:
        names = [here.get(x) or fetch(x) for x in operands]
        if operation == ca.OP_OUTPUT:
            store(names[0], f"%o{target[0]}", target[1])
            continue
        name = here[target] = RULES[operation](block, *names)
        last = last_use.get(target, index)
        if last > index:
            store(name, "%s", slots.take(target, last))
    slots.release(index)
    return block
