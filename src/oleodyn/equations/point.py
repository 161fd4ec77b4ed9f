"""Points: one set of values for everything in the equations that is not derived."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from oleodyn.equations.equations import Equations
from oleodyn.errors import DataError
from oleodyn.machine.part import nearest


@dataclass(frozen=True, eq=False)
class Point:
    """Time, coordinates, speeds, first-order and sampled states, inputs, tunables, in SI."""

    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    z: np.ndarray
    u: np.ndarray
    p: np.ndarray
    t: float = 0.0

    def arguments(self, e: Equations) -> list[Any]:
        """In the order (t, q, v, x, z, u, p)."""
        return [self.t, self.q, self.v, self.x, self.z, self.u, self.p]

    def values(self, e: Equations) -> dict[str, float]:
        """Everything by name."""
        cards = {name: getattr(e, f"{name}_signals") for name in "qvxzup"}
        return {
            card.name: float(value)
            for name, signals in cards.items()
            for card, value in zip(signals, getattr(self, name), strict=True)
        }

    def changed(self, e: Equations, values: Mapping[str, float]) -> "Point":
        """The point with some values replaced, by name, alias or unique ending."""
        arrays = {name: getattr(self, name).copy() for name in "qvxzup"}
        places = {card.name: (name, i) for name in "qvxzup" for i, card in enumerate(getattr(e, f"{name}_signals"))}
        for given, value in values.items():
            name = e.aliases.get(given, given)
            hits = [known for known in places if known == name] or [k for k in places if k.endswith("." + name)]
            if len(hits) != 1:
                raise DataError(f"{e.name} has {len(hits) or 'no'} values {given!r}{nearest(given, places)}")
            which, row = places[hits[0]]
            arrays[which][row] = value
        return replace(self, **arrays)


def point_of(e: Equations, point: Point | Mapping[str, float] | None = None) -> Point:
    """The machine's start, with the values given in place of its own."""
    if isinstance(point, Point):
        return point
    arrays: dict[str, Any] = {name: np.array(getattr(e, f"{name}_0"), dtype=float) for name in "qvxzup"}
    start = Point(**arrays)
    return start.changed(e, point or {})
