"""The start: what is bolted together must fit before anything moves."""

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError

SX = ca.SX
SINGULAR = 1e-14
"""Smallest eigenvalue of a mass matrix, scaled to a diagonal of ones, that is not rounding."""
ROUNDING = 1e-9
"""An output this far beyond its bounds [its unit] still fits."""


def check_mass(e: Equations) -> None:
    """Something has to be moved by every speed of a tree: else its acceleration is 0 / 0."""
    if not e.n_v or e.Phi.numel():
        return
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
    M = ca.Function("mass", symbols, [ca.densify(e.M)])(0.0, e.q_0, e.v_0, e.x_0, e.z_0, e.u_0, e.p_0).full()
    size = np.sqrt(np.abs(np.diag(M)))
    scale = np.where(size > 0, size, 1.0)
    shape = np.linalg.eigh(M / np.outer(scale, scale))
    idle = [row for row in range(e.n_v) if size[row] == 0]
    if not idle and shape.eigenvalues[0] < SINGULAR:
        idle = [int(np.argmax(np.abs(shape.eigenvectors[:, 0])))]
    if idle:
        name = e.v_signals[idle[0]].name.removesuffix("_dot").removesuffix(".q")
        raise AssemblyError(
            f"{e.place(name)}nothing that {name} moves has mass or inertia, so its acceleration is not defined. Give "
            "the bodies it carries a mass and an inertia about it, or fix the joint."
        )


def check_start(e: Equations, fits: Mapping[str, tuple[Any, Any]]) -> None:
    """Every output of `fits` lies within its bounds, and every guard is positive, where the machine starts."""
    rows = {card.name: row for row, card in enumerate(e.y_signals)}
    named = [name for name in fits if name in rows]
    column = ca.vertcat(SX(0, 1), *(SX(x) for name in named for x in (e.outputs[rows[name]], *fits[name])))
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p, e.a, e.lam]
    numbers = [0.0, e.q_0, e.v_0, e.x_0, e.z_0, e.u_0, e.p_0, SX.zeros(e.a.numel()), SX.zeros(e.lam.numel())]
    values, guards = ca.Function("start", symbols, [column, e.guards])(*numbers)
    for k, name in enumerate(named):
        x, low, high = (float(values[3 * k + i]) for i in range(3))
        if not low - ROUNDING <= x <= high + ROUNDING:
            card = e.y_signals[rows[name]]
            raise AssemblyError(
                f"{e.place(name)}{name} = {x:g} {card.unit} at the start ({card.text}): must lie within {low:g} and "
                f"{high:g} {card.unit}. Start elsewhere, or change the sizes of {name.rpartition('.')[0]}."
            )
    for card, value in zip(e.guard_signals, ca.vertsplit(guards), strict=True):
        if not float(value) > 0:
            raise AssemblyError(
                f"{e.place(card.name)}{card.name} = {float(value):g} at the start: must stay positive. "
                f"Start elsewhere, or change the sizes of {card.name.rpartition('.')[0]}."
            )
