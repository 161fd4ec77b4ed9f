"""Symbols of what turns oil into motion and back: cylinders, motors, pumps, and what feeds them."""

from oleodyn.result.circuit.symbol import (
    EAST,
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
    word,
)


def cylinder() -> Symbol:
    """Double acting, one rod."""
    piston = (rect(2.6, 0.5, 0.6, 3), rect(3.2, 1.7, 7.4, 0.6), circle(11, 2, 0.45))
    pins = {
        "A": Pin(1, 4, SOUTH, ((1, 3.5), (1, 4))), "B": Pin(7, 4, SOUTH, ((7, 3.5), (7, 4))),
        "D": Pin(9, 4, SOUTH, ((8, 3), (9, 3), (9, 4)), "dashed"),
        "rod": Pin(12, 2, EAST, ((11.45, 2), (12, 2)), "double"),
    }  # fmt: skip
    return Symbol(12, 4, (rect(0, 0.5, 8, 3), *piston), pins, "actuator", (0, -1.3))


def plunger() -> Symbol:
    """Single acting: oil pushes the rod out, the load brings it back."""
    strokes = (rect(0, 0.5, 8, 3), rect(2.6, 1.1, 8, 1.8), circle(11, 2, 0.45))
    pins = {"A": Pin(1, 4, SOUTH, ((1, 3.5), (1, 4))), "rod": Pin(12, 2, EAST, ((11.45, 2), (12, 2)), "double")}
    return Symbol(12, 4, strokes, pins, "actuator", (0, -1.3))


def motor(output: str = "shaft") -> Symbol:
    """Turns either way; `output` is its shaft, or the rod of a screw."""
    left, right = ((2.1, 2.35), (3.2, 3), (2.1, 3.65)), ((5.9, 2.35), (4.8, 3), (5.9, 3.65))
    strokes: tuple[Stroke, ...] = (circle(4, 3, 2), area(*left, look="filled"), area(*right, look="filled"))
    if output == "rod":
        strokes = (*strokes, *(line((3.6, y + 0.2), (4.4, y - 0.05), look="thin") for y in (0.25, 0.5, 0.75)))
    pins = {
        "A": Pin(1, 6, SOUTH, ((2, 3), (1, 3), (1, 6))), "B": Pin(7, 6, SOUTH, ((6, 3), (7, 3), (7, 6))),
        "D": Pin(4, 6, SOUTH, ((4, 5), (4, 6)), "dashed"), output: Pin(4, 0, NORTH, ((4, 1), (4, 0)), "double"),
    }  # fmt: skip
    return Symbol(8, 6, strokes, pins, "actuator", (6.1, 0.6))


def rotary_actuator() -> Symbol:
    """Turns over a limited angle."""
    bow = curve((1.5, 4), (1.5, 2.6), (2.6, 1.5), (4, 1.5), (5.4, 1.5), (6.5, 2.6), (6.5, 4), look="open")
    left, right = ((2.5, 3.9), (3, 2.9), (3.5, 3.9)), ((4.5, 3.9), (5, 2.9), (5.5, 3.9))
    strokes = (bow, line((1.5, 4), (6.5, 4)), area(*left, look="filled"), area(*right, look="filled"))
    pins = {
        "A": Pin(3, 5, SOUTH, ((3, 4), (3, 5))), "B": Pin(5, 5, SOUTH, ((5, 4), (5, 5))),
        "shaft": Pin(4, 0, NORTH, ((4, 1.5), (4, 0)), "double"),
    }  # fmt: skip
    return Symbol(8, 5, strokes, pins, "actuator", (6, 0.2))


def pump(adjustable: bool = False, regulated: bool = False, shaft: bool = True) -> Symbol:
    """Delivers to P what it takes from T."""
    strokes: tuple[Stroke, ...] = (circle(3, 3, 2), area((2.35, 2.1), (3, 1), (3.65, 2.1), look="filled"))
    if adjustable:
        strokes = (*strokes, *arrow((1, 5), (5.2, 0.8)))
    if regulated:
        strokes = (*strokes, line((3, 0.35), (5.6, 0.35), (5.6, 1.5), (4.6, 1.7), look="dashed"))
    pins = {
        "P": Pin(3, 0, NORTH, ((3, 1), (3, 0))), "T": Pin(3, 6, SOUTH, ((3, 5), (3, 6))),
        "LS": Pin(6, 3, EAST, ((5, 3), (6, 3)), "dashed"),
    }  # fmt: skip
    if shaft:
        pins |= {"shaft": Pin(0, 3, WEST, ((1, 3), (0, 3)), "double"), "u": Pin(0, 5, WEST, ((0, 5), (1, 5)))}
    else:
        pins |= {"u": Pin(0, 3, WEST, ((0, 3), (1, 3)))}
    return Symbol(6, 6, strokes, pins, "source", (5.3, 4.7))


def prime_mover() -> Symbol:
    """An electric motor or an engine."""
    pins = {"shaft": Pin(5, 3, EAST, ((4, 3), (5, 3)), "double"), "u": Pin(0, 3, WEST)}
    return Symbol(5, 6, (circle(2, 3, 2), word(2, 3, "M", 15)), pins, "box", (0, 5.7))


def supply(port: str = "port") -> Symbol:
    """A source of pressure."""
    pins = {port: Pin(2, 0, NORTH, ((2, 1), (2, 0))), "LS": Pin(4, 2, EAST, ((2.6, 2), (4, 2)), "dashed")}
    return Symbol(4, 4, (area((2, 0.9), (0.9, 2.9), (3.1, 2.9), look="filled"),), pins, "source", (3.5, 1.6))


def tank() -> Symbol:
    """A reservoir at rest; the line ends below its surface."""
    strokes = (line((0.4, 1), (0.4, 2.6), (3.6, 2.6), (3.6, 1)),)
    return Symbol(4, 3, strokes, {"port": Pin(2, 0, NORTH, ((2, 2), (2, 0)))}, "tank", (4.2, 1.1))
