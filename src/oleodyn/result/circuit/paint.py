"""A sheet and its lines as one SVG picture that needs nothing else."""

import html
import textwrap
from itertools import pairwise

from oleodyn.result.circuit.diagram import HYDRAULIC, MECHANICAL, Net
from oleodyn.result.circuit.ink import COLOUR, FONT, PAPER, ROLES, letters, lined, path, plain, stroke
from oleodyn.result.circuit.lines import TOP
from oleodyn.result.circuit.mechanism_box import HEAD, NOTE_PITCH, crowded, note_columns, note_rows, zone
from oleodyn.result.circuit.node import NAME, SMALL, TYPE, Box, Node, text_width
from oleodyn.result.circuit.route import Cell, Routing, Way
from oleodyn.result.circuit.sheet import Sheet
from oleodyn.result.circuit.symbol import EAST, NORTH, SOUTH, WEST, M, Point, line, rect
from oleodyn.result.plots import INK, MUTED

MARGIN = 24
TITLE, LEAD, LEAST = 20, 12.5, 640


def svg(made: Sheet, routing: Routing, title: str, text: str, heading: bool = True) -> str:
    """The whole picture; without heading it is one for a page that has said what it shows."""
    left, top, right, bottom = (edge * M for edge in bounds(made, routing))
    roles = [role for role in ROLES if role in _roles_drawn(made, routing)]
    legend_width = sum(44 + text_width(ROLES[role][0], 11) + 22 for role in roles)
    least = max(text_width(title, TITLE, bold=True), LEAST) if heading else 0.0
    width = max(right - left, legend_width, least) + 2 * MARGIN
    lead = textwrap.wrap(text, max(20, int((width - 2 * MARGIN) / (0.5 * LEAD)))) if heading else []
    head = 2 * MARGIN + 14 + 17 * len(lead) if heading else MARGIN
    height = head + (bottom - top) + (64 if roles else MARGIN)
    shift_x, shift_y = (width - (right - left)) / 2 - left, head - top
    inside = [net_lines(net, routing, made) for net in made.nets]
    inside += [element(node) for node in made.nodes.values()]
    body = "\n".join(inside)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {plain(width)} {plain(height)}" '
        f'width="{plain(width)}" height="{plain(height)}" font-family="{FONT}" role="img">\n'
        f"<title>Circuit of {html.escape(title)}</title>\n"
        f'<rect width="100%" height="100%" fill="{PAPER}"/>\n'
        + (f"{letters(MARGIN, MARGIN + 16, title, TITLE, bold=True)}\n" if heading else "")
        + "".join(f"{letters(MARGIN, MARGIN + 38 + 17 * k, row, LEAD, fill=MUTED)}\n" for k, row in enumerate(lead))
        + f'<g transform="translate({plain(shift_x)} {plain(shift_y)})">\n{body}\n</g>\n'
        + legend(roles, height - 26)
        + "</svg>\n"
    )


def bounds(made: Sheet, routing: Routing) -> Box:
    """What is drawn, in modules."""
    boxes: list[Box] = []
    for node in made.nodes.values():
        west, north, east, south = node.extent()
        boxes.append((node.x + west, node.y + north, node.x + east, node.y + south))
    boxes += [(x - 1, y - 1, x + 1, y + 1) for way in routing.ways for x, y in way.cells]
    if not boxes:
        return (0, 0, 0, 0)
    return (
        min(box[0] for box in boxes), min(box[1] for box in boxes),
        max(box[2] for box in boxes), max(box[3] for box in boxes),
    )  # fmt: skip


def legend(roles: list[str], y: float) -> str:
    """What the kinds of lines mean."""
    drawn, x = "", float(MARGIN)
    for role in roles:
        name = ROLES[role][0]
        drawn += lined(path([(x, y - 4), (x + 36, y - 4)]), role) + letters(x + 44, y, name, 11) + "\n"
        x += 44 + text_width(name, 11) + 22
    return drawn


def _roles_drawn(made: Sheet, routing: Routing) -> set[str]:
    stubs = {"signal"} if any(node.stubs for node in made.nodes.values()) else set[str]()
    pilots = {"pilot"} if any(way.pilot for way in routing.ways) else set[str]()
    return {net.role for net in made.nets} | stubs | pilots


