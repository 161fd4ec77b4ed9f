"""oleodyn simulates hydraulically actuated machines; here are its public names.

Nothing is executed and nothing heavy is imported until a name is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same table, for editors and type checkers
    from oleodyn.errors import OleodynError as OleodynError
    from oleodyn.machine.machine import Machine as Machine
    from oleodyn.machine.part import Part as Part
else:
    _home = {
        "Machine": "oleodyn.machine.machine",
        "OleodynError": "oleodyn.errors",
        "Part": "oleodyn.machine.part",
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
