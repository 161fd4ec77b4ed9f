"""Constraints: what follows from Φ(q, t) = 0 at the level of speeds and accelerations."""

from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.equations.eliminate import solve_symmetric
from oleodyn.equations.equations import Equations, Signal
from oleodyn.equations.point import Point
from oleodyn.errors import AssemblyError

SX = ca.SX
REDUNDANT = 1e-9
"""Constraints are redundant below this part of the largest eigenvalue of D M⁻¹ Dᵀ."""

IDLE = 1e-9
"""A constraint that cannot move and gapes no more than this [m, -] is kept by itself."""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Expressions in q, v, t of the equations they come from.

    Equations   Φ̇ = D v + Φ_t,   D = ∂Φ/∂δ
                Φ̈ = D v̇ + γ,    γ = ∂Φ̇/∂q q̇ + ∂Φ̇/∂t
    """

    Phi: Any
    D: Any
    Phi_t: Any
    Phi_dot: Any
    gamma: Any


def constraints(e: Equations, rows: list[int] | None = None) -> Constraints:
    """The constraints of a mechanism, all or some rows of Φ."""
    Phi = e.Phi if rows is None else ca.vertcat(*(e.Phi[row] for row in rows))
    D = e.tangent(Phi)
    Phi_t = ca.jacobian(Phi, e.t)
    Phi_dot = ca.mtimes(D, e.v) + Phi_t
    gamma = ca.jtimes(Phi_dot, e.q, e.q_dot) + ca.jacobian(Phi_dot, e.t)
    return Constraints(Phi, D, ca.densify(Phi_t), Phi_dot, gamma)


def without_idle(e: Equations) -> Equations:
    """The equations without constraints that hold whatever moves (those across a plane mechanism)."""
    idle = [row for row in range(e.Phi.numel()) if e.Phi[row].is_constant()]
    if not idle:
        return e
    for row in idle:
        gap = float(e.Phi[row])
        if abs(gap) > IDLE:
            raise AssemblyError(
                f"{e.place(_loop(e, row))}{_loop(e, row)} gapes by {abs(gap):.3g} in a direction in which nothing "
                "can move. Check positions and axes of the joints in this loop."
            )
    kept = [row for row in range(e.Phi.numel()) if row not in idle]
    empty = {_loop(e, row) for row in idle} - {_loop(e, row) for row in kept}
    if empty:
        raise AssemblyError(
            f"{e.place(min(empty))}{', '.join(sorted(empty))} keeps nothing that the joints of the tree do not keep "
            "already: nothing it could hold can move. Leave the loop out, or join other bodies."
        )
    rest = ca.vertcat(ca.SX(0, 1), *(e.lam[row] for row in idle))
    return replace(
        e,
        Phi=ca.vertcat(*(e.Phi[row] for row in kept)),
        lam=ca.vertcat(*(e.lam[row] for row in kept)),
        lam_signals=tuple(e.lam_signals[row] for row in kept),
        outputs=ca.substitute(e.outputs, rest, ca.SX.zeros(len(idle))),
    )


def with_gaps(e: Equations) -> Equations:
    """The equations with the violation of every constraint on all three levels among the outputs."""
    if not e.Phi.numel():
        return e
    c = constraints(e)
    levels = (("gap", c.Phi), ("gap_dot", c.Phi_dot), ("gap_ddot", ca.mtimes(c.D, e.a) + c.gamma))
    cards = tuple(
        Signal(f"{card.name}.{name}", "-", "gap", "violation of the constraint")
        for name, _ in levels
        for card in e.lam_signals
    )
    return replace(
        e,
        outputs=ca.vertcat(e.outputs, *(value for _, value in levels), e.lam),
        y_signals=(*e.y_signals, *cards, *e.lam_signals),
    )


def with_drives(e: Equations) -> Equations:
    """The equations with the power of what moves constraints over time: λᵀ Φ_t, supplied."""
    Phi_t = ca.jacobian(e.Phi, e.t)
    rows = [row for row in range(e.Phi.numel()) if not Phi_t[row].is_zero()]
    cards = tuple(Signal(_loop(e, row), "W", "power", "supplied") for row in rows)
    powers = [e.lam[row] * Phi_t[row] for row in rows]
    told = tuple(replace(card, name=f"{card.name}.power") for card in cards)
    return replace(
        e, powers=ca.vertcat(e.powers, *powers), power_signals=(*e.power_signals, *cards),
        accounts=(*e.accounts, *["supplied"] * len(rows)),
        outputs=ca.vertcat(e.outputs, *powers), y_signals=(*e.y_signals, *told),
    )  # fmt: skip


def values(e: Equations, point: Point) -> dict[str, Any]:
    """Numbers at a point: M, f, x_dot, Phi, D, Phi_t, gamma, energies, and outputs by name (for v̇ = 0, λ = 0)."""
    c = constraints(e)
    rest = [SX.zeros(e.a.numel()), SX.zeros(e.lam.numel())]
    outputs = ca.substitute([e.outputs], [e.a, e.lam], rest)[0]
    wanted = {
        "M": e.M, "f": e.f, "x_dot": e.x_dot, "Phi": c.Phi, "D": c.D, "Phi_t": c.Phi_t, "gamma": c.gamma,
        "energies": e.energies, "outputs": outputs,
    }  # fmt: skip
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
    found = ca.Function("values", symbols, [ca.densify(value) for value in wanted.values()])(*point.arguments(e))
    told: dict[str, Any] = {name: np.array(value) for name, value in zip(wanted, found, strict=True)}
    told |= {name: told[name].ravel() for name in ("f", "x_dot", "Phi", "Phi_t", "gamma", "energies")}
    names = [card.name for card in e.y_signals]
    return told | {"outputs": dict(zip(names, told["outputs"].ravel().tolist(), strict=True))}


def softest(e: Equations, point: Point) -> float:
    """The smallest eigenvalue of D M⁻¹ Dᵀ other than those of redundant constraints: 1 over a mass [1/kg]."""
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
    function = ca.Function("stiffness", symbols, [ca.densify(e.M), ca.densify(constraints(e).D)])
    M, D = (np.array(value) for value in function(*point.arguments(e)))
    values = np.linalg.eigvalsh(D @ np.linalg.pinv(M, hermitian=True) @ D.T)
    return float(min(value for value in values if value > REDUNDANT * values[-1]))


def settled(values: Any, lam: Any, multipliers: Any, a: Any, M: Any, f: Any) -> Any:
    """Expressions that hold λ, a function of v̇, with both as they follow from M v̇ = f."""
    if not values.numel() or not ca.depends_on(values, lam):
        return values
    multipliers = ca.substitute(multipliers, a, solve_symmetric(M, f))
    return ca.substitute(values, lam, multipliers)


def largest(values: Any) -> Any:
    """The largest entry in size."""
    most = SX(0)
    for value in ca.vertsplit(ca.vec(ca.densify(values))):
        most = ca.fmax(most, ca.fabs(value))
    return most


def strain(value: Any, orientation: Any = 1) -> Any:
    """What `Equations.strain` holds."""
    return ca.vertcat(value, orientation)


def _loop(e: Equations, row: int) -> str:
    return e.lam_signals[row].name.rpartition(".")[0]
