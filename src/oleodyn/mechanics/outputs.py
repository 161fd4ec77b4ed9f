"""What a mechanism tells: poses, reactions, momentum, as named outputs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oleodyn.machine.part import Expr, Output
from oleodyn.machine.port import Quantity

FRAME = {
    "r": Quantity("m", "position in the world", (3,)),
    "R": Quantity("-", "rotation to world axes", (3, 3)),
    "v": Quantity("m/s", "velocity in world axes", (3,)),
    "w": Quantity("rad/s", "angular velocity in world axes", (3,)),
    "a": Quantity("m/s²", "acceleration in world axes", (3,)),
}
REACTION = {
    "F": Quantity("N", "force of the parent on the child, in the joint's axes after its motion", (3,)),
    "tau": Quantity("N·m", "moment of the parent on the child about the joint, in the same axes", (3,)),
}
WHOLE = {
    "com": Quantity("m", "centre of all masses, in the world", (3,)),
    "momentum": Quantity("N·s", "momentum of all bodies, in world axes", (3,)),
    "angular_momentum": Quantity("N·m·s", "angular momentum of all bodies about the world's origin", (3,)),
}


def outputs(joints: Iterable[str], frames: Mapping[str, Any], stops: Mapping[str, str]) -> dict[str, Output]:
    """The declaration of all outputs; `stops` gives the unit of each stop's force by its path."""
    groups = [(f"{name}.", f" of frame {name}", FRAME) for name in frames]
    groups += [(f"{name}.reaction.", f" at joint {name}", REACTION) for name in joints]
    groups += [("", "", WHOLE)]
    declared = {
        name: Output(quantity.unit, quantity.text + text)
        for prefix, text, quantities in groups
        for key, quantity in quantities.items()
        for name in names(prefix + key, quantity.shape)
    }
    return declared | {path: Output(unit, "what the stop adds along the coordinate") for path, unit in stops.items()}


def names(name: str, shape: tuple[int, ...]) -> list[str]:
    """The scalars of a quantity: F → F_x, F_y, F_z; R → R_xx, R_xy, ..."""
    ends = [""]
    for size in shape:
        ends = [end + axis for end in ends for axis in "xyz"[:size]]
    return [f"{name}_{end}" if end else name for end in ends]


def spread(values: Mapping[str, Expr]) -> dict[str, Expr]:
    """Values of quantities by the names of their scalars."""
    return dict(pair for name, value in values.items() for pair in _scalars(name, value, ""))


def _scalars(name: str, value: Expr, end: str) -> Iterator[tuple[str, Expr]]:
    if isinstance(value, tuple):
        for axis, item in zip("xyz", value, strict=True):
            yield from _scalars(name, item, end + axis)
    else:
        yield f"{name}_{end}" if end else name, value
