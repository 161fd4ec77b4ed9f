"""Points at which a part is tried: ordinary, extreme, and those where laws tend to break."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.probe import Probe, Variable, evaluate, leaves
from oleodyn.machine.part import Input, State
from oleodyn.units import choices

# unit → where ordinary values lie; beyond them, up to a thousand times the size, is extreme
ORDINARY = {
    "Pa": (0.0, 3e7), "m³/s": (-1e-3, 1e-3), "m": (0.02, 3.0), "m/s": (-1.0, 1.0), "rad": (-3.0, 3.0),
    "rad/s": (-100.0, 100.0), "N": (-1e5, 1e5), "N·m": (-1e4, 1e4), "s": (0.0, 100.0), "K": (250.0, 400.0),
    "V": (-10.0, 10.0), "A": (-0.1, 0.1), "-": (-1.0, 1.0), "1/s": (-100.0, 100.0),
}  # fmt: skip
PRESSURES = (0.0, 1.0, 2e3, 1e5, 2e7, 1e9, -1e5)
"""no pressure, vapour, tank, supply, beyond all pipes, and tension (which a clamp may forbid)"""


@dataclass(frozen=True)
class Points:
    """Columns of numbers in the order of the probe's variables."""

    ordinary: np.ndarray
    stress: np.ndarray
    extreme: np.ndarray

    @property
    def all(self) -> np.ndarray:
        """All of them."""
        return np.hstack([self.ordinary, self.stress, self.extreme])


def points(probe: Probe, seed: int = 1) -> Points:
    """Where to try a part: always the same points for the same declarations.

    Clamps are applied and points that a guard forbids are left out, so only states that a run can
    have remain; rotations are rotations and coordinates lie where `plus` leads from their start.
    """
    chance = np.random.default_rng(seed)
    spans = np.array([span(probe, variable) for variable in probe.variables]).reshape(-1, 2)
    ordinary = _feasible(probe, _settled(probe, _random(spans, chance, 4000), chance), 60)
    stress = np.hstack([ordinary[:, :0], *_stress(probe, spans, ordinary[:, :3])])
    extreme = _settled(probe, _extreme(probe, spans, chance, 2000), chance)
    return Points(ordinary, _feasible(probe, _clamped(probe, stress), None), _feasible(probe, extreme, 200))


def span(probe: Probe, variable: Variable) -> tuple[float, float]:
    """Ordinary values of a variable: from its bounds, its nominal size, or its unit."""
    declared = variable.declared
    if isinstance(declared, Input):
        return declared.within or (-10.0, 10.0)
    unit = choices(declared.unit)[0]
    if variable.role == "coordinate":
        return declared.initial - 1.0, declared.initial + 1.0
    if isinstance(declared, State) and not declared.unit == "Pa":
        return declared.initial - declared.nominal, declared.initial + declared.nominal
    if unit == "m" and getattr(declared, "shape", ()):
        return -3.0, 3.0
    return ORDINARY.get(unit, (-1.0, 1.0))


def size(low_high: Any) -> np.ndarray:
    """The larger magnitude of each pair."""
    return np.abs(low_high).max(axis=-1)


def _random(spans: np.ndarray, chance: np.random.Generator, n: int) -> np.ndarray:
    return spans[:, :1] + (spans[:, 1:] - spans[:, :1]) * chance.random((len(spans), n))


def _extreme(probe: Probe, spans: np.ndarray, chance: np.random.Generator, n: int) -> np.ndarray:
    """Magnitudes from a million-millionth to a thousand times the ordinary; lengths stay lengths."""
    values = size(spans)[:, None] * 10.0 ** chance.uniform(-12, 3, (len(spans), n))
    values *= np.where(chance.random(values.shape) < 0.5, -1.0, 1.0)
    for row, variable in enumerate(probe.variables):
        declared = variable.declared
        if isinstance(declared, Input) and declared.within:
            values[row] = np.clip(values[row], *declared.within)
        elif variable.role == "time" or (variable.role == "across" and declared.unit == "Pa"):
            values[row] = np.abs(values[row])
        elif variable.role == "across" and declared.unit == "m" and not getattr(declared, "shape", ()):
            values[row] = spans[row, 0] + (spans[row, 1] - spans[row, 0]) * chance.random(n)
    return values


