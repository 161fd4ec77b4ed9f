"""oleodyn simulates hydraulically actuated machines; here are its public names.

Nothing is executed and nothing heavy is imported until a name is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same table, for editors and type checkers
    from oleodyn.catalogue.shelf import load as load
    from oleodyn.equations.assemble import assemble as assemble
    from oleodyn.equations.check import check_part as check_part
    from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian as AugmentedLagrangian
    from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning as CoordinatePartitioning
    from oleodyn.equations.closure.penalty import Penalty as Penalty
    from oleodyn.errors import OleodynError as OleodynError
    from oleodyn.errors import StepError as StepError
    from oleodyn.kinematics.kinematics import Kinematics as Kinematics
    from oleodyn.machine.machine import Machine as Machine
    from oleodyn.machine.part import Part as Part
    from oleodyn.program.compile import compile as compile
    from oleodyn.result.drawing import draw as draw
    from oleodyn.result.report import report as report
    from oleodyn.result.result import Result as Result
    from oleodyn.simulation.batch import Batch as Batch
    from oleodyn.simulation.run import run as run
    from oleodyn.simulation.run import simulate as simulate
    from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3 as AdamsBashforth3
    from oleodyn.simulation.steppers.hht import HHT as HHT
    from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT as PartitionedHHT
    from oleodyn.simulation.steppers.rk4 import RK4 as RK4
    from oleodyn.simulation.steppers.trapezoidal import Trapezoidal as Trapezoidal
else:
    _home = {
        "AdamsBashforth3": "oleodyn.simulation.steppers.adams_bashforth",
        "AugmentedLagrangian": "oleodyn.equations.closure.augmented_lagrangian",
        "Batch": "oleodyn.simulation.batch",
        "CoordinatePartitioning": "oleodyn.equations.closure.coordinate_partitioning",
        "HHT": "oleodyn.simulation.steppers.hht",
        "Kinematics": "oleodyn.kinematics.kinematics",
        "Machine": "oleodyn.machine.machine",
        "OleodynError": "oleodyn.errors",
        "Part": "oleodyn.machine.part",
        "PartitionedHHT": "oleodyn.simulation.steppers.partitioned_hht",
        "Penalty": "oleodyn.equations.closure.penalty",
        "RK4": "oleodyn.simulation.steppers.rk4",
        "Result": "oleodyn.result.result",
        "StepError": "oleodyn.errors",
        "Trapezoidal": "oleodyn.simulation.steppers.trapezoidal",
        "assemble": "oleodyn.equations.assemble",
        "check_part": "oleodyn.equations.check",
        "compile": "oleodyn.program.compile",
        "draw": "oleodyn.result.drawing",
        "load": "oleodyn.catalogue.shelf",
        "report": "oleodyn.result.report",
        "run": "oleodyn.simulation.run",
        "simulate": "oleodyn.simulation.run",
    }
    """public name → the module it lives in"""
    __all__ = list(_home)

    def __getattr__(name: str) -> Any:
        if name not in _home:
            raise AttributeError(f"oleodyn has no {name!r}. Its names are {', '.join(_home)}.")
        value = globals()[name] = getattr(import_module(_home[name]), name)
        return value

    def __dir__() -> list[str]:
        return __all__
