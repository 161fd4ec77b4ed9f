import os
import string
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oleodyn.errors import DataError
from oleodyn.result.atomic import STALE, written_whole
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.result import Card, Result

ANY = st.floats(width=64)  # NaN, infinities and the smallest numbers too
NAMES = st.text(min_size=1, max_size=20).filter(lambda s: s.isprintable() and s != "time")
WORDS = st.text(string.printable + "äµ·³²°→Ω汉", max_size=30)


@st.composite
def results(draw, names=NAMES):
    chosen = draw(st.lists(names, max_size=5, unique=True))
    n = draw(st.integers(0, 6))
    table = np.array(draw(st.lists(ANY, min_size=n * len(chosen), max_size=n * len(chosen)))).reshape(n, len(chosen))
    instants = draw(st.lists(st.floats(0, 100), min_size=n, max_size=n).map(sorted))
    energy = None
    if draw(st.booleans()):
        recorded = draw(st.integers(0, 3))
        columns = {name: np.array(draw(st.lists(ANY, min_size=recorded, max_size=recorded))) for name in ("a", "b")}
        energy = EnergyAccount.of(
            {"a": ("lost", draw(ANY))}, {"b": (draw(ANY), draw(ANY))},
            time=np.arange(recorded, dtype=float), history=columns,
        )  # fmt: skip
    return Result(
        instants, table, [Card(name, draw(WORDS), draw(WORDS), draw(WORDS)) for name in chosen],
        aliases=draw(st.dictionaries(NAMES, st.sampled_from(chosen), max_size=3)) if chosen else {},
        timing=draw(st.dictionaries(WORDS, st.integers(-(2**70), 2**70) | ANY, max_size=3)),
        energy=energy,
        attrs=draw(st.dictionaries(WORDS, WORDS | ANY | st.lists(WORDS, max_size=2) | st.none(), max_size=3)),
    )  # fmt: skip


def an_ordinary_result(n=200):
    t = np.linspace(0.0, 2.0, n)
    history = {"pump": 30.0 * t, "valve": 20.0 * t, "load": 5.0 + 10.0 * t}
    return Result.from_arrays(
        t,
        {"lift.A.p": (1e5 + t, "Pa"), "elbow.q": (np.sin(t), "rad"), "odd / name": (t**2, "m³/s")},
        aliases={"valve.A.p": "lift.A.p"},
        timing={"steps": 199, "wall_s": 0.0123},
        energy=EnergyAccount.of(
            {"pump": ("supplied", 60.0), "valve": ("lost", 40.0)}, {"load": (5.0, 25.0)}, time=t, history=history
        ),
        attrs={"machine": "crane", "versions": {"numpy": "2.4"}},
    )


# ------------------------------------------------------------------ NetCDF


@settings(max_examples=60)
@given(result=results())
def test_any_result_comes_back_bit_for_bit(tmp_path_factory, result):
    path = tmp_path_factory.mktemp("run") / "run.nc"
    result.save(path)
    assert Result.load(path).equals(result)


def test_other_readers_open_the_file(tmp_path):
    import xarray as xr

    an_ordinary_result().save(tmp_path / "run.nc")
    with xr.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as data:
        assert data["lift.A.p"].attrs["units"] == "Pa"
        assert data["lift.A.p"].attrs["aliases"] == "valve.A.p"
        assert data["elbow.q"].sel(time=2.0).item() == np.sin(2.0)
        assert data["signal_2"].attrs["signal"] == "odd / name"  # NetCDF allows no / in a name


def test_a_file_cut_short_anywhere_is_a_data_error(tmp_path):
    path = tmp_path / "run.nc"
    an_ordinary_result().save(path)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), max(1, len(whole) // 60)), len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(DataError, match=r"run.nc is damaged or cut short .* Delete it and run again"):
            Result.load(path)


def test_a_number_that_changed_on_disk_is_noticed(tmp_path):
    path = tmp_path / "run.nc"
    result = an_ordinary_result()
    result.save(path)
    whole = bytearray(path.read_bytes())
    place = bytes(whole).find(result.values("elbow.q").tobytes())
    assert place > 0
    whole[place + 80] ^= 1
    path.write_bytes(whole)
    with pytest.raises(DataError, match="is damaged"):
        Result.load(path)


def test_what_is_no_result_is_refused_by_name(tmp_path):
    import h5netcdf

    with h5netcdf.File(tmp_path / "other.nc", "w") as file:
        file.dimensions = {"time": 3}
    for name, sentence in {"other.nc": "not a result that oleodyn saved", "none.nc": "there is no such file"}.items():
        with pytest.raises(DataError, match=rf"{name}.*{sentence}"):
            Result.load(tmp_path / name)


# ------------------------------------------------------------------ whole or not at all


def test_a_killed_writer_leaves_the_file_before_or_the_file_after(tmp_path):
    path = tmp_path / "run.nc"
    code = (
        "import sys, numpy as np; from oleodyn.result.result import Result\n"
        "t = np.arange(100_000.0)\n"
        "for i in range(10_000):\n"
        "    Result.from_arrays(t, {f's{j}': (t + i, '-') for j in range(4)}, attrs={'i': i}).save(sys.argv[1])\n"
        "    print(i, flush=True)\n"
    )
    for delay in (0.0, 0.013, 0.031, 0.047):
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            written = int(writer.stdout.readline())
            time.sleep(delay)
            writer.kill()
        result = Result.load(path)
        assert result.attrs["i"] >= written
        assert result.values("s3").tolist() == (np.arange(100_000.0) + result.attrs["i"]).tolist()
        an_ordinary_result().save(path)
        assert Result.load(path).equals(an_ordinary_result())


def test_an_error_while_writing_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), written_whole(path) as place:
        place.write_text("half")
        raise RuntimeError
    assert [file.name for file in tmp_path.iterdir()] == ["run.txt"]
    assert path.read_text() == "old"


