"""Machine code from CasADi functions: the run loop of a program, or any function on arrays."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from oleodyn.errors import CompileError
from oleodyn.program import drivers, llvm, target, vector_maths


@dataclass(frozen=True)
class Native:
    """The machine code of a program at one width.

    run            address of `run`, see `drivers`
    kernels        address of each kernel: void(inputs..., outputs..., scratch), pointers to double
    scratch_size   doubles of scratch that `run` and every kernel need
    """

    run: int
    kernels: Mapping[str, int]
    width: int
    sizes: drivers.Sizes
    scratch_size: int
    loaded: target.Loaded

    @property
    def call(self):
        """`run` as a ctypes function: takes the address of the array of arguments; releases the GIL."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self.run)


def build(kernels: Mapping[str, ca.Function], width: int = 1) -> Native:
    """Compile the kernels of a stepper and the loop that runs them."""
    _check(kernels)
    lowered = {name: llvm.lower(f, width, name) for name, f in kernels.items()}
    sizes = _sizes(kernels, max(k.scratch for k in lowered.values()))
    called = frozenset().union(*(k.called for k in lowered.values()))
    counts = {name: f.n_in() + f.n_out() + 1 for name, f in kernels.items()}
    texts = [k.text for k in lowered.values()]
    texts += [llvm.declarations(called, width), vector_maths.definitions(called, width)]
    texts.append(drivers.driver(counts, sizes, width))
    code = target.translate("\n".join(texts))
    library = [name for name in called if not name.startswith("llvm.")]
    loaded = target.load([code], ["run", *kernels], library)
    addresses = {name: loaded.addresses[name] for name in kernels}
    return Native(loaded.addresses["run"], addresses, width, sizes, sizes.total_scratch(width), loaded)


def _check(kernels: Mapping[str, ca.Function]):
    """Refuse kernels that do not fit the loop."""
    newton = {"predict", "iterate", "finish"} & kernels.keys()
    if ("step" in kernels) == bool(newton) or (newton and len(newton) < 3):
        raise CompileError(f"kernels {', '.join(kernels)}: a loop needs either step, or predict, iterate and finish.")
    first = next(iter(kernels.values()))
    for name, f in kernels.items():
        for k in range(4):
            n, expected = f.numel_in(k), first.numel_in(k)
            if n != expected:
                raise CompileError(f"kernel {name}: input {k} has {n} numbers, that of {first.name()} has {expected}.")


def _sizes(kernels: Mapping[str, ca.Function], scratch: int) -> drivers.Sizes:
    first = next(iter(kernels.values()))
    w = kernels["predict"].numel_out(0) if "predict" in kernels else 0
    out = kernels["observe"].numel_out(0) if "observe" in kernels else 0
    return drivers.Sizes(first.numel_in(0), first.numel_in(1), first.numel_in(2), w, out, scratch)


def aligned(n: int, dtype=np.float64) -> np.ndarray:
    """An array of n zeros that starts on a cache line."""
    size = np.dtype(dtype).itemsize
    raw = np.zeros(n + 64 // size, dtype)
    start = (-raw.ctypes.data) % 64 // size
    return raw[start : start + n]
