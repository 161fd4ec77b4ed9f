"""Policies for loops by the name they have on the command line and in machine files."""

from typing import Any

from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.simulation.steppers.worded import worded

LOOPS = {cls.name: cls for cls in (AugmentedLagrangian, CoordinatePartitioning, Penalty)}


def loops_named(name: str | None) -> Any:
    """The policy of this name, "penalty" or "penalty(alpha=1e8)"; None for none."""
    return None if name is None else worded(name, LOOPS, "loop closure")
