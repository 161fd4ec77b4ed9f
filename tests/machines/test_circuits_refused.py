"""Circuits that cannot be: each is refused with the place and the remedy before anything runs."""

import re

import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import AssemblyError, DeclarationError, WiringError
from oleodyn.fluids.oil import Oil
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.plunger import Plunger
from oleodyn.hydraulics.restricted_actuator import RestrictedCylinder
from oleodyn.hydraulics.rotary_actuator import RotaryActuator
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.units import bar, deg, litre, mm

LIFT = dict(d_bore=80 * mm, d_rod=45 * mm, stroke=0.9, length_0=0.8)


def bolted(parts, *connections):
    machine = Machine("wrong")
    for name, part in parts.items():
        machine.add(name, part)
    for ends in connections:
        machine.connect(*ends)
    return machine


def refused(error, parts, *connections):
    """The message of the refusal; it begins with where the part was added."""
    with pytest.raises(error) as caught:
        assemble(bolted(parts, *connections))
    place, message = re.fullmatch(r"(\S+\.py:\d+): (.*)", str(caught.value)).groups()
    assert place.partition(":")[0] == __file__
    return message


def test_two_pressure_sources_that_meet():
    parts = dict(pump=ConstantPressure(p=180 * bar), tank=Tank())
    assert refused(WiringError, parts, ("pump.port", "tank.port")) == (
        "pump.port and tank.port both impose p where pump.port and tank.port meet. "
        "Put something that stores between them, for example Hose()."
    )


def test_a_port_left_open():
    parts = dict(pump=ConstantPressure(p=180 * bar), drain=Throttle(area=1e-5))
    assert refused(WiringError, parts, ("pump.port", "drain.A")) == (
        "drain.B (other side) is connected to nothing. Connect it, or close it with Plug()."
    )


def test_restrictions_in_series_without_a_volume():
    parts = dict(pump=ConstantPressure(p=180 * bar), one=Throttle(area=1e-5), two=Throttle(area=2e-5), tank=Tank())
    assert refused(WiringError, parts, ("pump.port", "one.A"), ("one.B", "two.A"), ("two.B", "tank.port")) == (
        "nothing stores p where one.B and two.A meet, so it has no equation. "
        "Connect a part with volume there, for example Hose(volume=0.2 * litre)."
    )


def test_a_negative_area():
    with pytest.raises(
        DeclarationError, match=re.escape("Throttle.area = -2e-05 m²: must lie within 0 and 1 (area of the opening)")
    ):
        Throttle(area=-2e-5)


def test_a_rod_larger_than_its_bore():
    with pytest.raises(DeclarationError, match=re.escape("Cylinder.d_rod = 0.09 m: must be below d_bore = 0.08 m")):
        Cylinder(**LIFT | dict(d_rod=90 * mm))


@pytest.mark.parametrize(("s_0", "x"), [(1.75, "0.95"), (0.7, "-0.1")], ids=["too far apart", "too close"])
def test_a_stroke_that_does_not_reach_from_pin_to_pin(s_0, x):
    parts = dict(lift=Cylinder(**LIFT), load=Mass(m=500.0, s_0=s_0), A=Volume(volume=1 * litre), B=Tank())
    message = refused(AssemblyError, parts, ("lift.rod", "load.rod"), ("lift.A", "A.port"), ("lift.B", "B.port"))
    assert message == (
        f"lift.x = {x} m at the start (piston position from retracted): must lie within 0 and 0.9 m. "
        "Start elsewhere, or change the sizes of lift."
    )


def test_a_plunger_and_a_vane_that_start_beyond_their_stops():
    parts = dict(jack=Plunger(d=60 * mm, stroke=0.5, length_0=0.6), load=Mass(m=1.0, s_0=1.3), tank=Tank())
    assert "jack.x = 0.7 m" in refused(AssemblyError, parts, ("jack.rod", "load.rod"), ("jack.A", "tank.port"))
    parts = dict(vane=RotaryActuator(D=336e-6), arm=Inertia(I=2.0, angle_0=100 * deg), A=Tank(), B=Tank())
    ends = ("vane.shaft", "arm.shaft"), ("vane.A", "A.port"), ("vane.B", "B.port")
    assert "vane.phi = 3.31613 rad" in refused(AssemblyError, parts, *ends)


def test_a_chamber_without_length():
    size = LIFT | dict(stroke=0.9)
    parts = dict(lift=RestrictedCylinder(**size, R_A=0.0, R_B=0.0), load=Mass(m=1.0, s_0=0.8), A=Tank(), B=Tank())
    assert refused(AssemblyError, parts, ("lift.rod", "load.rod"), ("lift.A", "A.port"), ("lift.B", "B.port")) == (
        "lift.length_A = 0 at the start: must stay positive. Start elsewhere, or change the sizes of lift."
    )


def test_a_start_at_the_very_end_of_the_stroke_fits():
    for s_0 in (0.8, 0.8 + 0.9):
        parts = dict(lift=Cylinder(**LIFT), load=Mass(m=500.0, s_0=s_0), A=Tank(), B=Tank())
        assemble(bolted(parts, ("lift.rod", "load.rod"), ("lift.A", "A.port"), ("lift.B", "B.port")))


def test_oil_starts_at_one_atmosphere_where_no_part_says_otherwise():
    parts = dict(
        lift=Cylinder(**LIFT, p_B_0=60 * bar),
        load=Mass(m=1.0, s_0=1.0),
        A=Volume(volume=1 * litre),
        B=Volume(volume=1e-4),
    )
    e = assemble(bolted(parts, ("lift.rod", "load.rod"), ("lift.A", "A.port"), ("lift.B", "B.port")))
    assert dict(zip([card.name for card in e.x_signals], e.x_0, strict=True)) == {
        "lift.A.p": 101325.0,
        "lift.B.p": 60e5,
    }


def test_oil_that_tears_beside_oil_that_pulls():
    parts = dict(vessel=Volume(volume=1e-3, oil=Oil(cavitation=False)), lock=Plug())
    assert refused(DeclarationError, parts, ("vessel.port", "lock.port")) == (
        "lock.port and vessel.port meet, but vessel.port.p has a lower bound only in the first: oil that tears and oil "
        "that pulls (cavitation on and off) cannot be one oil. Give both the same."
    )
