"""Arithmetic on all lanes: the words in which elementary functions are written."""

from collections.abc import Sequence

from oleodyn.program.operation import Block, literal, vector_type

WHOLE = 1.5 * 2.0**52
"""Added to a number below 2⁵¹ it leaves a whole number in the low bits."""


class Arithmetic(Block):
    """A Block with words for formulas; every one gives the name of a new value on all lanes.

    No liberties are granted to LLVM here: error bounds rest on the order of every rounding.
    """

    def __init__(self, width: int):
        super().__init__(width)
        self.I = vector_type(width, "i64")

    def constant(self, value: float) -> str:
        """The same number in all lanes."""
        return literal(value, self.width)

    def whole(self, value: int) -> str:
        """The same 64 bits in all lanes."""
        return str(value) if self.width == 1 else f"splat (i64 {value})"

    def add(self, a: str, b: str) -> str:
        """a + b."""
        return self.put(f"fadd {self.V} {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        """a − b."""
        return self.put(f"fsub {self.V} {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        """a b."""
        return self.put(f"fmul {self.V} {a}, {b}")

    def div(self, a: str, b: str) -> str:
        """a / b."""
        return self.put(f"fdiv {self.V} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        """a b + c, in one rounding where the processor can."""
        return self.intrinsic("fmuladd", a, b, c)

    def negative(self, a: str) -> str:
        """−a."""
        return self.put(f"fneg {self.V} {a}")

    def magnitude(self, a: str) -> str:
        """|a|."""
        return self.intrinsic("fabs", a)

    def copysign(self, a: str, b: str) -> str:
        """|a| with the sign of b."""
        return self.intrinsic("copysign", a, b)

    def polynomial(self, coefficients: Sequence[float], x: str) -> str:
        """c₀ + c₁ x + c₂ x² + …, in pairs (Estrin) so that few operations wait for each other."""
        terms = [self.constant(c) for c in coefficients]
        while len(terms) > 1:
            pairs = [self.fma(b, x, a) for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[2 * len(pairs) :]
            if len(terms) > 1:
                x = self.mul(x, x)
        return terms[0]

    def holds(self, word: str, a: str, b: str) -> str:
        """The bits of a comparison."""
        return self.put(f"fcmp {word} {self.V} {a}, {b}")

    def both(self, a: str, b: str) -> str:
        """Bits set in both."""
        return self.put(f"and {self.B} {a}, {b}")

    def opposite(self, a: str) -> str:
        """Bits not set."""
        return self.put(f"xor {self.B} {a}, {'true' if self.width == 1 else 'splat (i1 true)'}")

    def between(self, x: str, low: float, high: float) -> str:
        """x, but not below low nor above high; NaN stays."""
        x = self.select(self.holds("olt", x, self.constant(low)), self.constant(low), x)
        return self.select(self.holds("ogt", x, self.constant(high)), self.constant(high), x)

    def nearest(self, x: str) -> tuple[str, str]:
        """The whole number nearest to x, |x| < 2⁵¹: in the low bits of an integer, and as a number."""
        shifted = self.add(x, self.constant(WHOLE))
        return self.bits_of(shifted), self.sub(shifted, self.constant(WHOLE))

    def bits_of(self, x: str) -> str:
        """The 64 bits of a number."""
        return self.put(f"bitcast {self.V} {x} to {self.I}")

    def number_of(self, bits: str) -> str:
        """The number with these 64 bits."""
        return self.put(f"bitcast {self.I} {bits} to {self.V}")

    def integer(self, word: str, a: str, b: int) -> str:
        """add, and, or, shl, lshr with a constant."""
        return self.put(f"{word} {self.I} {a}, {self.whole(b)}")

    def flip(self, x: str, sign: str) -> str:
        """x, negated where the top bit of `sign` is set, whose other bits are 0."""
        return self.number_of(self.put(f"xor {self.I} {self.bits_of(x)}, {sign}"))
