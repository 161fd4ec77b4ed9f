"""Bristles in motion: presliding, break-away, lag, stick-slip, holding, film; by SciPy, without a machine."""

from math import exp, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre, steady_film

# Canudas de Wit et al. (1995) IEEE TAC 40(3), table 1: a mass of 1 kg
PUBLISHED = dict(F_c=1.0, F_s=1.5, v_s=0.001, sigma_0=1e5, sigma_1=sqrt(1e5), sigma_2=0.4)
AXIS_1 = dict(F_c=200.0, F_s=260.0, v_s=0.01, sigma_0=2e6, sigma_1=4e3, sigma_2=800.0)  # pipe cutter, N·m, rad
SEAL = dict(F_c=210.0, F_s=830.0, v_s=1.25e-2, sigma_2=330.0, sigma_0=54**0.5 * 1e6, sigma_1=10**0.5 * 1e4)
FILM = dict(v_b=0.70, tau_hp=0.25, tau_hn=1.50, tau_h0=40.0)
RTOL = 1e-9


def friction(law, v, z, **states):
    terms = law.twin(dict(z=z, **states)).equations(v)
    return terms.der["z"], terms.out["F"]


def driven(law, speed, until, times):
    """(z, F) of bristles along a given speed, from rest."""
    run = solve_ivp(
        lambda t, y: [friction(law, speed(t), y[0])[0]],
        (0, until), [0.0], method="Radau", rtol=RTOL, atol=1e-14, t_eval=times, max_step=until / 200,
    )  # fmt: skip
    z = run.y[0]
    return z, np.array([friction(law, speed(t), z_t)[1] for t, z_t in zip(run.t, z, strict=True)])


def pulled(law, force, until, mass=1.0, times=None, max_step=np.inf):
    """Position, speed and bristles of a mass under a force of (t, x, v)."""

    def rates(t, y):
        x, v, z = y
        z_dot, F = friction(law, v, z)
        return [v, (force(t, x, v) - F) / mass, z_dot]

    return solve_ivp(
        rates, (0, until), [0.0] * 3, method="LSODA", rtol=RTOL, atol=1e-12, t_eval=times, max_step=max_step
    )


def test_a_small_cycle_meets_the_stiffness_of_the_bristles(verification):
    law, amplitude, w = LuGre(**AXIS_1), 1e-5, 0.1  # slow: σ₁ w is 2e-4 of σ₀
    t = np.linspace(2 * pi / w, 4 * pi / w, 401)
    _, F = driven(law, lambda t: amplitude * w * np.cos(w * t), t[-1], t)
    stiffness = (F.max() - F.min()) / (2 * amplitude)
    verification(
        "Friction", "LuGre, stiffness of a cycle of 1e-5 rad", "σ₀, pipe-cutter specification 7.8",
        stiffness, 0.05 * 2e6, 2e6, "N·m/rad",
    )  # fmt: skip


def test_bristles_never_bend_beyond_break_away():
    for law in (LuGre(**AXIS_1), LuGre(**SEAL, n=0.5)):
        z = law.F_s / law.sigma_0
        for v in np.geomspace(1e-9, 10, 50):
            assert friction(law, v, z)[0] <= 0
            assert friction(law, -v, -z)[0] >= 0


def test_a_slow_pull_breaks_away_at_the_static_force_and_a_fast_one_earlier(verification):
    law, peaks = LuGre(**PUBLISHED), []
    for ramp in (0.1, 1.0, 5.0, 20.0):  # N/s; [1] fig. 4
        run = pulled(law, lambda t, x, v, ramp=ramp: ramp * t, 2.5 / ramp)
        slips = np.argmax(run.y[1] > law.v_s)
        peaks.append(max(friction(law, v, z)[1] for _, v, z in run.y[:, : slips + 1].T))
    assert np.all(np.diff(peaks) < 0)
    assert peaks[-1] > law.F_c
    verification(
        "Friction", "LuGre, break-away pulled at 0.1 N/s", "F_s; Canudas de Wit et al. (1995) fig. 4",
        peaks[0], 0.03 * 1.5, 1.5, "N",
    )  # fmt: skip


def test_friction_lags_behind_a_changing_speed_the_more_the_faster_it_changes():
    law, widths = LuGre(**PUBLISHED), []
    for w in (1.0, 10.0, 25.0):  # rad/s; [1] fig. 3: speed up and down between 0.1 and 2.9 mm/s

        def speed(t, w=w):
            return 1.5e-3 - 1.4e-3 * np.cos(w * t)

        period = 2 * pi / w
        _, F = driven(law, speed, 2 * period, np.array([1.25 * period, 1.75 * period]))  # rising, falling at 1.5 mm/s
        widths.append(F[0] - F[1])
    assert np.all(np.diff([0.0, *widths]) > 0)


def test_presliding_goes_round_a_hysteresis_loop():
    law, amplitude = LuGre(**AXIS_1), 1e-4  # a good part of F_s / σ₀ = 1.3e-4 rad
    t = np.linspace(2 * pi, 4 * pi, 2001)
    _, F = driven(law, lambda t: amplitude * np.cos(t), t[-1], t)
    area = np.trapezoid(F * amplitude * np.cos(t), t)
    assert 0 < area < 4 * law.F_s * amplitude  # heat of a cycle, below that of dry sliding at F_s


