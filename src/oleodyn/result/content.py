"""What a report is made of: texts, tables, checks, pictures, plots and live blocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oleodyn.errors import DataError
from oleodyn.result.display import number
from oleodyn.result.page import dotted, png, script, text, themed_svg
from oleodyn.result.plots import PALETTE, STYLE, Group, draw, groups
from oleodyn.result.result import Result


@dataclass(frozen=True)
class Table:
    """Rows of texts and numbers under a head; numbers are set right."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: str = ""


@dataclass(frozen=True)
class Check:
    """One number beside what was published; `ok` is the verdict, None if there is none."""

    name: str
    published: Any
    computed: Any
    unit: str = "-"
    ok: bool | None = None

    def __post_init__(self):
        if self.ok is not None:  # a verdict from NumPy is a verdict
            object.__setattr__(self, "ok", bool(self.ok))


@dataclass(frozen=True)
class Checks:
    """A table published | computed | verdict. Rows are Check or dicts with the same names."""

    rows: Sequence[Check | Mapping[str, Any]]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """A matplotlib Figure (drawn as vectors, in the colours of the page) or the bytes of a PNG."""

    picture: Any
    caption: str = ""


@dataclass(frozen=True)
class Plots:
    """Signals over time; each list of names is a plot, without lists all signals are shown."""

    result: Result
    names: Sequence[Sequence[str]] | None = None
    titles: Sequence[str] = ()
    reference: Result | None = None


@dataclass(frozen=True)
class Block:
    """HTML that goes into the page as it is, with a script and its data: an animation.

    The script is the body of a function of `root`, the element that holds the HTML, and `data`.
    Both are code: never put a user's text in them, hand it over in `data`.
    """

    html: str
    script: str = ""
    data: Any = None


@dataclass(frozen=True)
class Row:
    """Contents side by side where there is room, else one below the other."""

    parts: Sequence[Any]


