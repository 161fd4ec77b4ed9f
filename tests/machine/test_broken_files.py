"""Broken machine files: each mistake is answered with its line, its field and its remedy."""

import time
import tracemalloc

import pytest

from oleodyn.errors import DeclarationError, OleodynError, WiringError
from oleodyn.machine.file import load
from tests.machine.shelf import SHELF

SOUND = """\
oleodyn: 1
name: crane
run:
  dt: 1 ms
  scenario: up
parts:
  pump:
    type: Pump
    D: 80 cm3/rev
  valve:
    type: Valve
    Q_nom: 40 l/min
    overlap: 0.03
  lift:
    type: Cylinder
    d_bore: 80 mm
    friction:
      type: Friction
      F_c: 200 N
  arm:
    type: Arm
    gravity: (0, 0, -9.81) m/s2
    bodies:
      boom:
        type: Body
        m: 120 kg
        axis: [0, 1, 0]
connections:
  - pump.P = valve.P
  - valve.A = lift.A
aliases:
  force: lift.F
start:
  lift.A.p: 20 bar
scenarios:
  up:
    signals:
      valve.u: {type: Constant, value: 0.6}
      pump.n: {type: Constant, value: 1500 rpm}
"""

# what is wrong: (text in the sound file, text in its place, line of the mistake, what the message says)
BROKEN = {
    # the file
    "no version": ("oleodyn: 1\n", "", 1, ["oleodyn: the version is missing", 'Begin the file with "oleodyn: 1"']),
    "version from the future": (
        "oleodyn: 1",
        "oleodyn: 2",
        1,
        ["oleodyn = 2: must be the version 1", "Update oleodyn"],
    ),
    "version that is none": ("oleodyn: 1", "oleodyn: one", 1, ["oleodyn = one: must be", 'Write "oleodyn: 1"']),
    "no name": ("name: crane\n", "", 1, ["name: is missing", 'Add "name: …"']),
    "name that is a list": ("name: crane", "name: [crane]", 2, ["name: must be a text"]),
    "unknown section": (
        "connections:",
        "conections:",
        28,
        ["conections: is no section", "did you mean 'connections'?"],
    ),
    "section twice": ("start:", "aliases:", 33, ["aliases: is there twice, first in line 31", "Remove one"]),
    "parts as a list": (
        "parts:\n  pump:",
        "parts: [a]\nrest:\n  pump:",
        6,
        ["parts: must be a mapping", "{type: Cylinder"],
    ),
    "tab for indentation": ("  dt: 1 ms", "\tdt: 1 ms", 4, ["is not YAML", "Indent with spaces, not with tabs"]),
    "bracket left open": ("[0, 1, 0]", "[0, 1, 0", 28, ["is not YAML", "brackets"]),
    "two entries on a line": ("  dt: 1 ms", "  dt: 1 ms until: 1 s", 4, ["is not YAML", "on a line of its own"]),
    "unit after a list": ("(0, 0, -9.81) m/s2", "[0, 0, -9.81] m/s2", 22, ["is not YAML", "(0, 0, -9.81) m/s2"]),
    "second document": ("connections:", "---\nconnections:", 28, ["a second document begins here"]),
    "tag that would run code": (
        "80 mm",
        "!!python/object/apply:os.system [ls]",
        16,
        ["the tag", "os.system is refused"],
    ),
    "alias of nothing": ("80 mm", "*bore", 16, ["*bore stands for nothing", "&bore"]),
    "alias of itself": ("bodies:", "bodies: &all\n      loop: *all", 24, ["*all stands for nothing"]),
    "merge key": ("    d_bore: 80 mm", "    <<: {d_bore: 80 mm}", 16, ["merge keys (<<) are refused"]),
    "key that is a list": ("    d_bore: 80 mm", "    [d_bore]: 80 mm", 16, ["a key must be a text"]),
    # run
    "run that is no mapping": (
        "run:\n  dt: 1 ms\n  scenario: up",
        "run: fast",
        3,
        ["run: must be a mapping", "dt: 1 ms"],
    ),
    "unknown setting": ("  dt: 1 ms", "  step: 1 ms", 4, ["run.step: Defaults has no parameter 'step'", "'stepper'?"]),
    "step without unit": ("dt: 1 ms", "dt: 0.001", 4, ['run.dt = "0.001": has no unit', "a time (s)", '"5 ms"']),
    "step that is zero": ("dt: 1 ms", "dt: 0 s", 4, ["run.dt = 0 s: must be above 0 (step)"]),
    "unknown scenario": ("scenario: up", "scenario: upp", 5, ['run.scenario = "upp"', "did you mean 'up'?"]),
    # parts
    "unknown type": (
        "type: Valve",
        "type: Valv",
        11,
        ["parts.valve: no type is called 'Valv'", "did you mean 'Valve'?"],
    ),
    "no type": ("    type: Valve\n", "", 10, ["parts.valve: its type is missing", 'Add "type: …"', "Cylinder"]),
    "type that is a list": ("type: Valve", "type: [Valve]", 11, ["parts.valve.type: must be one name"]),
    "part that is a list": ("  pump:\n", "  tank: []\n  pump:\n", 7, ["parts.tank: must be a mapping", "type: …"]),
    "part that is empty": ("  pump:\n", "  tank:\n  pump:\n", 7, ["parts.tank: must be a mapping", "type: …"]),
    "ingredient as a part": ("  pump:\n", "  oil: {type: Oil}\n  pump:\n", 7, ["oil", "is not a part"]),
    "name with a blank": ("  valve:\n", "  main valve:\n", 10, ["part name 'main valve'", "letters, digits and _"]),
    "part twice": ("  valve:\n", "  pump:\n", 10, ["parts.pump: is there twice, first in line 7", "another name"]),
    # parameters
    "unknown parameter": ("d_bore: 80 mm", "d_boer: 80 mm", 16, ["parts.lift.d_boer: Cylinder has no", "'d_bore'?"]),
    "missing parameter": (
        "    Q_nom: 40 l/min\n",
        "",
        10,
        ["parts.valve.Q_nom [m³/s] is missing", '"Q_nom: 40 l/min"'],
    ),
    "missing parameter inside": (
        "      F_c: 200 N\n",
        "",
        17,
        ["parts.lift.friction.F_c [N] is missing", '"F_c: 5 kN"'],
    ),
    "parameter twice": (
        "    overlap: 0.03",
        "    Q_nom: 50 l/min",
        13,
        ["valve.Q_nom: is there twice, first in line 12"],
    ),
    "empty parameter": ("d_bore: 80 mm", "d_bore:", 16, ["parts.lift.d_bore: has no value (bore diameter)", "80 mm"]),
    "null parameter": ("d_bore: 80 mm", "d_bore: null", 16, ["parts.lift.d_bore: has no value", '"d_bore: 80 mm"']),
    "no unit": (
        "80 mm",
        "80",
        16,
        ['parts.lift.d_bore = "80": has no unit', "a length (m)", '"80 mm"', "bore diameter"],
    ),
    "wrong unit": (
        "80 mm",
        "80 bar",
        16,
        ['parts.lift.d_bore = "80 bar": is a pressure', "must be a length (m)", "80 mm"],
    ),
    "unknown unit": ("80 mm", "80 mmm", 16, ["parts.lift.d_bore", "no unit is called 'mmm' (did you mean 'mm'?)"]),
    "litre for litre per turn": ("80 cm3/rev", "80 cm3", 9, ["is a volume", "a displacement (m³/rad)", '"80 cm3/rev"']),
    "unit on a bare ratio": ("0.03", "0.03 mm", 13, ["parts.valve.overlap", "is a length", "must be a bare ratio"]),
    "decimal comma": ("80 mm", "80,5 mm", 16, ["parts.lift.d_bore", "a decimal point is a point, not a comma"]),
    "no number": ("80 mm", "thick", 16, ['parts.lift.d_bore = "thick": must be a number with its unit']),
    "not a number": ("80 mm", ".nan", 16, ['parts.lift.d_bore = ".nan": must be a number']),
    "infinite": ("0.03", ".inf", 13, ['parts.valve.overlap = ".inf": must be a number']),
    "too large": ("80 mm", "1e999 mm", 16, ['parts.lift.d_bore = "1e999 mm": is too large']),
    "number that is a list": ("80 mm", "[80 mm]", 16, ["parts.lift.d_bore: must be one number in m", "80 mm"]),
    "not above its bound": ("80 mm", "-80 mm", 16, ["parts.lift.d_bore = -0.08 m: must be above 0 (bore diameter)"]),
    "outside its range": ("0.03", "3", 13, ["parts.valve.overlap = 3 -: must lie within 0 and 1 (dead band)"]),
    "not below its bound": (
        "80 cm3/rev",
        "80 cm3/rev\n    slow: 1.5",
        10,
        ["parts.pump.slow = 1.5 -: must be below 1"],
    ),
    "rule between parameters": ("200 N", "300 N", 17, ["parts.lift.friction: F_s = 200 N: must be at least F_c"]),
    "vector too short": (
        "(0, 0, -9.81) m/s2",
        "(0, -9.81) m/s2",
        22,
        ["parts.arm.gravity", "must be 3 numbers in m/s²"],
    ),
    "vector without unit": ("(0, 0, -9.81) m/s2", "[0, 0, -9.81]", 22, ["parts.arm.gravity", "has no unit", "m/s²"]),
    "bracket cut by a list": ("[0, 1, 0]", "[(0, 1, 0)]", 27, ["arm.bodies.boom.axis", "bracket is not closed"]),
    "vector that is a mapping": ("[0, 1, 0]", "{y: 1}", 27, ["parts.arm.bodies.boom.axis: must be numbers"]),
    "ingredient that is a number": (
        "type: Friction\n      F_c: 200 N",
        "[1]",
        17,
        ["parts.lift.friction: must be a mapping"],
    ),
    "unknown ingredient": ("type: Friction", "type: Frictoin", 18, ["parts.lift.friction: no type", "'Friction'?"]),
    "bodies as a list": (
        "bodies:\n      boom:",
        "bodies:\n      - boom:",
        23,
        ["parts.arm.bodies: must be a mapping of names"],
    ),
    "flag that is a text": (
        "type: Friction\n      F_c: 200 N",
        "type: Friction\n      F_c: 200 N\n    oil: {type: Oil, cavitation: no}",
        20,
        ['parts.lift.oil.cavitation = "no": must be true or false'],
    ),
    "choice that is not offered": (
        "0.03",
        "0.03\n    spool: shut",
        14,
        ['valve.spool = "shut": must be one of closed, open'],
    ),
    "count that is broken": ("0.03", "0.03\n    ways: 4.5", 14, ["parts.valve.ways = 4.5: must be a whole number"]),
    # connections
    "connections as a mapping": (
        "  - pump.P = valve.P\n  - valve.A = lift.A",
        "  a: b",
        28,
        ["connections: must be a list"],
    ),
    "connection to nothing": ("pump.P = valve.P", "pump.P =", 29, ["connections: each must be ports that meet"]),
    "connection of one": ("pump.P = valve.P", "pump.P", 29, ["connect needs two or more ends"]),
    "unknown part": ("pump.P = valve.P", "pmup.P = valve.P", 29, ["crane has no part 'pmup'; did you mean 'pump'?"]),
    "unknown port": (
        "valve.A = lift.A",
        "valve.C = lift.A",
        30,
        ["valve (Valve) has no port 'C'", "ports are P, T, A, B"],
    ),
    "ports of two kinds": ("valve.A = lift.A", "valve.A = lift.rod", 30, ["valve.A and lift.rod cannot be joined"]),
    # aliases, start, scenarios
    "alias of an unknown part": ("lift.F", "lfit.F", 32, ["aliases.force", "no part 'lfit'; did you mean 'lift'?"]),
    "alias that is a list": ("force: lift.F", "force: [lift.F]", 32, ["aliases.force: must be the path of a signal"]),
    "start of nothing": (
        "lift.A.p: 20",
        "lift.C.p: 20",
        34,
        ["start: the machine has no signal 'lift.C.p'", "lift.A.p"],
    ),
    "start without unit": ("20 bar", "20", 34, ['start.lift.A.p = "20": has no unit', "a pressure (Pa)", "180 bar"]),
    "start that is a list": (
        "  lift.A.p: 20 bar",
        "  - lift.A.p",
        33,
        ["start: must be a mapping", "lift.A.p: 20 bar"],
    ),
    "scenario of nothing": (
        "valve.u:",
        "valve.uu:",
        38,
        ["scenarios.up.signals", "no signal 'valve.uu'; did you mean"],
    ),
    "signal in the wrong unit": ("1500 rpm", "1500 l/min", 39, ["signals.pump.n.value", "is a flow", "angular speed"]),
    "signal of unknown type": (
        "{type: Constant, value: 0.6}",
        "{type: Konstant}",
        38,
        ["'Konstant'", "did you mean 'Constant'?"],
    ),
    "scenario of unknown field": (
        "    signals:",
        "    signal:",
        37,
        ["scenarios.up.signal: Scenario has no", "'signals'?"],
    ),
}


