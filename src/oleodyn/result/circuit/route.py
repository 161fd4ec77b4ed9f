"""Lines between pins: the cheapest way on the grid, past all symbols and labels, with few bends and crossings."""

import heapq
import math
from dataclasses import dataclass, field
from itertools import pairwise

from oleodyn.result.circuit.diagram import HYDRAULIC, SIGNAL, Net
from oleodyn.result.circuit.node import Box
from oleodyn.result.circuit.sheet import Sheet
from oleodyn.result.circuit.symbol import EAST, NORTH, SOUTH, STEP, WEST, Pin

Cell = tuple[int, int]
At = tuple[Cell, str, bool]
"""Where a search is: the cell, the side it came to, whether another line is crossed there."""
LENGTH, BEND, CROSSING, CLOSE, OVERLAP = 10, 30, 45, 6, 4000
"""What a way costs: a module of length, a bend, a crossing, a module beside another line, on another line."""
FAR = 14
"""How far outside of everything a line may run [modules]."""
_OPPOSITE = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}
_PILOTS = ("X", "LS", "D")


@dataclass
class Way:
    """One run of cells, from a pin to another or to a line already there."""

    net: Net
    cells: list[Cell]
    pilot: bool = False


@dataclass
class Routing:
    """All lines of a sheet; `overlaps` counts modules where two lines lie on one another."""

    ways: list[Way] = field(default_factory=list[Way])
    overlaps: int = 0

    def of(self, net: Net) -> list[Way]:
        """The runs of one net."""
        return [way for way in self.ways if way.net is net]


def route(made: Sheet) -> Routing:
    """Draw all nets of a sheet: rails first, then oil, motion and signals, short ones before long ones."""
    router = _Router(made)
    for net in sorted(made.nets, key=lambda net: (net not in made.rails, net.kind == SIGNAL, router.size(net))):
        router.draw(net)
    return router.routing


class _Router:
    def __init__(self, made: Sheet):
        self.nodes, self.rails = made.nodes, made.rails
        self.routing = Routing()
        self.blocked: set[Cell] = set()
        self.kept: dict[Cell, Net] = {}
        self.across: dict[Cell, set[Net]] = {}
        self.upright: dict[Cell, set[Net]] = {}
        for node in made.nodes.values():
            self._block(node.body(), 0.0)
            for box in (node.label_box(), *(node.stub_box(port) for port in node.stubs)):
                if box is not None:
                    self._block(box, 0.3)
        for net in made.nets:
            for pin in self._pins(net):
                dx, dy = STEP[pin.side]
                self.kept[(pin.x + dx, pin.y + dy)] = net
        for net, y in made.rails.items():
            xs = [pin.x for pin in self._pins(net)]
            for x in range(min(xs), max(xs) + 1):
                self.across.setdefault((x, y), set()).add(net)
        xs, ys = [x for x, _ in self.blocked] or [0], [y for _, y in self.blocked] or [0]
        self.bounds = (min(xs) - FAR, min(ys) - FAR, max(xs) + FAR, max(ys) + FAR)

    def size(self, net: Net) -> int:
        """How far a net reaches."""
        pins = self._pins(net)
        xs, ys = [pin.x for pin in pins], [pin.y for pin in pins]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def draw(self, net: Net) -> None:
        """Join the pins of a net, one after the other, to what is there of it."""
        ends = sorted(net.ends, key=lambda end: end[1] in _PILOTS)
        todo = [(self.nodes[part].pin(port), port in _PILOTS and net.kind == HYDRAULIC) for part, port in ends]
        if net in self.rails:
            y = self.rails[net]
            tree = {cell for cell, nets in self.across.items() if net in nets and cell[1] == y}
            free = {cell for cell in tree if self._free(cell, net)} or tree
            joins: list[Cell] = []
            for pin, pilot in todo:
                cells = self._join(net, pin, free, pilot)
                joins += [cell for cell in cells if cell in tree]
                free |= {cell for cell in cells if self._free(cell, net)}
            self._trim(net, tree, joins)
            return
        first, _ = todo.pop(0)
        tree = {(first.x, first.y)}
        while todo:
            near = min(todo, key=lambda item: (item[1], min(abs(item[0].x - x) + abs(item[0].y - y) for x, y in tree)))
            todo.remove(near)
            cells = self._join(net, near[0], tree, near[1], to=first if len(tree) == 1 else None)
            tree = {cell for cell in {*tree, *cells} if self._free(cell, net)} or tree

    def _trim(self, net: Net, rail: set[Cell], joins: list[Cell]) -> None:
        """Keep of a rail what lies between its outermost joins."""
        left, right = min(joins, default=(0, 0))[0], max(joins, default=(-1, 0))[0]
        kept = sorted(cell for cell in rail if left <= cell[0] <= right)
        for cell in rail - set(kept):
            self.across[cell].discard(net)
        self.routing.ways.append(Way(net, kept))

    def _free(self, cell: Cell, net: Net) -> bool:
        """Whether a line may end here: no other net crosses."""
        return not (self.across.get(cell, set()) | self.upright.get(cell, set())) - {net}

    def _pins(self, net: Net) -> list[Pin]:
        return [self.nodes[part].pin(port) for part, port in net.ends]

    def _block(self, box: Box, margin: float) -> None:
        left, top, right, bottom = box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
        for x in range(math.ceil(left), math.floor(right) + 1):
            for y in range(math.ceil(top), math.floor(bottom) + 1):
                self.blocked.add((x, y))

    def _join(self, net: Net, pin: Pin, tree: set[Cell], pilot: bool, to: Pin | None = None) -> list[Cell]:
        """Search a way from a pin to the tree and draw it."""
        cells, overlap = _Search(self, net, tree, to).from_pin(pin)
        self.routing.overlaps += overlap
        self.routing.ways.append(Way(net, cells, pilot))
        for a, b in pairwise(cells):
            lines = self.across if a[1] == b[1] else self.upright
            lines.setdefault(a, set()).add(net)
            lines.setdefault(b, set()).add(net)
        return cells

    # -------------------------------------------------------------- what a step costs

    def step(self, net: Net, cell: Cell, flat: bool) -> tuple[int, bool] | None:
        """(cost, whether another line is crossed) of entering a cell; None if it is closed."""
        if self.kept.get(cell, net) is not net:
            return None
        along, athwart = (self.across, self.upright) if flat else (self.upright, self.across)
        cost, crossed = LENGTH, False
        if along.get(cell, set()) - {net}:
            cost += OVERLAP
        if athwart.get(cell, set()) - {net}:
            cost, crossed = cost + CROSSING, True
        for dx, dy in ((0, 1), (0, -1)) if flat else ((1, 0), (-1, 0)):
            beside = (cell[0] + dx, cell[1] + dy)
            if beside in self.blocked or along.get(beside, set()) - {net}:
                cost += CLOSE
        return cost, crossed


