"""Friction laws against the printed equations, the values of the specification, and limits."""

import numpy as np
import pytest

from oleodyn.errors import DeclarationError
from oleodyn.friction.bengisu_akay import BengisuAkay
from oleodyn.friction.brown_mcphee import BrownMcPhee, brown_mcphee
from oleodyn.friction.coulomb_viscous import CoulombViscous
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre, film_rate, slip_force, steady_film
from oleodyn.friction.stribeck import ExponentialStribeck, power, sliding_force, stribeck
from oleodyn.friction.viscous import Viscous
from oleodyn.units import read

SEAL = dict(F_c=210.0, F_s=830.0, v_s=1.25e-2, sigma_2=330.0)  # Jaiswal (2021), Publication II, table 2
BRISTLES = dict(n=0.5, sigma_0=54**0.5 * 1e6, sigma_1=10**0.5 * 1e4)
FILM = dict(v_b=0.70, tau_hp=0.25, tau_hn=1.50, tau_h0=40.0)
AXIS_1 = dict(F_c=200.0, F_s=260.0, v_s=0.01, sigma_0=2e6, sigma_1=4e3, sigma_2=800.0)  # pipe cutter, N·m

bengisu = BengisuAkay(**SEAL, xi=50.0)
brown = BrownMcPhee(**SEAL)
lugre = LuGre(**SEAL, **BRISTLES)
film = ModifiedLuGre(**SEAL, **BRISTLES, **FILM)
static = [
    bengisu,
    BengisuAkay(**SEAL, xi=50.0, viscous_everywhere=True),
    brown,
    ExponentialStribeck(**SEAL),
    ExponentialStribeck(**SEAL, n=0.5),
    CoulombViscous(F_c=1200.0, v_t=0.01, c=3000.0),
    Viscous(c=1.944e5),
]

# v, Bengisu-Akay, Brown-McPhee, LuGre, modified LuGre (the last two at ż = ḣ = 0), film
TABLE = [
    (1e-4, 13.226880, 15.568087, 776.986199, 775.436853, 0.002041338),
    (1e-3, 127.488000, 153.128985, 677.585756, 671.658924, 0.009475051),
    (5e-3, 531.200000, 592.571506, 541.047078, 528.829989, 0.027705218),
    (1.25e-2, 834.125000, 833.981386, 442.210254, 426.627704, 0.051033448),
    (2e-2, 642.719353, 730.025396, 391.603927, 375.248228, 0.069812775),
    (5e-2, 321.580079, 336.405831, 310.407876, 295.962882, 0.128596231),
    (0.1, 250.804648, 260.656637, 279.645563, 269.631214, 0.204133792),
    (0.3, 309.000354, 309.643776, 313.621596, 310.994511, 0.424615399),
    (0.7, 441.000000, 440.901447, 441.348682, 441.000000, 0.746987952),
    (1.0, 540.000000, 539.798026, 540.080899, 540.000000, 0.746987952),
]
PRINTED = 1e-6  # N: half a unit in the last printed place, with room for the rounding of the constants


def terms(law, v, **states):
    return law.twin(states).equations(v)


def force(law, v, **states):
    return terms(law, v, **states).out["F"]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]:g} m/s")
def test_static_laws_give_the_tabled_forces_in_both_directions(row, direction):
    v, F_bengisu, F_brown, *_ = row
    assert force(bengisu, direction * v) == pytest.approx(direction * F_bengisu, abs=PRINTED)
    assert force(brown, direction * v) == pytest.approx(direction * F_brown, abs=PRINTED)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]:g} m/s")
def test_bristles_in_steady_slip_give_the_tabled_forces(row, direction):
    v, *_, F_lugre, F_film, h = row
    z = direction * stribeck(v, 210.0, 830.0, 1.25e-2, 0.5) / lugre.sigma_0
    assert terms(lugre, direction * v, z=z).der["z"] == pytest.approx(0, abs=1e-15)
    assert force(lugre, direction * v, z=z) == pytest.approx(direction * F_lugre, abs=PRINTED)
    h_ss = steady_film(direction * v, 210.0, 830.0, 0.7)
    z = direction * slip_force(v, h_ss, 210.0, 830.0, 1.25e-2, 0.5) / film.sigma_0
    assert h_ss == pytest.approx(h, abs=1e-9)
    assert terms(film, direction * v, z=z, h=h_ss).der == pytest.approx(dict(z=0, h=0), abs=1e-15)
    assert force(film, direction * v, z=z, h=h_ss) == pytest.approx(direction * F_film, abs=PRINTED)


def test_steady_friction_of_the_first_pipe_cutter_axis(verification):
    """N·m and rad on a rotary joint: the same law."""
    axis = LuGre(**AXIS_1)
    for v, expected in ((0.5, 600.0), (0.05, 240.0), (-0.2, -360.0), (0.005, 250.728)):
        z = axis.g(v) / axis.sigma_0 * np.sign(v)
        verification(
            "Friction", f"LuGre at a steady {v:g} rad/s", "pipe-cutter specification 7.8",
            force(axis, v, z=z), 5e-4, expected, "N·m",
        )  # fmt: skip


def test_sliding_force_is_the_steady_state_of_the_bristles():
    v, z = -0.037, lugre.g(0.037) / lugre.sigma_0
    assert force(lugre, v, z=-z) == pytest.approx(sliding_force(v, 210.0, 830.0, 1.25e-2, 330.0, 0.5), rel=1e-14)


