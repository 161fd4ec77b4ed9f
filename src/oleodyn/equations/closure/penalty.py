"""Penalty: loops closed by stiff springs, dampers and masses on the constraints."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import casadi as ca
import numpy as np

from oleodyn.equations.closure.constraints import constraints, largest, settled, softest, strain
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point
from oleodyn.errors import AssemblyError

MOST = 1e-3
"""Largest part of what the constraints hold that a step may leave to push where nothing holds."""
LEFT = {"hht": 3, "hht-partitioned": 2, "trapezoidal": 1}
"""With which power of dt ω: a step of order two without iterations leaves one more than one of order one."""
RAISED = {2: "²", 3: "³"}


@dataclass(frozen=True)
class Penalty:
    """Loop closure by penalty at the level of accelerations: for every stepper.

    Equations   (M + Dᵀ α D) v̇ = f − Dᵀ α (γ + 2 Ω μ Φ̇ + Ω² Φ),   D = ∂Φ/∂δ
                λ = α (Φ̈ + 2 Ω μ Φ̇ + Ω² Φ)
    Limits      constraints hold to an error that falls as 1/α; survives redundant constraints. A step
                ends with an error where a loop gapes more than `gap`. What an implicit step leaves
                unfinished is multiplied by α and acts where nothing holds, as D turns by h ω in a step.
                Refused above 1e-3 are α μ (h ω)³ for HHT, α μ (h ω)² for PartitionedHHT (neither
                iterates) and α μ h ω tolerance for Trapezoidal; RK4 bears any α. ω is that of the start:
                of a machine that begins at rest and turns fast later the energy residual tells.
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

    def check_step(self, e: Equations, point: Point, h: float, stepper: Any = None) -> None:
        """The penalty is ten times the mass that the constraints have to hold, and no more than the stepper bears."""
        mu = softest(e, point)
        if self.alpha * mu < 10:
            raise AssemblyError(
                f"{e.name}: {self} is too weak: α μ = {self.alpha * mu:.2g} must be above 10, where μ = {mu:.3g} is "
                f"the smallest eigenvalue of D M⁻¹ Dᵀ. Take alpha = {1e3 / mu:.0e} or more."
            )
        name = getattr(stepper, "name", "")
        if name not in LEFT:
            return
        mu, omega = turning(e, point)
        power, rest = LEFT[name], stepper.tolerance if name == "trapezoidal" else 1.0
        left = self.alpha * mu * (h * omega) ** power * rest
        if left > MOST:
            said = f"α μ {f'(dt ω){RAISED[power]}' if power > 1 else 'dt ω tolerance'}"
            raise AssemblyError(
                f"{e.name}: {self} is too stiff for {stepper} with dt = {h:g} s: {said} = {left:.2g} must be below "
                f"{MOST:g}, where μ = {mu:.3g} is the largest eigenvalue of D M⁻¹ Dᵀ and ω = {omega:.3g} 1/s how fast "
                "D turns at the start. Take RK4(), Trapezoidal(tolerance=1e-12) or CoordinatePartitioning()."
            )


def turning(e: Equations, point: Point) -> tuple[float, float]:
    """The largest eigenvalue of D M⁻¹ Dᵀ, and how fast D turns: by the speeds, and by those that follow from rest.

    Equations   ω² = |Ḋ(v)|² / |D|² + |Ḋ(v̇)| / |D|,   |D|² the largest eigenvalue of D M⁻¹ Dᵀ
    """
    c, w = constraints(e), ca.SX.sym("w", e.n_v)
    along = ca.substitute(e.q_dot, e.v, w)  # N(q) w
    D = ca.densify(c.D)
    turned = ca.reshape(ca.jtimes(ca.vec(D), e.q, along), *D.shape)
    at = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
    function = ca.Function("turning", [*at, w], [ca.densify(x) for x in (e.M, e.f, D, c.gamma, turned)])
    M, f, D, gamma, D_v = (np.array(x) for x in function(*point.arguments(e), point.v))
    n = len(gamma)
    whole = np.block([[M, D.T], [D, np.zeros((n, n))]])
    a = np.linalg.lstsq(whole, np.concatenate([f, -gamma]).ravel(), rcond=1e-12)[0][: e.n_v]
    D_a = np.array(function(*point.arguments(e), a)[-1])
    W = np.linalg.pinv(M, hermitian=True)
    mu, by_v, by_a = (float(max(np.linalg.eigvalsh(A @ W @ A.T)[-1], 0.0)) for A in (D, D_v, D_a))
    return mu, float(np.sqrt(by_v / mu + np.sqrt(by_a / mu)))
