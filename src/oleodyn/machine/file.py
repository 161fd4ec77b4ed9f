"""Machine files: a machine from YAML with units on every number. Nothing in a file is ever executed.

oleodyn: 1                       # version of the format
name: lift
text: One cylinder on a valve.
run: {stepper: hht, dt: 0.2 ms, until: 10 s, scenario: up}
parts:
  valve: {type: ProportionalValve43, Q_nom: 40 l/min}
  lift:
    type: Cylinder
    d_bore: 80 mm
    friction: {type: LuGre, F_c: 200 N}
connections:
  - valve.A = lift.A
aliases: {force: lift.F}
start: {lift.A.p: 20 bar}
scenarios:
  up:
    signals: {valve.u: {type: Constant, value: 0.6}}
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from oleodyn.errors import DeclarationError, OleodynError
from oleodyn.machine.document import MAX_CHARACTERS, Entries, Items, Node, Scalar, is_null, parse, plain_value
from oleodyn.machine.machine import Defaults, Machine
from oleodyn.machine.part import Declared, Named, nearest
from oleodyn.machine.reading import Driven, Problems, Reading, Wrong
from oleodyn.machine.signals import input_units, start_units

VERSION = 1
SECTIONS = ("oleodyn", "name", "text", "run", "parts", "connections", "aliases", "start", "scenarios")


def load(source: str | os.PathLike[str], shelf: Mapping[str, Any]) -> Machine:
    """The machine in a file, or in a text of several lines; `shelf` holds the types it may use.

    A shelf has, by name, part classes, ready parts, or functions that return a ready part.
    All mistakes of a file are reported together, each with its line and its remedy.
    """
    if isinstance(source, str) and "\n" in source:
        text, name = source, "text"
    else:
        name = os.fspath(source)
        text = _contents(Path(source))
    root = parse(text, name)
    if not isinstance(root, Entries):
        raise DeclarationError(f'{name}:{root.line}: must be a mapping that begins with "oleodyn: {VERSION}"')
    problems = Problems(name)
    machine = _File(root, name, shelf, problems).machine()
    problems.raise_any()
    return machine


def changed(machine: Machine, path: str, text: str, shelf: Mapping[str, Any]) -> Machine:
    """A copy with one value changed to what a text says: `changed(crane, "lift.d_bore", "90 mm", SHELF)`."""
    name, rest = machine.split(path)
    *way, field = rest.split(".")
    owner: Any = machine.parts[name]
    for key in way:
        owner = owner.get(key) if isinstance(owner, Named) else getattr(owner, key, None)
    problems = Problems("")
    reading = Reading(shelf, problems)
    node = parse(text, path)
    try:
        if isinstance(owner, Named):
            value = reading.declared(path, node)
        elif isinstance(owner, Declared) and field in owner.fields:
            value = reading.value(path, type(owner), field, node, 1)
        else:
            value = None  # no such name: replace() says which there are
    except Wrong:
        value = None
    problems.raise_any()
    return machine.replace(path, value)


def _contents(path: Path) -> str:
    """The text of a file, refused before it is read if it is no file or too large."""
    try:
        there = path.is_file()
    except (OSError, ValueError):  # too long, or with characters that no path has
        raise DeclarationError(
            f"{str(path)[:60]!r}…: is neither the path of a file nor a text of several lines"
        ) from None
    if not there:
        beside = [entry.name for entry in path.parent.glob("*.y*ml")] if path.parent.is_dir() else []
        close = difflib.get_close_matches(path.name, beside, n=1)
        raise DeclarationError(f"{path}: there is no such file" + (f"; did you mean {close[0]!r}?" if close else "."))
    limit = 4 * MAX_CHARACTERS
    with path.open("rb") as file:
        data = file.read(limit + 1) if path.stat().st_size <= limit else b""
    if len(data) > limit or path.stat().st_size > limit:
        raise DeclarationError(
            f"{path}: has {path.stat().st_size:,} bytes; a machine file has at most {MAX_CHARACTERS:,} characters. "
            "Keep tables of measurements in a file of their own."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DeclarationError(f"{path}:{line}: is not UTF-8 text. Save the file with that encoding.") from None


class _File:
    """One file on its way to a machine."""

    def __init__(self, root: Entries, name: str, shelf: Mapping[str, Any], problems: Problems):
        self.root = root
        self.name = name
        self.problems = problems
        self.reading = Reading(shelf, problems)
        self.unread: set[str] = set()

    def machine(self) -> Machine:
        """The machine, as far as it can be read."""
        root = self.root
        self._check_version(root)
        self.reading.note_twice("", root)
        for key, line in root.lines.items():
            if key not in SECTIONS:
                self.problems.add(
                    line, f"{key}: is no section{nearest(key, SECTIONS)}. The sections are {', '.join(SECTIONS)}."
                )
        machine = Machine(self._text("name", required=True), text=self._text("text"))
        self._run(machine)
        self._parts(machine)
        self._connections(machine)
        self._aliases(machine)
        starts = Driven(start_units(machine), frozenset(self.unread))
        self.reading.start_units = starts
        self._start(machine, starts)
        self._scenarios(machine)
        return machine

    def _check_version(self, root: Entries) -> None:
        node = root.items.get("oleodyn")
        if node is None:
            self.problems.add(root.line, f'oleodyn: the version is missing. Begin the file with "oleodyn: {VERSION}".')
            return
        version = plain_value(node) if isinstance(node, Scalar) else None
        if version != VERSION or isinstance(version, bool):
            remedy = (
                "Update oleodyn." if isinstance(version, int) and version > VERSION else f'Write "oleodyn: {VERSION}".'
            )
            shown = node.text if isinstance(node, Scalar) else "a list"
            self.problems.add(node.line, f"oleodyn = {shown}: must be the version {VERSION} of the format. {remedy}")

    def _text(self, section: str, *, required: bool = False) -> str:
        node = self._section(section)
        if node is None:
            if required:
                self.problems.add(self.root.line, f'{section}: is missing. Add "{section}: …".')
            return ""
        if not isinstance(node, Scalar):
            self.problems.add(node.line, f"{section}: must be a text")
            return ""
        return node.text

    def _section(self, name: str) -> Node | None:
        """The node of a section, None where it is absent or empty."""
        node = self.root.items.get(name)
        return None if node is None or is_null(node) else node

    def _entries(self, section: str, example: str) -> Entries:
        """The mapping in a section, empty where there is none."""
        node = self._section(section)
        if node is None:
            return Entries(1)
        if not isinstance(node, Entries):
            self.problems.add(node.line, f'{section}: must be a mapping, for example "{example}"')
            return Entries(1)
        self.reading.note_twice(section, node)
        return node

    # ------------------------------------------------------------------ sections

    def _run(self, machine: Machine) -> None:
        node = self._section("run")
        if node is None:
            return
        if not isinstance(node, Entries):
            self.problems.add(node.line, 'run: must be a mapping, for example "run: {dt: 1 ms, until: 10 s}"')
            return
        try:
            machine.defaults = self.reading.filled("run", Defaults, node)
        except Wrong:
            return
        scenario = machine.defaults.scenario
        known = self._entries("scenarios", "lift: {signals: …}").items
        if scenario is not None and scenario not in known:
            self.problems.add(
                node.lines["scenario"],
                f'run.scenario = "{scenario}": there is no such scenario{nearest(scenario, known)}. '
                f"There are {', '.join(known) or 'none'}.",
            )

    def _parts(self, machine: Machine) -> None:
        node = self._entries("parts", "lift: {type: Cylinder, …}")
        for name, child in node.items.items():
            line = node.lines[name]
            try:
                part: Any = self.reading.declared(f"parts.{name}", child)
                machine.add(name, part, place=f"{self.name}:{line}")
            except Wrong:
                self.unread.add(name)
            except OleodynError as error:
                self.unread.add(name)
                self.problems.add_error(line, error)

    def _connections(self, machine: Machine) -> None:
        node = self._section("connections")
        if node is None:
            return
        if not isinstance(node, Items):
            self.problems.add(node.line, 'connections: must be a list, each like "- valve.A = lift.A"')
            return
        for child in node.items:
            ends = self._ends(child)
            if ends is None:
                self.problems.add(child.line, 'connections: each must be ports that meet, like "- valve.A = lift.A"')
            elif not any(end.partition(".")[0] in self.unread for end in ends):
                try:
                    machine.connect(*ends, place=f"{self.name}:{child.line}")
                except OleodynError as error:
                    self.problems.add_error(child.line, error)

    def _ends(self, node: Node) -> list[str] | None:
        if isinstance(node, Scalar) and not is_null(node):
            ends = [end.strip() for end in node.text.split("=")]
        elif isinstance(node, Items):
            ends = [item.text.strip() if isinstance(item, Scalar) else "" for item in node.items]
        else:
            return None
        return ends if all(ends) else None

    def _aliases(self, machine: Machine) -> None:
        node = self._entries("aliases", "force: lift.F")
        for name, child in node.items.items():
            if not isinstance(child, Scalar) or is_null(child):
                self.problems.add(node.lines[name], f'aliases.{name}: must be the path of a signal, like "lift.A.p"')
                continue
            try:
                if child.text.partition(".")[0] not in self.unread:
                    machine.split(child.text, f"{self.name}:{child.line}: aliases.{name}")
                machine.alias(name, child.text)
            except OleodynError as error:
                self.problems.add_error(child.line, error)

    def _start(self, machine: Machine, driven: Driven) -> None:
        node = self._section("start")
        if node is not None:
            try:
                machine.start = self.reading.numbers_by_signal("start", node, driven)
            except Wrong:
                return

    def _scenarios(self, machine: Machine) -> None:
        node = self._entries("scenarios", "lift: {signals: …}")
        driven = Driven(input_units(machine), frozenset(self.unread))
        found: dict[str, Any] = {}
        for name, child in node.items.items():
            try:
                found[name] = self.reading.declared(f"scenarios.{name}", child, type_="Scenario", unit=driven)
            except Wrong:
                continue
        machine.scenarios = Named(found)
