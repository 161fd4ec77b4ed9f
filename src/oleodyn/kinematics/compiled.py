"""CasADi functions of kinematics as machine code."""

from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.program.native_function import NativeFunction

CSE = {"cse": True}
"""How a function is made: what occurs twice is computed once."""


@lru_cache(maxsize=256)
def native(function: ca.Function) -> NativeFunction:
    """The machine code of a function, made once (and kept on disk)."""
    return NativeFunction(function)


def mapped(function: ca.Function, *rows: Any, threads: int = 1) -> list[np.ndarray]:
    """A function of columns, applied to each row of arrays (size, n); an array (n,) serves all rows."""
    code = native(function)
    if any(np.ndim(x) == 2 and not len(x) for x in rows):
        return [np.empty((0, size)) for size in code.outputs]
    answers = code(*rows, threads=threads)
    return list(answers) if isinstance(answers, tuple) else [answers]
