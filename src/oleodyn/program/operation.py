"""CasADi's scalar operations as LLVM text, one small rule each, for any SIMD width.

A truth is a number in CasADi: 0 is false, all else (NaN too) is true. Choices become `select`,
so a NaN or an infinity in the branch not taken never spreads.
"""

import struct
from collections.abc import Callable, Iterable

import casadi as ca

from oleodyn.errors import CompileError

FLAGS = "nsz"
"""The liberty LLVM may take: the sign of a zero. What else is worth while, `tape` does itself."""

FMA, FMS, FNMA, SELECT = 1001, 1002, 1003, 1004
"""Our own fused operations: a·b + c, a·b − c, c − a·b, and (a if truth else b)."""

INTRINSICS = {"sqrt": 1, "fabs": 1, "floor": 1, "ceil": 1, "minnum": 2, "maxnum": 2, "copysign": 2, "fmuladd": 3}
LIBRARY = {
    ca.OP_TAN: "tan", ca.OP_ASIN: "asin", ca.OP_ACOS: "acos", ca.OP_ATAN: "atan", ca.OP_ATAN2: "atan2",
    ca.OP_SINH: "sinh", ca.OP_COSH: "cosh", ca.OP_ASINH: "asinh", ca.OP_ACOSH: "acosh", ca.OP_ATANH: "atanh",
    ca.OP_SIN: "sin", ca.OP_COS: "cos", ca.OP_EXP: "exp", ca.OP_LOG: "log", ca.OP_TANH: "tanh",
    ca.OP_POW: "pow", ca.OP_CONSTPOW: "pow", ca.OP_FMOD: "fmod", ca.OP_REMAINDER: "remainder",
    ca.OP_ERF: "erf", ca.OP_LOG1P: "log1p", ca.OP_EXPM1: "expm1", ca.OP_HYPOT: "hypot",
}  # fmt: skip
"""Functions of the C library, by operation."""

NAMES = {
    getattr(ca, name): name.removeprefix("OP_").lower()
    for name in sorted(dir(ca), reverse=True)
    if name.startswith("OP_")
}


def declarations(called: Iterable[str], width: int) -> str:
    """Declarations of the intrinsics among `called`."""
    V, suffix = vector_type(width), "f64" if width == 1 else f"v{width}f64"
    return "\n".join(
        f"declare {V} @{c}.{suffix}({', '.join([V] * INTRINSICS[c.removeprefix('llvm.')])})"
        for c in sorted(called)
        if c.startswith("llvm.")
    )


def literal(value: float, width: int) -> str:
    """A constant as LLVM reads it, exact to the bit."""
    bits = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    return bits if width == 1 else f"splat (double {bits})"


def vector_type(width: int, scalar: str = "double") -> str:
    """`double`, or `<8 x double>`."""
    return scalar if width == 1 else f"<{width} x {scalar}>"


class Block:
    """Lines of one LLVM function without branches, and the functions that they call."""

    def __init__(self, width: int):
        self.width = width
        self.V = vector_type(width)
        self.B = vector_type(width, "i1")
        self.zero, self.one = literal(0.0, width), literal(1.0, width)
        self.suffix = "f64" if width == 1 else f"v{width}f64"
        self.lines: list[str] = []
        self.called: set[str] = set()
        self._truths: dict[str, str] = {}
        self._count = 0

    def put(self, expression: str) -> str:
        """The name of a new value."""
        self._count += 1
        name = f"%{self._count}"
        self.lines.append(f"{name} = {expression}")
        return name

    def binary(self, word: str, a: str, b: str) -> str:
        """fadd, fsub, fmul or fdiv."""
        return self.put(f"{word} {FLAGS} {self.V} {a}, {b}")

    def intrinsic(self, name: str, *args: str) -> str:
        """An operation that the CPU has (or that LLVM builds from a few)."""
        self.called.add(f"llvm.{name}")
        arguments = ", ".join(f"{self.V} {a}" for a in args)
        return self.put(f"call {FLAGS} {self.V} @llvm.{name}.{self.suffix}({arguments})")

    def function(self, name: str, *args: str) -> str:
        """A function of `vector_maths` or of the C library, on all lanes."""
        self.called.add(name)
        arguments = ", ".join(f"{self.V} {a}" for a in args)
        return self.put(f"call {self.V} @oleodyn.{name}.{self.suffix}({arguments})")

    def pair(self, name: str, *args: str) -> tuple[str, str]:
        """A function that gives two values."""
        self.called.add(name)
        both = f"{{{self.V}, {self.V}}}"
        arguments = ", ".join(f"{self.V} {a}" for a in args)
        result = self.put(f"call {both} @oleodyn.{name}.{self.suffix}({arguments})")
        return self.put(f"extractvalue {both} {result}, 0"), self.put(f"extractvalue {both} {result}, 1")

    def compare(self, word: str, a: str, b: str) -> str:
        """A comparison as a number; its bits are remembered for choices."""
        return self.number(self.put(f"fcmp {word} {self.V} {a}, {b}"))

    def number(self, bits: str) -> str:
        """1 where the bits are set, else 0."""
        name = self.put(f"select {self.B} {bits}, {self.V} {self.one}, {self.V} {self.zero}")
        self._truths[name] = bits
        return name

    def truth(self, x: str) -> str:
        """The bits of a number used as a truth."""
        bits = self._truths.get(x)
        if bits is None:
            bits = self._truths[x] = self.put(f"fcmp une {self.V} {x}, {self.zero}")
        return bits

    def select(self, bits: str, a: str, b: str) -> str:
        """a where the bits are set, else b."""
        return self.put(f"select {self.B} {bits}, {self.V} {a}, {self.V} {b}")