Content = str | Table | Checks | Picture | Plots | Block | Row


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it; a plain text is a paragraph."""

    title: str
    parts: Sequence[Content] = field(default_factory=tuple[Content, ...])


class Renderer:
    """Turns contents into HTML; counts, so that no two elements share a name."""

    def __init__(self):
        self.count = 0

    def anchor(self) -> str:
        """A name that no other element has."""
        self.count += 1
        return f"part-{self.count}"

    def render(self, part: Content) -> str:
        """The HTML of one content."""
        if isinstance(part, str):
            return f"<p>{text(part)}</p>"
        if isinstance(part, Table):
            return f'<div class="card scroll">{table(part.head, part.rows, part.caption)}</div>'
        if isinstance(part, Checks):
            return f'<div class="card scroll">{checks(part)}</div>'
        if isinstance(part, Picture):
            return self.picture(part)
        if isinstance(part, Plots):
            return self.plots(part)
        if isinstance(part, Row):
            return f'<div class="plots">{"".join(f"<div>{self.render(inner)}</div>" for inner in part.parts)}</div>'
        if isinstance(part, Block):
            anchor = self.anchor()
            code = script(part.script, anchor, part.data) if part.script else ""
            return f'<div class="card" id="{anchor}">{part.html}</div>{code}'
        raise DataError(f"{part!r} cannot stand in a report. Use a text, Table, Checks, Picture, Plots, Row or Block.")

    def picture(self, part: Picture) -> str:
        """A figure or PNG with its caption."""
        label = part.caption or "figure"
        width = ""
        if isinstance(part.picture, bytes):
            inner = png(part.picture, label)
        elif hasattr(part.picture, "savefig"):
            inner = themed_svg(part.picture, self.anchor(), label)
            width = f"max-width: {100 * part.picture.get_figwidth():.0f}px"
        else:
            raise DataError(
                f"a Picture holds a matplotlib Figure or the bytes of a PNG, not {type(part.picture).__name__}"
            )
        caption = f"<figcaption>{text(part.caption)}</figcaption>" if part.caption else ""
        return f'<figure class="card"><div style="{width}">{inner}</div>{caption}</figure>'

    def plots(self, part: Plots) -> str:
        """A grid of plots over time, each with its legend."""
        titles = dict(enumerate(part.titles))
        panels: list[str] = []
        for i, names in enumerate([None] if part.names is None else part.names):
            for group in groups(part.result, names):
                panels.append(self.panel(part.result, group, titles.get(i, ""), part.reference))
        return f'<div class="plots">{"".join(panels)}</div>'

    def panel(self, result: Result, group: Group, title: str, reference: Result | None) -> str:
        """One plot over time."""
        from matplotlib import rc_context
        from matplotlib.figure import Figure

        with rc_context({**STYLE, "font.size": 12, "axes.labelsize": 12, "xtick.labelsize": 11, "ytick.labelsize": 11}):
            drawing = Figure(figsize=(7.2, 3.3), layout="constrained")
            axes = drawing.subplots()
            draw(axes, result, group, reference=reference)
            axes.set_ylabel("")
            axes.set_xlabel("time [s]")
        heading = title or group.title.capitalize() or group.names[0]
        svg = themed_svg(drawing, self.anchor(), f"{heading}: {', '.join(group.names)} over time")
        dashed = '<li class="t">dashed: reference</li>' if reference is not None else ""
        unit = f'<span class="unit">{text(group.display.unit)}</span>'
        entries = [(name, f"var(--s{i % len(PALETTE) + 1})") for i, name in enumerate(group.names)]
        return f'<figure class="card"><h3>{text(heading)} {unit}</h3>{svg}{legend(entries, dashed)}</figure>'


def legend(entries: Sequence[tuple[str, str]], more: str = "") -> str:
    """Names beside their colours."""
    items = "".join(
        f'<li><i style="background: {colour}"></i><span class="name">{dotted(name)}</span></li>'
        for name, colour in entries
    )
    return f'<ul class="legend">{items}{more}</ul>'


def table(head: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """A table; a column is set right if it holds numbers only."""
    for row in rows:
        if len(row) != len(head):
            raise DataError(f"table row {list(row)!r} has {len(row)} values under {len(head)} names")
    right = [bool(rows) and all(map(_numeric, column)) for column in zip(*rows, strict=True)] or [False] * len(head)
    names = "".join(f"<th{_right(yes)}>{text(name)}</th>" for yes, name in zip(right, head, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{_right(yes)}>{_cell(value)}</td>' for yes, value in zip(right, row, strict=True))}</tr>"
        for row in rows
    )
    top = f"<caption>{text(caption)}</caption>" if caption else ""
    return f'<table class="own">{top}<thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>'


_AGREES = '<span class="ok">✓ agrees</span>'
_DIFFERS = '<span class="no">✗ differs</span>'


def checks(part: Checks) -> str:
    """The table published | computed | verdict."""
    rows: list[str] = []
    for given in part.rows:
        row = given if isinstance(given, Check) else _check_of(given)
        verdict = "–" if row.ok is None else _AGREES if row.ok else _DIFFERS
        published, computed = (_with_unit(value, row.unit) for value in (row.published, row.computed))
        rows.append(f"<tr><td>{text(row.name)}</td>{published}{computed}<td>{verdict}</td></tr>")
    top = f"<caption>{text(part.caption)}</caption>" if part.caption else ""
    return (
        f'<table>{top}<thead><tr><th>quantity</th><th class="n">published</th><th class="n">computed</th>'
        f"<th>verdict</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _with_unit(value: Any, unit: str) -> str:
    told = f' <span class="t">{text(unit)}</span>' if unit != "-" and value is not None and _numeric(value) else ""
    return f'<td class="n">{_cell(value)}{told}</td>'


def _check_of(given: Mapping[str, Any]) -> Check:
    try:
        return Check(**given)
    except TypeError:
        raise DataError(
            f"check {dict(given)!r}: must have name, published, computed, and may have unit and ok"
        ) from None


def _numeric(value: Any) -> bool:
    return value is None or (hasattr(value, "__float__") and not isinstance(value, (bool, str)))


def _right(yes: bool) -> str:
    return ' class="n"' if yes else ""


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return number(float(value)) if _numeric(value) else text(value)