def test_the_sound_file_is_sound():
    assert load(SOUND, SHELF).name == "crane"


@pytest.mark.parametrize("name", BROKEN)
def test_a_mistake_is_named_with_line_field_and_remedy(name):
    old, new, line, says = BROKEN[name]
    assert SOUND.count(old) >= 1, "the row does not fit the sound file"
    with pytest.raises(OleodynError) as caught:
        load(SOUND.replace(old, new, 1), SHELF)
    first = str(caught.value).splitlines()[0]
    assert first.startswith(f"text:{line}: "), first
    assert [part for part in says if part not in first] == [], first


ALONE = {"parts as a list", "section twice", "part twice", "name with a blank"}
"""mistakes that make others: the rest of the file speaks of what is then not there"""


@pytest.mark.parametrize("name", [name for name in BROKEN if name not in ALONE])
def test_one_mistake_gives_one_message(name):
    old, new, *_ = BROKEN[name]
    with pytest.raises(OleodynError) as caught:
        load(SOUND.replace(old, new, 1), SHELF)
    assert len(str(caught.value).splitlines()) == 1, str(caught.value)


def test_all_mistakes_of_a_file_are_reported_together_in_order(tmp_path):
    path = tmp_path / "crane.yaml"
    text = (
        SOUND.replace("80 cm3/rev", "80 cm3")
        .replace("Q_nom", "Qnom")
        .replace("20 bar", "20")
        .replace("lift.A\n", "lift.C\n")
    )
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DeclarationError) as caught:
        load(path, SHELF)
    lines = [message.removeprefix(f"{path}:").partition(":")[0] for message in str(caught.value).splitlines()]
    assert lines == ["9", "12", "34"]  # the connections of pump and valve wait until these are sound