# ------------------------------------------------------------------ lines


def net_lines(net: Net, routing: Routing, made: Sheet) -> str:
    """The lines of a net, its nodes, and its ends as a tooltip."""
    ways = routing.of(net)
    told = html.escape("; ".join(" = ".join(ends) for ends in net.declared))
    parts = [lined(path(_corners(way.cells)), net.role, way.pilot) for way in ways if len(way.cells) > 1]
    r = 3.2 if net.kind == HYDRAULIC else 2.4
    dots = [
        f'<circle cx="{x * M}" cy="{y * M}" r="{r}" fill="{COLOUR[net.role]}"/>' for x, y in _meetings(ways, made, net)
    ]
    return f'<g class="{net.role}"><title>{told}</title>{"".join([*parts, *dots])}</g>'


def _corners(cells: list[Cell]) -> list[Point]:
    """Only the cells where a line begins, bends or ends, in pixels."""
    kept = [
        cell
        for k, cell in enumerate(cells)
        if k in (0, len(cells) - 1)
        or (cells[k - 1][0] == cell[0]) != (cells[k + 1][0] == cell[0])
    ]  # fmt: skip
    return [(x * M, y * M) for x, y in kept]


def _meetings(ways: list[Way], made: Sheet, net: Net) -> list[Cell]:
    """Where more than two runs of a net meet."""
    edges = {frozenset(pair) for way in ways for pair in pairwise(way.cells)}
    degree: dict[Cell, int] = {}
    for edge in edges:
        for cell in edge:
            degree[cell] = degree.get(cell, 0) + 1
    for part, port in net.ends:
        pin = made.nodes[part].pin(port)
        cell = (pin.x, pin.y)
        degree[cell] = degree.get(cell, 0) + 1
    return sorted(cell for cell, count in degree.items() if count > 2)


# ------------------------------------------------------------------ elements


def element(node: Node) -> str:
    """A part: its symbol or box, its name and type, the letters of its ports."""
    told = html.escape(f"{node.name} ({node.element.type})")
    parts = _picture(node) if node.picture else _box(node)
    parts += [_stub(node, port) for port in node.stubs]
    parts += [_open(node, port) for port in node.open]
    return f'<g class="part"><title>{told}</title>{"".join(parts)}</g>'


def _picture(node: Node) -> list[str]:
    joined = [port for port in node.symbol.pins if _used(node, port)]
    parts = [
        stroke(line(*pin.lead, look=pin.look), node.x, node.y)
        for port, pin in node.symbol.pins.items()
        if pin.lead and port in joined
    ]
    parts += [stroke(one, node.x, node.y) for one in node.symbol.strokes]
    oil = [port for port in node.symbol.pins if port in joined and node.element.ports.get(port) == HYDRAULIC]
    if len(node.element.ports_of(HYDRAULIC)) > 1:
        parts += [_letter(node, port) for port in oil if node.symbol.pins[port].letter]
    parts += [
        _letter(node, port)
        for port in joined_signals(node)
    ]  # fmt: skip
    if node.symbol.label is not None:
        x, y = (node.x + node.symbol.label[0]) * M, (node.y + node.symbol.label[1]) * M
        parts.append(letters(x, y + 4, node.name, NAME, bold=True))
        parts.append(letters(x, y + 16.5, node.element.type, TYPE, fill=MUTED))
    return parts


def joined_signals(node: Node) -> list[str]:
    """Inputs and outputs with a line, whose names stand beside it."""
    known = {*node.element.ports, *node.stubs}
    return [port for port in node.symbol.pins if _used(node, port) and port not in known and TOP not in port]


def _used(node: Node, port: str) -> bool:
    return port in node.joined or port in node.stubs or port in node.open


def _letter(node: Node, port: str) -> str:
    """The name of a port beside its line, just outside the symbol."""
    pin = node.pin(port)
    x, y = pin.x * M, pin.y * M
    if pin.side in (NORTH, SOUTH):
        east, clear = pin.x - node.x > node.symbol.width / 2, node.symbol.clear
        at, below = x - 3.5 if east else x + 3.5, y - clear if pin.side == NORTH else y + clear + 7
        return letters(at, below, port, SMALL, anchor="end" if east else "start")
    return letters(
        x - 3 if pin.side == WEST else x + 3, y - 3, port, SMALL, anchor="end" if pin.side == WEST else "start"
    )


