"""One symbol alone, as an SVG picture: for the page of its part."""

from oleodyn.result.circuit.ink import PAPER, plain, stroke
from oleodyn.result.circuit.symbol import M, Symbol, line

MARGIN = 1.0
"""Paper around the symbol, in modules."""


def symbol_picture(symbol: Symbol, title: str) -> str:
    """A symbol with the leads of its ports."""
    leads = [line(*pin.lead, look=pin.look) for name, pin in symbol.pins.items() if pin.lead and name != "u"]
    strokes = [*leads, *symbol.strokes]
    points = [(x, y, one.r) for one in strokes for x, y in one.points]
    left, right = min(x - r for x, _, r in points) - MARGIN, max(x + r for x, _, r in points) + MARGIN
    top, bottom = min(y - r for _, y, r in points) - MARGIN, max(y + r for _, y, r in points) + MARGIN
    width, height = plain((right - left) * M), plain((bottom - top) * M)
    drawn = "".join(stroke(one, -left, -top) for one in strokes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title><rect width="100%" height="100%" fill="{PAPER}"/>{drawn}</svg>\n'
    )
