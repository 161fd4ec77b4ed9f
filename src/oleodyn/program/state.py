"""State: the only mutable numbers of a simulation."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.machine.part import check_bounds, nearest

if TYPE_CHECKING:
    from oleodyn.program.program import Program


class State:
    """Where one simulation stands: time, states, inputs, tunables, the stepper's memory.

    `state["valve.u"]` reads and `state["valve.u"] = 0.3` sets a state, an input or a tunable by
    name; a pressure reads as the parts see it, never below its floor. Everything needed to go on bit
    for bit is in here; `copy`, `==` and `save` see all of it.
    """

    def __init__(self, program: "Program"):
        kernels, equations = program.kernels, program.equations
        self.program = program
        self.y = np.zeros(kernels.size)
        self.p = equations.p_0.copy()
        self.u = np.tile(equations.u_0, len(kernels.stages))
        self.k = 0
        self.t_0 = 0.0
        self.dt = 0.0
        self.h = 0.0
        """Size of the last step, for steppers with a past."""
        self.samples = np.zeros(len(equations.samplers), dtype=np.int64)
        self.choice = program.choice
        """The independent coordinates in use, where the policy for loops has such a choice."""
        self.stale = True
        """True when a value was set by hand: the stepper's memory is made anew before the next step."""
        self.jumped = False
        """True when an input was set by hand."""
        self.given: set[str] = set()
        """States set by hand since then: kept where closed loops have to be closed."""
        self.caller: Any = None
        """The call that steps this state, once it has been prepared."""
        for name in "qvxz":
            self.y[kernels.block(name).slice] = getattr(equations, f"{name}_0")

    @property
    def t(self) -> float:
        """Time: t_0 + k dt, never accumulated."""
        return self.t_0 + self.k * self.dt

    def pace(self, dt: float) -> bool:
        """Count time in steps of dt from here on; True if that is a change of step."""
        if dt == self.dt:
            return False
        changed = self.dt != 0.0
        self.t_0, self.k, self.dt = self.t, 0, dt
        return changed

    def __getitem__(self, name: str) -> float:
        array, row = self._place(name)
        value = float(array[row])
        floor = self.program.floors.get(self.program.canonical(name))
        return value if floor is None else max(value, floor(self.p))

    def __setitem__(self, name: str, value: float) -> None:
        array, row = self._place(name)
        if not math.isfinite(value):
            raise DataError(f"{name} = {value}: must be a finite number")
        if array is self.u:
            every = self.u[row :: self.program.equations.u.numel()]
            self.jumped = self.jumped or bool(np.any(every != value))
            every[:] = value
        else:
            if array is self.p:
                check_bounds(name, self.program.equations.p_specs[row], value)
            array[row] = value
            self.given.add(self.program.canonical(name))
            self.stale = True

    def _place(self, name: str) -> tuple[np.ndarray, int]:
        places = self.program.places
        canonical = self.program.canonical(name)
        if canonical not in places:
            raise DataError(
                f"{self.program.equations.name} has no state, input or tunable {name!r}{nearest(name, places)}. "
                f"It has {', '.join(places)}."
            )
        which, row = places[canonical]
        return {"y": self.y, "u": self.u, "p": self.p}[which], row

    def copy(self) -> "State":
        """An independent state with the same numbers."""
        copy = State(self.program)
        for name, value in self.numbers().items():
            setattr(copy, name, value.copy() if isinstance(value, np.ndarray) else value)
        return copy

    def numbers(self) -> dict[str, Any]:
        """Everything that makes this state what it is."""
        names = ("y", "p", "u", "k", "t_0", "dt", "h", "samples", "choice", "stale", "jumped")
        return {name: getattr(self, name) for name in names}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        mine, theirs = self.numbers(), other.numbers()
        return all(np.array_equal(mine[name], theirs[name], equal_nan=name == "y") for name in mine)

    def __repr__(self):
        return f"State({self.program.equations.name!r} at t = {self.t:g} s)"
