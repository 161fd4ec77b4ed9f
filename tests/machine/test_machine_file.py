"""Machine files: what is saved loads as an equal machine, whatever the machine."""

import math
import subprocess
import sys
import textwrap
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from oleodyn.catalogue.shelf import MACHINES, machine
from oleodyn.catalogue.shelf import SHELF as REAL_SHELF
from oleodyn.errors import DeclarationError, OleodynError
from oleodyn.machine.file import changed, load
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Named
from oleodyn.machine.save import save, to_text
from oleodyn.machine.schema import schema
from oleodyn.simulation.path import Steps
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import Constant, Function, Sum
from oleodyn.simulation.wave import Sine
from oleodyn.units import bar, cm3_per_rev, degC, l_per_min, mm, rpm
from tests.machine.shelf import SHELF, Arm, Body, Cylinder, Friction, Oil, Pump, Valve

CRANE = """\
oleodyn: 1
name: crane
text: A loader crane.
run: {stepper: hht, dt: 0.2 ms, until: 10 s, scenario: up}

parts:
  pump: {type: Pump, D: 80 cm3/rev}
  valve:
    type: Valve
    Q_nom: 40 l/min
    overlap: 5 %
  lift:
    type: Cylinder
    d_bore: 80 mm
    friction:
      type: Friction
      F_c: 0.1 kN
    oil:
      type: iso_vg_46
      temp: 50 degC
  other:
    type: Cylinder
    d_bore: 63.5 mm
    oil: iso_vg_32
  arm:
    type: Arm
    gravity: (0, -9.81, 0) m/s2
    bodies:
      boom: &boom
        type: Body
        m: 120 kg
        r: [0.5 m, 0 m, 20 mm]
        I: (1, 0.1, 0, 2, 0, 3) kg.m2
        axis: [0, 1, 0]
      jib: *boom
      hook: {type: Body, m: 5 kg, I: [[1 kg m2, 0 kg m2, 0 kg m2], 0 2 0 kg m2, "(0, 0, 3) kg m2"]}
    stations: 0 1 2 m
    path: (0, 0, 0; 1, 2, 3) mm
    anything: {a: [1, two, 3.0, null, yes, true], b: {c: "4"}}

connections:
  - pump.P = valve.P
  - [valve.A, lift.A, other.A]
aliases:
  force: lift.F
start:
  lift.A.p: 20 bar
  valve.x: 0.1
  lift.friction.z: 1 um
scenarios:
  up:
    text: Up.
    until: 5 s
    start: {lift.B.p: 3 bar}
    signals:
      valve.u: {type: Steps, times: 0 1 2 s, values: [0, 0.5, 0]}
      pump.n:
        type: Sum
        terms:
          a: {type: Constant, value: 1500 rpm}
          b: {type: Sine, amplitude: 10 rpm, frequency: 2 Hz}
"""


def crane() -> Machine:
    """The same machine, built in Python."""
    boom = Body(m=120, r=(0.5, 0, 0.02), I=((1, 0.1, 0), (0.1, 2, 0), (0, 0, 3)), axis=(0, 1, 0))
    m = Machine(
        "crane",
        text="A loader crane.",
        defaults=Defaults(stepper="hht", dt=0.2e-3, until=10.0, scenario="up"),
        start={"lift.A.p": 20 * bar, "valve.x": 0.1, "lift.friction.z": 1e-6},
        scenarios={
            "up": Scenario(
                text="Up.",
                until=5.0,
                start={"lift.B.p": 3 * bar},
                signals={
                    "valve.u": Steps(times=(0, 1, 2), values=(0, 0.5, 0)),
                    "pump.n": Sum(
                        terms={"a": Constant(value=1500 * rpm), "b": Sine(amplitude=10 * rpm, frequency=2.0)}
                    ),
                },
            )
        },
    )
    m.add("pump", Pump(D=80 * cm3_per_rev))
    m.add("valve", Valve(Q_nom=40 * l_per_min, overlap=0.05))
    m.add("lift", Cylinder(d_bore=80 * mm, friction=Friction(F_c=100.0), oil=Oil(rho=865.0, temp=degC(50.0))))
    m.add("other", Cylinder(d_bore=63.5 * mm, oil=Oil(rho=857.0)))
    m.add(
        "arm",
        Arm(
            gravity=(0, -9.81, 0),
            bodies={"boom": boom, "jib": boom, "hook": Body(m=5, I=((1, 0, 0), (0, 2, 0), (0, 0, 3)))},
            stations=[0, 1, 2],
            path=[[0, 0, 0], [1e-3, 2e-3, 3e-3]],
            anything={"a": [1, "two", 3.0, None, "yes", True], "b": {"c": "4"}},
        ),
    )
    m.connect("pump.P", "valve.P")
    m.connect("valve.A", "lift.A", "other.A")
    m.alias("force", "lift.F")
    return m