def _stress(probe: Probe, spans: np.ndarray, bases: np.ndarray) -> Iterator[np.ndarray]:
    """Around some ordinary points: everything that a law likes to divide by, at zero and at its ends."""
    rows = [row for row in probe.used() if not _must_be_ordinary(probe.variables[row])]
    pressures = [row for row in rows if probe.variables[row].declared.unit == "Pa"]
    speeds = [row for row in rows if choices(probe.variables[row].declared.unit)[0] in ("m/s", "rad/s")]
    states = [row for row in rows if probe.variables[row].role in ("state", "sampled", "input")]
    for base in bases.T:
        changes: list[dict[int, float]] = [{}, dict.fromkeys(rows, 0.0), dict.fromkeys(speeds, 0.0)]
        for p in PRESSURES:
            changes += [dict.fromkeys(pressures, p), dict.fromkeys(pressures, p) | dict.fromkeys(speeds + states, 0.0)]
            changes += [{row: p} for row in pressures]
        changes += [{a: base[b]} for a in pressures for b in pressures if a < b]
        changes += [dict.fromkeys(states, 0.0), dict.fromkeys(states + speeds, 0.0)]
        for row in rows:
            changes += [{row: value} for value in (0.0, *spans[row], *(10.0 * spans[row]))]
            changes += [dict.fromkeys(speeds, 0.0) | {row: spans[row, 1]}]
        columns = np.repeat(base[:, None], len(changes), axis=1)
        for column, change in enumerate(changes):
            for row, value in change.items():
                columns[row, column] = _within(probe.variables[row], value)
        yield columns


def _must_be_ordinary(variable: Variable) -> bool:
    """Lengths between points, rotations and coordinates have no stress values of their own."""
    shape = getattr(variable.declared, "shape", ())
    scalar_length = variable.declared.unit == "m" and not shape and variable.role == "across"
    return scalar_length or shape == (3, 3) or variable.role == "coordinate"


def _within(variable: Variable, value: float) -> float:
    bounds = variable.declared.within if isinstance(variable.declared, Input) else None
    return float(np.clip(value, *bounds)) if bounds else value


# ------------------------------------------------------------------ onto what can be


def _settled(probe: Probe, values: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """The same points with true rotations and coordinates, and within the clamps."""
    values = values.copy()
    for row, variable in enumerate(probe.variables):
        if variable.entry == (0, 0):
            values[row : row + 9] = np.stack([_rotation(chance).ravel() for _ in range(values.shape[1])], axis=1)
    return _clamped(probe, _on_manifold(probe, values))


def _rotation(chance: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(chance.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q * np.linalg.det(q)


def _on_manifold(probe: Probe, values: np.ndarray) -> np.ndarray:
    """Coordinates as `plus` makes them from the start: unit quaternions stay unit."""
    rows = probe.columns("coordinate")
    if probe.terms.plus is None:
        return values
    variables = [probe.variables[row] for row in rows]
    start = np.array([float(probe.terms.start.get(v.path, v.declared.initial)) for v in variables])
    delta = ca.SX.sym("delta", len(probe.declared.speeds))
    q = ca.vertcat(*leaves(probe.terms.plus([ca.SX(value) for value in start], ca.vertsplit(delta))))
    steps = np.resize(values[rows] - start[:, None], (delta.numel(), values.shape[1]))
    values[rows] = evaluate(delta, q, steps)
    return values


def _clamped(probe: Probe, values: np.ndarray) -> np.ndarray:
    rows = probe.rows("clamp")
    if not rows or not values.shape[1]:
        return values
    bounds = probe(values)[rows]
    values = values.copy()
    for low, high, row in zip(bounds[::2], bounds[1::2], rows[::2], strict=True):
        entry = probe.entries[row]
        name = ".".join(part for part in (entry.path, entry.name.partition("[")[0]) if part)
        for index, variable in enumerate(probe.variables):
            port = probe.declared.ports.get(name)
            if variable.path == name or (port and variable.path == f"{name}.{port.stored}"):
                values[index] = np.clip(values[index], low, high)
    return values


def _feasible(probe: Probe, values: np.ndarray, n: int | None) -> np.ndarray:
    """The first n points at which all guards are positive."""
    rows = probe.rows("guard")
    if rows and values.shape[1]:
        guards = probe(values)[rows]
        values = values[:, (guards > 0).all(axis=0)]
    return values[:, :n]