def stick_slip_period(mass, k, pull, F_c, F_s, c):
    """Period of a mass on a spring whose end moves on: it breaks away at F_s, slides at F_c + c v, sticks at v = 0."""
    d, w = c / (2 * mass), sqrt(k / mass - (c / (2 * mass)) ** 2)
    rest = F_c + c * pull  # spring force of steady sliding

    # S(t): spring force; m S̈ + c Ṡ + k S = k rest, S(0) = F_s, Ṡ(0) = k pull (v = 0);  v = pull − Ṡ / k
    A = F_s - rest
    B = (k * pull + d * A) / w

    def v(t):
        return pull - np.exp(-d * t) * ((w * B - d * A) * np.cos(w * t) - (w * A + d * B) * np.sin(w * t)) / k

    t = np.linspace(0.5 * pi / w, 2 * pi / w, 100)
    slide = brentq(v, t[0], t[np.argmax(v(t) < 0)])
    end = rest + exp(-d * slide) * (A * np.cos(w * slide) + B * np.sin(w * slide))
    return slide + (F_s - end) / (k * pull)


def test_a_slowly_pulled_mass_sticks_and_slips_at_the_period_of_the_dry_model(verification):
    """[1] fig. 5: 1 kg, 2 N/m, pulled at 0.1 m/s."""
    law, k, pull = LuGre(**PUBLISHED), 2.0, 0.1
    run = pulled(law, lambda t, x, v: k * (pull * t - x), 50.0, times=np.linspace(0, 50, 25_001))
    S = k * (pull * run.t - run.y[0])
    tops = [i for i in range(1, len(S) - 1) if S[i - 1] < S[i] >= S[i + 1] and S[i] > 1.3]
    periods = np.diff(run.t[tops])
    assert len(periods) >= 4
    assert periods[1:] == pytest.approx(periods[-1], rel=2e-3)  # a limit cycle
    sticking = np.abs(run.y[1]) < 1e-3
    assert 0.4 < np.sum(np.diff(run.t) * sticking[1:]) / run.t[-1] < 0.9
    dry = stick_slip_period(1.0, k, pull, 1.0, 1.5, 0.4)
    verification(
        "Friction", "LuGre, period of stick-slip of a pulled mass", "dry stick-slip in closed form, no Stribeck dip",
        periods[-1], 0.02 * dry, dry, "s",
    )  # fmt: skip


def test_a_load_below_break_away_stays_where_it_is_for_an_hour(verification):
    law = LuGre(**SEAL, n=0.5)
    run = pulled(law, lambda t, x, v: 0.6 * 830.0 * min(t, 1.0), 3600.0, mass=500.0, times=[10.0, 3600.0], max_step=5)
    verification(
        "Friction", "LuGre, drift in an hour under 60 % of break-away", "none: the speed is not rounded",
        abs(run.y[0, 1] - run.y[0, 0]), 1e-6, unit="m",
    )  # fmt: skip


def test_a_load_after_a_motion_that_ends_in_stiction_stays_too():
    law = LuGre(**SEAL, n=0.5)
    run = pulled(
        law, lambda t, x, v: 1500.0 if t < 0.5 else 150.0, 3600.0, mass=500.0, times=[0.5, 60.0, 3600.0], max_step=5
    )
    assert run.y[0, 1] - run.y[0, 0] > 1e-3  # it slid on, then stopped
    assert abs(run.y[0, 2] - run.y[0, 1]) < 1e-6


# ------------------------------------------------------------------ film


def film(h_0, v, until, v_dw=0.0):
    law = ModifiedLuGre(**SEAL, **FILM, v_dw=v_dw)
    run = solve_ivp(
        lambda t, y: [law.twin(dict(z=0.0, h=y[0])).equations(v).der["h"]],
        (0, until), [h_0], rtol=RTOL, atol=1e-12,
    )  # fmt: skip
    return run.y[0, -1]


def test_the_film_follows_its_time_constant_in_acceleration_deceleration_and_dwell():
    fast, slow = (steady_film(v, 210.0, 830.0, 0.7) for v in (0.3, 0.01))
    assert film(0.0, 0.3, 0.5) == pytest.approx(fast * (1 - exp(-0.5 / 0.25)), rel=1e-7)
    assert film(fast, 0.01, 0.5) == pytest.approx(slow + (fast - slow) * exp(-0.5 / 1.5), rel=1e-7)
    assert film(fast, 0.0, 5.0) == pytest.approx(fast * exp(-5.0 / 40), rel=1e-7)
    assert film(fast, 1e-7, 5.0, v_dw=1e-6) == pytest.approx(fast * exp(-5.0 / 40), rel=1e-4)  # h_ss(1e-7) is 2e-5


# ------------------------------------------------------------------ power


def test_fading_bristle_damping_never_gives_power():
    for law in (LuGre(**AXIS_1 | dict(sigma_2=0.0), v_d=9 * 200.0 / 4e3), LuGre(**SEAL, n=0.5, v_d=0.05)):
        for v in np.geomspace(1e-6, 10, 200):
            for z in np.linspace(-1, 1, 81) * law.F_s / law.sigma_0:
                assert law.twin(dict(z=z)).equations(v).power.lost["friction"] >= 0


def test_constant_bristle_damping_gives_power_to_a_sudden_speed_as_printed():
    law = LuGre(**SEAL, n=0.5)
    terms = law.twin(dict(z=law.F_s / law.sigma_0)).equations(1.0)
    assert terms.power.lost["friction"] < 0


def test_bristle_energy_closes_the_account_over_a_rough_ride():
    law = LuGre(**AXIS_1)

    def speed(t):
        return 0.02 * np.sin(7 * t) + 0.01 * np.sin(31 * t)

    def rates(t, y):
        terms = law.twin(dict(z=y[0])).equations(speed(t))
        return [terms.der["z"], terms.out["F"] * speed(t), terms.power.lost["friction"]]

    run = solve_ivp(rates, (0, 2), [0.0] * 3, method="Radau", rtol=1e-10, atol=1e-12, max_step=0.01)
    z, work, heat = run.y[:, -1]
    assert work - heat == pytest.approx(law.sigma_0 * z**2 / 2, abs=1e-6 * work)
