"""The sheet: every element in its place, and how much room lies between the rows for lines."""

from dataclasses import dataclass, field
from typing import Any

from oleodyn.result.circuit.columns import GAP, place_columns
from oleodyn.result.circuit.diagram import HYDRAULIC, Diagram, Net, diagram
from oleodyn.result.circuit.furnish import furnished
from oleodyn.result.circuit.mechanism_box import spread
from oleodyn.result.circuit.node import Node
from oleodyn.result.circuit.rows import Rows
from oleodyn.result.circuit.symbol import NORTH, SOUTH

RAIL = 4
"""A net of oil with as many ends gets a rail: a straight line between two rows."""


@dataclass
class Sheet:
    """Nodes with places, nets, and the height of each net's rail; all in modules."""

    diagram: Diagram
    nodes: dict[str, Node]
    nets: list[Net]
    rails: dict[Net, int] = field(default_factory=dict[Net, int])


def sheet(machine: Any, slack: int = 0) -> Sheet:
    """Place the elements of a machine; `slack` is room to spare, in modules, beside and between all."""
    drawn = diagram(machine)
    rows = Rows(drawn)
    nodes = furnished(drawn, rows)
    mechanisms = {name for name, role in rows.role.items() if role == "mechanism"}
    place_columns(nodes, rows, mechanisms, GAP + slack)
    _centre_above(nodes, rows, mechanisms)
    for name in mechanisms_in_order(nodes, mechanisms):
        spread(nodes[name], nodes, rows.nets, mechanisms)
    made = Sheet(drawn, nodes, rows.nets)
    _place_rows(made, rows, slack)
    return made


def mechanisms_in_order(nodes: dict[str, Node], mechanisms: set[str]) -> list[str]:
    """Mechanisms from below."""
    return sorted(mechanisms, key=lambda name: nodes[name].row)


def _centre_above(nodes: dict[str, Node], rows: Rows, mechanisms: set[str]) -> None:
    """What stands above all mechanisms stands above the middle of what is below."""
    if not mechanisms:
        return
    highest = max(nodes[name].row for name in mechanisms)
    above = [node for node in nodes.values() if node.row > highest]
    below = [node for node in nodes.values() if node.row < highest and node.name not in mechanisms]
    if above and below:
        shift = _middle(below) - _middle(above)
        for node in above:
            node.x += shift


def _middle(nodes: list[Node]) -> int:
    return (min(node.x for node in nodes) + max(node.x + node.symbol.width for node in nodes)) // 2


def _place_rows(made: Sheet, rows: Rows, slack: int) -> None:
    """Set `y` from the top row down, with channels between the rows for rails and lines."""
    numbers = sorted({node.row for node in made.nodes.values()}, reverse=True)
    rails = {net: channel for net in made.nets if (channel := _rail_channel(net, made.nodes)) is not None}
    y = 0
    for number in numbers:
        members = [node for node in made.nodes.values() if node.row == number]
        y = _place_row(members, rows, made.nodes, y, hang=number <= 1)
        here = [net for net, channel in rails.items() if channel == number - 1]
        y += 2 if here else 1
        for net in here:
            made.rails[net] = y
            y += 2
        y += 2 + slack + _density(made, number - 1, rails)


def _place_row(members: list[Node], rows: Rows, nodes: dict[str, Node], y: int, hang: bool) -> int:
    """Set `y` of a row, its tops in line (`hang`) or its feet; the y below it."""
    depth: dict[str, int] = {}
    leaders = [node for node in members if node.name not in rows.beside]
    for node in leaders:
        depth[node.name] = 0 if hang else -node.symbol.height
    followers = [node for node in members if node.name in rows.beside]
    while followers:
        node = next(node for node in followers if rows.beside[node.name] in depth)
        depth[node.name] = depth[rows.beside[node.name]] + _step(node, nodes[rows.beside[node.name]], rows.nets)
        followers.remove(node)
    top = min(depth[node.name] + _whole(node.extent()[1], -1) for node in members)
    for node in members:
        node.y = y + depth[node.name] - top
    return max(node.y + _whole(node.extent()[3], 1) for node in members)


def _whole(value: float, sign: int) -> int:
    """Rounded away from the symbol."""
    return -int(-value // 1) if sign > 0 else int(value // 1)


def _step(node: Node, beside: Node, nets: list[Net]) -> int:
    """How far below its neighbour's top a node stands, for a straight line between their pins."""
    for net in nets:
        if {node.name, beside.name} <= set(net.parts):
            own = next(node.symbol.pins[port].y for part, port in net.ends if part == node.name)
            other = next(beside.symbol.pins[port].y for part, port in net.ends if part == beside.name)
            return other - own
    return 0


def _rail_channel(net: Net, nodes: dict[str, Node]) -> int | None:
    """The channel of a net's rail: the one most of its pins face; None for small nets."""
    if net.kind != HYDRAULIC or len(net.ends) < RAIL:
        return None
    faced = [channel for part, port in net.ends if (channel := _channel(nodes[part], port)) is not None]
    return max(sorted(set(faced)), key=faced.count, default=None)


def _channel(node: Node, port: str) -> int | None:
    """The channel that a pin faces; channel k lies above row k."""
    side = node.symbol.pins[port].side
    return {NORTH: node.row, SOUTH: node.row - 1}.get(side)


def _density(made: Sheet, channel: int, rails: dict[Net, int]) -> int:
    """How many lines run side by side in a channel, at most."""
    turns: list[tuple[int, int]] = []
    for net in made.nets:
        if net in rails:
            continue
        pins = [(made.nodes[part], port) for part, port in net.ends]
        xs = [node.pin(port).x for node, port in pins]
        faced = [at for node, port in pins if (at := _channel(node, port)) is not None]
        if not faced or min(xs) == max(xs) or not min(faced) <= channel <= max(faced):
            continue
        turns += [(min(xs), 1), (max(xs) + 1, -1)]
    most = now = 0
    for _, step in sorted(turns):
        now += step
        most = max(most, now)
    return most
