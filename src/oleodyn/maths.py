"""Smooth maths for physics files: works on floats, arrays and symbols alike.

The only CasADi that physics sees. Every function is finite with finite slope at every finite
argument unless its docstring says otherwise.
"""

import math
from typing import Any

import casadi as ca
import numpy as np

pi = math.pi


def symbolic(*args: Any) -> bool:
    """True when any argument is a CasADi expression."""
    return any(isinstance(a, (ca.SX, ca.MX)) for a in args)


def _one(name_ca: str, name_np: str, text: str):
    f_ca, f_np = getattr(ca, name_ca), getattr(np, name_np)
    f_math = getattr(math, name_ca, None)

    def function(x):
        if isinstance(x, (ca.SX, ca.MX)):
            return f_ca(x)
        if f_math is not None and isinstance(x, (float, int)):
            return f_math(x)
        return _plain(f_np(x))

    function.__doc__ = text
    function.__name__ = function.__qualname__ = name_ca
    return function


sin = _one("sin", "sin", "Sine of an angle in rad.")
cos = _one("cos", "cos", "Cosine of an angle in rad.")
tan = _one("tan", "tan", "Tangent of an angle in rad.")
asin = _one("asin", "arcsin", "Arc sine [rad]; infinite slope at ±1.")
acos = _one("acos", "arccos", "Arc cosine [rad]; infinite slope at ±1.")
atan = _one("atan", "arctan", "Arc tangent [rad].")
tanh = _one("tanh", "tanh", "Hyperbolic tangent.")
exp = _one("exp", "exp", "Exponential.")
log = _one("log", "log", "Natural logarithm; for positive arguments.")
fabs = _one("fabs", "fabs", "Absolute value, slope 0 at 0.")
floor = _one("floor", "floor", "Largest whole number not above.")
sign = _one("sign", "sign", "−1, 0 or +1.")
sqrt = _one("sqrt", "sqrt", "Square root; infinite slope at 0: prefer signed_root near zero.")


def _plain(value):
    """A NumPy scalar as the Python number it is: floats in, floats out."""
    return value.item() if isinstance(value, np.generic) else value


def atan2(y, x):
    """Angle of the point (x, y) [rad]; undefined at the origin."""
    return ca.atan2(y, x) if symbolic(y, x) else _plain(np.arctan2(y, x))


def fmin(a, b):
    """The smaller of two."""
    return ca.fmin(a, b) if symbolic(a, b) else _plain(np.minimum(a, b))


def fmax(a, b):
    """The larger of two."""
    return ca.fmax(a, b) if symbolic(a, b) else _plain(np.maximum(a, b))


def clip(x, low, high):
    """x, but not below low and not above high."""
    return fmax(low, fmin(x, high))


def where(condition, yes, no):
    """yes where the condition holds, else no; the branch not taken cannot spoil the other."""
    return ca.if_else(condition, yes, no) if symbolic(condition, yes, no) else _plain(np.where(condition, yes, no)[()])


def both(a, b):
    """True where both conditions hold."""
    return ca.logic_and(a, b) if symbolic(a, b) else _plain(np.logical_and(a, b))


def signed_root(x, width):
    """sign(x) √|x| with the finite slope 1/√width at zero: x / (x² + width²)^¼.

    >>> signed_root(4.0, 1e-3)
    1.9999999687500014
    """
    return x / sqrt(sqrt(x * x + width * width))


def positive(x, width):
    """max(x, 0), exactly 0 for x ≤ 0 and exactly x for x ≥ width, with slope 0 at 0.

    >>> positive(-1.0, 0.25), positive(0.125, 0.25), positive(0.5, 0.25)
    (0.0, 0.09375, 0.5)
    """
    y = clip(x, 0.0, width)
    return y * y * (2 * width - y) / (width * width) + fmax(x - width, 0.0)