class _Search:
    """A* from a pin to any cell of a tree, or to one pin from its own side."""

    def __init__(self, router: _Router, net: Net, tree: set[Cell], to: Pin | None):
        self.router, self.net = router, net
        self.goal = set(tree)
        self.last: Cell | None = None
        if to is not None:
            self.last = (to.x, to.y)
            self.away = to.side
            dx, dy = STEP[to.side]
            self.goal = {(to.x + dx, to.y + dy)}
        xs, ys = [x for x, _ in self.goal], [y for _, y in self.goal]
        self.near = (min(xs), min(ys), max(xs), max(ys))

    def from_pin(self, pin: Pin) -> tuple[list[Cell], int]:
        """The cheapest way, and how many of its modules lie on other lines."""
        start, side = (pin.x, pin.y), pin.side
        dx, dy = STEP[side]
        first: At = ((start[0] + dx, start[1] + dy), side, False)
        came: dict[At, At | None] = {first: None}
        cost: dict[At, int] = {first: 0}
        queue: list[tuple[int, int, At]] = [(self._left(first[0]), 0, first)]
        ticket = 0
        while queue:
            _, _, state = heapq.heappop(queue)
            if self._arrived(state):
                return self._traced(start, state, came)
            if cost[state] < 0:
                continue
            spent, cost[state] = cost[state], -1  # closed
            for onward, price in self._onward(state):
                if cost.get(onward, math.inf) > spent + price:
                    cost[onward], came[onward] = spent + price, state
                    ticket += 1
                    heapq.heappush(queue, (spent + price + self._left(onward[0]), ticket, onward))
        return [start, first[0]], 1

    def _arrived(self, state: At) -> bool:
        cell, side, crossed = state
        if cell not in self.goal:
            return False
        return not crossed and (self.last is None or side != self.away)

    def _onward(self, state: At) -> list[tuple[At, int]]:
        cell, side, crossed = state
        found: list[tuple[At, int]] = []
        for turn, (dx, dy) in STEP.items():
            if turn == _OPPOSITE[side] or (crossed and turn != side):
                continue
            there = (cell[0] + dx, cell[1] + dy)
            x0, y0, x1, y1 = self.router.bounds
            if not (x0 <= there[0] <= x1 and y0 <= there[1] <= y1):
                continue
            if there in self.router.blocked and there not in self.goal:
                continue
            step = self.router.step(self.net, there, flat=dy == 0)
            if step is not None:
                found.append(((there, turn, step[1]), step[0] + (BEND if turn != side else 0)))
        return found

    def _left(self, cell: Cell) -> int:
        """At least so much is still to go."""
        x0, y0, x1, y1 = self.near
        away = max(x0 - cell[0], 0, cell[0] - x1) + max(y0 - cell[1], 0, cell[1] - y1)
        return LENGTH * away

    def _traced(
        self,
        start: Cell,
        state: At,
        came: dict[At, At | None],
    ) -> tuple[list[Cell], int]:
        cells: list[Cell] = [] if self.last is None else [self.last]
        at: At | None = state
        while at is not None:
            cells.append(at[0])
            at = came[at]
        cells.append(start)
        cells.reverse()
        return cells, self._overlap(cells)

    def _overlap(self, cells: list[Cell]) -> int:
        """How many cells have another net's line in the same direction, or a bend on another line."""
        count = 0
        for k in range(1, len(cells) - 1):
            (xa, ya), cell, (xb, yb) = cells[k - 1], cells[k], cells[k + 1]
            flat, upright = ya == cell[1] or yb == cell[1], xa == cell[0] or xb == cell[0]
            others = (self.router.across.get(cell, set()) if flat else set()) | (
                self.router.upright.get(cell, set()) if upright else set()
            )
            count += bool(others - {self.net})
        return count
