"""Elements get their symbols: pins for what is joined, boxes for what has none, the right way up."""

from oleodyn.result.circuit.diagram import SIGNAL, Diagram, Element, Net
from oleodyn.result.circuit.node import Node, box_symbol
from oleodyn.result.circuit.rows import Rows
from oleodyn.result.circuit.symbol import EAST, NORTH, SOUTH, WEST, Symbol
from oleodyn.result.circuit.symbols import hose_between, symbol_of

End = tuple[str, str]


def furnished(diagram: Diagram, rows: Rows) -> dict[str, Node]:
    """A node for every element, without a place yet."""
    reached = {end: net for net in rows.nets for end in net.ends}
    return {name: _node(element, rows, reached) for name, element in diagram.elements.items()}


def _node(element: Element, rows: Rows, reached: dict[End, Net]) -> Node:
    name = element.name
    joined = [port for part, port in reached if part == name]
    stubs = [port for port in element.inputs if port not in joined]
    open_ = [port for port in element.ports if port in element.must and port not in joined]
    symbol = hose_between() if name in rows.serial else symbol_of(element.lineage)
    if symbol is not None:
        symbol = _upright(symbol, name, rows, reached)
        symbol = _completed(symbol, element, [*joined, *open_, *stubs])
    picture = symbol is not None
    if symbol is None:
        symbol = box_symbol(element, _sides(element, rows, reached, [*joined, *open_, *stubs]))
    return Node(element, symbol, _row(name, rows), picture, joined=joined, stubs=stubs, open=open_)


def _row(name: str, rows: Rows) -> int:
    while name in rows.beside:
        name = rows.beside[name]
    return rows.row[name]


def _upright(symbol: Symbol, name: str, rows: Rows, reached: dict[End, Net]) -> Symbol:
    """Turned over if what is drawn below leads upwards."""
    lower, upper = (_partners(name, port, rows, reached) for port in symbol.ups)
    own = rows.row.get(name, 0)
    down, up = (sum(row - own for row in side) / len(side) if side else 0.0 for side in (lower, upper))
    return symbol.turned() if down > up else symbol


def _partners(name: str, port: str, rows: Rows, reached: dict[End, Net]) -> list[int]:
    """Rows of what a port is joined to."""
    net = reached.get((name, port))
    return [] if net is None else [_row(part, rows) for part, _ in net.ends if part != name]


def _completed(symbol: Symbol, element: Element, wanted: list[str]) -> Symbol | None:
    """With pins for signals and for what a user's class adds; None if they have no room."""
    missing = [port for port in wanted if port not in symbol.pins]
    west = [port for port in missing if port in element.inputs]
    east = [port for port in missing if port not in element.inputs]
    for names, sides in ((west, (WEST, NORTH, EAST)), (east, (EAST, WEST, NORTH))):
        found = next((more for side in sides if (more := symbol.with_pins(names, side)) is not None), None)
        if found is None:
            return None
        symbol = found
    return symbol


def _sides(element: Element, rows: Rows, reached: dict[End, Net], wanted: list[str]) -> dict[str, list[str]]:
    """On which side of a box a pin is: above and below for what is there, signals left in and right out."""
    sides: dict[str, list[str]] = {NORTH: [], EAST: [], SOUTH: [], WEST: []}
    own = _row(element.name, rows)
    for port in wanted:
        others = _partners(element.name, port, rows, reached)
        mean = sum(others) / len(others) if others else own
        net = reached.get((element.name, port))
        signal = port in element.inputs or (net is not None and net.kind == SIGNAL)
        if mean != own:
            side = NORTH if mean > own else SOUTH
        elif port in element.inputs:
            side = WEST
        else:
            side = EAST if signal or others else SOUTH
        sides[side].append(port)
    return sides
