import json
import math
import subprocess
import sys

import numpy as np
import pytest

from oleodyn.errors import DataError
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.result import Card, Result
from oleodyn.units import bar

TIME = np.array([0.0, 0.1, 0.2, 0.4])
CARDS = [
    Card("lift.A.p", "Pa", "pressure", "pressure in the head"),
    Card("arm.elbow.q", "rad", "position", "angle"),
    Card("arm.boom.q", "rad", "position", "angle"),
    Card("pump.Q", "m³/s", "flow", "delivery"),
]
TABLE = np.array([[1e5, 0.1, -0.4, 1e-3], [2e5, 0.2, -0.3, 2e-3], [4e5, 0.4, -0.2, 3e-3], [7e5, 0.7, -0.1, 5e-3]])


def a_result(**others):
    return Result(TIME, TABLE, CARDS, aliases={"valve.A.p": "lift.A.p", "tilt": "arm.boom.q"}, **others)


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("lift.A.p", "lift.A.p"),
        ("valve.A.p", "lift.A.p"),
        ("elbow.q", "arm.elbow.q"),
        ("A.p", "lift.A.p"),  # the end of a name and of its alias: still one signal
        ("tilt", "arm.boom.q"),
        ("Q", "pump.Q"),
    ],
)
def test_a_signal_is_found_by_name_alias_and_end_of_name(asked, found):
    assert a_result().resolve(asked) == found
    assert asked in a_result()


WRONG_NAMES = {
    "ambiguous": ("q", r"'q' could be arm.boom.q or arm.elbow.q. Give more of the name."),
    "misspelt": ("arm.elbo.q", r"no signal 'arm.elbo.q'; the nearest are arm.elbow.q"),
    "part of a part": ("boom", r"no signal 'boom'; the nearest are .*arm.boom.q"),
    "no end at a dot": ("ump.Q", r"no signal 'ump.Q'; the nearest are pump.Q"),
    "empty": ("", r"no signal ''"),
}


