"""Policies for loops by the name they have on the command line and in machine files."""

from typing import Any

from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.errors import DeclarationError
from oleodyn.machine.part import nearest

LOOPS = {cls.name: cls for cls in (AugmentedLagrangian, CoordinatePartitioning, Penalty)}


def loops_named(name: str | None) -> Any:
    """The policy of this name with its default parameters; None for none."""
    if name is None:
        return None
    if name not in LOOPS:
        raise DeclarationError(
            f"there is no loop closure {name!r}{nearest(name, LOOPS) or '.'} There are {', '.join(LOOPS)}."
        )
    return LOOPS[name]()
