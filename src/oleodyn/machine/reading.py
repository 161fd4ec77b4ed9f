"""From a document's nodes to declared values: every mistake is noted with its line, none stops the reading."""

import dataclasses
import types
import typing
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union

from oleodyn.errors import DeclarationError, OleodynError, WiringError
from oleodyn.machine.document import Entries, Items, Node, Scalar, is_null, plain_value
from oleodyn.machine.part import (
    INPUT_UNIT,
    Declared,
    Ingredient,
    Named,
    Parameter,
    Structure,
    _checked,
    nearest,
)
from oleodyn.units import example, read, read_numbers

MAX_SHOWN = 20


class Problems:
    """What is wrong in one file, in the order of its lines; without a name, in a value given by hand."""

    def __init__(self, name: str):
        self.name = name
        self.found: list[tuple[int, str, bool]] = []

    def add(self, line: int, message: str) -> None:
        """Note that something in this line is wrong."""
        self.found.append((line, f"{self.name}:{line}: {message}" if self.name else message, False))

    def add_error(self, line: int, error: OleodynError) -> None:
        """Note an error that was raised elsewhere, and may already say where it is."""
        self.add(line, str(error).removeprefix(f"{self.name}:{line}: "))
        self.found[-1] = (*self.found[-1][:2], isinstance(error, WiringError))

    def raise_any(self) -> None:
        """Raise one error that lists the problems, if there are any."""
        if not self.found:
            return
        shown = [message for _, message, _ in sorted(self.found, key=lambda problem: problem[0])[:MAX_SHOWN]]
        if len(self.found) > MAX_SHOWN:
            shown.append(f"{self.name}: and {len(self.found) - MAX_SHOWN} more")
        kind = WiringError if all(wiring for *_, wiring in self.found) else DeclarationError
        raise kind("\n".join(shown))


class Wrong(Exception):
    """A value that cannot be read: its problem is already noted."""


@dataclasses.dataclass(frozen=True)
class Driven:
    """In place of a unit: the names in this set are inputs, and each signal has its input's unit."""

    units: Mapping[str, str]
    unread: frozenset[str] = frozenset()
    """parts that could not be read, so that their inputs are not known"""


Unit = str | Driven | None
D = TypeVar("D", bound=Declared)


