"""Symbols: one for everything that parts declare, with its name card and its start value."""

from typing import Any

from oleodyn.equations.equations import Signal
from oleodyn.equations.shapes import SX, array, stack
from oleodyn.equations.wiring import Meeting, meetings
from oleodyn.errors import DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Named, Parameter
from oleodyn.units import choices

LETTERS = {"state": "x", "sampled": "z", "input": "u", "coordinate": "q", "speed": "v"}
KINDS = {"u": "input", "q": "position", "v": "speed", "z": "controller"}


class Symbols:
    """All symbols of a machine by role: t; q v x z u p, a and lam; what ports share and pass.

    `make` is what `bind` asks. `definitions` says what a symbol stands for that is none of the
    equations' own: what a port shares, the net through it, an input that an output drives.
    """

    def __init__(self, machine: Machine, tunable: tuple[str, ...]):
        self.machine, self.tunable = machine, tunable
        self.t = SX.sym("t")
        self.cards: dict[str, list[Signal]] = {}
        self.symbols: dict[str, list[Any]] = {}
        self.initial: dict[str, list[float]] = {}
        self.tuned: list[Parameter] = []
        """the declarations of the tunables, in their order"""
        self.definitions: dict[str, tuple[Any, Any]] = {}
        self.meetings = meetings(machine)
        self.meeting_of = {path: meeting for meeting in self.meetings for path in meeting.paths}
        self.across: dict[tuple[int, str], Any] = {}
        self.through: dict[str, Any] = {}
        self.turning = {
            name
            for name, part in machine.parts.items()
            if any("angle" in port.across for port in part.declaration().ports.values())
        }
        """parts with a shaft: laws inside them that fit lengths and angles are about angles"""

    def new(self, role: str, card: Signal, initial: float = 0.0) -> Any:
        """A symbol with its card."""
        symbol = SX.sym(card.name)
        self.cards.setdefault(role, []).append(card)
        self.symbols.setdefault(role, []).append(symbol)
        self.initial.setdefault(role, []).append(initial)
        return symbol

    def of(self, role: str) -> list[tuple[Signal, Any]]:
        """Cards and symbols of a role."""
        return list(zip(self.cards.get(role, []), self.symbols.get(role, []), strict=True))

    def column(self, role: str) -> Any:
        """The symbols of a role as a column."""
        return stack(self.symbols.get(role, []))

    def make(self, role: str, path: str, declared: Any) -> Any:
        """A symbol for one declaration; the roles are those of `bind`."""
        if role == "time":
            return self.t
        if role == "parameter":
            return self._tuned(path, declared)
        if role in ("across", "through"):
            return self._at_port(role, path, declared)
        unit = self.unit(path, declared.unit)
        if role == "multiplier":
            return self.new("lam", Signal(path, unit, "multiplier", declared.text))
        if role == "acceleration":
            return self.new("a", Signal(path, f"{unit}/s", "acceleration", declared.text))
        letter = LETTERS[role]
        initial = declared.default if letter == "u" else declared.initial
        card = Signal(path, unit, KINDS.get(letter) or declared.kind, declared.text, getattr(declared, "nominal", 1.0))
        return self.new(letter, card, initial)

    def unit(self, path: str, unit: str) -> str:
        """The one unit of several ("N|N·m") that fits the part at this path."""
        several = choices(unit)
        return several[1] if len(several) == 2 and path.partition(".")[0] in self.turning else several[0]

    def _tuned(self, path: str, declared: Parameter) -> Any:
        if path not in self.tunable:
            return None
        if declared.shape:
            raise DeclarationError(f"tunable {path!r} has {declared.shape} numbers: only single numbers can be tuned")
        value: Any = self.machine.parts[path.partition(".")[0]]
        for name in path.split(".")[1:]:
            value = value[name] if isinstance(value, Named) else getattr(value, name)
        self.tuned.append(declared)
        return self.new("p", Signal(path, self.unit(path, declared.unit), "parameter", declared.text), float(value))

    def _at_port(self, role: str, path: str, quantity: Any) -> Any:
        port, _, name = path.rpartition(".")
        if role == "through":
            if path not in self.through:
                self.through[path] = array(f"net {path}", quantity.shape)
            return self.through[path]
        return self.shared(self.meeting_of[port], name)

    def shared(self, meeting: Meeting, name: str) -> Any:
        """The symbol of a quantity that all parts at a meeting point share."""
        key = (id(meeting), name)
        if key not in self.across:
            self.across[key] = array(f"shared {meeting.paths[0]}.{name}", meeting.port.across[name].shape)
        return self.across[key]
