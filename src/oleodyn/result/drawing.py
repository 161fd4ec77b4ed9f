"""Circuit drawings: a machine as an engineer of fluid power draws it, laid out by itself."""

import os
from pathlib import Path
from typing import Any

from oleodyn.result.atomic import written_whole
from oleodyn.result.circuit.paint import svg
from oleodyn.result.circuit.route import Routing, route
from oleodyn.result.circuit.sheet import Sheet, sheet

ATTEMPTS = 4
"""How often more room is given before two lines may lie on one another."""


def draw(machine: Any, path: str | os.PathLike[str]) -> Path:
    """Draw the circuit of a machine to an SVG file.

    Tank and supply stand below, valves above them, then lines, actuators and what they move;
    controllers stand left of what they command. Symbols follow ISO 1219-1; a part without one is a
    box. The same machine gives the same file, to the byte.
    """
    with written_whole(path) as place:
        place.write_text(drawing(machine), encoding="utf-8")
    return Path(path)


def drawing(machine: Any, heading: bool = True) -> str:
    """The circuit of a machine as the text of an SVG picture, with its name above as a heading."""
    return svg(*laid_out(machine), machine.name, machine.text, heading)


def laid_out(machine: Any) -> tuple[Sheet, Routing]:
    """Where everything is drawn; with the more room between, the harder it is to draw the lines."""
    tried: list[tuple[Sheet, Routing]] = []
    for attempt in range(ATTEMPTS):
        made = sheet(machine, slack=2 * attempt)
        tried.append((made, route(made)))
        if not tried[-1][1].overlaps:
            break
    return min(tried, key=lambda pair: pair[1].overlaps)
