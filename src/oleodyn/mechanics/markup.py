"""XML text as a tree of elements that know their lines; what is hostile or too large is refused at once.

Document types are refused as soon as one begins, so there are no entities to expand and nothing
outside the file to fetch.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from oleodyn.errors import DeclarationError

MAX_BYTES = 2_000_000
MAX_DEPTH = 50
MAX_ELEMENTS = 50_000


@dataclass
class Element:
    """One element: its tag, attributes, line and the elements inside."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Element"] = field(default_factory=list)

    def all(self, tag: str) -> list["Element"]:
        """The children of this tag."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "Element | None":
        """The first child of this tag, or None."""
        return next(iter(self.all(tag)), None)


def contents(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The bytes of a file, or of a text that is XML itself, and the name that errors give it."""
    if isinstance(source, str) and source.lstrip().startswith("<"):
        _check_size("text", len(source))
        return source.encode(), "text"
    path = Path(source)
    try:
        there = path.is_file()
    except (OSError, ValueError):
        raise DeclarationError(f"{str(path)[:60]!r}…: is neither the path of a file nor XML") from None
    if not there:
        raise DeclarationError(f"{path}: there is no such file")
    _check_size(str(path), path.stat().st_size)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    _check_size(str(path), len(data))
    return data, str(path)


def parse(data: bytes, name: str) -> Element:
    """The root element; errors begin with `name` and the line."""
    builder = _Builder(name)
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        raise DeclarationError(f"{name}:{error.lineno}: is not XML: {said}. Check tags and quotes there.") from None
    return builder.root


def _check_size(name: str, size: int) -> None:
    if size > MAX_BYTES:
        raise DeclarationError(
            f"{name}: has {size:,} bytes; at most {MAX_BYTES:,} are read. Keep meshes in files of their own."
        )


class _Builder:
    """Handlers of the parser, which build the tree with a stack of their own."""

    def __init__(self, name: str):
        self.name = name
        self.root = Element("", {}, 1)
        self.open: list[Element] = []
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.parser.CurrentLineNumber)
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise self._error(f"holds more than {MAX_ELEMENTS:,} elements")
        if len(self.open) >= MAX_DEPTH:
            raise self._error(f"is nested more than {MAX_DEPTH} deep")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _refuse(self, *declared: object) -> None:
        raise self._error("a document type (<!DOCTYPE) is refused: it can define entities. Remove it.")

    def _error(self, message: str) -> DeclarationError:
        return DeclarationError(f"{self.name}:{self.parser.CurrentLineNumber}: {message}")
