"""AugmentedLagrangian: loops closed by iterated multipliers, then projected."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.constraints import constraints
from oleodyn.equations.eliminate import solve, solve_symmetric
from oleodyn.equations.equations import Equations

SX = ca.SX


@dataclass(frozen=True)
class AugmentedLagrangian:
    """Loop closure at the level of positions (index 3), multipliers iterated within Newton.

    Equations   M v̇ + Dᵀ (α Φ + λ) = f,   λ ← λ + α Φ after every iteration
                after convergence, with W = M and ε = h²/4:
                (W + ε Dᵀ α D) v = W v' − ε Dᵀ α Φ_t
                (W + ε Dᵀ α D) a = W a' − ε Dᵀ α γ            γ with the projected v
    Limits      (h²/4) α must dominate 1 / (D M⁻¹ Dᵀ): scale α with h⁻². Goes through singular
                positions and bears redundant constraints. For `Trapezoidal`.
    References  Jaiswal (2021) dissertation, (2.20)-(2.25). Bayo & Ledesma (1996) Nonlinear
                Dynamics 9, 113-130: mass-orthogonal projections.
    """

    alpha: float = 1e11
    project: bool = True
    name: ClassVar[str] = "augmented-lagrangian"
    admits: ClassVar[tuple[str, ...]] = ("trapezoidal",)

    def close(self, e: Equations, choice: Any = None) -> Equations:
        """The equations with the constraint forces; `lam` is carried along as a parameter."""
        c = constraints(e)
        return replace(e, f=e.f - ca.mtimes(c.D.T, self.alpha * c.Phi + e.lam), p=ca.vertcat(e.p, e.lam))

    def multipliers(self, e: Equations) -> Any:
        """λ after an iteration, in q, t and λ."""
        return e.lam + self.alpha * e.Phi

    def projected(self, e: Equations, h: Any) -> tuple[Any, Any]:
        """Speeds and accelerations that satisfy the constraints, in q, v, a, t."""
        if not self.project:
            return e.v, e.a
        c = constraints(e)
        weight = h * h / 4 * self.alpha
        W = e.M + weight * ca.mtimes(c.D.T, c.D)
        v = solve_symmetric(W, ca.mtimes(e.M, e.v) - weight * ca.mtimes(c.D.T, c.Phi_t))
        gamma = ca.substitute(c.gamma, e.v, v)
        a = solve_symmetric(W, ca.mtimes(e.M, e.a) - weight * ca.mtimes(c.D.T, gamma))
        return v, a

    def start(self, e: Equations) -> tuple[Any, Any]:
        """Accelerations and multipliers at rest in the constraints, in q, v, x, t, u.

        Equations   [M Dᵀ; D −ε] [v̇; λ] = [f; −γ]: ε makes redundant multipliers least in norm
        """
        c = constraints(e)
        n = c.D.shape[0]
        epsilon = 1e-13 * ca.trace(ca.mtimes(c.D, c.D.T)) / ca.trace(e.M)
        A = ca.vertcat(ca.horzcat(e.M, c.D.T), ca.horzcat(c.D, -epsilon * SX.eye(n)))
        x, _ = solve(A, ca.vertcat(e.f, -c.gamma), in_order=True)
        return x[: e.n_v], x[e.n_v :]
