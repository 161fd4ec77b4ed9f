"""The animation of the cut: its data are those of the run, and it needs nothing but the page."""

import json
import re

import numpy as np
import pytest

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_tasks import CUT
from oleodyn.catalogue.shelf import load
from oleodyn.errors import DataError
from oleodyn.kinematics.follow import followed
from oleodyn.result.content import Renderer
from oleodyn.result.result import Result
from oleodyn.simulation.run import simulate
from oleodyn.studies.pipe_cutter_animation import FRAMES, animation, frames


def run(n=8001, force=None):
    """400 s along the path itself, with a force that the teeth make jump."""
    t = np.linspace(0.0, 400.0, n)
    q = np.array(followed(PIPE_CUTTER, CUT, 10.0, None).q_ref)
    joints = {f"arm.joint_{i + 1}.q": (np.interp(t, 10.0 * np.arange(len(q)), q[:, i]), "rad") for i in range(6)}
    F = np.where((t > 50) & (t < 350), 100.0 + 50.0 * (np.arange(n) % 2), 0.0) if force is None else force
    parts = {"saw.F": (F, "N"), "saw.F_y": (-0.5 * F, "N"), "saw.F_z": (-0.8 * F, "N")}
    return Result.from_arrays(t, joints | parts)


def plain(block):
    """Its data as the page gets them: JSON knows no infinity and no NaN here."""
    return json.loads(json.dumps(block.data, default=lambda array: array.tolist(), allow_nan=False))


def test_the_data_are_finite_and_small_however_finely_the_run_was_recorded():
    text = json.dumps(plain(animation(run(80_001))))
    assert len(text) < 200_000
    assert len(json.loads(text)["F"]) == FRAMES


def test_the_saw_travels_80_mm_and_stays_on_its_path():
    data = plain(animation(run()))
    tool = np.array(data["tool"])
    assert tool[0] == pytest.approx([2570.0, -1445.0], abs=1e-3)  # µm: rounded for the page
    assert tool[-1] - tool[0] == pytest.approx([80.0, 0.0], abs=2e-3)
    assert np.abs(data["off"]).max() < 0.2


def test_mean_low_and_high_belong_to_the_window_around_each_instant():
    data = frames(run())
    inside = slice(110, 690)
    assert np.all(data["low"][inside] == 100) and np.all(data["high"][inside] == 150)
    assert data["F"][inside] == pytest.approx(125.0, abs=2.6)  # 10 samples a window, one more or less of them high
    assert not data["high"][:95].any() and not data["high"][705:].any()


def test_links_keep_their_lengths():
    data = frames(run())
    chain = [*(data["arm"][name] for name in ("joint_3", "joint_4", "wrist")), data["tool"]]
    for a, b, length in zip(chain, chain[1:], (502.0, 482.0, 929.1), strict=False):
        assert np.hypot(*(b - a).T) == pytest.approx(length, abs=0.02)  # rounded to 0.01 mm


def test_a_run_of_the_machine_gives_the_tool_point_that_it_recorded():
    result = simulate(load("pipe-cutter"), scenario="cut", until=0.5, every=50)
    data = frames(result)
    at = data["begin"] + (data["end"] - data["begin"]) * np.arange(len(data["F"])) / (len(data["F"]) - 1)
    for k, name in enumerate(("arm.tool.r_y", "arm.tool.r_z")):
        recorded = np.interp(at, result.time, result.values(name)) * 1e3
        assert data["tool"][:, k] == pytest.approx(recorded, abs=1e-3)


def test_a_run_of_few_instants_is_shown_with_what_it_has():
    assert len(frames(run(2))["F"]) == 2
    with pytest.raises(DataError, match="an animation needs a run, not 1 instants"):
        frames(run(1))


def test_a_force_that_is_not_finite_is_refused():
    force = np.zeros(101)
    force[50] = np.nan
    with pytest.raises(DataError, match="not finite"):
        frames(run(101, force))


def test_the_page_loads_nothing_and_its_script_ends_where_it_should():
    block = animation(run())
    for text in (block.html, block.script):
        assert not re.search(r"https?://|\bsrc=|\bfetch\(|\bimport\b|@import", text)
    shown = Renderer().render(block)
    assert shown.count("<script>") == shown.count("</script>") == 1
    assert set(re.findall(r'data-show="(\w+)"', block.html)) == set(re.findall(r'show\("(\w+)"\)', block.script))


def test_the_controls_have_names():
    html = animation(run()).html
    assert re.search(r'<button type="button">Play</button>', html)
    assert re.search(r'<input type="range"[^>]*aria-label="[^"]+"', html)
    assert html.count('role="img"') == len(re.findall(r"<svg[^>]*aria-label=", html)) == 3
