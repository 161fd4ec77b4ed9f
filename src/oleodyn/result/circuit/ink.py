"""Strokes, letters and lines as SVG elements."""

import html

from oleodyn.result.circuit.symbol import M, Point, Stroke
from oleodyn.result.plots import INK, MUTED, PALETTE

PAPER = "#ffffff"
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
SUPPLY, RETURN, ACTION = PALETTE[1], PALETTE[0], PALETTE[2]

LOOKS = {
    "line": f'fill="none" stroke="{INK}" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round"',
    "thin": f'fill="none" stroke="{INK}" stroke-width="0.9" stroke-linecap="round" stroke-linejoin="round"',
    "dashed": f'fill="none" stroke="{INK}" stroke-width="1.1" stroke-dasharray="4 2.5"',
    "frame": f'fill="none" stroke="{INK}" stroke-width="0.8" stroke-dasharray="7 2 2 2"',
    "filled": f'fill="{INK}" stroke="none"',
    "open": f'fill="{PAPER}" stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"',
    "blank": f'fill="{PAPER}" stroke="none"',
}
ROLES = {
    "supply": ("supply", f'stroke="{SUPPLY}" stroke-width="1.8"'),
    "return": ("return to tank", f'stroke="{RETURN}" stroke-width="1.6"'),
    "work": ("working line", f'stroke="{INK}" stroke-width="1.6"'),
    "pilot": ("pilot or drain", f'stroke="{INK}" stroke-width="1.1" stroke-dasharray="5 3"'),
    "mechanical": ("mechanical", f'stroke="{MUTED}" stroke-width="4.5"'),
    "signal": ("signal", f'stroke="{ACTION}" stroke-width="1.1" stroke-dasharray="7 2 1.5 2"'),
}
"""How the line of a net looks: its name in the legend, its stroke."""
COLOUR = {"supply": SUPPLY, "return": RETURN, "work": INK, "pilot": INK, "mechanical": MUTED, "signal": ACTION}


def plain(value: float) -> str:
    """A number without needless digits.

    >>> plain(12.0), plain(-0.001), plain(7.25)
    ('12', '0', '7.25')
    """
    return f"{value + 0.0 if abs(value) >= 0.005 else 0.0:.2f}".rstrip("0").rstrip(".")


def letters(
    x: float, y: float, text: str, size: float, *, fill: str = INK, anchor: str = "start", bold: bool = False,
    upright: bool = False,
) -> str:  # fmt: skip
    """A text whose line begins, ends or has its middle at x and stands on y."""
    weight = ' font-weight="600"' if bold else ""
    turn = f' transform="rotate(-90 {plain(x)} {plain(y)})"' if upright else ""
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{plain(x)}" y="{plain(y)}" font-size="{plain(size)}" fill="{fill}"{at}{weight}{turn}>'
        f"{html.escape(text)}</text>"
    )


def stroke(one: Stroke, x: float, y: float) -> str:
    """A stroke of a symbol whose corner is at x, y [modules]."""
    points = [((x + px) * M, (y + py) * M) for px, py in one.points]
    if one.kind == "text":
        return letters(points[0][0], points[0][1] + 0.36 * one.size, one.text, one.size, anchor="middle")
    if one.look == "double":
        return double(path(points))
    look = LOOKS[one.look]
    if one.kind == "circle":
        return f'<circle cx="{plain(points[0][0])}" cy="{plain(points[0][1])}" r="{plain(one.r * M)}" {look}/>'
    if one.kind == "curve":
        handles = " ".join(f"{plain(px)} {plain(py)}" for px, py in points[1:])
        return f'<path d="M{plain(points[0][0])} {plain(points[0][1])} C{handles}" {look}/>'
    return f'<path d="{path(points)}{"Z" if one.kind == "area" else ""}" {look}/>'


def path(points: list[Point]) -> str:
    """A line through points [px]."""
    return "M" + " L".join(f"{plain(px)} {plain(py)}" for px, py in points)


def double(d: str) -> str:
    """A mechanical line: two thin ones, side by side."""
    ends = 'fill="none" stroke-linejoin="round"'
    return f'<path d="{d}" {ends} {ROLES["mechanical"][1]}/><path d="{d}" {ends} stroke="{PAPER}" stroke-width="2.3"/>'


def lined(d: str, role: str, pilot: bool = False) -> str:
    """The line of a net; what leads a pilot pressure or a drain is thin and dashed."""
    if role == "mechanical":
        return double(d)
    if pilot:
        drawn = ROLES["pilot"][1].replace(INK, COLOUR[role])
        return f'<path d="{d}" fill="none" stroke-linejoin="round" {drawn}/>'
    return f'<path d="{d}" fill="none" stroke-linejoin="round" {ROLES[role][1]}/>'
