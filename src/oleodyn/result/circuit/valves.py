"""Symbols of valves: boxes for positions, arrows for the ways that are open."""

from oleodyn.result.circuit.symbol import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Pin,
    Stroke,
    Symbol,
    arrow,
    circle,
    line,
    rect,
    spring,
)


def blocked() -> tuple[Stroke, ...]:
    """The middle position with four closed ports."""
    strokes: list[Stroke] = []
    for x in (7, 9):
        for y, inner in ((0, 1.1), (4, 2.9)):
            strokes += [line((x, y), (x, inner)), line((x - 0.5, inner), (x + 0.5, inner))]
    return tuple(strokes)


def open_centre() -> tuple[Stroke, ...]:
    """The middle position with all four ports joined."""
    return (line((7, 0), (7, 4)), line((9, 0), (9, 4)), line((7, 2), (9, 2)))


def valve43(centre: tuple[Stroke, ...], servo: bool = False) -> Symbol:
    """A 4/3 valve, steplessly moved: parallel ways left, crossed ways right."""
    boxes = tuple(rect(x, 0, 4, 4) for x in (2, 6, 10))
    ways = (
        *arrow((3, 4), (3, 0)), *arrow((5, 0), (5, 4)),
        *arrow((11, 4), (13, 0)), *arrow((11, 0), (13, 4)),
    )  # fmt: skip
    stepless = (line((2, -0.45), (14, -0.45), look="thin"), line((2, 4.45), (14, 4.45), look="thin"))
    ends: list[Stroke] = []
    for x, lean in ((0, 1), (14, -1)):
        solenoid = [rect(x, 0.2, 2, 1.7), line((x + 0.5, 1.9), (x + 1.5, 0.2))]
        ends += [*solenoid, *arrow((x + 1 - 0.8 * lean, 1.75), (x + 1 + 0.8 * lean, 0.35), look="thin")]
        ends.append(spring(x, x + 2, 3.1, 0.5))
    if servo:
        ends += [line((0.25, 1.65), (1.75, 1.65), look="thin"), line((14.25, 1.65), (15.75, 1.65), look="thin")]
    pins = {
        "A": Pin(7, 0, NORTH), "B": Pin(9, 0, NORTH), "P": Pin(7, 4, SOUTH), "T": Pin(9, 4, SOUTH),
        **{name: Pin(0, 1, WEST) for name in ("u", "i", "U_ref")},
    }  # fmt: skip
    return Symbol(16, 4, (*boxes, *ways, *stepless, *ends, *centre), pins, "valve", (10.2, 5.4), clear=8)


def _square(shift: float, down: bool) -> tuple[Stroke, ...]:
    """The square of a pressure valve with its arrow: beside the way while closed, on it while open."""
    above, below = (3 - shift, 1.0), (3 - shift, 5.0)
    return (rect(1, 1, 4, 4), *(arrow(above, below) if down else arrow(below, above)))


_SPRING = (spring(5, 6.6, 3, 0.5), *arrow((5.1, 4.1), (6.6, 1.7), look="thin"))
_PILOT = line((3, 0.5), (0.4, 0.5), (0.4, 3), (1, 3), look="dashed")
_TOP, _BOTTOM = Pin(3, 0, NORTH, ((3, 1), (3, 0))), Pin(3, 6, SOUTH, ((3, 5), (3, 6)))


def relief() -> Symbol:
    """Closed at rest; the pressure before it opens it against a spring."""
    strokes = (*_square(0.9, down=True), *_SPRING, _PILOT)
    return Symbol(7, 6, strokes, {"P": _TOP, "T": _BOTTOM}, "inline", (5.4, 4.6), ups=("T", "P"))


def reducing() -> Symbol:
    """Open at rest; the pressure behind it closes it against a spring."""
    pins = {"A": _TOP, "P": _BOTTOM, "T": Pin(7, 3, EAST, ((6.6, 3), (7, 3)), "dashed")}
    return Symbol(
        7, 6, (*_square(0, down=False), *_SPRING, _PILOT), pins, "inline", (5.4, 4.6), ups=("P", "A")
    )  # fmt: skip


def compensator() -> Symbol:
    """Open at rest; closed by the pressure behind it, opened by spring and load pressure."""
    pins = {"A": _TOP, "P": _BOTTOM, "X": Pin(7, 3, EAST, ((6.6, 3), (7, 3)), "dashed")}
    return Symbol(
        7, 6, (*_square(0, down=False), spring(5, 6.6, 3), _PILOT), pins, "inline", (5.4, 4.6), ups=("P", "A")
    )  # fmt: skip


def counterbalance() -> Symbol:
    """Holds a load: opened by the load's and by the pilot pressure, with a check valve beside it."""
    bypass = (line((3, 0.5), (8, 0.5), (8, 5.5), (3, 5.5)), *_ball(8, 2.6))
    own = line((3, 0.5), (0.5, 0.5), (0.5, 2.2), (1, 2.2), look="dashed")
    pins = {"A": _TOP, "B": _BOTTOM, "X": Pin(0, 4, WEST, ((1, 4), (0, 4)), "dashed")}
    strokes = (*_square(0.9, down=True), *_SPRING, own, *bypass)
    return Symbol(9, 6, strokes, pins, "inline", (9.3, 2.5), ups=("B", "A"))


def _ball(x: float, y: float) -> tuple[Stroke, ...]:
    """A ball in its seat; what comes from below lifts it."""
    seat = line((x - 0.95, y), (x, y + 0.95), (x + 0.95, y))
    return (rect(x - 0.5, y - 0.4, 1, 1.3, look="blank"), circle(x, y + 0.1, 0.55), seat)


def check(lower: str = "A", upper: str = "B", pilot: bool = False) -> Symbol:
    """A check valve, free from below to above; with a pilot that lifts it."""
    strokes = (line((2, 0), (2, 4)), *_ball(2, 1.8))
    pins = {lower: Pin(2, 4, SOUTH), upper: Pin(2, 0, NORTH)}
    if pilot:
        strokes = (*strokes, line((2, 2.75), (0.8, 3), look="dashed"), rect(0, 0, 4, 4, look="frame"))
        pins["X"] = Pin(0, 3, WEST, ((0.8, 3), (0, 3)), "dashed")
    return Symbol(4, 4, strokes, pins, "inline", (4.3, 1.5), ups=(lower, upper))


def shuttle() -> Symbol:
    """Lets the higher of two pressures through."""
    seats = (line((1.9, 1.3), (1.3, 2), (1.9, 2.7)), line((4.1, 1.3), (4.7, 2), (4.1, 2.7)))
    strokes = (rect(0.8, 1, 4.4, 2), circle(2.2, 2, 0.5), *seats, line((3, 1), (3, 2)), line((2.8, 2), (5.2, 2)))
    pins = {
        "A": Pin(0, 2, WEST, ((0, 2), (1.3, 2))), "B": Pin(6, 2, EAST, ((6, 2), (4.7, 2))),
        "C": Pin(3, 0, NORTH, ((3, 0), (3, 1))),
    }  # fmt: skip
    return Symbol(6, 3, strokes, pins, "inline", (4.4, -0.9))
