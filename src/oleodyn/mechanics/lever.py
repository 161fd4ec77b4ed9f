"""Lever arms: by how much a line grows when one freedom of the mechanism moves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from oleodyn.machine.part import Expr, Output
from oleodyn.mechanics.freedom import Ball
from oleodyn.mechanics.link import Seat, Skeleton, common_ancestor, path_up
from oleodyn.mechanics.posture import Posture
from oleodyn.mechanics.vector import dot, length


class Lever(NamedTuple):
    """∂s/∂q of one line s and one speed: a force F on the line is a force F ∂s/∂q along that freedom."""

    name: str
    line: str
    speed: int
    unit: str
    text: str

    @property
    def output(self) -> Output:
        """Its declaration."""
        return Output(self.unit, self.text)


Seats = Mapping[str, tuple[Seat, Seat]]
"""where each line begins and ends"""


def levers(bones: Skeleton, seats: Seats) -> Iterator[Lever]:
    """One for each line and each freedom between its two ends; rotations give m, slides a bare ratio."""
    for line, (begin, end) in seats.items():
        ancestor = common_ancestor(bones.links, begin.link, end.link)
        for seat in (begin, end):
            for index in path_up(bones.links, seat.link, ancestor):
                link = bones.links[index]
                unit = "-" if link.freedom.units[0] == "m" else "m"
                for k, speed in enumerate(link.freedom.v):
                    moved = f"{link.joint}.{speed.removesuffix('_dot')}".removesuffix(".q")
                    if isinstance(link.freedom, Ball):
                        moved = f"{link.joint}.{speed}"
                    text = f"growth of line {line} per motion of joint {link.joint} ({speed})"
                    yield Lever(f"{line}.lever.{moved}", line, link.v + k, unit, text)


def lever_arms(posture: Posture, seats: Seats, size: int) -> dict[str, Expr]:
    """∂s/∂q = (r / s) · ∂ṙ/∂q̇ of every lever: the rate of the line while one freedom alone moves at 1."""
    arms: dict[str, Expr] = {}
    alone: dict[int, Posture] = {}
    for lever in levers(posture.bones, seats):
        if lever.speed not in alone:
            alone[lever.speed] = Posture(posture.bones, posture.q, _unit(size, lever.speed))
        r, r_dot, _ = alone[lever.speed].apart(*seats[lever.line])
        arms[lever.name] = dot(r, r_dot) / length(r)
    return arms


def _unit(size: int, row: int) -> Sequence[float]:
    return [1.0 if k == row else 0.0 for k in range(size)]
