"""Paths: steps, lines and curves through given points, with exact rates of change."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import INPUT_UNIT, parameter, structure
from oleodyn.simulation.signal import NONE, Signal, between, increasing, same_length


class Pieces(Signal):
    """A polynomial of time between each two instants; the first and the last never end.

    Equations   y = Σ_k coefficients[i, k] (t − times[i − 1])^k   for times[i − 1] ≤ t < times[i]
    """

    times: Sequence[float] = parameter("s", "instants where pieces meet", shape=(None,))
    coefficients: Sequence[Sequence[float]] = parameter(
        INPUT_UNIT, "row i: piece i in ascending powers of the time since it began", shape=(None, None)
    )
    smooth: int = structure("how many derivatives are continuous where pieces meet; −1: the value jumps", default=-1)

    def check(self):
        """One more piece than instants."""
        increasing(self, self.times)
        if len(self.coefficients) != len(self.times) + 1:
            raise DeclarationError(
                f"Pieces has {len(self.coefficients)} rows of coefficients for {len(self.times)} times: "
                "must have one row more than times"
            )

    @cached_property
    def _arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Instants, origin of each piece, coefficients."""
        times = np.asarray(self.times, dtype=float)
        return times, np.concatenate([times[:1] if len(times) else [0.0], times]), np.asarray(self.coefficients)

    def _at(self, t, left):
        times, origins, coefficients = self._arrays
        i = np.searchsorted(times, t, side="left" if left else "right")
        s, c = t - origins[i], coefficients[i]
        value = c[:, -1].copy()
        for k in range(c.shape[1] - 2, -1, -1):
            value = value * s + c[:, k]
        return value

    def _edges(self, t0, t1):
        return between(self._arrays[0], t0, t1) if self.smooth == -1 else NONE

    def _kinks(self, t0, t1):
        return between(self._arrays[0], t0, t1) if self.smooth == 0 else NONE

    def _constant(self):
        return not np.any(self._arrays[2][:, 1:])

    def _rate(self):
        if self.smooth < 0 and self.times:
            raise DeclarationError(
                f"the signal jumps at t = {self.times[0]:g} s, so it has no rate. Use Ramp or Quintic."
            )
        c = self._arrays[2]
        slopes = c[:, 1:] * np.arange(1, c.shape[1]) if c.shape[1] > 1 else 0 * c
        return Pieces(times=self.times, coefficients=slopes.tolist(), smooth=self.smooth - 1)


class Piecewise(Signal):
    """A signal that says itself in `_pieces`."""

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(times=[], coefficients=[[0.0]])

    def _at(self, t, left):
        return self._pieces._at(t, left)

    def _edges(self, t0, t1):
        return self._pieces.edges(t0, t1)

    def _kinks(self, t0, t1):
        return self._pieces.kinks(t0, t1)

    def _constant(self):
        return self._pieces.constant

    def _rate(self):
        return self._pieces.derivative()


class Steps(Piecewise):
    """Jumps to each value at its instant and holds it.

    >>> Steps(times=[1.0, 3.0], values=[0.6, 0.0])([0.5, 1.0, 2.0, 3.0]).tolist()
    [0.0, 0.6, 0.6, 0.0]
    """

    times: Sequence[float] = parameter("s", "instants of the jumps", shape=(None,))
    values: Sequence[float] = parameter(INPUT_UNIT, "value from each instant on", shape=(None,))
    before: float = parameter(INPUT_UNIT, "value before the first instant", default=0.0)

    def check(self):
        """A value for each instant."""
        same_length(self, self.times, self.values)
        increasing(self, self.times)

    @cached_property
    def _pieces(self):
        return Pieces(times=self.times, coefficients=[[value] for value in (self.before, *self.values)])


class Ramp(Piecewise):
    """Straight from one value to another.

    >>> Ramp(start=1.0, duration=2.0, after=0.6)([0.0, 2.0, 5.0]).tolist()
    [0.0, 0.3, 0.6]
    """

    start: float = parameter("s", "when it begins to move", default=0.0)
    duration: float = parameter("s", "how long it moves", above=0)
    before: float = parameter(INPUT_UNIT, "value until the start", default=0.0)
    after: float = parameter(INPUT_UNIT, "value after the end", default=1.0)

    @cached_property
    def _pieces(self):
        return straight((self.start, self.start + self.duration), (self.before, self.after))