def test_a_hundred_mistakes_are_cut_short():
    parts = "".join(f"  p{i}: {{type: Pump, D: {i} mm}}\n" for i in range(100))
    with pytest.raises(DeclarationError, match="text: and 80 more"):
        load(f"oleodyn: 1\nname: many\nparts:\n{parts}", SHELF)


def test_mistakes_of_wiring_alone_are_wiring_errors():
    with pytest.raises(WiringError, match="text:30: valve"):
        load(SOUND.replace("valve.A =", "valve.C ="), SHELF)


@pytest.mark.parametrize("text", ["just a text\n", "- a\n- list\n", "\n", "# nothing\n", "42\n", "null\n\n"])
def test_what_is_no_mapping_is_refused(text):
    with pytest.raises(DeclarationError, match=r'text:1: must be a mapping that begins with "oleodyn: 1"'):
        load(text, SHELF)


# ------------------------------------------------------------------ files


def test_a_file_that_is_not_there_is_named_with_its_nearest(tmp_path):
    (tmp_path / "crane.yaml").write_text(SOUND)
    with pytest.raises(DeclarationError, match=r"crnae\.yaml: there is no such file; did you mean 'crane\.yaml'\?"):
        load(tmp_path / "crnae.yaml", SHELF)
    with pytest.raises(DeclarationError, match="there is no such file"):
        load(tmp_path, SHELF)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path):
    path = tmp_path / "crane.yaml"
    path.write_bytes(b"oleodyn: 1\nname: \xff\xfe\n")
    with pytest.raises(DeclarationError, match=r"crane\.yaml:2: is not UTF-8"):
        load(path, SHELF)
    path.write_bytes(b"oleodyn: 1\nname: a\x00b\n")
    with pytest.raises(DeclarationError, match=r"crane\.yaml:2: holds a character"):
        load(path, SHELF)