def test_a_file_gives_the_machine_that_python_gives():
    assert load(CRANE, SHELF) == crane()


def test_a_saved_machine_loads_as_an_equal_one_with_the_same_hash(tmp_path):
    save(crane(), tmp_path / "crane.yaml")
    loaded = load(tmp_path / "crane.yaml", SHELF)
    assert loaded == crane()
    assert hash(loaded) == hash(crane())


def test_saving_what_was_loaded_gives_the_same_text():
    text = to_text(crane())
    assert to_text(load(text, SHELF)) == text


def test_numbers_are_saved_in_the_units_of_a_drawing_with_their_meaning_if_asked():
    text = to_text(crane(), notes=True)
    for line in ("d_bore: 80 mm  # bore diameter", "D: 80 cm3/rev  # displacement", "gravity: (0, -9.81, 0) m/s2",
                 "Q_nom: 40 l/min", "lift.A.p: 20 bar", "temp: 50 degC", "value: 1500 rpm", "- pump.P = valve.P",
                 "I: ((1, 0.1, 0), (0.1, 2, 0), (0, 0, 3)) kg.m2", "until: 10 s"):  # fmt: skip
        assert line in text


def test_a_part_remembers_its_line_in_the_file(tmp_path):
    path = tmp_path / "crane.yaml"
    path.write_text(CRANE, encoding="utf-8")
    assert load(path, SHELF).places["lift"] == f"{path}:{CRANE.splitlines().index('  lift:') + 1}"


def test_the_file_in_the_docstring_of_the_format_is_one():
    from oleodyn.machine import file

    text = textwrap.dedent(file.__doc__.split("\n\n")[1])
    classes = {"ProportionalValve43": Valve, "LuGre": Friction}
    assert load(text, SHELF | classes).parts["lift"] == Cylinder(d_bore=0.08, friction=Friction(F_c=200.0))


# ------------------------------------------------------------------ any machine

