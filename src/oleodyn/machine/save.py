"""Writing machine files: every number with its unit, so that reading gives an equal machine."""

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from oleodyn.errors import DeclarationError
from oleodyn.machine.document import Scalar, plain_value
from oleodyn.machine.file import VERSION
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import INPUT_UNIT, Declared, Ingredient, Named, Parameter, Structure
from oleodyn.machine.signals import input_units, start_units
from oleodyn.units import write, write_numbers

Units = Mapping[str, str]


def save(
    machine: Machine, path: str | os.PathLike[str], *, shelf: Mapping[str, Any] | None = None, notes: bool = False
) -> None:
    """Write a machine file that loads as an equal machine. The file is whole or not there.

    `shelf` gives the names of types where they differ from their class names; with `notes`
    every parameter is followed by its meaning.
    """
    text = to_text(machine, shelf=shelf, notes=notes)
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def to_text(machine: Machine, *, shelf: Mapping[str, Any] | None = None, notes: bool = False) -> str:
    """The text of a machine file."""
    writing = _Writing(shelf, notes, start_units(machine))
    lines = [f"oleodyn: {VERSION}", f"name: {_scalar(machine.name)}"]
    if machine.text:
        lines.append(f"text: {_scalar(machine.text)}")
    if machine.defaults != Defaults():
        lines += ["", "run:", *writing.fields("run", machine.defaults, "  ", None)]
    if machine.parts:
        lines += ["", "parts:"]
    for name, part in machine.parts.items():
        lines += writing.declared(f"parts.{name}", name, part, "  ", None)
    if machine.connections:
        lines += ["", "connections:", *("  - " + _connection(ends) for ends in machine.connections)]
    if machine.aliases:
        lines += ["", "aliases:", *(f"  {_scalar(name)}: {_scalar(path)}" for name, path in machine.aliases.items())]
    if machine.start:
        lines += ["", "start:", *writing.by_signal("start", machine.start, "  ")]
    if machine.scenarios:
        lines += ["", "scenarios:"]
    for name, scenario in machine.scenarios.items():
        lines += writing.declared(f"scenarios.{name}", name, scenario, "  ", input_units(machine))
    return "\n".join(lines) + "\n"


class _Writing:
    """The lines of declared things; a dict of units in place of one says that names are inputs."""

    def __init__(self, shelf: Mapping[str, Any] | None, notes: bool, start_units: Units):
        self.shelf = shelf
        self.notes = notes
        self.start_units = start_units

    def declared(self, where: str, name: str, thing: Declared, indent: str, unit: str | Units | None) -> list[str]:
        """Lines of a part, ingredient or scenario under its name."""
        reason = getattr(thing, "unsaveable", None)
        if reason is not None:
            raise DeclarationError(f"{where} ({type(thing).__name__}) cannot be in a machine file: {reason}")
        type_name = self._name_of(where, type(thing))
        head = [f"{indent}{_scalar(name)}:", f"{indent}  type: {_scalar(type_name)}"]
        return head + self.fields(where, thing, indent + "  ", unit)

    def _name_of(self, where: str, class_: type[Declared]) -> str:
        """The name of a class on the shelf, or its own where no shelf is given."""
        own = class_.__name__
        if self.shelf is None or (own in self.shelf and self.shelf[own] is class_):
            return own
        for name, entry in self.shelf.items():
            if entry is class_:
                return name
        raise DeclarationError(
            f"{where} ({own}) cannot be in a machine file: its class is not on the shelf. Add it there under a name."
        )

    def fields(self, where: str, thing: Declared, indent: str, unit: str | Units | None) -> list[str]:
        """Lines of the declared values; what is None or empty by default is left out."""
        lines: list[str] = []
        for name, spec in thing.fields.items():
            value: Any = getattr(thing, name)
            path = f"{where}.{name}"
            if name == "type":
                raise DeclarationError(f"{path}: a file keeps the word type for the class. Rename the parameter.")
            if value is None and type(thing).__dataclass_fields__[name].default is None:
                continue
            if isinstance(spec, Ingredient) and spec.many:
                lines += self._named(path, name, value, indent, unit)
            elif isinstance(spec, Ingredient) and value is not None:
                lines += self.declared(path, name, value, indent, unit if isinstance(unit, str) else None)
            elif isinstance(spec, Structure) and spec.by_signal:
                if value:
                    lines += [f"{indent}{_scalar(name)}:", *self.by_signal(path, value, indent + "  ")]
            else:
                note = f"  # {spec.text}" if self.notes else ""
                lines.append(f"{indent}{_scalar(name)}: {_value(path, spec, value, unit)}{note}")
        return lines

    def _named(self, where: str, name: str, things: Named | None, indent: str, unit: str | Units | None) -> list[str]:
        if not things:
            return []
        lines = [f"{indent}{_scalar(name)}:"]
        for key, thing in things.items():
            inside = unit.get(key) if isinstance(unit, Mapping) else unit
            if isinstance(unit, Mapping) and inside is None:
                raise DeclarationError(f"{where}: the machine has no input {key!r}, so its unit is not known")
            lines += self.declared(f"{where}.{key}", key, thing, indent + "  ", inside)
        return lines

    def by_signal(self, where: str, values: Mapping[str, float], indent: str) -> list[str]:
        """Lines of start values, each in the unit of its signal."""
        unknown = [path for path in values if path not in self.start_units]
        if unknown:
            raise DeclarationError(f"{where}: the machine has no state {unknown[0]!r}, so its unit is not known")
        return [f"{indent}{_scalar(path)}: {write(value, self.start_units[path])}" for path, value in values.items()]


