"""The studies by name."""

from collections.abc import Callable
from importlib import import_module

from oleodyn.errors import DataError
from oleodyn.machine.part import nearest
from oleodyn.studies.study import Study

STUDIES: dict[str, str] = {
    "pipe-cutter-open-loop": "oleodyn.studies.pipe_cutter_open_loop",
    "pipe-cutter-circle": "oleodyn.studies.pipe_cutter_circle",
    "pipe-cutter-cut": "oleodyn.studies.pipe_cutter_cut",
    "pipe-cutter-real-time": "oleodyn.studies.pipe_cutter_real_time",
    "hydm-inverse": "oleodyn.studies.hydm_inverse",
    "friction-bench": "oleodyn.studies.friction_bench",
    "formulations": "oleodyn.studies.formulations",
    "formulations-3d": "oleodyn.studies.formulations_3d",
    "friction": "oleodyn.studies.friction",
    "loop-benchmarks": "oleodyn.studies.loop_benchmarks",
}
"""study name → the module whose `study(progress)` does it"""


def study(name: str) -> Callable[[Callable[[float], None]], Study]:
    """The function that does a study: study(name)(progress)."""
    if name not in STUDIES:
        raise DataError(
            f"there is no study {name!r}{nearest(name, STUDIES) or '.'} There are {', '.join(STUDIES) or 'none'}."
        )
    return import_module(STUDIES[name]).study


def about(name: str) -> str:
    """The first sentence of a study's module, without the name it may begin with."""
    return (import_module(STUDIES[name]).__doc__ or "").partition("\n")[0].removeprefix(f"{name}: ")
