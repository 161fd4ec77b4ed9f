"""Closing: the equations as a stepper wants them, loops dealt with by their policy."""

from typing import Any

from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError


def closed(e: Equations, stepper: str, choice: Any = None) -> Equations:
    """`e` for the stepper of this name; `choice` is the policy's (independent coordinates)."""
    check_policy(e, stepper)
    return e.loops.close(e, choice) if e.Phi.numel() else e


def check_policy(e: Equations, stepper: str) -> None:
    """Refuse loops that nothing closes, and a policy that does not go with the stepper of this name."""
    if not e.Phi.numel():
        return
    if e.loops is None:
        raise AssemblyError(
            f"{e.name} has closed loops. Say how to close them: --loops partitioning (or augmented-lagrangian, "
            "penalty) on the command line, 'loops: partitioning' under 'run' in a machine file, "
            "assemble(machine, loops=CoordinatePartitioning()) in Python."
        )
    if stepper not in e.loops.admits:
        raise AssemblyError(
            f"{type(e.loops).__name__} does not go with the stepper {stepper!r}: it iterates its multipliers within "
            f"Newton. Use {' or '.join(e.loops.admits)}, or CoordinatePartitioning()."
        )
