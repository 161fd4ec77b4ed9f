"""Sine, cosine and their kin for all lanes at once: polynomials, without branches.

Each function writes operations into an Arithmetic block and gives (values, lanes that the C library must do).
Coefficients of sine, cosine, arc sine: FreeBSD's msun (Sun Microsystems, 1993), error below 2⁻⁵⁸
on their intervals; of the arc tangent: Cephes (Moshier, 1992).
"""

from oleodyn.program.arithmetic import Arithmetic

LIMIT = 2.0**20
"""Above this angle the reduction below is not exact, and the C library takes over."""

HALF_PI_1, HALF_PI_2, HALF_PI_3 = (
    float.fromhex(digits) for digits in ("0x1.921fb54400000p+0", "0x1.0b4611a600000p-34", "0x1.3198a2e037073p-69")
)
"""π/2 = their sum to 119 bits; the first two have 33 bits, so that products with 20-bit integers are exact."""

HALF_PI, HALF_PI_LOW = 1.5707963267948966, 6.123233995736766e-17
QUARTER_PI, QUARTER_PI_LOW = HALF_PI / 2, HALF_PI_LOW / 2

SINE = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
COSINE = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip
ARC_SINE_P = (
    1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01,
    -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05,
)  # fmt: skip
ARC_SINE_Q = (
    1.0, -2.40339491173441421878e00, 2.02094576023350569471e00, -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)  # fmt: skip
ARC_TANGENT_P = (
    -6.485021904942025371773e1, -1.228866684490136173410e2, -7.500855792314704667340e1,
    -1.615753718733365076637e1, -8.750608600031904122785e-1,
)  # fmt: skip
ARC_TANGENT_Q = (
    1.945506571482613964425e2, 4.853903996359136964868e2, 4.328810604912902668951e2,
    1.650270098316988542046e2, 2.485846490142306297962e1, 1.0,
)  # fmt: skip


def _reduced(b: Arithmetic, x: str):
    """x = q π/2 + (r + low), |r| ≤ π/4: q as integer bits, r, low, lanes where that is not exact."""
    q, k = b.nearest(b.mul(x, b.constant(2 / 3.141592653589793)))
    part = b.fma(b.negative(k), b.constant(HALF_PI_1), x)
    first = b.fma(b.negative(k), b.constant(HALF_PI_2), part)
    error = b.fma(b.negative(k), b.constant(HALF_PI_2), b.sub(part, first))
    tail = b.fma(b.negative(k), b.constant(HALF_PI_3), error)
    r = b.add(first, tail)
    low = b.add(b.sub(first, r), tail)
    small = b.holds("ole", b.magnitude(x), b.constant(LIMIT))
    # so close to a multiple of π/2 the 119 bits are too few: never seen outside of tests
    clear = b.holds("oge", b.magnitude(r), b.mul(b.magnitude(k), b.constant(2.0**-60)))
    return q, r, low, b.opposite(b.both(small, clear))


def _both(b: Arithmetic, r: str, low: str) -> tuple[str, str]:
    """Sine and cosine of r + low for |r| ≤ π/4."""
    z = b.mul(r, r)
    half = b.mul(b.constant(0.5), z)
    odd = b.fma(b.mul(z, r), b.polynomial(SINE, z), b.fma(b.negative(half), low, low))
    one_less = b.sub(b.one, half)
    rest = b.sub(b.sub(b.one, one_less), half)
    even = b.fma(b.mul(z, z), b.polynomial(COSINE, z), b.fma(b.negative(r), low, rest))
    return b.add(r, odd), b.add(one_less, even)


def _turned(b: Arithmetic, q: str, one: str, other: str, quarter: int) -> str:
    """`one` in even quarters of the circle, else `other`, with the sign of the quarter."""
    q = b.integer("add", q, quarter) if quarter else q
    even = b.put(f"icmp eq {b.I} {b.integer('and', q, 1)}, {b.whole(0)}")
    sign = b.integer("shl", b.integer("and", q, 2), 62)
    return b.flip(b.select(even, one, other), sign)


def sincos(b: Arithmetic, x: str):
    """Sine and cosine of one angle, each within 0.85 ulp."""
    q, r, low, slow = _reduced(b, x)
    sine, cosine = _both(b, r, low)
    return (_turned(b, q, sine, cosine, 0), _turned(b, q, sine, cosine, 1)), slow


