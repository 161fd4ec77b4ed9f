"""Penalty: loops closed by stiff springs, dampers and masses on the constraints."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca

from oleodyn.equations.closure.constraints import constraints
from oleodyn.equations.equations import Equations


@dataclass(frozen=True)
class Penalty:
    """Loop closure by penalty at the level of accelerations: for every stepper.

    Equations   (M + Dᵀ α D) v̇ = f − Dᵀ α (γ + 2 Ω μ Φ̇ + Ω² Φ),   D = ∂Φ/∂δ
                λ = α (Φ̈ + 2 Ω μ Φ̇ + Ω² Φ)
    Limits      constraints hold to an error that falls as 1/α; survives redundant constraints.
    References  Jaiswal (2021) dissertation, (2.30)-(2.33).
    """

    alpha: float = 1e7
    omega: float = 10.0
    mu: float = 1.0
    name: ClassVar[str] = "penalty"
    admits: ClassVar[tuple[str, ...]] = ("rk4", "ab3", "trapezoidal", "hht", "hht-partitioned")

    def close(self, e: Equations, choice: Any = None) -> Equations:
        """The equations of a tree that behaves as the closed mechanism."""
        c = constraints(e)
        target = c.gamma + 2 * self.omega * self.mu * c.Phi_dot + self.omega**2 * c.Phi
        lam = self.alpha * (ca.mtimes(c.D, e.a) + target)
        return replace(
            e,
            M=e.M + self.alpha * ca.mtimes(c.D.T, c.D),
            f=e.f - self.alpha * ca.mtimes(c.D.T, target),
            outputs=ca.substitute(e.outputs, e.lam, lam),
        )
