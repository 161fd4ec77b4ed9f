"""A batch does what single runs do, side by side; what fails stops alone."""

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.errors import DataError
from oleodyn.program.compile import compile
from oleodyn.program.failure import GUARD, OK
from oleodyn.simulation.batch import Batch
from oleodyn.simulation.path import Steps
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.simulation.wave import Sine
from tests.machines import small

CARDS = ("q", "v", "x", "z")


def program(machine, name="rk4", **how):
    return compile(assemble(machine, **how), stepper_named(name))


def alike(batched, single, made):
    """The largest difference of a state, in units of its largest size in the run."""
    names = [card.name for which in CARDS for card in getattr(made.equations, f"{which}_signals")]
    off = [
        np.max(np.abs(batched.values(name) - single.values(name))) / max(np.max(np.abs(single.values(name))), 1e-12)
        for name in names
    ]
    return max(off)


@pytest.mark.parametrize("name", STEPPERS)
def test_each_simulation_of_a_batch_is_a_run_of_its_own(name):
    made, speeds = program(small.oil_spring(), name), np.array([-0.1, 0.0, 0.05, 0.2, 0.3])
    inputs = {
        "pump.u": Sine(amplitude=0.4, frequency=20.0),
        "weight.F": Steps(times=[0.0, 0.00505], values=[-12e3, -8e3]),
    }
    how = dict(until=0.01, dt=1e-4, inputs=inputs, every=1)
    batch = Batch(made, 5, width=4, threads=2)
    batch["load.rod.v"] = speeds
    together = batch.run(**how)
    assert len(together) == 5
    for i, v in enumerate(speeds):
        alone = run(made, state=made.start(**{"load.rod.v": v}), **how)
        assert np.array_equal(together[i].time, alone.time)
        assert alike(together[i], alone, made) < 1e-10  # 1e-12 of rounding a step, over 100 steps


@pytest.mark.parametrize("width", [1, 2, 8])
def test_controllers_in_a_batch_act_on_time(width):
    made = program(small.spun())
    batch = Batch(made, 3, width=width)
    batch["arm.hinge.q"] = [0.1, 0.2, 0.3]
    together = batch.run(until=0.05, dt=3e-4, every=1)
    alone = run(made, until=0.05, dt=3e-4, every=1)  # starts at 0.3
    for name in ("clock.acted", "clock.count"):
        assert np.array_equal(together.values(name), np.repeat(alone.values(name)[:, None], 3, axis=1))
    seen = together.values("clock.seen")
    assert seen[:, 2] == pytest.approx(alone.values("clock.seen"), rel=1e-13)
    assert seen[:, 0] == pytest.approx(seen[:, 2] / 3, rel=1e-12)  # the spring is linear


def test_tunables_and_inputs_differ_from_lane_to_lane():
    made = program(small.heater(), tunable=["tank.k"])
    batch = Batch(made, 6, width=4)
    k, u = np.linspace(6.0, 24.0, 6), np.linspace(100.0, 800.0, 6)
    batch["tank.k"], batch["tank.u"] = k, u
    result = batch.run(until=3.0, dt=0.05)
    assert result.values("tank.temp")[-1] == pytest.approx(u / k * -np.expm1(-k / 60.0 * 3.0), rel=1e-8)


def test_a_failed_simulation_is_frozen_and_reported_while_others_go_on():
    made = program(small.explosive(limit=10.0))
    batch = Batch(made, 6, width=4, threads=2)
    batch["bomb.x"] = [0.5, 1.0, -1.0, 2.0, 0.0, 5.0]  # x = 1 / (1/x_0 − t) passes 10 at t = 1/x_0 − 0.1
    result = batch.run(until=1.5, dt=0.01, every=1)
    assert result.status.tolist() == [OK, GUARD, OK, GUARD, OK, GUARD]
    x = result.values("bomb.x")
    assert x[-1, [0, 2, 4]] == pytest.approx([1 / 0.5, -1 / 2.5, 0.0], rel=1e-6)
    for lane, passed in ((1, 0.9), (3, 0.4), (5, 0.1)):
        told = np.isfinite(x[:, lane])
        assert result.time[told][-1] == pytest.approx(passed, abs=0.0101)
        assert np.all(told[: told.sum()]) and np.all(x[told, lane] < 10.0)
        assert batch["bomb.x"][lane] == x[told, lane][-1]  # bit for bit where it stopped


