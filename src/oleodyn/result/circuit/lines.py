"""Symbols of what oil passes or fills: restrictions, filters, lines, accumulators, volumes."""

from dataclasses import replace

from oleodyn.result.circuit.symbol import (
    NORTH,
    SOUTH,
    WEST,
    Pin,
    Stroke,
    Symbol,
    area,
    arrow,
    circle,
    curve,
    line,
    rect,
)

TOP = "'"
"""What the upper end of a hose is called whose two ends are one port."""


def _through(strokes: tuple[Stroke, ...], own: bool = True) -> Symbol:
    """A symbol of two ports, A below and B above."""
    pins = {"A": Pin(2, 4, SOUTH), "B": Pin(2, 0, NORTH), "u": Pin(0, 3, WEST, ((0, 3), (0.5, 3)))}
    way = (line((2, 0), (2, 4)),) if own else ()
    return Symbol(4, 4, (*way, *strokes), pins, "inline", (3.6, 1.5), ups=("A", "B"))


def throttle(adjustable: bool = False) -> Symbol:
    """A restriction with a length: it feels viscosity."""
    bows = tuple(
        curve((2 + 0.85 * k, 0.8), (2 + 0.2 * k, 1.5), (2 + 0.2 * k, 2.5), (2 + 0.85 * k, 3.2)) for k in (-1, 1)
    )
    return _through((*bows, *(arrow((0.5, 3.3), (3.5, 0.7), look="thin") if adjustable else ())))


def orifice() -> Symbol:
    """A restriction with a sharp edge."""
    return _through(tuple(line((2 + 0.9 * k, 1.2), (2 + 0.25 * k, 2), (2 + 0.9 * k, 2.8)) for k in (-1, 1)))


def resistance() -> Symbol:
    """A restriction as long as a capillary."""
    return _through(
        tuple(curve((2 + 0.8 * k, 0.5), (2 + 0.35 * k, 1), (2 + 0.35 * k, 3), (2 + 0.8 * k, 3.5)) for k in (-1, 1))
    )


def strainer() -> Symbol:
    """A filter."""
    strokes = (
        area((2, 0.4), (3.6, 2), (2, 3.6), (0.4, 2)), line((0.4, 2), (3.6, 2), look="dashed"),
        line((2, 0), (2, 0.4)), line((2, 3.6), (2, 4)),
    )  # fmt: skip
    return replace(_through(strokes, own=False), label=(4.1, 1.2))


def _bow() -> tuple[Stroke, ...]:
    ends = (circle(2, 0.5, 0.2, look="filled"), circle(2, 3.5, 0.2, look="filled"))
    bow = curve((2, 0.5), (3.4, 1.3), (3.4, 2.7), (2, 3.5))
    return (line((2, 0), (2, 0.5)), bow, line((2, 3.5), (2, 4)), *ends)


def hose(lower: str = "A", upper: str = "B") -> Symbol:
    """A flexible line between two places."""
    pins = {lower: Pin(2, 4, SOUTH, letter=lower == "A"), upper: Pin(2, 0, NORTH, letter=lower == "A")}
    return Symbol(4, 4, _bow(), pins, "inline", (3.6, 1.5), ups=(lower, upper))


def hanging_hose() -> Symbol:
    """A flexible line whose other end is not told: what it holds counts where it is fastened."""
    return Symbol(
        4, 4, (*_bow(), line((1.4, 0), (2.6, 0))), {"port": Pin(2, 4, SOUTH)}, "end", (3.6, 1.5), ups=("port", "")
    )


def pipe() -> Symbol:
    """A rigid line of some length."""
    return _through((rect(1.65, 0.5, 0.7, 3),))


def accumulator() -> Symbol:
    """Oil against gas."""
    shell = curve(
        (0.9, 1.5), (0.9, 0.1), (3.1, 0.1), (3.1, 1.5), (3.1, 2.2), (3.1, 2.8), (3.1, 3.5),
        (3.1, 4.9), (0.9, 4.9), (0.9, 3.5), (0.9, 2.8), (0.9, 2.2), (0.9, 1.5), look="open",
    )  # fmt: skip
    strokes = (shell, line((0.9, 2.5), (3.1, 2.5)), area((1.55, 1.1), (2.45, 1.1), (2, 1.9)))
    return Symbol(4, 6, strokes, {"port": Pin(2, 6, SOUTH, ((2, 4.55), (2, 6)))}, "end", (3.6, 2))


def volume() -> Symbol:
    """A vessel full of oil."""
    shell = curve(
        (1.4, 0.6), (2.6, 0.6), (2.6, 0.6), (2.6, 0.6), (4, 0.6), (4, 2.8), (2.6, 2.8),
        (1.4, 2.8), (1.4, 2.8), (1.4, 2.8), (0, 2.8), (0, 0.6), (1.4, 0.6), look="open",
    )  # fmt: skip
    return Symbol(4, 4, (shell,), {"port": Pin(2, 4, SOUTH, ((2, 2.8), (2, 4)))}, "end", (4.2, 1.2), ups=("port", ""))


def plug() -> Symbol:
    """A port that is closed."""
    cross = (line((0.6, 0.6), (1.4, 1.4)), line((0.6, 1.4), (1.4, 0.6)))
    return Symbol(2, 2, cross, {"port": Pin(1, 2, SOUTH, ((1, 1), (1, 2)))}, "end", (2, 0.5), ups=("port", ""))
