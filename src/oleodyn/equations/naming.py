"""Naming: what flows, what is shared, how it accelerates and what power it has, as outputs."""

from collections.abc import Iterator, Mapping
from typing import Any

from oleodyn.equations.equations import Signal
from oleodyn.equations.shapes import SX
from oleodyn.equations.symbols import Symbols
from oleodyn.equations.wiring import Meeting

Named = tuple[Signal, Any]


def outputs(symbols: Symbols, x_dot: Mapping[str, Any], powers: list[tuple[Signal, str, Any]]) -> Iterator[Named]:
    """Outputs that no part declares: those of meeting points, accelerations, powers."""
    states = {card.name for role in "qvx" for card in symbols.cards.get(role, [])}
    for meeting in symbols.meetings:
        for name, quantity in meeting.port.across.items():
            value = symbols.across.get((id(meeting), name))
            if quantity.shape or value is None or f"{meeting.name}.{name}" in states:
                continue
            if state_behind(symbols, value) is None:
                yield Signal(f"{meeting.name}.{name}", quantity.unit, "effort", quantity.text), value
        for path in meeting.paths:
            yield from _flows(symbols, x_dot, meeting, path)
    for card, symbol in symbols.of("a"):
        yield Signal(f"{card.name.removesuffix('_dot')}_ddot", card.unit, card.kind, card.text), symbol
    for card, account, value in powers:
        yield Signal(f"{card.name}.power", "W", "power", account), value


def state_behind(symbols: Symbols, shared: Any) -> str | None:
    """The state that a shared quantity simply is (the angle at a joint's port), if so."""
    _, value = symbols.definitions.get(shared.name(), (None, None))
    if value is None or not SX(value).is_symbolic():
        return None
    name = value.name()
    return name if any(card.name == name for role in "qvx" for card in symbols.cards.get(role, [])) else None


def _flows(symbols: Symbols, x_dot: Mapping[str, Any], meeting: Meeting, path: str) -> Iterator[Named]:
    """What flows into one part: with what its own store takes in; the net, for a holder."""
    port = meeting.port
    for name, quantity in port.through.items():
        if quantity.shape:
            continue
        if path in meeting.holders:
            value = symbols.through[f"{path}.{name}"]
        else:
            value = meeting.into.get(path, 0)
            if path in meeting.stores and not meeting.holders and not port.shadow:
                value = value + meeting.stores[path] * x_dot[f"{meeting.name}.{port.stored}"]
        yield Signal(f"{path}.{name}", quantity.unit, "flow", quantity.text), value


def aliases(symbols: Symbols) -> dict[str, str]:
    """Second names: of quantities at ports that meet, and of those that simply are a state."""
    second: dict[str, str] = {}
    for meeting in symbols.meetings:
        for name, quantity in meeting.port.across.items():
            shared = symbols.across.get((id(meeting), name))
            simply = None if quantity.shape or shared is None else state_behind(symbols, shared)
            canonical = simply or f"{meeting.name}.{name}"
            second |= {f"{path}.{name}": canonical for path in meeting.paths if f"{path}.{name}" != canonical}
    return second
