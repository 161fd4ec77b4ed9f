"""The page of a report: style, vector pictures that follow the theme, escaping."""

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

from oleodyn.errors import DataError
from oleodyn.result.plots import GRID, INK, MUTED, PALETTE, to_svg

FILTER = """
for (const field of document.querySelectorAll("input.filter")) {
  const rows = field.parentElement.querySelectorAll("tbody tr");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
}
"""

_THEME = {
    INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)", "#000000": "var(--ink)", "#ffffff": "var(--card)",
    **{colour: f"var(--s{i})" for i, colour in enumerate(PALETTE, 1)},
}  # fmt: skip


def text(value: Any) -> str:
    """Any value as text that HTML shows as it is."""
    return html.escape(str(value))


def dotted(name: str) -> str:
    """A path that may break after its dots."""
    return text(name).replace(".", ".<wbr>").replace("=", "=<wbr>")


def page(title: str, head: str, contents: list[tuple[str, str, str]], foot: str) -> str:
    """A whole page that loads nothing: `contents` is (anchor, heading, body); no heading, no link."""
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    links = "".join(f'<a href="#{anchor}">{text(name)}</a>' for anchor, name, _ in contents if name)
    body = "".join(
        f'<section id="{anchor}">{f"<h2>{text(name)}</h2>" if name else ""}{inner}</section>'
        for anchor, name, inner in contents
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:\">"
        f"<title>{text(title)}</title><style>{style}</style></head><body>"
        f'<header><div class="wide">{head}</div></header><nav><div class="wide">{links}</div></nav>'
        f'<main class="wide">{body}<footer>{foot}</footer></main><script>{FILTER}</script></body></html>\n'
    )


def themed_svg(drawing: Any, salt: str, label: str) -> str:
    """A figure as SVG inside the page: its colours follow the theme, its letters are the page's."""
    svg = to_svg(drawing, salt)
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    named = f' role="img" aria-label="{text(label)}"'
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', lambda found: found[1] + named, svg, count=1)
    svg = re.sub(r' id="(?![pmhC][0-9a-f]{8,})[^"]*"', "", svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    svg = re.sub(r"#[0-9a-f]{6}\b", lambda found: _THEME.get(found[0], found[0]), svg)
    svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d\.\d{2})\d+", r"\1", tag[0]), svg)  # places, not labels
    return re.sub(r"\s*\n\s*", " ", svg)


def themed_drawing(svg: str) -> str:
    """A circuit drawing inside the page, in its own size: its colours follow the theme, its letters are the page's."""
    svg = re.sub(r' font-family="[^"]*"', "", svg, count=1)
    return re.sub(r'"(#[0-9a-f]{6})"', lambda found: f'"{_THEME.get(found[1], found[1])}"', svg)


def png(data: bytes, label: str) -> str:
    """A picture inside the page."""
    return f'<img alt="{text(label)}" src="data:image/png;base64,{base64.b64encode(data).decode("ascii")}">'


def script(code: str, anchor: str, data: Any) -> str:
    """A script that gets its element as `root` and its data as `data`."""
    if "</script" in code.lower() or "<!--" in code:
        raise DataError("a script in a report may hold neither '</script' nor '<!--'. Split the text in two.")
    try:
        literal = json.dumps(data, default=lambda value: value.tolist())
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"the data of a block cannot be written as JSON ({error})") from None
    literal = literal.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'<script>((root, data) => {{{code}\n}})(document.getElementById("{anchor}"), {literal})</script>'
