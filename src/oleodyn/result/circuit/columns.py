"""Where an element stands in its row: near what it is joined to, in an order with few crossings."""

import math

from oleodyn.result.circuit.blocks import CHAIN, Block, Pull, close_up, settle, straighten
from oleodyn.result.circuit.diagram import SIGNAL
from oleodyn.result.circuit.node import Node
from oleodyn.result.circuit.rows import Rows
from oleodyn.result.circuit.symbol import STEP

GAP = 3
"""Free modules between neighbours."""
SWEEPS = 24
WEIGHTS = (1.0, 2.0, CHAIN)
"""How strongly a line pulls, by how many of its ends are on parts that oil passes straight through."""


def place_columns(nodes: dict[str, Node], rows: Rows, floating: set[str], gap: int = GAP) -> None:
    """Set `x` of every node that is not floating."""
    leaders = [name for name in nodes if name not in rows.beside and name not in floating]
    blocks = {name: _block(nodes[name], nodes, rows, gap) for name in leaders}
    for name, block in blocks.items():
        block.pulls = _pulls(name, blocks, rows, nodes)
    straighten(_ordered(list(blocks.values()), gap), gap)
    close_up(list(blocks.values()), gap)
    for block in blocks.values():
        block.main.x = round(block.x)
        for node, dx in block.beside:
            node.x = block.main.x + dx


def _ordered(blocks: list[Block], gap: int) -> list[list[Block]]:
    """The rows, bottom first, each in the best order found, which starts as that of the parts."""
    numbers = sorted({block.main.row for block in blocks})
    lanes = [[block for block in blocks if block.main.row == number] for number in numbers]
    for lane in lanes:
        settle(lane, [0.0] * len(lane), gap)
    best, least = [list(lane) for lane in lanes], math.inf
    for sweep in range(SWEEPS):
        for lane in lanes if sweep % 2 == 0 else reversed(lanes):
            lane.sort(key=lambda block: block.wish())
            settle(lane, [block.wish() for block in lane], gap)
        cost = sum(pull.weight * abs(pull.error(block)) for block in blocks for pull in block.pulls)
        if cost < least - 1e-9:
            best, least = [list(lane) for lane in lanes], cost
    return best


def _block(main: Node, nodes: dict[str, Node], rows: Rows, gap: int) -> Block:
    """A node and, leftwards, what stands beside it."""
    box = main.extent()
    block = Block(main, math.floor(box[0]), math.ceil(box[2]))
    queue = [name for name, beside in rows.beside.items() if beside == main.name]
    while queue:
        node = nodes[queue.pop(0)]
        queue += [name for name, beside in rows.beside.items() if beside == node.name]
        own = node.extent()
        dx = block.left - gap - math.ceil(own[2])
        block.beside.append((node, dx))
        block.left = math.floor(dx + own[0])
    return block


def _pulls(name: str, blocks: dict[str, Block], rows: Rows, nodes: dict[str, Node]) -> list[Pull]:
    """What a block is joined to, in other rows."""
    found: list[Pull] = []
    for net in rows.nets:
        if net.kind == SIGNAL:
            continue
        for port in [port for part, port in net.ends if part == name]:
            others = [end for end in net.ends if end[0] != name and end[0] in blocks]
            for other, there in others:
                if nodes[other].row != nodes[name].row:
                    inner = sum(rows.role[end] == "inline" for end in (name, other))
                    weight = WEIGHTS[inner] / max(1, len(net.ends) - 1) ** 2
                    found.append(Pull(_leaves(nodes[name], port), blocks[other], _leaves(nodes[other], there), weight))
    return found


def _leaves(node: Node, port: str) -> int:
    """Where the line from a pin can first rise or fall, from the symbol's left edge."""
    pin = node.symbol.pins[port]
    return pin.x + STEP[pin.side][0]
