"""Elementary functions keep the error bounds of their docstrings over all doubles."""

import re

import casadi as ca
import numpy as np
import pytest

from oleodyn.program import vector_maths
from oleodyn.program.native_function import NativeFunction

NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "pow": "power"}
NAMES = sorted(vector_maths.OURS.keys() - {"sincos"})
EXTENDED = np.finfo(np.longdouble).nmant >= 63

SPECIAL = np.array(
    [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308,
     1, -1, 0.5, -0.5, np.pi / 2, np.pi, 1e22, 709.78, 709.79, 710.4, -745.13, -745.14, -708.4, 0.66, 2.0**20, -1e9]
)  # fmt: skip


def samples(rng, n=40_000):
    """Arguments over the whole range, near the middle, near multiples of π/2, and peculiar ones."""
    k = rng.integers(-600_000, 600_000, n)
    multiples = (k * np.longdouble(np.pi / 2) + k * np.longdouble(6.123233995736766e-17)).astype(float)
    return np.concatenate(
        [
            rng.integers(0, 2**64, n, dtype=np.uint64).view(float),
            rng.normal(size=n) * rng.choice([1e-3, 0.1, 1, 5, 30, 300], n),
            rng.uniform(-1.1, 1.1, n),
            multiples + np.spacing(multiples) * rng.integers(-2, 3, n),
            np.resize(SPECIAL, 200),
        ]
    )


def arguments(name):
    rng = np.random.default_rng(11)
    if name == "pow":
        wide = np.exp(rng.uniform(-700, 700, 40_000)), rng.normal(size=40_000)
        near = 1 + 1e-4 * rng.normal(size=40_000), 1e5 * rng.normal(size=40_000)
        film = np.abs(rng.normal(size=1000)), np.full(1000, 2 / 3)
        steep = rng.uniform(0.4, 2.5, 40_000), rng.uniform(-2200, 2200, 40_000)
        special = tuple(axis.ravel() for axis in np.meshgrid(SPECIAL, SPECIAL))
        return [np.concatenate(both) for both in zip(wide, near, film, steep, special, strict=True)]
    x = samples(rng)
    return [rng.permutation(x), x] if name in vector_maths.TWO_ARGUMENTS else [x]


def native(name, width):
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    if name in vector_maths.TWO_ARGUMENTS:
        word = ca.power if name == "pow" else getattr(ca, name)
        return NativeFunction(ca.Function(name, [x, y], [word(x, y)]), width)
    return NativeFunction(ca.Function(name, [x], [getattr(ca, name)(x)]), width)


def call(name, width, values):
    return native(name, width)(*(value[:, None] for value in values)).ravel()


def errors(computed, exact):
    """Distance in units of the last place of the exact result; 0 for the same infinity or NaN."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(float)
        distance = np.abs(computed - exact) / np.maximum(np.spacing(np.abs(rounded)), 5e-324)
    same = (computed == rounded) | (np.isnan(computed) & np.isnan(rounded))
    distance = np.where(np.isnan(distance), np.inf, distance)
    return np.where(same & ~np.isfinite(rounded), 0.0, distance)


@pytest.mark.parametrize("name", NAMES)
def test_the_error_stays_below_the_bound_in_the_docstring(name):
    bound = float(re.search(r"within ([\d.]+) ulp", vector_maths.OURS[name].__doc__).group(1))
    values = arguments(name)
    exactly = getattr(np, NUMPY.get(name, name))
    with np.errstate(all="ignore"):
        exact = exactly(*(value.astype(np.longdouble) for value in values))
    slack = 0.0 if EXTENDED else 1.0  # without extended precision the reference is a double itself
    error = errors(call(name, 8, values), exact)
    worst = np.argmax(error)
    assert error[worst] <= bound + slack, (name, [value[worst] for value in values])


def test_a_power_of_a_moderate_exponent_is_within_one_and_a_half_ulp():
    rng = np.random.default_rng(2)
    x, y = np.exp(rng.uniform(-60, 60, 60_000)), rng.uniform(-10, 10, 60_000)
    assert errors(call("pow", 8, [x, y]), np.power(x.astype(np.longdouble), y)).max() <= (1.5 if EXTENDED else 2.5)


@pytest.mark.parametrize("name", NAMES)
def test_every_width_gives_the_same_bits(name):
    values = [value[::7] for value in arguments(name)]
    one = call(name, 1, values)
    for width in (2, 4):
        assert np.array_equal(call(name, width, values), one, equal_nan=True)


def test_sine_and_cosine_made_together_have_the_bits_of_each_alone():
    x = ca.SX.sym("x")
    angles = samples(np.random.default_rng(5), 2000)[:, None]
    sine, cosine = NativeFunction(ca.Function("both", [x], [ca.sin(x), ca.cos(x)]), 8)(angles)
    assert np.array_equal(sine, native("sin", 8)(angles), equal_nan=True)
    assert np.array_equal(cosine, native("cos", 8)(angles), equal_nan=True)


@pytest.mark.parametrize(("name", "strange"), [("sin", 1e19), ("log", 0.0), ("tan", np.inf), ("pow", -2.0)])
def test_a_lane_does_not_notice_a_neighbour_that_asks_the_library(name, strange):
    ordinary = np.linspace(0.1, 3.0, 8)
    mixed = ordinary.copy()
    mixed[3] = strange
    more = [np.full(8, 2.5)] if name == "pow" else []
    alone, together = call(name, 8, [ordinary, *more]), call(name, 8, [mixed, *more])
    assert np.array_equal(np.delete(alone, 3), np.delete(together, 3))
