"""What the laws of mechanics keep, the steppers keep to their order."""

import functools

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.machine.machine import Machine
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.rk4 import RK4
from tests.machines import small
from tests.mechanics.random_tree import random_pair

TREES = {1: 2, 2: 3, 3: 4, 4: 6}
"""seed → joints"""


def tumbling(seed):
    """A program of a random tree under gravity, and its random position and speeds."""
    pair = random_pair(seed, TREES[seed])
    machine = Machine("tree")
    machine.add("tree", pair.mechanism)
    program = compile(assemble(machine), RK4(), record=[], account=True)

    def start():
        state = program.start()
        for name, values in (("q", pair.q), ("v", pair.v)):
            state.y[program.kernels.block(name).slice] = values
        return state

    return program, start


@pytest.mark.parametrize("seed", TREES)
def test_energy_of_an_undamped_tree_is_kept_to_order_four(seed, verification):
    program, start = tumbling(seed)

    def drift(dt):
        result = run(program, until=0.4, dt=dt, state=start())
        kinetic = result.values("tree.kinetic.energy")
        total = kinetic + result.values("tree.potential.energy")
        return np.max(np.abs(total - total[0])) / np.max(kinetic)

    coarse, fine = drift(2e-3), drift(1e-3)
    verification(
        "Conservation", f"energy of a random tree of {TREES[seed]} joints, 0.4 s, rk4 at 1 ms", "at the start",
        fine, 1e-9,
    )  # fmt: skip
    assert np.log2(coarse / fine) > 3.8  # energy may be kept to order five


@functools.cache
def drifted():
    """A second of a floating tree."""
    named = [f"{what}_{axis}" for what in ("momentum", "angular_momentum") for axis in "xyz"]
    program = compile(assemble(small.floating_tree()), RK4(), record=named)
    state = program.start()
    assert max(abs(state[card.name]) for card in program.equations.v_signals) <= 2.0
    return run(program, until=1.0, dt=1e-3, state=state)


@pytest.mark.parametrize("name", ["momentum", "angular_momentum"])
def test_momentum_of_a_floating_tree_is_kept(name, verification):
    vector = np.stack([drifted().values(f"tree.{name}_{axis}") for axis in "xyz"])
    change = np.max(np.linalg.norm(vector - vector[:, :1], axis=0)) / np.linalg.norm(vector[:, 0])
    verification(
        "Conservation", f"{name.replace('_', ' ')} of a floating tree without gravity, 1 s, rk4 at 1 ms",
        "at the start", change, 1e-10,
    )  # fmt: skip


@pytest.mark.parametrize("joint", ["base", "ball"])
def test_quaternions_stay_of_unit_length(joint):
    squares = sum(drifted().values(f"tree.{joint}.q_{axis}") ** 2 for axis in "wxyz")
    assert np.max(np.abs(squares - 1)) < 1e-14
