"""Machine code computes what CasADi computes, at every width and however it is cut."""

import ctypes
import functools

import casadi as ca
import numpy as np
import pytest

from oleodyn.errors import CompileError
from oleodyn.program import llvm, operation, target, vector_maths
from oleodyn.program.native_function import NativeFunction

WIDTHS = (1, 2, 4, 8)
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-310, 5e-324, 1e308, np.inf, -np.inf, np.nan)

ONE_ARGUMENT = {
    ca.OP_NEG: lambda x: -x, ca.OP_EXP: ca.exp, ca.OP_LOG: ca.log, ca.OP_SQRT: ca.sqrt, ca.OP_SQ: lambda x: x * x,
    ca.OP_TWICE: lambda x: 2 * x, ca.OP_SIN: ca.sin, ca.OP_COS: ca.cos, ca.OP_TAN: ca.tan, ca.OP_ASIN: ca.asin,
    ca.OP_ACOS: ca.acos, ca.OP_ATAN: ca.atan, ca.OP_NOT: ca.logic_not, ca.OP_FLOOR: ca.floor, ca.OP_CEIL: ca.ceil,
    ca.OP_FABS: ca.fabs, ca.OP_SIGN: ca.sign, ca.OP_ERF: ca.erf, ca.OP_INV: lambda x: 1 / x, ca.OP_SINH: ca.sinh,
    ca.OP_COSH: ca.cosh, ca.OP_TANH: ca.tanh, ca.OP_ASINH: ca.asinh, ca.OP_ACOSH: ca.acosh, ca.OP_ATANH: ca.atanh,
    ca.OP_LOG1P: ca.log1p, ca.OP_EXPM1: ca.expm1, ca.OP_CONSTPOW: lambda x: x**2.3,
}  # fmt: skip
TWO_ARGUMENTS = {
    ca.OP_ADD: ca.plus, ca.OP_SUB: ca.minus, ca.OP_MUL: ca.times, ca.OP_DIV: ca.rdivide, ca.OP_POW: ca.power,
    ca.OP_LT: ca.lt, ca.OP_LE: ca.le, ca.OP_EQ: ca.eq, ca.OP_NE: ca.ne, ca.OP_AND: ca.logic_and,
    ca.OP_OR: ca.logic_or, ca.OP_FMOD: ca.fmod, ca.OP_COPYSIGN: ca.copysign,
    ca.OP_IF_ELSE_ZERO: lambda c, x: ca.SX.binary(ca.OP_IF_ELSE_ZERO, c, x),
    ca.OP_FMIN: ca.fmin, ca.OP_FMAX: ca.fmax, ca.OP_ATAN2: ca.atan2, ca.OP_HYPOT: ca.hypot,
    ca.OP_REMAINDER: ca.remainder,
}  # fmt: skip
OPERATIONS = ONE_ARGUMENT | TWO_ARGUMENTS


def expression(identity, x, y):
    return ONE_ARGUMENT[identity](x) if identity in ONE_ARGUMENT else TWO_ARGUMENTS[identity](x, y)


@functools.cache
def every_operation():
    """All operations of two numbers, one row each."""
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    return ca.Function("all", [x, y], [ca.vertcat(*(expression(each, x, y) for each in OPERATIONS))])


@functools.cache
def points():
    """Pairs of ordinary and of special numbers."""
    rng = np.random.default_rng(7)
    ordinary = rng.normal(size=(60, 2)) * np.array([[0.7], [30.0], [1e-9]]).repeat(20, axis=0)
    special = np.array([(a, b) for a in SPECIAL for b in SPECIAL])
    return np.vstack([ordinary, special, [(0.3, 0.3), (7.0, 2.0), (-7.5, 2.0)]])


@functools.cache
def by_casadi():
    return np.array([np.array(every_operation()(*pair)).ravel() for pair in points()])


@functools.cache
def by_machine_code(width):
    xy = np.ascontiguousarray(points())
    return NativeFunction(every_operation(), width)(xy[:, :1], xy[:, 1:])


def agree(computed, expected):
    """Equal to 1e-12 of the expected number's own size; the same infinities and NaN."""
    with np.errstate(invalid="ignore"):
        near = np.abs(computed - expected) <= 1e-12 * np.abs(expected) + 1e-300
    return near | (computed == expected) | (np.isnan(computed) & np.isnan(expected))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("row", range(len(OPERATIONS)), ids=[operation.NAMES[each] for each in OPERATIONS])
def test_an_operation_gives_what_casadi_gives(row, width):
    computed, expected = by_machine_code(width)[:, row], by_casadi()[:, row]
    wrong = ~agree(computed, expected)
    assert not wrong.any(), list(zip(points()[wrong], computed[wrong], expected[wrong], strict=True))


def test_every_operation_with_a_rule_is_tested():
    ours = {operation.FMA, operation.FMS, operation.FNMA, operation.SELECT}
    assert operation.RULES.keys() - ours == OPERATIONS.keys()


@pytest.mark.parametrize(("word", "name"), [(ca.erfinv, "erfinv"), (lambda x: x.printme(x), "printme")])
def test_an_operation_without_a_rule_is_refused_by_name(word, name):
    x = ca.SX.sym("x")
    with pytest.raises(CompileError, match=f"f uses CasADi's operation '{name}', which has no machine code here"):
        llvm.lower(ca.Function("f", [x], [word(x)]), 1, "f")


def test_a_function_of_matrices_is_refused_with_the_remedy():
    x = ca.MX.sym("x", 2)
    with pytest.raises(CompileError, match=r"f is not a function of SX. Call .expand\(\)"):
        llvm.lower(ca.Function("f", [x], [x]), 1, "f")


