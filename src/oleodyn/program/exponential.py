"""Exponentials, logarithms and hyperbolic functions for all lanes at once, without branches.

Each function writes operations into an Arithmetic block and gives (values, lanes that the C library must do).
The exponential's polynomial interpolates (eʳ − 1 − r) / r² at Chebyshev's points for |r| ≤ ½ ln 2,
error 3e-19; the logarithm's is that of FreeBSD's msun (Sun Microsystems, 1993), error 2⁻⁵⁸.
"""

from oleodyn.program.arithmetic import Arithmetic

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
"""ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact."""

EXPONENTIAL = (
    0.5, 0.1666666666666667, 0.04166666666666667, 0.00833333333332612, 0.0013888888888883737,
    0.00019841269874873975, 2.480158732558584e-05, 2.755725533255441e-06, 2.7557273594799413e-07,
    2.510524515390137e-08, 2.0914707069612355e-09,
)  # fmt: skip
LOGARITHM = (
    6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
    1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
)  # fmt: skip

ROOT_HALF_BITS = 0x3FE6A09E00000000
ONE_BITS = 0x3FF0000000000000
FRACTION_BITS = 0x000FFFFFFFFFFFFF


def _split(b: Arithmetic, x: str, more: str | None = None):
    """x + more = k ln 2 + r, |r| ≤ ½ ln 2: k, and eʳ − 1 as r + (the rest)."""
    _, k = b.nearest(b.mul(x, b.constant(LOG2_E)))
    high = b.fma(b.negative(k), b.constant(LN2_HIGH), x)
    low = b.mul(k, b.constant(LN2_LOW))
    if more is not None:
        low = b.sub(low, more)
    r = b.sub(high, low)
    error = b.sub(b.sub(high, r), low)
    rest = b.fma(b.mul(r, r), b.polynomial(EXPONENTIAL, r), error)
    return k, r, rest


def _power_of_two(b: Arithmetic, k: str) -> str:
    """2ᵏ for a whole number |k| ≤ 1022."""
    bits, _ = b.nearest(k)
    return b.number_of(b.integer("add", b.integer("shl", bits, 52), ONE_BITS))


def exp(b: Arithmetic, x: str):
    """Exponential within 1 ulp, gradual underflow included."""
    return (_exp(b, b.between(x, -746.0, 710.0)),), None


def _exp(b: Arithmetic, x: str, more: str | None = None) -> str:
    """eˣ⁺ᵐᵒʳᵉ for −746 ≤ x ≤ 710."""
    k, r, rest = _split(b, x, more)
    _, half = b.nearest(b.mul(k, b.constant(0.5)))
    scaled = b.mul(b.add(b.one, b.add(r, rest)), _power_of_two(b, half))
    return b.mul(scaled, _power_of_two(b, b.sub(k, half)))


def _exp_less_one(b: Arithmetic, x: str) -> str:
    """eˣ − 1 for |x| ≤ 709."""
    k, r, rest = _split(b, x)
    scale = _power_of_two(b, k)
    return b.fma(scale, rest, b.fma(scale, r, b.sub(scale, b.one)))


def expm1(b: Arithmetic, x: str):
    """Exponential less one within 2 ulp."""
    return (_exp_less_one(b, b.between(x, -50.0, 709.0)),), b.holds("ogt", x, b.constant(709.0))


def tanh(b: Arithmetic, x: str):
    """Hyperbolic tangent within 3 ulp."""
    twice = b.mul(b.constant(2.0), b.between(b.magnitude(x), 0.0, 20.0))
    e = _exp_less_one(b, twice)
    return (b.copysign(b.div(e, b.add(e, b.constant(2.0))), x),), None


def sinh(b: Arithmetic, x: str):
    """Hyperbolic sine within 3 ulp."""
    size = b.magnitude(x)
    e = _exp_less_one(b, b.between(size, 0.0, 700.0))
    half = b.mul(b.constant(0.5), b.add(e, b.div(e, b.add(e, b.one))))
    return (b.copysign(half, x),), b.holds("ogt", size, b.constant(700.0))


def cosh(b: Arithmetic, x: str):
    """Hyperbolic cosine within 2 ulp."""
    size = b.magnitude(x)
    e = b.add(_exp_less_one(b, b.between(size, 0.0, 700.0)), b.one)
    half = b.mul(b.constant(0.5), b.add(e, b.div(b.one, e)))
    return (half,), b.holds("ogt", size, b.constant(700.0))