def test_a_frozen_simulation_stays_frozen_in_the_next_run():
    batch = Batch(program(small.explosive(limit=10.0)), 2, width=2)
    batch["bomb.x"] = [5.0, 0.1]
    batch.run(until=0.2, dt=0.01)
    kept = batch["bomb.x"][0]
    result = batch.run(until=0.4, dt=0.01)
    assert batch["bomb.x"][0] == kept and np.all(np.isnan(result.values("bomb.x")[:, 0]))
    assert batch["bomb.x"][1] == pytest.approx(1 / (10 - 0.4), rel=1e-9)


@pytest.mark.parametrize("name", STEPPERS)
def test_a_batch_goes_on_where_it_stopped(name):
    made, inputs = program(small.oil_spring(), name), {"pump.u": Sine(amplitude=0.4, frequency=20.0)}
    whole, halves = (Batch(made, 2, width=2) for _ in range(2))
    whole.run(until=0.02, dt=1e-4, inputs=inputs)
    halves.run(until=0.01, dt=1e-4, inputs=inputs)
    halves.run(until=0.02, dt=1e-4, inputs=inputs)
    for card in made.equations.x_signals:
        assert halves[card.name] == pytest.approx(whole[card.name], rel=1e-12)


def test_a_batch_records_what_it_is_asked_for():
    batch = Batch(program(small.heater()), 3, width=2)
    result = batch.run(until=1.0, dt=0.1, every=5, record=["temp"])
    assert [card.name for card in result.signals] == ["tank.temp"] and result.time.tolist() == [0.0, 0.5, 1.0]
    assert result.table.shape == (3, 1, 3)


def test_what_does_not_fit_is_refused():
    batch = Batch(program(small.heater()), 3, width=2)
    with pytest.raises(DataError, match=r"tank\.temp: give one number or 3, not \(2,\)"):
        batch["tank.temp"] = [1.0, 2.0]
    with pytest.raises(DataError, match=r"no state, input or tunable 'tank\.tem'; did you mean 'tank\.temp'"):
        batch["tank.tem"] = 1.0
    with pytest.raises(DataError, match=r"a batch of 0: must have at least one"):
        Batch(batch.program, 0)
    with pytest.raises(DataError, match=r"dt = 0 s must be above 0"):
        batch.run(until=1.0, dt=0.0)


@pytest.mark.parametrize("width", [2, 4, 8])
@pytest.mark.parametrize("name", ["ab3", "trapezoidal", "hht"])
def test_a_batch_kept_on_disk_goes_on_bit_for_bit(name, width, tmp_path):
    made, how = program(small.oil_spring(), name), dict(dt=1e-4, inputs={"pump.u": Sine(amplitude=0.4, frequency=20.0)})
    batch = Batch(made, 5, width=width)
    batch["load.rod.v"] = np.linspace(-0.01, 0.01, 5)
    batch.run(until=0.01, **how)
    batch.save(tmp_path / "batch.npz")
    again = Batch.load(made, tmp_path / "batch.npz", width=width)
    assert np.array_equal(batch.run(until=0.02, **how).table, again.run(until=0.02, **how).table)


def test_a_batch_of_another_width_is_refused(tmp_path):
    made = program(small.heater())
    Batch(made, 3, width=2).save(tmp_path / "batch.npz")
    with pytest.raises(DataError, match=r"was written for another machine or stepper"):
        Batch.load(made, tmp_path / "batch.npz", width=4)


def test_why_simulations_stopped_is_told_in_words():
    batch = Batch(program(small.explosive(limit=10.0)), 3, width=2)
    batch["bomb.x"] = [5.0, 0.1, 6.0]
    assert batch.run(until=0.3, dt=0.01).reasons() == {0: "a guard is violated", 2: "a guard is violated"}