def test_a_symbol_that_is_no_input_is_named():
    x, mass = ca.SX.sym("x"), ca.SX.sym("mass")
    with pytest.raises(CompileError, match="f depends on mass, not among its inputs"):
        llvm.lower(ca.Function("f", [x], [x * mass], {"allow_free": True}), 1, "f")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_nan_in_the_branch_not_taken_does_not_spread(width):
    x = ca.SX.sym("x")
    nested = ca.if_else(x > 1, ca.log(x - 1), ca.if_else(x > 0, 1 / x, ca.sqrt(-x)))
    f = NativeFunction(ca.Function("f", [x], [nested, ca.if_else(x > 0, ca.log(x), x) * 3 + 1]), width)
    points = np.array([[-4.0], [0.25], [1.0 + np.e], [0.0]])
    first, second = f(points)
    assert first.ravel() == pytest.approx([2.0, 4.0, 1.0, 0.0], rel=1e-14)
    assert second.ravel() == pytest.approx([-11.0, 1 + 3 * np.log(0.25), 1 + 3 * np.log(1 + np.e), 1.0], rel=1e-14)


def test_structural_zeros_of_outputs_are_written_and_those_of_inputs_skipped():
    x = ca.SX.sym("x", ca.Sparsity.diag(2))
    out = ca.SX(3, 1)
    out[1] = x[0, 0] + 10 * x[1, 1]
    assert NativeFunction(ca.Function("f", [x], [out]))(np.array([2.0, 99.0, 99.0, 5.0])) == pytest.approx([0, 52, 0])


# ------------------------------------------------------------------ large functions, cut into pieces


def tangled(n, seed=3):
    """A random function of 12 numbers and some n operations, whose values are used near and far."""
    rng = np.random.default_rng(seed)
    x = ca.SX.sym("x", 12)
    values = [x[k] for k in range(12)]
    for _ in range(n // 3):
        a, b, c = (values[-1 - int(min(len(values) - 1, d))] for d in rng.exponential([3, 40, 300]))
        kind = rng.integers(8)
        new = (a * b + c, a - b * c, a / (2 + b * b), ca.sin(a) + ca.cos(a), ca.if_else(a > b, a, c))[min(kind, 4)]
        values.append(new / ca.sqrt(1 + new * new) + 0.1 * b)
    return ca.Function("tangled", [x], [ca.vertcat(*values[-20:])])


def run(f, width, x, **how):
    """The outputs of one lowering of f, at x in every lane: shape (outputs, width)."""
    lowered = llvm.lower(f, width, "f", **how)
    code = target.translate(vector_maths.definitions(lowered.called, width) + "\n" + lowered.text)
    loaded = target.load([code], ["f"], vector_maths.library(lowered.called))
    given, out = np.repeat(x, width), np.empty((f.numel_out(0), width))
    scratch = np.empty(lowered.scratch * width + 1)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(loaded.addresses["f"])
    call(given.ctypes.data, out.ctypes.data, scratch.ctypes.data)
    return out


def test_a_large_function_in_pieces_gives_the_bits_of_the_whole_at_every_width():
    f, x = tangled(2400), np.linspace(-1.1, 1.3, 12)
    whole = run(f, 1, x, piece=10**6, patience=10**6)[:, 0]
    assert whole == pytest.approx(np.array(f(x)).ravel(), rel=1e-12, abs=1e-12)
    for width, how in ((1, {}), (1, {"piece": 37}), (4, {"piece": 300, "patience": 5}), (8, {})):
        computed = run(f, width, x, **how)
        assert (computed == whole[:, None]).all(), (width, how)


def test_code_made_fast_gives_the_bits_of_fast_code():
    f, x = tangled(1500, seed=5), np.linspace(-0.9, 1.7, 12)
    lowered = llvm.lower(f, 4, "f")
    text = vector_maths.definitions(lowered.called, 4) + "\n" + lowered.text
    results = []
    for level in (target.QUICK, target.GOOD):
        loaded = target.load([target.translate(text, level)], ["f"], vector_maths.library(lowered.called))
        given, out, scratch = np.repeat(x, 4), np.empty(20 * 4), np.empty(lowered.scratch * 4 + 1)
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(loaded.addresses["f"])
        call(given.ctypes.data, out.ctypes.data, scratch.ctypes.data)
        results.append(out)
    assert (results[0] == results[1]).all()


def test_scratch_places_are_used_again():
    lowered = llvm.lower(tangled(6000), 1, "f", piece=200)
    assert 100 < lowered.scratch < 600  # 2000 values cross pieces; some 300 of them live at a time


def test_a_sum_of_products_becomes_fused_operations():
    x = ca.SX.sym("x", 4)
    text = llvm.lower(ca.Function("f", [x], [x[0] * x[1] + x[2] * x[3]]), 1, "f").text
    assert text.count("@llvm.fmuladd") == 1
    assert text.count("fmul ") == 1


def test_divisions_by_the_same_number_share_its_reciprocal():
    x = ca.SX.sym("x", 4)
    text = llvm.lower(ca.Function("f", [x], [ca.vertcat(x[0] / x[3], x[1] / x[3], x[2] / 4)]), 1, "f").text
    assert text.count("fdiv ") == 1


def test_sine_and_cosine_of_one_angle_are_made_together():
    x = ca.SX.sym("x", 2)
    f = ca.Function("f", [x], [ca.vertcat(ca.sin(x[0]), ca.cos(x[1]), ca.cos(x[0]))])
    assert llvm.lower(f, 8, "f").called == {"sincos", "cos"}
