"""Tangents of a Newton iteration that are not exact: for comparison with what others did."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

SX = ca.SX


@dataclass(frozen=True)
class ForwardDifferences:
    """The tangent by forward differences of the residual, as many published programs have it.

    Equations   K eᵢ = [f(w + εᵢ eᵢ) − f(w)] / εᵢ,   εᵢ = scale · max(smallest, |xᵢ|)
    Limits      n + 1 residuals in place of one and its derivative; wrong across a kink.
    References  Jaiswal (2021) dissertation, section 2.5.
    """

    scale: float = 1e-8
    smallest: float = 1e-2

    def matrix(self, residual: Any, w: Any, sizes: Sequence[Any], directions: Sequence[Any]) -> Any:
        """∂f along directions of w; `sizes` are the values xᵢ that the steps are scaled by."""
        columns = []
        for size, direction in zip(sizes, directions, strict=True):
            epsilon = self.scale * ca.fmax(self.smallest, ca.fabs(size))
            there = ca.substitute(residual, w, w + epsilon * direction)
            columns.append((there - residual) / epsilon)
        return ca.horzcat(SX(residual.numel(), 0), *columns)
