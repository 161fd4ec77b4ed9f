import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from oleodyn.errors import DeclarationError
from oleodyn.simulation.path import Pieces, Quintic, Ramp, Spline, Steps, Table
from oleodyn.simulation.scenario import Scenario, values_at
from oleodyn.simulation.signal import Constant, Function, Signal, as_signal
from oleodyn.simulation.wave import Chirp, Pulse, Sine

NONE = []
SMOOTH = {
    "constant": Constant(value=0.3),
    "sine": Sine(amplitude=2.0, frequency=0.7, phase=0.4, offset=-1.0),
    "late sine": Sine(amplitude=2.0, w=5.0, start=0.8),
    "chirp": Chirp(amplitude=0.5, frequency_0=0.2, frequency_1=3.0, duration=2.0, start=0.5),
    "ramp": Ramp(start=0.5, duration=1.2, before=-1.0, after=2.0),
    "table": Table(times=[0.3, 1.1, 2.0, 2.9], values=[1.0, 4.0, -2.0, 0.5]),
    "spline": Spline(times=[0.3, 1.1, 2.0, 2.9], values=[1.0, 4.0, -2.0, 0.5]),
    "quintic": Quintic(points=[0.1, 0.9, -0.4], durations=[1.5, 0.7], start=0.4),
    "sum": Sine(w=3.0) + Ramp(duration=2.0) - 0.25,
    "product": 2.0 * Sine(w=3.0) * Quintic(points=[0.0, 1.0], durations=[2.0]),
}
JUMPING = {
    "steps": Steps(times=[0.5, 1.25, 2.0], values=[0.6, -0.2, 0.0]),
    "pulse": Pulse(start=0.4, duration=0.3, amplitude=2.0, offset=-1.0),
    "pulse train": Pulse(start=0.1, duration=0.3, period=0.7),
    "function": Function(lambda t: 0.6 * (t >= 1.0), jumps=[1.0]),
    "cosine that begins": Sine(w=3.0, phase=math.pi / 2, start=1.0),
    "sum": Steps(times=[0.5], values=[1.0]) + Pulse(start=1.5, duration=0.25),
    "product": Steps(times=[0.5], values=[1.0]) * Sine(w=2.0),
}
EVERY = {**SMOOTH, **{f"jumping {name}": signal for name, signal in JUMPING.items()}}


# ------------------------------------------------------------------ value, side, edges


@pytest.mark.parametrize("signal", EVERY.values(), ids=EVERY)
def test_an_array_of_instants_gives_the_values_of_each_instant(signal):
    t = np.linspace(-0.5, 3.5, 173)
    assert signal(t).tolist() == [signal(x) for x in t.tolist()]
    assert signal.left(t).tolist() == [signal.left(x) for x in t.tolist()]


@pytest.mark.parametrize("signal", EVERY.values(), ids=EVERY)
def test_left_and_right_differ_at_edges_only(signal):
    edges = signal.edges(-1.0, 4.0)
    t = np.setdiff1d(np.concatenate([np.linspace(-0.5, 3.5, 4001), signal.kinks(-1.0, 4.0)]), edges)
    # 1e-13: where two polynomials meet, each is rounded in its own way
    assert signal.left(t) == pytest.approx(signal(t), abs=1e-13)
    assert np.all(np.abs(signal(edges) - signal.left(edges)) > 1e-3)


@pytest.mark.parametrize("signal", JUMPING.values(), ids=JUMPING)
def test_left_is_the_value_just_before(signal):
    edges = signal.edges(0.0, 3.0)
    assert len(edges)
    before = np.nextafter(edges, -np.inf)
    assert signal.left(edges) == pytest.approx(signal(before), abs=1e-12)  # 1e-12: what a sine moves in 1e-15 s


@pytest.mark.parametrize("signal", SMOOTH.values(), ids=SMOOTH)
def test_a_continuous_signal_has_no_edges(signal):
    assert signal.edges(-10.0, 10.0).tolist() == NONE


def test_a_step_acts_from_exactly_its_instant():
    step = Steps(times=[1.0], values=[0.6])
    assert (step.left(1.0), step(1.0)) == (0.0, 0.6)
    assert step.edges(0.0, 2.0).tolist() == [1.0]


def test_edges_include_both_ends_of_the_span_and_nothing_outside():
    steps = Steps(times=[1.0, 2.0, 3.0, 4.0], values=[1.0, 2.0, 3.0, 4.0])
    assert steps.edges(2.0, 3.0).tolist() == [2.0, 3.0]
    assert steps.edges(2.1, 2.9).tolist() == NONE


