"""Plots of results: over time, one against another, and where the energy went.

Figures are made without pyplot: nothing global changes, no window opens, threads may draw.
"""

import io
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.result.display import Display, display_of
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c4b9b", "#7f7f7f")
"""Colours that stay apart for colour-blind eyes and in print (Okabe and Ito, without yellow)."""
INK, MUTED, GRID = "#1b2733", "#5b6770", "#dfe4e8"
LINES = 6
"""More signals than this in one plot are split over several."""
POINTS = 1500
"""A curve is drawn with about as many points: what a screen can show."""
LAYER_POINTS = 400
"""The same for the edges of a stacked area."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 10.5, "axes.titleweight": "bold",
    "axes.titlelocation": "left", "axes.labelsize": 10, "axes.labelcolor": MUTED, "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "axes.titlecolor": INK, "text.color": INK, "grid.color": GRID, "grid.linewidth": 0.8,
    "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelsize": 9, "ytick.labelsize": 9, "xtick.major.size": 3,
    "ytick.major.size": 3, "lines.linewidth": 1.6, "lines.solid_joinstyle": "round", "legend.frameon": False,
    "legend.fontsize": 9, "legend.labelcolor": INK, "figure.facecolor": "none", "axes.facecolor": "none",
    "axes.formatter.useoffset": False, "axes.formatter.limits": (-3, 5), "axes.unicode_minus": True,
    "savefig.facecolor": "none", "svg.fonttype": "none",
}  # fmt: skip


@dataclass(frozen=True)
class Group:
    """Signals that share one plot and its axis."""

    names: tuple[str, ...]
    display: Display
    title: str = ""

    @property
    def label(self) -> str:
        """What is written at the axis."""
        return self.display.unit or "–"


def groups(result: Result, names: Sequence[str] | None = None) -> list[Group]:
    """Signals sorted into plots: of one unit and kind together, a few in each."""
    chosen = list(dict.fromkeys(result.resolve(name) for name in (result.names if names is None else names)))
    sorts: dict[tuple[str, str], list[str]] = {}
    for name in chosen:
        card = result.signals[name]
        sorts.setdefault((card.unit, card.kind if names is None else ""), []).append(name)
    found: list[Group] = []
    for (unit, kind), members in sorts.items():
        count = math.ceil(len(members) / LINES)
        size = math.ceil(len(members) / count)
        for i in range(count):
            part = tuple(members[i * size : (i + 1) * size])
            chosen_unit = display_of(unit, np.concatenate([result.values(name) for name in part]))
            found.append(Group(part, chosen_unit, kind if kind != "other" else ""))
    return found


def figure(
    result: Result,
    names: Sequence[str] | None = None,
    *,
    reference: Result | None = None,
    labels: Mapping[str, str] | None = None,
    width: float = 8.0,
) -> "Figure":
    """Signals over time, those of one unit in one plot; `reference` is drawn dashed behind them."""
    panels = groups(result, names)
    if not panels:
        raise DataError("there is nothing to plot: the result has no signals")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        drawing = Figure(figsize=(width, 0.5 + 2.3 * len(panels)), layout="constrained")
        several = drawing.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, group in zip(several, panels, strict=True):
            draw(axes, result, group, reference=reference, labels=labels)
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
        several[-1].set_xlabel("time [s]")
    return drawing


def draw(
    axes: "Axes",
    result: Result,
    group: Group,
    *,
    reference: Result | None = None,
    labels: Mapping[str, str] | None = None,
) -> None:
    """Draw a group of signals over time into given axes."""
    for i, name in enumerate(group.names):
        colour = PALETTE[i % len(PALETTE)]
        if reference is not None and name in reference:
            t, y = thinned(reference.time, reference.values(name) * group.display.factor)
            axes.plot(t, y, color=colour, linestyle=(0, (4, 2)), linewidth=1.1, alpha=0.8)
        t, y = thinned(result.time, result.values(name) * group.display.factor)
        axes.plot(t, y, color=colour, label=(labels or {}).get(name, name), marker="." if len(t) == 1 else "")
    axes.set_ylabel(group.label)
    _calm(axes, result, group)


def path_figure(result: Result, x: str, y: str, *, width: float = 5.5, equal: bool | None = None) -> "Figure":
    """One signal against another, with a mark at the start and one at the end.

    `equal` draws both axes to one scale; by default if both have the same unit.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    units = result.unit(x), result.unit(y)
    same = units[0] == units[1]
    both = np.concatenate([result.values(x), result.values(y)])
    shown = [display_of(unit, both if same else result.values(name)) for unit, name in zip(units, (x, y), strict=True)]
    with rc_context(STYLE):
        drawing = Figure(figsize=(width, 0.8 * width), layout="constrained")
        axes = drawing.subplots()
        a, b = (result.values(name) * unit.factor for name, unit in zip((x, y), shown, strict=True))
        axes.plot(a, b, color=PALETTE[0])
        if len(a):
            axes.plot(a[0], b[0], "o", color=PALETTE[2], label="start", markersize=6)
            axes.plot(a[-1], b[-1], "s", color=PALETTE[1], label="end", markersize=6)
            axes.legend(loc="best")
        axes.set_xlabel(f"{x} [{shown[0].unit or '–'}]")
        axes.set_ylabel(f"{y} [{shown[1].unit or '–'}]")
        if same if equal is None else equal:
            axes.set_aspect("equal", adjustable="datalim")
    return drawing


