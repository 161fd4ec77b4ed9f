"""Waves: sines, sweeps and pulses."""

import math
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import INPUT_UNIT, parameter
from oleodyn.simulation.path import Ramp
from oleodyn.simulation.signal import NONE, Signal, between


class Sine(Signal):
    """offset + amplitude sin(w (t − start) + phase); before `start` it is the offset.

    >>> round(Sine(amplitude=2.0, frequency=0.5)(0.5), 12)
    2.0
    """

    amplitude: float = parameter(INPUT_UNIT, "amplitude", default=1.0)
    frequency: float | None = parameter("Hz", "frequency; give this or w", default=None)
    w: float | None = parameter("rad/s", "angular frequency; give this or frequency", default=None)
    phase: float = parameter("rad", "phase at the start", default=0.0)
    offset: float = parameter(INPUT_UNIT, "mean value", default=0.0)
    start: float | None = parameter("s", "when it begins; none: it never began, phase is that at t = 0", default=None)

    def check(self):
        """One of frequency and w."""
        if (self.frequency is None) == (self.w is None):
            raise DeclarationError("Sine needs frequency [Hz] or w [rad/s], one of the two")

    @property
    def speed(self) -> float:
        """Angular frequency [rad/s]."""
        return self.w if self.w is not None else 2 * math.pi * float(self.frequency or 0.0)

    def _at(self, t, left):
        wave = self.amplitude * np.sin(self.speed * (t - (self.start or 0.0)) + self.phase)
        return self.offset + begun(self.start, t, left) * wave

    def _edges(self, t0, t1):
        return beginning(self.start, t0, t1) if math.sin(self.phase) else NONE

    def _kinks(self, t0, t1):
        return NONE if math.sin(self.phase) else beginning(self.start, t0, t1)

    def _rate(self):
        if self.start is not None:
            steady_start(self)
        return Sine(
            amplitude=self.amplitude * self.speed, w=self.speed, phase=self.phase + math.pi / 2, start=self.start
        )


class Chirp(Signal):
    """A sine whose frequency moves evenly from one value to another, then stays.

    Equations   y = offset + amplitude sin(φ),  φ̇ = 2π f,  f from frequency_0 to frequency_1
    """

    amplitude: float = parameter(INPUT_UNIT, "amplitude", default=1.0)
    frequency_0: float = parameter("Hz", "frequency at the start")
    frequency_1: float = parameter("Hz", "frequency at the end of the sweep and after")
    duration: float = parameter("s", "length of the sweep", above=0)
    phase: float = parameter("rad", "phase at the start", default=0.0)
    offset: float = parameter(INPUT_UNIT, "mean value, and value before the start", default=0.0)
    start: float = parameter("s", "when it begins", default=0.0)

    def _at(self, t, left):
        s = t - self.start
        sweep = np.clip(s, 0.0, self.duration)
        rise = (self.frequency_1 - self.frequency_0) / (2 * self.duration)
        turns = self.frequency_0 * sweep + rise * sweep**2 + self.frequency_1 * np.maximum(s - self.duration, 0.0)
        return self.offset + begun(self.start, t, left) * self.amplitude * np.sin(2 * math.pi * turns + self.phase)

    def _edges(self, t0, t1):
        return beginning(self.start, t0, t1) if math.sin(self.phase) else NONE

    def _kinks(self, t0, t1):
        return NONE if math.sin(self.phase) else beginning(self.start, t0, t1)

    def _rate(self):
        steady_start(self)
        values = {name: getattr(self, name) for name in self.fields}
        wave = Chirp(**values | {"phase": self.phase + math.pi / 2, "offset": 0.0})
        w_0, w_1 = 2 * math.pi * self.frequency_0, 2 * math.pi * self.frequency_1
        return Ramp(start=self.start, duration=self.duration, before=w_0, after=w_1) * wave


class Pulse(Signal):
    """On for a while, once or with a period.

    >>> Pulse(start=1.0, duration=0.5, amplitude=2.0)([0.9, 1.0, 1.4, 1.5]).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """

    start: float = parameter("s", "when it is first switched on", default=0.0)
    duration: float = parameter("s", "how long it is on", above=0)
    amplitude: float = parameter(INPUT_UNIT, "how much it adds while on", default=1.0)
    offset: float = parameter(INPUT_UNIT, "value while off", default=0.0)
    period: float | None = parameter("s", "from one pulse to the next; none: a single pulse", above=0, default=None)

    def check(self):
        """A pulse ends before the next begins."""
        if self.period is not None and not self.period > self.duration:
            raise DeclarationError(
                f"Pulse.period = {self.period:g} s: must be longer than its duration ({self.duration:g} s)"
            )

    def _on(self, k: Any) -> Any:
        """When pulse k is switched on."""
        return self.start + k * (self.period or 0.0)

    def _at(self, t, left):
        passed = np.less if left else np.less_equal
        k = np.zeros_like(t)
        if self.period:
            k = np.floor((t - self.start) / self.period)
            k += passed(self._on(k + 1), t)  # the quotient is rounded: the very edges decide
            k -= ~passed(self._on(k), t)
        on = (k >= 0) & passed(self._on(k), t) & ~passed(self._on(k) + self.duration, t)
        return self.offset + self.amplitude * on

    def _edges(self, t0, t1):
        k = np.zeros(1)
        if self.period:
            first, last = (math.floor((t - self.start) / self.period) for t in (t0, t1))
            k = np.arange(max(first - 1, 0), max(last + 2, 0), dtype=float)
        return between(np.stack([self._on(k), self._on(k) + self.duration], axis=1).ravel(), t0, t1)

    def _constant(self):
        return True


def begun(start: float | None, t: np.ndarray, left: bool) -> Any:
    """Where a signal that begins at `start` is on; with None it always was."""
    if start is None:
        return True
    return t > start if left else t >= start


def beginning(start: float | None, t0: float, t1: float) -> np.ndarray:
    """The instant `start` if it lies in [t0, t1]."""
    return NONE if start is None else between(np.array([start]), t0, t1)


def steady_start(wave: Sine | Chirp) -> None:
    """Refuse a wave that jumps at its start, where it has no rate."""
    if math.sin(wave.phase):
        raise DeclarationError(
            f"{type(wave).__name__}.phase = {wave.phase:g} rad: it jumps at its start and has no rate there. "
            "Use phase 0."
        )
