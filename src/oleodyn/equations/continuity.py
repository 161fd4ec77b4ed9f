"""Continuity: no law jumps or stands vertical, and derivatives are slopes."""

from collections.abc import Iterator
from dataclasses import dataclass

import casadi as ca
import numpy as np

from oleodyn.equations.points import Points, size, span
from oleodyn.equations.probe import Columns, Probe, evaluate

SMOOTH = ("der", "into", "store", "hold", "mass", "force", "q_dot", "constraint")
"""what a stepper differentiates; outputs may show modes and samplers may switch"""
HALVINGS = 40


def smooth_rows(probe: Probe) -> list[int]:
    """Entries that must be continuous: the terms of motion, and a friction law's force."""
    return probe.rows(*SMOOTH, *(["out"] if probe.arguments else []))


def breaks(probe: Probe, points: Points) -> Iterator[tuple[str, str]]:
    """("jump" or "slope", sentence) for each entry and variable in which it is not smooth.

    Along a line, intervals in which an entry changes much more than beside them are halved again
    and again, towards the larger change. Across a jump the change stays; where the slope is
    infinite it shrinks like a broken power of a distance far below any ordinary one.
    """
    for column in _columns(probe) if points.ordinary.shape[1] else []:
        rows = [row for row in smooth_rows(probe) if probe.depends(row, column)]
        law = Columns(probe.x, probe.y[rows])
        spots = _suspects(probe, law, column, points)
        reach = float(size(np.array(span(probe, probe.variables[column]))))
        change, length, middle = _narrowed(law, spots, column)
        told: set[tuple[str, int]] = set()
        for k, (row, scale) in enumerate(zip(spots.row, spots.scale, strict=True)):
            kind = _kind(change[k], length[k] / reach, scale)
            if kind and (kind, int(row)) not in told:
                told.add((kind, int(row)))
                what = f"jumps by {change[k, -1]:.3g}" if kind == "jump" else "has an infinite slope"
                place = where(probe, middle[:, k])
                yield kind, f"{probe.entries[rows[row]]} {what} in {probe.variables[column].name} {place}"


def wrong_tangents(probe: Probe, points: Points) -> Iterator[str]:
    """Derivatives that lie outside the slopes to the left and to the right, as sign(v) f(|v|) has at 0."""
    rows, columns = smooth_rows(probe), probe.used()
    at = np.hstack([points.stress, points.ordinary[:, :10]])
    if not rows or not columns or not at.shape[1]:
        return
    law = Columns(probe.x, probe.y[rows])
    here = law(at)
    scale = 1e-3 * _scale(law(points.ordinary)) + 1e-6 * _scale(here)
    for column in columns:
        reach = float(size(np.array(span(probe, probe.variables[column]))))
        step = 1e-7 * reach
        slope = evaluate(probe.x, ca.jacobian(probe.y[rows], probe.x[column]), at)
        left, right = (_slope(law, at, column, side * step, here) for side in (-1, 1))
        room = 0.03 * np.maximum(np.abs(left), np.abs(right)) + scale / reach  # curvature, rounding
        low, high = np.minimum(left, right) - room, np.maximum(left, right) + room
        for k, j in _worst((slope < low) | (slope > high)):
            yield (
                f"the derivative of {probe.entries[rows[k]]} in {probe.variables[column].name} is {slope[k, j]:.4g}, "
                f"but its slopes are {left[k, j]:.4g} and {right[k, j]:.4g} {where(probe, at[:, j])}"
            )


def _scale(values: np.ndarray) -> np.ndarray:
    return np.abs(values).max(axis=1, keepdims=True, initial=0.0)


def where(probe: Probe, point: np.ndarray) -> str:
    """'at v = 0.1, z = 0': the values of what matters."""
    names = [(probe.variables[row].name, point[row]) for row in probe.used()]
    shown = ", ".join(f"{name} = {value:.4g}" for name, value in names[:8])
    return f"at {shown}" + (", …" if len(names) > 8 else "") if names else "everywhere"


