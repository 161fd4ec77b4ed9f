"""Elements on their way to a place: symbol, row, corner, and the room that label and stubs take."""

import math
from dataclasses import dataclass, field

from oleodyn.result.circuit.diagram import Element
from oleodyn.result.circuit.symbol import EAST, NORTH, SOUTH, WEST, M, Pin, Symbol

NAME, TYPE, SMALL = 12.5, 10.5, 9.5
"""Sizes of letters [px]: names, types, ports."""
Box = tuple[float, float, float, float]
"""left, top, right, bottom"""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About the width of a text [px]; rather too wide than too narrow."""
    return len(text) * size * (0.63 if bold else 0.57)


def modules(pixels: float) -> int:
    """Whole modules that hold so many pixels."""
    return math.ceil(pixels / M - 1e-9)


@dataclass
class Node:
    """An element that is drawn: `x`, `y` is the top left corner of its symbol, in modules.

    joined     ports and signals with a line
    stubs      inputs that nobody drives: arrows with their names
    open       ports that nobody joined
    picture    whether it has a symbol of its own, else it is a box with its name inside
    wide       whether it is a box that spans what it carries
    """

    element: Element
    symbol: Symbol
    row: int
    picture: bool
    x: int = 0
    y: int = 0
    wide: bool = False
    joined: list[str] = field(default_factory=list[str])
    stubs: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """The part's name."""
        return self.element.name

    def pin(self, port: str) -> Pin:
        """The pin of a port, from the sheet's corner."""
        pin = self.symbol.pins[port]
        return Pin(self.x + pin.x, self.y + pin.y, pin.side, pin.lead, pin.look, pin.letter)

    def body(self) -> Box:
        """The symbol's rectangle, in modules."""
        return (self.x, self.y, self.x + self.symbol.width, self.y + self.symbol.height)

    def label_box(self) -> Box | None:
        """Where name and type stand beside a symbol, in modules."""
        if self.symbol.label is None:
            return None
        x, y = self.x + self.symbol.label[0], self.y + self.symbol.label[1]
        width = max(text_width(self.name, NAME, bold=True), text_width(self.element.type, TYPE))
        return (x, y - 8 / M, x + width / M, y + 20 / M)

    def stub_box(self, port: str) -> Box:
        """The room of an arrow into an input, with its name if that is not inside the box."""
        pin = self.pin(port)
        width = 2 + ((text_width(port, SMALL) + 4) / M if self.picture else 0)
        return (pin.x - width, pin.y - 0.5, pin.x, pin.y + 0.5)

    def extent(self) -> Box:
        """Everything that belongs to the node, in modules from its corner."""
        boxes = [self.body(), *(self.stub_box(port) for port in self.stubs)]
        if (label := self.label_box()) is not None:
            boxes.append(label)
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
        return (left - self.x, top - self.y, right - self.x, bottom - self.y)


def box_symbol(element: Element, sides: dict[str, list[str]]) -> Symbol:
    """A box with name and type inside, as large as its pins ask for."""
    title = max(text_width(element.name, NAME, bold=True), text_width(element.type, TYPE)) + 12
    west, east = (max((text_width(port, SMALL) + 5 for port in sides[side]), default=0.0) for side in (WEST, EAST))
    pitch = {side: max([2, *(modules(text_width(port, SMALL) + 8) for port in sides[side])]) for side in (NORTH, SOUTH)}
    across = max(pitch[side] * len(sides[side]) for side in (NORTH, SOUTH))
    width = max(modules(west + title + east), across, 4)
    width += width % 2
    zones = 14 * (bool(sides[NORTH]) + bool(sides[SOUTH]))
    height = max(modules(32 + zones), 2 * max(len(sides[WEST]), len(sides[EAST])), 4)
    pins: dict[str, Pin] = {}
    for side in (NORTH, SOUTH):
        first = width / 2 - pitch[side] * (len(sides[side]) - 1) / 2
        for k, port in enumerate(sides[side]):
            pins[port] = Pin(math.floor(first + k * pitch[side]), 0 if side == NORTH else height, side)
    for side in (WEST, EAST):
        first = math.ceil(height / 2 - (len(sides[side]) - 1))
        for k, port in enumerate(sides[side]):
            pins[port] = Pin(0 if side == WEST else width, first + 2 * k, side)
    return Symbol(width, height, (), pins)
