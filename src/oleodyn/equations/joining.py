"""Joining: the one law at each meeting point, held or stored or a mass of its own."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

import casadi as ca

from oleodyn.equations.equations import Signal
from oleodyn.equations.motion import Motion
from oleodyn.equations.shapes import SX, leaves, number, stack, total, zeros
from oleodyn.equations.symbols import Symbols
from oleodyn.equations.wiring import Meeting
from oleodyn.errors import DeclarationError

NOMINAL = {"pressure": 1e5}
"""Typical size of what a kind of port stores, else 1."""


class Joining:
    """Gives every shared symbol its meaning, and the equations their stored states.

    start      start values by path, from the parts; those of meeting points come in addition
    clamp      bounds by path of a state or of a port
    x_dot, capacity           rate and capacity of each stored state
    shares                    its capacity by the port that offers it
    floors     of those stored efforts that have one and no ceiling: what parts see is max(x, floor)
    energies                  what is added to the account
    """

    def __init__(self, symbols: Symbols, motion: Motion, start: dict[str, Any], clamp: Mapping[str, tuple[Any, Any]]):
        self.symbols, self.motion, self.start, self.clamp = symbols, motion, start, clamp
        self.clamps: dict[str, tuple[Any, Any]] = {}
        self.x_dot: dict[str, Any] = {}
        self.capacity: dict[str, Any] = {}
        self.shares: dict[str, dict[str, Any]] = {}
        self.floors: dict[str, Any] = {}
        self.energies: list[tuple[Signal, Any]] = []

    def join_all(self) -> None:
        """Lone masses first: forces of ports need all speeds."""
        for meeting in self.symbols.meetings:
            if meeting.stores and not meeting.holders and meeting.port.shadow:
                self._lone_mass(meeting)
        for meeting in self.symbols.meetings:
            if meeting.holders:
                (path, held), *_ = meeting.holders.items()
                self._hold(meeting, path, held)
            elif meeting.stores and not meeting.port.shadow:
                self._store(meeting)
            elif not meeting.stores:
                self._define(meeting, {name: zeros(q.shape) for name, q in meeting.port.across.items()})

    def _define(self, meeting: Meeting, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            symbols = self.symbols.across.get((id(meeting), name))
            if symbols is not None:
                self._stand_for(symbols, value)

    def _stand_for(self, symbols: Any, value: Any) -> None:
        for symbol, entry in zip(leaves(symbols), leaves(value), strict=True):
            self.symbols.definitions[symbol.name()] = (symbol, entry)

    def _kinetic(self, meeting: Meeting, mass: Any, rate: Any) -> None:
        card = Signal(f"{meeting.name}.kinetic", "J", "energy", "kinetic energy")
        self.energies.append((card, mass * rate * rate / 2))

    def _lone_mass(self, meeting: Meeting) -> None:
        """Inertias that meet without a mechanism: a coordinate of their own."""
        (position, speed), port, new = next(iter(meeting.port.shadow.items())), meeting.port, self.symbols.new
        q = new("q", Signal(f"{meeting.name}.{position}", port.across[position].unit, "position", port.text))
        v = new("v", Signal(f"{meeting.name}.{speed}", port.across[speed].unit, "speed", port.text))
        new("a", Signal(f"{meeting.name}.{speed}", f"{port.across[speed].unit}/s", "acceleration", port.text))
        self._define(meeting, {position: q, speed: v})
        mass = sum(meeting.stores.values())
        self.motion.add_lone(q, v, mass, -total(SX(value) for value in meeting.into.values()))
        self._kinetic(meeting, mass, v)
        for path in meeting.paths:
            for name in (position, speed):
                if f"{path}.{name}" in self.start:
                    self.start[f"{meeting.name}.{name}"] = self.start[f"{path}.{name}"]

    def _hold(self, meeting: Meeting, path: str, held: Any) -> None:
        """One part imposes the effort; what the others ask of it is the net through its port."""
        port, v = meeting.port, self.symbols.column("v")
        values = held if isinstance(held, dict) else {next(iter(port.across)): held}
        self._define(meeting, values)
        others = [value for other, value in meeting.into.items() if other != path]
        for name, entries in _net(port, others).items():
            self._stand_for(self.symbols.through[f"{path}.{name}"], entries)
            rate = stack(leaves(values[port.rate[name]])) if port.rate[name] in values else SX(0, 1)
            if others and v.numel() and ca.depends_on(rate, v):
                self.motion.port_forces.append(ca.jtimes(rate, v, stack(entries), True))
        stores = [value for other, value in meeting.stores.items() if other != path]
        if stores and port.shadow:
            self.motion.inertias.append((SX(values[port.stored]), sum(stores)))
            self._kinetic(meeting, sum(stores), values[port.stored])

    def _store(self, meeting: Meeting) -> None:
        """store · d(effort)/dt = −Σ into."""
        port, effort = meeting.port, meeting.port.stored or ""
        name, quantity = f"{meeting.name}.{effort}", port.across[effort]
        card = Signal(name, quantity.unit, port.kind, quantity.text, NOMINAL.get(port.kind, 1.0))
        symbol = self.symbols.new("x", card, port.rest)
        self._bound(meeting, name)
        self._define(meeting, {effort: ca.fmax(symbol, self.floors[name]) if name in self.floors else symbol})
        self.capacity[name] = total(SX(value) for value in meeting.stores.values())
        self.shares[name] = {path: SX(value) for path, value in meeting.stores.items()}
        self.x_dot[name] = -total(SX(value) for value in meeting.into.values()) / self.capacity[name]
        self._start_together(meeting, name)

    def _bound(self, meeting: Meeting, name: str) -> None:
        """A floor without a ceiling bounds what parts see; other bounds hold after each step."""
        free = [path for path in meeting.stores if path not in self.clamp]
        bounds = [self.clamp[path] for path in meeting.paths if path in self.clamp]
        if bounds and free:
            tears = next(path for path in meeting.paths if path in self.clamp)
            place = self.symbols.machine.places.get(tears.partition(".")[0], name)
            raise DeclarationError(
                f"{place}: {tears} and {free[0]} meet, but {name} has a lower bound only in the first: "
                "oil that tears and oil that pulls (cavitation on and off) cannot be one oil. Give both the same."
            )
        if not bounds:
            return
        low, high = _narrowest(bounds)
        if high.is_constant() and float(high) == inf:
            self.floors[name] = low
        else:
            self.clamps[name] = low, high

    def _start_together(self, meeting: Meeting, name: str) -> None:
        """Parts that meet start at one value."""
        given = {path: number(self.start[path]) for path in meeting.paths if path in self.start}
        if not given:
            return
        values = list(given.values())
        if max(values) - min(values) > 1e-9 * max(map(abs, values)):
            text = ", ".join(f"{path} {value:g}" for path, value in given.items())
            raise DeclarationError(f"{name}: its parts start at different values ({text}). Give one of them.")
        self.start[name] = values[0]


def _net(port: Any, intos: Iterable[Any]) -> dict[str, list[Any]]:
    """−Σ into for each through quantity, as a list of scalars."""
    names = list(port.through)
    sums = {name: leaves(zeros(port.through[name].shape)) for name in names}
    for into in intos:
        parts = into if len(names) > 1 else (into,)
        for name, part in zip(names, parts, strict=True):
            sums[name] = [sum_ - entry for sum_, entry in zip(sums[name], leaves(part), strict=True)]
    return sums


def _narrowest(bounds: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    low, high = (SX(bound) for bound in bounds[0])
    for another_low, another_high in bounds[1:]:
        low, high = ca.fmax(low, another_low), ca.fmin(high, another_high)
    return low, high
