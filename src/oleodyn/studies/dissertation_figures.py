"""Figures that both reports on the dissertation share."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from oleodyn.result.plots import INK, PALETTE, STYLE, thinned
from oleodyn.studies.dissertation import DT, Run

LIGHT: dict[str, Any] = {"linewidth": 1.2}


@contextmanager
def sheet(columns: int = 1, rows: int = 1, width: float = 7.2, height: float = 3.0) -> Generator[tuple[Any, Any]]:
    """A figure and its axes, in the style of the reports."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({**STYLE, "font.size": 11, "axes.labelsize": 11, "legend.fontsize": 10}):
        drawing = Figure(figsize=(width, height), layout="constrained")
        yield drawing, drawing.subplots(rows, columns, squeeze=False)


def curves(axes: Any, lines: Mapping[str, tuple[Any, Any]], **style: Any) -> None:
    """Named curves, each with its colour."""
    for i, (label, (x, y)) in enumerate(lines.items()):
        axes.plot(*thinned(x, y), label=label, color=PALETTE[i % len(PALETTE)], **LIGHT | style)


def legend_below(drawing: Any, axes: Any) -> None:
    """One legend under the whole figure."""
    handles, labels = axes.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 4))


def violation_figure(runs: Mapping[str, Run]) -> Any:
    """Violation of the constraints at the level of positions, speeds and accelerations."""
    import numpy as np

    titles = {"gap": "positions [m, –]", "gap_dot": "speeds [m/s, 1/s]", "gap_ddot": "accelerations [m/s², 1/s²]"}
    with sheet(columns=3, width=11.0, height=3.4) as (drawing, panels):
        for axes, (level, title) in zip(panels[0], titles.items(), strict=True):
            lines = {}
            for label, run in runs.items():
                worst = np.max([np.abs(run.result.values(name)) for name in run.gaps(level)], axis=0)
                lines[label] = run.result.time, np.maximum(worst, 1e-18)
            curves(axes, lines, linewidth=0.9)
            axes.set_yscale("log")
            axes.set_title(title)
            axes.set_xlabel("time [s]")
        legend_below(drawing, panels[0][0])
    return drawing


def energy_figure(run: Run) -> Any:
    """Energies and work over time, and what is left of the balance with both sums of the work."""
    result = run.result
    kinetic, potential = (result.values(f"linkage.{name}.energy") for name in ("kinetic", "potential"))
    with sheet(columns=2, width=11.0, height=3.4) as (drawing, panels):
        balance, left = panels[0]
        time = result.time
        curves(
            balance,
            {
                "kinetic energy": (time, kinetic - kinetic[0]), "potential energy": (time, potential - potential[0]),
                "work of the cylinder": (time, run.work()),
            },
        )  # fmt: skip
        curves(
            left,
            {
                "work by left rectangles, as published": (time, run.energy() - run.work(rectangles=True)),
                "work by trapezoids": (time, run.energy() - run.work()),
            },
        )  # fmt: skip
        balance.set_title("energies since the start [J]")
        left.set_title("what the balance leaves over [J]")
        for axes in (balance, left):
            axes.set_xlabel("time [s]")
            axes.legend(loc="best")
    return drawing


def iteration_figure(
    counts: Mapping[str, Any], edges: Sequence[float], before: float = 0.01, after: float = 0.06
) -> Any:
    """Newton iterations of each step around the edges of the voltage."""
    import numpy as np

    with sheet(columns=len(edges), width=11.0, height=3.0) as (drawing, panels):
        for axes, edge in zip(panels[0], edges, strict=True):
            a, b = round((edge - before) / DT), round((edge + after) / DT)
            ends = np.arange(a, b) * DT + DT
            for i, (label, count) in enumerate(counts.items()):
                shift = 0.06 * i
                axes.step(
                    1e3 * (ends - edge), count[a:b] + shift, where="pre", label=label, color=PALETTE[i % len(PALETTE)],
                    linewidth=1.1,
                )  # fmt: skip
            axes.set_ylim(0.5, max(int(count.max()) for count in counts.values()) + 0.7)
            axes.set_title(f"edge at {edge:g} s")
            axes.set_xlabel("time after the edge [ms]")
        panels[0][0].set_ylabel("iterations")
        legend_below(drawing, panels[0][0])
    return drawing


def difference_figure(a: Run, b: Run, names: Mapping[str, Sequence[str]]) -> Any:
    """How far two runs lie apart, for groups of signals."""
    import numpy as np

    with sheet(columns=len(names), width=11.0, height=3.0) as (drawing, panels):
        for axes, (title, group) in zip(panels[0], names.items(), strict=True):
            apart = np.max([np.abs(a.result.values(name) - b.result.values(name)) for name in group], axis=0)
            curves(axes, {title: (a.result.time, np.maximum(apart, 1e-16))}, linewidth=0.9)
            axes.set_yscale("log")
            axes.set_title(title)
            axes.set_xlabel("time [s]")
    return drawing


def order_figure(steps: Sequence[float], errors: Mapping[str, Any], unit: str) -> Any:
    """Errors over the step, beside the slope of order two."""
    import numpy as np

    h = np.array(steps)
    with sheet(width=5.4, height=3.6) as (drawing, panels):
        axes = panels[0][0]
        for i, (label, values) in enumerate(errors.items()):
            axes.loglog(1e3 * h, values, "o-", label=label, color=PALETTE[i % len(PALETTE)], markersize=4, **LIGHT)
        first = next(iter(errors.values()))
        axes.loglog(1e3 * h, 0.5 * first[0] * (h / h[0]) ** 2, "--", color=INK, linewidth=0.9, label="order 2")
        axes.set_xlabel("step [ms]")
        axes.set_title(f"largest error [{unit}]")
        axes.legend(loc="best")
    return drawing


def panels_figure(
    draw: Sequence[Callable[[Any], None]], titles: Sequence[str], labels: Sequence[tuple[str, str]], height: float = 3.4
) -> Any:
    """Panels side by side, each drawn by a function, with one legend for all."""
    with sheet(columns=len(draw), width=11.0, height=height) as (drawing, panels):
        for axes, function, title, (x, y) in zip(panels[0], draw, titles, labels, strict=True):
            function(axes)
            axes.set_title(title)
            axes.set_xlabel(x)
            axes.set_ylabel(y)
        legend_below(drawing, panels[0][0])
    return drawing
