"""How good a loop is: stability, margins, sensitivity, the response to a step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.control.pid import Gains
from oleodyn.control.plant import Plant

POINTS = 800
"""Frequencies on which a loop is looked at before crossings are refined."""


@dataclass(frozen=True, eq=False)
class Margins:
    """What a loop bears before it becomes unstable; angles in rad, frequencies in rad/s.

    gain_margin       factor by which the loop gain may grow
    gain_reduction    factor by which it may fall (0: any)
    phase_margin      angle by which it may lag more
    delay_margin      further delay it bears [s]
    crossover         where |L| = 1, the highest such frequency
    sensitivity       largest |1 / (1 + L)|: amplification of disturbances at its worst
    bandwidth         where the joint follows its reference with 1/√2
    """

    stable: bool
    gain_margin: float
    gain_reduction: float
    phase_margin: float
    delay_margin: float
    crossover: float
    sensitivity: float
    bandwidth: float


@dataclass(frozen=True, eq=False)
class Step:
    """Response to a step of the reference: times [s], overshoot and command per unit of the step."""

    t: np.ndarray
    q: np.ndarray
    u: np.ndarray

    @property
    def rise_time(self) -> float:
        """From 10 % to 90 %."""
        return self._first(0.9) - self._first(0.1)

    @property
    def overshoot(self) -> float:
        """How far beyond the reference it goes."""
        return max(float(self.q.max()) - 1.0, 0.0)

    @property
    def settling_time(self) -> float:
        """When it stays within 2 %; infinite if it does not within the times looked at."""
        outside = np.flatnonzero(np.abs(self.q - 1) > 0.02)
        if not len(outside):
            return 0.0
        return float(self.t[outside[-1] + 1]) if outside[-1] + 1 < len(self.t) else np.inf

    @property
    def peak_command(self) -> float:
        """Largest command."""
        return float(np.abs(self.u).max())

    def _first(self, level: float) -> float:
        above = np.flatnonzero(self.q >= level)
        if not len(above):
            return np.inf
        k = int(above[0])
        if k == 0:
            return float(self.t[0])
        share = (level - self.q[k - 1]) / (self.q[k] - self.q[k - 1])
        return float(self.t[k - 1] + share * (self.t[k] - self.t[k - 1]))


def margins(plant: Plant, gains: Gains) -> Margins:
    """Margins of a plant under a PID."""

    def loop(w: Any) -> Any:
        return plant.loop(gains, 1j * np.asarray(w))

    w = frequencies(plant)
    L = loop(w)
    crossings = _zeros(lambda w: np.log(np.abs(loop(w))), w, np.log(np.abs(L)))
    phases = [float(np.angle(-loop(c))) for c in crossings]
    factors = _real_factors(plant, gains, w, L)
    worst = int(np.argmin(np.abs(phases))) if phases else -1
    delays = [(phase % (2 * np.pi)) / c for phase, c in zip(phases, crossings, strict=True)]
    follow = np.abs(L / (1 + L))
    passed = np.flatnonzero(follow < np.sqrt(0.5))
    return Margins(
        stable=is_stable(plant, gains),
        gain_margin=min((f for f in factors if f > 1), default=np.inf),
        gain_reduction=max((f for f in factors if f <= 1), default=0.0),
        phase_margin=phases[worst] if phases else np.inf,
        delay_margin=min(delays, default=np.inf),
        crossover=max(crossings, default=0.0),
        sensitivity=float(np.max(1 / np.abs(1 + L))),
        bandwidth=float(w[passed[0]]) if len(passed) else np.inf,
    )


def _real_factors(plant: Plant, gains: Gains, w: np.ndarray, L: np.ndarray) -> list[float]:
    """Factors on the loop gain at which the loop is on its verge: −1 / L where L is real and below 0."""

    def loop(s: complex) -> complex:
        return complex(plant.loop(gains, s))

    verges = [loop(1j * c).real for c in _zeros(lambda w: loop(1j * w).imag, w, np.imag(L))]
    still = np.abs(plant.eigenvalues)
    if gains.K_i == 0 and still.min() > 1e-9 * still.max():
        verges.append(loop(0.0).real)
    if plant.period is not None:  # at half the sampling frequency
        verges.append(loop(1j * np.pi / plant.period).real)
    return [-1 / real for real in verges if real < 0]


def poles(plant: Plant, gains: Gains) -> np.ndarray:
    """Poles of the closed loop, as s [1/s], without those that the plant has by itself.

    (The other joints of an arm creep under gravity however this one is controlled.)
    """
    found = plant.as_s(np.linalg.eigvals(plant.closed(gains)))
    away = np.abs(found[:, None] - plant.eigenvalues).min(axis=1)
    return found[away > 1e-3 * np.abs(np.real(found)) + _noise(plant)]


def is_stable(plant: Plant, gains: Gains) -> bool:
    """Whether the loop settles; drifts that the plant has by itself are not counted."""
    return bool((np.real(poles(plant, gains)) <= _noise(plant)).all())


def settling(plant: Plant, gains: Gains) -> float:
    """How long to watch a step: six times the slowest time constant of the loop [s]."""
    slowest = -np.real(poles(plant, gains)).max(initial=-np.inf)
    return 6 / max(slowest, _noise(plant)) if np.isfinite(slowest) else 1.0


def _noise(plant: Plant) -> float:
    return 1e-9 * float(np.abs(plant.eigenvalues).max())


def step(plant: Plant, gains: Gains, until: float) -> Step:
    """Response to a step of the reference, up to `until` [s]."""
    dt = plant.period if plant.period is not None else until / 2000
    t = dt * np.arange(int(np.ceil(until / dt)) + 1)
    return Step(t, *plant.step_response(gains, t))


def frequencies(plant: Plant) -> np.ndarray:
    """From far below the slowest mode to beyond the fastest, or to half the sampling frequency."""
    modes = np.abs(plant.eigenvalues)
    modes = modes[modes > 1e-6 * modes.max()] if modes.max() > 0 else np.ones(1)
    high = 100 * modes.max() if plant.period is None else np.pi / plant.period * (1 - 1e-9)
    return np.geomspace(min(1e-3 * modes.min(), 1e-4 * high), high, POINTS)


def _zeros(f: Callable[[Any], Any], w: np.ndarray, values: np.ndarray) -> list[float]:
    """Frequencies at which f changes sign, by bisection between grid points."""
    found = []
    for k in np.flatnonzero(values[:-1] * values[1:] < 0):
        low, high, sign = w[k], w[k + 1], np.sign(values[k])
        for _ in range(60):
            middle = np.sqrt(low * high)
            low, high = (middle, high) if np.sign(f(middle)) == sign else (low, middle)
        found.append(float(np.sqrt(low * high)))
    return found
