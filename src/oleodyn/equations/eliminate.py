"""Sparse elimination in the graph: A x = b solved with a static order, and watched.

The order is chosen once from the pattern (Markowitz, on the diagonal wherever the pattern has
one), so that the elimination becomes straight-line code. Nothing can be pivoted at run time:
instead every solution is checked by its componentwise backward error, which is large exactly
when a small pivot, cancellation or growth has spoilt it.
"""

from typing import Any

import casadi as ca

SX = ca.SX
Rows = list[dict[int, Any]]


def solve(A: Any, b: Any, in_order: bool = False, floor: float = 0.0) -> tuple[Any, Any]:
    """x with A x = b (SX, b may have several columns), and the backward error of the solution.

    With `in_order` the diagonal is eliminated from the first row to the last: for matrices whose
    rows and columns already stand in the order of good pivots. With `floor`, for unknowns of one
    kind, those smaller than this part of the largest count with it: where all of a row is zero but
    for rounding, rounding is no error.

    Equations   bad = max_i |A x − b|_i / (Σ_j |a_ij| (|x_j| + floor |x|_∞) + |b_i|)
    References  Oettli & Prager (1964) Numer. Math. 6, 405-409: the componentwise backward error.
    """
    n, columns = A.shape[0], b.shape[1]
    rows = _rows(A)
    right = [[b[i, k] for k in range(columns)] for i in range(n)]
    original = [dict(row) for row in rows], [list(row) for row in right]
    order = [(k, k) for k in range(n)] if in_order else _order([set(row) for row in rows])
    inverse = _forward(rows, right, order)
    x = _back(rows, right, order, inverse)
    bad = _backward_error(*original, x, floor)
    return ca.vertcat(*(ca.horzcat(*row) for row in x)) if n else SX(0, columns), bad


def inverse_determinant(A: Any) -> Any:
    """1 / det A, eliminated from the first row to the last."""
    n, product = A.shape[0], SX(1)
    for inverse in _forward(_rows(A), [[] for _ in range(n)], [(k, k) for k in range(n)]):
        product = product * inverse
    return product


def solve_symmetric(A: Any, b: Any) -> Any:
    """x with A x = b for a symmetric positive definite A, last row first (leaves of a tree).

    Half the work of `solve`: A = Uᵀ D U with unit upper U, eliminated from the last row up.
    """
    n, columns = A.shape[0], b.shape[1]
    rows = _rows(A)
    right = [[b[i, k] for k in range(columns)] for i in range(n)]
    inverse: list[Any] = [None] * n
    factors: list[dict[int, Any]] = [{} for _ in range(n)]
    for p in reversed(range(n)):
        inverse[p] = 1 / rows[p][p]
        below = [i for i in rows[p] if i < p]
        for i in below:
            factors[p][i] = rows[p][i] * inverse[p]
        for i in below:
            for j in below:
                if j <= i:
                    rows[i][j] = rows[i].get(j, 0) - factors[p][i] * rows[p][j]
            for k in range(columns):
                right[i][k] = right[i][k] - factors[p][i] * right[p][k]
    x: list[list[Any]] = [[] for _ in range(n)]
    for p in range(n):
        for k in range(columns):
            value = right[p][k] * inverse[p]
            for i, factor in factors[p].items():
                value = value - factor * x[i][k]
            x[p].append(value)
    return ca.vertcat(*(ca.horzcat(*row) for row in x)) if n else SX(0, columns)


def _rows(A: Any) -> Rows:
    """The structurally non-zero entries, row by row."""
    rows: Rows = [{} for _ in range(A.shape[0])]
    i, j = A.sparsity().get_triplet()
    for row, column, value in zip(i, j, A.nonzeros(), strict=True):
        if not value.is_zero():
            rows[row][column] = value
    return rows


def _order(pattern: list[set[int]]) -> list[tuple[int, int]]:
    """Pivots (row, column) by least fill (Markowitz cost), diagonal ones first."""
    rows = {i: set(row) for i, row in enumerate(pattern)}
    columns: dict[int, set[int]] = {j: set() for j in range(len(pattern))}
    for i, row in rows.items():
        for j in row:
            columns[j].add(i)
    order = []
    while rows:
        candidates = [(i, i) for i in rows if i in columns and i in rows[i]]
        if not candidates:
            candidates = [(i, j) for i in rows for j in rows[i]]
        if not candidates:
            raise ZeroDivisionError(f"rows {sorted(rows)} of the linear system are structurally singular")
        r, c = min(candidates, key=lambda rc: ((len(rows[rc[0]]) - 1) * (len(columns[rc[1]]) - 1), rc))
        order.append((r, c))
        row, column = rows.pop(r), columns.pop(c)
        for j in row:
            if j in columns:
                columns[j].discard(r)
        for i in column:
            if i in rows:
                rows[i].discard(c)
                rows[i] |= row - {c}
                for j in row - {c}:
                    columns[j].add(i)
    return order


def _forward(rows: Rows, right: list[list[Any]], order: list[tuple[int, int]]) -> list[Any]:
    """Eliminate in place; returns the inverse pivots in order."""
    inverse = []
    left = set(range(len(rows)))
    for r, c in order:
        left.discard(r)
        inverse.append(1 / rows[r][c])
        pivot_row = {j: value for j, value in rows[r].items() if j != c}
        for i in left:
            if c in rows[i]:
                factor = rows[i].pop(c) * inverse[-1]
                for j, value in pivot_row.items():
                    rows[i][j] = rows[i][j] - factor * value if j in rows[i] else -factor * value
                right[i] = [mine - factor * theirs for mine, theirs in zip(right[i], right[r], strict=True)]
    return inverse


def _back(rows: Rows, right: list[list[Any]], order: list[tuple[int, int]], inverse: list[Any]) -> list[list[Any]]:
    x: list[list[Any]] = [[] for _ in rows]
    for (r, c), inv in zip(reversed(order), reversed(inverse), strict=True):
        values = []
        for k, value in enumerate(right[r]):
            for j, entry in rows[r].items():
                if j != c:
                    value = value - entry * x[j][k]
            values.append(value * inv)
        x[c] = values
    return x


def _backward_error(rows: Rows, right: list[list[Any]], x: list[list[Any]], floor: float) -> Any:
    bad = SX(0)
    least = [_largest(column) * floor for column in zip(*x, strict=True)] if floor else []
    for row, b in zip(rows, right, strict=True):
        for k, value in enumerate(b):
            products = [entry * x[j][k] for j, entry in row.items()]
            residual, size = -value, ca.fabs(value)
            for product in products:
                residual = residual + product
                size = size + ca.fabs(product)
            if floor:
                size = size + sum(ca.fabs(entry) for entry in row.values()) * least[k]
            bad = ca.fmax(bad, ca.fabs(residual) / (size + 1e-300))
    return bad


def _largest(values: Any) -> Any:
    most = SX(0)
    for value in values:
        most = ca.fmax(most, ca.fabs(value))
    return most
