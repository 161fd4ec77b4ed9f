"""Blocks in a row: pulled to what they are joined to, kept apart by their widths, straightened at the end."""

import math
from dataclasses import dataclass, field

from oleodyn.result.circuit.node import Node

CHAIN = 8.0
"""Pull between two parts in one line: as strong as this, they move as one."""
KINK = 4
"""What a bend counts, in modules of length."""


@dataclass(eq=False)
class Block:
    """A node with what stands left of it; `x` is the node's.

    left, right   how far it reaches to either side of x
    beside        what stands left of it, with the way to it from x
    """

    main: Node
    left: int
    right: int
    beside: list[tuple[Node, int]] = field(default_factory=list[tuple[Node, int]])
    x: float = 0.0
    pulls: "list[Pull]" = field(default_factory=list["Pull"])

    def wish(self) -> float:
        """Where a block would like to be: the mean of what pulls."""
        weight = self.firmness()
        return self.x + (sum(pull.weight * pull.error(self) for pull in self.pulls) / weight if weight else 0.0)

    def straightest(self) -> float:
        """Where the strongest lines are straight: the median of what pulls, half way between two as strong."""
        errors = sorted((pull.error(self), pull.weight) for pull in self.pulls)
        half, summed = self.firmness() / 2, 0.0
        for k, (error, weight) in enumerate(errors):
            summed += weight
            if summed > half + 1e-9:
                return self.x + error
            if summed > half - 1e-9:
                return self.x + (error + errors[k + 1][0]) / 2
        return self.x

    def firmness(self) -> float:
        """How strongly it is pulled, in all."""
        return sum(pull.weight for pull in self.pulls)


@dataclass(frozen=True, eq=False)
class Pull:
    """What draws a block to another: where its own pin is, the other's pin, and how strongly."""

    own: int
    other: Block
    pin: int
    weight: float

    def error(self, block: Block) -> float:
        """How far the block is from a straight line."""
        return self.other.x + self.pin - block.x - self.own


def settle(lane: list[Block], wishes: list[float], gap: int) -> None:
    """Put a row as near to its wishes as its widths allow: the least sum of squares, order kept."""
    offsets, at = list[int](), 0
    for k, block in enumerate(lane):
        if k:
            at += lane[k - 1].right - block.left + gap
        offsets.append(at)
    groups: list[tuple[float, float, int]] = []  # mean, weight, size
    for block, wish, offset in zip(lane, wishes, offsets, strict=True):
        mean, weight, size = wish - offset, 0.01 + block.firmness() ** 2, 1
        while groups and groups[-1][0] >= mean:
            before, heavy, count = groups.pop()
            mean = (before * heavy + mean * weight) / (heavy + weight)
            weight, size = heavy + weight, count + size
        groups.append((mean, weight, size))
    means = [mean for mean, _, size in groups for _ in range(size)]
    for block, offset, mean in zip(lane, offsets, means, strict=True):
        block.x = offset + mean


def straighten(lanes: list[list[Block]], gap: int) -> None:
    """On whole modules: every row as straight above and below its neighbours as it can."""
    for lane in lanes:
        settle(lane, [block.wish() for block in lane], gap)
        _round(lane)
    for _ in range(6):
        for lane in [*lanes, *reversed(lanes)]:
            settle(lane, [block.straightest() for block in lane], gap)
            _round(lane)
    _align(lanes, gap)


def _round(lane: list[Block]) -> None:
    for block in lane:
        block.x = math.floor(block.x + 0.5)


def close_up(blocks: list[Block], gap: int) -> None:
    """Take out what no block fills from the bottom row to the top."""
    edge, shift = -math.inf, 0.0
    for block in sorted(blocks, key=lambda block: block.x + block.left):
        if edge > -math.inf:
            shift += max(0.0, block.x + block.left - edge - 2 * gap)
        edge = max(edge, block.x + block.right)
        block.x -= shift


# ------------------------------------------------------------------ chains in one line


def _align(lanes: list[list[Block]], gap: int) -> None:
    """Move chains of parts that stand in one straight line so that it goes on straight."""
    place = {block: (lane, k) for lane in lanes for k, block in enumerate(lane)}
    for _ in range(3):
        for block in place:
            chain = _chain(block)
            shifts = {pull.error(one) for one in chain for pull in one.pulls} - {0}
            for shift in sorted(shifts, key=lambda shift: (abs(shift), shift)):
                if _kinks(chain, shift) < _kinks(chain, 0) and _fits(chain, shift, place, gap):
                    for one in chain:
                        one.x += shift
                    break


def _chain(start: Block) -> list[Block]:
    """The blocks that are joined to this one by straight lines."""
    chain, queue = [start], [start]
    while queue:
        block = queue.pop()
        for pull in block.pulls:
            if pull.weight >= CHAIN and pull.error(block) == 0 and pull.other not in chain:
                chain.append(pull.other)
                queue.append(pull.other)
    return chain


def _kinks(chain: list[Block], shift: float) -> float:
    """How far from straight the lines are that leave a chain, were it moved."""
    away = [(pull.error(one) - shift, pull) for one in chain for pull in one.pulls if pull.other not in chain]
    return sum(pull.weight * (abs(error) + KINK * (error != 0)) for error, pull in away)


def _fits(chain: list[Block], shift: float, place: dict[Block, tuple[list[Block], int]], gap: int) -> bool:
    """Whether a chain, moved, still keeps its distance from its neighbours."""
    for block in chain:
        lane, k = place[block]
        for a, b in zip(lane[max(k - 1, 0) : k + 2], lane[max(k - 1, 0) + 1 : k + 2], strict=False):
            if b.x + shift * (b in chain) + b.left - a.x - shift * (a in chain) - a.right < gap:
                return False
    return True
