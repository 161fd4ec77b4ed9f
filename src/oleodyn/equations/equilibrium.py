"""Equilibria: where a machine stays if left alone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import casadi as ca
import numpy as np

from oleodyn.equations.closure.minimal import minimal
from oleodyn.equations.closure.minimal import names as increments
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point, point_of
from oleodyn.errors import AssemblyError, DataError
from oleodyn.machine.part import nearest

SX = ca.SX
STEPS = 200


def equilibrium(
    equations: Equations,
    point: Point | Mapping[str, float] | None = None,
    *,
    hold: Collection[str] = (),
    free: Sequence[str] = (),
    tolerance: float = 1e-9,
) -> Point:
    """The point of rest nearest to `point`: v = 0, f = 0, ẋ = 0.

    `hold` are states that must keep their value (by name or unique ending), `free` are inputs
    that may change with the rest (the valve current that holds a load). Where the equations
    leave a choice, the smallest change is taken, counted in each signal's nominal size. Closed
    loops stay closed: what holds for a tree holds for their independent coordinates.

    Equations   Gauss-Newton with the least-norm step, halved until the residual falls
    """
    e, at = minimal(equations, point_of(equations, point))
    at = at.changed(e, {card.name: 0.0 for card in e.v_signals})
    columns, names, scale = _unknowns(e, hold, free)
    residual = ca.vertcat(e.f, e.x_dot)
    rows = [card.name for card in (*e.v_signals, *e.x_signals)]
    J = ca.horzcat(e.tangent(residual), ca.jacobian(residual, e.x), ca.jacobian(residual, ca.vertcat(e.u, e.z)))
    function = ca.Function("rest", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [residual, ca.densify(J)])
    plus = ca.Function("plus", [e.t, e.q, e.delta], [e.q_plus])
    size = _sizes(e, function, at)

    def at_rest(candidate: Point) -> tuple[np.ndarray, np.ndarray]:
        value, slope = function(*candidate.arguments(e))
        return np.array(value).ravel() / size, np.array(slope)[:, columns] * scale / size[:, None]

    value, slope = at_rest(at)
    for _ in range(STEPS):
        if np.max(np.abs(value), initial=0.0) < tolerance:
            return replace(at, v=np.zeros(equations.n_v))
        step = np.linalg.lstsq(slope, -value, rcond=1e-12)[0] * scale
        length = 1.0
        while length > 1e-6:
            candidate = _moved(e, at, plus, columns, length * step)
            new, new_slope = at_rest(candidate)
            if np.linalg.norm(new) < np.linalg.norm(value):
                break
            length /= 2
        else:
            break
        at, value, slope = candidate, new, new_slope
    worst = [rows[i] for i in np.argsort(-np.abs(value))[:3]]
    raise AssemblyError(
        f"{e.name}: no point of rest was found near the start; {', '.join(worst)} keep moving. "
        f"Free an input (free=[...]), or start nearer. Changed were {', '.join(names)}."
    )


def _unknowns(e: Equations, hold: Collection[str], free: Sequence[str]) -> tuple[list[int], list[str], np.ndarray]:
    """Which of (δq, x, u, z) may change, their names and sizes."""
    cards = [*e.v_signals, *e.x_signals, *e.u_signals, *e.z_signals]
    names = [*increments(e), *(card.name for card in cards[e.n_v :])]

    def row(name: str) -> int:
        hits = [i for i, known in enumerate(names) if known == name or known.endswith("." + name)]
        if len(hits) != 1:
            raise DataError(f"{e.name} has {len(hits) or 'no'} signals {name!r}{nearest(name, names)}")
        return hits[0]

    held, freed = {row(name) for name in hold}, {row(name) for name in free}
    columns = [i for i in range(len(names)) if (i < e.n_v + e.n_x and i not in held) or i in freed]
    return columns, [names[i] for i in columns], np.array([cards[i].nominal for i in columns])


def _sizes(e: Equations, function: ca.Function, at: Point) -> np.ndarray:
    """What counts as one in each row: nominal size of a state per second, weights for forces."""
    force = max(1.0, float(np.max(np.abs(np.array(function(*at.arguments(e))[0]).ravel()[: e.n_v]), initial=0.0)))
    return np.array([force] * e.n_v + [card.nominal for card in e.x_signals])


def _moved(e: Equations, at: Point, plus: ca.Function, columns: Sequence[int], step: np.ndarray) -> Point:
    whole = np.zeros(e.n_v + e.n_x + e.u.numel() + e.z.numel())
    whole[list(columns)] = step
    d_q, d_x, d_u, d_z = np.split(whole, np.cumsum([e.n_v, e.n_x, e.u.numel()]))
    q = np.array(plus(at.t, at.q, d_q)).ravel()
    return Point(q, at.v, at.x + d_x, at.z + d_z, at.u + d_u, at.p, at.t)