TEXTS = st.text(max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
POSITIVE = st.floats(min_value=1e-12, max_value=1e12)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | TEXTS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
    max_leaves=8,
)
OILS = st.builds(Oil, rho=POSITIVE, temp=POSITIVE, K=POSITIVE, cavitation=st.booleans())
FRICTIONS = st.builds(Friction, F_c=st.floats(1e-3, 1), F_s=st.floats(1, 1e6), v_s=st.none() | POSITIVE)
CYLINDERS = st.builds(
    Cylinder, d_bore=POSITIVE, stroke=POSITIVE, dead=POSITIVE, friction=st.none() | FRICTIONS, oil=OILS | st.none()
)
VALVES = st.builds(
    Valve, Q_nom=POSITIVE, overlap=st.floats(0, 1), w=POSITIVE, gain=NUMBERS, spool=st.sampled_from(["closed", "open"])
)
VECTORS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
BODIES = st.builds(Body, m=POSITIVE, r=VECTORS, I=st.tuples(VECTORS, VECTORS, VECTORS), axis=VECTORS)
ARMS = st.builds(
    Arm,
    gravity=VECTORS,
    bodies=st.dictionaries(TEXTS, BODIES, max_size=3),
    stations=st.lists(NUMBERS, max_size=3),
    path=st.lists(VECTORS, min_size=1, max_size=3),
    anything=PLAIN,
    label=TEXTS,
    flags=st.dictionaries(TEXTS, PLAIN, max_size=2),
)
PARTS = {"c": CYLINDERS, "v": VALVES, "p": st.builds(Pump, D=POSITIVE), "a": ARMS}
SIGNALS = st.recursive(
    st.builds(Constant, value=NUMBERS) | st.builds(Sine, amplitude=NUMBERS, w=POSITIVE, phase=NUMBERS),
    lambda inside: st.builds(Sum, terms=st.dictionaries(TEXTS, inside, max_size=3)),
    max_leaves=4,
)


@st.composite
def machines(draw):
    m = Machine(draw(TEXTS), text=draw(TEXTS))
    kinds = draw(st.lists(st.sampled_from(sorted(PARTS)), max_size=4))
    for i, kind in enumerate(kinds):
        m.add(f"{kind}{i}", draw(PARTS[kind]))
    ports = [f"{name}.{port}" for name, part in m.parts.items() for port in part.declaration().ports if port in "APBT"]
    for a, b in pairwise(draw(st.lists(st.sampled_from(ports), unique=True)) if ports else []):
        m.connect(a, b)
    for name in m.parts:
        if draw(st.booleans()):
            m.alias(draw(TEXTS.filter(lambda text: text not in m.aliases)), f"{name}.{draw(TEXTS)}")
    m.start = {f"{port}.p": draw(NUMBERS) for port in draw(st.sets(st.sampled_from(ports)) if ports else st.just(()))}
    inputs = [f"{name}.{signal}" for name, part in m.parts.items() for signal in part.declaration().inputs]
    scenarios = draw(st.lists(TEXTS, unique=True, max_size=2))
    m.scenarios = Named(
        {
            name: Scenario(text=draw(TEXTS), signals={i: draw(SIGNALS) for i in inputs}, start=m.start)
            for name in scenarios
        }
    )
    default = draw(st.sampled_from([None, *scenarios]))
    m.defaults = Defaults(dt=draw(POSITIVE), until=draw(POSITIVE), scenario=default, stepper=draw(TEXTS))
    return m


@settings(max_examples=150)
@given(machines())
def test_any_machine_survives_saving_and_loading(machine):
    text = to_text(machine)
    loaded = load(text, SHELF)
    assert loaded == machine
    assert to_text(loaded) == text


@pytest.mark.parametrize("value", [0.1 + 0.2, 1 / 3, math.pi, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 123456789.0])
def test_no_bit_of_a_number_is_lost(value):
    machine = Machine("bits")
    machine.add("valve", Valve(Q_nom=1.0, gain=value))
    loaded = load(to_text(machine), SHELF).parts["valve"].gain
    assert (loaded, math.copysign(1, loaded)) == (value, math.copysign(1, value))


@pytest.mark.parametrize("name", MACHINES)
def test_every_machine_of_the_catalogue_survives_saving_and_loading(name, tmp_path):
    save(machine(name), tmp_path / "m.yaml", shelf=REAL_SHELF, notes=True)
    loaded = load(tmp_path / "m.yaml", REAL_SHELF)
    assert loaded == machine(name)
    assert Draft202012Validator(schema(REAL_SHELF)).is_valid(YAML(typ="safe", pure=True).load(to_text(loaded)))


# ------------------------------------------------------------------ what cannot be saved


