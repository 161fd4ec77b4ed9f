"""Binding: a part's twin, with numbers or symbols where the part declares something."""

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.machine.part import Declared, Ingredient, Named, Parameter, Part, nearest
from oleodyn.machine.port import Port, Quantity

Make = Callable[[str, str, Any], Any]
"""(role, path, declaration or quantity) → its value; None leaves a parameter its number."""

TIME = Quantity("s", "time")
MULTIPLIER = Quantity("N|N·m", "Lagrange multiplier of one row of a loop")


class PortTwin:
    """One port as a part sees it: across quantities, and the net through it, as attributes."""

    def __init__(self, path: str, values: Mapping[str, Any]):
        self._path = path
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        known = [key for key in self.__dict__ if not key.startswith("_")]
        raise AttributeError(f"port {self.__dict__.get('_path')} has no {name!r} here. It has {', '.join(known)}.")


def bind(part: Declared, path: str, make: Make) -> Any:
    """A copy of `part` whose declarations are values from `make`.

    `make(role, path, declaration)` is asked once for each, with the role and its path

        parameter                  path.name          a Parameter; None keeps the number
        state, sampled, input      path.name          a State or an Input
        across, through            path.port.name     a Quantity; through is the net ON this part,
                                                      None where it is not known
        coordinate, speed          path.name          a State
        acceleration               path.name          the State of the speed
        multiplier                 path.loop.row      a Quantity
        time                       t                  a Quantity

    For a shape (3,) or (3, 3) it returns a column, a matrix, an array or nested tuples; the twin
    holds nested tuples of scalars. The twin has its parameters, states and inputs by name, its
    ports by name and as `twin.port(name)`, its ingredients bound in the same way below its path,
    time as `t`, and where coordinates are declared the lists `q`, `v`, `a` and the dict `lam`.
    """
    values: dict[str, Any] = {}
    for name, spec in part.fields.items():
        held = getattr(part, name)
        if isinstance(spec, Ingredient):
            values[name] = _bound_ingredient(held, join(path, name), make)
        elif isinstance(spec, Parameter) and held is not None:
            value = make("parameter", join(path, name), spec)
            values[name] = held if value is None else scalars(value, spec.shape)
    if isinstance(part, Part):
        values |= _bound_declaration(part, path, make)
    copy = object.__new__(type(part))
    copy.__dict__.update(part.__dict__)
    copy.__dict__.update(values)
    return copy


def join(*names: str) -> str:
    """A dotted path of those names that are not empty."""
    return ".".join(name for name in names if name)


def scalars(value: Any, shape: tuple[int | None, ...]) -> Any:
    """`value` as a scalar, or as nested tuples of scalars in `shape`."""
    if not shape:
        return value
    if isinstance(value, (ca.SX, ca.DM)):
        if len(shape) == 1:
            return tuple(value[i] for i in range(value.shape[0]))
        return tuple(tuple(value[i, j] for j in range(value.shape[1])) for i in range(value.shape[0]))
    if isinstance(value, np.ndarray) and value.dtype != object:
        value = value.tolist()
    return tuple(scalars(item, shape[1:]) for item in value)


def _bound_ingredient(held: Any, path: str, make: Make) -> Any:
    if isinstance(held, Named):
        return Named({key: _bound_ingredient(item, join(path, key), make) for key, item in held.items()})
    return bind(held, path, make) if isinstance(held, Declared) else held


def _bound_declaration(part: Part, path: str, make: Make) -> dict[str, Any]:
    declared = part.declaration()
    ports = {name: _bound_port(port, join(path, name), make) for name, port in declared.ports.items()}

    def port(name: str) -> PortTwin:
        if name not in ports:
            raise AttributeError(f"{path} has no port {name!r}{nearest(name, ports)}. It has {', '.join(ports)}.")
        return ports[name]

    values: dict[str, Any] = {"port": port, "t": make("time", "t", TIME)}
    for name, state in declared.states.items():
        values[name] = make("sampled" if state.sampled else "state", join(path, name), state)
    for name, command in declared.inputs.items():
        values[name] = make("input", join(path, name), command)
    if declared.speeds:
        values["q"] = [make("coordinate", join(path, name), s) for name, s in declared.coordinates.items()]
        values["v"] = [make("speed", join(path, name), s) for name, s in declared.speeds.items()]
        values["a"] = [make("acceleration", join(path, name), s) for name, s in declared.speeds.items()]
        values["lam"] = {
            loop: [make("multiplier", join(path, loop, str(row)), MULTIPLIER) for row in range(rows)]
            for loop, rows in declared.constraints.items()
        }
    return values | {name: twin for name, twin in ports.items() if _is_free(part, name)}


def _bound_port(port: Port, path: str, make: Make) -> PortTwin:
    values = {}
    for role, quantities in (("across", port.across), ("through", port.through)):
        for name, quantity in quantities.items():
            value = make(role, join(path, name), quantity)
            if value is not None:
                values[name] = scalars(value, quantity.shape)
    return PortTwin(path, values)


def _is_free(part: Part, name: str) -> bool:
    """An instance's port must not hide a parameter or a method: then only `port(name)` has it."""
    return name not in part.fields and isinstance(getattr(type(part), name, None), Port | None)