# ------------------------------------------------------------------ hostile files


def bombs():
    levels = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12))
    return {
        "alias bomb": "a0: &a0 [x]\n" + levels,
        "aliases in a row": "a0: &a0 [" + "x, " * 1000 + "x]\na:\n" + "- *a0\n" * 20_000,
        "deep aliases": "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 80)),
        "deep list": "[" * 450_000,
        "deep mapping": "{a: " * 120_000,
        "deep dashes": "- " * 200_000,
        "deep indentation": "".join(" " * i + "a:\n" for i in range(1000)),
        "deep questions": "? " * 200_000,
        "many values": "a: [" + "1," * 200_000 + "1]\n",
        "many lines": "a:\n" + "- 1\n" * 120_000,
        "many keys": "".join(f"k{i}: 1\n" for i in range(45_000)),
        "long line": "name: " + "x" * 490_000 + "\n",
        "long key": "x" * 490_000 + ": 1\n",
        "long number": "oleodyn: " + "1" * 450_000 + "\n",
        "long quoted": 'name: "' + "\\x41" * 120_000 + '"',
        "many comments": "# x\n" * 120_000,
        "hundred million characters": "name: x\n" + "#" * 100_000_000,
    }  # fmt: skip


@pytest.mark.parametrize("name", bombs())
def test_a_bomb_is_refused_in_under_a_second(name):
    text = bombs()[name]
    begin = time.process_time()  # of this process alone: others do not count
    with pytest.raises(DeclarationError):
        load(text, SHELF)
    assert time.process_time() - begin < 1.0


@pytest.mark.parametrize("name", ["alias bomb", "deep list", "deep mapping", "hundred million characters"])
def test_a_bomb_is_refused_with_little_memory(name):
    text = bombs()[name]
    tracemalloc.start()
    with pytest.raises(DeclarationError):
        load(text, SHELF)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30e6  # 30 MB


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(100_000_000_000)  # a sparse file of 100 GB: reading it would take minutes
    begin = time.process_time()
    with pytest.raises(DeclarationError, match=r"has 100,000,000,000 bytes; a machine file has at most 500,000"):
        load(path, SHELF)
    assert time.process_time() - begin < 0.1
