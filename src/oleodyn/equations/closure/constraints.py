"""Constraints: what follows from Φ(q, t) = 0 at the level of speeds and accelerations."""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from oleodyn.equations.equations import Equations


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