class Table(Piecewise):
    """Straight from point to point; the first and the last value hold outside.

    >>> Table(times=[0.0, 2.0, 3.0], values=[1.0, 5.0, 5.0])([-1.0, 1.0, 2.5]).tolist()
    [1.0, 3.0, 5.0]
    """

    times: Sequence[float] = parameter("s", "instants of the points", shape=(None,))
    values: Sequence[float] = parameter(INPUT_UNIT, "value at each instant", shape=(None,))

    def check(self):
        """A value for each instant."""
        same_length(self, self.times, self.values)
        increasing(self, self.times)

    @cached_property
    def _pieces(self):
        return straight(self.times, self.values)


class Spline(Piecewise):
    """The cubic spline through points, at rest at the first and at the last, where it holds.

    Equations   cubic between points, value, rate and second derivative continuous;
                rate 0 at both ends, so value and rate are continuous there too
    """

    times: Sequence[float] = parameter("s", "instants of the points", shape=(None,))
    values: Sequence[float] = parameter(INPUT_UNIT, "value at each instant", shape=(None,))

    def check(self):
        """A value for each instant."""
        same_length(self, self.times, self.values)
        increasing(self, self.times)

    @cached_property
    def _pieces(self):
        h, y = np.diff(self.times), np.asarray(self.values)
        rise = np.diff(y) / h
        m = clamped_slopes(h, rise)
        c = np.zeros((len(y) + 1, 4))
        c[0, 0], c[1:, 0] = y[0], y
        c[1:-1, 1] = m[:-1]
        c[1:-1, 2] = (3 * rise - 2 * m[:-1] - m[1:]) / h
        c[1:-1, 3] = (m[:-1] + m[1:] - 2 * rise) / h**2
        return Pieces(times=self.times, coefficients=c.tolist(), smooth=1)


class Quintic(Piecewise):
    """From rest to rest through way-points: rate and acceleration are zero at each.

    Equations   y = y_i + (y_{i+1} − y_i) (10 s³ − 15 s⁴ + 6 s⁵),  s = (t − t_i) / duration_i

    >>> Quintic(points=[0.0, 1.0, 0.5], durations=[2.0, 1.0], start=1.0)([1.0, 2.0, 3.0, 9.0]).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """

    points: Sequence[float] = parameter(INPUT_UNIT, "way-points, in order", shape=(None,))
    durations: Sequence[float] = parameter("s", "time from each way-point to the next", above=0, shape=(None,))
    start: float = parameter("s", "when it leaves the first way-point", default=0.0)

    def check(self):
        """A duration from each way-point to the next."""
        if len(self.points) != len(self.durations) + 1:
            raise DeclarationError(
                f"Quintic has {len(self.points)} points and {len(self.durations)} durations: "
                "must have one duration from each point to the next"
            )

    @cached_property
    def _pieces(self):
        y, T = np.asarray(self.points), np.asarray(self.durations)
        c = np.zeros((len(y) + 1, 6))
        c[0, 0], c[1:, 0] = y[0], y
        for power, factor in ((3, 10), (4, -15), (5, 6)):
            c[1:-1, power] = factor * np.diff(y) / T**power
        times = self.start + np.concatenate([[0.0], np.cumsum(T)])
        return Pieces(times=times.tolist(), coefficients=c.tolist(), smooth=2)


def straight(times: Sequence[float], values: Sequence[float]) -> Pieces:
    """Straight lines between points, held outside."""
    c = np.zeros((len(times) + 1, 2))
    c[0, 0], c[1:, 0] = values[0], values
    c[1:-1, 1] = np.diff(values) / np.diff(times)
    return Pieces(times=times, coefficients=c.tolist(), smooth=0)


def clamped_slopes(h: np.ndarray, rise: np.ndarray) -> np.ndarray:
    """Slopes at the points of a cubic spline that is at rest at both ends.

    Equations   h[i+1] m[i] + 2 (h[i] + h[i+1]) m[i+1] + h[i] m[i+2] = 3 (h[i+1] rise[i] + h[i] rise[i+1])
    """
    n = len(h) - 1
    m = np.zeros(len(h) + 1)
    diagonal, upper = 2 * (h[:-1] + h[1:]), h[:-1]
    right = 3 * (h[1:] * rise[:-1] + h[:-1] * rise[1:])
    for i in range(1, n):
        factor = h[i + 1] / diagonal[i - 1]
        diagonal[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    for i in range(n - 1, -1, -1):
        m[i + 1] = (right[i] - upper[i] * m[i + 2]) / diagonal[i]
    return m
