"""Storing: the energy of what is stored, and the cavity that opens where an effort has a floor."""

from typing import Any, NamedTuple

import casadi as ca

from oleodyn.equations.equations import Signal
from oleodyn.equations.shapes import SX, total


class Rates(NamedTuple):
    """Coordinates and first-order states as columns, and their rates."""

    q: Any
    q_dot: Any
    x: Any
    x_dot: Any


class Stored(NamedTuple):
    """One stored state; its expressions are resolved."""

    name: str
    kind: str
    x: Any
    floor: Any
    """None: the effort has none"""
    shares: dict[str, Any]
    """port → the capacity it offers"""

    @property
    def capacity(self) -> Any:
        """Of all ports that meet there."""
        return total(self.shares.values())

    @property
    def effort(self) -> Any:
        """What parts see."""
        return self.x if self.floor is None else ca.fmax(self.x, self.floor)

    @property
    def missing(self) -> Any:
        """How far the state is below its floor."""
        return ca.fmax(self.floor - self.x, 0)


class Storing:
    """What stored states add: to the account, to the outputs, and to their own rates.

    Equations   N = −Σ into = C ẋ,   p = max(x, p_v)                      p_v: floor of the effort, vapour pressure
                V = C (p_v − x) where x < p_v, else 0                    cavity: what is missing to fill the volume
                ẋ = (N + Ċ (p_v − x)) / C where x < p_v                   so that V̇ = −N: a cavity loses no oil
                ∫ p N dt = ½ C p² − p_v V − ∫ ½ p² Ċ dt                   a function of the state, and a rest
    Assumes     Where C depends on its own pressure (free air, an accumulator) ∫ p N dt is taken as it
                stands, and the stepper's error in that pressure does not show in the account.
    References  Merritt (1967) Hydraulic Control Systems, ch. 3: capacity.
                Jaiswal (2021) LUT Acta 981, eq. 2.34-2.36: a modulus that stays constant while the volume
                changes leaves ½ p² Ċ; no function of the state has ∫ p N dt as its value then.
    """

    def __init__(self) -> None:
        self.powers: list[tuple[Signal, str, Any]] = []
        self.energies: list[tuple[Signal, Any]] = []
        self.outputs: list[tuple[Signal, Any]] = []
        self.corrections: dict[str, Any] = {}
        """what is added to the rate of a state that is torn"""

    def add(self, stored: Stored, rates: Rates) -> None:
        """One stored state."""
        x_dot = _own_rate(stored, rates)
        moving = {path: _moving(stored, C, rates) for path, C in stored.shares.items()}
        if stored.floor is not None:
            self._torn(stored, total(moving.values()))
        for path, C in stored.shares.items():
            self._account(stored, path, C, moving[path], C * x_dot)

    def _torn(self, stored: Stored, C_dot: Any) -> None:
        if C_dot.nnz():
            self.corrections[stored.name] = stored.missing * C_dot / stored.capacity
        if stored.kind == "pressure":
            name = f"{stored.name.rpartition('.')[0]}.cavity"
            card = Signal(name, "m³", "output", "volume without oil, torn at vapour pressure")
            self.outputs.append((card, stored.missing * stored.capacity))

    def _account(self, stored: Stored, path: str, C: Any, C_dot: Any, N: Any) -> None:
        """What one port's share of the capacity stores."""
        p, row = stored.effort, f"{path}.{'oil' if stored.kind == 'pressure' else 'stored'}"
        if ca.depends_on(C, stored.x):
            self.powers.append((Signal(row, "W", "power", "stored"), "stored", p * N))
            return
        energy = C * p * p / 2
        if stored.floor is not None:
            energy = energy - stored.floor * C * stored.missing
        self.energies.append((Signal(row, "J", "energy", "energy under pressure"), energy))
        if C_dot.nnz():
            card = Signal(f"{path}.constant_modulus", "W", "power", "stored")
            self.powers.append((card, "stored", -p * p * C_dot / 2))


def stored_by(rows: list[Stored], rates: Rates) -> Storing:
    """What all stored states add."""
    storing = Storing()
    for row in rows:
        storing.add(row, rates)
    return storing


def _own_rate(stored: Stored, rates: Rates) -> Any:
    """The rate of a stored state before any correction."""
    return rates.x_dot[next(i for i in range(rates.x.numel()) if rates.x[i].name() == stored.name)]


def _moving(stored: Stored, C: Any, rates: Rates) -> Any:
    """Ċ from all that moves in C but the state itself; structurally zero if nothing does."""
    C_dot = SX(1, 1)
    for symbols, rate in ((rates.q, rates.q_dot), (rates.x, rates.x_dot)):
        slopes = ca.jacobian(C, symbols)
        for k in range(symbols.numel()):
            if slopes[k].nnz() and symbols[k].name() != stored.name:
                C_dot = C_dot + slopes[k] * rate[k]
    return C_dot
