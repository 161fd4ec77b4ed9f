"""Limits of coordinates: stops of joints, strokes of what drives them, and what the user says."""

from collections.abc import Iterator, Mapping
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.equations import Equations
from oleodyn.errors import DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Part, nearest
from oleodyn.mechanics.mechanism import Mechanism

SX = ca.SX
SCANNED = 2880
"""Places at which a line's length is looked at over half a turn to either side: every 1/16 deg."""


def limits_of(e: Equations, machine: Machine | None, given: Mapping[str, tuple[float, float]]) -> np.ndarray:
    """Ends (n_q, 2) of every coordinate: what is given, else the stop and the stroke that bind first; else infinite."""
    limits = np.tile([-np.inf, np.inf], (e.n_q, 1))
    names = [card.name for card in e.q_signals]
    if machine is not None:
        for name, ends in (*stops(machine), *strokes(e, machine)):
            row = limits[names.index(name)]
            row[:] = max(row[0], ends[0]), min(row[1], ends[1])
    for name, ends in given.items():
        hits = [i for i, known in enumerate(names) if known == e.aliases.get(name, name) or known.endswith("." + name)]
        if len(hits) != 1:
            raise DeclarationError(f"limits of {name!r}: there is no such coordinate{nearest(name, names)}")
        limits[hits[0]] = ordered(name, ends)
    for name, row in zip(names, limits, strict=True):
        ordered(name, row)
    return limits


def ordered(name: str, ends: Any) -> tuple[float, float]:
    """A pair that rises; equal ends hold the coordinate."""
    pair = np.asarray(ends, dtype=float)
    if pair.shape != (2,) or not pair[0] <= pair[1]:
        shown = ", ".join(f"{x:g}" for x in pair.ravel())
        raise DeclarationError(
            f"limits of {name!r} = ({shown}): must be a lower and an upper end that rise, in rad or m. "
            "Write the lower end first; -inf and inf leave an end open."
        )
    return float(pair[0]), float(pair[1])


def stops(machine: Machine) -> Iterator[tuple[str, tuple[float, float]]]:
    """Ends by coordinate from the joints' stops."""
    for name, part in machine.parts.items():
        if isinstance(part, Mechanism):
            for joint, freedom, _, _ in part.freedoms():
                if freedom.stop is not None:
                    low, high = (getattr(freedom.stop, end) for end in ("low", "high"))
                    ends = (-np.inf if low is None else low, np.inf if high is None else high)
                    yield f"{name}.{joint}.{freedom.q[0]}", ends


def strokes(e: Equations, machine: Machine) -> Iterator[tuple[str, tuple[float, float]]]:
    """Ends by coordinate from cylinders and rotary actuators whose place depends on one coordinate only.

    A cylinder that is a sliding joint has the ends of its stroke. One on a line to a turning body has
    the angles, either side of the start, at which it first comes to an end of its stroke.
    """
    rows = {card.name: i for i, card in enumerate(e.y_signals)}
    for name, part in machine.parts.items():
        for output, stroke in _stroke(part):
            if f"{name}.{output}" in rows:
                place = ca.substitute([e.outputs[rows[f"{name}.{output}"]]], [e.p, e.t], [SX(ca.DM(e.p_0)), SX(0)])[0]
                slope = ca.jacobian(place, e.q)
                moved_by = slope.sparsity().get_triplet()[1]
                alone = all(not ca.depends_on(place, other) for other in (e.v, e.x, e.z, e.u, e.a, e.lam))
                if len(moved_by) == 1 and alone:
                    yield e.q_signals[moved_by[0]].name, _ends(e, place, slope[moved_by[0]], moved_by[0], stroke)


def _stroke(part: Part) -> Iterator[tuple[str, float]]:
    """The output that says where a part is in its stroke, and how long that is."""
    known: Any = part
    if "stroke" in part.fields:
        yield "x", known.stroke
    elif {"angle_min", "angle_max"} <= set(part.fields):
        yield "phi", known.angle_max - known.angle_min


def _ends(e: Equations, place: Any, slope: Any, i: int, stroke: float) -> tuple[float, float]:
    """Between which values of coordinate i a place is within 0 and the stroke."""
    of = ca.Function("place", [e.q], [place, slope])
    at = float(of(e.q_0)[0])
    if slope.is_constant():
        ends = sorted(e.q_0[i] + (end - at) / float(of(e.q_0)[1]) for end in (0.0, stroke))
        return ends[0], ends[1]
    if e.q_signals[i].unit != "rad" or not 0 <= at <= stroke:
        return -np.inf, np.inf
    along = np.linspace(0.0, np.pi, SCANNED + 1)
    low, high = (_first_end(of, e.q_0, i, sign * along, stroke) for sign in (-1, 1))
    return low, high


def _first_end(of: Any, q_0: np.ndarray, i: int, along: np.ndarray, stroke: float) -> float:
    """Where a place first leaves its stroke on the way from the start; infinite if it does not within half a turn."""

    def fits(angles: Any) -> np.ndarray:
        q = np.tile(q_0, (np.size(angles), 1))
        q[:, i] += angles
        x = np.array(of(q.T)[0]).ravel()
        return (x >= 0) & (x <= stroke)

    out = np.flatnonzero(~fits(along))
    if not len(out):
        return float(np.sign(along[-1]) * np.inf)
    inside, outside = along[out[0] - 1], along[out[0]]
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fits(middle)[0] else (inside, middle)
    return float(q_0[i] + inside)
