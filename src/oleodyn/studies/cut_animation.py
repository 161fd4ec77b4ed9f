"""The cut as an animation in the report: saw and pipe from the side, the arm, the force; 400 s in 20 s."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_drives import SAW
from oleodyn.catalogue.pipe_cutter_tasks import CUT
from oleodyn.result.content import Block
from oleodyn.result.result import Result
from oleodyn.studies.pipe_cutter_runs import tool_error

PLAYS = 20.0
"""How long the whole cut lasts on the screen [s]."""
FRAMES = 800
"""Instants kept: two for each second of the cut, between which the page draws straight on."""

HTML = """
<div style="display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; margin-bottom: 10px">
  <button type="button" style="font: inherit; min-width: 84px; padding: 6px 14px; border-radius: 8px; cursor: pointer;
    border: 1px solid var(--line); background: var(--accent); color: var(--card)">Play</button>
  <input type="range" min="0" max="{end}" step="0.1" value="0" aria-label="time of the cut"
    style="flex: 1 1 180px; min-width: 120px; accent-color: var(--accent)">
  <span style="min-width: 7.5em"><b data-value="time">0.0</b> s of {end:g} s</span>
</div>
<canvas role="img" style="display: block; width: 100%; touch-action: pan-y"
  aria-label="Side view of the saw cutting the pipe, of the whole arm, and the force over time"></canvas>
<div style="display: flex; flex-wrap: wrap; gap: 2px 26px; margin-top: 10px; font-size: 14px">
  <span>feed <b data-value="feed">0</b> mm</span>
  <span>force <b data-value="force">0</b> N</span>
  <span>tool off its path in Y, Z by <b data-value="off">0, 0</b> µm</span>
  <span style="color: var(--muted)" data-value="phase"></span>
</div>
"""


def animation(run: Result) -> Block:
    """A block of the report that plays a run of the cut."""
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    return Block(HTML.format(end=CUT.until), script, frames(run))


def frames(run: Result) -> dict[str, Any]:
    """What the page needs: positions at the frames, forces as means, lows and highs around them."""
    t = np.linspace(0.0, CUT.until, FRAMES + 1)
    near = np.clip(np.searchsorted(run.time, t), 0, len(run.time) - 1)
    error = tool_error(run, CUT)[near] * 1e6
    F_y, F_z, F = (spans(run, t, f"saw.{name}") for name in ("F_y", "F_z", "F"))
    positions = {
        "y": "arm.tool.r_y",
        "z": "arm.tool.r_z",
        "q2": "arm.joint_2.q",
        "q3": "arm.joint_3.q",
        "q4": "arm.joint_4.q",
    }
    signals = {name: run.values(path)[near].round(6).tolist() for name, path in positions.items()}
    signals |= {"F_y": F_y[0], "F_z": F_z[0], "F": F[0]}
    signals |= {"e_y": error[:, 1].round(1).tolist(), "e_z": error[:, 2].round(1).tolist()}
    return {
        "t": t.round(3).tolist(), "signals": signals, "F_low": F[1], "F_high": F[2],
        "F_top": 1.08 * max(F[2]), "F_scale": max(F[0]), "pace": CUT.until / PLAYS, "phases": phases(run),
        "R": SAW.R_saw, "teeth": SAW.teeth, "sense": SAW.sense, "w": SAW.w, "r_o": SAW.r_o, "r_i": SAW.r_i,
        "pipe": list(SAW.r_pipe[1:]), "lengths": [PIPE_CUTTER.l2, PIPE_CUTTER.l3, PIPE_CUTTER.l4, PIPE_CUTTER.l6],
    }  # fmt: skip


def spans(run: Result, t: np.ndarray, name: str) -> tuple[list[float], ...]:
    """Mean, lowest and highest of a signal in the span around each frame."""
    edges = np.searchsorted(run.time, [t[0], *((t[1:] + t[:-1]) / 2), t[-1] + 1e-9])
    parts = [run.values(name)[a : max(b, a + 1)] for a, b in pairwise(edges)]
    return tuple([round(float(f(part)), 1) for part in parts] for f in (np.mean, np.min, np.max))


def phases(run: Result) -> list[tuple[float, str]]:
    """When what begins, as the rim's angles in the pipe tell."""
    touching, inside = run.values("saw.touching") > 0, run.values("saw.theta_in") > 0
    found = [(0.0, "approach")]
    for mask, text in ((touching, "entry: the full width of the wall"), (inside, "through the wall: two narrow cuts")):
        found.append((float(run.time[mask][0]), text))
    found.append((float(run.time[inside][-1]), "the far wall"))
    return [*found, (float(run.time[touching][-1]), "cut through")]
