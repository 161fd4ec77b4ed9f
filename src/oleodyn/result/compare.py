"""Comparing results: how far two runs, or a run and a measurement, are apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from oleodyn.errors import DataError
from oleodyn.result.result import Result


@dataclass(frozen=True)
class Difference:
    """How far one signal is from its reference, in SI.

    max, at    largest deviation and when it occurs
    rms        root of the mean square deviation over time
    span       largest minus smallest value of the reference
    """

    name: str
    unit: str
    max: float
    at: float
    rms: float
    span: float

    @property
    def relative(self) -> float:
        """Largest deviation as part of the span; nan where the reference does not move."""
        return self.max / self.span if self.span else (0.0 if self.max == 0.0 else float("nan"))


@dataclass(frozen=True)
class Comparison:
    """The differences of all signals that two results share."""

    differences: tuple[Difference, ...]

    def __getitem__(self, name: str) -> Difference:
        for difference in self.differences:
            if difference.name == name:
                return difference
        raise DataError(f"{name!r} was not compared; compared were {', '.join(d.name for d in self.differences)}")

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    @property
    def worst(self) -> Difference:
        """The difference that is largest as part of its span."""
        return max(self.differences, key=lambda d: d.relative if d.relative == d.relative else float("inf"))

    def table(self) -> str:
        """The comparison as text, a line for each signal."""
        width = max(6, *(len(d.name) for d in self.differences))
        lines = [f"{'signal':<{width}}  {'max':>11} {'at':>9}  {'rms':>11}  {'of span':>9}"]
        for d in self.differences:
            lines.append(
                f"{d.name:<{width}}  {d.max:>11.3e} {d.at:>7.3f} s  {d.rms:>11.3e}  {d.relative:>9.2e}  {d.unit}"
            )
        return "\n".join(lines)

    __str__ = table


def compare(result: Result, reference: Result, names: Sequence[str] | None = None) -> Comparison:
    """How far `result` is from `reference`, over the time that both cover.

    Both are taken at the instants of the coarser of the two; the finer is interpolated linearly.
    Without `names`, all signals that both have under the same full name are compared.
    """
    if names is None:
        names = [name for name in result if name in reference.signals]
    if not names:
        raise DataError("the two results have no signal in common, so there is nothing to compare. Give names.")
    t = common_instants(result.time, reference.time)
    differences: list[Difference] = []
    for name in names:
        full, unit = result.resolve(name), result.unit(name)
        if reference.unit(name) != unit:
            raise DataError(f"{name} is in {unit} in one result and in {reference.unit(name)} in the other")
        expected = _taken(reference.time, reference.values(name), t)
        apart = np.abs(_taken(result.time, result.values(name), t) - expected)
        worst = int(np.argmax(apart))
        differences.append(
            Difference(full, unit, float(apart[worst]), float(t[worst]), _rms(t, apart), float(np.ptp(expected)))
        )
    return Comparison(tuple(differences))


def observed_order(errors: Sequence[float], steps: Sequence[float]) -> float:
    """The power p in error = C · stepᵖ that fits best: the order of a method, as observed.

    >>> round(observed_order([3.2e-3, 8e-4, 2e-4], [0.04, 0.02, 0.01]), 12)
    2.0
    """
    x, y = np.asarray(steps, dtype=float), np.asarray(errors, dtype=float)
    if x.shape != y.shape or len(x) < 2 or not (np.all(x > 0) and np.all(y > 0)):
        raise DataError("an order needs two or more errors and as many steps, all above 0")
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def common_instants(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Instants of the coarser of two grids, within the time that both cover."""
    if not len(a) or not len(b):
        raise DataError("a result without instants cannot be compared")
    start, end = max(a[0], b[0]), min(a[-1], b[-1])
    slack = 1e-9 * max(abs(start), abs(end))
    inside = [t[(t >= start - slack) & (t <= end + slack)] for t in (a, b)]
    coarser = min(inside, key=len)
    if not len(coarser):
        raise DataError(f"the results cover different times: {a[0]:g} … {a[-1]:g} s and {b[0]:g} … {b[-1]:g} s")
    return coarser


def _taken(time: np.ndarray, values: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Values at t; an instant of the grid (but for rounding) gives its very value."""
    at = np.clip(np.searchsorted(time, t), 1, max(len(time) - 1, 1)) if len(time) > 1 else np.zeros(len(t), dtype=int)
    nearer = np.where(np.abs(time[at - 1] - t) < np.abs(time[at] - t), at - 1, at) if len(time) > 1 else at
    exact = np.abs(time[nearer] - t) <= 1e-9 * np.maximum(np.abs(t), 1e-3)
    return np.where(exact, values[nearer], np.interp(t, time, values))


def _rms(t: np.ndarray, apart: np.ndarray) -> float:
    if len(t) < 2 or t[-1] == t[0]:
        return float(np.sqrt(np.mean(apart**2)))
    return float(np.sqrt(np.trapezoid(apart**2, t) / (t[-1] - t[0])))
