"""Penalty: loops closed by stiff springs, dampers and masses on the constraints."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.constraints import constraints, largest, settled, softest, strain
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point
from oleodyn.errors import AssemblyError


@dataclass(frozen=True)
class Penalty:
    """Loop closure by penalty at the level of accelerations: for every stepper.

    Equations   (M + Dᵀ α D) v̇ = f − Dᵀ α (γ + 2 Ω μ Φ̇ + Ω² Φ),   D = ∂Φ/∂δ
                λ = α (Φ̈ + 2 Ω μ Φ̇ + Ω² Φ)
    Limits      constraints hold to an error that falls as 1/α; survives redundant constraints. A step
                ends with an error where a loop gapes more than `gap`. What an implicit step leaves
                unfinished is multiplied by α: take Trapezoidal(tolerance=1e-12), and HHT, which does
                not iterate, only with a small α; RK4 bears any. The energy residual tells.
    References  Jaiswal (2021) dissertation, (2.30)-(2.33).
    """

    alpha: float = 1e7
    omega: float = 10.0
    mu: float = 1.0
    gap: float = 0.05
    name: ClassVar[str] = "penalty"
    admits: ClassVar[tuple[str, ...]] = ("rk4", "ab3", "trapezoidal", "hht", "hht-partitioned")
    advice: ClassVar[str] = "Take another alpha, a larger omega, a smaller step, or CoordinatePartitioning()"

    def close(self, e: Equations, choice: Any = None) -> Equations:
        """The equations of a tree that behaves as the closed mechanism."""
        c = constraints(e)
        target = c.gamma + 2 * self.omega * self.mu * c.Phi_dot + self.omega**2 * c.Phi
        lam = self.alpha * (ca.mtimes(c.D, e.a) + target)
        M, f = e.M + self.alpha * ca.mtimes(c.D.T, c.D), e.f - self.alpha * ca.mtimes(c.D.T, target)
        return replace(
            e, M=M, f=f, outputs=ca.substitute(e.outputs, e.lam, lam),
            powers=settled(e.powers, e.lam, lam, e.a, M, f), strain=strain(largest(c.Phi) / self.gap),
        )  # fmt: skip

    def check_step(self, e: Equations, point: Point, h: float) -> None:
        """The penalty is at least ten times the mass that the constraints have to hold."""
        mu = softest(e, point)
        if self.alpha * mu < 10:
            raise AssemblyError(
                f"{e.name}: {self} is too weak: α μ = {self.alpha * mu:.2g} must be above 10, where μ = {mu:.3g} is "
                f"the smallest eigenvalue of D M⁻¹ Dᵀ. Take alpha = {1e3 / mu:.0e} or more."
            )
