"""Friction as machines meet it, stepped: sliding, presliding, stick-slip, a film, holding for an hour."""

from math import exp, sqrt

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.friction.bengisu_akay import BengisuAkay, bengisu_akay
from oleodyn.friction.brown_mcphee import BrownMcPhee, brown_mcphee
from oleodyn.friction.coulomb_viscous import CoulombViscous, coulomb_viscous
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.modified_lugre import ModifiedLuGre, slip_force, steady_film
from oleodyn.friction.rubbing import LineFriction, ShaftFriction
from oleodyn.friction.stribeck import ExponentialStribeck, sliding_force
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.mechanics.spring import SpringDamper
from oleodyn.program.compile import compile
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.path import Steps, Table
from oleodyn.simulation.run import run, simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.simulation.wave import Sine
from oleodyn.units import bar, l_per_min, mm
from tests.laws.test_friction_dynamics import stick_slip_period
from tests.machines.small import made

SEAL = dict(F_c=210.0, F_s=830.0, v_s=12.5e-3, sigma_2=330.0)
BRISTLES = dict(sigma_0=54**0.5 * 1e6, sigma_1=10**0.5 * 1e4)
FILM = dict(v_b=0.7, tau_hp=0.25, tau_hn=1.5, tau_h0=40.0)
PUBLISHED = LuGre(F_c=1.0, F_s=1.5, v_s=0.001, sigma_0=1e5, sigma_1=sqrt(1e5), sigma_2=0.4)
AXIS = LuGre(F_c=200.0, F_s=260.0, v_s=0.01, sigma_0=2e6, sigma_1=4e3, sigma_2=800.0)
IMPLICIT = pytest.mark.parametrize("stepper", [Trapezoidal(), HHT()], ids=lambda stepper: stepper.name)


def turned(law):
    """A shaft that a drive turns at the speed `drive.u`, and what rubs on it."""
    return made("turned", dict(drive=PrimeMover(w_nom=1.0), seal=ShaftFriction(law=law)), ("drive.shaft", "seal.shaft"))


