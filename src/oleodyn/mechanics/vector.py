"""Vectors of three, matrices of nine and symmetric tensors of six numbers or symbols.

Constants 0.0 and 1.0 vanish here, before they reach a symbol: that keeps a mechanism's equations
small, because most of its geometry is zeros and ones.
"""

from oleodyn.machine.part import Expr
from oleodyn.maths import sqrt

Vector = tuple[Expr, Expr, Expr]
Matrix = tuple[Vector, Vector, Vector]
Tensor = tuple[Expr, Expr, Expr, Expr, Expr, Expr]
"""A symmetric matrix as (xx, yy, zz, xy, xz, yz)."""

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
NO_TENSOR: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


# ------------------------------------------------------------------ numbers


def times(a: Expr, b: Expr) -> Expr:
    """a · b; a constant 0 or ±1 leaves no product."""
    if type(a) is float:
        if a == 0.0:
            return 0.0
        if a == 1.0:
            return b
        if a == -1.0:
            return -b
    if type(b) is float:
        if b == 0.0:
            return 0.0
        if b == 1.0:
            return a
        if b == -1.0:
            return -a
    return a * b


def plus(a: Expr, b: Expr) -> Expr:
    """a + b; a constant 0 leaves no sum."""
    if type(a) is float and a == 0.0:
        return b
    if type(b) is float and b == 0.0:
        return a
    return a + b


def minus(a: Expr, b: Expr) -> Expr:
    """a − b; a constant 0 leaves no difference."""
    if type(b) is float and b == 0.0:
        return a
    if type(a) is float and a == 0.0:
        return -b
    return a - b


def total(*terms: Expr) -> Expr:
    """The sum of all terms."""
    result: Expr = 0.0
    for term in terms:
        result = plus(result, term)
    return result


# ------------------------------------------------------------------ vectors


def add(a: Vector, b: Vector) -> Vector:
    """a + b."""
    return plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])


def subtract(a: Vector, b: Vector) -> Vector:
    """a − b."""
    return minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])


def scale(k: Expr, a: Vector) -> Vector:
    """k a."""
    return times(k, a[0]), times(k, a[1]), times(k, a[2])


def dot(a: Vector, b: Vector) -> Expr:
    """a · b."""
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))


def cross(a: Vector, b: Vector) -> Vector:
    """a × b.

    >>> cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    (0.0, 0.0, 1.0)
    """
    return (
        minus(times(a[1], b[2]), times(a[2], b[1])),
        minus(times(a[2], b[0]), times(a[0], b[2])),
        minus(times(a[0], b[1]), times(a[1], b[0])),
    )


def length(a: Vector) -> Expr:
    """|a|; infinite slope at zero."""
    return sqrt(dot(a, a))


# ------------------------------------------------------------------ matrices


def apply(R: Matrix, a: Vector) -> Vector:
    """R a."""
    return dot(R[0], a), dot(R[1], a), dot(R[2], a)


def transposed(R: Matrix) -> Matrix:
    """Rᵀ: of a rotation, the way back."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    return (xx, yx, zx), (xy, yy, zy), (xz, yz, zz)


def product(R: Matrix, S: Matrix) -> Matrix:
    """R S."""
    x, y, z = transposed(S)
    return transposed((apply(R, x), apply(R, y), apply(R, z)))


# ------------------------------------------------------------------ tensors


def add_tensor(A: Tensor, B: Tensor) -> Tensor:
    """A + B."""
    return (
        plus(A[0], B[0]), plus(A[1], B[1]), plus(A[2], B[2]),
        plus(A[3], B[3]), plus(A[4], B[4]), plus(A[5], B[5]),
    )  # fmt: skip


def outer(a: Vector, b: Vector) -> Tensor:
    """a bᵀ + b aᵀ; twice the dyad of a vector with itself."""
    return (
        times(times(2.0, a[0]), b[0]),
        times(times(2.0, a[1]), b[1]),
        times(times(2.0, a[2]), b[2]),
        plus(times(a[0], b[1]), times(a[1], b[0])),
        plus(times(a[0], b[2]), times(a[2], b[0])),
        plus(times(a[1], b[2]), times(a[2], b[1])),
    )


def dyad(k: Expr, a: Vector) -> Tensor:
    """k a aᵀ."""
    b = scale(k, a)
    return (
        times(a[0], b[0]), times(a[1], b[1]), times(a[2], b[2]),
        times(a[0], b[1]), times(a[0], b[2]), times(a[1], b[2]),
    )  # fmt: skip


def matrix_of(A: Tensor) -> Matrix:
    """The symmetric matrix of six numbers."""
    xx, yy, zz, xy, xz, yz = A
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def tensor_of(M: Matrix) -> Tensor:
    """The six numbers of a symmetric matrix."""
    return M[0][0], M[1][1], M[2][2], M[0][1], M[0][2], M[1][2]
