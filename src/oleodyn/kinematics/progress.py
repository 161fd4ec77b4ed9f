"""Progress along a path: how far the tool has come at a time."""

import numpy as np

from oleodyn.errors import DeclarationError
from oleodyn.machine.part import INPUT_UNIT, parameter
from oleodyn.simulation.signal import Signal


class Cruise(Signal):
    """From rest to rest over a distance, at constant speed between two ramps.

    Equations   ramp up    v = (speed / 2) (1 − cos(π τ / ramp)),  0 ≤ τ ≤ ramp
                cruise     v = speed;   ramp down as the ramp up, backwards
                it takes distance / speed + ramp

    >>> turn = Cruise(start=5.0, ramp=2.0, speed=7.5, distance=360.0)
    >>> turn([5.0, 7.0, 30.0, 55.0]).tolist(), turn.end
    ([0.0, 7.5, 180.0, 360.0], 55.0)
    """

    start: float = parameter("s", "when it begins to move", default=0.0)
    ramp: float = parameter("s", "how long it gathers speed, and loses it", above=0)
    speed: float = parameter(INPUT_UNIT, "speed between the ramps, per second", above=0)
    distance: float = parameter(INPUT_UNIT, "how far it goes", above=0)

    def check(self):
        """Room for both ramps."""
        if self.distance < self.speed * self.ramp:
            raise DeclarationError(
                f"Cruise.distance = {self.distance:g}: the ramps alone take {self.speed * self.ramp:g}. "
                "Make ramp shorter or speed smaller."
            )

    @property
    def end(self) -> float:
        """When it comes to rest [s]."""
        return self.start + self.distance / self.speed + self.ramp

    def _at(self, t, left):
        tau = np.clip(t, self.start, self.end) - self.start
        rest = self.end - self.start - tau
        gathering, losing = (self._ramped(np.minimum(x, self.ramp)) for x in (tau, rest))
        level = self.speed * (tau - self.ramp / 2)
        return np.where(tau < self.ramp, gathering, np.where(rest < self.ramp, self.distance - losing, level))

    def _ramped(self, tau):
        return self.speed / 2 * (tau - self.ramp / np.pi * np.sin(np.pi * tau / self.ramp))
