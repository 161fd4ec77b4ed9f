"""The saw against exact integrals over a tooth pitch and over the whole cut."""

import casadi as ca
import numpy as np
import pytest

from oleodyn.contact.chip import FeedFromMotion, NominalFeed, fresh
from oleodyn.contact.saw import Saw, contact_angle, cutting_stiffness, teeth_near, tooth_phase, tooth_time
from oleodyn.equations.bind import bind
from oleodyn.errors import DeclarationError
from oleodyn.units import MPa, deg, mm

R, R_O, R_I, W, V, OMEGA, N = 0.150, 0.030, 0.025, 4 * mm, 0.2e-3, np.pi, 60
DEG = np.pi / 180
K_T, K_N = cutting_stiffness(880e6, 20 * DEG, 35 * DEG, 5 * DEG)
PIPE = (0.0, 2.760, -1.445)
PITCH_TIME = 2 * np.pi / (OMEGA * N)


def saw(**changes):
    values = dict(
        R_saw=R, teeth=N, sense=1, w=OMEGA, width=W, chip=NominalFeed(v=V), r_pipe=PIPE, r_o=R_O, r_i=R_I,
        tau_s=880 * MPa, phi_s=20 * deg, beta_f=35 * deg, alpha_r=5 * deg,
    )  # fmt: skip
    return Saw(**{**values, **changes})


def cut(part, r, t, v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0), **held):
    """Terms of the saw at positions r, velocities v and times t: numbers, arrays or symbols; `held` by the chip."""
    port = {"r": r, "v": v, "w": w, "R": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))}
    known = {"cut": -1.0, "taken": V * PITCH_TIME, "begun": 1.0} | held

    def make(role, path, declared):
        name = path.split(".")[-1]
        return {"time": t, "across": port.get(name), "sampled": known.get(name)}.get(role)

    return bind(part, "saw", make).equations()


def frozen(d, part=None, samples=20_000):
    """Terms with the saw held at distance d, head on, over one tooth pitch (midpoints)."""
    t = (np.arange(samples) + 0.5) * PITCH_TIME / samples
    return cut(part or saw(), (0.0, PIPE[1] - d, PIPE[2]), t)


def every_tooth(part, r, t):
    """Force on the tool from all N teeth, tooth by tooth as the specification writes it; scalars."""
    d = np.hypot(PIPE[1] - r[1], PIPE[2] - r[2])
    chi = np.arctan2(PIPE[2] - r[2], PIPE[1] - r[1])
    c_o, c_i = ((d * d + R * R - x * x) / (2 * d * R) for x in (R_O, R_I))
    if d >= R + R_O or c_o >= 1:
        return 0.0, 0.0, 0
    theta_out, theta_in = np.arccos(max(-1, c_o)), np.arccos(min(max(c_i, -1), 1))
    F_y = F_z = 0.0
    touched = 0
    for n in range(N):
        theta = 2 * np.pi * n / N + part.sense * OMEGA * t
        delta = abs((theta - chi + np.pi) % (2 * np.pi) - np.pi)
        if theta_in <= delta <= theta_out:
            touched += 1
            h = 2 * np.pi * V / (OMEGA * N) * max(0.0, np.cos(theta))
            F_t, F_n = K_T * W * h, K_N * W * h
            F_y += part.sense * F_t * np.sin(theta) - F_n * np.cos(theta)
            F_z += -part.sense * F_t * np.cos(theta) - F_n * np.sin(theta)
    return F_y, F_z, touched


