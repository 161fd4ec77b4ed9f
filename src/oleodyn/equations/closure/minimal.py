"""Minimal equations: closed loops in independent coordinates, around one point."""

from dataclasses import replace

from oleodyn.equations.closure.consistent import Closing
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point


def minimal(e: Equations, at: Point) -> tuple[Equations, Point]:
    """The equations in the independent coordinates chosen at a point, and that point, its loops closed.

    Equations without loops, and their point, come back as they are.
    """
    if not e.Phi.numel():
        return e, at
    q, v = Closing(e)(at.q, at.v, at.t)
    policy = CoordinatePartitioning()
    choice = policy.choose(e, q, at.t)
    return policy.close(e, choice), replace(at, q=q, v=v[list(choice.independent)])


def names(e: Equations) -> list[str]:
    """What each increment δ is called: by its coordinate where that is a plain number."""
    speeds = [card.name for card in e.v_signals]
    if e.n_q != len(e.all_signals or e.v_signals):
        return [f"increment of {name}" for name in speeds]
    rows = range(e.n_q) if e.independent is None else e.independent
    return [e.q_signals[row].name for row in rows]