def test_a_python_function_is_refused_with_what_to_use_instead():
    machine = Machine("m", scenarios={"s": Scenario(signals={"valve.u": Function(math.sin)})})
    machine.add("valve", Valve(Q_nom=1.0))
    with pytest.raises(DeclarationError, match=r"scenarios\.s\.signals\.valve\.u \(Function\) cannot be .* use Steps"):
        to_text(machine)


def test_a_structure_that_is_no_plain_value_is_refused():
    machine = Machine("m")
    machine.add("arm", Arm(anything=math.sin))
    with pytest.raises(DeclarationError, match=r"parts\.arm\.anything = <built-in function sin> cannot be"):
        to_text(machine)


def test_a_start_of_what_the_machine_does_not_have_is_refused():
    machine = Machine("m", start={"lift.q": 1.0})
    with pytest.raises(DeclarationError, match=r"start: the machine has no state 'lift\.q'"):
        to_text(machine)


def test_a_class_that_is_not_on_the_shelf_is_refused_before_the_file_is_touched(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text("kept")
    machine = Machine("m")
    machine.add("pump", Pump(D=1.0))
    with pytest.raises(DeclarationError, match=r"parts\.pump \(Pump\) .* not on the shelf"):
        save(machine, path, shelf={"Valve": Valve})
    assert [file.name for file in tmp_path.iterdir()] == ["m.yaml"]
    assert path.read_text() == "kept"


def test_a_shelf_may_give_a_class_another_name(tmp_path):
    machine = Machine("m")
    machine.add("pump", Pump(D=1.0))
    shelf = {"gear-pump": Pump}
    save(machine, tmp_path / "m.yaml", shelf=shelf)
    assert load(tmp_path / "m.yaml", shelf) == machine


def test_reading_a_file_does_not_load_the_units_library():
    code = (
        "import sys; from oleodyn.machine.file import load; from tests.machine.test_machine_file import CRANE, SHELF; "
        "load(CRANE, SHELF); sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ------------------------------------------------------------------ one value from a text


def test_one_value_is_changed_by_what_an_engineer_types():
    machine = crane()
    assert changed(machine, "lift.d_bore", "90 mm", SHELF).parts["lift"].d_bore == 0.09
    assert changed(machine, "lift.friction.F_c", "0.15 kN", SHELF).parts["lift"].friction.F_c == 150.0
    assert changed(machine, "arm.bodies.hook.r", "(0, 0, 2) cm", SHELF).parts["arm"].bodies["hook"].r == (0, 0, 0.02)
    assert changed(machine, "lift.oil", "iso_vg_32", SHELF).parts["lift"].oil == Oil(rho=857.0)
    assert changed(machine, "lift.friction", "null", SHELF).parts["lift"].friction is None
    assert changed(machine, "arm.bodies.jib", "{type: Body, m: 7 kg}", SHELF).parts["arm"].bodies["jib"] == Body(m=7)
    assert machine == crane()


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        ("lift.d_bore", "90", r'^lift\.d_bore = "90": has no unit; must be a length \(m\)'),
        ("lift.d_bore", "-9 mm", r"^lift\.d_bore = -0\.009 m: must be above 0"),
        ("lift.d_boer", "90 mm", r"lift\.d_boer: Cylinder has no parameter 'd_boer'; did you mean 'd_bore'\?"),
        ("lfit.d_bore", "90 mm", r"no part 'lfit'; did you mean 'lift'\?"),
        ("lift.friction.mu.x", "1", r"has no parameter 'mu'"),
        ("arm.bodies.hok.m", "1 kg", r"bodies has no 'hok'; did you mean 'hook'\?"),
        ("lift", "1", "has no parameter ''"),
        ("lift.oil", "water", r"^lift\.oil: no type is called 'water'"),
        ("lift.d_bore", "[90 mm", "is not YAML"),
    ],
)
def test_a_text_that_fits_no_value_is_refused(path, text, says):
    with pytest.raises(OleodynError, match=says):
        changed(crane(), path, text, SHELF)