@pytest.mark.parametrize("sense", [1, -1])
def test_the_few_teeth_near_the_pipe_give_the_force_of_all(sense):
    rng = np.random.default_rng(1)
    part = saw(sense=sense)
    for _ in range(3000):
        r = (0.0, PIPE[1] + rng.uniform(-0.19, 0.19), PIPE[2] + rng.uniform(-0.19, 0.19))
        t = rng.uniform(0, 400)
        out, expected = cut(part, r, t).out, every_tooth(part, r, t)
        assert (out["F_y"], out["F_z"], out["engaged"]) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("d", "theta_out", "theta_in", "power"),
    [
        (0.175, 5.8670, 0, 85.04),
        (0.165, 9.4729, 7.2888, 31.37),
        (0.150, 11.4783, 9.5604, 27.38),
        (0.125, 6.9431, 0, 100.57),
    ],
)
def test_mean_power_over_a_pitch_is_the_integral(verification, d, theta_out, theta_in, power):
    terms = frozen(d)
    assert np.degrees(terms.out["theta_out"]) == pytest.approx(theta_out, abs=5e-5)  # as printed
    assert np.degrees(terms.out["theta_in"]) == pytest.approx(theta_in, abs=5e-5)
    mean = terms.power.supplied["spindle"].mean()
    exact = K_T * W * V * 2 * R * (np.sin(terms.out["theta_out"]) - np.sin(terms.out["theta_in"]))
    assert mean == pytest.approx(exact, rel=3e-4)  # 20,000 midpoints over jumps
    quantity = f"mean power of the cut at d = {1000 * d:g} mm"
    verification("Saw", quantity, "pipe-cutter specification 7.9", mean, 0.02, expected=power, unit="W")


@pytest.mark.parametrize("d", [0.175, 0.165, 0.150, 0.125])
def test_head_on_the_mean_force_leans_as_the_chip_does(d):
    out = frozen(d).out
    assert out["F_y"].mean() / out["F_z"].mean() == pytest.approx(K_N / K_T, abs=2e-4)
    assert K_N / K_T == pytest.approx(0.57735, abs=1e-5)


def test_mean_force_at_entry():
    out = frozen(0.175).out
    assert (out["F_y"].mean(), out["F_z"].mean()) == pytest.approx((-104.0, -180.2), abs=0.05)  # as printed


@pytest.mark.parametrize(("R_saw", "teeth"), [(0.150, 60), (0.110, 36), (0.2, 100)])
def test_the_whole_cut_takes_the_same_energy_whatever_the_saw(verification, R_saw, teeth):
    part = saw(R_saw=R_saw, teeth=teeth)
    t = (np.arange(1_000_000) + 0.5) * (310 / 1e6)
    y = PIPE[1] - R_saw - R_O - 1 * mm + V * t
    spindle = cut(part, (0.0, y, PIPE[2]), t).power.supplied["spindle"]
    energy = spindle.sum() * 310 / 1e6
    assert K_T * W * np.pi * (R_O**2 - R_I**2) == pytest.approx(11979, abs=1)
    quantity = f"energy of the whole cut, R = {1000 * R_saw:g} mm, {teeth} teeth"
    verification(
        "Saw", quantity, "k_t W π (r_o² − r_i²)", energy, 12, expected=11979, unit="J"
    )  # 0.1 %: teeth at the ends


@pytest.mark.parametrize("d", [0.180 + 1e-9, 0.1801, 0.5, 0.120 - 1e-9, 0.05, 0.0])
def test_before_first_touch_and_after_the_last_there_is_no_force(d):
    terms = frozen(d, samples=200)
    for value in (terms.out["F_y"], terms.out["F_z"], terms.out["engaged"], terms.power.lost["cutting"]):
        assert np.all(value == 0)
    assert terms.out["touching"] == 0
    assert terms.out["theta_out"] == 0


def test_nothing_is_infinite_and_no_slope_is_anywhere_on_the_way_through():
    part = saw(chip=FeedFromMotion(period=PITCH_TIME))
    x = ca.SX.sym("x", 8)
    terms = cut(part, (x[0], x[1], x[2]), x[6], v=(x[3], x[4], x[5]), w=(x[7], 0.0, 0.0))
    F, tau = terms.into["tool"]
    y = ca.vertcat(*F, *tau, *terms.out.values(), *terms.power.supplied.values(), *terms.power.lost.values())
    both = ca.Function("both", [x], [y, ca.jacobian(y, x)])
    edges = np.concatenate([[R + R_O, R - R_O, R + R_I, R - R_I, R, 0.0], np.linspace(-0.2, 0.2, 101)])
    for d in edges:
        for side in (0.0, 1e-12, 0.01):
            values, slopes = both([0.0, PIPE[1] - d, PIPE[2] + side, 0.0, V, 0.0, 12.3, 0.0])
            assert np.isfinite(np.asarray(values)).all() and np.isfinite(np.asarray(ca.DM(slopes))).all()