class Reading:
    """Reads declared things from nodes with a shelf of names; notes problems as it goes."""

    def __init__(self, shelf: Mapping[str, Any], problems: Problems):
        self.shelf = shelf
        self.problems = problems
        self.start_units: Driven = Driven({})

    # ------------------------------------------------------------------ declared things

    def declared(self, where: str, node: Node, *, type_: str | None = None, unit: Unit = None) -> Declared:
        """The part, ingredient or scenario that `node` describes; `type_` where it names none."""
        if isinstance(node, Scalar) and not is_null(node):  # a name alone: all values as on the shelf
            node = Entries(node.line, items={"type": node}, lines={"type": node.line})
        if not isinstance(node, Entries):
            raise self._wrong(node.line, f'{where}: must be a mapping that begins with "type: …"')
        written = node.items.get("type")
        if written is not None and (not isinstance(written, Scalar) or is_null(written)):
            raise self._wrong(node.lines["type"], f"{where}.type: must be one name. The shelf holds {self._names()}.")
        name = written.text if isinstance(written, Scalar) else type_
        if name is None:
            raise self._wrong(
                node.line, f'{where}: its type is missing. Add "type: …"; the shelf holds {self._names()}.'
            )
        class_, ready = self._template(where, name, node.lines.get("type", node.line))
        return self.filled(where, class_, node, ready=ready, unit=unit)

    def _template(self, where: str, name: str, line: int) -> tuple[type[Declared], Declared | None]:
        """What the shelf has under a name: a class, or a ready thing whose values may be changed."""
        if name not in self.shelf:
            raise self._wrong(
                line,
                f"{where}: no type is called {name!r}{nearest(name, self.shelf)}. The shelf holds {self._names()}.",
            )
        entry = self.shelf[name]
        if isinstance(entry, type) and issubclass(entry, Declared):
            return entry, None
        ready = entry if isinstance(entry, Declared) else entry()
        return type(ready), ready

    def _names(self) -> str:
        names = list(self.shelf)
        return (
            ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else "") if names else "nothing"
        )

    def filled(
        self, where: str, class_: type[D], node: Entries, *, ready: Declared | None = None, unit: Unit = None
    ) -> D:
        """An instance of `class_` with the values in `node`, over those of a ready one."""
        self.note_twice(where, node)
        values = {name: getattr(ready, name) for name in class_.fields} if ready is not None else {}
        sound = True
        meant: set[str] = set()
        for name, child in node.items.items():
            if name == "type":
                continue
            if name not in class_.fields:
                meant.update(field for field in class_.fields if repr(field) in nearest(name, class_.fields))
                self.problems.add(
                    node.lines[name],
                    f"{where}.{name}: {class_.__name__} has no parameter {name!r}{nearest(name, class_.fields)}. "
                    f"Its parameters are {', '.join(class_.fields) or 'none'}.",
                )
                sound = False
                continue
            try:
                values[name] = self.value(f"{where}.{name}", class_, name, child, node.lines[name], unit)
            except Wrong:
                sound = False
        for field in dataclasses.fields(class_):
            if field.name not in {*node.items, *values, *meant} and required(field):
                self._note_missing(where, class_, field.name, node.line)
                sound = False
        if not sound:
            raise Wrong
        try:
            return class_(**values)
        except OleodynError as error:
            raise self._wrong(node.line, f"{where}: {error}") from None

    def note_twice(self, where: str, node: Entries) -> None:
        """Note the keys that a mapping holds twice."""
        for key, line, first in node.twice:
            path = f"{where}.{key}" if where else key
            self.problems.add(
                line, f"{path}: is there twice, first in line {first}. Remove one, or choose another name."
            )

    def _note_missing(self, where: str, class_: type[Declared], name: str, line: int) -> None:
        spec = class_.fields[name]
        if isinstance(spec, Parameter):
            what = f'{where}.{name} [{spec.unit}] is missing ({spec.text}). Add for example "{name}: {_example(spec)}".'
        elif isinstance(spec, Ingredient):
            what = f'{where}.{name} is missing ({spec.text}). Add "{name}:" with a type and its parameters.'
        else:
            what = f'{where}.{name} is missing ({spec.text}). Add "{name}: …".'
        self.problems.add(line, f"{what[0].lower()}{what[1:]}")

    def _wrong(self, line: int, message: str) -> Wrong:
        self.problems.add(line, message)
        return Wrong()

    # ------------------------------------------------------------------ values

    def value(self, where: str, class_: type[Declared], name: str, node: Node, line: int, unit: Unit = None) -> Any:
        """The value of one declared field."""
        spec = class_.fields[name]
        if isinstance(spec, Ingredient):
            return self._named(where, node, unit) if spec.many else self._one(where, class_, name, node, line, unit)
        if isinstance(spec, Structure):
            if spec.by_signal:
                return self.numbers_by_signal(where, node, self.start_units)
            return self._structure(where, spec, node, hints(class_).get(name, Any), line)
        if is_null(node):
            if _default(class_, name) is None:
                return None
            raise self._wrong(
                line, f'{where}: has no value ({spec.text}). Give for example "{name}: {_example(spec)}".'
            )
        try:
            value = self._numbers(where, spec, node, unit) if spec.shape else self._number(where, spec, node, unit)
            return _checked(where.rpartition(".")[0], name, spec, value)
        except DeclarationError as error:
            raise self._wrong(node.line, str(error)) from None

    def _one(self, where: str, class_: type[Declared], name: str, node: Node, line: int, unit: Unit) -> Declared | None:
        if not is_null(node):
            return self.declared(where, node, unit=unit)
        if _default(class_, name) is dataclasses.MISSING:
            raise self._wrong(line, f"{where}: has no value ({class_.fields[name].text}). Give it a type.")
        return None

    def _named(self, where: str, node: Node, unit: Unit) -> Named:
        if is_null(node):
            return Named({})
        if not isinstance(node, Entries):
            raise self._wrong(node.line, f'{where}: must be a mapping of names, "name:" and below it "type: …"')
        self.note_twice(where, node)
        found: dict[str, Declared] = {}
        sound = True
        for name, child in node.items.items():
            try:
                inside = self._driven(where, name, node.lines[name], unit) if isinstance(unit, Driven) else unit
                found[name] = self.declared(f"{where}.{name}", child, unit=inside)
            except Wrong:
                sound = False
        if not sound:
            raise Wrong
        return Named(found)

    def _driven(self, where: str, name: str, line: int, driven: Driven) -> str:
        """The unit of the signal of this name; a signal of a part that was not read is passed over."""
        if name in driven.units:
            return driven.units[name]
        if name.partition(".")[0] in driven.unread:
            raise Wrong
        known = ", ".join(list(driven.units)[:40]) or "none"
        raise self._wrong(
            line, f"{where}: the machine has no signal {name!r}{nearest(name, driven.units)}. There are {known}."
        )

    def numbers_by_signal(self, where: str, node: Node, driven: Driven) -> dict[str, float]:
        """A mapping from signals to numbers, each in the unit of its signal."""
        if is_null(node):
            return {}
        if not isinstance(node, Entries):
            raise self._wrong(node.line, f'{where}: must be a mapping, for example "lift.A.p: 20 bar"')
        self.note_twice(where, node)
        found: dict[str, float] = {}
        sound = True
        for name, child in node.items.items():
            try:
                unit = self._driven(where, name, node.lines[name], driven)
                found[name] = self._number(f"{where}.{name}", Parameter(unit, "start value"), child, None)
            except (Wrong, DeclarationError) as error:
                sound = False
                if isinstance(error, DeclarationError):
                    self.problems.add(child.line, str(error))
        if not sound:
            raise Wrong
        return found

    def _number(self, where: str, spec: Parameter, node: Node, unit: Unit) -> float:
        due = _unit(spec, unit)
        if not isinstance(node, Scalar):
            wanted = f"one number in {due}, for example {example(due)}" if due else "one number"
            raise DeclarationError(f"{where}: must be {wanted}, not a list or a mapping ({spec.text})")
        try:
            return read(node.text, due)
        except DeclarationError as error:
            raise DeclarationError(f"{where} = {error} ({spec.text})") from None

    def _numbers(self, where: str, spec: Parameter, node: Node, unit: Unit) -> Any:
        """A vector or matrix: (0, 0, 1) m in one text, or a list of numbers or rows."""
        due = _unit(spec, unit)
        if isinstance(node, Entries):
            raise DeclarationError(f'{where}: must be numbers, for example "(0, 0, 1) {due or "m"}" ({spec.text})')
        try:
            if isinstance(node, Scalar):
                flat = read_numbers(node.text, due)
                rows = max(node.text.count(";") + 1, *(node.text.count(bracket) - 1 for bracket in "(["))
                return _shaped(flat, spec.shape, rows)
            return _shaped(_listed(node, due), spec.shape, 1)
        except DeclarationError as error:
            raise DeclarationError(f"{where} = {error} ({spec.text})") from None

    def _structure(self, where: str, spec: Structure, node: Node, hint: Any, line: int) -> Any:
        value = _plain(node)
        if hint is float and type(value) is int:
            value = float(value)
        if not _fits(hint, value):
            shown = f'"{value}"' if isinstance(value, str) else str(value).lower() if value in (True, False) else value
            raise self._wrong(line, f"{where} = {shown}: must be {_called(hint)} ({spec.text})")
        return value


