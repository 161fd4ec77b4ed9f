"""Equations: what a machine obeys, flat, named, immutable."""

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from oleodyn.machine.part import Parameter

SX = ca.SX


@dataclass(frozen=True)
class Signal:
    """The name card of one scalar: canonical name, unit, kind, meaning, typical size."""

    name: str
    unit: str
    kind: str = "other"
    text: str = ""
    nominal: float = 1.0


@dataclass(frozen=True, eq=False)
class Sampler:
    """A controller that acts every `period`: z[rows] becomes `next` at its sample instants."""

    name: str
    period: float
    rows: tuple[int, ...]
    next: Any
    """SX column: new values of z[rows], from values just before the instant"""


@dataclass(frozen=True, eq=False)
class Equations:
    """M(q) v̇ = f + Φ_qᵀ(−λ),  q̇ = N(q) v,  ẋ = g,  Φ(q, t) = 0,  y = outputs.

    Symbols are SX columns; expressions are SX columns in these symbols. `a` stands for v̇ and
    `lam` for λ: only `outputs` may contain them. Signals name the rows of each column.

    t q v x z u p     time; coordinates, speeds, first-order and sampled states; inputs, tunables
    q_dot             N(q) v
    delta, q_plus     the retraction q ⊕ δ, written in q and delta
    M, f, x_dot       mass matrix, generalised force, rates of x
    capacity          what x_dot of a stored state is divided by, in q and x; 1 for other states
    Phi               constraints, in q and t
    outputs           in all symbols, a and lam
    powers            rates of energy [W]; `accounts` says supplied, lost or stored for each
    energies          stored energies [J] as functions of the state
    guards            must stay positive
    clamps            (row of x, low, high): bounds applied after a step
    floors            (row of x, low): what all that reads this state sees is max(x, low)
    torn              part of x_dot: what an open cavity adds while its walls move
    """

    name: str
    t: Any
    q: Any
    v: Any
    x: Any
    z: Any
    u: Any
    p: Any
    a: Any
    lam: Any
    q_dot: Any
    delta: Any
    q_plus: Any
    M: Any
    f: Any
    x_dot: Any
    capacity: Any
    Phi: Any
    outputs: Any
    powers: Any
    energies: Any
    guards: Any
    clamps: tuple[tuple[int, Any, Any], ...]
    floors: tuple[tuple[int, Any], ...]
    torn: Any
    samplers: tuple[Sampler, ...]
    q_signals: tuple[Signal, ...]
    v_signals: tuple[Signal, ...]
    x_signals: tuple[Signal, ...]
    z_signals: tuple[Signal, ...]
    u_signals: tuple[Signal, ...]
    p_signals: tuple[Signal, ...]
    p_specs: tuple[Parameter, ...]
    """bounds of the tunables"""
    lam_signals: tuple[Signal, ...]
    y_signals: tuple[Signal, ...]
    power_signals: tuple[Signal, ...]
    accounts: tuple[str, ...]
    """for each row of powers: "supplied", "lost" or "stored" """
    energy_signals: tuple[Signal, ...]
    guard_signals: tuple[Signal, ...]
    q_0: np.ndarray
    v_0: np.ndarray
    x_0: np.ndarray
    z_0: np.ndarray
    u_0: np.ndarray
    p_0: np.ndarray
    loops: Any = None
    """the policy that closes kinematic loops; None for a tree"""
    basis: Any = None
    """∂q/∂δ at δ = 0 where it is not that of `q_plus` (a mechanism in independent coordinates)"""
    independent: tuple[int, ...] | None = None
    """which of all speeds `v` are, where the others follow from constraints"""
    v_all: Any = None
    """all speeds, in q, v, t, where `v` holds the independent ones"""
    all_signals: tuple[Signal, ...] = ()
    """their name cards"""
    strain: Any = None
    """in q, t: two rows; the first reaches one where the policy for loops can no longer be trusted,
    the second must not change its sign within a step"""
    aliases: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """part → file:line where it was added, for messages"""

    @property
    def n_q(self) -> int:
        """Number of coordinates."""
        return self.q.numel()

    @property
    def n_v(self) -> int:
        """Number of speeds."""
        return self.v.numel()

    @property
    def n_x(self) -> int:
        """Number of first-order states."""
        return self.x.numel()

    def tangent(self, value: Any) -> Any:
        """∂value/∂δ at δ = 0: the derivative of an expression in q by the increment of q."""
        if self.basis is not None:
            return ca.jtimes(value, self.q, self.basis) if value.numel() else SX(0, self.n_v)
        by_q = ca.jacobian(value, self.q)
        if self.n_q == self.n_v:
            return by_q
        plus = ca.substitute(ca.jacobian(self.q_plus, self.delta), self.delta, SX.zeros(self.n_v))
        return ca.mtimes(by_q, plus)

    def place(self, name: str) -> str:
        """Where the part that a signal belongs to was added, as the beginning of a message."""
        place = self.places.get(name.partition(".")[0])
        return f"{place}: " if place else f"{self.name}: "

    def used_between_samples(self, j: int) -> bool:
        """True if anything but a controller reads input j."""
        values = ca.vertcat(self.f, self.x_dot, self.outputs, self.powers, self.guards, self.Phi)
        return bool(ca.depends_on(values, self.u[j]))

    def __str__(self) -> str:
        from oleodyn.equations.inspect import text

        return text(self)
