"""Reports: a run as one HTML page that needs nothing else, to keep and to show."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from oleodyn.result.atomic import written_whole
from oleodyn.result.content import Check, Checks, Plots, Renderer, Section, legend
from oleodyn.result.display import display_of, number, shown
from oleodyn.result.energy import EnergyAccount
from oleodyn.result.machine_summary import machine_summary
from oleodyn.result.page import dotted, page, text, themed_svg
from oleodyn.result.plots import PALETTE, energy_figure, energy_layers, thinned
from oleodyn.result.result import Result

MANY = 60
"""Without a choice of plots, a result of more signals is plotted only up to this one."""


def report(
    result: Result,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    machine: Any = None,
    checks: Sequence[Check | Mapping[str, Any]] = (),
    sections: Sequence[Section] = (),
    plots: Sequence[Sequence[str]] | None = None,
    reference: Result | None = None,
) -> Path:
    """Write a report: summary, checks, own sections, plots, energy, signals, machine.

    plots       one plot for each list of names; by default all signals, by unit and kind
    reference   another result (a measurement), drawn dashed in the plots
    """
    renderer = Renderer()
    name = title or str(result.attrs.get("machine") or "Simulation result")
    contents = [("summary", "", tiles(result))]
    if checks:
        contents.append(("checks", "Published and computed", renderer.render(Checks(checks))))
    for section in sections:
        inner = "".join(map(renderer.render, section.parts))
        contents.append((renderer.anchor(), section.title, f'<div class="stack">{inner}</div>'))
    shown_names = plots if plots is not None or len(result.signals) <= MANY else [result.names[:MANY]]
    if result.signals and len(result.time) and (shown_names is None or any(shown_names)):
        contents.append(
            ("plots", "Signals over time", renderer.render(Plots(result, shown_names, reference=reference)))
        )
    if result.energy:
        contents.append(("energy", "Energy", energy_section(result.energy, renderer)))
    if result.signals:
        contents.append(("signals", "All signals", signal_table(result)))
    contents.append(("run", "Run", run_table(result)))
    if machine is not None:
        contents.append(("machine", "Machine", machine_summary(machine)))
    with written_whole(path) as place:
        place.write_text(page(name, head(result, name, machine), contents, foot(result)), encoding="utf-8")
    return Path(path)


def head(result: Result, title: str, machine: Any) -> str:
    """Title, a sentence on the machine, what was run."""
    lead = getattr(machine, "text", "") if machine is not None else ""
    chips = [
        (name, result.attrs[name]) for name in ("machine", "scenario", "stepper", "loops") if result.attrs.get(name)
    ]
    items = "".join(f"<li><b>{text(name)}</b> {text(value)}</li>" for name, value in chips)
    return (
        f"<h1>{text(title)}</h1>"
        + (f'<p class="lead">{text(lead)}</p>' if lead else "")
        + (f'<ul class="chips">{items}</ul>' if items else "")
    )


def foot(result: Result) -> str:
    """What made the page."""
    versions = result.attrs.get("versions")
    told = " · ".join(f"{name} {version}" for name, version in versions.items()) if isinstance(versions, dict) else ""
    return f"Made with oleodyn{f' ({text(told)})' if told else ''}. All values are kept in SI; pressures are absolute."


def tiles(result: Result) -> str:
    """The numbers one asks for first."""
    timing, found = result.timing, list[tuple[str, str, str]]()
    if len(result.time):
        found.append(("simulated", *_split(float(result.time[-1] - result.time[0]), "s")))
    if dt := timing.get("dt") or result.attrs.get("dt"):
        found.append(("step", *_split(float(dt), "s")))
    if "steps" in timing:
        found.append(("steps", f"{timing['steps']:,}".replace(",", " "), ""))
    if "wall_s" in timing:
        found.append(("computed in", *_split(float(timing["wall_s"]), "s")))
    if timing.get("real_time_factor"):
        found.append(("times real time", number(float(timing["real_time_factor"]), 3), "×"))
    if "us_per_step" in timing:
        found.append(("per step", *_split(1e-6 * float(timing["us_per_step"]), "s")))
    if result.energy and result.energy.throughput:
        found.append(("energy residual", number(result.energy.relative, 2), ""))
    cards = "".join(
        f'<div class="card"><span>{text(name)}</span><b>{text(value)} <small>{text(unit)}</small></b></div>'
        for name, value, unit in found
    )
    return f'<div class="tiles">{cards}</div>'


def energy_section(account: EnergyAccount, renderer: Renderer) -> str:
    """Where the work went: over time if recorded, and as a table."""
    ledger = f'<div class="card scroll">{energy_table(account)}</div>'
    if len(account.time) < 2:
        return ledger
    drawing = energy_figure(account, width=7.2, height=4.0, legend=False)
    axes = drawing.axes[0]
    unit = f'<span class="unit">{text(axes.get_ylabel())}</span>'
    axes.set_ylabel("")
    svg = themed_svg(drawing, renderer.anchor(), "energy stored and lost over time, below what was supplied")
    entries = [(name, f"var(--s{i % len(PALETTE) + 1})") for i, (name, _) in enumerate(energy_layers(account))]
    key = legend([*entries, ("supplied", "var(--ink)")])
    course = f'<figure class="card"><h3>Stored and lost, over time {unit}</h3>{svg}{key}</figure>'
    return f'<div class="pair">{course}{ledger}</div>'


def energy_table(account: EnergyAccount) -> str:
    """Every row of the account, with a bar as long as its part of what moved; small ones are folded away."""
    entries = list(account.entries())
    most = max([account.throughput, *(abs(joules) for _, _, joules in entries)])
    small = account.small
    rows = [_energy_row(*entry, most) for entry in entries if entry not in small]
    rows.append(
        f'<tr class="sum"><td>residual</td><td class="n">{text(shown(account.residual, "J", 3))}</td>'
        f'<td class="t">at most {number(account.relative, 2)} of what moved</td></tr>'
    )
    table = f"<table><tbody>{''.join(rows)}</tbody></table>"
    if small:
        folded = "".join(_energy_row(kind, f"{name} ({kind})", joules, most) for kind, name, joules in small)
        told = f"{len(small)} more, each below a millionth of what moved"
        table += f"<details><summary>{told}</summary><table><tbody>{folded}</tbody></table></details>"
    return table


def _energy_row(kind: str, name: str, joules: float, most: float) -> str:
    colours = {"supplied": "var(--ink)", "stored": "var(--s1)", "lost": "var(--s2)"}
    share = 100 * abs(joules) / most if most else 0.0
    bar = f"width: {share:.2f}%; background: {colours[kind]}; opacity: {0.45 if name else 1}"
    return (
        f'<tr class="{"row" if name else "sum"}"><td>{dotted(name or kind)}</td>'
        f'<td class="n">{text(shown(joules, "J"))}</td><td class="bar"><i style="{bar}"></i></td></tr>'
    )


def signal_table(result: Result) -> str:
    """Every signal: its course in small, smallest, largest and last value."""
    rows: list[str] = []
    for name, card in result.signals.items():
        values = result.values(name)
        finite = values[np.isfinite(values)]
        unit = display_of(card.unit, values)
        numbers = (finite.min(), finite.max(), values[-1]) if finite.size else (math.nan,) * 3
        cells = "".join(f'<td class="n">{number(float(value) * unit.factor)}</td>' for value in numbers)
        rows.append(
            f'<tr><td class="name">{dotted(name)}</td><td class="spark">{sparkline(result.time, values)}</td>{cells}'
            f'<td>{text(unit.unit)}</td><td class="t meaning">{text(card.text)}</td></tr>'
        )
    columns = "".join(f'<th class="n">{name}</th>' for name in ("min", "max", "final"))
    columns = f'<th>signal</th><th class="spark"></th>{columns}<th>unit</th><th>meaning</th>'
    field = '<input class="filter" type="search" placeholder="Filter signals" aria-label="Filter signals">'
    body = f"<table><thead><tr>{columns}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="card">{field}<div class="scroll">{body}</div></div>'


def sparkline(t: np.ndarray, y: np.ndarray) -> str:
    """The course of a signal in the space of a word."""
    t, y = thinned(t, y, 120)
    t, y = t[np.isfinite(y)], y[np.isfinite(y)]
    if len(t) < 2:
        return ""
    x = 119 * (t - t[0]) / ((t[-1] - t[0]) or 1.0) + 0.5
    low, span = y.min(), np.ptp(y)
    flat = span <= 1e-9 * np.abs(y).max(initial=0.0) or span == 0.0
    height = np.full_like(y, 12.0) if flat else 22 - 20 * (y - low) / span
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, height, strict=True))
    return f'<svg viewBox="0 0 120 24" preserveAspectRatio="none" aria-hidden="true"><path d="M{points}"/></svg>'


def run_table(result: Result) -> str:
    """All that is known about the run."""
    rows = [(name, value) for name, value in result.attrs.items() if name != "versions"]
    rows += [(name, value) for name, value in result.timing.items() if name not in result.attrs]
    rows.append(("recorded", f"{len(result.signals)} signals at {len(result.time)} instants"))
    told = "".join(
        f"<div><dt>{text(_RUN.get(name, (name,))[0].replace('_', ' '))}</dt><dd>{_value(name, value)}</dd></div>"
        for name, value in rows
    )
    return f'<dl class="card facts">{told}</dl>'


_RUN = {"dt": ("step", 1.0), "wall_s": ("computed in", 1.0), "us_per_step": ("time per step", 1e-6)}
"""What a duration in attrs or timing is called, and how many seconds its unit is."""


def _value(name: str, value: Any) -> str:
    if name in _RUN and isinstance(value, (int, float)):
        return text(shown(value * _RUN[name][1], "s"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return text(value)
    return text(f"{value:,}".replace(",", " ")) if isinstance(value, int) else number(value, 6)


def _split(value: float, unit: str) -> tuple[str, str]:
    """A number and the unit that suits it."""
    figures, _, name = shown(value, unit, 3).partition(" ")
    return figures, name
