"""The box of a mechanism: as wide as what it carries, pins right above them, its joints listed inside."""

import math
from dataclasses import replace
from itertools import pairwise

from oleodyn.result.circuit.diagram import Net
from oleodyn.result.circuit.node import NAME, SMALL, TYPE, Node, modules, text_width
from oleodyn.result.circuit.symbol import EAST, NORTH, SOUTH, STEP, WEST, M, Pin, Symbol

NOTE_PITCH = 13
"""From line to line of the list [px]."""
HEAD = 24
"""Room of name and type [px]."""
MARGIN = 2


def crowded(symbol: Symbol, side: str) -> bool:
    """Whether the names of the pins of a side must stand upright, for want of room."""
    places = sorted((pin.x, text_width(port, SMALL)) for port, pin in symbol.pins.items() if pin.side == side)
    return any((x1 - x0) * M < (w0 + w1) / 2 + 5 for (x0, w0), (x1, w1) in pairwise(places))


def note_columns(node: Node) -> int:
    """How many columns the list of joints has."""
    widest = max((text_width(note, SMALL) + 18 for note in node.element.notes), default=1.0)
    return max(1, int((node.symbol.width * M - 16) / widest))


def note_rows(node: Node) -> int:
    """How many lines the list of joints has."""
    return math.ceil(len(node.element.notes) / note_columns(node))


def zone(symbol: Symbol, side: str) -> float:
    """Room that the names of the pins of a side take [px]."""
    names = [port for port, pin in symbol.pins.items() if pin.side == side]
    if not names:
        return 4.0
    return max(text_width(name, SMALL) for name in names) + 10 if crowded(symbol, side) else 16.0


def _leaves(pin: Pin) -> int:
    return pin.x + STEP[pin.side][0]


def spread(node: Node, nodes: dict[str, Node], nets: list[Net], floating: set[str]) -> None:
    """Give a mechanism its place in x, its width, its pins and its height."""
    node.wide = True
    wishes: dict[str, float] = {}
    for net in nets:
        for part, port in net.ends:
            others = [_leaves(nodes[name].pin(there)) for name, there in net.ends if name not in floating]
            if part == node.name and others:
                wishes[port] = sum(others) / len(others)
    taken: dict[str, int] = {}
    for side in (NORTH, SOUTH):
        ports = [port for port, pin in node.symbol.pins.items() if pin.side == side]
        last = -math.inf
        for port in sorted(ports, key=lambda port: wishes.get(port, 0.0)):
            last = taken[port] = int(max(math.floor(wishes.get(port, 0.0) + 0.5), last + 2))
    title = text_width(node.name, NAME, bold=True) + text_width(node.element.type, TYPE) + 40
    notes = max((text_width(note, SMALL) + 34 for note in node.element.notes), default=0.0)
    least = modules(max(title, notes, 120))
    left, right = min(taken.values(), default=0) - MARGIN, max(taken.values(), default=0) + MARGIN
    lacking = max(0, least - (right - left))
    node.x = left - lacking // 2
    width = max(right - left, least)
    pins = {port: replace(node.symbol.pins[port], x=x - node.x) for port, x in taken.items()}
    for side, x in ((WEST, 0), (EAST, width)):
        ports = [port for port, pin in node.symbol.pins.items() if pin.side == side]
        pins |= {port: Pin(x, 3 + 2 * k, side) for k, port in enumerate(ports)}
    node.symbol = Symbol(width, 4, (), pins)
    inside = HEAD + NOTE_PITCH * note_rows(node) + zone(node.symbol, NORTH) + zone(node.symbol, SOUTH)
    sideways = max((pin.y + 1 for pin in pins.values() if pin.side in (WEST, EAST)), default=0)
    height = max(modules(inside), sideways, 4)
    lowered = {port: replace(pin, y=height) if pin.side == SOUTH else pin for port, pin in pins.items()}
    node.symbol = Symbol(width, height, (), lowered)
