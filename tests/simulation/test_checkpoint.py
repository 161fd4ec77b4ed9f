"""A state on disk: whole, checked, and good to go on from bit for bit."""

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import DataError
from oleodyn.program.compile import compile
from oleodyn.simulation.checkpoint import load_state, save_state
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.simulation.wave import Sine
from tests.machines import small

MOVED = {"pump.u": Sine(amplitude=0.5, frequency=9.0), "weight.F": Steps(times=[0.0, 0.013], values=[-12e3, -9e3])}


def program(machine, name="rk4"):
    return compile(assemble(machine), stepper_named(name))


def resumed(made, state, path):
    save_state(state, path)
    found = load_state(made, path)
    assert found == state
    return found


@pytest.mark.parametrize("name", STEPPERS)
@pytest.mark.parametrize("stop", [0.01, 0.013], ids=["amid", "where an input jumps"])
def test_a_run_with_moving_inputs_goes_on_bit_for_bit(name, stop, tmp_path):
    made, how = program(small.oil_spring(), name), dict(dt=1e-4, inputs=MOVED, every=1)
    whole = run(made, until=0.03, **how)
    state = made.start()
    run(made, until=stop, state=state, **how)
    rest = run(made, until=0.03, state=resumed(made, state, tmp_path / "state.npz"), **how)
    since = np.searchsorted(whole.time, stop - 1e-9)
    assert np.array_equal(rest.table, whole.table[since:]) and np.array_equal(rest.time, whole.time[since:])


@pytest.mark.parametrize("name", ["rk4", "ab3", "hht"])
@pytest.mark.parametrize("steps", [33, 34, 67], ids=["just before a sample", "just after it", "later"])
def test_a_run_with_a_controller_goes_on_bit_for_bit(name, steps, tmp_path):
    made, how = program(small.spun(), name), dict(dt=3e-4, inputs={"motor.tau": Sine(w=20.0)}, every=1)
    whole = run(made, until=150 * 3e-4, **how)
    state = made.start()
    run(made, until=steps * 3e-4, state=state, **how)
    rest = run(made, until=150 * 3e-4, state=resumed(made, state, tmp_path / "state.npz"), **how)
    assert np.array_equal(rest.table, whole.table[steps:])


def test_a_state_of_another_machine_or_stepper_is_refused(tmp_path):
    save_state(program(small.heater()).start(), tmp_path / "state.npz")
    for other in (program(small.heater(), "hht"), program(small.explosive())):
        with pytest.raises(DataError, match=r"was written for another machine or stepper\. Resume with"):
            load_state(other, tmp_path / "state.npz")


@pytest.mark.parametrize("spoil", [lambda data: data[:200], lambda data: b"", lambda data: b"PK" + data[7:]])
def test_a_damaged_file_is_refused(spoil, tmp_path):
    made, path = program(small.heater()), tmp_path / "state.npz"
    save_state(made.start(), path)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(DataError, match=r"state\.npz is no checkpoint of ours, or a broken one"):
        load_state(made, path)


def test_an_absent_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.npz: there is no such checkpoint"):
        load_state(program(small.heater()), tmp_path / "nowhere.npz")


def test_a_copy_is_equal_and_goes_its_own_way():
    made = program(small.heater())
    state = made.start(**{"tank.u": 840.0})
    twin = state.copy()
    assert twin == state
    made.step(state, 0.1)
    assert twin != state
    made.step(twin, 0.1)
    assert twin == state


def test_a_state_goes_from_a_program_with_an_energy_account_to_one_without_and_back(tmp_path):
    kept = program(small.oil_spring())
    bare = compile(assemble(small.oil_spring()), stepper_named("rk4"), account=False)
    state = kept.start()
    run(kept, until=0.01, dt=1e-4, state=state)
    save_state(state, tmp_path / "kept.npz")
    lean = load_state(bare, tmp_path / "kept.npz")
    assert {name: lean[name] for name in bare.places} == {name: state[name] for name in bare.places}
    save_state(lean, tmp_path / "lean.npz")
    back = load_state(kept, tmp_path / "lean.npz")
    account = kept.kernels.block("E").slice
    assert not back.y[account].any() and np.array_equal(np.delete(back.y, account), np.delete(state.y, account))