def _slope(law: Columns, at: np.ndarray, column: int, step: float, here: np.ndarray) -> np.ndarray:
    there = at.copy()
    there[column] += step
    return (law(there) - here) / (there[column] - at[column])


def _worst(mask: np.ndarray) -> Iterator[tuple[int, int]]:
    """The first column of each row in which the mask holds."""
    for row in np.flatnonzero(mask.any(axis=1)):
        yield int(row), int(mask[row].argmax())


# ------------------------------------------------------------------ looking for the steepest place


@dataclass(frozen=True)
class Spots:
    """Intervals on lines, each watched for one row of a law: the row, its size, and the two ends."""

    row: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray


def _columns(probe: Probe) -> list[int]:
    """Variables along which a law must be smooth."""
    return [
        index
        for index in probe.used()
        if probe.variables[index].role not in ("sampled", "coordinate", "time")
        and getattr(probe.variables[index].declared, "shape", ()) != (3, 3)
    ]


def _suspects(probe: Probe, law: Columns, column: int, points: Points) -> Spots:
    """Where entries change most, or far more than beside it, on lines through ordinary points."""
    ordinary = np.abs(law(points.ordinary)).max(axis=1)
    low, high = span(probe, probe.variables[column])
    fine = max(abs(low), abs(high)) * np.geomspace(1e-8, 1.0, 1500)
    grid = np.concatenate([-fine[::-1], [0.0], fine])
    grid = grid[(grid >= low) & (grid <= high)]
    found = []
    for base in points.ordinary[:, :4].T:
        line = np.repeat(base[:, None], len(grid), axis=1)
        line[column] = grid
        values = law(line)
        scale = np.maximum(np.abs(values).max(axis=1), ordinary)
        change = np.diff(values, axis=1) / (scale[:, None] + 1e-300)
        beside = np.pad(change, ((0, 0), (1, 1)), mode="edge")
        odd = np.abs(change - (beside[:, :-2] + beside[:, 2:]) / 2)  # a jump or kink stands out
        ratio = np.abs(change) / (np.abs(beside[:, :-2]) + np.abs(beside[:, 2:]) + 1e-12)
        for measure, n in ((np.abs(change), 1), (odd, 4), (ratio, 4)):
            for k, places in enumerate(np.argsort(measure, axis=1)[:, -n:]):
                found += [(odd[k, i], k, scale[k], line[:, i], line[:, i + 1]) for i in places if measure[k, i] > 0]
    found.sort(key=lambda spot: -spot[0])
    _, row, scale, low_ends, high_ends = zip(*found[:1000], strict=True) if found else ((),) * 5
    shape = (len(probe.variables), len(row))
    ends = [np.array(side).T.reshape(shape) for side in (low_ends, high_ends)]
    return Spots(np.array(row, dtype=int), np.array(scale), *ends)


def _narrowed(law: Columns, spots: Spots, column: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Changes and lengths of intervals halved towards the larger change, and where that ends."""
    index = np.arange(len(spots.row))
    low, high = spots.low, spots.high
    y_low, y_high = (law(at)[spots.row, index] for at in (low, high))
    change, length = [np.abs(y_high - y_low)], [high[column] - low[column]]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        y = law(middle)[spots.row, index]
        left = np.abs(y - y_low) > np.abs(y_high - y)
        low, high = np.where(left, low, middle), np.where(left, middle, high)
        y_low, y_high = np.where(left, y_low, y), np.where(left, y, y_high)
        change.append(np.abs(y_high - y_low))
        length.append(high[column] - low[column])
    return np.array(change).T, np.array(length).T, (low + high) / 2


def _kind(change: np.ndarray, length: np.ndarray, scale: float) -> str:
    """What the changes over ever shorter intervals show: "jump", "slope" or nothing."""
    if change[-1] > 1e-5 * scale or (change[-1] > 1e-9 * scale and change[-11] < 1.5 * change[-1]):
        return "jump"
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.log2(change[:-10] / change[10:]) / 10
    seen = (change[10:] > 1e-12 * scale) & (change[:-10] > 0) & (length[:-10] <= 1.1e-8) & (length[10:] > 0)
    return "slope" if np.any(seen & (power < 0.9)) else ""