def test_the_force_has_no_slope_in_position_so_no_jacobian_is_needed():
    x = ca.SX.sym("x", 6)
    F, _ = cut(saw(), (x[0], x[1], x[2]), 1.0, v=(x[3], x[4], x[5])).into["tool"]
    assert ca.sparsify(ca.jacobian(ca.vertcat(*F), x)).nnz() == 0


def test_a_whole_turn_more_changes_nothing():
    a = frozen(0.165, samples=50).out
    t = (np.arange(50) + 0.5) * PITCH_TIME / 50 + 3 * 2 * np.pi / OMEGA
    b = cut(saw(), (0.0, PIPE[1] - 0.165, PIPE[2]), t).out
    assert b["F_y"] == pytest.approx(a["F_y"], rel=1e-9)


@pytest.mark.parametrize("chip", [NominalFeed(v=V), FeedFromMotion(period=PITCH_TIME)], ids=["nominal", "motion"])
@pytest.mark.parametrize("moment", [False, True])
@pytest.mark.parametrize("sense", [1, -1])
def test_what_the_tool_and_the_spindle_give_is_lost_in_the_cut(chip, moment, sense):
    part = saw(chip=chip, moment=moment, sense=sense)
    rng = np.random.default_rng(2)
    t, v, w = rng.uniform(0, 400, 500), rng.uniform(-1, 1, (3, 500)) * V, rng.uniform(-1, 1, (3, 500))
    r = (0.0, PIPE[1] - rng.uniform(0.12, 0.18, 500), np.full(500, PIPE[2]))
    terms = cut(part, r, t, v=tuple(v), w=tuple(w))
    F, tau = terms.into["tool"]
    through_port = sum(a * b for a, b in zip((*F, *tau), (*v, *w), strict=True))
    supplied, lost = terms.power.supplied["spindle"], terms.power.lost["cutting"]
    assert through_port + supplied == pytest.approx(lost, rel=1e-12, abs=1e-12)
    assert np.abs(lost).max() > 10


def test_the_moment_turns_the_tool_against_the_saw():
    terms = frozen(0.175, part=saw(moment=True), samples=100)
    _, tau = terms.into["tool"]
    assert tau[0] == pytest.approx(R * terms.out["F_t"], rel=1e-12)  # into the saw: −M, M_x = −s R F_t


def chips(x):
    """Chips and furthest advances as the teeth pass at advances x, one after the other."""
    state, found = (0.0, 0.0, 0.0), []
    for advance in x:
        taken, cut_to = fresh(advance, state[1], state[2])
        state = (taken, cut_to, 1.0)
        found.append(state[:2])
    return np.transpose(found)


def test_chips_of_a_shaking_tool_add_up_to_its_advance():
    t = np.arange(3000) * PITCH_TIME
    x = 0.31 + V * t + 40e-6 * np.sin(7.3 * t)  # shakes at 0.29 mm/s, feeds at 0.2 mm/s
    taken, cut_to = chips(x)
    assert np.diff(x).min() < 0  # now and then it goes back
    assert taken.sum() == pytest.approx(x.max() - x[0], rel=1e-12)
    assert np.array_equal(cut_to, np.maximum.accumulate(x))


def test_the_first_tooth_takes_nothing_wherever_the_saw_stands():
    taken, cut_to = chips([-0.4, -0.4 + 1e-6])
    assert taken == pytest.approx([0.0, 1e-6], abs=1e-16)
    assert cut_to[0] == -0.4


