"""The examples: numbered, each begins with a paragraph, runs, and ends in one picture that shows something."""

import ast
import inspect
import runpy
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@cache
def names(number):
    """What an example defines."""
    return runpy.run_path(str(EXAMPLES[number]))


def test_they_are_numbered_without_a_gap():
    assert [path.name[:3] for path in EXAMPLES] == [f"{i:02d}_" for i in range(len(EXAMPLES))]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_it_begins_with_a_sentence_and_a_paragraph(path):
    title, space, paragraph = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n", 2)
    assert title.endswith(".") and space == "" and len(paragraph.split()) > 30


@pytest.mark.parametrize("number", range(len(EXAMPLES)), ids=[path.stem for path in EXAMPLES])
def test_it_runs_and_ends_in_one_picture(number, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    figure = names(number)["main"]()
    assert isinstance(figure, Figure)
    assert all(axes.has_data() and axes.get_xlabel() + axes.get_ylabel() for axes in figure.axes)
    figure.savefig("picture.svg")
    assert all(np.isfinite(line.get_ydata()).all() for axes in figure.axes for line in axes.lines)
    assert [path.name for path in tmp_path.iterdir()] == ["picture.svg"]


def test_plain_equations_and_parts_give_the_same_numbers(verification):
    twin = names(0)
    t, rows = twin["by_hand"]()
    result = twin["by_parts"]()
    signals = ("mass.rod.s", "mass.rod.v", "ram.A.p", "ram.B.p", "valve.spool.x", "valve.spool.x_dot")
    assert np.abs(result.time - t).max() < 1e-12
    apart = [np.abs(result.values(s) - y).max() / np.abs(y).max() for s, y in zip(signals, rows.T, strict=True)]
    verification("Examples", "one cylinder, parts against forty lines", "plain equations, RK4", max(apart), 1e-12)


def test_the_plain_equations_are_forty_lines_and_use_nothing_of_ours():
    twin = names(0)["by_hand"]
    source = inspect.getsource(twin)
    assert len([line for line in source.splitlines() if line.strip()]) <= 42
    ours = {name for name, value in twin.__globals__.items() if getattr(value, "__module__", "").startswith("oleodyn")}
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert not used & (ours | {"od"})


def test_a_loop_by_hand_does_what_the_controller_in_the_machine_does():
    closed = names(4)
    from oleodyn.control.pid import Gains

    gains = Gains(K_p=8.0, K_i=45.0)
    _, s = closed["by_hand"](gains)
    assert np.abs(s - closed["by_part"](gains).values("ram.x")[1:]).max() < 1e-14


def test_only_the_seal_that_sticks_makes_it_leap():
    creep = names(5)
    leaps = {name: creep["leaps"](creep["crept"](law)) for name, law in creep["LAWS"].items()}
    assert leaps["sticks"] > 10 and leaps["drags"] == 0