def _value(where: str, spec: Any, value: Any, unit: str | Units | None) -> str:
    if value is None:
        return "null"
    if not isinstance(spec, Parameter):
        return _structure(where, value)
    due = spec.unit if spec.unit != INPUT_UNIT else unit if isinstance(unit, str) else "-"
    if not spec.shape:
        return write(value, due)
    flat = list(_leaves(value))
    numbers, chosen = write_numbers(flat, due)
    if len(flat) < 2:  # too few to show their shape in round brackets
        return _bracketed(value, iter([f"{number} {chosen}".rstrip() for number in numbers]), "[]")
    return f"{_bracketed(value, iter(numbers), '()')} {chosen}".rstrip()


def _leaves(value: Any) -> Iterable[float]:
    if isinstance(value, tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _bracketed(value: Any, numbers: Any, brackets: str) -> str:
    if not isinstance(value, tuple):
        return next(numbers)
    return brackets[0] + ", ".join(_bracketed(item, numbers, brackets) for item in value) + brackets[1]


def _structure(where: str, value: Any) -> str:
    """A plain value as YAML on one line."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_structure(where, item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_structure(where, item)}" for key, item in value.items()) + "}"
    if value is None or isinstance(value, (bool, int, float, str)):
        return _scalar(value)
    raise DeclarationError(f"{where} = {value!r} cannot be in a machine file: it is no number, text, list or mapping")


def _connection(ends: tuple[str, ...]) -> str:
    plain = all(_scalar(end) == end for end in ends)
    return " = ".join(ends) if plain else f"[{', '.join(map(_scalar, ends))}]"


_SAFE = re.compile(r"[A-Za-z_](?:[\w.²³·/()+-]|\ (?![#]))*(?<!\ )", re.ASCII)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _scalar(value: Any) -> str:
    """A flag, number or text as YAML; texts that could be taken for something else are quoted."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        special = {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}
        return special.get(repr(value), repr(value))
    if isinstance(value, int):
        return str(value)
    if _SAFE.fullmatch(value) and plain_value(Scalar(0, text=value)) == value:
        return value
    return '"' + "".join(map(_escaped, value)) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if character.isprintable() and not 0xD800 <= code <= 0xDFFF:
        return character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
