"""Motion: second-order terms, gathered block by block and port by port."""

from typing import Any

import casadi as ca

from oleodyn.equations.shapes import SX, column, matrix, stack
from oleodyn.machine.part import Part, Terms


class Motion:
    """What moves: mass, force and retraction of every mechanism and of every lone mass."""

    def __init__(self):
        self.masses: list[Any] = []
        self.forces: list[Any] = []
        self.q_dots: list[Any] = []
        self.deltas: list[Any] = []
        self.plus: list[Any] = []
        self.Phi: list[Any] = []
        self.port_forces: list[Any] = []
        self.inertias: list[tuple[Any, Any]] = []

    def add_mechanism(self, part: Part, twin: Any, terms: Terms) -> None:
        """A part with coordinates and speeds of its own."""
        n = len(twin.v)
        self.masses.append(matrix(terms.mass))
        self.forces.append(column(terms.force, n))
        self.q_dots.append(stack(twin.v) if terms.q_dot is None else column(terms.q_dot, len(twin.q)))
        delta = [SX.sym(f"delta.{symbol.name()}") for symbol in twin.v]
        self.deltas += delta
        self.plus.append(stack(terms.plus(list(twin.q), delta)) if terms.plus else stack(twin.q) + stack(delta))
        for loop, rows in part.declaration().constraints.items():
            self.Phi.append(column(terms.constraint[loop], rows))

    def add_lone(self, q: Any, v: Any, mass: Any, force: Any) -> None:
        """A mass or an inertia on its own coordinate."""
        delta = SX.sym(f"delta.{v.name()}")
        self.masses.append(SX(mass))
        self.forces.append(force)
        self.q_dots.append(v)
        self.deltas.append(delta)
        self.plus.append(q + delta)

    def flat(self, q: Any, v: Any) -> tuple[Any, Any, Any]:
        """M, f and q̇, with what ports add: f + Jᵀ F, and for inertia m there M + Jᵀ m J.

        Equations   J = ∂(rate)/∂v,   Jᵀ m d(J v)/dt = Jᵀ m J v̇ + Jᵀ m J̇ v
        """
        M = ca.diagcat(SX(0, 0), *self.masses)
        f, q_dot = stack(self.forces), stack(self.q_dots)
        for force in self.port_forces:
            f = f + force
        for rate, inertia in self.inertias:
            J = ca.jacobian(rate, v)
            M = M + inertia * ca.mtimes(J.T, J)
            f = f - J.T * (inertia * ca.jtimes(rate, q, q_dot))
        return M, f, q_dot

    def retraction(self) -> tuple[Any, Any]:
        """δ and q ⊕ δ."""
        return stack(self.deltas), stack(self.plus)
