"""AugmentedLagrangian: loops closed by iterated multipliers, then projected."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.constraints import constraints, largest, softest, strain
from oleodyn.equations.eliminate import solve, solve_symmetric
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point
from oleodyn.errors import AssemblyError

SX = ca.SX
GAP = 1e-4
"""Largest gap of a loop [m, rad] after a step."""


@dataclass(frozen=True)
class AugmentedLagrangian:
    """Loop closure at the level of positions (index 3), multipliers iterated within Newton.

    Equations   M v̇ + Dᵀ (α Φ + λ) = f,   λ ← λ + α Φ after every iteration
                after convergence, with W = M and ε = h²/4:
                (W + ε Dᵀ α D) v = W v' − ε Dᵀ α Φ_t
                (W + ε Dᵀ α D) a = W a' − ε Dᵀ α γ            γ with the projected v
                done `projections` times: 1 as published, 2 to rounding, 0 leaves v' and a'
    Limits      ε α must dominate 1 / (D M⁻¹ Dᵀ), else a run is refused: scale α with h⁻². Goes
                through singular positions and bears redundant constraints. For `Trapezoidal`.
    References  Jaiswal (2021) dissertation, (2.20)-(2.25). Bayo & Ledesma (1996) Nonlinear
                Dynamics 9, 113-130: mass-orthogonal projections.
    """

    alpha: float = 1e11
    projections: int = 1
    name: ClassVar[str] = "augmented-lagrangian"
    admits: ClassVar[tuple[str, ...]] = ("trapezoidal",)
    advice: ClassVar[str] = "Take a larger alpha, or a smaller step"

    def close(self, e: Equations, choice: Any = None) -> Equations:
        """The equations with the constraint forces; `lam` is carried along as a parameter.

        Outputs and powers take λ from v̇ and Φ̈ = 0: the carried one ends an iteration behind.
        """
        c = constraints(e)
        outputs, powers = ca.substitute([e.outputs, e.powers], [e.lam], [self.start(e)[1]])
        force = ca.mtimes(c.D.T, self.alpha * c.Phi + e.lam)
        return replace(
            e, f=e.f - force, p=ca.vertcat(e.p, e.lam), outputs=outputs, powers=powers,
            strain=strain(largest(c.Phi) / GAP),
        )  # fmt: skip

    def multipliers(self, e: Equations) -> Any:
        """λ after an iteration, in q, t and λ."""
        return e.lam + self.alpha * e.Phi

    def projected(self, e: Equations, h: Any) -> tuple[Any, Any]:
        """Speeds and accelerations that satisfy the constraints, in q, v, a, t."""
        c = constraints(e)
        weight = h * h / 4 * self.alpha
        W = e.M + weight * ca.mtimes(c.D.T, c.D)
        v, a = e.v, e.a
        for _ in range(self.projections):
            v = solve_symmetric(W, ca.mtimes(e.M, v) - weight * ca.mtimes(c.D.T, c.Phi_t))
        gamma = ca.substitute(c.gamma, e.v, v)
        for _ in range(self.projections):
            a = solve_symmetric(W, ca.mtimes(e.M, a) - weight * ca.mtimes(c.D.T, gamma))
        return v, a

    def check_step(self, e: Equations, point: Point, h: float, stepper: Any = None) -> None:
        """The multipliers converge: each iteration shrinks their error by 1 / (1 + (h²/4) α μ)."""
        mu = softest(e, point)
        weight = h * h / 4 * self.alpha * mu
        if weight < 1:
            raise AssemblyError(
                f"{e.name}: {self} is too weak for dt = {h:g} s: (dt²/4) α μ = {weight:.2g} must be above 1, where "
                f"μ = {mu:.3g} is the smallest eigenvalue of D M⁻¹ Dᵀ. Take alpha = {40 / (h * h * mu):.0e} or more."
            )

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
