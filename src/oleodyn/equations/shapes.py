"""Shapes: scalars, vectors and matrices of parts as columns and matrices of the equations."""

from collections.abc import Iterable
from typing import Any

import casadi as ca

SX = ca.SX


def array(name: str, shape: tuple[int, ...]) -> Any:
    """Symbols in a shape: one, or nested tuples named .x, .y, .z."""
    if not shape:
        return SX.sym(name)
    return tuple(array(f"{name}.{'xyz'[i]}", shape[1:]) for i in range(shape[0]))


def zeros(shape: tuple[int, ...]) -> Any:
    """Zeros in a shape."""
    return tuple(zeros(shape[1:]) for _ in range(shape[0])) if shape else SX(0)


def leaves(value: Any) -> list[Any]:
    """All scalars of a nested value, in order."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return ca.vertsplit(value) if isinstance(value, SX) and value.numel() > 1 else [SX(value)]


def column(values: Any, n: int) -> Any:
    """n scalars as a dense column."""
    stacked = stack(values) if isinstance(values, (list, tuple)) else SX(values)
    return ca.densify(ca.reshape(stacked, n, 1))


def stack(values: Iterable[Any]) -> Any:
    """Columns and scalars below each other; none give a column of no rows."""
    return ca.vertcat(SX(0, 1), *values)


def matrix(rows: Any) -> Any:
    """Nested rows as a matrix."""
    return ca.vertcat(*(ca.horzcat(*row) for row in rows)) if isinstance(rows, (list, tuple)) else SX(rows)


def total(values: Iterable[Any]) -> Any:
    """The sum, a symbol even if there is none."""
    result = SX(0)
    for value in values:
        result = result + value
    return result


def number(value: Any) -> float:
    """A constant expression as a number."""
    return float(ca.evalf(SX(value))) if isinstance(value, SX) else float(value)
