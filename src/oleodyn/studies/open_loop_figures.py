"""Figures of the open-loop study: six swings beside what was expected, errors over the step."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from oleodyn.result.plots import INK, MUTED, PALETTE, STYLE, thinned
from oleodyn.studies.pipe_cutter_order import Order


def swings(t: np.ndarray, moved: Sequence[np.ndarray], labels: Sequence[str], expected: Sequence[Any]) -> Any:
    """How far each joint moved; `expected` holds, for each, the instants and values of the specification."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(11, 4.6), layout="constrained")
        panels = drawing.subplots(2, 3, sharex=True)
        for axes, curve, label, (at, values) in zip(panels.ravel(), moved, labels, expected, strict=True):
            axes.axhline(0.0, color=MUTED, linewidth=0.8)
            axes.plot(*thinned(t, curve), color=PALETTE[0], label="computed")
            axes.plot(at, values, "o", color=PALETTE[1], markersize=5, label="specification", zorder=3)
            axes.set_title(label)
            axes.set_xticks(range(5))
        for axes in panels[-1]:
            axes.set_xlabel("time [s]")
        panels[0, 0].legend(loc="upper right", bbox_to_anchor=(1.02, 1.2), ncols=2, handlelength=1.2, columnspacing=1.0)
    return drawing


def errors_over_step(found: Sequence[Order]) -> Any:
    """Error of the joint speeds over the step, each stepper beside a line of its order."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(6.2, 4.2), layout="constrained")
        axes = drawing.subplots()
        for order, colour in zip(found, PALETTE, strict=False):
            h, error = 1e3 * np.array(order.steps), np.array(order.errors)
            whole = round(order.orders[-1])
            axes.loglog(h, error[-1] * (h / h[-1]) ** whole, color=colour, linewidth=1.0, alpha=0.5)
            axes.loglog(h, error, "o", color=colour, label=f"{order.name}: {order.orders[-1]:.2f}")
        steps = sorted({1e3 * h for order in found for h in order.steps})
        axes.set_xticks(steps, [f"{h:g}" for h in steps])
        axes.minorticks_off()
        axes.set_xlabel("step [ms]")
        axes.set_ylabel("error of the joint speeds [deg/s, mm/s]")
        axes.legend(loc="upper left", title="observed order", title_fontproperties={"size": 9})
        axes.tick_params(colors=INK)
    return drawing
