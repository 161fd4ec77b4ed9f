"""The machine code of a program: its kernels and the loop that runs them."""

import ctypes
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import casadi as ca
import numpy as np

from oleodyn.errors import CompileError
from oleodyn.program import drivers, object_code, target

FIRST_INPUTS = ("y", "p", "u", "c")


class Call(functools.partial[int]):
    """A prepared call, which keeps alive what it points to."""

    keeps: object


@dataclass(frozen=True, eq=False)
class Arguments:
    """What one call of `run` works on, see `drivers`. Keeps its arrays alive; not for two threads at once.

    info          counters of the last run, see drivers.INFO
    lane_status   why each lane is frozen, 0 while it lives
    lane_step     the plan entry in which each lane failed
    stop          set stop[0] = 1 from another thread to end the run
    """

    table: np.ndarray
    arrays: Mapping[str, np.ndarray]
    info: np.ndarray
    lane_status: np.ndarray
    lane_step: np.ndarray
    stop: np.ndarray


@dataclass(frozen=True, eq=False)
class Native:
    """Machine code for `width` simulations side by side; element i of lane l at [i * width + l].

    inputs         numbers of each simulation that a kernel takes: y, p, u at all stages, c
    kernels        numbers that each kernel gives, output by output
    scratch_size   doubles of scratch that `run` and every kernel need
    """

    width: int
    sizes: drivers.Sizes
    inputs: tuple[int, ...]
    kernels: Mapping[str, tuple[int, ...]]
    scratch_size: int
    loaded: target.Loaded = field(repr=False)

    def arguments(
        self,
        *,
        y: np.ndarray,
        p: np.ndarray,
        u: np.ndarray,
        u_stride: int,
        t: np.ndarray,
        h: np.ndarray,
        flags: np.ndarray,
        n: int,
        rec: np.ndarray | None = None,
        max_iterations: int = 0,
        max_inner: int = 0,
        accept: float = 10.0,
    ) -> Arguments:
        """Bind arrays to a run: y is advanced in place, recorded rows go to rec."""
        W = self.width
        arrays = {
            "y": y, "p": p, "u": u, "t": t, "h": h, "flags": flags, "rec": np.zeros(0) if rec is None else rec,
            "info": np.zeros(16, np.int64), "lane_status": np.zeros(W, np.int64),
            "settings": np.array([max_iterations, max_inner, accept, drivers.BAD_LIMIT, 0, 0, 0, 0], float),
            "scratch": np.zeros(self.scratch_size), "lane_step": np.zeros(W, np.int64), "stop": np.zeros(1, np.int32),
        }  # fmt: skip
        n_y, n_p, n_u, _ = self.inputs
        room = {"y": n_y * W, "p": n_p * W, "u": n_u * W + u_stride * max(n - 1, 0), "t": n, "h": n, "flags": n}
        for name, array in arrays.items():
            _fits(name, array, room.get(name, 0))
        numbers = {"u_stride": u_stride, "n": n}
        table = [numbers[a] if a in numbers else arrays[a].ctypes.data for a in drivers.ARGS]
        own = (arrays[name] for name in ("info", "lane_status", "lane_step", "stop"))
        return Arguments(np.array(table, dtype=np.int64), arrays, *own)

    def runner(self, arguments: Arguments) -> Callable[[], int]:
        """A call of `run` with these arguments: gives the number of entries completed; releases the GIL."""
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self.loaded.addresses["run"])
        call = Call(function, arguments.table.ctypes.data)
        call.keeps = (self, arguments)
        return call

    def run(self, arguments: Arguments) -> int:
        """Work through the plan: the number of entries completed."""
        return self.runner(arguments)()

    def call(self, kernel: str, *inputs: np.ndarray) -> np.ndarray:
        """The first output of one kernel."""
        for name, array, size in zip(FIRST_INPUTS, inputs, self.inputs, strict=False):
            if np.size(array) != size * self.width:
                raise ValueError(f"{kernel}: {name} has {np.size(array)} numbers where {size * self.width} are needed")
        outputs = [np.zeros(n * self.width) for n in self.kernels[kernel]]
        arrays = [np.ascontiguousarray(x, dtype=float) for x in inputs] + outputs + [np.zeros(self.scratch_size)]
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))(self.loaded.addresses[kernel])
        function(*(x.ctypes.data for x in arrays))
        return outputs[0]


def build(kernels: Mapping[str, ca.Function], *, n_y: int, n_p: int, n_u: int, n_stage: int, width: int = 1) -> Native:
    """Machine code of the kernels of a stepper (see oleodyn.program.kernels) and of the loop that runs them."""
    inputs = (n_y, n_p, n_u * n_stage, 2)
    w = kernels["predict"].numel_out(0) if "predict" in kernels else 0
    out = kernels["observe"].numel_out(0) if "observe" in kernels else 0
    sizes = drivers.Sizes(n_y, w, out)
    _check(kernels, inputs, sizes)
    arguments = {name: f.n_in() + f.n_out() + 1 for name, f in kernels.items()}
    code = object_code.make(kernels, width, "run", lambda: drivers.driver(arguments, sizes, width), quick=("start",))
    sizes = replace(sizes, scratch=code.scratch)
    outputs = {name: _outputs(f) for name, f in kernels.items()}
    return Native(width, sizes, inputs, outputs, sizes.total_scratch(width), code.loaded)


def _outputs(f: ca.Function) -> tuple[int, ...]:
    return tuple(f.numel_out(k) for k in range(f.n_out()))


def _fits(name: str, array: np.ndarray, size: int):
    """Refuse an array that machine code would misread."""
    kind = {"flags": np.int64, "lane_status": np.int64, "lane_step": np.int64, "info": np.int64, "stop": np.int32}
    right = np.dtype(kind.get(name, np.float64))
    if not array.flags.c_contiguous or array.dtype != right or array.size < size:
        raise ValueError(
            f"{name} has {array.size} numbers of {array.dtype} where {size} of {right} are needed, in a row"
        )


def _check(kernels: Mapping[str, ca.Function], inputs: tuple[int, ...], sizes: drivers.Sizes):
    """Refuse kernels that do not fit the loop."""
    newton = {"predict", "iterate", "finish"} & kernels.keys()
    if ("step" in kernels) == bool(newton) or (newton and len(newton) < 3):
        raise CompileError(f"kernels {', '.join(kernels)}: needs either step, or predict, iterate and finish.")
    gives = {
        "step": (sizes.y, 2), "finish": (sizes.y, 2), "predict": (sizes.w,), "iterate": (sizes.w, 2),
        "inner": (sizes.w, 2), "observe": (sizes.out,),
    }  # fmt: skip
    for name, f in kernels.items():
        takes = (*inputs, sizes.w) if name in ("iterate", "inner", "finish") else inputs
        found = tuple(f.numel_in(k) for k in range(f.n_in()))
        if found != takes:
            raise CompileError(f"kernel {name} takes {found} numbers; the loop gives it {takes}.")
        wanted = gives.get(name, (sizes.y,))
        if _outputs(f) != wanted:
            raise CompileError(f"kernel {name} gives {_outputs(f)} numbers; the loop wants {wanted}.")
