"""Circuit drawings: complete, legible, the same each time; judged by the geometry of what is drawn."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest

from oleodyn.catalogue.shelf import MACHINES, load
from oleodyn.errors import DataError
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.port import HydraulicPort
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Input, Output, Part
from oleodyn.mechanics.inertia import Mass
from oleodyn.result.circuit.symbols import SYMBOLS, symbol_of
from oleodyn.result.drawing import draw, drawing, laid_out
from oleodyn.units import bar
from tests.cli.command import caller
from tests.machines.random_circuit import RandomCircuit

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = range(40)


def circuits():
    yield from ((name, lambda name=name: load(name)) for name in MACHINES)
    yield from ((f"random {seed}", lambda seed=seed: RandomCircuit(seed).machine) for seed in SEEDS)


CIRCUITS = dict(circuits())
each = pytest.mark.parametrize("machine", [pytest.param(make, id=name) for name, make in CIRCUITS.items()])


def words(svg):
    """All that is written in a picture, tooltips too."""
    return [element.text or "" for element in ET.fromstring(svg).iter() if element.tag in (f"{SVG}text", f"{SVG}title")]


def apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def labelled(made):
    """Every symbol, label and arrow with its rectangle."""
    for name, node in made.nodes.items():
        yield name, node.body()
        if node.label_box() is not None:
            yield f"label of {name}", node.label_box()
        for port in node.stubs:
            yield f"arrow into {name}.{port}", node.stub_box(port)


def ram(valve=ServoValve43, cylinder=Cylinder):
    """A cylinder that a servo valve moves."""
    machine = Machine("ram")
    machine.add("supply", ConstantPressure(p=117 * bar))
    machine.add("tank", Tank())
    machine.add("valve", valve(C_d=1e-3))
    machine.add("lift", cylinder(d_bore=0.08, d_rod=0.045, stroke=0.7, length_0=0.9))
    machine.add("load", Mass(m=310.0))
    machine.connect("supply.port", "valve.P")
    machine.connect("tank.port", "valve.T")
    machine.connect("valve.A", "lift.A")
    machine.connect("valve.B", "lift.B")
    machine.connect("lift.rod", "load.rod")
    return machine


# ------------------------------------------------------------------ what is drawn


@each
def test_every_part_and_every_connection_is_in_the_picture(machine):
    machine = machine()
    written = words(drawing(machine))
    for name, part in machine.parts.items():
        assert name in written and type(part).__name__ in written
        assert f"{name} ({type(part).__name__})" in written
    tooltips = "; ".join(written)
    for ends in machine.connections:
        assert " = ".join(ends) in tooltips


@each
def test_every_end_of_a_connection_is_reached_by_its_line(machine):
    made, routing = laid_out(machine())
    for net in made.nets:
        edges = [pair for way in routing.of(net) for pair in pairwise(way.cells)]
        pins = [made.nodes[part].pin(port) for part, port in net.ends]
        reached = {(pins[0].x, pins[0].y)}
        for _ in edges:  # spreads at least one edge further each time
            grown = reached | {cell for edge in edges if reached & set(edge) for cell in edge}
            if grown == reached:
                break
            reached = grown
        assert {(pin.x, pin.y) for pin in pins} <= reached


def test_symbols_and_lines_need_nothing_from_outside():
    svg = drawing(load("valve-bench"))
    assert "<script" not in svg and "href" not in svg and "url(" not in svg and "@import" not in svg
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    _, _, width, height = map(float, ET.fromstring(svg).attrib["viewBox"].split())
    assert width > 300 and height > 300


def test_ports_have_their_letters_and_lines_their_kinds():
    written = words(drawing(load("valve-bench")))
    assert {"P", "A", "B", "T", "u"} <= set(written)
    assert {"supply", "return to tank", "working line", "mechanical", "signal"} <= set(written)


def test_a_mechanism_lists_its_joints():
    assert "z1: world → body_1 (Revolute)" in words(drawing(load("four-bar")))


# ------------------------------------------------------------------ that one can read it


@each
def test_nothing_overlaps(machine):
    made, _ = laid_out(machine())
    for (one, a), (other, b) in combinations(labelled(made), 2):
        belongs = one.split()[-1].partition(".")[0] == other.split()[-1].partition(".")[0]
        assert belongs or apart(a, b), f"{one} and {other}"


@each
def test_no_line_passes_through_a_symbol_or_a_label(machine):
    made, routing = laid_out(machine())
    boxes = list(labelled(made))
    for way in routing.ways:
        pins = {(pin.x, pin.y) for part, port in way.net.ends for pin in [made.nodes[part].pin(port)]}
        for x, y in way.cells:
            inside = [name for name, box in boxes if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
            assert not inside or (x, y) in pins, f"{way.net.ends} runs through {inside}"


@each
def test_lines_of_different_nets_only_cross(machine):
    made, routing = laid_out(machine())
    assert routing.overlaps == 0
    at = {}
    for net in made.nets:
        directions = {}
        for way in routing.of(net):
            for a, b in pairwise(way.cells):
                for cell in (a, b):
                    directions.setdefault(cell, set()).add("flat" if a[1] == b[1] else "upright")
        for cell, used in directions.items():
            for others in at.get(cell, []):
                assert not used & others, f"{net.ends} lies on another line at {cell}"
            at.setdefault(cell, []).append(used)


def test_oil_rises_from_the_tank_through_the_valve_to_the_cylinder():
    made, _ = laid_out(ram())
    depth = {name: node.y for name, node in made.nodes.items()}
    assert depth["load"] < depth["lift"] < depth["valve"] < depth["supply"] == depth["tank"]


def test_a_hose_stands_in_the_line_that_it_is():
    made, _ = laid_out(load("four-bar"))
    depth = {name: node.y for name, node in made.nodes.items()}
    assert depth["cylinder"] < depth["hose_2"] < depth["throttle"] < depth["hose_1"] < depth["valve"]
    columns = {made.nodes[name].x for name in ("hose_1", "throttle", "hose_2")}
    assert len(columns) == 1


def test_a_controller_stands_left_of_its_valve():
    made, _ = laid_out(load("hydm"))
    for k in range(1, 7):
        assert made.nodes[f"pid_{k}"].x < made.nodes[f"valve_{k}"].x < made.nodes[f"pid_{k}"].x + 20


# ------------------------------------------------------------------ parts of any origin


class Mixed(Cylinder):
    """A user's cylinder."""


