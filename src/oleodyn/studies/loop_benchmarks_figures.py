"""Figures of the report on benchmark machines with closed loops."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from oleodyn.result.plots import INK, PALETTE
from oleodyn.result.result import Result
from oleodyn.studies import loop_benchmarks_published as published
from oleodyn.studies.dissertation_figures import curves as drawn
from oleodyn.studies.dissertation_figures import legend_below, sheet

DOTS: dict[str, Any] = {"marker": "o", "linestyle": "none", "markersize": 4, "zorder": 3}


def angles(result: Result) -> Any:
    """beta and Theta turn round and round; the others swing. The published ends are dots."""
    groups = (published.ANGLES[:2], published.ANGLES[2:])
    with sheet(columns=2, width=11.0, height=3.4) as (drawing, panels):
        for axes, names in zip(panels[0], groups, strict=True):
            drawn(axes, {name: (1e3 * result.time, result.values(f"linkage.{name}.q")) for name in names})
            ends = [published.ANDREWS_ANGLES[published.ANGLES.index(name)] for name in names]
            axes.plot([30.0] * len(ends), ends, color=INK, clip_on=False, **DOTS)
            axes.set_xlabel("time [ms]")
            axes.set_ylabel("angle [rad]")
            axes.legend(loc="lower left", ncols=5, bbox_to_anchor=(0.0, 1.0), handlelength=1.2, columnspacing=1.0)
    return drawing


def curves(folded: Result, spun: Result) -> Any:
    """P3 of Bricard's mechanism and the governor's slider, with what was read from published figures."""
    with sheet(columns=2, width=11.0, height=3.6) as (drawing, panels):
        left, right = panels[0]
        drawn(left, {axis: (folded.time, folded.values(f"linkage.P3.r_{axis}")) for axis in "xyz"})
        read = np.array(list(published.BRICARD_P3.values()))
        for k in range(3):
            left.plot(list(published.BRICARD_P3), read[:, k], color=INK, **DOTS)
        drawn(right, {"s": (spun.time, spun.values("governor.s.q"))})
        right.plot(list(published.SLIDER), list(published.SLIDER.values()), color=INK, **DOTS)
        left.set_ylabel("P3 of bricard [m]")
        right.set_ylabel("slider of the governor [m]")
        left.legend(loc="lower left", ncols=3, bbox_to_anchor=(0.0, 1.0))
        for axes in (left, right):
            axes.set_xlabel("time [s]")
    return drawing


def errors(benches: Mapping[str, Any]) -> Any:
    """Error against the step."""
    return _scatter(benches, "step [ms]", lambda found: 1e3 * found.dt)


def costs(benches: Mapping[str, Any]) -> Any:
    """Error against the time for a simulated second."""
    return _scatter(benches, "time for a simulated second [ms]", lambda found: 1e3 * found.cost)


def _scatter(benches: Mapping[str, Any], label: str, along: Callable[[Any], float]) -> Any:
    names = list(dict.fromkeys(name for bench in benches.values() for name in bench.found if "," in name))
    lone = {"trapezoidal": "partitioning, trapezoidal", "hht": "partitioning, hht", "rk4": "partitioning, rk4"}
    from matplotlib.ticker import NullFormatter

    with sheet(columns=2, rows=2, width=11.0, height=7.2) as (drawing, panels):
        for axes, (title, bench) in zip(panels.ravel(), benches.items(), strict=True):
            for name, found in bench.found.items():
                colour = PALETTE[names.index(lone.get(name, name)) % len(PALETTE)]
                errors = [max(f.error, 1e-15) for f in found]
                axes.loglog([along(f) for f in found], errors, "o-", markersize=4, label=name, color=colour)
            axes.set_title(title if bench.machine.defaults.loops else f"{title}: no loops")
            axes.set_xlabel(label)
            axes.set_ylabel(f"error [{bench.unit}]")
            low, high = axes.get_xlim()
            axes.set_xlim(min(low, high / 12), high)  # a decade at least, so that two ticks have numbers
            axes.xaxis.set_minor_formatter(NullFormatter())
        legend_below(drawing, panels[0][1])
    return drawing
