"""Wiring: which ports meet where, and which law sets the effort there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from oleodyn.errors import WiringError
from oleodyn.machine.machine import Machine
from oleodyn.machine.port import Port


@dataclass
class Meeting:
    """Ports that meet in one place; `paths[0]` names it until a store or holder does."""

    paths: list[str]
    port: Port
    into: dict[str, Any] = field(default_factory=dict)
    """per port path: what flows into the part there"""
    holders: dict[str, Any] = field(default_factory=dict)
    stores: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The canonical name: of the holder, else of the first that stores."""
        return next(iter(self.holders), None) or next(iter(self.stores), None) or self.paths[0]


def meetings(machine: Machine) -> list[Meeting]:
    """Every meeting point, unconnected ports included, in order of the parts."""
    ports = {
        f"{name}.{port}": declared
        for name, part in machine.parts.items()
        for port, declared in part.declaration().ports.items()
    }
    leader = {path: path for path in ports}

    def find(path: str) -> str:
        while leader[path] != path:
            path = leader[path]
        return path

    for ends in machine.connections:
        if all(end in ports for end in ends):
            first = find(ends[0])
            for end in ends[1:]:
                leader[find(end)] = first
    groups: dict[str, list[str]] = {}
    for path in ports:
        groups.setdefault(find(path), []).append(path)
    return [Meeting(paths, ports[paths[0]]) for paths in groups.values()]


def signal_links(machine: Machine) -> Mapping[str, str]:
    """input path → output path."""
    links: dict[str, str] = {}
    for ends in machine.connections:
        name, rest = machine.split(ends[1])
        if rest in machine.parts[name].declaration().inputs:
            for end in ends[1:]:
                if end in links:
                    raise WiringError(f"{end} is driven by {links[end]} and by {ends[0]}: an input takes one output")
                links[end] = ends[0]
    return links


def check_meeting(meeting: Meeting, machine: Machine) -> None:
    """Exactly one law sets the effort; nothing that must be connected is left open."""
    if len(meeting.paths) == 1 and not meeting.holders:
        path, port = meeting.paths[0], meeting.port
        if port.optional:
            return
        if not meeting.stores or port.kind == "pressure":
            raise WiringError(
                f"{_place(machine, path)}{path} ({port.text}) is connected to nothing. Connect it"
                + (", or close it with Plug()." if port.kind == "pressure" else ".")
            )
    what = meeting.port.stored or next(iter(meeting.port.across))
    if len(meeting.holders) > 1:
        raise WiringError(
            f"{_place(machine, meeting.paths[0])}{_and(meeting.holders)} both impose {what} where "
            f"{_and(meeting.paths)} meet. Put something that stores between them"
            + (", for example Hose()." if meeting.port.kind == "pressure" else ".")
        )
    if not meeting.holders and not meeting.stores:
        remedy = {
            "pressure": "Connect a part with volume there, for example Hose(volume=0.2 * litre).",
            "speed": "Connect a mechanism's port, or a Mass or Inertia.",
        }.get(meeting.port.kind, "Connect a mechanism's frame.")
        raise WiringError(
            f"{_place(machine, meeting.paths[0])}nothing stores {what} where {_and(meeting.paths)} meet, "
            f"so it has no equation. {remedy}"
        )


def _place(machine: Machine, path: str) -> str:
    place = machine.places.get(path.partition(".")[0])
    return f"{place}: " if place else ""


def _and(paths: Any) -> str:
    return " and ".join(paths)
