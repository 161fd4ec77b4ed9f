"""The JSON Schema: it accepts what loads, and refuses what an editor can see to be wrong."""

import json

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from oleodyn.machine.save import to_text
from oleodyn.machine.schema import schema
from tests.machine.shelf import SHELF
from tests.machine.test_broken_files import BROKEN, SOUND
from tests.machine.test_machine_file import CRANE, machines

SCHEMA = schema(SHELF)
VALIDATOR = Draft202012Validator(SCHEMA)

UNSEEN = {
    # what YAML itself refuses, before a schema is asked
    "section twice", "tab for indentation", "bracket left open", "two entries on a line", "unit after a list",
    "second document", "tag that would run code", "alias of nothing", "alias of itself", "merge key",
    "key that is a list", "part twice", "parameter twice",
    # units, bounds and rules between values
    "unknown scenario", "step that is zero", "wrong unit", "unknown unit", "litre for litre per turn",
    "unit on a bare ratio", "too large", "not above its bound", "rule between parameters", "vector too short",
    "decimal comma", "bracket cut by a list",
    # what is joined to what
    "unknown part", "unknown port", "ports of two kinds", "alias of an unknown part", "start of nothing",
    "start without unit", "scenario of nothing", "signal in the wrong unit",
}  # fmt: skip
"""mistakes that only reading the file finds"""


def plain(text):
    return YAML(typ="safe", pure=True).load(text)


def test_it_is_a_schema_and_plain_JSON():
    Draft202012Validator.check_schema(json.loads(json.dumps(SCHEMA)))


@pytest.mark.parametrize("text", [CRANE, SOUND], ids=["crane", "sound"])
def test_a_file_that_loads_is_valid(text):
    assert [error.message for error in VALIDATOR.iter_errors(plain(text))] == []


@settings(max_examples=60)
@given(machines())
def test_every_saved_machine_is_valid(machine):
    assert [error.message for error in VALIDATOR.iter_errors(plain(to_text(machine)))] == []


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in UNSEEN])
def test_a_mistake_that_an_editor_can_see_is_refused(name):
    old, new, *_ = BROKEN[name]
    assert not VALIDATOR.is_valid(plain(SOUND.replace(old, new, 1)))


@pytest.mark.parametrize("name", ["wrong unit", "not above its bound", "unknown port"])
def test_what_needs_the_whole_machine_is_left_to_reading(name):
    old, new, *_ = BROKEN[name]
    assert VALIDATOR.is_valid(plain(SOUND.replace(old, new, 1)))


def test_an_editor_shows_meaning_unit_example_and_default():
    stroke = SCHEMA["$defs"]["Cylinder"]["properties"]["stroke"]
    assert stroke["description"] == "stroke [m]"
    assert stroke["examples"] == ["80 mm"]
    assert stroke["default"] == "0.5 m"
    assert SCHEMA["$defs"]["Cylinder"]["required"] == ["d_bore"]
    assert "required" not in SCHEMA["$defs"]["iso_vg_46"]


def test_an_editor_is_led_to_the_line():
    old, new, *_ = BROKEN["missing parameter inside"]
    (error,) = VALIDATOR.iter_errors(plain(SOUND.replace(old, new, 1)))
    assert error.json_path == "$.parts.lift.friction"
    assert error.message == "'F_c' is a required property"


def test_a_schema_of_an_empty_shelf_allows_no_parts():
    validator = Draft202012Validator(schema({}))
    assert validator.is_valid({"oleodyn": 1, "name": "empty"})
    assert not validator.is_valid({"oleodyn": 1, "name": "m", "parts": {"lift": {"type": "Cylinder"}}})
