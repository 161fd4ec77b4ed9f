"""The peak floating-point rate of one core: what a kernel could at best reach."""

import ctypes
import time

from llvmlite import ir

from oleodyn.program import target
from oleodyn.program.lanes import F64, I64, Lanes

CHAINS = 20
"""Independent chains: enough to hide the latency of a fused multiply-add (4 or 5 cycles, 2 a cycle)."""

TURNS = 200_000


def peak_flops(seconds: float = 0.2) -> float:
    """Floating-point operations per second in fused multiply-adds on full vectors; each counts as two."""
    width = target.vector_width()
    loaded = target.load([target.translate(_multiply_add(width), optimise=True)], ["peak"])
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(loaded.addresses["peak"])
    sink = (ctypes.c_double * width)()
    best, end = float("inf"), time.perf_counter() + seconds
    while best == float("inf") or time.perf_counter() < end:
        begin = time.perf_counter()
        call(sink, TURNS)
        best = min(best, time.perf_counter() - begin)
    return 2 * width * CHAINS * TURNS / best


def _multiply_add(width: int) -> str:
    """LLVM text of `peak(sink, n)`: n turns of x ← a x + b in each chain."""
    m = Lanes("peak", 2, width, ir.VoidType())
    b = m.b
    n = b.ptrtoint(m.function.args[1], I64)
    fma = ir.Function(
        m.module, ir.FunctionType(m.V, [m.V] * 3), f"llvm.fmuladd.{'f64' if width == 1 else f'v{width}f64'}"
    )
    chains = [m.variable(m.V, m.splat(F64(1.0 + k))) for k in range(CHAINS)]
    factor, term = m.splat(F64(0.999)), m.splat(F64(0.5))
    with m.loop(n):
        for chain in chains:
            b.store(b.call(fma, [m.get(chain, m.V), factor, term]), chain)
    total = m.get(chains[0], m.V)
    for chain in chains[1:]:
        total = b.fadd(total, m.get(chain, m.V))
    b.store(total, m.function.args[0], align=8)
    b.ret_void()
    return m.text()
