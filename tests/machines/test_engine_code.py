"""The machine code computes what CasADi's own evaluator computes, at every width, and always the same bits."""

import ctypes
import functools

import numpy as np
import pytest

from oleodyn.catalogue.shelf import load
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.program.compile import compile
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.checkpoint import load_state, save_state
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import stepper_named
from tests.machines import small

PAIRS = [
    ("heater", "ab3"), ("double-pendulum", "ab3"), ("oil-spring", "hht-partitioned"), ("lift", "trapezoidal"),
    ("lift", "hht"), ("spun", "trapezoidal"), ("floating-tree", "rk4"), ("rigid-arm", "trapezoidal"),
    ("flyball-governor", "rk4"), ("pipe-cutter", "hht"), ("pipe-cutter", "hht-partitioned"), ("hydm", "rk4"),
    ("valve-bench", "trapezoidal"),
]  # fmt: skip
LINKAGES = [
    ("four-bar", "trapezoidal", AugmentedLagrangian(alpha=1e3)), ("four-bar-friction", "hht", CoordinatePartitioning()),
    ("quick-return", "trapezoidal", CoordinatePartitioning()), ("quick-return", "rk4", Penalty(alpha=1e3)),
    ("loader-crane", "hht", CoordinatePartitioning()), ("bricard", "trapezoidal", CoordinatePartitioning()),
]  # fmt: skip
"""With the usual α the sum M + α Φ_qᵀ Φ_q keeps seven digits of M, whoever evaluates it."""
WIDTHS = (1, 2, 4, 8)
POINTS = 16


@functools.cache
def program(machine, stepper, loops=None):
    made = small.MACHINES[machine]() if machine in small.MACHINES else load(machine)
    return compile(assemble(made, loops=loops), stepper_named(stepper))


def called(native, kernel, inputs):
    """All outputs of a kernel in machine code; rows are points, taken `width` at a time."""
    W, sizes = native.width, native.kernels[kernel]
    outputs = [np.empty((POINTS, n)) for n in sizes]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(inputs) + len(sizes) + 1))(
        native.loaded.addresses[kernel]
    )
    for start in range(0, POINTS, W):
        given = [np.ascontiguousarray(array[start : start + W].T) for array in inputs]
        taken = [np.empty((n, W)) for n in sizes]
        arrays = [*given, *taken, np.empty(native.scratch_size)]
        function(*(array.ctypes.data for array in arrays))
        for whole, part in zip(outputs, taken, strict=True):
            whole[start : start + W] = part.T
    return outputs


def points(program):
    """Random numbers around the start: y, p, u and c of POINTS simulations."""
    chance, kernels, e = np.random.default_rng(7), program.kernels, program.equations
    state = program.start()
    sizes = np.zeros(kernels.size)
    for name in "qvxz":
        sizes[kernels.block(name).slice] = [card.nominal for card in getattr(e, f"{name}_signals")]
    y = state.y + 0.05 * sizes * chance.normal(size=(POINTS, kernels.size))
    u = state.u + 0.3 * chance.normal(size=(POINTS, len(state.u)))
    c = np.stack([chance.uniform(0, 5, POINTS), chance.uniform(1e-4, 1e-3, POINTS)], axis=1)
    p = np.tile(state.p, (POINTS, 1))
    y = evaluated(kernels.functions["start"], [y, p, u, c])[0]  # a stepper's memory that fits
    return [y, p, u, c]


def evaluated(function, inputs):
    """All outputs of a kernel by CasADi."""
    columns = function(*(array.T for array in inputs))
    columns = columns if isinstance(columns, (tuple, list)) else [columns]
    return [np.array(column).T for column in columns]


def scales(function, inputs, exact):
    """What a rounding is measured by: the size of each output, or how inputs changed by their own size move it."""
    chance, share = np.random.default_rng(11), 1e-7
    found = [np.abs(values) for values in exact]
    for _ in range(3):
        moved = evaluated(function, [array * (1 + share * chance.choice([-1, 1], array.shape)) for array in inputs])
        found = [
            np.maximum(size, np.abs(there - here) / share)
            for size, there, here in zip(found, moved, exact, strict=True)
        ]
    return [np.max(size, axis=0) for size in found]


