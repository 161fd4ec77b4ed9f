"""The loader crane: carried at rest, its geometry in motion, its energies."""

import cmath
from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue.loader_crane import CYLINDERS, machine
from oleodyn.catalogue.loader_crane_arm import (
    BARRELS,
    BEAMS,
    BOOM,
    FOOT,
    KNUCKLE_EYE,
    LEVER,
    LEVER_PIN,
    LIFT_EYE,
    LIFT_PIN,
    LINK,
    LINK_PIN,
    RODS,
    TUBE,
)
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.hydraulics.cylinder import areas
from oleodyn.simulation.run import simulate

G = 9.81  # m/s², the default of a mechanism
GRAB, PAYLOAD = 60.0, 500.0  # kg
AREAS = areas(*CYLINDERS["lift"][:2])


@cache
def cycle():
    return simulate(machine(payload=PAYLOAD), every=10)


@cache
def still():
    return simulate(machine(payload=PAYLOAD), until=0.1)


def test_the_frame_carries_the_whole_weight():
    """What hangs on the pillar's bearing and on the eyes of the two slewing cylinders adds up to m g."""
    result = still()
    mass = sum(m for m, *_ in (*BEAMS.values(), *BARRELS.values(), *RODS.values())) + GRAB + PAYLOAD
    held = result.values("arm.slew.reaction.F_z")[0]
    for eye in ("left_eye", "right_eye"):  # in the barrel's axes, raised by q_2
        rise = result.values(f"arm.{eye}.q_2")[0]
        F_x, F_z = (result.values(f"arm.{eye}.reaction.F_{axis}")[0] for axis in "xz")
        held += F_x * np.sin(rise) + F_z * np.cos(rise)
    assert held == pytest.approx(mass * G, rel=1e-9)


def test_the_lift_cylinder_carries_the_moment_about_the_pin_of_the_boom():
    """Moment of all weights beyond the pin, each where it hangs, against force times lever; in the boom's plane."""
    result = still()
    F = sum(
        sign * result.values(f"lift.{side}.p")[0] * area for side, sign, area in zip("AB", (1, -1), AREAS, strict=True)
    )
    boom = cmath.exp(1j * result.values("arm.boom.q")[0])
    moment = sum(m * G * place.real for m, place in beyond(result, boom))
    # barrel and rod: their weight across the line hangs on both eyes, the rod's along it on the oil
    line = FOOT + LIFT_PIN * boom - LIFT_EYE
    s, along = abs(line), line / abs(line)
    (m_barrel, l_barrel), (m_rod, l_rod) = BARRELS["lift"], RODS["lift"]
    across = (m_barrel * l_barrel / 2 + m_rod * (s - l_rod / 2)) / s * G * along.real
    push = (F - m_rod * G * along.imag) * along - across * 1j * along
    assert turning(LIFT_PIN * boom, push) == pytest.approx(moment, rel=1e-9)


def beyond(result, boom):
    """Mass and place, from the boom's pin, of everything that the boom carries."""
    q = {name: result.values(f"arm.{name}.q")[0] for name in ("jib", "telescope", "lever", "link", "knuckle_rod")}
    jib, lever, link = (cmath.exp(1j * q[name]) for name in ("jib", "lever", "link"))
    ram = cmath.exp(1j * result.values("arm.knuckle_eye.q_1")[0])
    tip = BOOM + (TUBE + q["telescope"]) * jib
    places = {
        "boom": BOOM / 2,
        "jib": BOOM + BEAMS["jib"][1] / 2 * jib,
        "telescope": tip + BEAMS["telescope"][1] / 2 * jib,
        "hook": tip,  # hangs straight down, and so does the load
        "lever": LEVER_PIN + LEVER / 2 * lever,
        "link": BOOM + (LINK_PIN + LINK / 2 * link) * jib,
    }
    yield from ((BEAMS[name][0], place * boom) for name, place in places.items())
    yield GRAB + PAYLOAD, tip * boom
    yield BARRELS["knuckle"][0], (KNUCKLE_EYE + BARRELS["knuckle"][1] / 2 * ram) * boom
    yield RODS["knuckle"][0], (KNUCKLE_EYE + (q["knuckle_rod"] - RODS["knuckle"][1] / 2) * ram) * boom


def turning(place, force):
    """Moment of a force at a place, both in the plane."""
    return (place.conjugate() * force).imag


def test_the_tip_goes_where_boom_jib_and_extension_put_it():
    result = cycle()
    q = {name: result.values(f"arm.{name}.q") for name in ("slew", "boom", "jib", "telescope")}
    side = FOOT + np.exp(1j * q["boom"]) * (BOOM + (TUBE + q["telescope"]) * np.exp(1j * q["jib"]))
    tip = np.stack([side.real * np.cos(q["slew"]), side.real * np.sin(q["slew"]), side.imag])
    computed = np.stack([result.values(f"arm.tip.r_{axis}") for axis in "xyz"])
    assert np.abs(computed - tip).max() < 1e-12


def test_every_cylinder_works_within_its_stroke_and_under_what_the_relief_valve_allows():
    result = cycle()
    for name, (_, _, stroke, _) in CYLINDERS.items():
        x = result.values(f"{name}.x")
        assert 0 < x.min() and x.max() < stroke
    pressures = [result.values(f"{name}.{side}.p") for name in CYLINDERS for side in "AB"]
    assert min(p.min() for p in pressures) > 1e5
    assert max(p.max() for p in pressures) < 300e5


def test_all_four_functions_move_and_the_account_of_energy_closes(verification):
    result = cycle()
    for name, far in (("slew.q", 0.3), ("boom.q", 0.2), ("jib.q", 0.3), ("telescope.q", 0.4)):
        assert np.ptp(result.values(f"arm.{name}")) > far
    verification(
        "Closed loops in three dimensions", "loader-crane, energy of 10 s, hht at 1 ms", "account closes",
        result.energy.relative, 1e-4,
    )  # fmt: skip


def test_a_heavier_load_needs_more_pressure_under_lift_and_jib():
    heavy = simulate(machine(payload=900.0), until=0.01)
    for name in ("lift", "knuckle"):
        assert heavy.values(f"{name}.A.p")[0] > 1.3 * still().values(f"{name}.A.p")[0]


def test_the_crane_is_of_the_size_that_the_comparison_asks_for():
    e = assemble(machine(), loops=CoordinatePartitioning())
    loops = {card.name.rpartition(".")[0] for card in e.lam_signals}
    assert e.n_q == 21 and len(loops) == 5 and len(CYLINDERS) == 5
