"""Any CasADi function as machine code, called on arrays of many points."""

import ctypes
import time
from concurrent.futures import ThreadPoolExecutor

import casadi as ca
import numpy as np
from llvmlite import ir

from oleodyn.errors import CompileError
from oleodyn.program import object_code, target
from oleodyn.program.lanes import I64, PTR, Here, Lanes

BLOCK = 4096
"""Points that a thread takes at a time."""


class NativeFunction:
    """Machine code of a CasADi function with dense inputs and outputs.

    Called with one array per input, of shape (n, size) or, where all points share it, (size,); a
    single number may stand for an array of size 1. Gives one array (n, size) per output, columns of
    a matrix one after the other as CasADi has them; (size,) if no input has n rows. One output is
    given alone, several as a tuple. Any number of threads may call it.

    >>> x = ca.SX.sym("x", 2)
    >>> length = NativeFunction(ca.Function("length", [x], [ca.norm_2(x)]))
    >>> length(np.array([[3.0, 4.0], [6.0, 8.0]]))
    array([[ 5.],
           [10.]])
    """

    def __init__(self, f: ca.Function, width: int | None = None):
        self.width = target.vector_width() if width is None else width
        self.name = f.name()
        self.inputs = tuple(f.numel_in(k) for k in range(f.n_in()))
        self.outputs = tuple(f.numel_out(k) for k in range(f.n_out()))
        if not f.is_a("SXFunction"):
            try:
                f = f.expand()
            except RuntimeError as error:
                raise CompileError(f"{self.name} cannot be written in scalar operations: {error}") from error
        self._code = object_code.make(
            {"point": f}, self.width, "map", lambda: _map(self.inputs, self.outputs, self.width)
        )
        rows = sum(self.inputs) + sum(self.outputs) + self._code.scratch
        self._scratch_size = rows * self.width + 8 * (len(self.inputs) + len(self.outputs) + 2)
        self._call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._code.loaded.addresses["map"])

    def __call__(self, *inputs, threads: int = 1):
        """The outputs at each point."""
        arrays, n = self._arrays(inputs)
        points = 1 if n is None else n
        results = [np.empty((points, size)) for size in self.outputs]
        if threads <= 1 or points <= BLOCK:
            self._run(arrays, results, 0, points)
        else:
            with ThreadPoolExecutor(threads) as pool:
                done = [
                    pool.submit(self._run, arrays, results, start, min(start + BLOCK, points))
                    for start in range(0, points, BLOCK)
                ]
                for each in done:
                    each.result()
        if n is None:
            results = [result[0] for result in results]
        return results[0] if len(results) == 1 else tuple(results)

    def time(self, n: int, *inputs) -> float:
        """Seconds that one call for `width` points takes, the mean of n calls on the same inputs (default 0)."""
        arrays, _ = self._arrays(inputs or [np.zeros(size) for size in self.inputs])
        arrays = [array[0] if array.ndim == 2 else array for array in arrays]
        results = [np.empty((1, size)) for size in self.outputs]
        begin = time.perf_counter()
        self._run(arrays, results, 0, n * self.width, keep=False)
        return (time.perf_counter() - begin) / n

    def _arrays(self, inputs) -> tuple[list[np.ndarray], int | None]:
        if len(inputs) != len(self.inputs):
            raise ValueError(f"{self.name} takes {len(self.inputs)} inputs, not {len(inputs)}")
        arrays, n = [], None
        for k, (value, size) in enumerate(zip(inputs, self.inputs, strict=True)):
            array = np.ascontiguousarray(value, dtype=float)
            array = array.reshape(1) if array.ndim == 0 else array
            if array.shape[-1] != size or array.ndim > 2 or (array.ndim == 2 and n not in (None, len(array))):
                raise ValueError(
                    f"{self.name}, input {k}: shape {np.shape(value)} where ({n or 'n'}, {size}) or ({size},) is needed"
                )
            if array.ndim == 2:
                n = len(array)
            arrays.append(array)
        return arrays, n

    def _run(self, arrays, results, start: int, stop: int, keep: bool = True) -> None:
        """Points from start to stop."""
        if start == stop:
            return
        scratch = np.empty(self._scratch_size)
        table = []
        for array in (*arrays, *results):
            moves = array.ndim == 2 and keep
            table += [array.ctypes.data + moves * start * array.strides[0], array.shape[-1] if moves else 0]
        table += [stop - start, scratch.ctypes.data]
        arguments = np.array(table, dtype=np.int64)
        self._call(arguments.ctypes.data)


def _map(inputs: tuple[int, ...], outputs: tuple[int, ...], width: int) -> str:
    """LLVM text of `map(args)`: for each array its pointer and its stride, then n and scratch (i64 each)."""
    m = Lanes("map", 1, width, ir.VoidType())
    b, sizes = m.b, (*inputs, *outputs)
    point = ir.Function(m.module, ir.FunctionType(ir.VoidType(), [PTR] * (len(sizes) + 1)), "point")
    args = m.function.args[0]
    places = [m.element(args, 2 * k, PTR) for k in range(len(sizes))]
    strides = [m.element(args, 2 * k + 1, I64) for k in range(len(sizes))]
    n, free = m.element(args, 2 * len(sizes), I64), m.element(args, 2 * len(sizes) + 1, PTR)
    rows = []
    for size in sizes:
        rows.append(free)
        free = m.at(free, (size * width + 7) // 8 * 8)
    blocks = b.sdiv(b.add(n, I64(width - 1)), I64(width))
    with m.loop(blocks) as (block, _):
        lanes = []
        for lane in range(width):  # lanes beyond the last point repeat it
            index = b.add(b.mul(block, I64(width)), I64(lane))
            last = b.sub(n, I64(1))
            lanes.append(b.select(b.icmp_signed("<", index, last), index, last))
        shifted = [
            [m.at(place, b.mul(lane, stride)) for lane in lanes] for place, stride in zip(places, strides, strict=True)
        ]
        for k, size in enumerate(inputs):
            _transpose(m, size, shifted[k], rows[k], into_lanes=True)
        b.call(point, [*rows, free])
        for k, size in enumerate(outputs, len(inputs)):
            _transpose(m, size, shifted[k], rows[k], into_lanes=False)
    b.ret_void()
    return m.text()


def _transpose(m: Lanes, size: int, points: list[Here], rows: Here, into_lanes: bool) -> None:
    """Copy `size` numbers of each point into rows of lanes, or back."""
    with m.loop(size) as (i, _):
        for lane, place in enumerate(points):
            apart = m.at(place, i)
            together = m.at(rows, m.b.add(m.b.mul(i, I64(m.W)), I64(lane)))
            source, sink = (apart, together) if into_lanes else (together, apart)
            m.b.store(m.get(source, ir.DoubleType()), sink)