# ------------------------------------------------------------------ small pieces


def required(field: dataclasses.Field[Any]) -> bool:
    """True for a field without default."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _default(class_: type[Declared], name: str) -> Any:
    return class_.__dataclass_fields__[name].default


def _unit(spec: Parameter, unit: Unit) -> str | None:
    if spec.unit != INPUT_UNIT:
        return spec.unit
    return unit if isinstance(unit, str) else None


def _example(spec: Parameter) -> str:
    if spec.unit == INPUT_UNIT:
        return "0.8"
    number, _, unit = example(spec.unit).partition(" ")
    if not spec.shape:
        return f"{number} {unit}".strip()
    return f"({', '.join([number] * (spec.shape[0] or 3))}) {unit}".strip()


def _listed(node: Node, unit: str | None) -> list[Any]:
    """Numbers of a list; rows where its items are lists or hold several numbers."""
    if isinstance(node, Scalar):
        return read_numbers(node.text, unit)
    if not isinstance(node, Items):
        raise DeclarationError("a mapping: must be numbers")
    rows = [_listed(item, unit) for item in node.items]
    if all(isinstance(item, Scalar) and len(row) == 1 for item, row in zip(node.items, rows, strict=True)):
        return [row[0] for row in rows]
    return rows


def _shaped(numbers: list[Any], shape: tuple[int | None, ...], rows: int) -> Any:
    """Numbers in the shape that is due; 6 make a symmetric 3 × 3 (xx xy xz yy yz zz), 3 its diagonal."""
    flat = not any(isinstance(number, list) for number in numbers)
    if len(shape) == 1 and not flat:
        return [number for row in numbers for number in (row if isinstance(row, list) else [row])]
    if len(shape) != 2 or not flat:
        return numbers
    if shape == (3, 3) and len(numbers) == 6:
        xx, xy, xz, yy, yz, zz = numbers
        return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    if shape == (3, 3) and len(numbers) == 3:
        return [[number if i == j else 0.0 for j in range(3)] for i, number in enumerate(numbers)]
    width = shape[1] or len(numbers) // (shape[0] or rows)
    if width and len(numbers) % width == 0:
        return [numbers[k : k + width] for k in range(0, len(numbers), width)]
    return numbers


def _plain(node: Node) -> Any:
    if isinstance(node, Scalar):
        return plain_value(node)
    if isinstance(node, Items):
        return tuple(map(_plain, node.items))
    return Named({key: _plain(item) for key, item in node.items.items()}) if isinstance(node, Entries) else None


@lru_cache(maxsize=1024)
def hints(class_: type[Declared]) -> Mapping[str, Any]:
    """The annotations of a class; empty where they cannot be evaluated."""
    try:
        return typing.get_type_hints(class_)
    except (NameError, TypeError, AttributeError):
        return {}


def _fits(hint: Any, value: Any) -> bool:
    """True unless the annotation is one of the plain kinds and the value is of another."""
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(option, value) for option in typing.get_args(hint))
    if origin is Literal:
        return value in typing.get_args(hint)
    if hint is bool:
        return isinstance(value, bool)
    if hint in (int, float):
        return isinstance(value, hint) and not isinstance(value, bool)
    if hint is str:
        return isinstance(value, str)
    if hint is type(None):
        return value is None
    if origin is tuple or hint is tuple:
        return isinstance(value, tuple)
    return True


def _called(hint: Any) -> str:
    """What a plain kind is called in a message."""
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", type(None): "null"}
    if typing.get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_called(option) for option in typing.get_args(hint))
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, typing.get_args(hint)))
    return names.get(hint, "a list" if typing.get_origin(hint) is tuple or hint is tuple else str(hint))