def energy_figure(account: EnergyAccount, *, width: float = 8.0, height: float = 3.2, legend: bool = True) -> "Figure":
    """What was stored and lost, stacked over time, under the line of what was supplied."""
    if not len(account.time):
        raise DataError("the energy account was not recorded over time. Its table has the totals.")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    at = np.unique(np.linspace(0, len(account.time) - 1, min(len(account.time), LAYER_POINTS)).astype(int))
    time = account.time[at]
    layers = [(name, y[at]) for name, y in energy_layers(account)]
    came = [row.account == "supplied" for row in account.rows]
    supplied = account.history[at][:, came].sum(axis=1)
    unit = display_of("J", np.concatenate([supplied, *(y for _, y in layers)]))
    with rc_context(STYLE):
        drawing = Figure(figsize=(width, height), layout="constrained")
        axes = drawing.subplots()
        above, below = np.zeros_like(time), np.zeros_like(time)
        for i, (name, y) in enumerate(layers):
            colour = PALETTE[i % len(PALETTE)]
            y = y * unit.factor
            for base, part in ((above, np.maximum(y, 0.0)), (below, np.minimum(y, 0.0))):
                if part.any():
                    lower, upper = base.copy(), base + part
                    axes.fill_between(time, lower, upper, color=colour, alpha=0.75, linewidth=0)
                    base += part
            axes.plot([], [], color=colour, linewidth=6, alpha=0.75, label=name)
        axes.plot(time, supplied * unit.factor, color=INK, label="supplied")
        axes.set_ylabel(unit.unit)
        axes.set_xlabel("time [s]")
        axes.margins(x=0.0)
        if legend:
            axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return drawing


def energy_layers(account: EnergyAccount) -> list[tuple[str, np.ndarray]]:
    """Stored and lost rows over time, largest first; what does not fit is summed as "others"."""
    rows = [(row.name, y) for row, y in zip(account.rows, account.history.T, strict=True) if row.account != "supplied"]
    rows.sort(key=lambda item: -float(np.abs(item[1]).max(initial=0.0)))
    limit = len(PALETTE) - 1
    if len(rows) <= limit:
        return rows
    return [*rows[: limit - 1], ("others", np.sum([y for _, y in rows[limit - 1 :]], axis=0))]


def thinned(t: np.ndarray, y: np.ndarray, points: int = POINTS) -> tuple[np.ndarray, np.ndarray]:
    """A curve of few points that looks the same: lowest and highest of each short span stay."""
    if len(t) <= points:
        return t, y
    edges = np.linspace(0, len(t), points // 2 + 1).astype(int)
    kept = {0, len(t) - 1}
    for a, b in itertools.pairwise(edges):
        part = y[a:b]
        if np.isfinite(part).any():
            kept |= {a + int(np.nanargmin(part)), a + int(np.nanargmax(part))}
        if not np.isfinite(part).all():
            kept.add(a + int(np.argmin(np.isfinite(part))))
    at = np.array(sorted(kept))
    return t[at], y[at]


def to_svg(drawing: "Figure", salt: str = "oleodyn") -> str:
    """The figure as SVG text, the same for the same figure; `salt` keeps names apart on one page."""
    from matplotlib import rc_context

    stream = io.StringIO()
    with rc_context({**STYLE, "svg.hashsalt": salt}):
        drawing.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


def to_png(drawing: "Figure", dpi: float = 150.0) -> bytes:
    """The figure as PNG on white."""
    from matplotlib import rc_context

    stream = io.BytesIO()
    with rc_context(STYLE):
        drawing.savefig(stream, format="png", dpi=dpi, facecolor="white", metadata={"Software": None})
    return stream.getvalue()


def _calm(axes: Any, result: Result, group: Group) -> None:
    """No dramatic axis for a signal that only rounds: at least a small span around it."""
    low, high = axes.get_ylim()
    values = np.abs(np.concatenate([result.values(name) for name in group.names]))
    size = float(values[np.isfinite(values)].max(initial=0.0))
    least = max(1e-6 * size * group.display.factor, 1e-12)
    if high - low < least:
        middle = (high + low) / 2
        axes.set_ylim(middle - 10 * least, middle + 10 * least)
    if len(result.time) > 1:
        axes.set_xlim(float(result.time[0]), float(result.time[-1]))
