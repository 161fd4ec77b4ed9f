"""The machine in a report: its parts and the numbers on them."""

from collections.abc import Mapping
from typing import Any

from oleodyn.result.display import number, shown
from oleodyn.result.drawing import drawing
from oleodyn.result.page import dotted, text, themed_drawing


def machine_summary(machine: Any) -> str:
    """The circuit, parts with their numbers, and what is connected; a text is shown as it is.

    Knows a machine by its `parts` (name → part with `fields`) and `connections` alone.
    """
    parts: Mapping[str, Any] | None = getattr(machine, "parts", None)
    if parts is None:
        return f'<div class="card"><pre>{text(machine)}</pre></div>'
    connections = getattr(machine, "connections", ())
    items = "".join(_part(name, part) for name, part in parts.items())
    joined = "".join(f'<tr><td class="name">{dotted(" = ".join(ends))}</td></tr>' for ends in connections)
    wires = (
        f"<details><summary><b>Connections</b><span class='t'>{len(connections)}</span></summary>"
        f"<table class='own'><tbody>{joined}</tbody></table></details>"
        if joined
        else ""
    )
    return f'{_circuit(machine)}<div class="card">{items}{wires}</div>'


def _circuit(machine: Any) -> str:
    """The drawing of what is connected, if anything is."""
    if not getattr(machine, "connections", ()):
        return ""
    return f'<div class="card scroll circuit">{themed_drawing(drawing(machine, heading=False))}</div>'


def _part(name: str, part: Any) -> str:
    meaning = (type(part).__doc__ or "").strip().splitlines()
    rows = "".join(
        f'<tr><td class="name">{dotted(path)}</td><td class="n">{text(value)}</td><td class="t">{text(told)}</td></tr>'
        for path, value, told in _numbers("", part)
    )
    return (
        f'<details><summary><b class="name">{text(name)}</b><span>{text(type(part).__name__)}</span>'
        f'<span class="t">{text(meaning[0] if meaning else "")}</span></summary>'
        f"<table class='own'><tbody>{rows}</tbody></table></details>"
    )


def _numbers(prefix: str, part: Any) -> list[tuple[str, str, str]]:
    """(path, value with unit, meaning) of every declared value, ingredients included."""
    rows: list[tuple[str, str, str]] = []
    for name, spec in getattr(part, "fields", {}).items():
        value, path = getattr(part, name), f"{prefix}{name}"
        if isinstance(value, Mapping):
            for key, inside in value.items():
                rows += _inside(f"{path}.{key}", inside, spec)
        else:
            rows += _inside(path, value, spec)
    return rows


def _inside(path: str, value: Any, spec: Any) -> list[tuple[str, str, str]]:
    if hasattr(value, "fields"):
        return [(path, type(value).__name__, spec.text), *_numbers(f"{path}.", value)]
    return [(path, _value(value, getattr(spec, "unit", "")), spec.text)]


def _value(value: Any, unit: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return shown(value, unit)
    if isinstance(value, tuple):
        return f"{_listed(value)} {'' if unit == '-' else unit}".strip()
    return str(value)


def _listed(values: tuple[Any, ...], most: int = 9) -> str:
    told = [
        _listed(v) if isinstance(v, tuple) else number(v) if isinstance(v, float) else str(v) for v in values[:most]
    ]
    return f"({', '.join(told)}{', …' if len(values) > most else ''})"
