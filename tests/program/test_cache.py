"""Machine code on disk: found again, never half of it, never too much of it."""

import os
import subprocess
import sys
import textwrap
import time

import casadi as ca
import numpy as np
import pytest

from oleodyn.program import cache, llvm, object_code, target
from oleodyn.program.cache import Entry
from oleodyn.program.native_function import NativeFunction


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A cache folder of its own for each test."""
    where = tmp_path / "cache"
    monkeypatch.setenv("OLEODYN_CACHE_DIR", str(where))
    return where


def entry(k, size=1000):
    return Entry((bytes([k]) * size, b"second"), {"scratch": k})


def python(text, *args):
    """Another process, in the same cache folder."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text), *map(str, args)], stdout=subprocess.PIPE, text=True
    )


def cubic(scale=3.0):
    x = ca.SX.sym("x")
    return ca.Function("cubic", [x], [scale * x**3 + ca.exp(-x)])


def test_an_entry_comes_back_as_it_was_stored():
    assert cache.load("a") is None
    assert cache.store("a", entry(1))
    assert cache.load("a") == entry(1)
    assert cache.load("b") is None


def test_the_folder_is_the_chosen_one_or_the_users(monkeypatch, tmp_path):
    assert cache.folder() == tmp_path / "cache"
    monkeypatch.delenv("OLEODYN_CACHE_DIR")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() == tmp_path / "xdg" / "oleodyn"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache.folder() == tmp_path / "local" / "oleodyn"


# ------------------------------------------------------------------ what the key depends on


def test_the_key_tells_apart_what_differs():
    keys = {cache.key(*parts) for parts in (("a", "b"), ("ab",), ("b", "a"), ("a", "b", ""), ("a",))}
    assert len(keys) == 5
    assert cache.key("a", "b") == cache.key("a", "b")


def test_equal_equations_have_one_key_in_every_process():
    text = """
        import casadi as ca
        from oleodyn.program import cache
        x = ca.SX.sym("x")
        print(cache.key(ca.Function("cubic", [x], [3.0 * x**3 + ca.exp(-x)]).serialize()))
    """
    keys = {process.communicate()[0].strip() for process in (python(text), python(text))}
    assert keys == {cache.key(cubic().serialize())}
    assert cache.key(cubic(3.5).serialize()) not in keys


def test_a_second_compilation_does_not_lower_again(monkeypatch):
    first = NativeFunction(cubic(), 4)(np.linspace(-2, 2, 9)[:, None])
    monkeypatch.setattr(llvm, "lower", None)
    again = NativeFunction(cubic(), 4)(np.linspace(-2, 2, 9)[:, None])
    assert (first == again).all()


def test_each_width_has_its_own_code(folder):
    for width in (1, 4):
        NativeFunction(cubic(), width)
    assert len(list(folder.glob("*.code"))) == 2


# ------------------------------------------------------------------ damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:200] + bytes([data[200] ^ 4]) + data[201:],
        lambda data: b"something else altogether",
    ],
    ids=["empty", "half", "one byte short", "one byte long", "one bit", "another file"],
)
def test_a_damaged_entry_is_thrown_away_and_made_again(folder, damage):
    NativeFunction(cubic(), 1)
    (file,) = folder.glob("*.code")
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    assert cache.load(file.stem) is None
    assert not file.exists()
    assert NativeFunction(cubic(), 1)(np.array([2.0])) == pytest.approx(24 + np.exp(-2), rel=1e-15)
    assert cache.load(file.stem) is not None


def test_a_writer_killed_while_it_writes_leaves_nothing_that_is_read(folder):
    process = python(
        """
        import os, time
        from oleodyn.program import cache
        cache.store("b", cache.Entry((b"whole",), {}))
        def hang(*names):
            print("written", flush=True)
            time.sleep(60)
        os.replace = hang
        cache.store("a", cache.Entry((bytes(10**6),), {}))
        """
    )
    assert process.stdout.readline() == "written\n"
    process.kill()
    process.communicate()
    assert cache.load("a") is None
    assert cache.load("b").objects == (b"whole",)
    (left,) = folder.glob("*.tmp")
    assert cache.store("a", entry(1))
    assert left.exists()  # its writer might still live
    os.utime(left, (0, time.time() - 2 * cache.ABANDONED))
    assert cache.store("c", entry(1))
    assert not left.exists()


def test_entries_of_processes_killed_at_any_moment_are_whole_or_absent():
    text = """
        import sys
        from oleodyn.program import cache
        print("ready", flush=True)
        while True:
            for k in range(20):
                cache.store(f"k{k}", cache.Entry((bytes([k]) * 300_000,), {"k": k}))
    """
    writers = [python(text) for _ in range(2)]
    for delay, writer in zip((0.02, 0.05), writers, strict=True):
        assert writer.stdout.readline() == "ready\n"
        time.sleep(delay)
        writer.kill()
        writer.communicate()
        for k in range(20):
            found = cache.load(f"k{k}")
            assert found is None or found == Entry((bytes([k]) * 300_000,), {"k": k})


# ------------------------------------------------------------------ company, limits, refusals


def test_two_processes_that_compile_the_same_get_the_same_code(folder):
    text = """
        import casadi as ca, numpy as np
        from oleodyn.program.native_function import NativeFunction
        x = ca.SX.sym("x")
        for k in range(6):
            f = ca.Function("f", [x], [ca.sin(k * x) / (2 + k)])
            print(*NativeFunction(f, 2)(np.array([[0.3], [0.4]])).ravel().tolist())
    """
    processes = [python(text) for _ in range(2)]
    one, other = (process.communicate()[0] for process in processes)
    assert one == other
    numbers = np.array([line.split() for line in one.splitlines()], float)
    expected = [[np.sin(k * x) / (2 + k) for x in (0.3, 0.4)] for k in range(6)]
    assert numbers == pytest.approx(np.array(expected), rel=1e-14)
    assert len(list(folder.glob("*.code"))) == 6
    assert not list(folder.glob("*.tmp"))


def test_beyond_the_limit_what_was_not_used_for_longest_goes(folder):
    for k in range(5):
        cache.store(f"k{k}", entry(k, size=100_000), limit=10**6)
        os.utime(folder / f"k{k}.code", (0, 1e9 + k))
    cache.load("k0")  # a use counts
    cache.store("k5", entry(5, size=100_000), limit=400_000)
    assert {file.stem for file in folder.glob("*.code")} == {"k0", "k4", "k5"}


def test_a_folder_that_cannot_be_made_leaves_all_working_without_a_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("OLEODYN_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert not cache.store("a", entry(1))
    assert cache.load("a") is None
    assert NativeFunction(cubic(), 1)(np.array([1.0])) == pytest.approx(3 + np.exp(-1), rel=1e-15)


def test_an_entry_of_another_function_is_never_used():
    f = cubic(5.0)
    NativeFunction(f, 1)
    made = object_code.make({"f": f}, 1, "f", lambda: "")
    assert made.loaded.addresses["f"]
    assert target.host()[1] in cache._makers()