def _log_parts(b: Arithmetic, x: str):
    """x = 2ᵏ (1 + f), √½ < 1 + f < √2, of a normal positive x: k and f."""
    bits = b.integer("add", b.bits_of(x), ONE_BITS - ROOT_HALF_BITS)
    # the exponent as a number: put it into the low bits of 2⁵²
    exponent = b.integer("or", b.integer("lshr", bits, 52), 0x4330000000000000)
    k = b.sub(b.number_of(exponent), b.constant(2.0**52 + 1023))
    fraction = b.integer("add", b.integer("and", bits, FRACTION_BITS), ROOT_HALF_BITS)
    return k, b.sub(b.number_of(fraction), b.one)


def _log(b: Arithmetic, k: str, f: str, correction: str) -> str:
    """k ln 2 + ln(1 + f) + correction."""
    s = b.div(f, b.add(f, b.constant(2.0)))
    z = b.mul(s, s)
    square = b.mul(b.constant(0.5), b.mul(f, f))
    series = b.mul(z, b.polynomial(LOGARITHM, z))
    small = b.fma(s, b.add(square, series), b.fma(k, b.constant(LN2_LOW), correction))
    return b.fma(k, b.constant(LN2_HIGH), b.sub(f, b.sub(square, small)))


def log(b: Arithmetic, x: str):
    """Natural logarithm within 1 ulp."""
    k, f = _log_parts(b, x)
    return (_log(b, k, f, b.zero),), b.opposite(_normal(b, x))


def log1p(b: Arithmetic, x: str):
    """ln(1 + x) within 1 ulp."""
    fine = b.both(b.holds("oge", x, b.constant(-1 + 2.0**-50)), b.holds("olt", x, b.constant(1e300)))
    u = b.add(b.one, x)
    k, f = _log_parts(b, u)
    lost = b.select(b.holds("olt", x, b.one), b.sub(x, b.sub(u, b.one)), b.sub(b.one, b.sub(u, x)))
    tiny = b.holds("oeq", u, b.one)
    return (b.select(tiny, x, _log(b, k, f, b.div(lost, u))),), b.opposite(fine)


def pow(b: Arithmetic, x: str, y: str):
    """xʸ of a positive x, or 0 to a positive power, within 60 ulp; for |y| ≤ 10 within 1.5.

    The logarithm is good to 2⁻⁶¹, and y multiplies its error.
    """
    k, f = _log_parts(b, x)
    divisor = b.add(f, b.constant(2.0))
    inverse = b.div(b.one, divisor)
    s = b.mul(f, inverse)  # ln(1 + f) = 2 artanh(s), with what s lacks in s_low
    lost = b.sub(f, b.sub(divisor, b.constant(2.0)))
    s_low = b.mul(inverse, b.fma(b.negative(s), lost, b.fma(b.negative(s), divisor, f)))
    z = b.mul(s, s)
    tail = b.fma(b.mul(s, z), b.polynomial(LOGARITHM, z), b.mul(b.constant(2.0), s_low))
    whole, part = b.mul(k, b.constant(LN2_HIGH)), b.mul(b.constant(2.0), s)
    sum_ = b.add(whole, part)
    small = b.add(b.fma(k, b.constant(LN2_LOW), b.sub(part, b.sub(sum_, whole))), tail)
    high = b.add(sum_, small)
    low = b.sub(small, b.sub(high, sum_))
    product = b.mul(y, high)
    more = b.fma(y, low, b.fma(y, high, b.negative(product)))
    inside = b.holds("ole", b.magnitude(product), b.constant(746.0))
    result = _exp(b, b.between(product, -746.0, 710.0), b.select(inside, more, b.zero))
    zero = b.both(b.holds("oeq", x, b.zero), b.holds("ogt", y, b.zero))
    finite = b.holds("olt", b.magnitude(y), b.constant(float("inf")))
    slow = b.both(b.opposite(zero), b.opposite(b.both(finite, _normal(b, x))))
    return (b.select(zero, b.zero, result),), slow


def _normal(b: Arithmetic, x: str) -> str:
    """Where x is positive, finite and not subnormal."""
    return b.both(b.holds("oge", x, b.constant(2.2250738585072014e-308)), b.holds("olt", x, b.constant(float("inf"))))
