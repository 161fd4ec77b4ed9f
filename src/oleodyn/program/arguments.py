"""Arguments: one call of the machine-code loop, laid out in memory."""

import ctypes
from typing import Any

import numpy as np

from oleodyn.program.drivers import ARGS, INFO
from oleodyn.program.kernels import Kernels
from oleodyn.program.native import Native, aligned

ACCEPT = 10.0
"""A Newton step at its cap counts as accepted within so many tolerances."""

BAD_LIMIT = 1e-6
"""Largest backward error of a linear solve that is still a solution."""


class Arguments:
    """The array of pointers and counts that `run` reads; keeps every array alive.

    Made once for a state, then only changed: `set` exchanges arrays, `run()` calls.
    """

    def __init__(self, native: Native, kernels: Kernels, **arrays: Any):
        self.native = native
        width = native.width
        self.info = np.zeros(16, dtype=np.int64)
        settings = np.array([kernels.max_iterations, kernels.max_inner, ACCEPT, BAD_LIMIT, 0, 0, 0, 0], dtype=float)
        self.arrays: dict[str, Any] = {
            "info": self.info,
            "lane_status": np.zeros(width, dtype=np.int64),
            "lane_step": np.zeros(width, dtype=np.int64),
            "settings": settings,
            "scratch": aligned(native.scratch_size),
            "stop": np.zeros(2, dtype=np.int32),
            "rec": np.zeros(0),
        }
        self.words = np.zeros(len(ARGS), dtype=np.int64)
        self._address = ctypes.c_void_p(self.words.ctypes.data)
        self._function = native.call
        self.set(**self.arrays, **arrays)

    def set(self, **arrays: Any) -> None:
        """Point to other arrays, or give other counts (u_stride, n)."""
        for name, value in arrays.items():
            self.arrays[name] = value
            self.words[ARGS.index(name)] = value if isinstance(value, int) else value.ctypes.data

    def run(self) -> int:
        """Work through the plan; returns the entries completed."""
        return self._function(self._address)

    @property
    def status(self) -> int:
        """Why the run ended early, 0 if it did not."""
        return int(self.info[INFO.index("status")])


def call(native: Native, name: str, outputs: int, *arrays: np.ndarray) -> np.ndarray:
    """The (single) output of one kernel at width 1."""
    out, scratch = np.zeros(outputs), aligned(native.scratch_size)
    pointers = [array.ctypes.data for array in (*arrays, out, scratch)]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(pointers))(native.kernels[name])(*pointers)
    return out