def _box(node: Node) -> list[str]:
    symbol = node.symbol
    parts = [stroke(rect(0, 0, symbol.width, symbol.height), node.x, node.y)]
    parts += [_inner(node, port) for port in symbol.pins]
    x, y, width, height = node.x * M, node.y * M, symbol.width * M, symbol.height * M
    if node.wide:
        top = y + (zone(symbol, NORTH) if any(pin.side == NORTH for pin in symbol.pins.values()) else 4)
        parts.append(letters(x + 10, top + 14, node.name, NAME, bold=True))
        shift = text_width(node.name, NAME, bold=True) + 8
        parts.append(letters(x + 10 + shift, top + 14, node.element.type, TYPE, fill=MUTED))
        return parts + _notes(node, x + 10, top + HEAD + 6)
    above, below = (any(pin.side == side for pin in symbol.pins.values()) for side in (NORTH, SOUTH))
    middle = y + height / 2 + (6 if above else 0) - (6 if below else 0)
    west, east = (
        max([0.0, *(text_width(port, SMALL) + 5 for port, pin in symbol.pins.items() if pin.side == side)])
        for side in (WEST, EAST)
    )
    centre = x + west + (width - west - east) / 2
    parts.append(letters(centre, middle - 2, node.name, NAME, bold=True, anchor="middle"))
    parts.append(letters(centre, middle + 11, node.element.type, TYPE, fill=MUTED, anchor="middle"))
    return parts


def _notes(node: Node, x: float, y: float) -> list[str]:
    """The joints of a mechanism, in columns."""
    notes, rows = node.element.notes, max(1, note_rows(node))
    pitch = (node.symbol.width * M - 20) / note_columns(node)
    return [
        letters(x + pitch * (k // rows), y + NOTE_PITCH * (k % rows) + 4, note, SMALL, fill=MUTED)
        for k, note in enumerate(notes)
    ]


def _inner(node: Node, port: str) -> str:
    """The name of a pin, inside the box."""
    pin = node.pin(port)
    x, y = pin.x * M, pin.y * M
    if pin.side in (WEST, EAST):
        west = pin.side == WEST
        return letters(x + 4 if west else x - 4, y + 3.4, port, SMALL, anchor="start" if west else "end")
    if crowded(node.symbol, pin.side):
        start = y - 5 if pin.side == SOUTH else y + 5
        anchor = "start" if pin.side == SOUTH else "end"
        return letters(x + 3.4, start, port, SMALL, anchor=anchor, upright=True)
    return letters(x, y + 11 if pin.side == NORTH else y - 5, port, SMALL, anchor="middle")


def _stub(node: Node, port: str) -> str:
    """An arrow into an input that a scenario sets."""
    pin = node.pin(port)
    x, y = pin.x * M, pin.y * M
    dx, dy = {WEST: (-1, 0), EAST: (1, 0), NORTH: (0, -1), SOUTH: (0, 1)}[pin.side]
    far, neck = (x + 22 * dx, y + 22 * dy), (x + 6 * dx, y + 6 * dy)
    head = path([(x, y), (neck[0] - 3 * dy, neck[1] - 3 * dx), (neck[0] + 3 * dy, neck[1] + 3 * dx)])
    drawn = lined(path([far, neck]), "signal") + f'<path d="{head}Z" fill="{COLOUR["signal"]}"/>'
    if node.picture:
        anchor = {WEST: "end", EAST: "start"}.get(pin.side, "middle")
        lift = {NORTH: -3.0, SOUTH: 10.0}.get(pin.side, 3.4)
        drawn += letters(far[0] + 3 * dx, far[1] + lift, port, SMALL, anchor=anchor)
    return drawn


def _open(node: Node, port: str) -> str:
    """A port that nobody joined."""
    pin = node.pin(port)
    kind = node.element.ports[port]
    colour = INK if kind != MECHANICAL else MUTED
    return f'<circle cx="{pin.x * M}" cy="{pin.y * M}" r="3" fill="{PAPER}" stroke="{colour}"/>'