@pytest.mark.parametrize(("t", "value"), [(-1.0, 0.1), (0.0, 0.1), (2.0, 0.7), (2.5, 0.7), (9.0, 0.3)])
def test_steps_hold_their_value_until_the_next(t, value):
    assert Steps(times=[2.0, 4.0], values=[0.7, 0.3], before=0.1)(t) == value


@given(start=st.floats(-5, 5), period=st.floats(0.01, 3), part=st.floats(0.05, 0.95), k=st.integers(0, 10_000))
def test_a_pulse_train_switches_at_its_very_edges(start, period, part, k):
    pulse = Pulse(start=start, period=period, duration=part * period, amplitude=1.0)
    on = start + k * period
    off = on + part * period
    assert (pulse.left(on), pulse(on)) == (0.0, 1.0)
    assert (pulse.left(off), pulse(off)) == (1.0, 0.0)
    assert {on, off} <= set(pulse.edges(on, off).tolist())


def test_only_signals_that_do_nothing_between_edges_are_constant():
    assert [name for name, signal in EVERY.items() if signal.constant] == [
        "constant", "jumping steps", "jumping pulse", "jumping pulse train", "jumping sum",
    ]  # fmt: skip


def test_kinks_are_where_only_the_slope_jumps():
    assert SMOOTH["ramp"].kinks(0.0, 9.0).tolist() == [0.5, 1.7]
    assert SMOOTH["late sine"].kinks(0.0, 9.0).tolist() == [0.8]
    assert (Ramp(start=1.0, duration=1.0) + Steps(times=[2.0], values=[1.0])).kinks(0.0, 9.0).tolist() == [1.0]
    assert SMOOTH["quintic"].kinks(0.0, 9.0).tolist() == NONE


# ------------------------------------------------------------------ shapes against closed forms


def test_a_sine_is_the_sine():
    t = np.linspace(0.0, 3.0, 50)
    assert Sine(amplitude=2.0, frequency=0.5, phase=0.3, offset=1.0)(t) == pytest.approx(
        1.0 + 2.0 * np.sin(math.pi * t + 0.3), abs=1e-14
    )


def test_a_chirp_counts_the_mean_frequency_and_then_the_last():
    chirp = Chirp(frequency_0=1.0, frequency_1=4.0, duration=2.0)
    turns = 2.0 * (1.0 + 4.0) / 2  # 5: back at zero, rising
    assert chirp(2.0) == pytest.approx(math.sin(2 * math.pi * turns), abs=1e-12)
    assert chirp(2.0 + 1 / 16) == pytest.approx(1.0, abs=1e-12)  # a quarter turn at 4 Hz later


def test_a_quintic_rests_at_every_way_point():
    path = SMOOTH["quintic"]
    rate = path.derivative()
    acceleration = rate.derivative()
    corners = np.array([0.4, 1.9, 2.6])
    assert path(corners) == pytest.approx([0.1, 0.9, -0.4], abs=1e-14)
    for signal in (rate, acceleration):
        assert signal(corners) == pytest.approx(0.0, abs=1e-12)
        assert signal.left(corners) == pytest.approx(0.0, abs=1e-12)


def test_a_quintic_is_fastest_half_way_at_15_8_of_the_mean_speed():
    path = Quintic(points=[0.2, 1.0], durations=[1.6])
    assert path.derivative()(0.8) == pytest.approx(15 / 8 * 0.8 / 1.6, rel=1e-14)


