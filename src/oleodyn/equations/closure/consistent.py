"""Consistent starts: positions and speeds that satisfy the constraints."""

from dataclasses import replace

import casadi as ca
import numpy as np

from oleodyn.equations.closure.constraints import constraints
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError

TOLERANCE = 1e-13
STEPS = 100
OPEN = 1e-6
"""Gaps [m, rad, and per second] that no stepper leaves."""


def consistent(e: Equations) -> Equations:
    """The equations with start positions and speeds that close the loops, nearest to those given."""
    if not e.Phi.numel():
        return e
    q, v = Closing(e)(e.q_0, e.v_0, 0.0)
    return replace(e, q_0=q, v_0=v)


class Closing:
    """Positions and speeds that close the loops, nearest to those given.

    Equations   δ = −D⁺ Φ until Φ = 0 (halved while |Φ| does not fall);   v ← v − D⁺ (D v + Φ_t)
    """

    def __init__(self, e: Equations):
        self.e, c = e, constraints(e)
        self.at = ca.Function("at", [e.q, e.v, e.t], [ca.densify(x) for x in (c.Phi, c.D, c.Phi_dot)])
        self.plus = ca.Function("plus", [e.q, e.delta], [e.q_plus])

    def __call__(self, q: np.ndarray, v: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """The nearest q and v that satisfy the constraints at time t."""
        q = self._position(q.copy(), t)
        _, D, Phi_dot = self._at(q, v, t)
        v = v - np.linalg.lstsq(D, Phi_dot.ravel(), rcond=1e-10)[0]
        left = self._at(q, v, t)[2]
        if np.abs(left).max() > 1e-9 * (1 + np.abs(Phi_dot).max()):
            raise AssemblyError(
                f"{self.e.name}: no speeds satisfy the loops at t = {t:g} s ({_worst(self.e, left.ravel())}). "
                "Loops or drives contradict each other: free one of them."
            )
        return q, v

    def holds(self, q: np.ndarray, v: np.ndarray, t: float) -> bool:
        """True if positions and speeds already close the loops, but for what a stepper leaves."""
        Phi, _, Phi_dot = self._at(q, v, t)
        return bool(np.abs(Phi).max() < OPEN and np.abs(Phi_dot).max() < OPEN)

    def _at(self, q: np.ndarray, v: np.ndarray, t: float) -> list[np.ndarray]:
        return [np.array(value) for value in self.at(q, v, t)]

    def _position(self, q: np.ndarray, t: float) -> np.ndarray:
        zero = np.zeros(self.e.n_v)
        Phi, D, _ = self._at(q, zero, t)
        for _ in range(STEPS):
            size = np.abs(Phi).max()
            if size < TOLERANCE:
                return q
            step = -np.linalg.lstsq(D, Phi.ravel(), rcond=1e-10)[0]
            length = 1.0
            while length > 1e-4:
                new = np.array(self.plus(q, length * step)).ravel()
                Phi_new, D_new, _ = self._at(new, zero, t)
                if np.abs(Phi_new).max() < size:
                    break
                length /= 2
            else:
                break
            q, Phi, D = new, Phi_new, D_new
        if np.abs(Phi).max() < 1e-10:
            return q
        raise AssemblyError(
            f"{self.e.name}: the loops do not close ({_worst(self.e, Phi.ravel())}), from the given positions. "
            "Check lengths and joint positions, or start nearer to the closed position."
        )


def _worst(e: Equations, values: np.ndarray) -> str:
    """The loop with the largest gap, in words."""
    row = int(np.argmax(np.abs(values)))
    return f"{e.lam_signals[row].name.rpartition('.')[0]} misses by {abs(values[row]):.3g}"
