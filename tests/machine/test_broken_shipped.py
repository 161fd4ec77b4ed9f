"""Broken files on the shelf that users have: line, field and remedy, for the parts as they are shipped."""

import pytest

from oleodyn.catalogue.shelf import SHELF
from oleodyn.equations.assemble import assemble
from oleodyn.errors import OleodynError
from oleodyn.machine.file import load

SOUND = """\
oleodyn: 1
name: lift
run: {stepper: hht, dt: 0.5 ms, until: 1 s}
parts:
  supply: {type: ConstantPressure, p: 180 bar}
  tank: {type: Tank}
  valve: {type: ProportionalValve43, Q_nom: 40 l/min}
  lift: {type: Cylinder, d_bore: 80 mm, d_rod: 45 mm, stroke: 0.5 m, length_0: 0.9 m, oil: ISO_VG_46}
  load: {type: Mass, m: 900 kg, s_0: 1.1 m}
connections:
  - supply.port = valve.P
  - valve.T = tank.port
  - valve.A = lift.A
  - valve.B = lift.B
  - lift.rod = load.rod
"""
BROKEN = {
    "a port left open": (
        "  - valve.B = lift.B\n", "",
        ":7: valve.B (work port B) is connected to nothing. Connect it, or close",
    ),
    "no unit": (
        "p: 180 bar", "p: 180",
        ':5: parts.supply.p = "180": has no unit; must be a pressure (Pa), for example "180 bar"',
    ),
    "a wrong unit": ("p: 180 bar", "p: 180 mm", ':5: parts.supply.p = "180 mm": is a length; must be a pressure (Pa)'),
    "a negative volume": (
        "oil: ISO_VG_46}", "V_A_dead: -5 cm3}",
        ":8: parts.lift.V_A_dead = -5e-06 m³: must lie within 0 and 1",
    ),
    "a rod larger than the bore": ("d_rod: 45 mm", "d_rod: 90 mm", "d_rod = 0.09 m: must be below d_bore = 0.08 m"),
    "a stroke that does not reach": ("s_0: 1.1 m", "s_0: 2.1 m", "lift.x = 1.2 m at the start"),
    "an unknown part": ("type: Tank", "type: Tnak", ":6: parts.tank: no type is called 'Tnak'; did you mean 'Tank'?"),
    "an unknown parameter": ("d_bore: 80 mm", "bore: 80 mm", ":8: parts.lift.bore: Cylinder has no parameter 'bore'"),
    "an unknown oil": (
        "ISO_VG_46", "ISO_VG_47",
        ":8: parts.lift.oil: no type is called 'ISO_VG_47'; did you mean 'ISO_VG_46'?",
    ),
    "an unknown port": (
        "valve.P", "valve.Q",
        ":11: valve (ProportionalValve43) has no port 'Q'. Its ports are P, T, A, B.",
    ),
    "two sources": ("  - valve.T = tank.port", "  - valve.T = tank.port = supply.port", "both impose p where"),
    "a parameter that is missing": (
        "stroke: 0.5 m, ", "",
        ':8: parts.lift.stroke [m] is missing (stroke). Add for example "stroke: 80 mm".',
    ),
    "a number that is none": ("m: 900 kg", "m: .nan kg", ":9: parts.load.m"),
    "the same name twice": ("  tank: {", "  supply: {type: Tank}\n  tank: {", ":6: parts.supply: is there twice"),
}  # fmt: skip


def test_the_file_is_sound_before_it_is_broken(tmp_path):
    path = tmp_path / "lift.yaml"
    path.write_text(SOUND, encoding="utf-8")
    assert [card.name for card in assemble(load(path, SHELF)).u_signals] == ["valve.u"]


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_mistake_with_shipped_parts_is_answered_with_its_place_and_remedy(mistake, tmp_path):
    old, new, message = BROKEN[mistake]
    assert SOUND.count(old) == 1
    path = tmp_path / "lift.yaml"
    path.write_text(SOUND.replace(old, new), encoding="utf-8")
    with pytest.raises(OleodynError) as caught:
        assemble(load(path, SHELF))
    assert message in str(caught.value)
