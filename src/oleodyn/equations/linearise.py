"""Linearising: the exact linear system around a point, and its modes by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from oleodyn.equations.closure.minimal import minimal, names
from oleodyn.equations.eliminate import solve_symmetric
from oleodyn.equations.equations import Equations
from oleodyn.equations.point import Point, point_of
from oleodyn.errors import DataError
from oleodyn.machine.part import nearest

SX = ca.SX


@dataclass(frozen=True)
class Mode:
    """One eigenvalue [1/s] and the signals that take part in it, strongest first."""

    eigenvalue: complex
    signals: tuple[str, ...]
    shares: tuple[float, ...]

    @property
    def frequency(self) -> float:
        """Natural frequency |λ| [rad/s]."""
        return abs(self.eigenvalue)

    @property
    def damping(self) -> float:
        """Damping ratio −Re λ / |λ|."""
        return -self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 1.0


@dataclass(frozen=True, eq=False)
class Linear:
    """dx/dt = A x + B u, y = C x + D u, for deviations from a point.

    x is the increment of the coordinates (by their names, or of their speeds), the speeds and the
    first-order states; u are the free inputs and the numbers that controllers hold.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def modes(self, largest: int = 3) -> list[Mode]:
        """All modes, slowest first, each with its `largest` participants."""
        values, right = np.linalg.eig(self.A)
        left = np.linalg.pinv(right)
        taking_part = np.abs(right * left.T)
        taking_part = taking_part / np.maximum(taking_part.sum(axis=0), 1e-300)
        modes = []
        for k in np.argsort(np.abs(values), kind="stable"):
            order = np.argsort(-taking_part[:, k], kind="stable")[:largest]
            names = tuple(self.states[i] for i in order)
            modes.append(Mode(complex(values[k]), names, tuple(float(taking_part[i, k]) for i in order)))
        return modes

    def select(self, inputs: Sequence[str], outputs: Sequence[str]) -> "Linear":
        """The same system with these inputs and outputs only, by full name or unique ending."""
        columns = [_found(name, self.inputs) for name in inputs]
        rows = [_found(name, self.outputs) for name in outputs]
        return Linear(
            self.A, self.B[:, columns], self.C[rows], self.D[np.ix_(rows, columns)], self.states,
            tuple(self.inputs[i] for i in columns), tuple(self.outputs[i] for i in rows),
        )  # fmt: skip


def linearise(equations: Equations, point: Point | Mapping[str, float] | None = None) -> Linear:
    """The exact linear system around `point` (default: the machine's start).

    Closed loops are linearised in independent coordinates, chosen at the point.

    Equations   δ̇ = P⁺ [(∂q̇/∂q P − Ṗ) δ + ∂q̇/∂v v],   P = ∂(q ⊕ δ)/∂δ
                v̇ = M⁻¹ f,  ẋ = g, differentiated by the increments
    """
    e, at = minimal(equations, point_of(equations, point))
    P = e.tangent(e.q) if e.n_q != e.n_v else SX.eye(e.n_q)
    P_dot = ca.reshape(ca.jtimes(ca.vec(P), e.q, e.q_dot), P.shape) if e.n_q != e.n_v else SX(e.n_q, e.n_v)
    a = solve_symmetric(e.M, e.f) if e.n_v else SX(0, 1)
    outputs = ca.substitute(e.outputs, e.a, a) if e.n_v else e.outputs
    inputs = ca.vertcat(e.u, e.z)
    flows = ca.vertcat(a, e.x_dot, outputs)
    by = [e.tangent(flows), ca.jacobian(flows, e.v), ca.jacobian(flows, e.x), ca.jacobian(flows, inputs)]
    rest = [P, P_dot, ca.jacobian(e.q_dot, e.q), ca.jacobian(e.q_dot, e.v)]
    function = ca.Function("linear", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [ca.densify(value) for value in (*by, *rest)])
    d_q, d_v, d_x, d_u, P, P_dot, N_q, N = (np.array(value) for value in function(*at.arguments(e)))
    inverse = np.linalg.pinv(P) if e.n_v else np.zeros((0, 0))
    n_v, n_x = e.n_v, e.n_x
    top = np.hstack([inverse @ (N_q @ P - P_dot), inverse @ N, np.zeros((n_v, n_x + inputs.numel()))])
    full = np.vstack([top, np.hstack([d_q, d_v, d_x, d_u])])
    n = 2 * n_v + n_x
    return Linear(
        full[:n, :n], full[:n, n:], full[n:, :n], full[n:, n:],
        states=(*names(e), *(card.name for card in (*e.v_signals, *e.x_signals))),
        inputs=tuple(card.name for card in (*e.u_signals, *e.z_signals)),
        outputs=tuple(card.name for card in e.y_signals),
    )  # fmt: skip


def _found(name: str, names: Sequence[str]) -> int:
    hits = [i for i, known in enumerate(names) if known == name or known.endswith("." + name)]
    if len(hits) != 1:
        raise DataError(f"{name!r} names {len(hits) or 'no'} signals{nearest(name, names)}")
    return hits[0]


def text(modes: Sequence[Mode]) -> str:
    """A table of modes."""
    rows = ["eigenvalue [1/s]             frequency [rad/s]  damping  taking part"]
    for mode in modes:
        who = ", ".join(
            f"{name} {share:.0%}" for name, share in zip(mode.signals, mode.shares, strict=True) if share > 0.02
        )
        value = f"{mode.eigenvalue.real:.4g} {mode.eigenvalue.imag:+.4g}i"
        rows.append(f"{value:28s} {mode.frequency:<18.4g} {mode.damping:<8.3f} {who}")
    return "\n".join(rows)
