"""All examples of parts, from the files beside this one: examples_<room>.py with a dict <ROOM> of name: part.

A part whose parameters all have defaults needs none.
"""

from importlib import import_module
from pathlib import Path

EXAMPLES = {
    f"{room}: {name}": part
    for room in sorted(file.stem.removeprefix("examples_") for file in Path(__file__).parent.glob("examples_*.py"))
    for name, part in getattr(import_module(f"tests.parts.examples_{room}"), room.upper()).items()
}
