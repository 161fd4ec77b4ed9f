import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oleodyn.errors import DataError
from oleodyn.result.compare import common_instants, compare, observed_order
from oleodyn.result.result import Result


def a_run(t, y, name="elbow.q", unit="rad"):
    return Result.from_arrays(t, {name: (y, unit)})


def test_a_result_is_not_apart_from_itself():
    t = np.linspace(0.0, 3.0, 31)
    difference = compare(a_run(t, np.sin(t)), a_run(t, np.sin(t)))["elbow.q"]
    assert (difference.max, difference.rms, difference.relative) == (0.0, 0.0, 0.0)


def test_a_constant_offset_is_its_own_maximum_and_mean():
    t = np.linspace(0.0, 3.0, 31)
    difference = compare(a_run(t, np.cos(t) + 0.25), a_run(t, np.cos(t)))["elbow.q"]
    assert (difference.max, difference.rms) == pytest.approx((0.25, 0.25), rel=1e-12)
    assert difference.span == pytest.approx(1.0 - np.cos(3.0), rel=1e-12)


def test_a_growing_error_is_largest_at_its_instant_and_1_over_root_3_in_the_mean():
    t = np.linspace(0.0, 2.0, 2001)
    difference = compare(a_run(t, 0.3 * t), a_run(t, 0 * t))["elbow.q"]
    assert (difference.max, difference.at) == (0.6, 2.0)
    assert difference.rms == pytest.approx(0.6 / 3**0.5, rel=1e-6)  # 1e-6: trapezoids of 1 ms


def test_a_finer_grid_is_taken_at_the_instants_of_the_coarser():
    fine, coarse = np.arange(0, 2001) * 1e-3, np.arange(0, 21) * 0.1
    difference = compare(a_run(fine, np.sin(9 * fine)), a_run(coarse, np.sin(9 * coarse)))["elbow.q"]
    assert difference.max < 1e-12  # the shared instants differ by rounding only


def test_between_instants_the_finer_grid_is_interpolated():
    fine, shifted = np.linspace(0.0, 1.0, 1001), np.linspace(0.05, 0.95, 7)
    difference = compare(a_run(shifted, shifted**2), a_run(fine, fine**2))["elbow.q"]
    assert 0.0 < difference.max < 2.6e-7  # h² / 4 at most


def test_only_the_time_that_both_cover_counts():
    a, b = np.linspace(0.0, 2.0, 21), np.linspace(1.0, 3.0, 21)
    assert common_instants(a, b)[[0, -1]].tolist() == [1.0, 2.0]
    difference = compare(a_run(a, np.where(a < 0.95, 99.0, a)), a_run(b, np.where(b > 2.05, -99.0, b)))["elbow.q"]
    assert difference.max == pytest.approx(0.0, abs=1e-12)


def test_a_measurement_under_an_alias_can_be_compared():
    t = np.linspace(0.0, 1.0, 11)
    model = Result.from_arrays(t, {"lift.A.p": (1e5 + t, "Pa")}, aliases={"p_A": "lift.A.p"})
    assert compare(model, a_run(t, 1e5 + t + 0.5, "p_A", "Pa"), ["p_A"])["lift.A.p"].max == pytest.approx(0.5)


def test_the_table_has_a_line_for_each_signal():
    t = np.linspace(0.0, 1.0, 11)
    comparison = compare(a_run(t, t + 0.25), a_run(t, t))
    assert comparison.table().splitlines()[1].split() == [
        "elbow.q", "2.500e-01", comparison.table().splitlines()[1].split()[2], "s", "2.500e-01", "2.50e-01", "rad",
    ]  # fmt: skip
    assert comparison.worst.name == "elbow.q"


REFUSED = {
    "nothing in common": (lambda a, b: compare(a, a_run(b.time, b.time, "p", "Pa")), "no signal in common"),
    "other units": (lambda a, b: compare(a, a_run(b.time, b.time, unit="m")), "is in rad in one result and in m"),
    "other times": (lambda a, b: compare(a, a_run(b.time + 9, b.time)), r"different times: 0 … 1 s and 9 … 10 s"),
    "no instants": (lambda a, b: compare(a, a_run([], [])), "without instants"),
    "not compared": (lambda a, b: compare(a, b)["p"], "'p' was not compared; compared were elbow.q"),
}


@pytest.mark.parametrize(("make", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_compared_is_refused(make, sentence):
    t = np.linspace(0.0, 1.0, 11)
    with pytest.raises(DataError, match=sentence):
        make(a_run(t, t), a_run(t, t))


@given(order=st.floats(0.5, 8.0), factor=st.floats(1e-6, 1e3))
def test_an_error_that_falls_as_a_power_shows_that_power(order, factor):
    steps = np.array([0.1, 0.05, 0.02, 0.01])
    assert observed_order(factor * steps**order, steps) == pytest.approx(order, rel=1e-9)


@pytest.mark.parametrize(("errors", "steps"), [([1e-3], [0.1]), ([1e-3, 0.0], [0.1, 0.05]), ([1e-3, 1e-4], [0.1])])
def test_an_order_needs_two_errors_above_zero(errors, steps):
    with pytest.raises(DataError, match="two or more errors"):
        observed_order(errors, steps)