def sin(b: Arithmetic, x: str):
    """Sine within 0.85 ulp."""
    (sine, _), slow = sincos(b, x)
    return (sine,), slow


def cos(b: Arithmetic, x: str):
    """Cosine within 0.85 ulp."""
    (_, cosine), slow = sincos(b, x)
    return (cosine,), slow


def tan(b: Arithmetic, x: str):
    """Tangent within 2.5 ulp."""
    (sine, cosine), slow = sincos(b, x)
    return (b.div(sine, cosine),), slow


def asin(b: Arithmetic, x: str):
    """Arc sine within 2.5 ulp; NaN beyond ±1."""
    inner, s, s_r = _arc(b, x)
    outer = b.sub(b.constant(HALF_PI), b.sub(b.mul(b.constant(2.0), b.add(s, s_r)), b.constant(HALF_PI_LOW)))
    return (b.copysign(b.select(inner, b.add(s, s_r), outer), x),), None


def acos(b: Arithmetic, x: str):
    """Arc cosine within 1.5 ulp; NaN beyond ±1."""
    inner, s, s_r = _arc(b, x)
    signed = b.copysign(b.add(s, s_r), x)
    middle = b.sub(b.constant(HALF_PI), b.sub(signed, b.constant(HALF_PI_LOW)))
    twice = b.mul(b.constant(2.0), b.add(s, s_r))
    far = b.sub(b.constant(2 * HALF_PI), b.sub(twice, b.constant(2 * HALF_PI_LOW)))
    negative = b.holds("olt", x, b.zero)
    return (b.select(inner, middle, b.select(negative, far, twice)),), None


def _arc(b: Arithmetic, x: str):
    """Whether |x| is below ½; s and s·R with asin = s + s·R (inner) or π/2 − 2(s + s·R)."""
    size = b.magnitude(x)
    inner = b.holds("olt", size, b.constant(0.5))
    z = b.select(inner, b.mul(size, size), b.mul(b.sub(b.one, size), b.constant(0.5)))
    ratio = b.div(b.mul(z, b.polynomial(ARC_SINE_P, z)), b.polynomial(ARC_SINE_Q, z))
    s = b.select(inner, size, b.intrinsic("sqrt", z))
    return inner, s, b.mul(s, ratio)


def atan(b: Arithmetic, x: str):
    """Arc tangent within 1.5 ulp."""
    return (b.copysign(_steep(b, b.magnitude(x), b.one), x),), None


def atan2(b: Arithmetic, y: str, x: str):
    """Angle of the point (x, y) within 2 ulp."""
    rise, run = b.magnitude(y), b.magnitude(x)
    angle = _steep(b, rise, run)
    behind = b.sub(b.constant(2 * HALF_PI), b.sub(angle, b.constant(2 * HALF_PI_LOW)))
    negative = b.holds("olt", x, b.zero)
    largest = b.intrinsic("maxnum", rise, run)
    fine = b.both(b.holds("ole", largest, b.constant(1e300)), b.holds("oge", largest, b.constant(1e-290)))
    slow = b.opposite(b.both(fine, b.holds("ord", x, y)))
    return (b.copysign(b.select(negative, behind, angle), y),), slow


def _steep(b: Arithmetic, rise: str, run: str) -> str:
    """Angle of a slope rise / run, both positive, in [0, π/2]."""
    steep = b.holds("ogt", rise, b.mul(b.constant(2.414213562373095), run))
    middle = b.holds("ogt", rise, b.mul(b.constant(0.66), run))
    above = b.select(steep, b.negative(run), b.select(middle, b.sub(rise, run), rise))
    below = b.select(steep, rise, b.select(middle, b.add(rise, run), run))
    t = b.div(above, below)
    base = b.select(steep, b.constant(HALF_PI), b.select(middle, b.constant(QUARTER_PI), b.zero))
    low = b.select(steep, b.constant(HALF_PI_LOW), b.select(middle, b.constant(QUARTER_PI_LOW), b.zero))
    z = b.mul(t, t)
    ratio = b.div(b.mul(z, b.polynomial(ARC_TANGENT_P, z)), b.polynomial(ARC_TANGENT_Q, z))
    return b.add(base, b.add(b.fma(t, ratio, low), t))
