"""Signals of time: what a scenario feeds into an input."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import INPUT_UNIT, Declared, Named, ingredients, parameter, structure

NONE = np.empty(0)
"""No instants."""


class Signal(Declared):
    """A function of time in SI, continuous from the right: at an edge it has its new value.

    `signal(t)` and `signal.left(t)` take one instant or an array. A subclass gives `_at`, and
    what it knows of `_edges`, `_kinks`, `_constant` and `_rate`.
    """

    unsaveable: ClassVar[str | None] = None
    """Why a machine file cannot hold this signal, or None."""

    def __call__(self, t: Any) -> Any:
        """Value at t, from the right where it jumps."""
        return self._shaped(t, left=False)

    def left(self, t: Any) -> Any:
        """Value just before t: differs from `signal(t)` only at edges."""
        return self._shaped(t, left=True)

    def edges(self, t0: float, t1: float) -> np.ndarray:
        """Sorted instants in [t0, t1] where the value jumps."""
        return self._edges(t0, t1)

    def kinks(self, t0: float, t1: float) -> np.ndarray:
        """Sorted instants in [t0, t1] where the slope jumps and the value does not."""
        return self._kinks(t0, t1)

    @property
    def constant(self) -> bool:
        """True if nothing changes between edges."""
        return self._constant()

    def derivative(self) -> "Signal":
        """The exact rate of change, a signal; DeclarationError where there is none."""
        return self._rate()

    def _at(self, t: np.ndarray, left: bool) -> np.ndarray:
        return np.zeros_like(t)

    def _edges(self, t0: float, t1: float) -> np.ndarray:
        return NONE

    def _kinks(self, t0: float, t1: float) -> np.ndarray:
        return NONE

    def _constant(self) -> bool:
        return False

    def _rate(self) -> "Signal":
        raise DeclarationError(f"{type(self).__name__} has no rate in closed form. Use Sine, Quintic or Spline.")

    def _shaped(self, t: Any, left: bool) -> Any:
        instants = np.asarray(t, dtype=float)
        values = self._at(instants.ravel(), left).reshape(instants.shape)
        return values if instants.ndim else float(values)

    def __add__(self, other: Any) -> "Signal":
        return Sum(terms={"a": self, "b": as_signal(other)})

    def __sub__(self, other: Any) -> "Signal":
        return self + (-1.0) * as_signal(other)

    def __mul__(self, other: Any) -> "Signal":
        return Product(factors={"a": self, "b": as_signal(other)})

    def __radd__(self, other: Any) -> "Signal":
        return as_signal(other) + self

    def __rsub__(self, other: Any) -> "Signal":
        return as_signal(other) - self

    def __rmul__(self, other: Any) -> "Signal":
        return as_signal(other) * self

    def __neg__(self) -> "Signal":
        return -1.0 * self


class Constant(Signal):
    """The same value for ever."""

    value: float = parameter(INPUT_UNIT, "value", default=0.0)

    def _at(self, t, left):
        return np.full_like(t, self.value)

    def _constant(self):
        return True

    def _rate(self):
        return Constant()


class Function(Signal):
    """Any Python function of time; say where it jumps and the jump acts from exactly there.

    The function is evaluated at the stepper's stage times: with arrays if it can take them,
    else one by one. A jump that is not in `jumps` acts exactly with RK4 if it falls between two
    steps; else it is smeared over one step.

    >>> Function(lambda t: 0.6 * (t >= 1), jumps=[1.0]).left(1.0)
    0.0
    """

    f: Callable[[Any], Any] = structure("function of time")
    jumps: Sequence[float] = parameter("s", "instants where it jumps", shape=(None,), default=())
    unsaveable = "it is a Python function; use Steps, Sine, Table or Quintic instead"

    def __init__(self, f: Callable[[Any], Any], *, jumps: Sequence[float] = ()):
        Declared.__init__(self, f=f, jumps=jumps)

    def check(self):
        """`f` can be called; the jumps are in order."""
        if not callable(self.f):
            raise DeclarationError(f"Function.f = {self.f!r}: must be a function of time")
        increasing(self, self.jumps)

    def _at(self, t, left):
        if left:  # a few roundings before: the end of a step is not always its number times the step
            t = t - 4 * np.spacing(np.abs(t))
        if not t.size:
            return t.copy()
        several = t if t.size > 1 else np.repeat(t, 2)  # a single number would hide that f takes no arrays
        try:
            values = np.asarray(self.f(several), dtype=float)
        except Exception:  # f takes no arrays: below, any error of its own comes up again
            values = NONE
        if values.shape == several.shape:
            return values[: t.size]
        return np.array([self._number(instant) for instant in t.tolist()])

    def _number(self, t: float) -> float:
        value = self.f(t)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise DeclarationError(f"the function gave {value!r} at t = {t:g} s: must be a number") from None

    def _edges(self, t0, t1):
        return between(np.asarray(self.jumps, dtype=float), t0, t1)


class Sum(Signal):
    """The sum of signals, by name."""

    terms: Mapping[str, Signal] = ingredients("signals that are added", default=Named({}))

    def _at(self, t, left):
        return sum((term._at(t, left) for term in self.terms.values()), np.zeros_like(t))

    def _edges(self, t0, t1):
        return merged(term.edges(t0, t1) for term in self.terms.values())

    def _kinks(self, t0, t1):
        return np.setdiff1d(merged(term.kinks(t0, t1) for term in self.terms.values()), self.edges(t0, t1))

    def _constant(self):
        return all(term.constant for term in self.terms.values())

    def _rate(self):
        return Sum(terms={name: term.derivative() for name, term in self.terms.items()})


class Product(Signal):
    """The product of signals, by name."""

    factors: Mapping[str, Signal] = ingredients("signals that are multiplied", default=Named({}))

    def _at(self, t, left):
        return math.prod((factor._at(t, left) for factor in self.factors.values()), start=np.ones_like(t))

    def _edges(self, t0, t1):
        return merged(factor.edges(t0, t1) for factor in self.factors.values())

    def _kinks(self, t0, t1):
        return np.setdiff1d(merged(factor.kinks(t0, t1) for factor in self.factors.values()), self.edges(t0, t1))

    def _constant(self):
        return all(factor.constant for factor in self.factors.values())

    def _rate(self):
        factors = dict(self.factors)
        return Sum(terms={name: Product(factors=factors | {name: factors[name].derivative()}) for name in factors})


def as_signal(value: Any, name: str = "the signal") -> Signal:
    """A number as Constant, a function as Function, a signal as it is; `name` is for messages."""
    if isinstance(value, Signal):
        return value
    if callable(value):
        return Function(value)
    if isinstance(value, (list, tuple, dict)) or getattr(value, "ndim", 0):
        raise DeclarationError(
            f"{name} is a set of values without times. Use Steps(times=..., values=...) to hold each, "
            "or Table(times=..., values=...) to go from one to the next."
        )
    try:
        return Constant(value=float(value))
    except (TypeError, ValueError):
        raise DeclarationError(f"{name} = {value!r}: must be a number, a function of time or a signal") from None


# ------------------------------------------------------------------ what several signals need


def between(instants: np.ndarray, t0: float, t1: float) -> np.ndarray:
    """Those of the sorted instants that lie in [t0, t1]."""
    return instants[np.searchsorted(instants, t0, side="left") : np.searchsorted(instants, t1, side="right")]


def merged(several: Iterable[np.ndarray]) -> np.ndarray:
    """All instants of several arrays, sorted, each once."""
    return np.unique(np.concatenate([NONE, *several]))


def increasing(owner: Signal, times: Sequence[float]) -> None:
    """Refuse instants that are not in strictly rising order."""
    for earlier, later in itertools.pairwise(times):
        if not later > earlier:
            raise DeclarationError(
                f"{type(owner).__name__} has {later:g} s after {earlier:g} s: "
                "its instants must be in rising order, each once"
            )


def same_length(owner: Signal, times: Sequence[float], values: Sequence[float]) -> None:
    """Refuse a table whose columns differ in length or are empty."""
    if len(times) != len(values) or not times:
        raise DeclarationError(
            f"{type(owner).__name__} has {len(times)} times and {len(values)} values: must have as many, at least one"
        )