def test_chips_from_the_motion_are_the_nominal_ones_at_nominal_feed():
    r, t = (0.0, PIPE[1] - 0.165, PIPE[2]), np.linspace(0, 1, 77)
    part = saw(chip=FeedFromMotion(period=PITCH_TIME))
    nominal, actual = cut(saw(), r, t).out, cut(part, r, t, taken=V * PITCH_TIME).out
    assert actual["F"] == pytest.approx(nominal["F"], rel=1e-12)
    nothing = cut(part, r, t, taken=0.0).out
    assert np.all(nothing["F"] == 0) and nothing["engaged"].max() > 0


def test_the_saw_tells_its_chip_how_far_it_has_come_along_the_feed():
    terms = cut(saw(chip=FeedFromMotion(period=PITCH_TIME)), (0.0, PIPE[1] - 0.165, PIPE[2]), 0.0, cut=-0.165 - 3e-6)
    assert terms.parts["chip"].next["taken"] == pytest.approx(3e-6, rel=1e-9)
    assert terms.parts["chip"].next["cut"] == pytest.approx(-0.165, rel=1e-12)


def test_a_pipe_that_lies_another_way_is_cut_in_its_own_plane():
    r, t = (0.0, PIPE[1] - 0.165, PIPE[2]), np.linspace(0, 1, 77)
    level = cut(saw(), r, t).out
    upright = saw(r_pipe=(PIPE[2], 0.0, PIPE[1]), normal=(0.0, 2.0, 0.0), feed=(0.0, 0.0, 3.0))
    turned = cut(upright, (PIPE[2], 0.0, PIPE[1] - 0.165), t).out
    assert turned["F_z"] == pytest.approx(level["F_y"], rel=1e-12)
    assert turned["F_x"] == pytest.approx(level["F_z"], rel=1e-12)


def test_teeth_turned_one_by_one_are_where_sine_and_cosine_say():
    near = teeth_near(0.1, -0.02, phase=0.05, teeth=60, count=12)
    angles = np.unwrap([np.arctan2(s, c) for c, s in near])
    assert np.diff(angles) == pytest.approx(2 * np.pi / 60, abs=1e-14)
    assert (angles[0] - 0.05) / (2 * np.pi / 60) == pytest.approx(
        round((angles[0] - 0.05) / (2 * np.pi / 60)), abs=1e-12
    )
    assert np.hypot(*np.transpose(near)) == pytest.approx(1, abs=1e-14)


def test_the_phase_keeps_its_digits_after_a_week():
    late = 7 * 24 * 3600.0  # a multiple of the pitch time, 1/30 s
    assert tooth_phase(late + 0.01, OMEGA, N) == pytest.approx(
        tooth_phase(0.01, OMEGA, N), abs=2e-9
    )  # eps of 1.9e6 rad


def test_laws_at_the_numbers_of_the_specification():
    assert (K_T, K_N) == pytest.approx((3.467e9, 2.001e9), rel=2e-4)
    assert tooth_time(OMEGA, N) == pytest.approx(1 / 30, rel=1e-15)
    assert V * tooth_time(OMEGA, N) == pytest.approx(6.667e-6, rel=1e-4)
    assert np.degrees(contact_angle(0.150, R, R_O)) == pytest.approx(11.4783, abs=5e-5)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(R_saw=0.03), r"R_saw = 0.03 m: must be above r_o = 0.03 m, or the cut never comes through"),
        (dict(r_i=0.03), r"r_i = 0.03 m: must be below r_o"),
        (dict(sense=2), r"sense = 2: must be 1 or -1"),
        (
            dict(chip=FeedFromMotion(period=0.05)),
            r"chip.period = 0.05 s: must be the time from tooth to tooth, 2π / \(w · teeth\) = 0.0333333333333 s",
        ),
        (dict(teeth=2), r"teeth = 2: must be a whole number"),
        (dict(feed=(1.0, 0.0, 0.0)), r"feed = .* must lie in the plane of normal"),
        (dict(beta_f=80 * deg), r"phi_s \+ beta_f − alpha_r must be below 90 deg"),
    ],
)
def test_a_saw_that_cannot_be_is_refused(changes, message):
    with pytest.raises(DeclarationError, match=message):
        saw(**changes)
