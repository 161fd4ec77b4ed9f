"""Floors: efforts that stop at a bound, and the branch that a linear solve takes there."""

from typing import Any

import casadi as ca

from oleodyn.equations.equations import Equations

SX = ca.SX


def seen(e: Equations, x: Any) -> Any:
    """x as all that reads it sees it: never below its floor."""
    x = SX(x)
    for row, low in e.floors:
        x[row] = ca.fmax(x[row], low)
    return x


def branches(e: Equations, x: Any, b: Any, slope: Any) -> tuple[Any, Any]:
    """(s, c): over a step dx, the effort that is seen changes by s dx + c.

    Equations   p = max(x, p_v),   dx = b + slope Δp        b: what dx is while p rests, slope ≤ 0
                torn, x < p_v:     closes in this step where x + b > p_v:      Δp = dx − (p_v − x)
                                   else stays torn:                            Δp = 0
                whole:             tears in this step where its own solution
                                   b / (1 − slope) leads below p_v:            Δp = p_v − x
                                   else stays whole:                           Δp = dx
    Assumes     a state decides by its own slope: exact for one node, near it for several.
    """
    share, offset = SX.ones(e.n_x), SX.zeros(e.n_x)
    for row, low in e.floors:
        missing = low - x[row]
        whole = b[row] > ca.if_else(missing > 0, missing, (1 - slope[row]) * missing)
        share[row] = whole
        offset[row] = ca.if_else(whole, -ca.fmax(missing, 0), ca.fmin(missing, 0))
    return share, offset


def scaled(e: Equations, matrix: Any, share: Any) -> Any:
    """A matrix with the columns of efforts that have a floor multiplied by their share."""
    rows = {row for row, _ in e.floors}
    if not rows:
        return matrix
    return ca.horzcat(*(matrix[:, k] * share[k] if k in rows else matrix[:, k] for k in range(matrix.shape[1])))


def stopping(e: Equations, x: Any, change: Any) -> Any:
    """Changes of x, those that would pass a floor cut to end on it."""
    change = SX(change)
    for row, low in e.floors:
        way = low - x[row]
        change[row] = ca.if_else(way * (way - change[row]) < 0, way, change[row])
    return change