class Box(Part):
    """A user's part with oil, an input and an output."""

    left, right = HydraulicPort("one side"), HydraulicPort("other side")
    throw = Input("-", "what is thrown")
    catch = Output("-", "what is caught")


class Sensing(ServoValve43):
    """A user's valve that tells something."""

    told = Output("-", "what it tells")


def test_a_part_that_descends_from_another_has_its_symbol():
    made, _ = laid_out(ram(cylinder=Mixed))
    assert made.nodes["lift"].symbol == laid_out(ram())[0].nodes["lift"].symbol
    assert "Mixed" in words(drawing(ram(cylinder=Mixed)))


def test_a_part_of_another_kind_is_a_box():
    machine = ram(valve=Sensing)
    machine.add("box", Box())
    machine.connect("box.left", "valve.A")
    machine.connect("box.right", "tank.port")
    machine.connect("valve.told", "box.throw")
    made, routing = laid_out(machine)
    assert not made.nodes["box"].picture and made.nodes["valve"].picture and routing.overlaps == 0
    assert {"box", "Box", "left", "right", "throw", "told"} <= set(words(drawing(machine)))


def test_what_is_not_connected_is_drawn_all_the_same():
    machine = Machine("loose")
    assert "loose" in words(drawing(machine))
    machine.add("lift", Cylinder(d_bore=0.08, d_rod=0.045, stroke=0.7, length_0=0.9))
    machine.add("box", Box())
    assert {"lift", "box"} <= set(words(drawing(machine)))


def test_a_ring_of_controllers_is_drawn():
    class Gain(Part):
        u = Input("-", "in")
        y = Output("-", "out")

    machine = Machine("ring")
    for name in ("a", "b", "c"):
        machine.add(name, Gain())
    for one, other in (("a", "b"), ("b", "c"), ("c", "a")):
        machine.connect(f"{one}.y", f"{other}.u")
    assert laid_out(machine)[1].overlaps == 0


def test_every_hydraulic_part_has_a_symbol():
    import importlib
    import pkgutil

    import oleodyn.hydraulics as room

    for module in pkgutil.iter_modules(room.__path__):
        for value in vars(importlib.import_module(f"{room.__name__}.{module.name}")).values():
            if isinstance(value, type) and issubclass(value, Part) and value._declared.ports:
                symbol = symbol_of([cls.__name__ for cls in value.__mro__])
                assert symbol is not None, value.__name__
                assert set(value._declared.ports) <= set(symbol.pins), value.__name__


@pytest.mark.parametrize("name", SYMBOLS)
def test_pins_lie_on_the_edge_that_they_leave(name):
    for symbol in (SYMBOLS[name](), SYMBOLS[name]().turned()):
        for pin in symbol.pins.values():
            edge = {"N": pin.y == 0, "S": pin.y == symbol.height, "W": pin.x == 0, "E": pin.x == symbol.width}
            assert edge[pin.side] and 0 <= pin.x <= symbol.width and 0 <= pin.y <= symbol.height


# ------------------------------------------------------------------ files


def test_names_are_written_as_they_are():
    machine = Machine("<b>&'\"</b>", text="a < b & c > d </svg>")
    machine.add("tank", Tank())
    assert {"<b>&'\"</b>", "a < b & c > d </svg>"} <= set(words(drawing(machine)))


def test_the_same_machine_gives_the_same_bytes_in_any_process():
    code = "import sys, oleodyn as od; from oleodyn.result.drawing import drawing\n"
    code += "sys.stdout.buffer.write(''.join(drawing(od.load(n)) for n in ('pipe-cutter', 'valve-bench')).encode())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "22")
    ]
    assert runs[0] == runs[1] and len(runs[0]) > 20_000


def test_check_draws_the_circuit_and_json_stays_pure(capsys, monkeypatch, tmp_path):
    oleodyn, path = caller(capsys, monkeypatch), tmp_path / "bench.svg"
    called = oleodyn("check", "valve-bench", "--draw", path, "--json")
    assert called.status == 0 and called.json["ok"] is True
    assert called.err == f"circuit drawn to {path}\n"
    assert path.read_text(encoding="utf-8") == drawing(load("valve-bench"))


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(DataError, match=r"there is no folder .*Make it, or write elsewhere"):
        draw(ram(), tmp_path / "nowhere" / "ram.svg")
    assert draw(ram(), tmp_path / "ram.svg") == tmp_path / "ram.svg"
    assert list(tmp_path.iterdir()) == [tmp_path / "ram.svg"]
