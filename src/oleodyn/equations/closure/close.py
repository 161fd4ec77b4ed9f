"""Closing: the equations as a stepper wants them, loops dealt with by their policy."""

from typing import Any

from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError


def closed(e: Equations, stepper: str, choice: Any = None) -> Equations:
    """`e` for the stepper of this name; `choice` is the policy's (independent coordinates)."""
    if not e.Phi.numel():
        return e
    if e.loops is None:
        raise AssemblyError(
            f"{e.name} has closed loops. Say how to close them: assemble(machine, loops=CoordinatePartitioning()), "
            "AugmentedLagrangian() or Penalty()."
        )
    if stepper not in e.loops.admits:
        raise AssemblyError(
            f"{type(e.loops).__name__} does not go with the stepper {stepper!r}: it iterates its multipliers within "
            f"Newton. Use {' or '.join(e.loops.admits)}, or CoordinatePartitioning()."
        )
    return e.loops.close(e, choice)
