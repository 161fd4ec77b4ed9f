"""The sampled PID against its difference equation, and against windup."""

from types import SimpleNamespace

import numpy as np
import pytest

from oleodyn.control.pid import PID, Gains, pid
from oleodyn.equations.bind import bind
from oleodyn.errors import DeclarationError
from oleodyn.units import deg, mm, unit_of

MA = 1e-3


def controller(**changes):
    """Joint 1 of the pipe cutter, circle gains (mA per deg)."""
    values = dict(K_p=1.28 * MA / deg, K_i=2.56 * MA / deg, K_d=0.04 * MA / deg, u_max=10 * MA)
    return PID(**{**values, **changes})


def sample(part, **values):
    """New values of the sampled states."""

    def make(role, path, declared):
        return None if role == "parameter" else values.get(path.split(".")[-1], 0.0)

    return SimpleNamespace(**bind(part, "pid", make).equations().next)


def test_the_integral_counts_the_present_error_first():
    new = sample(controller(), q_ref=2 * deg, v_ref=3 * deg, q=1 * deg, v=1 * deg, integral=0.5 * MA)
    assert new.integral == pytest.approx(0.5 * MA + 2.56 * MA * 0.01, rel=1e-12)
    assert new.u == pytest.approx((0.04 * 2 + 1.28 * 1 + 0.5 + 0.0256) * MA, rel=1e-12)


def test_a_ramp_of_samples_is_the_sum_of_the_specification():
    rng = np.random.default_rng(1)
    errors, rates = rng.uniform(-0.5, 0.5, (2, 200))
    part, I, held = controller(), 0.0, 0.0
    for e, e_dot in zip(errors, rates, strict=True):
        I += e * 0.01
        new = sample(part, q_ref=e * deg, v_ref=e_dot * deg, integral=held)
        held = new.integral
        assert new.u / MA == pytest.approx(0.04 * e_dot + 1.28 * e + 2.56 * I, abs=1e-12)


def test_the_command_never_leaves_its_bounds():
    assert sample(controller(), q_ref=3.0).u == 10 * MA
    assert sample(controller(), q_ref=-3.0).u == -10 * MA


def test_a_clamped_command_stops_the_integral_and_comes_back_at_once():
    with_stop, without = controller(), controller(anti_windup=False)
    for part, returns in ((with_stop, True), (without, False)):
        held = 0.0
        for _ in range(1000):
            held = sample(part, q_ref=20 * deg, integral=held).integral
        assert (sample(part, q_ref=-0.01 * deg, integral=held).u < 0.1 * MA) is returns


def test_a_clamped_integral_may_run_inwards():
    _, integral = pid(e=-1.0, e_dot=0.0, integral=30.0, gains=Gains(K_p=1.0, K_i=1.0), period=0.1, u_max=10.0)
    assert integral == pytest.approx(29.9)


def test_derivative_on_measurement_gives_no_kick_when_the_reference_starts_to_move():
    kicked = sample(controller(), v_ref=10 * deg).u
    calm = sample(controller(derivative_on_measurement=True), v_ref=10 * deg).u
    assert kicked == pytest.approx(0.4 * MA) and calm == 0


def test_feed_forward_adds_the_command_of_the_reference_speed():
    assert sample(controller(K_ff=0.3 * MA / deg), v_ref=2 * deg, v=2 * deg).u == pytest.approx(0.6 * MA)


def test_it_starts_where_it_is_told_and_stays_there_without_error():
    part = controller(u_0=0.0714 * MA)
    start = bind(part, "pid", lambda role, path, declared: None if role == "parameter" else 0.0).equations().start
    assert dict(start) == {"integral": 0.0714 * MA, "u": 0.0714 * MA}
    assert sample(part, integral=start["integral"]).u == 0.0714 * MA


def test_a_sliding_joint_has_its_units_in_metres():
    part = controller(K_p=3.2 * MA / mm, axis="m")
    declared = part.declaration()
    assert (declared.inputs["q"].unit, declared.inputs["v_ref"].unit, declared.states["e"].unit) == ("m", "m/s", "m")
    assert declared.states["u"].unit == "A"
    assert part.K_p == pytest.approx(3.2)


def test_every_way_to_write_a_gain_is_a_unit():
    for name in ("K_p", "K_i", "K_d", "u_max"):
        for unit in PID.fields[name].unit.split("|"):
            unit_of(unit)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(K_p=-1), r"K_p = -1 .*must lie within 0"),
        (dict(axis="deg"), r"PID.axis = 'deg': must be rad or m"),
        (dict(u_0=0.02), r"PID.u_0 = 0.02 A: must lie within ±u_max = 0.01"),
    ],
)
def test_a_controller_that_cannot_be_is_refused(changes, message):
    with pytest.raises(DeclarationError, match=message):
        controller(**changes)
