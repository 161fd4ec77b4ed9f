"""Figures of the pipe cutter's studies, drawn as the paper draws them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oleodyn.kinematics.path import Path
from oleodyn.result.content import Picture
from oleodyn.result.plots import INK, MUTED, PALETTE, STYLE, thinned
from oleodyn.result.result import Result
from oleodyn.studies.pipe_cutter_runs import AXES, JOINTS, SCALES, UNITS, joints, tool_error, tool_point
from oleodyn.units import bar, mA, mm


@dataclass(frozen=True)
class Curve:
    """One line: its points, its name, and how it is drawn."""

    x: Any
    y: Any
    name: str = ""
    dashed: bool = False


Panel = tuple[str, Sequence[Curve]]
"""What stands at the vertical axis, and the curves."""


def panels(
    rows: Sequence[Panel], x: str, caption: str, columns: int = 1, width: float = 9.0, height: float = 2.3
) -> Picture:
    """Plots in a grid with one horizontal axis each below the other."""

    def drawn(axes: Any) -> None:
        for k, (ax, (label, curves)) in enumerate(zip(axes, rows, strict=True)):
            for i, curve in enumerate(curves):
                _line(ax, curve, PALETTE[i % len(PALETTE)])
            ax.set_ylabel(label)
            if k >= len(rows) - columns:
                ax.set_xlabel(x)
            if any(curve.name for curve in curves):
                ax.legend(
                    loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=min(6, len(curves)), fontsize=8,
                    handlelength=1.4, columnspacing=1.0, borderaxespad=0.0,
                )  # fmt: skip

    lines = -(-len(rows) // columns)
    return _picture(drawn, lines, columns, (width, 0.4 + height * lines), caption, share=True)


def _line(ax: Any, curve: Curve, colour: str) -> None:
    x, y = np.asarray(curve.x), np.asarray(curve.y)
    if (np.diff(x) >= 0).all():
        x, y = thinned(x, y)
    style = {"color": MUTED, "linestyle": (0, (4, 2)), "linewidth": 1.2} if curve.dashed else {"color": colour}
    ax.plot(x, y, label=curve.name or None, **style)


def _picture(
    draw: Callable[[Any], None], rows: int, columns: int, size: tuple[float, float], caption: str, share: bool = False
) -> Picture:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        axes = np.atleast_1d(figure.subplots(rows, columns, sharex=share)).ravel()
        draw(axes)
    return Picture(figure, caption)


def tool_path(result: Result, path: Path, across: tuple[int, int], caption: str, swell: float = 1.0) -> Picture:
    """The tool's way in a plane, its deviation drawn `swell` times as large, and the path."""
    wanted = path.poses(result.time)[:, :3, 3]
    shown = (wanted + swell * (tool_point(result) - wanted)) / mm
    wanted = wanted / mm
    i, j = across

    def drawn(axes: Any) -> None:
        ax = axes[0]
        _line(ax, Curve(wanted[:, i], wanted[:, j], "path", dashed=True), INK)
        _line(ax, Curve(shown[:, i], shown[:, j], f"tool, error × {swell:g}" if swell != 1 else "tool"), PALETTE[0])
        ax.set_aspect("equal", adjustable="datalim")
        ax.set_xlabel(f"{AXES[i]} [mm]")
        ax.set_ylabel(f"{AXES[j]} [mm]")
        ax.legend(loc="upper right", fontsize=8)

    return _picture(drawn, 1, 1, (5.4, 4.6), caption)


def errors_over_time(result: Result, path: Path, caption: str) -> Picture:
    """Tool point minus path in X, Y and Z."""
    error = tool_error(result, path) / mm
    rows = [(f"{axis} [mm]", [Curve(result.time, error[:, k])]) for k, axis in enumerate(AXES)]
    return panels(rows, "time [s]", caption, height=1.6)


def joints_and_references(result: Result, caption: str) -> Picture:
    """Each joint with its reference."""
    q = joints(result)
    wanted = _six(result, "pid_{}.q_ref")
    rows = [
        (
            f"{name} [{unit}]",
            [Curve(result.time, q[:, k], "joint"), Curve(result.time, wanted[:, k], "reference", True)],
        )
        for k, (name, unit) in enumerate(zip(JOINTS, UNITS, strict=True))
    ]
    return panels(rows, "time [s]", caption, columns=2, height=1.9)


def _six(result: Result, name: str) -> np.ndarray:
    return np.stack([result.values(name.format(i)) for i in range(1, 7)], axis=1) / SCALES


def currents(result: Result, caption: str) -> Picture:
    """Current of every valve."""
    curves = [Curve(result.time, result.values(f"pid_{i}.u") / mA, f"valve {i}") for i in range(1, 7)]
    return panels([("current [mA]", curves)], "time [s]", caption, height=2.8)


def pressures(result: Result, caption: str) -> Picture:
    """Both chambers of every motor."""
    rows = [
        (f"motor {i} [bar]", [Curve(result.time, result.values(f"motor_{i}.{side}.p") / bar, side) for side in "AB"])
        for i in range(1, 7)
    ]
    return panels(rows, "time [s]", caption, columns=2, height=1.7)