def _sign(block: Block, x: str) -> str:
    below = block.put(f"fcmp olt {block.V} {x}, {block.zero}")
    above = block.put(f"fcmp ogt {block.V} {x}, {block.zero}")
    not_above = block.select(below, literal(-1.0, block.width), x)
    return block.select(above, block.one, not_above)


def _logic(word: str) -> Callable[..., str]:
    def rule(block: Block, a: str, b: str) -> str:
        return block.number(block.put(f"{word} {block.B} {block.truth(a)}, {block.truth(b)}"))

    return rule


def _binary(word: str) -> Callable[..., str]:
    return lambda block, a, b: block.binary(word, a, b)


def _compare(word: str) -> Callable[..., str]:
    return lambda block, a, b: block.compare(word, a, b)


def _intrinsic(name: str) -> Callable[..., str]:
    return lambda block, *args: block.intrinsic(name, *args)


def _function(name: str) -> Callable[..., str]:
    return lambda block, *args: block.function(name, *args)


def _negative(block: Block, x: str) -> str:
    return block.put(f"fneg {block.V} {x}")


RULES: dict[int, Callable[..., str]] = {
    ca.OP_ADD: _binary("fadd"),
    ca.OP_SUB: _binary("fsub"),
    ca.OP_MUL: _binary("fmul"),
    ca.OP_DIV: _binary("fdiv"),
    ca.OP_NEG: _negative,
    ca.OP_SQ: lambda block, x: block.binary("fmul", x, x),
    ca.OP_TWICE: lambda block, x: block.binary("fadd", x, x),
    ca.OP_INV: lambda block, x: block.binary("fdiv", block.one, x),
    ca.OP_SQRT: _intrinsic("sqrt"),
    ca.OP_FABS: _intrinsic("fabs"),
    ca.OP_FLOOR: _intrinsic("floor"),
    ca.OP_CEIL: _intrinsic("ceil"),
    ca.OP_FMIN: _intrinsic("minnum"),
    ca.OP_FMAX: _intrinsic("maxnum"),
    ca.OP_COPYSIGN: _intrinsic("copysign"),
    ca.OP_SIGN: _sign,
    ca.OP_LT: _compare("olt"),
    ca.OP_LE: _compare("ole"),
    ca.OP_EQ: _compare("oeq"),
    ca.OP_NE: _compare("une"),
    ca.OP_NOT: lambda block, x: block.number(block.put(f"xor {block.B} {block.truth(x)}, {_all(block.width)}")),
    ca.OP_AND: _logic("and"),
    ca.OP_OR: _logic("or"),
    ca.OP_IF_ELSE_ZERO: lambda block, c, x: block.select(block.truth(c), x, block.zero),
    SELECT: lambda block, c, a, b: block.select(block.truth(c), a, b),
    FMA: _intrinsic("fmuladd"),
    FMS: lambda block, a, b, c: block.intrinsic("fmuladd", a, b, _negative(block, c)),
    FNMA: lambda block, a, b, c: block.intrinsic("fmuladd", _negative(block, a), b, c),
    **{operation: _function(name) for operation, name in LIBRARY.items()},
}
"""How each operation is written."""


def _all(width: int) -> str:
    return "true" if width == 1 else "splat (i1 true)"


def refuse(operation: int, function: str):
    """Raise the error for an operation that has no rule."""
    name = NAMES.get(operation, f"number {operation}")
    raise CompileError(
        f"{function} uses CasADi's operation {name!r}, which has no machine code here. "
        "Write it with other operations of oleodyn.maths."
    )
