"""CasADi functions on arrays of many points."""

import casadi as ca
import numpy as np
import pytest

from oleodyn.errors import CompileError
from oleodyn.program.native_function import NativeFunction
from oleodyn.program.peak import peak_flops

WIDTHS = (1, 2, 4, 8, 16)


def plane(width=None):
    """Two inputs, a vector and a number; two outputs, a matrix and a number."""
    x, k = ca.SX.sym("x", 2), ca.SX.sym("k")
    turn = ca.vertcat(ca.horzcat(ca.cos(k), -ca.sin(k)), ca.horzcat(ca.sin(k), ca.cos(k)))
    return NativeFunction(ca.Function("plane", [x, k], [turn, ca.dot(x, x) * k]), width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 100])
def test_every_point_is_computed_whatever_their_number(n, width):
    rng = np.random.default_rng(n)
    x, k = rng.normal(size=(n, 2)), rng.normal(size=(n, 1))
    turn, size = plane(width)(x, k)
    assert turn == pytest.approx(np.hstack([np.cos(k), np.sin(k), -np.sin(k), np.cos(k)]), abs=1e-15)
    assert size == pytest.approx((x * x).sum(axis=1, keepdims=True) * k, rel=1e-14)


def test_an_input_without_rows_is_shared_by_all_points():
    x = np.arange(10.0).reshape(5, 2)
    _, size = plane()(x, 0.5)
    assert size.ravel().tolist() == ((x * x).sum(axis=1) / 2).tolist()
    turn, one = plane()(np.array([3.0, 4.0]), [0.0])
    assert turn.tolist() == [1, 0, 0, 1]
    assert one.tolist() == [0.0]


def test_threads_give_the_same_bits():
    rng = np.random.default_rng(1)
    x, k = rng.normal(size=(30_001, 2)), rng.normal(size=(30_001, 1))
    for alone, together in zip(plane()(x, k), plane()(x, k, threads=3), strict=True):
        assert (alone == together).all()


def test_matrix_graphs_are_expanded():
    x = ca.MX.sym("x", 3)
    f = NativeFunction(ca.Function("f", [x], [ca.norm_2(x)]))
    assert f(np.array([2.0, 3.0, 6.0])).tolist() == [7.0]


def test_no_points_give_no_rows():
    turn, size = plane()(np.zeros((0, 2)), 1.0)
    assert turn.shape == (0, 4)
    assert size.shape == (0, 1)


def test_wrong_shapes_are_refused_with_the_right_one():
    with pytest.raises(ValueError, match=r"plane, input 0: shape \(5, 3\) where \(n, 2\) or \(2,\) is needed"):
        plane()(np.zeros((5, 3)), 1.0)
    with pytest.raises(ValueError, match=r"plane, input 1: shape \(4, 1\) where \(5, 1\) or \(1,\) is needed"):
        plane()(np.zeros((5, 2)), np.zeros((4, 1)))
    with pytest.raises(ValueError, match="plane takes 2 inputs, not 1"):
        plane()(np.zeros((5, 2)))


def test_what_has_no_scalar_operations_is_refused():
    x = ca.MX.sym("x")
    linear = ca.solve(ca.vertcat(ca.horzcat(x, 1), ca.horzcat(0, x)), ca.vertcat(1, x))
    with pytest.raises(CompileError, match="linear cannot be written in scalar operations"):
        NativeFunction(ca.Function("linear", [x], [linear]))
    root = ca.rootfinder("root", "newton", ca.Function("inner", [x], [x**2 - 2]))
    with pytest.raises(CompileError, match="solve uses CasADi's operation 'call'"):
        NativeFunction(ca.Function("solve", [x], [root(x)]))


def test_the_time_of_a_call_is_that_of_many():
    assert 0 < plane().time(1000) < 1e-3
    assert 0 < plane().time(1000, np.ones(2), 0.5) < 1e-3


def test_the_peak_rate_is_that_of_a_processor():
    assert 1e9 < peak_flops(seconds=0.02) < 1e12  # from a small embedded core to wider ones than exist
