"""YAML text as a tree of nodes that know their lines; what is hostile or too large is refused at once.

The parser's events are read one by one, so depth and size are checked before anything is built,
and no tag is ever acted upon: a document holds texts, lists and mappings, nothing else.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from oleodyn.errors import DeclarationError

MAX_CHARACTERS = 500_000
MAX_DEPTH = 50
MAX_NODES = 10_000
"""counted as they are used: an alias counts as all it stands for"""


@dataclass
class Node:
    """One value of the document and its line: that of its key, if it has one."""

    line: int
    size: int = 1
    depth: int = 1


@dataclass
class Scalar(Node):
    """A single text; `quoted` texts are never numbers, flags or null."""

    text: str = ""
    quoted: bool = False


@dataclass
class Items(Node):
    """A list."""

    items: list[Node] = field(default_factory=list)


@dataclass
class Entries(Node):
    """A mapping: key → value, with the line of each key; `twice` lists (key, line, first line)."""

    items: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int, int]] = field(default_factory=list)


def parse(text: str, name: str) -> Node:
    """The tree of a YAML document; errors begin with `name` and the line."""
    if len(text) > MAX_CHARACTERS:
        raise DeclarationError(
            f"{name}: has {len(text):,} characters; a machine file has at most {MAX_CHARACTERS:,}. "
            "Keep tables of measurements in a file of their own."
        )
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return _Builder(name).build(YAML(typ="safe", pure=True, plug_ins=[]).parse(text))
    except YAMLError as error:
        raise _as_ours(error, text, name) from None


@dataclass
class _Open:
    """A list or mapping that has begun: its anchor and, in a mapping, the key that waits for its value."""

    node: Items | Entries
    anchor: str | None
    key: tuple[str, int] | None = None


class _Builder:
    """Builds nodes from events with a stack of its own: no recursion, no more than the limits."""

    def __init__(self, name: str):
        self.name = name
        self.anchors: dict[str, Node] = {}
        self.open: list[_Open] = []
        self.root: Node | None = None
        self.count = 0

    def build(self, events: Iterator[Any]) -> Node:
        """The root node."""
        for event in events:
            kind, line = type(event).__name__, event.start_mark.line + 1
            if kind == "DocumentStartEvent" and self.root is not None:
                raise self._error(line, "a second document begins here. Keep one machine in a file.")
            if kind == "AliasEvent":
                self._alias(event.anchor, line)
            elif kind == "ScalarEvent":
                self._take(event, line)
                self._place(Scalar(line, text=event.value, quoted=event.style is not None), event.anchor, line)
            elif kind in ("MappingStartEvent", "SequenceStartEvent"):
                self._take(event, line)
                node = Entries(line) if kind == "MappingStartEvent" else Items(line)
                self.open.append(_Open(node, event.anchor))
            elif kind in ("MappingEndEvent", "SequenceEndEvent"):
                ended = self.open.pop()
                self._place(ended.node, ended.anchor, ended.node.line)
        return self.root or Scalar(1)

    def _take(self, event: Any, line: int) -> None:
        if event.ctag is not None:
            raise self._error(line, f"the tag {event.ctag} is refused. A machine file holds plain values only.")
        self._reserve(1, 1, line)

    def _reserve(self, size: int, depth: int, line: int) -> None:
        self.count += size
        if self.count > MAX_NODES:
            raise self._error(line, f"holds more than {MAX_NODES:,} values (an alias counts as all it stands for)")
        if len(self.open) + depth > MAX_DEPTH:
            raise self._error(line, f"is nested more than {MAX_DEPTH} deep")

    def _alias(self, anchor: str, line: int) -> None:
        node = self.anchors.get(anchor)
        if node is None:
            raise self._error(line, f"*{anchor} stands for nothing. Mark a finished value above it with &{anchor}.")
        self._reserve(node.size, node.depth, line)
        self._place(node, None, line, alias=True)

    def _place(self, node: Node, anchor: str | None, line: int, alias: bool = False) -> None:
        if anchor:
            self.anchors[anchor] = node
        if not self.open:
            self.root = node
            return
        into = self.open[-1]
        parent = into.node
        parent.size += node.size
        parent.depth = max(parent.depth, node.depth + 1)
        if isinstance(parent, Items):
            parent.items.append(node)
        elif into.key is None:
            into.key = self._key(node, line)
        else:
            key, key_line = into.key
            node.line = node.line if alias else key_line
            if key in parent.items:
                parent.twice.append((key, key_line, parent.lines[key]))
            parent.items[key], parent.lines[key] = node, key_line
            into.key = None

    def _key(self, node: Node, line: int) -> tuple[str, int]:
        if not isinstance(node, Scalar):
            raise self._error(line, "a key must be a text, not a list or a mapping")
        if node.text == "<<" and not node.quoted:
            raise self._error(
                line, "merge keys (<<) are refused. Write the values out, or use an alias for a whole value."
            )
        return node.text, line

    def _error(self, line: int, message: str) -> DeclarationError:
        return DeclarationError(f"{self.name}:{line}: {message}")


def _as_ours(error: Any, text: str, name: str) -> DeclarationError:
    """The parser's complaint, with the line and, for the usual slips, the remedy."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:  # a character that YAML does not allow
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        return DeclarationError(f"{name}:{line}: holds a character that a text file cannot hold. Remove it.")
    line = mark.line + 1
    said = " ".join(filter(None, (getattr(error, "context", None), getattr(error, "problem", None))))
    written = text[mark.index - mark.column :].partition("\n")[0]
    if "\t" in written:
        remedy = "Indent with spaces, not with tabs."
    elif re.search(r"\]\s*[A-Za-z%°]", written):
        remedy = "Write a vector with one unit in round brackets, for example (0, 0, -9.81) m/s2."
    elif "mapping values" in said:
        remedy = 'Begin each entry on a line of its own, as "name: value"; put a text that holds ": " in quotes.'
    else:
        remedy = "Check indentation, brackets and quotes there and in the line before."
    return DeclarationError(f"{name}:{line}: is not YAML: {said}. {remedy}")


# ------------------------------------------------------------------ plain values

_WORDS = {"": None, "~": None, "null": None, "Null": None, "NULL": None}
_WORDS |= {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_SPECIAL = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}
_INTEGER = re.compile(r"[-+]?\d{1,300}")
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?")


def plain_value(node: Scalar) -> Any:
    """None, a flag, a number or a text, as YAML 1.2 reads it."""
    text = node.text
    if node.quoted:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() in _SPECIAL:
        return _SPECIAL[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if len(text) <= 300 and _FLOAT.fullmatch(text) else text


def is_null(node: Node) -> bool:
    """True for null, ~ and nothing at all."""
    return isinstance(node, Scalar) and not node.quoted and plain_value(node) is None
