"""The cut of the pipe cutter as an animation in its report: arm, saw, pipe and force; 400 s in 20 s.

`pipe_cutter_animation.html` holds what stands still, `pipe_cutter_animation.js` draws the rest.
"""

from pathlib import Path
from typing import Any

import numpy as np

from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_drives import SAW
from oleodyn.catalogue.pipe_cutter_tasks import CUT
from oleodyn.errors import DataError
from oleodyn.result.content import Block
from oleodyn.result.result import Result
from oleodyn.units import mm, um

FRAMES = 801
"""At most so many instants: two a second."""
SHOWN = 20.0
"""What the whole run takes on the screen [s]."""


def animation(result: Result) -> Block:
    """A side view (plane y-z) of a run of the cut, to be played, stopped and moved through.

    Needs the joints and the force of the saw: arm.joint_1.q to arm.joint_6.q, saw.F, saw.F_y, saw.F_z.
    """
    here = Path(__file__)
    html, script = (here.with_suffix(end).read_text(encoding="utf-8") for end in (".html", ".js"))
    return Block(html, script, frames(result))


def frames(result: Result) -> dict[str, Any]:
    """Evenly spaced instants: points of the arm [mm], off the path [µm], mean, low, high force around each [N]."""
    if len(result.time) < 2:
        raise DataError(f"an animation needs a run, not {len(result.time)} instants")
    t = np.linspace(result.time[0], result.time[-1], min(FRAMES, len(result.time)))
    q = [np.interp(t, result.time, result.values(f"arm.joint_{i}.q")) for i in range(1, 7)]
    edges = _windows(result.time, t)
    forces = {name: _mean(result.values(f"saw.{name}"), edges) for name in ("F", "F_y", "F_z")}
    force = result.values("saw.F")
    forces |= {"low": np.minimum.reduceat(force, edges[:-1]), "high": np.maximum.reduceat(force, edges[:-1])}
    arm = side_view(q)
    off = (arm["tool"] - CUT.poses(t)[:, 1:3, 3]) / um
    for values in (*arm.values(), *forces.values()):
        if not np.isfinite(values).all():
            raise DataError("the run holds numbers that are not finite, so it cannot be shown as an animation")
    return {
        "begin": float(t[0]), "end": float(t[-1]), "shown": SHOWN, "saw": _saw(), "pipe": _pipe(),
        "tool": np.round(arm.pop("tool") / mm, 3), "off": np.round(off, 1),
        "arm": {name: np.round(points / mm, 2) for name, points in arm.items()},
        **{name: np.round(values, 1) for name, values in forces.items()},
    }  # fmt: skip


def side_view(q: Any) -> dict[str, np.ndarray]:
    """Joints 3 and 4, wrist and tool point (n, 2): y and z [m] in the base frame, from joints (6, n).

    >>> {name: points.round(3).tolist() for name, points in side_view(np.zeros((6, 1))).items()}
    {'joint_3': [[1.329, 0.0]], 'joint_4': [[1.831, 0.0]], 'wrist': [[2.313, 0.0]], 'tool': [[3.242, 0.0]]}
    """
    arm, forward, pitch = PIPE_CUTTER, np.cos(q[0]), q[2] + q[3]
    tool = arm.frame(q)
    y, z = np.asarray(tool[3][1]), np.asarray(tool[3][2])
    slide = arm.l2 + np.asarray(q[1])
    lift = slide + arm.l3 * np.cos(q[2])
    points = {
        "joint_3": (forward * slide, 0 * slide),
        "joint_4": (forward * lift, arm.l3 * np.sin(q[2])),
        "wrist": (forward * (lift + arm.l4 * np.cos(pitch)), arm.l3 * np.sin(q[2]) + arm.l4 * np.sin(pitch)),
        "tool": (y, z),
    }
    return {name: np.stack(np.broadcast_arrays(*point), axis=1) for name, point in points.items()}


def _windows(time: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Where the window around each of the instants t begins in `time`, and where the last one ends."""
    middles = (t[1:] + t[:-1]) / 2
    begins = np.maximum.accumulate(np.concatenate([[0], np.searchsorted(time, middles)]))
    return np.append(np.minimum(begins, len(time) - 1), len(time))


def _mean(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    return np.add.reduceat(values, edges[:-1]) / np.maximum(np.diff(edges), 1)


def _saw() -> dict[str, float]:
    return {"R": SAW.R_saw / mm, "teeth": SAW.teeth, "w": SAW.sense * SAW.w}


def _pipe() -> dict[str, Any]:
    return {"y": SAW.r_pipe[1] / mm, "z": SAW.r_pipe[2] / mm, "r_o": SAW.r_o / mm, "r_i": SAW.r_i / mm}