def measured_by(made, kernel, function, given, exact):
    """`scales`, with a measure for what is zero by nature."""
    sizes = scales(function, given, exact)
    if function.n_out() == 2:
        sizes[1] = np.maximum(sizes[1], 1.0)  # health and norm are compared with one
    if kernel == "observe":
        units = np.array([card.unit for card in made.signals])
        for unit in set(units):  # a moment about a free axis is the sum of others
            like = units == unit
            sizes[0][like] = np.where(sizes[0][like] < 1e-6 * max(sizes[0][like]), max(sizes[0][like]), sizes[0][like])
    return sizes


@pytest.mark.parametrize(
    ("machine", "stepper", "loops"),
    [*((*pair, None) for pair in PAIRS), *LINKAGES],
    ids=lambda how: getattr(how, "name", how),
)
def test_every_kernel_agrees_with_casadi_at_every_width(machine, stepper, loops, verification):
    made = program(machine, stepper, loops)
    inputs, functions, worst = points(made), made.kernels.functions, 0.0
    newton = [*inputs, evaluated(functions["predict"], inputs)[0]] if "predict" in functions else None
    for kernel, function in functions.items():
        given = newton if function.n_in() == 5 else inputs
        exact = evaluated(function, given)
        sizes = measured_by(made, kernel, function, given, exact)
        for width in WIDTHS:
            for mine, theirs, size in zip(called(made.native(width), kernel, given), exact, sizes, strict=True):
                off = np.abs(mine - theirs)
                assert np.all(off[:, size == 0.0] == 0.0)
                worst = max(worst, np.max(off[:, size > 0.0] / size[size > 0.0], initial=0.0))
    what = stepper if loops is None else f"{stepper} and {loops.name}"
    verification(
        "Machine code", f"all kernels of {machine} with {what}, widths 1, 2, 4, 8", "CasADi's evaluator", worst, 1e-12
    )


DRIVEN = {"pump.u": lambda t: np.sin(9 * t), "weight.F": -12e3}


@pytest.fixture(scope="module")
def pumped():
    return program("oil-spring", "hht-partitioned")


def tables_alike(one, other):
    return np.array_equal(one.table, other.table) and np.array_equal(one.time, other.time)


def test_a_run_repeats_bit_for_bit(pumped):
    one, other = (run(pumped, until=0.1, dt=1e-4, inputs=DRIVEN) for _ in range(2))
    assert tables_alike(one, other)


@pytest.mark.parametrize(("machine", "stepper"), [("oil-spring", "hht-partitioned"), ("lift", "trapezoidal")])
def test_one_and_two_threads_give_the_same_bits(machine, stepper):
    made, start = program(machine, stepper), np.linspace(0.2, 0.3, 13)

    def table(threads):
        batch = Batch(made, 13, width=4, threads=threads)
        batch["load.rod.v"] = start
        return batch.run(until=0.02, dt=1e-4).table

    assert np.array_equal(table(1), table(2))


@pytest.mark.parametrize(
    ("machine", "stepper"), [("double-pendulum", "ab3"), ("lift", "trapezoidal"), ("spun", "trapezoidal")]
)
def test_a_run_goes_on_from_a_saved_state_bit_for_bit(machine, stepper, tmp_path):
    made, dt = program(machine, stepper), 3e-4
    whole = run(made, until=400 * dt, dt=dt, every=1)
    state = made.start()
    first = run(made, until=150 * dt, dt=dt, every=1, state=state)
    save_state(state, tmp_path / "state.npz")
    rest = run(made, until=400 * dt, dt=dt, every=1, state=load_state(made, tmp_path / "state.npz"))
    assert np.array_equal(first.table, whole.table[:151])
    assert np.array_equal(rest.table, whole.table[150:])
    assert np.array_equal(rest.time, whole.time[150:])