@pytest.mark.parametrize(("asked", "sentence"), WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_an_unknown_name_answers_with_the_nearest(asked, sentence):
    with pytest.raises(DataError, match=sentence):
        a_result().values(asked)
    assert asked not in a_result()


def test_a_signal_carries_its_unit_and_divides_by_a_unit():
    pressure = a_result()["lift.A.p"]
    assert (pressure.attrs["units"], pressure.attrs["aliases"], pressure.dims) == ("Pa", "valve.A.p", ("time",))
    assert (pressure / bar).values.tolist() == pytest.approx([1.0, 2.0, 4.0, 7.0], rel=1e-15)
    assert float(pressure.interp(time=0.3)) == pytest.approx(5.5e5, rel=1e-12)


def test_the_dataset_holds_all_signals_over_time():
    data = a_result(attrs={"machine": "crane"}).data
    assert list(data.data_vars) == [card.name for card in CARDS]
    assert data.sizes == {"time": 4}
    assert data["arm.elbow.q"].attrs == {"units": "rad", "long_name": "angle", "kind": "position"}
    assert data.attrs["machine"] == "crane"


def test_values_need_no_xarray():
    code = (
        "import sys; from oleodyn.result.result import Result\n"
        "r = Result.from_arrays([0.0], {'a.p': ([1.0], 'Pa')}); r.values('p')\n"
        "heavy = {'xarray', 'pandas', 'matplotlib', 'h5netcdf', 'h5py', 'casadi'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_result_cannot_be_written_to_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        a_result().values("lift.A.p")[0] = 3.0


def test_a_result_lists_its_names_in_order():
    assert list(a_result()) == list(a_result().names) == [card.name for card in CARDS]
    assert repr(a_result()) == "Result(4 signals, 4 instants, 0 … 0.4 s)"


def test_a_selection_keeps_only_what_was_asked_for():
    chosen = a_result().select(["elbow.q", "valve.A.p"])
    assert chosen.names == ("arm.elbow.q", "lift.A.p")
    assert chosen.values("lift.A.p").tolist() == TABLE[:, 0].tolist()
    assert chosen.aliases == {"valve.A.p": "lift.A.p"}


# ------------------------------------------------------------------ what is refused

REFUSED = {
    "too few columns": (lambda: Result(TIME, TABLE[:, :3], CARDS), r"of 4 signals needs .* \(n, 4\)"),
    "too few rows": (lambda: Result(TIME[:3], TABLE, CARDS), r"needs time \(n\)"),
    "a name twice": (lambda: Result(TIME, TABLE[:, :2], [CARDS[0], CARDS[0]]), r"two signals 'lift.A.p'"),
    "time as a signal": (lambda: Result.from_arrays([0.0], {"time": ([1.0], "s")}), r"'time' cannot be the name"),
    "a name of nothing": (lambda: Result.from_arrays([0.0], {"": ([1.0], "s")}), r"'' cannot be the name"),
    "a line break": (lambda: Result.from_arrays([0.0], {"a\nb": ([1.0], "s")}), r"cannot be the name"),
    "a short column": (lambda: Result.from_arrays([0.0, 1.0], {"a": ([1.0], "s")}), r"a has shape \(1,\)"),
    "an object in attrs": (lambda: a_result(attrs={"machine": object()}), r"attrs = .*must hold texts, numbers"),
}


@pytest.mark.parametrize(("make", "sentence"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_result_is_refused_with_the_rule(make, sentence):
    with pytest.raises(DataError, match=sentence):
        make()


# ------------------------------------------------------------------ joining


def test_a_run_cut_in_two_joins_to_the_whole():
    timing = {"steps": 40, "wall_s": 0.5, "real_time_factor": 0.8, "max_iterations": 3, "dt": 0.01, "method": "rk4"}
    whole = a_result(timing=timing)
    halves = [
        Result(TIME[part], TABLE[part], CARDS, aliases=whole.aliases, timing={**timing, **more})
        for part, more in (
            (slice(0, 3), {"steps": 30, "wall_s": 0.2, "real_time_factor": 1.0}),
            (slice(2, 4), {"steps": 10, "wall_s": 0.3, "real_time_factor": 2 / 3, "max_iterations": 2}),
        )
    ]
    joined = halves[0].joined(halves[1])
    assert joined.time.tolist() == TIME.tolist()
    assert joined.table.tobytes() == whole.table.tobytes()
    assert joined.timing == pytest.approx({k: v for k, v in timing.items() if k != "method"} | {"method": "rk4"})


def test_where_two_runs_share_an_instant_the_later_counts():
    first, second = (Result.from_arrays(t, {"u": (u, "-")}) for t, u in (([0, 1], [5, 6]), ([1, 2], [7, 8])))
    assert first.joined(second).values("u").tolist() == [5, 7, 8]


def test_runs_in_the_wrong_order_do_not_join():
    with pytest.raises(DataError, match="Join them in the order of time"):
        a_result().joined(a_result())


def test_runs_of_different_signals_do_not_join():
    with pytest.raises(DataError, match=r"different signals \(arm.boom.q\)"):
        a_result().joined(a_result().select(["lift.A.p", "elbow.q", "pump.Q"]))


# ------------------------------------------------------------------ equality


def test_equal_means_every_bit():
    nudged = TABLE.copy()
    nudged[2, 1] = np.nextafter(0.4, 1.0)
    minus = TABLE * 1.0
    minus[0, 0] = -0.0
    plus = minus + 0.0
    assert a_result().equals(a_result())
    assert not a_result().equals(Result(TIME, nudged, CARDS, aliases=a_result().aliases))
    assert not Result(TIME, minus, CARDS).equals(Result(TIME, plus, CARDS))


def test_results_that_hold_nan_can_be_equal():
    broken = TABLE.copy()
    broken[1, 1] = math.nan
    one, other = (Result(TIME, broken.copy(), CARDS, timing={"wall_s": math.nan}) for _ in range(2))
    assert one.equals(other)


def test_timing_and_attrs_hold_plain_values():
    result = a_result(timing={"steps": np.int64(3), "wall_s": np.float64(0.5)}, attrs={"set": ("a", 1)})
    assert json.dumps(result.timing) == '{"steps": 3, "wall_s": 0.5}'
    assert result.attrs == {"set": ["a", 1]}


def test_a_result_carries_its_energy_account():
    account = EnergyAccount.of({"pump": ("supplied", 3.0)})
    assert a_result(energy=account).energy == account
    assert not a_result(energy=account).equals(a_result())
