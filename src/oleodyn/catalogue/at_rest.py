"""What holds a mechanism at rest: the efforts of gravity that its drives must give."""

from collections.abc import Sequence
from typing import Any

from oleodyn.equations.bind import bind
from oleodyn.mechanics.mechanism import Mechanism


def gravity(mechanism: Mechanism, q: Sequence[float]) -> list[float]:
    """Torque (force of a slide) that each coordinate needs to stay at q, nothing else acting [N·m, N].

    >>> from oleodyn.mechanics.body import Body
    >>> from oleodyn.mechanics.joint import Revolute
    >>> level = Revolute(child="rod", axis=(0.0, -1.0, 0.0))
    >>> rod = Mechanism(bodies={"rod": Body(mass=2.0, com=(0.5, 0.0, 0.0))}, joints={"hinge": level})
    >>> [round(torque, 9) for torque in gravity(rod, [0.0])]
    [9.81]
    """
    return [-force for force in mass_and_force(mechanism, q, [0.0] * len(mechanism.declaration().speeds))[1]]


def mass_and_force(mechanism: Mechanism, q: Sequence[float], v: Sequence[float]) -> tuple[Any, list[float]]:
    """Mass matrix at q, and all forces that do not come through ports, at q and v."""
    declared = mechanism.declaration()
    places = dict(zip((*declared.coordinates, *declared.speeds), (*q, *v), strict=True))

    def make(role: str, path: str, asked: Any) -> Any:
        if role in ("coordinate", "speed"):
            return float(places[path])
        if role == "parameter":
            return None
        return _nothing(asked.shape) if role in ("across", "through") else 0.0

    terms = bind(mechanism, "", make).equations()
    return terms.mass, [float(force) for force in terms.force]


def _nothing(shape: tuple[int, ...]) -> Any:
    """Zeros in a shape."""
    return tuple(_nothing(shape[1:]) for _ in range(shape[0])) if shape else 0.0
