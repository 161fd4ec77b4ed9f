"""What is drawn: the elements of a machine and the nets that join them, without any place yet.

A machine is known by its `parts` and `connections` alone, and a part by the names of its classes and
what it declares, so that any machine can be drawn, with parts of any origin.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

End = tuple[str, str]
"""(part, port or signal)"""

HYDRAULIC, MECHANICAL, SIGNAL = "hydraulic", "mechanical", "signal"


@dataclass(frozen=True)
class Element:
    """One part: its name, the names of its classes (its own first), and what can be connected.

    ports     name → kind (hydraulic or mechanical)
    must      ports that are drawn even if nothing is connected there
    """

    name: str
    lineage: tuple[str, ...]
    ports: dict[str, str]
    must: frozenset[str]
    inputs: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """The name of the part's class."""
        return self.lineage[0]

    def ports_of(self, kind: str) -> list[str]:
        """The ports of one kind."""
        return [port for port, of in self.ports.items() if of == kind]


@dataclass(eq=False)
class Net:
    """What is joined: ends that share one pressure, one motion or one signal."""

    kind: str
    ends: list[End]
    role: str = ""
    """How its line looks: supply, return, work, mechanical or signal."""
    declared: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """The connections it was made of, as they were written."""

    @property
    def parts(self) -> list[str]:
        """The parts it reaches."""
        return list(dict.fromkeys(part for part, _ in self.ends))


@dataclass(frozen=True)
class Diagram:
    """Elements by name, and nets."""

    elements: dict[str, Element]
    nets: list[Net]


def diagram(machine: Any) -> Diagram:
    """The elements and nets of a machine."""
    elements = {name: _element(name, part) for name, part in machine.parts.items()}
    joined = [tuple(_split(end) for end in ends) for ends in machine.connections]
    return Diagram(elements, _nets(elements, joined, machine.connections))


def _split(end: str) -> End:
    part, _, port = end.partition(".")
    return part, port


def _element(name: str, part: Any) -> Element:
    declared = part.declaration()
    return Element(
        name=name,
        lineage=tuple(cls.__name__ for cls in type(part).__mro__),
        ports={port: _kind(of) for port, of in declared.ports.items()},
        must=frozenset(port for port, of in declared.ports.items() if not getattr(of, "optional", False)),
        inputs=tuple(declared.inputs),
        notes=tuple(_joints(part)),
    )


def _kind(port: Any) -> str:
    return HYDRAULIC if any(cls.__name__ == "HydraulicPort" for cls in type(port).__mro__) else MECHANICAL


def _joints(part: Any) -> Iterable[str]:
    """What a mechanism is made of: who carries whom by which joint, and which loops close it."""
    for table, mark in (("joints", "→"), ("loops", "↔")):
        held = getattr(part, table, None)
        for name, joint in held.items() if isinstance(held, Mapping) else ():
            parent, child = getattr(joint, "parent", None), getattr(joint, "child", None)
            ends = f"{parent} {mark} {child}" if parent and child else ""
            yield f"{name}: {ends} ({type(joint).__name__})" if ends else f"{name} ({type(joint).__name__})"


def _nets(elements: Mapping[str, Element], joined: list[tuple[End, ...]], written: list[tuple[str, ...]]) -> list[Net]:
    """One net for all that meets: connections that share a port are one."""
    nets: list[Net] = []
    for ends, declared in zip(joined, written, strict=True):
        first = elements[ends[0][0]].ports
        kind = first.get(ends[0][1], SIGNAL)
        old = [net for net in nets if set(net.ends) & set(ends)]
        net = Net(kind, list(dict.fromkeys([end for known in old for end in known.ends] + list(ends))))
        net.declared = [line for known in old for line in known.declared] + [tuple(declared)]
        nets = [known for known in nets if known not in old] + [net]
    return nets
