"""The JSON Schema of machine files, for editors that complete and check while one types.

It knows names, types, what is required and that a number carries a unit; whether the unit is of
the right dimension, and whether connections fit, only reading the file tells.
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, Union

from oleodyn.machine.file import VERSION
from oleodyn.machine.machine import Defaults
from oleodyn.machine.part import INPUT_UNIT, Declared, Ingredient, Parameter, Part, Structure
from oleodyn.machine.reading import hints, required
from oleodyn.units import choices, example, write

Schema = dict[str, Any]

_NUMBER = r"[-+−]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
_WITH_UNIT = rf"^\s*{_NUMBER}\s*[^\s\d.].*$"
_BARE = rf"^\s*{_NUMBER}\s*(-|%|ppm)?\s*$"
_SEVERAL = rf"^[\s(\[]*{_NUMBER}.*$"


def schema(shelf: Mapping[str, Any]) -> Schema:
    """The schema (draft 2020-12) of machine files that may use the types of a shelf.

    >>> schema({})["properties"]["oleodyn"]
    {'const': 1, 'description': 'version of the format'}
    """
    classes = {name: _class_of(entry) for name, entry in shelf.items()}
    definitions = {name: _declared(name, class_, whole=shelf[name] is class_) for name, class_ in classes.items()}
    definitions |= {
        "a part": _one_of([name for name, class_ in classes.items() if issubclass(class_, Part)]),
        "anything on the shelf": _one_of(list(classes)),
        "a scenario": _scenario("Scenario" in classes),
    }
    path = {"type": "string", "pattern": r"^\w"}
    end = {"type": "string", "pattern": r"^\s*\w+\..+$"}
    joined = {"type": "string", "pattern": r"^\s*\w+\.[^=]+(=\s*\w+\.[^=]+)+$"}
    sections: Schema = {
        "run": _fields(Defaults, need=False),
        "parts": {"type": "object", "additionalProperties": _reference("a part")}
        | {"propertyNames": {"pattern": r"^[^\W\d_]\w*$"}},
        "connections": {
            "type": "array",
            "description": "ports that meet, or an output and the inputs it drives: valve.A = lift.A",
            "items": {"anyOf": [joined, {"type": "array", "items": end, "minItems": 2}]},
        },
        "aliases": {"type": "object", "description": "second names of signals", "additionalProperties": path},
        "start": _by_signal("values at the start"),
        "scenarios": {"type": "object", "additionalProperties": _reference("a scenario")},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "oleodyn machine file",
        "type": "object",
        "required": ["oleodyn", "name"],
        "additionalProperties": False,
        "properties": {
            "oleodyn": {"const": VERSION, "description": "version of the format"},
            "name": {"type": ["string", "number", "boolean"], "description": "name of the machine"},
            "text": {
                "type": ["string", "number", "boolean", "null"],
                "description": "what the machine is, in a sentence",
            },
            **{name: _or_null(section) for name, section in sections.items()},
        },
        "$defs": definitions,
    }


def _class_of(entry: Any) -> type[Declared]:
    if isinstance(entry, type):
        return entry
    return type(entry if isinstance(entry, Declared) else entry())


def _reference(name: str) -> Schema:
    return {"$ref": "#/$defs/" + name.replace("~", "~0").replace("/", "~1").replace(" ", "%20")}


def _or_null(value: Schema) -> Schema:
    """The same, or null; in the form that lets an editor point at what is wrong inside."""
    if isinstance(value.get("type"), str):
        return value | {"type": [value["type"], "null"]}
    if "anyOf" in value:
        return value | {"anyOf": [*value["anyOf"], {"type": "null"}]}
    return {"if": {"type": "null"}, "else": value}


# ------------------------------------------------------------------ declared things


def _declared(name: str, class_: type[Declared], *, whole: bool) -> Schema:
    """A type on the shelf; a ready thing (not `whole`) requires nothing."""
    result = _fields(class_, need=whole)
    result["properties"] = {"type": {"const": name}, **result["properties"]}
    text = (class_.__doc__ or name).strip().partition("\n")[0]
    return {"title": name, "description": text, **result}


def _fields(class_: type[Declared], *, need: bool) -> Schema:
    result: Schema = {"type": "object", "properties": {}, "additionalProperties": False}
    for name, spec in class_.fields.items():
        default = class_.__dataclass_fields__[name].default
        value = _value(class_, name, spec, default)
        result["properties"][name] = _or_null(value) if default is None else value
    missing = [field.name for field in dataclasses.fields(class_) if field.name in class_.fields and required(field)]
    return result | ({"required": missing} if need and missing else {})


def _one_of(names: list[str]) -> Schema:
    """A mapping whose type is one of these names, or such a name alone."""
    branches = [{"if": {"properties": {"type": {"const": name}}}, "then": _reference(name)} for name in names]
    mapping = {"required": ["type"], "properties": {"type": {"enum": names}}, "allOf": branches}
    one = {"type": ["string", "object"], "if": {"type": "string"}, "then": {"enum": names}, "else": mapping}
    return one if names else {"not": {}}


def _scenario(known: bool) -> Schema:
    """Anything on the shelf; without a type, a Scenario."""
    typed = _reference("anything on the shelf")
    untyped = _reference("Scenario") if known else {"not": {}}
    has_none = {"type": "object", "not": {"required": ["type"]}}
    return {"if": has_none, "then": untyped, "else": typed}


def _value(class_: type[Declared], name: str, spec: Any, default: Any) -> Schema:
    if isinstance(spec, Ingredient):
        thing = _reference("anything on the shelf")
        result = _or_null({"type": "object", "additionalProperties": thing}) if spec.many else thing
        if default is not dataclasses.MISSING and not spec.many:
            result = _or_null(result)
        return {"description": spec.text, **result}
    if isinstance(spec, Structure):
        return (
            _by_signal(spec.text) if spec.by_signal else {"description": spec.text, **_plain(hints(class_).get(name))}
        )
    return _parameter(spec, default)


def _parameter(spec: Parameter, default: Any) -> Schema:
    bare = spec.unit == INPUT_UNIT or "-" in choices(spec.unit)
    result: Schema = {"description": f"{spec.text} [{spec.unit}]"}
    if spec.shape:
        number = _number(None, bare)
        row = {"anyOf": [number, {"type": "string", "pattern": _SEVERAL}, {"type": "array", "items": number}]}
        return result | {"anyOf": [{"type": "string", "pattern": _SEVERAL}, {"type": "array", "items": row}]}
    if spec.unit != INPUT_UNIT:
        result["examples"] = [example(spec.unit)]
        if isinstance(default, (int, float)):
            result["default"] = write(default, spec.unit)
    return result | _number(spec if spec.unit == "-" else None, bare)


def _number(bounds: Parameter | None, bare: bool) -> Schema:
    """A text with a unit; where a bare ratio may stand, also a number, within its bounds if they are given."""
    with_unit = {"type": "string", "pattern": _WITH_UNIT}
    if not bare:
        return with_unit
    number: Schema = {"type": "number"}
    if bounds is not None:
        low, high = bounds.within or (None, None)
        limits = {"minimum": low, "maximum": high, "exclusiveMinimum": bounds.above, "exclusiveMaximum": bounds.below}
        number |= {key: limit for key, limit in limits.items() if limit is not None and abs(limit) < float("inf")}
    return {"anyOf": [number, {"type": "string", "pattern": _BARE}, with_unit]}


def _by_signal(text: str) -> Schema:
    return {"description": text, "type": "object", "additionalProperties": _number(None, bare=True)}


def _plain(hint: Any) -> Schema:
    """What a structure may be, from its annotation; anything where that says no more."""
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    origin = typing.get_origin(hint)
    if hint in kinds:
        return {"type": kinds[hint]}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_plain(option) for option in typing.get_args(hint)]}
    if origin is Literal:
        return {"enum": list(typing.get_args(hint))}
    return {"type": "array"} if origin is tuple or hint is tuple else {}
