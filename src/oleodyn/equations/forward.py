"""Forward dynamics as a function of its own: accelerations, and how they depend on everything."""

from typing import Any

import casadi as ca

from oleodyn.equations.eliminate import solve_symmetric
from oleodyn.equations.equations import Equations
from oleodyn.errors import DataError

SX = ca.SX


def forward_dynamics(e: Equations, derivatives: bool = False) -> Any:
    """(q, v, tau) → v̇ of a tree that moves under generalised forces tau beside its own, all else at its start.

    Equations   v̇ = M⁻¹ (f + τ)
                ∂v̇/∂δ = M⁻¹ ∂(f − M v̇)/∂δ,  ∂v̇/∂v = M⁻¹ ∂f/∂v,  ∂v̇/∂τ = M⁻¹      with `derivatives`
    References  Carpentier & Mansard (2018) Analytical derivatives of rigid body dynamics algorithms, RSS.
    """
    if e.Phi.numel():
        raise DataError(f"{e.name} has closed loops: its accelerations are not those of a tree")
    tau, a = SX.sym("tau", e.n_v), e.a
    others = [e.t, e.x, e.z, e.u, e.p]
    M, f = ca.substitute([e.M, e.f], others, [0, *(SX(ca.DM(getattr(e, f"{name}_0"))) for name in "xzup")])
    right = f + tau
    v_dot = solve_symmetric(M, right)
    outputs = [v_dot]
    if derivatives:
        left = ca.mtimes(M, a)
        by = ca.horzcat(e.tangent(right - left), ca.jacobian(right, e.v), SX.eye(e.n_v))
        by = ca.substitute(by, a, v_dot)
        outputs += ca.horzsplit(solve_symmetric(M, by), e.n_v)
    return ca.Function("forward_dynamics", [e.q, e.v, tau], [ca.densify(value) for value in outputs], {"cse": True})
