"""Plans: when steps begin, how long they are, what happens before them."""

import numpy as np
import pytest

from oleodyn.program.drivers import JUMP, RECORD, SAMPLE
from oleodyn.simulation.plan import Planner

NONE = np.empty(0)


def planned(shares, until=0.05, dt=3e-4, periods=(0.01, 0.007), jumps=NONE, every=1, multistep=True):
    """t, end, h, flags of a whole run, cut into plans of these numbers of steps."""
    planner = Planner(0.0, dt, until, every, periods, multistep)
    k, samples, plans = 0, np.zeros(len(periods), dtype=np.int64), []
    for n in (*shares, 10**6):
        if k < planner.last:
            a, b = planner.window(k, n)
            plans.append(planner.cut(k, n, samples, jumps[(jumps >= a) & (jumps <= b)], NONE))
            k, samples = plans[-1].k, plans[-1].samples
    return [np.concatenate([getattr(plan, name) for plan in plans]) for name in ("t", "end", "h", "flags")]


@pytest.mark.parametrize("shares", [(1, 2, 3), (33, 1), (50, 50), tuple([1] * 200)], ids=str)
def test_a_run_is_the_same_however_it_is_shared_out(shares):
    jumps = np.array([0.0099, 0.01, 0.0123, 0.021])  # 0.0099 and 0.021 are grid points but for rounding
    for whole, shared in zip(planned((), jumps=jumps), planned(shares, jumps=jumps), strict=True):
        assert np.array_equal(whole, shared)


def test_a_whole_step_has_its_size_to_the_last_bit():
    t, end, h, _ = planned((7, 9))
    whole = np.abs(end - t - 3e-4) < 1e-12
    assert np.all(h[whole] == 3e-4) and np.all(h[~whole] < 3e-4)
    assert np.array_equal(end[:-1], t[1:])


def test_sample_instants_are_multiples_of_the_period():
    t, _, _, flags = planned((11,))
    for j, period in enumerate((0.01, 0.007)):
        fired = t[(flags & (SAMPLE << j)) > 0]
        assert np.array_equal(fired, np.arange(len(fired)) * period)
        assert len(fired) == np.ceil(0.05 / period)  # the instant at the end itself is the next run's


def test_an_edge_a_rounding_away_from_the_grid_is_on_it():
    t, end, _, flags = planned((), until=0.6, dt=0.1, periods=(), jumps=np.array([0.3]), multistep=False)
    assert 3 * 0.1 != 0.3
    assert len(t) == 6 and t[3] == end[2] == 0.3 and flags[3] & JUMP


def test_the_last_step_ends_at_the_end():
    t, end, h, _ = planned((), until=0.05, dt=0.03, periods=())
    assert t.tolist() == [0.0, 0.03] and end[-1] == 0.05 and h[-1] == pytest.approx(0.02)


def test_a_stepper_with_a_past_is_told_of_every_change_of_size():
    _, _, h, flags = planned((), periods=(0.01,))
    changed = np.flatnonzero(np.abs(np.diff(h)) > 1e-12) + 1
    assert np.flatnonzero(flags & JUMP).tolist() == [0, *changed]


def test_every_so_many_whole_steps_are_recorded_whatever_happens_in_between():
    t, _, _, flags = planned((8,), every=5)
    assert t[(flags & RECORD) > 0] == pytest.approx(np.arange(0, 167, 5) * 3e-4, abs=1e-15)
