"""Consistent starts: positions and speeds that satisfy the constraints."""

from dataclasses import replace

import casadi as ca
import numpy as np

from oleodyn.equations.closure.constraints import constraints
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError

TOLERANCE = 1e-13
STEPS = 100


def consistent(e: Equations) -> Equations:
    """The equations with start positions and speeds that close the loops, nearest to those given.

    Equations   δ = −D⁺ Φ until Φ = 0 (halved while |Φ| does not fall);   v ← v − D⁺ (D v + Φ_t)
    """
    if not e.Phi.numel():
        return e
    c = constraints(e)
    at = ca.Function("at", [e.q, e.v, e.t], [ca.densify(x) for x in (c.Phi, c.D, c.Phi_dot)])
    plus = ca.Function("plus", [e.q, e.delta], [e.q_plus])
    q, v = e.q_0.copy(), e.v_0.copy()
    q = _closed(e, at, plus, q)
    _, D, Phi_dot = (np.array(x) for x in at(q, v, 0.0))
    v = v - np.linalg.lstsq(D, Phi_dot.ravel(), rcond=1e-10)[0]
    left = np.abs(np.array(at(q, v, 0.0)[2])).max()
    if left > 1e-9 * (1 + np.abs(Phi_dot).max()):
        raise AssemblyError(
            f"{e.name}: no start speeds satisfy the loops ({_worst(e, np.array(at(q, v, 0.0)[2]).ravel())}). "
            "Loops or drives contradict each other: free one of them."
        )
    return replace(e, q_0=q, v_0=v)


def _closed(e: Equations, at: ca.Function, plus: ca.Function, q: np.ndarray) -> np.ndarray:
    zero = np.zeros(e.n_v)
    Phi, D, _ = (np.array(x) for x in at(q, zero, 0.0))
    for _ in range(STEPS):
        size = np.abs(Phi).max()
        if size < TOLERANCE:
            return q
        step = -np.linalg.lstsq(D, Phi.ravel(), rcond=1e-10)[0]
        length = 1.0
        while length > 1e-4:
            new = np.array(plus(q, length * step)).ravel()
            Phi_new, D_new, _ = (np.array(x) for x in at(new, zero, 0.0))
            if np.abs(Phi_new).max() < size:
                break
            length /= 2
        else:
            break
        q, Phi, D = new, Phi_new, D_new
    if np.abs(Phi).max() < 1e-10:
        return q
    raise AssemblyError(
        f"{e.name}: the loops do not close ({_worst(e, Phi.ravel())}), starting from the given positions. "
        "Check lengths and joint positions, or start nearer to the closed position."
    )


def _worst(e: Equations, values: np.ndarray) -> str:
    """The loop with the largest gap, in words."""
    row = int(np.argmax(np.abs(values)))
    return f"{e.lam_signals[row].name.rpartition('.')[0]} misses by {abs(values[row]):.3g}"
