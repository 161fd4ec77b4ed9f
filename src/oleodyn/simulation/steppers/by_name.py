"""Steppers by the name they have on the command line and in machine files."""

from dataclasses import replace
from typing import Any

from oleodyn.equations.closure.penalty import Penalty
from oleodyn.program.kernels import Stepper
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.simulation.steppers.worded import worded

FINE = 1e-12
"""Tolerance of Newton [rad, m] beside a penalty."""
STEPPERS: dict[str, type[Stepper]] = {cls.name: cls for cls in (RK4, AdamsBashforth3, Trapezoidal, HHT, PartitionedHHT)}


def stepper_named(name: str, loops: Any = None) -> Stepper:
    """The stepper of this name, "hht" or "hht(alpha=-0.05)".

    Beside a penalty the plain trapezoidal rule iterates to the end: what Newton leaves over is multiplied by it.
    """
    made = worded(name, STEPPERS, "stepper")
    return replace(made, tolerance=FINE) if made == Trapezoidal() and isinstance(loops, Penalty) else made
