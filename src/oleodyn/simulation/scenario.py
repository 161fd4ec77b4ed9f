"""Scenarios: which signal drives which input, for how long, from where."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Declared, Named, ingredients, nearest, parameter, structure
from oleodyn.simulation.signal import Signal, as_signal, merged


class Scenario(Declared):
    """What a machine is asked to do: a signal of time for each input it drives.

    >>> Scenario.of({"valve.u": 0.6, "pump.n": lambda t: 150.0 * (t >= 1)}).signals["valve.u"](3.0)
    0.6
    """

    text: str = structure("what happens, in a sentence", default="")
    signals: Mapping[str, Signal] = ingredients("a signal of time for each input, by its path", default=Named({}))
    until: float | None = parameter("s", "end of the run; none: the machine's", above=0, default=None)
    dt: float | None = parameter("s", "step; none: the machine's", above=0, default=None)
    start: Mapping[str, float] = structure(
        "initial values by path, in place of the machine's", default=Named({}), by_signal=True
    )
    changes: Mapping[str, float] = structure(
        "parameters by path, in place of the machine's", default=Named({}), by_signal=True
    )

    @classmethod
    def of(cls, value: "Scenario | Mapping[str, Any] | None", **values: Any) -> "Scenario":
        """A scenario from a dict of path: number, function or signal; a scenario as it is."""
        if isinstance(value, Scenario):
            return value
        if value is not None and not isinstance(value, Mapping):
            raise DeclarationError(f"inputs = {value!r}: must be a dict of input: number, function of time or signal")
        return cls(signals={name: as_signal(signal, name) for name, signal in (value or {}).items()}, **values)

    def check(self):
        """Signals are signals, initial values are numbers."""
        for name, signal in self.signals.items():
            if not isinstance(signal, Signal):
                raise DeclarationError(f"Scenario.signals: {name} = {signal!r}: must be a signal of time")
        for field in ("start", "changes"):
            numbers = {name: as_signal(x, f"{field}: {name}")(0.0) for name, x in getattr(self, field).items()}
            object.__setattr__(self, field, Named(numbers))

    def with_inputs(self, inputs: "Scenario | Mapping[str, Any] | None") -> "Scenario":
        """A copy in which the signals of `inputs` come in place of, or beside, these."""
        signals = {**self.signals, **Scenario.of(inputs).signals}
        return Scenario(
            text=self.text, signals=signals, until=self.until, dt=self.dt, start=self.start, changes=self.changes
        )

    def resolved(self, inputs: Collection[str], aliases: Mapping[str, str]) -> dict[str, Signal]:
        """The signals by canonical input name; an unknown name is an error with the nearest."""
        found: dict[str, Signal] = {}
        for name, signal in self.signals.items():
            canonical = name if name in inputs else aliases.get(name, name)
            if canonical not in inputs:
                raise DeclarationError(
                    f"the scenario drives {name!r}, which is no input{nearest(name, [*inputs, *aliases]) or '.'} "
                    f"The inputs are {', '.join(inputs) or 'none'}."
                )
            if canonical in found:
                raise DeclarationError(f"the scenario drives {canonical} twice, once as {name!r}. Keep one of them.")
            found[canonical] = signal
        return found

    def edges(self, t0: float, t1: float) -> np.ndarray:
        """Sorted instants in [t0, t1] where any signal jumps."""
        return merged(signal.edges(t0, t1) for signal in self.signals.values())

    @property
    def constant(self) -> bool:
        """True if no signal changes between edges."""
        return all(signal.constant for signal in self.signals.values())


def values_at(
    signals: Sequence[Signal | None], default: Sequence[float] | np.ndarray, t: Any, left: Any = False
) -> np.ndarray:
    """A row for each instant, a column for each signal (its default where None).

    `left` is a flag for each instant, or one for all: take the value from the left.

    >>> values_at([None, as_signal(2.5)], [0.1, 0.0], [0.0, 1.0]).tolist()
    [[0.1, 2.5], [0.1, 2.5]]
    """
    instants = np.asarray(t, dtype=float)
    left = np.broadcast_to(np.asarray(left, dtype=bool), instants.shape)
    rows = np.empty((len(instants), len(signals)))
    for j, signal in enumerate(signals):
        if signal is None:
            rows[:, j] = default[j]
            continue
        rows[:, j] = signal(instants)
        if left.any():
            rows[left, j] = signal.left(instants[left])
    return rows
