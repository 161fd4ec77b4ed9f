"""Steppers by the name they have on the command line and in machine files."""

from dataclasses import replace
from typing import Any

from oleodyn.equations.closure.penalty import Penalty
from oleodyn.errors import DeclarationError
from oleodyn.machine.part import nearest
from oleodyn.program.kernels import Stepper
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal

FINE = 1e-12
"""Tolerance of Newton [rad, m] beside a penalty."""
STEPPERS: dict[str, type[Stepper]] = {cls.name: cls for cls in (RK4, AdamsBashforth3, Trapezoidal, HHT, PartitionedHHT)}


def stepper_named(name: str, loops: Any = None) -> Stepper:
    """The stepper of this name with its default parameters; beside a penalty the trapezoidal rule iterates to the end.

    What Newton leaves over is multiplied by the penalty (see `Penalty`).
    """
    if name not in STEPPERS:
        raise DeclarationError(
            f"there is no stepper {name!r}{nearest(name, STEPPERS) or '.'} There are {', '.join(STEPPERS)}."
        )
    made = STEPPERS[name]()
    return replace(made, tolerance=FINE) if isinstance(made, Trapezoidal) and isinstance(loops, Penalty) else made
