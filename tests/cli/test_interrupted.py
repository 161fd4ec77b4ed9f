"""Ctrl-C and SIGKILL: what was computed is kept, and nothing is left that trips the next run."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from oleodyn import cli
from oleodyn.equations.assemble import assemble
from oleodyn.program.compile import compile
from oleodyn.result.result import Result
from oleodyn.simulation.realtime import run_realtime
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.stopping import Stopped
from tests.machines import small


@pytest.fixture(autouse=True)
def pythons_own_handler():
    """Test runners may have put another one in its place."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press(*_):
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def heater():
    return compile(assemble(small.heater()), RK4())


def test_ctrl_c_ends_a_run_after_its_stretch_and_keeps_result_and_state(heater):
    with pytest.raises(Stopped, match=r"stopped at t = ") as caught:
        run(heater, until=1e9, dt=0.1, inputs={"tank.u": 840.0}, progress=press, every=1)
    result, state = caught.value.result, caught.value.state
    assert result.time[-1] == state.t < 1e9
    assert result.values("tank.temp")[-1] == state["tank.temp"]
    whole = run(heater, until=2 * state.t, dt=0.1, inputs={"tank.u": 840.0}, every=1)
    rest = run(heater, until=2 * state.t, dt=0.1, inputs={"tank.u": 840.0}, every=1, state=state)
    assert np.array_equal(np.concatenate([result.table, rest.table[1:]]), whole.table)


def test_ctrl_c_twice_acts_at_once(heater):
    def impatient(t):
        press()
        press()

    with pytest.raises(KeyboardInterrupt) as caught:
        run(heater, until=1e9, dt=0.1, progress=impatient)
    assert not isinstance(caught.value, Stopped)


def test_ctrl_c_ends_a_paced_run_with_its_report(heater):
    with pytest.raises(Stopped) as caught:
        run_realtime(heater, until=100.0, dt=1e-3, progress=press)
    assert caught.value.result.steps == 1 and caught.value.result.stopped_at == caught.value.state.t


@pytest.fixture
def pressed(monkeypatch):
    """Whatever the command line does is interrupted at its first sign of progress."""
    monkeypatch.setattr(cli, "_with_progress", lambda title, work: work(press))


def test_ctrl_c_on_the_command_line_writes_what_was_computed(oleodyn, pressed, tmp_path):
    out, state = tmp_path / "run.nc", tmp_path / "state.npz"
    called = oleodyn("run", "rigid-arm", "--until", "1000000 s", "--out", out, "--save-state", state)
    assert called.status == 130
    assert called.err.startswith("stopped at t = ") and f"result written to {out}" in called.err
    assert 0 < Result.load(out).time[-1] < 1e6 and state.exists()


def test_ctrl_c_in_real_time_prints_the_report(oleodyn, pressed):
    called = oleodyn("run", "rigid-arm", "--until", "1000 s", "--realtime")
    assert called.status == 130 and called.out.startswith("1 steps of 1 ms") and "stopped at t = " in called.out


def test_ctrl_c_elsewhere_leaves_with_the_same_status(oleodyn, pressed):
    called = oleodyn("bench", "four-bar")
    assert called.status == 130 and "Traceback" not in called.err


KILLED = """
import os, signal, sys
from oleodyn import cli

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

{where}
sys.argv = ["oleodyn", *sys.argv[1:]]
cli.main()
"""
VESSEL = """
oleodyn: 1
name: vessel
parts:
  vessel: {type: Volume, volume: 2 l, p_0: 5 bar}
  gap: {type: Throttle, area: 1 mm2}
  tank: {type: Tank}
connections:
  - vessel.port = gap.A
  - gap.B = tank.port
"""
MOMENTS = {
    "while it translates": "from oleodyn.program import target; target.translate = die",
    "while it writes the cache": "from oleodyn.program import cache; cache._pack = die",
    "before the cache file has its name": "os.replace = die",
    "while it runs": "cli._with_progress = lambda title, work: work(die)",
    "while it writes the result": "import h5netcdf; h5netcdf.File.create_variable = die",
    "before the result has its name": "from oleodyn.result import atomic; atomic.os.fsync = die",
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_leaves_nothing_that_trips_a_later_run(moment, oleodyn, monkeypatch, tmp_path):
    cache, out = tmp_path / "cache", tmp_path / "run.nc"
    monkeypatch.setenv("OLEODYN_CACHE_DIR", str(cache))
    cache.mkdir()
    machine = tmp_path / "vessel.yaml"
    machine.write_text(VESSEL, encoding="utf-8")
    short = ("run", machine, "--until", "50ms", "--out", out)
    if "result" in moment:
        assert oleodyn(*short).status == 0
        before = out.read_bytes()
    killed = subprocess.run([sys.executable, "-c", KILLED.format(where=MOMENTS[moment]), *map(str, short)], check=False)
    assert killed.returncode == -signal.SIGKILL
    if "result" in moment:
        assert out.read_bytes() == before  # the old one, whole
    else:
        assert not out.exists()
    assert oleodyn(*short).status == 0
    assert Result.load(out).time[-1] == pytest.approx(0.05)
    assert Result.load(out).values("vessel.port.p")[0] == 5e5


def test_killed_amid_writing_an_entry_of_the_cache_is_no_entry(tmp_path, monkeypatch):
    from oleodyn.program import cache

    monkeypatch.setenv("OLEODYN_CACHE_DIR", str(tmp_path))
    assert cache.store("a" * 40, cache.Entry((b"code" * 100,), {"scratch": 3}))
    whole = (tmp_path / f"{'a' * 40}.code").read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / f"{'a' * 40}.code").write_bytes(whole[:length])
        assert cache.load("a" * 40) is None
