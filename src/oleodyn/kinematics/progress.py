"""Progress along a path: how far the tool has come at a time."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import Declared, parameter


class Progress(Declared, ABC):
    """A distance over time, from rest at 0 to rest at `distance`: an angle, a length or a count."""

    start: float = parameter("s", "when it begins to move", default=0.0)
    distance: float = parameter("rad|m|-", "how far it goes", above=0)

    @property
    @abstractmethod
    def end(self) -> float:
        """When it has arrived [s]."""

    @abstractmethod
    def along(self, tau: np.ndarray) -> np.ndarray:
        """How far it has come at a time tau after its start, 0 ≤ tau ≤ end − start."""

    def __call__(self, t: Any) -> np.ndarray:
        """How far it has come at times t."""
        return self.along(np.clip(np.asarray(t, dtype=float), self.start, self.end) - self.start)


class SteadyProgress(Progress):
    """At constant speed from the first instant to the last.

    >>> SteadyProgress(speed=0.2e-3, distance=0.08)([0.0, 100.0, 500.0]).tolist()
    [0.0, 0.02, 0.08]
    """

    speed: float = parameter("rad/s|m/s|1/s", "speed", above=0)

    @property
    def end(self) -> float:
        """When it has arrived [s]."""
        return self.start + self.distance / self.speed

    def along(self, tau: np.ndarray) -> np.ndarray:
        """speed · tau."""
        return self.speed * tau


class CruiseProgress(Progress):
    """From rest to rest, at constant speed between two ramps.

    Equations   ramp up    v = (speed / 2) (1 − cos(π τ / ramp)),  0 ≤ τ ≤ ramp
                cruise     v = speed;   ramp down as the ramp up, backwards
                it takes distance / speed + ramp

    >>> turn = CruiseProgress(start=5.0, ramp=2.0, speed=7.5, distance=360.0)
    >>> turn([5.0, 7.0, 30.0, 55.0]).tolist(), turn.end
    ([0.0, 7.5, 180.0, 360.0], 55.0)
    """

    ramp: float = parameter("s", "how long it gathers speed, and loses it", above=0)
    speed: float = parameter("rad/s|m/s|1/s", "speed between the ramps", above=0)

    def check(self):
        """Room for both ramps."""
        if self.distance < self.speed * self.ramp:
            raise DeclarationError(
                f"CruiseProgress.distance = {self.distance:g}: the ramps alone take {self.speed * self.ramp:g}. "
                "Make ramp shorter or speed smaller."
            )

    @property
    def end(self) -> float:
        """When it has arrived [s]."""
        return self.start + self.distance / self.speed + self.ramp

    def along(self, tau: np.ndarray) -> np.ndarray:
        """The integral of the speed."""
        rest = self.end - self.start - tau
        gathering, losing = (self._ramped(np.minimum(x, self.ramp)) for x in (tau, rest))
        level = self.speed * (tau - self.ramp / 2)
        return np.where(tau < self.ramp, gathering, np.where(rest < self.ramp, self.distance - losing, level))

    def _ramped(self, tau: np.ndarray) -> np.ndarray:
        return self.speed / 2 * (tau - self.ramp / np.pi * np.sin(np.pi * tau / self.ramp))


class QuinticProgress(Progress):
    """From rest to rest in a given time, speed and acceleration 0 at both ends (quintic).

    Equations   distance (10 s³ − 15 s⁴ + 6 s⁵),  s = τ / duration

    >>> QuinticProgress(duration=2.0, distance=1.0)([0.0, 0.5, 1.0, 2.0]).tolist()
    [0.0, 0.103515625, 0.5, 1.0]
    """

    duration: float = parameter("s", "how long it takes", above=0)

    @property
    def end(self) -> float:
        """When it has arrived [s]."""
        return self.start + self.duration

    def along(self, tau: np.ndarray) -> np.ndarray:
        """The quintic."""
        s = tau / self.duration
        return self.distance * s**3 * (10 - 15 * s + 6 * s * s)
