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
    places = dict(zip(mechanism.declaration().coordinates, q, strict=True))

    def make(role: str, path: str, declared: Any) -> Any:
        if role == "coordinate":
            return float(places[path])
        if role == "parameter":
            return None
        return _nothing(declared.shape) if role in ("across", "through") else 0.0

    return [-float(force) for force in bind(mechanism, "", make).equations().force]


def _nothing(shape: tuple[int, ...]) -> Any:
    """Zeros in a shape."""
    return tuple(_nothing(shape[1:]) for _ in range(shape[0])) if shape else 0.0
