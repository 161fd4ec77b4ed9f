"""Symbols: strokes and pins on a grid of one module, the M of ISO 1219."""

from dataclasses import dataclass, field, replace

M = 12
"""One module [px]: pins and lines lie on its multiples."""

Point = tuple[float, float]

NORTH, EAST, SOUTH, WEST = "N", "E", "S", "W"
STEP = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
"""Where a line leaves a pin."""


@dataclass(frozen=True)
class Stroke:
    """One stroke of a symbol.

    kind   line (through points), area (closed), curve (cubic, three points after the first), circle
           (a centre and r) or text (a centre)
    look   line, thin, dashed, filled, open (white inside) or double (a shaft)
    """

    kind: str
    points: tuple[Point, ...]
    look: str = "line"
    r: float = 0.0
    text: str = ""
    size: float = 10.0


@dataclass(frozen=True)
class Pin:
    """Where a line meets a symbol: a place on its edge, the side it leaves, the lead inside."""

    x: int
    y: int
    side: str
    lead: tuple[Point, ...] = ()
    look: str = "line"
    letter: bool = True


@dataclass(frozen=True)
class Symbol:
    """A picture of `width` × `height` modules, from its top left corner.

    role    what the layout takes it for: tank, source, valve, inline, end, actuator or box
    label   where name and type begin (left end of the first line's middle), in modules
    """

    width: int
    height: int
    strokes: tuple[Stroke, ...]
    pins: dict[str, Pin] = field(default_factory=dict[str, Pin])
    role: str = "box"
    label: Point | None = None
    clear: float = 3.0
    """How far from the edge the letters of ports stand [px]."""
    ups: tuple[str, str] = ("", "")
    """(lower, upper) port of what is drawn upright: turned over where the circuit runs the other way."""

    def turned(self) -> "Symbol":
        """The same upside down."""

        def flip(points: tuple[Point, ...]) -> tuple[Point, ...]:
            return tuple((x, self.height - y) for x, y in points)

        sides = {NORTH: SOUTH, SOUTH: NORTH}
        return replace(
            self,
            strokes=tuple(replace(stroke, points=flip(stroke.points)) for stroke in self.strokes),
            pins={
                name: replace(pin, y=self.height - pin.y, side=sides.get(pin.side, pin.side), lead=flip(pin.lead))
                for name, pin in self.pins.items()
            },
            label=None if self.label is None else (self.label[0], self.height - self.label[1] - 1),
        )

    def with_pins(self, names: list[str], side: str) -> "Symbol | None":
        """With further pins on one side, where there is room; None where there is not."""
        free = [
            place
            for place in _middle_out(self.height if side in (EAST, WEST) else self.width)
            if all(abs(place - taken) > 1 for taken in self._taken(side))
        ]
        if len(free) < len(names):
            return None
        pins = {name: self._pin(place, side) for name, place in zip(names, sorted(free[: len(names)]), strict=True)}
        return replace(self, pins=self.pins | pins)

    def _taken(self, side: str) -> list[int]:
        return [pin.y if side in (EAST, WEST) else pin.x for pin in self.pins.values() if pin.side == side]

    def _pin(self, place: int, side: str) -> Pin:
        across = {WEST: (0, place), EAST: (self.width, place), NORTH: (place, 0), SOUTH: (place, self.height)}
        return Pin(*across[side], side)


def _middle_out(size: int) -> list[int]:
    """1 … size - 1, from the middle outwards."""
    return sorted(range(1, size), key=lambda place: (abs(place - size / 2), place))


# ------------------------------------------------------------------ strokes


def line(*points: Point, look: str = "line") -> Stroke:
    """A line through points."""
    return Stroke("line", points, look)


def area(*points: Point, look: str = "open") -> Stroke:
    """A closed area."""
    return Stroke("area", points, look)


def rect(x: float, y: float, w: float, h: float, look: str = "open") -> Stroke:
    """A rectangle."""
    return area((x, y), (x + w, y), (x + w, y + h), (x, y + h), look=look)


def circle(x: float, y: float, r: float, look: str = "open") -> Stroke:
    """A circle."""
    return Stroke("circle", ((x, y),), look, r)


def curve(*points: Point, look: str = "line") -> Stroke:
    """A cubic curve: a start, then two handles and an end, again and again."""
    return Stroke("curve", points, look)


def word(x: float, y: float, text: str, size: float) -> Stroke:
    """A text, centred."""
    return Stroke("text", ((x, y),), text=text, size=size)


def arrow(start: Point, end: Point, look: str = "line") -> tuple[Stroke, ...]:
    """A line with a filled head."""
    (x0, y0), (x1, y1) = start, end
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    bx, by = x1 - 0.75 * ux, y1 - 0.75 * uy
    head = area(end, (bx - 0.26 * uy, by + 0.26 * ux), (bx + 0.26 * uy, by - 0.26 * ux), look="filled")
    return (line(start, (bx, by), look=look), head)


def spring(x0: float, x1: float, y: float, half: float = 0.4) -> Stroke:
    """A spring that lies, as a zigzag."""
    turns = 6
    step = (x1 - x0) / turns
    inner = [(x0 + (k + 0.5) * step, y + (half if k % 2 else -half)) for k in range(turns)]
    return line((x0, y), *inner, (x1, y))
