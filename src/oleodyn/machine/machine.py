"""The machine: what is bolted to what, and the numbers on it."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from oleodyn.errors import DeclarationError, WiringError
from oleodyn.machine.part import Declared, Named, Part, nearest, parameter, structure


class Defaults(Declared):
    """How a machine is run unless asked otherwise."""

    stepper: str = structure("command-line name of the stepper", default="trapezoidal")
    loops: str | None = structure("command-line name of the loop closure", default=None)
    dt: float = parameter("s", "step", above=0, default=1e-3)
    until: float = parameter("s", "end of the run", above=0, default=10.0)
    scenario: str | None = structure("name of the scenario", default=None)


class Machine:
    """Parts by name, connections between their ports and signals, scenarios and starts.

    >>> from oleodyn.catalogue.shelf import machine as named
    >>> named("rigid-arm").parts["arm"].joints["elbow"].axis
    (0.0, 1.0, 0.0)
    """

    def __init__(
        self,
        name: str,
        *,
        text: str = "",
        defaults: Defaults | None = None,
        scenarios: Mapping[str, Any] | None = None,
        start: Mapping[str, float] | None = None,
    ):
        self.name = name
        self.text = text
        self.parts: dict[str, Part] = {}
        self.connections: list[tuple[str, ...]] = []
        self.aliases: dict[str, str] = {}
        self.defaults = defaults or Defaults()
        self.scenarios = Named(scenarios)
        self.start: dict[str, float] = dict(start or {})
        self.places: dict[str, str] = {}
        """Where each part was added (file:line), for error messages."""

    def add(self, name: str, part: Part, *, place: str | None = None) -> Part:
        """Add a part under a name; returns the part."""
        if not name.replace("_", "").isalnum() or not name[:1].isalpha():
            raise DeclarationError(f"part name {name!r}: use letters, digits and _, beginning with a letter")
        place = place or _caller()
        if name in self.parts:
            raise DeclarationError(
                f"{place}: {self.name} already has a part {name!r}, added at {self.places[name]}. Choose another name."
            )
        if not isinstance(part, Part):
            raise DeclarationError(f"{place}: {name} = {part!r} is not a part")
        self.parts[name] = part
        self.places[name] = place
        return part

    def connect(self, *ends: str, place: str | None = None) -> None:
        """Join ports (any number that meet in one place), or one output to inputs."""
        place = place or _caller()
        if len(ends) < 2:
            raise WiringError(f"{place}: connect needs two or more ends, got {', '.join(ends) or 'none'}")
        kinds = {self._kind_of_end(end, place) for end in ends}
        if len(kinds) > 1 and kinds != {"output", "input"}:
            raise WiringError(
                f"{place}: {' and '.join(ends)} cannot be joined: they are {', '.join(sorted(kinds))}. "
                "Join ports of one type, or one output to inputs."
            )
        if kinds == {"output", "input"}:
            outputs = [end for end in ends if self._kind_of_end(end, place) == "output"]
            if len(outputs) > 1:
                raise WiringError(f"{place}: {' and '.join(outputs)} are both outputs; an input takes one")
            ends = (*outputs, *(end for end in ends if end not in outputs))
        elif kinds <= {"output"} or kinds <= {"input"}:
            raise WiringError(f"{place}: {' and '.join(ends)} are all {kinds.pop()}s; join one output to inputs")
        self.connections.append(tuple(ends))

    def alias(self, name: str, path: str) -> None:
        """A second name for a signal."""
        if name in self.aliases:
            raise DeclarationError(f"alias {name!r} is already taken by {self.aliases[name]}")
        self.aliases[name] = path

    def split(self, end: str, place: str = "") -> tuple[str, str]:
        """('valve', 'A') for 'valve.A', or an error that names the nearest part."""
        name, _, rest = end.partition(".")
        where = f"{place}: " if place else ""
        if name not in self.parts:
            raise WiringError(
                f"{where}{end}: {self.name} has no part {name!r}{nearest(name, self.parts)}. "
                f"Its parts are {', '.join(self.parts) or 'none'}."
            )
        return name, rest

    def _kind_of_end(self, end: str, place: str) -> str:
        name, rest = self.split(end, place)
        declared = self.parts[name].declaration()
        if rest in declared.ports:
            return type(declared.ports[rest]).__name__
        if rest in declared.inputs:
            return "input"
        if (
            rest in declared.outputs
            or rest in declared.states
            or rest in declared.coordinates
            or rest in declared.speeds
        ):
            return "output"
        ports = ", ".join(declared.ports) or "none"
        signals = [*declared.inputs, *declared.outputs]
        raise WiringError(
            f"{place}: {name} ({type(self.parts[name]).__name__}) has no port {rest!r}"
            f"{nearest(rest, [*declared.ports, *signals])}. "
            f"Its ports are {ports}." + (f" Its signals are {', '.join(signals)}." if signals else "")
        )

    def walk(self) -> Iterator[tuple[str, Part]]:
        """Every part and ingredient with its path, in order of addition."""
        for name, part in self.parts.items():
            yield from _walk(name, part)

    def replace(self, path: str, value: Any) -> "Machine":
        """A copy with one value changed: a parameter ("lift.d_bore") or an ingredient."""
        name, rest = self.split(path)
        copy = self.copy()
        copy.parts[name] = _replaced(self.parts[name], rest.split("."), value, path)
        return copy

    def copy(self) -> "Machine":
        """A machine of the same parts and connections that can be changed on its own."""
        copy = Machine(self.name, text=self.text, defaults=self.defaults, scenarios=self.scenarios, start=self.start)
        copy.parts, copy.connections = dict(self.parts), list(self.connections)
        copy.aliases, copy.places = dict(self.aliases), dict(self.places)
        return copy

    def _content(self) -> tuple[Any, ...]:
        return (
            self.name, self.text, tuple(self.parts.items()), tuple(self.connections), tuple(self.aliases.items()),
            self.defaults, self.scenarios, tuple(self.start.items()),
        )  # fmt: skip

    def __eq__(self, other):
        return isinstance(other, Machine) and self._content() == other._content()

    def __hash__(self):
        return hash(self._content())

    def __repr__(self):
        return f"Machine({self.name!r}: {len(self.parts)} parts, {len(self.connections)} connections)"

    def __str__(self):
        lines = [f"{self.name}: {self.text}" if self.text else self.name]
        lines += [f"  {name} = {part!r}" for name, part in self.parts.items()]
        lines += ["  " + " = ".join(ends) for ends in self.connections]
        return "\n".join(lines)


def _walk(path: str, part: Part) -> Iterator[tuple[str, Part]]:
    yield path, part
    for name, inside in part.ingredients().items():
        yield from _walk(f"{path}.{name}", inside)


def _replaced(part: Any, path: list[str], value: Any, whole: str) -> Any:
    """`part` with the value at `path` changed, rebuilt (and so checked) on the way up."""
    name, *rest = path
    if name not in part.fields:
        raise DeclarationError(
            f"{whole}: {type(part).__name__} has no parameter {name!r}{nearest(name, part.fields)}. "
            f"Its parameters are {', '.join(part.fields)}."
        )
    values = {field: getattr(part, field) for field in part.fields}
    held = values[name]
    if rest and isinstance(held, Named):
        key, *rest = rest
        if key not in held:
            raise DeclarationError(f"{whole}: {name} has no {key!r}{nearest(key, held)}. It holds {', '.join(held)}.")
        inside = _replaced(held[key], rest, value, whole) if rest else value
        values[name] = Named({**held, key: inside})
    elif rest:
        if not isinstance(held, Declared):
            raise DeclarationError(f"{whole}: {name} is {held!r}, which has no {rest[0]!r}")
        values[name] = _replaced(held, rest, value, whole)
    else:
        values[name] = value
    return type(part)(**values)


def _caller() -> str:
    """file:line of the first frame outside this file."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
