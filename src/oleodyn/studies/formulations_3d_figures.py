"""Figures of the study of the loader crane: error against work and step, violations over time."""

from collections.abc import Mapping, Sequence
from typing import Any

from oleodyn.result.plots import INK, PALETTE, thinned
from oleodyn.result.result import Result
from oleodyn.studies.dissertation_figures import legend_below, sheet
from oleodyn.studies.loader_crane_runs import LEVELS, NAMES, Compared, Pair

COLOURS = {"rk4": 0, "ab3": 3, "trapezoidal": 1, "hht": 2, "hht-partitioned": 4}
LINES = {"augmented-lagrangian": (":", "^"), "partitioning": ("-", "o"), "penalty": ("--", "s")}
"""Line and marker of each formulation; colours belong to steppers."""


def look(pair: Pair) -> dict[str, Any]:
    """How a pair is drawn."""
    line, marker = LINES[pair.loops.name]
    colour = PALETTE[COLOURS[pair.stepper.name]]
    return {"linestyle": line, "marker": marker, "color": colour, "markersize": 5, "linewidth": 1.4, "label": pair.name}


def error_figure(found: Sequence[Compared], by: str) -> Any:
    """Largest errors of positions and pressures over the step (by "dt") or over the time computed (by "wall")."""
    titles = ("largest error of positions [rad, m]", "largest error of pressures [Pa]")
    with sheet(columns=2, width=11.0, height=4.6) as (drawing, panels):
        for k, (axes, title) in enumerate(zip(panels[0], titles, strict=True)):
            for one in found:
                points = sorted((point for point in one.points.values() if not point.failed), key=lambda p: p.dt)
                x = [1e3 * getattr(point, by) for point in points]
                axes.loglog(x, [point.errors[k] for point in points], **look(one.pair))
            axes.set_title(title)
            axes.set_xlabel("step [ms]" if by == "dt" else "computing for 10 s [ms]")
            if by == "dt":
                steps = sorted({1e3 * dt for one in found for dt in one.points})
                axes.set_xticks(steps, [f"{step:g}" for step in steps])
                axes.minorticks_off()
        if by == "dt":
            _slopes(panels[0][0])
        legend_below(drawing, panels[0][0])
    return drawing


def _slopes(axes: Any) -> None:
    """Where order one, two and four would lead."""
    for order, level in ((1, 3e-3), (2, 3e-4), (4, 3e-6)):
        steps = (0.5, 2.5)
        axes.loglog(steps, [level * (h / 2.5) ** order for h in steps], color=INK, linewidth=0.7)
        axes.annotate(f"{order}", (0.5, level * (0.5 / 2.5) ** order), ha="right", va="center", color=INK)


def violation_figure(results: Mapping[str, Result]) -> Any:
    """The largest violation over time at each level, by formulation; trapezoidal rule at the common step."""
    import numpy as np

    titles = {"gap": "positions [m, –]", "gap_dot": "speeds [m/s, 1/s]", "gap_ddot": "accelerations [m/s², 1/s²]"}
    with sheet(columns=3, width=11.0, height=3.6) as (drawing, panels):
        for axes, level in zip(panels[0], LEVELS, strict=True):
            for i, (name, result) in enumerate(results.items()):
                gaps = [np.abs(result.values(signal)) for signal in result.names if signal.endswith(f".{level}")]
                x, y = thinned(result.time, np.maximum(np.max(gaps, axis=0), 1e-18))
                axes.semilogy(x, y, color=PALETTE[i], linewidth=1.0, label=NAMES[name])
            axes.set_title(titles[level])
            axes.set_xlabel("time [s]")
        legend_below(drawing, panels[0][0])
    return drawing