@pytest.mark.parametrize("law", static, ids=lambda law: type(law).__name__)
def test_static_friction_never_pushes_and_is_odd(law):
    for v in np.concatenate([np.geomspace(1e-12, 1e3, 61), [0.0, 1.25e-2]]):
        assert force(law, v) * v >= 0
        assert force(law, -v) == -force(law, v)
    assert force(law, 0.0) == 0


def test_slopes_at_rest_are_those_of_the_printed_curves():
    dv = 1e-9  # the curves are straight to 1e-7 over it
    assert force(bengisu, dv) / dv == pytest.approx(1.328e5, rel=1e-4)
    assert force(brown, dv) / dv == pytest.approx(1.557e5, rel=1e-4)


def test_brown_mcphee_peaks_close_to_the_stribeck_speed():
    v = np.linspace(1e-3, 0.3, 300_000)
    F = brown_mcphee(v, **SEAL)
    top, bottom = F.argmax(), F[v > 0.05].argmin()
    assert (v[top], F[top]) == (pytest.approx(0.012570, abs=1e-6), pytest.approx(833.996, abs=1e-3))
    assert F[v > 0.05][bottom] == pytest.approx(259.750, abs=1e-3)
    assert v[v > 0.05][bottom] == pytest.approx(0.1117, abs=1e-4)


def test_bengisu_akay_jumps_by_the_missing_drag_unless_it_is_everywhere():
    below, above = np.nextafter(0.0125, 0), 0.0125
    assert (force(bengisu, below), force(bengisu, above)) == (pytest.approx(830.0), pytest.approx(834.125))
    whole = BengisuAkay(**SEAL, xi=50.0, viscous_everywhere=True)
    assert force(whole, below) == pytest.approx(force(whole, above), rel=1e-12)
    assert force(whole, 0.05) == force(bengisu, 0.05)


def test_stribeck_without_bristles_jumps_by_twice_the_break_away_force():
    law = ExponentialStribeck(**SEAL)
    assert force(law, 1e-12) - force(law, -1e-12) == pytest.approx(2 * 830.0, rel=1e-9)


def test_coulomb_viscous_grows_everywhere():
    law = CoulombViscous(F_c=1200.0, v_t=0.01, c=3000.0)
    F = [force(law, v) for v in np.linspace(-1, 1, 2001)]
    assert np.all(np.diff(F) > 0)
    assert F[-1] == pytest.approx(1200.0 + 3000.0)


def test_a_fractional_power_is_exact_above_a_millionth_of_a_millionth():
    for x in (1e-12, 1e-6, 0.3, 7.0):
        assert power(x, 2 / 3) == pytest.approx(x ** (2 / 3), rel=1e-15)
    assert power(1e-18, 2 / 3) == pytest.approx(1e-18 * 1e4, rel=1e-12)


def test_film_grows_in_acceleration_and_shrinks_more_slowly():
    rate = {h: film_rate(0.1, h, 0.2, 0.25, 1.5, 40.0, 1e-6) for h in (0.05, 0.35)}
    assert rate == pytest.approx({0.05: 0.15 / 0.25, 0.35: -0.15 / 1.5})


def test_dwell_keeps_the_film_only_if_almost_at_rest_counts_as_rest():
    printed, recommended = (film_rate(1e-9, 0.3, 0.0, 0.25, 1.5, 40.0, v_dw) for v_dw in (0.0, 1e-6))
    assert (printed, recommended) == (pytest.approx(-0.3 / 1.5), pytest.approx(-0.3 / 40))
    assert film_rate(0.0, 0.3, 0.0, 0.25, 1.5, 40.0, 0.0) == pytest.approx(-0.3 / 40)


def test_a_full_film_leaves_a_positive_slip_force_at_rest():
    assert 0 < slip_force(0.0, 1.0, 210.0, 830.0, 1.25e-2) < 1e-2
    assert slip_force(0.0, -0.2, 210.0, 830.0, 1.25e-2) == pytest.approx(0.8 * 830.0)


def test_break_away_below_sliding_is_refused_with_the_remedy():
    with pytest.raises(DeclarationError, match=r"LuGre.F_s = 160 N.*at least F_c = 200 .*exchanged"):
        LuGre(**AXIS_1 | dict(F_s=160.0))


def test_numbers_of_a_law_are_read_for_a_slide_and_for_a_shaft():
    units = {name: spec.unit for name, spec in LuGre.fields.items()}
    slide, shaft = (
        dict(F_c="0.2 kN", F_s="260 N", v_s="10 mm/s", sigma_0="2e6 N/m", sigma_1="4e3 N.s/m"),
        dict(F_c="0.2 kN.m", F_s="260 N.m", v_s="0.01 rad/s", sigma_0="2e6 N.m/rad", sigma_1="4e3 N.m.s/rad"),
    )
    for texts in (slide, shaft):
        assert LuGre(**{name: read(text, units[name]) for name, text in texts.items()}) == LuGre(
            **AXIS_1 | dict(sigma_2=0.0)
        )
    with pytest.raises(DeclarationError, match=r"is a pressure; must be a force \(N\) or a torque \(N·m\)"):
        read("3 bar", units["F_c"])