def test_what_a_killed_writer_left_is_cleared_after_a_day(tmp_path):
    left, fresh = tmp_path / ".run.nc.abc.part", tmp_path / ".run.nc.def.part"
    for file in (left, fresh):
        file.write_text("half")
    os.utime(left, (time.time() - STALE - 10,) * 2)
    an_ordinary_result().save(tmp_path / "run.nc")
    assert sorted(file.name for file in tmp_path.iterdir()) == [fresh.name, "run.nc"]


def test_a_file_written_whole_has_the_rights_of_any_new_file(tmp_path):
    with written_whole(tmp_path / "whole") as place:
        place.write_text("text")
    (tmp_path / "plain").write_text("text")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no folder '.*nowhere'. Make it"):
        an_ordinary_result().save(tmp_path / "nowhere" / "run.nc")


# ------------------------------------------------------------------ tables of text


@settings(max_examples=60)
@given(result=results(NAMES.filter(lambda name: name == name.strip())))
def test_any_table_of_numbers_comes_back_bit_for_bit(tmp_path_factory, result):
    path = tmp_path_factory.mktemp("run") / "run.csv"
    plain = Result(result.time, result.table, [Card(name, "Pa") for name in result.names])
    plain.to_csv(path)
    back = Result.from_csv(path)
    assert back.names == plain.names
    assert np.array_equal(back.table, plain.table, equal_nan=True)
    assert back.time.tolist() == plain.time.tolist()


def test_a_measurement_in_bar_and_mm_comes_in_as_si(tmp_path):
    path = tmp_path / "measured.csv"
    path.write_text("t,p_A,stroke,Q,temp,count\nms,bar,mm,l/min,degC,counts\n0,180,12.5,30,40,7\n10,,-3,6,20,8\n")
    measured = Result.from_csv(path)
    units = {name: card.unit for name, card in measured.signals.items()}
    assert units == {"p_A": "Pa", "stroke": "m", "Q": "m³/s", "temp": "K", "count": "counts"}
    assert measured.time.tolist() == [0.0, 0.01]
    assert measured.table[0].tolist() == pytest.approx([1.8e7, 0.0125, 5e-4, 313.15, 7.0], rel=1e-15)
    assert np.isnan(measured.values("p_A")[1])


BROKEN = {
    "no units": ("t,p\n0,1\n1,2\n", r":2: must be a row of units"),
    "a unit too few": ("t,p\ns\n0,1\n", r":2: has 1 units for 2 names"),
    "a value too few": ("t,p\ns,Pa\n0,1\n\n1\n", r":5: has 1 values for 2 names"),
    "a word": ("t,p\ns,Pa\n0,high\n", r":3: p = 'high': must be a number with a decimal point"),
    "a decimal comma": ('t,p\ns,Pa\n0,"1,5"\n', r":3: p = '1,5': must be a number with a decimal point"),
    "no time": ("p,Q\nPa,l/min\n0,1\n", r"first column must be time, its unit is 'Pa'"),
    "nothing": ("", r"must begin with a row of names"),
    "a name twice": ("t,p,p\ns,Pa,Pa\n0,1,2\n", r"two signals 'p'"),
}


@pytest.mark.parametrize(("text", "sentence"), BROKEN.values(), ids=BROKEN)
def test_a_broken_table_is_refused_with_its_line(tmp_path, text, sentence):
    path = tmp_path / "measured.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=sentence):
        Result.from_csv(path)


def test_a_table_that_is_no_text_is_refused(tmp_path):
    an_ordinary_result().save(tmp_path / "run.nc")
    with pytest.raises(DataError, match="not a table of text in UTF-8"):
        Result.from_csv(tmp_path / "run.nc")