SPEEDS = np.outer([1.0, -1.0], [1e-3, 5e-3, 12.4e-3, 12.6e-3, 0.05, 0.3]).ravel()
CURVES = {
    "Stribeck": (ExponentialStribeck(**SEAL), lambda v: sliding_force(v, **SEAL)),
    "Coulomb and viscous": (
        CoulombViscous(F_c=210.0, v_t=0.01, c=330.0),
        lambda v: coulomb_viscous(v, 210.0, 0.01, 330.0),
    ),
    "Bengisu-Akay": (
        BengisuAkay(**SEAL, xi=50.0),
        lambda v: bengisu_akay(v, 210.0, 830.0, 12.5e-3, 50.0) + 330.0 * v * (abs(v) >= 12.5e-3),
    ),
    "Brown-McPhee": (BrownMcPhee(**SEAL), lambda v: brown_mcphee(v, **SEAL)),
    "LuGre": (LuGre(**SEAL, **BRISTLES, n=0.5), lambda v: sliding_force(v, **SEAL, n=0.5)),
    "modified LuGre": (
        ModifiedLuGre(**SEAL, **BRISTLES, **FILM),
        lambda v: np.sign(v) * slip_force(v, steady_film(v, 210.0, 830.0, 0.7), 210.0, 830.0, 12.5e-3) + 330.0 * v,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CURVES)
def test_a_seal_that_slides_long_enough_shows_its_steady_curve(name):
    law, curve = CURVES[name]
    program = compile(assemble(turned(law)), Trapezoidal(), account=False, record=["seal.tau"])
    batch = Batch(program, len(SPEEDS))
    batch["drive.u"] = SPEEDS
    tau = batch.run(until=8.0, dt=1e-3, every=10**9).values("seal.tau")[-1]
    assert tau == pytest.approx([curve(v) for v in SPEEDS], rel=1e-9)


def cycled(law, amplitude, w, dt, stepper=None):
    """(angle, tau) over the second cycle of a shaft that is turned to and fro."""
    period = 2 * np.pi / w
    inputs = {"drive.u": Sine(amplitude=amplitude * w, w=w)}
    result = simulate(turned(law), until=2 * period, dt=dt, stepper=stepper or Trapezoidal(), inputs=inputs, every=1)
    last = result.time > period
    return result.values("drive.angle")[last], result.values("seal.tau")[last]


@IMPLICIT
def test_a_small_cycle_meets_the_stiffness_of_the_bristles(stepper):
    angle, tau = cycled(AXIS, 1e-5, 1.0, 2e-3, stepper)
    assert np.ptp(tau) / np.ptp(angle) == pytest.approx(2e6, rel=0.05)  # 4 % of the way to break-away


def test_presliding_goes_round_a_loop_whose_area_is_the_heat():
    w = 1.0
    result = simulate(
        turned(AXIS), until=4 * np.pi, dt=np.pi / 2000, stepper=Trapezoidal(), every=1,
        inputs={"drive.u": Sine(amplitude=1e-4 * w, w=w)},
    )  # fmt: skip
    second = slice(4000, None)
    area = np.trapezoid(result.values("seal.tau")[second], result.values("drive.angle")[second])
    heat, spring = (result.values(f"seal.law.{name}")[second] for name in ("friction.work", "bristle.energy"))
    assert 0 < area < 4 * AXIS.F_s * 1e-4
    assert heat[-1] - heat[0] == pytest.approx(area, rel=0.05)  # all of it, once the loop is closed
    assert heat[-1] - heat[0] + spring[-1] - spring[0] == pytest.approx(area, rel=1e-5)


def test_friction_lags_behind_a_changing_speed(verification):
    """Canudas de Wit et al. (1995), figure 3: more force at a speed on the way up than on the way down."""
    widths = []
    for w in (1.0, 10.0, 25.0):
        speed = Sine(offset=1.5e-3, amplitude=-1.4e-3, w=w, phase=np.pi / 2)
        period = 2 * np.pi / w
        result = simulate(
            turned(PUBLISHED),
            until=2 * period,
            dt=period / 4000,
            stepper=Trapezoidal(),
            inputs={"drive.u": speed},
            every=1,
        )
        tau = result.values("seal.tau")
        widths.append(tau[5000] - tau[7000])
    assert np.all(np.diff([0.0, *widths]) > 0)


@IMPLICIT
def test_a_slow_pull_breaks_away_at_the_static_force_and_a_fast_one_earlier(stepper, verification):
    parts = dict(mass=Mass(m=1.0, s_0=0.0), floor=LineFriction(law=PUBLISHED), pull=ForceSource())
    program = compile(assemble(made("pulled", parts, ("mass.rod", "floor.rod", "pull.rod"))), stepper)
    peaks = []
    for ramp in (0.1, 1.0, 5.0, 20.0):  # N/s; Canudas de Wit et al. (1995), figure 4
        until = 2.5 / ramp
        pull = Table(times=[0.0, until], values=[0.0, 2.5])
        result = run(program, until=until, dt=min(1e-3, until / 5000), inputs={"pull.F": pull}, every=1)
        slips = np.argmax(result.values("mass.rod.v") > 0.001)
        peaks.append(result.values("floor.F")[: slips + 1].max())
    assert np.all(np.diff(peaks) < 0)
    assert peaks[-1] > 1.0
    verification(
        "Friction", f"LuGre, break-away pulled at 0.1 N/s, {stepper.name}", "F_s; Canudas de Wit et al. (1995) fig. 4",
        peaks[0], 0.03 * 1.5, 1.5, "N",
    )  # fmt: skip


@IMPLICIT
def test_a_slowly_pulled_mass_sticks_and_slips(stepper, verification):
    """Canudas de Wit et al. (1995), figure 5: 1 kg behind a spring of 2 N/m whose end moves at 0.1 m/s."""
    k, pull, until = 2.0, 0.1, 60.0
    parts = dict(
        mass=Mass(m=1.0, s_0=0.0), floor=LineFriction(law=PUBLISHED), spring=SpringDamper(k=k), end=ForceSource()
    )
    machine = made("pulled", parts, ("mass.rod", "floor.rod", "spring.rod", "end.rod"))
    moving = Table(times=[0.0, until], values=[0.0, k * pull * until])
    result = simulate(machine, until=until, dt=1e-3, stepper=stepper, inputs={"end.F": moving}, every=1)
    S, v = k * (pull * result.time - result.values("mass.rod.s")), result.values("mass.rod.v")
    tops = [i for i in range(1, len(S) - 1) if S[i - 1] < S[i] >= S[i + 1] and S[i] > 1.3]
    periods = np.diff(result.time[tops])
    assert len(periods) >= 4
    assert periods[1:] == pytest.approx(periods[-1], rel=2e-3)  # a limit cycle
    assert 0.4 < np.mean(np.abs(v) < 1e-3) < 0.9
    dry = stick_slip_period(1.0, k, pull, 1.0, 1.5, 0.4)
    verification(
        "Friction", f"LuGre, period of stick-slip of a pulled mass, {stepper.name} at 1 ms",
        "dry stick-slip in closed form, no Stribeck dip", periods[-1], 0.02 * dry, dry, "s",
    )  # fmt: skip


@IMPLICIT
def test_film_builds_up_shrinks_and_dwells_with_its_three_time_constants(stepper):
    law = ModifiedLuGre(**SEAL, **BRISTLES, **FILM)
    fast, slow = (steady_film(v, 210.0, 830.0, 0.7) for v in (0.3, 0.01))
    speed = Steps(times=[0.0, 0.5, 1.0], values=[0.3, 0.01, 0.0])
    result = simulate(turned(law), until=6.0, dt=1e-3, stepper=stepper, inputs={"drive.u": speed}, every=1)
    h = result.values("seal.law.h")
    grown = fast * (1 - exp(-0.5 / 0.25))
    shrunk = slow + (grown - slow) * exp(-0.5 / 1.5)
    assert h[[500, 1000, 6000]] == pytest.approx([grown, shrunk, shrunk * exp(-5.0 / 40)], rel=1e-5)  # 1e-6: the rule's


# ------------------------------------------------------------------ holding


def loaded(m=500.0):
    """A load on a cylinder behind an overlapped 4/3 valve, with the seal of Jaiswal (2021), and its weight."""
    size = dict(d_bore=80 * mm, d_rod=35 * mm, stroke=0.9, length_0=0.8)
    A_A, A_B = np.pi * 0.08**2 / 4, np.pi * (0.08**2 - 0.035**2) / 4
    p_B = 30 * bar
    p_A = (9.81 * m + p_B * A_B) / A_A
    parts = dict(
        supply=ConstantPressure(p=160 * bar), tank=Tank(), valve=ProportionalValve43(Q_nom=40 * l_per_min),
        lift=Cylinder(**size, p_A_0=p_A, p_B_0=p_B, friction=LuGre(**SEAL, **BRISTLES, n=0.5)),
        load=Mass(m=m, s_0=1.2), weight=ForceSource(),
    )  # fmt: skip
    return made(
        "holding", parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "lift.A"),
        ("valve.B", "lift.B"), ("lift.rod", "load.rod", "weight.rod"),
    )  # fmt: skip


