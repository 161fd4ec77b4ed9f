import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oleodyn.errors import DataError
from oleodyn.result.energy import EnergyAccount

JOULES = st.floats(-1e6, 1e6)


def a_pendulum(n=101, leak=0.0):
    """Swings without loss: kinetic and potential energy take turns; `leak` is unaccounted."""
    t = np.linspace(0.0, 1.0, n)
    kinetic, potential = 5.0 * np.sin(2 * np.pi * t) ** 2, 8.0 - 5.0 * np.sin(2 * np.pi * t) ** 2 + leak * t
    history = {"kinetic": kinetic, "potential": potential}
    ends = {name: (float(y[0]), float(y[-1])) for name, y in history.items()}
    return EnergyAccount.of({}, ends, time=t, history=history)


def test_work_in_is_stored_lost_and_left_over():
    account = EnergyAccount.of(
        {"pump": ("supplied", 100.0), "hand": ("supplied", -20.0), "valve": ("lost", 45.0), "oil": ("stored", 4.0)},
        {"load": (12.0, 40.0)},
    )
    assert (account.supplied, account.lost, account.stored) == (80.0, 45.0, 32.0)
    assert account.residual == pytest.approx(3.0, rel=1e-14)
    assert account.throughput == 100.0  # the pump gave it, hand, valve, oil, load and the residual got it
    assert account.relative == pytest.approx(0.03, rel=1e-14)


@given(st.lists(JOULES, min_size=3, max_size=3), st.tuples(JOULES, JOULES))
def test_an_account_closes_by_identity(work, ends):
    account = EnergyAccount.of(
        {"a": ("supplied", work[0]), "b": ("stored", work[1]), "c": ("lost", work[2])}, {"d": ends}
    )
    assert account.supplied == pytest.approx(account.stored + account.lost + account.residual, rel=1e-12, abs=1e-9)


def test_what_moved_counts_even_if_it_came_back():
    account = a_pendulum()
    assert account.stored == pytest.approx(0.0, abs=1e-14)
    assert account.throughput == pytest.approx(5.0, rel=1e-14)
    assert account.relative < 1e-15  # rounding


def test_the_worst_residual_is_that_of_the_worst_instant():
    account = a_pendulum(leak=-0.02)
    assert account.worst == pytest.approx(0.02, rel=1e-12)
    assert account.relative == pytest.approx(0.02 / 5.0, rel=0.01)  # 1 %: the leak itself counts as moved


def test_without_motion_nothing_is_wrong():
    account = EnergyAccount.of({"pump": ("supplied", 0.0)})
    assert (account.throughput, account.relative, account.worst) == (0.0, 0.0, 0.0)


def test_an_empty_account_is_no_trouble():
    account = EnergyAccount.of({})
    assert (account.supplied, account.residual, account.relative) == (0.0, 0.0, 0.0)
    assert "residual" in account.table()


def test_the_table_names_every_row():
    lines = EnergyAccount.of({"pump": ("supplied", 100.0), "valve": ("lost", 45.5)}, {"load": (12.0, 66.0)}).table()
    assert [line.split()[:2] for line in lines.splitlines()] == [
        ["supplied", "100"], ["pump", "100"], ["stored", "54"], ["load", "54"], ["lost", "45.5"], ["valve", "45.5"],
        ["residual", "0.5"],
    ]  # fmt: skip


def test_two_runs_have_one_account():
    t = np.linspace(0.0, 2.0, 41)
    work, energy = 3.0 * t, 7.0 + t**2

    def part(a, b):
        return EnergyAccount.of(
            {"pump": ("supplied", work[b - 1] - work[a])}, {"load": (energy[a], energy[b - 1])},
            time=t[a:b], history={"pump": work[a:b] - work[a], "load": energy[a:b]},
        )  # fmt: skip

    joined, whole = part(0, 21).joined(part(20, 41)), part(0, 41)
    assert joined.time.tolist() == whole.time.tolist()
    assert joined.history == pytest.approx(whole.history, rel=1e-14)
    assert joined.residual == pytest.approx(whole.residual, rel=1e-14)
    assert (joined.rows[1].start, joined.rows[1].end) == (7.0, 11.0)


def test_accounts_of_different_rows_do_not_join():
    with pytest.raises(DataError, match="different rows"):
        EnergyAccount.of({"pump": ("supplied", 1.0)}).joined(EnergyAccount.of({"valve": ("lost", 1.0)}))


def test_an_unknown_account_is_refused():
    with pytest.raises(DataError, match="pump: account 'given' must be one of supplied, stored, lost"):
        EnergyAccount.of({"pump": ("given", 1.0)})


def test_a_stop_that_stores_and_loses_under_one_name_has_two_rows_over_time():
    account = EnergyAccount.of(
        {"stop": ("lost", 3.0)}, {"stop": (1.0, 5.0)}, time=[0.0, 1.0],
        history={("lost", "stop"): [0.0, 3.0], ("stored", "stop"): [1.0, 5.0]},
    )  # fmt: skip
    assert account.history.tolist() == [[0.0, 0.0], [3.0, 4.0]]
    assert account.residuals.tolist() == [0.0, -7.0]


def test_rows_that_took_next_to_no_part_are_counted_in_the_table():
    account = EnergyAccount.of({"pump": ("supplied", 10.0), "valve": ("lost", 10.0), "seal": ("lost", 1e-6)})
    assert [name for _, name, _ in account.small] == ["seal"]
    assert "seal" not in account.table() and "and 1 more, each below a millionth" in account.table()