def test_a_spline_is_the_clamped_cubic_spline():
    times, values = [0.0, 0.7, 1.1, 2.5, 3.0, 4.2], [0.3, -1.0, 2.0, 0.4, 0.5, -0.2]
    t = np.linspace(0.0, 4.2, 200)
    ours, theirs = Spline(times=times, values=values), CubicSpline(times, values, bc_type="clamped")
    assert ours(t) == pytest.approx(theirs(t), abs=1e-13)
    assert ours.derivative()(t) == pytest.approx(theirs(t, 1), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_spline_of_few_points_passes_through_them(n):
    times, values = [0.0, 1.0, 2.5][:n], [0.4, -0.2, 0.9][:n]
    assert Spline(times=times, values=values)(times) == pytest.approx(values, abs=1e-15)


@pytest.mark.parametrize("shape", [Table, Spline])
def test_a_table_holds_its_ends(shape):
    table = shape(times=[1.0, 2.0, 4.0], values=[0.5, 0.9, -0.3])
    assert table([-100.0, 1.0, 4.0, 1e6]) == pytest.approx([0.5, 0.5, -0.3, -0.3], abs=1e-15)


# ------------------------------------------------------------------ rates


@pytest.mark.parametrize("signal", SMOOTH.values(), ids=SMOOTH)
def test_the_derivative_is_the_slope(signal):
    h, t = 1e-5, np.linspace(0.013, 3.017, 200)
    corners = np.concatenate([signal.kinks(-1, 4), signal.derivative().kinks(-1, 4), [0.0]])
    t = t[np.min(np.abs(t[:, None] - corners), axis=1) > 2 * h]
    slope = (signal(t + h) - signal(t - h)) / (2 * h)
    assert signal.derivative()(t) == pytest.approx(slope, abs=2e-7)  # h² y''' / 6 with y''' below 7,000


@pytest.mark.parametrize("signal", JUMPING.values(), ids=JUMPING)
def test_a_signal_that_jumps_has_no_derivative(signal):
    with pytest.raises(DeclarationError, match=r"no rate|jumps at its start"):
        signal.derivative()


def test_the_rate_of_a_table_is_a_staircase():
    rate = Table(times=[0.0, 2.0, 3.0], values=[1.0, 5.0, 4.0]).derivative()
    assert rate([-1.0, 0.0, 1.0, 2.0, 3.0]).tolist() == [0.0, 2.0, 2.0, -1.0, 0.0]
    assert rate.edges(0.0, 9.0).tolist() == [0.0, 2.0, 3.0]
    assert rate.constant


# ------------------------------------------------------------------ functions


def test_a_function_that_takes_arrays_is_called_once():
    calls = []
    signal = as_signal(lambda t: calls.append(np.shape(t)) or 2.0 * t)
    assert signal(np.array([1.0, 2.0, 3.0])).tolist() == [2.0, 4.0, 6.0]
    assert calls == [(3,)]


FUNCTIONS = {
    "a comparison": lambda t: 0.6 * (t >= 1),
    "a choice": lambda t: 0.6 if t >= 1 else 0.0,
    "a mathematical function": lambda t: 0.6 if math.floor(t) else 0.0,
    "a choice over all": lambda t: 0.6 * float(np.all(t >= 1)),
    "a truth": lambda t: np.float64(0.6) * np.bool_(t >= 1),
}


@pytest.mark.parametrize("f", FUNCTIONS.values(), ids=FUNCTIONS)
def test_any_way_to_write_a_step_gives_the_step(f):
    assert as_signal(f)(np.array([0.0, 0.5, 1.0, 1.5])).tolist() == [0.0, 0.0, 0.6, 0.6]
    assert as_signal(f)(0.5) == 0.0
    assert as_signal(f)(1.0) == 0.6


def test_a_function_that_gives_no_number_is_an_error_with_the_time():
    with pytest.raises(DeclarationError, match=r"gave 'high' at t = 0.5 s: must be a number"):
        as_signal(lambda t: "high")([0.5, 0.6])


def test_an_error_inside_a_function_comes_out_as_it_is():
    with pytest.raises(ZeroDivisionError):
        as_signal(lambda t: 1 / 0)(0.5)


def test_a_function_says_why_no_file_can_hold_it():
    assert "use Steps, Sine, Table or Quintic" in str(as_signal(lambda t: t).unsaveable)
    assert all(signal.unsaveable is None for name, signal in EVERY.items() if "function" not in name)


# ------------------------------------------------------------------ what is refused

REFUSED = {
    "an array": (lambda: as_signal([1.0, 2.0], "valve.u"), r"valve.u is a set of values without times. Use Steps"),
    "a text": (lambda: as_signal("fast", "valve.u"), r"valve.u = 'fast': must be a number, a function of time"),
    "times that fall": (lambda: Steps(times=[1.0, 0.5], values=[1.0, 2.0]), r"Steps has 0.5 s after 1 s: .* rising"),
    "a time twice": (lambda: Table(times=[1.0, 1.0], values=[1.0, 2.0]), r"Table has 1 s after 1 s"),
    "a value too few": (lambda: Steps(times=[1.0, 2.0], values=[1.0]), r"Steps has 2 times and 1 values"),
    "an empty table": (lambda: Table(times=[], values=[]), r"at least one"),
    "no frequency": (lambda: Sine(amplitude=1.0), r"Sine needs frequency \[Hz\] or w \[rad/s\]"),
    "two frequencies": (lambda: Sine(frequency=1.0, w=6.0), r"one of the two"),
    "a duration too few": (lambda: Quintic(points=[0.0, 1.0, 2.0], durations=[1.0]), r"3 points and 1 durations"),
    "a duration of nothing": (lambda: Quintic(points=[0.0, 1.0], durations=[0.0]), r"durations.*above 0"),
    "pulses that overlap": (lambda: Pulse(duration=1.0, period=0.5), r"must be longer than its duration"),
    "words in a list": (lambda: Steps(times=["one"], values=[1.0]), r"Steps.times = .*must be n numbers in s"),
    "a list in a list": (lambda: Steps(times=[[1.0]], values=[1.0]), r"Steps.times = .*must be n numbers in s"),
    "rows missing": (lambda: Pieces(times=[1.0], coefficients=[[1.0]]), r"one row more than times"),
    "no function": (lambda: Function(3.0), r"must be a function of time"),
    "inputs in a list": (lambda: Scenario.of([1.0]), r"must be a dict of input"),
    "a part as a signal": (lambda: Scenario(signals={"u": Scenario()}), r"u = .*must be a signal of time"),
    "an infinite value": (lambda: as_signal(math.inf), r"must be finite"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_signal_is_refused_with_the_rule(make, sentence):
    with pytest.raises(DeclarationError, match=sentence):
        make()


# ------------------------------------------------------------------ scenarios


def test_a_scenario_takes_numbers_functions_and_signals():
    scenario = Scenario.of({"a.u": 0.4, "b.u": lambda t: 2 * t, "c.u": Sine(w=1.0)}, until=3.0)
    assert [type(signal).__name__ for signal in scenario.signals.values()] == ["Constant", "Function", "Sine"]
    assert Scenario.of(scenario) is scenario
    assert dict(Scenario.of(None).signals) == {}


def test_equal_scenarios_are_equal_and_hash_alike():
    one, other = (Scenario.of({"a.u": Steps(times=[1.0], values=[0.3])}, start={"a.x": 0.1}) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Scenario.of({"a.u": Steps(times=[1.0], values=[0.4])}, start={"a.x": 0.1})


def test_inputs_given_by_hand_take_the_place_of_the_scenarios():
    scenario = Scenario.of({"a.u": 0.1, "b.u": 0.2}, until=3.0).with_inputs({"b.u": 0.7})
    assert (scenario.signals["a.u"](0.0), scenario.signals["b.u"](0.0), scenario.until) == (0.1, 0.7, 3.0)


def test_a_scenario_finds_its_inputs_by_name_and_alias():
    scenario = Scenario.of({"lift.u": 0.1, "boom": 0.2})
    found = scenario.resolved(["lift.u", "tilt.u"], {"boom": "tilt.u"})
    assert {name: signal(0.0) for name, signal in found.items()} == {"lift.u": 0.1, "tilt.u": 0.2}


def test_an_unknown_input_answers_with_the_nearest():
    with pytest.raises(DeclarationError, match=r"'lift.v', which is no input; did you mean 'lift.u'\? The inputs are"):
        Scenario.of({"lift.v": 0.1}).resolved(["lift.u", "tilt.u"], {})


def test_an_input_cannot_be_driven_under_two_names():
    with pytest.raises(DeclarationError, match=r"drives tilt.u twice, once as 'boom'"):
        Scenario.of({"tilt.u": 0.1, "boom": 0.2}).resolved(["tilt.u"], {"boom": "tilt.u"})


def test_the_edges_of_a_scenario_are_those_of_its_signals_each_once():
    scenario = Scenario.of({"a": Steps(times=[1.0, 2.0], values=[1.0, 0.0]), "b": Pulse(start=1.0, duration=0.5)})
    assert scenario.edges(0.0, 9.0).tolist() == [1.0, 1.5, 2.0]
    assert scenario.constant


def test_values_come_from_the_side_asked_for():
    step = Steps(times=[1.0], values=[0.6])
    rows = values_at([step, None], [0.0, 7.0], [0.5, 1.0, 1.0], left=[False, True, False])
    assert rows.tolist() == [[0.0, 7.0], [0.0, 7.0], [0.6, 7.0]]


@given(times=st.lists(st.floats(-100, 100), min_size=1, max_size=30, unique=True).map(sorted), data=st.data())
def test_a_staircase_is_its_values(times, data):
    values = data.draw(st.lists(st.floats(-1e3, 1e3), min_size=len(times), max_size=len(times)))
    steps = Steps(times=times, values=values, before=5.5)
    assert steps(times).tolist() == values
    assert steps.left(times).tolist() == [5.5, *values[:-1]]


def test_every_kind_of_signal_is_tried_above():
    def kinds(of):
        return {of} | {kind for sub in of.__subclasses__() for kind in kinds(sub)}

    abstract = {"Signal", "Piecewise", "Pieces"}
    ours = {kind.__name__ for kind in kinds(Signal) if kind.__module__.startswith("oleodyn.simulation.")}
    assert ours - abstract == {type(signal).__name__ for signal in EVERY.values()}