def held(machine, stepper, force, motion, settle, verification, what):
    """Run through a motion and its settling at 1 ms, then an hour at 1 s: how far has it gone?"""
    program = compile(assemble(machine), stepper)
    state = program.start()
    before = run(program, until=settle, dt=1e-3, inputs=motion | {"weight.F": force}, state=state)
    hour = run(program, until=settle + 3600, dt=1.0, inputs={"weight.F": force}, state=state)
    verification(
        "Friction", f"drift of a loaded cylinder in an hour, {what}, {stepper.name}", "none: it holds",
        np.ptp(hour.values("load.rod.s")), 1e-6, unit="m",
    )  # fmt: skip
    return before, hour


@IMPLICIT
def test_a_load_on_a_closed_valve_stays_for_an_hour(stepper, verification):
    before, hour = held(loaded(), stepper, -9.81 * 500 - 400.0, {}, 10.0, verification, "from rest")
    assert np.ptp(before.values("load.rod.s")) > 1e-6  # the oil gave way to 400 N more
    assert hour.values("lift.F_friction")[-1] != 0.0


@IMPLICIT
def test_a_load_that_was_lifted_and_stopped_stays_for_an_hour(stepper, verification):
    lift = {"valve.u": Steps(times=[0.1, 0.6, 0.7], values=[0.4, 0.2, 0.0])}
    before, _ = held(loaded(), stepper, -9.81 * 500, lift, 10.0, verification, "after a motion")
    assert before.values("load.rod.s")[-1] > 1.25


@IMPLICIT
def test_a_load_that_slid_and_stuck_is_held_by_its_seal_alone(stepper, verification):
    """No oil carries it: both chambers are open to a tank. It slides at 1500 N, sticks at 500 N."""
    size = dict(d_bore=80 * mm, d_rod=35 * mm, stroke=0.9, length_0=0.8)
    parts = dict(
        tank=Tank(p=0.0), lift=Cylinder(**size, friction=LuGre(**SEAL, **BRISTLES, n=0.5)), load=Mass(m=500.0, s_0=1.6),
        weight=ForceSource(), push=ForceSource(),
    )  # fmt: skip
    machine = made("seal", parts, ("lift.A", "lift.B", "tank.port"), ("lift.rod", "load.rod", "weight.rod", "push.rod"))
    push = {"push.F": Steps(times=[0.0, 0.3], values=[-1000.0, 0.0])}
    before, hour = held(machine, stepper, -150.0, push, 10.0, verification, "by its seal alone after a slide")
    assert before.values("load.rod.s")[-1] < 1.6 - 1e-3
    assert hour.values("lift.F_friction")[-1] == pytest.approx(-150.0, rel=1e-3)
