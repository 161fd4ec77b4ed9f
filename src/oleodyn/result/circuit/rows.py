"""In which row an element is drawn: oil rises from tank and supply through valves to what moves."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from oleodyn.result.circuit.diagram import HYDRAULIC, MECHANICAL, SIGNAL, Diagram, Element, Net
from oleodyn.result.circuit.lines import TOP
from oleodyn.result.circuit.symbols import SERIAL, symbol_of


def role_of(element: Element) -> str:
    """What the layout takes an element for."""
    symbol = symbol_of(element.lineage)
    oil, motion = element.ports_of(HYDRAULIC), element.ports_of(MECHANICAL)
    if symbol is not None and symbol.role != "box":
        return symbol.role
    if oil:
        return "actuator" if motion else "inline" if len(oil) > 1 else "end"
    if motion:
        return "mechanism" if "Mechanism" in element.lineage or len(motion) > 2 else "load"
    return "mechanism" if "Mechanism" in element.lineage else "controller"


@dataclass
class Rows:
    """Rows from 0 below; what stands left of another part; nets with the hoses drawn in between.

    beside    part → the part it stands left of
    serial    hoses that are drawn with both ends
    nets      what is joined, cut in two where a hose is drawn in between
    role      part → what the layout takes it for
    level     net → the row below it, for oil that comes from a supply or a valve
    returns   nets with a tank
    """

    diagram: Diagram
    row: dict[str, int] = field(default_factory=dict[str, int])
    beside: dict[str, str] = field(default_factory=dict[str, str])
    serial: set[str] = field(default_factory=set[str])
    nets: list[Net] = field(default_factory=list[Net])
    role: dict[str, str] = field(default_factory=dict[str, str])
    level: dict[Net, int] = field(default_factory=dict[Net, int])
    returns: set[Net] = field(default_factory=set[Net])

    def __post_init__(self):
        self.role = {name: role_of(element) for name, element in self.diagram.elements.items()}
        self.nets = list(self.diagram.nets)
        self._oil()
        self._motion()
        self._signals()
        used = sorted(set(self.row.values()))
        self.row = {name: used.index(row) for name, row in self.row.items()}
        for net in self.nets:
            net.role = self._look(net)

    # -------------------------------------------------------------- oil

    def _oil(self) -> None:
        returns = [net for net in self._hydraulic() if self._has(net, "tank")]
        self.returns = set(returns)
        self._seat("source", 1)
        self._rise(self._nets_of("source"), 1)
        top = max(self.row.values(), default=1) + 1
        self._seat("valve", top)
        self._rise(self._nets_of("valve"), top)
        for name in self._unseated("inline"):
            if name not in self.row:
                start = [net for net in self._hydraulic() if name in net.parts and net not in self.returns]
                self._rise(start, top)
                self.row.setdefault(name, top)
        for name in self._unseated("end"):
            levels = [self.level[net] for net in self._hydraulic() if name in net.parts and net in self.level]
            self.row[name] = max(levels) + 1 if levels else 1 if self._drains(name) else top
        self._seat("actuator", max([top, *self.row.values()]) + 1)
        wet = any(self.row.get(part) == 1 for net in returns for part in net.parts)
        self._seat("tank", 0 if wet else 1)

    def _drains(self, name: str) -> bool:
        return any(name in net.parts for net in self.returns)

    def _rise(self, start: Iterable[Net], level: int) -> None:
        """Seat what oil reaches from these nets, each part one row above what feeds it."""
        queue = [net for net in start if net not in self.level and net not in self.returns]
        self.level |= {net: level for net in queue}
        while queue:
            net = queue.pop(0)
            if (above := self._hose_between(net)) is not None:
                queue.append(above)
                continue
            for name in net.parts:
                if self.role[name] != "inline" or name in self.row:
                    continue
                onward = [other for other in self._hydraulic() if name in other.parts and other is not net]
                fresh = [other for other in onward if other not in self.level and other not in self.returns]
                shunt = not fresh and all(other in self.returns for other in onward) and level == 1
                self.row[name] = self.level[net] + (0 if shunt else 1)
                for other in fresh:
                    self.level[other] = self.row[name]
                    queue.append(other)

    def _hose_between(self, net: Net) -> Net | None:
        """Draw the first hose of a net between what feeds it and the rest; the net above it."""
        hoses = [name for name in net.parts if self._is_hose(name) and name not in self.row]
        fed = [end for end in net.ends if end[0] in self.row]
        rest = [end for end in net.ends if end not in fed and (not hoses or end[0] != hoses[0])]
        if not hoses or not fed or all(self.role[part] == "end" for part, _ in rest):
            return None
        name = hoses[0]
        level = self.level[net]
        port = next(port for part, port in net.ends if part == name)
        lower = Net(net.kind, [*fed, (name, port)], declared=net.declared)
        upper = Net(net.kind, [(name, f"{port}{TOP}"), *rest], declared=net.declared)
        place = self.nets.index(net)
        self.nets[place : place + 1] = [lower, upper]
        self.row[name] = level + 1
        self.serial.add(name)
        self.role[name] = "inline"
        self.level |= {lower: level, upper: level + 1}
        return upper

    def _is_hose(self, name: str) -> bool:
        element = self.diagram.elements[name]
        return SERIAL in element.lineage and list(element.ports) == ["port"]

    # -------------------------------------------------------------- motion and signals

    def _motion(self) -> None:
        top = max(self.row.values(), default=0)
        mechanisms = [name for name, role in self.role.items() if role == "mechanism"]
        for k, name in enumerate(mechanisms):
            self.row[name] = top + 2 + k
        for name in self._unseated("load"):
            met = [part for net in self.nets if net.kind == MECHANICAL and name in net.parts for part in net.parts]
            pumps = [part for part in met if self.role[part] == "source"]
            carried = set(met) & set(mechanisms) and not any(self.role[part] == "actuator" for part in met)
            if pumps:
                self.beside[name] = pumps[0]
            else:
                self.row[name] = top + 2 + len(mechanisms) if carried else top + 1

    def _signals(self) -> None:
        top = max([row for name, row in self.row.items() if self.role[name] == "actuator"], default=0)
        for name in self._unseated("controller"):
            signals = [net for net in self.nets if net.kind == SIGNAL and name in net.parts]
            driven = [part for net in signals if net.ends[0][0] == name for part, _ in net.ends[1:]]
            driven = [part for part in driven if self.role[part] != "mechanism" and part != name]
            if driven:
                self.beside[name] = driven[0]
            else:
                self.row[name] = top + 1
        for name in list(self.beside):
            self._ground(name)

    def _ground(self, name: str) -> None:
        """Controllers in a ring stand beside nobody: one of them gets a row."""
        seen, at = {name}, self.beside.get(name)
        while at is not None and at in self.beside:
            if at in seen:
                del self.beside[name]
                self.row[name] = max(self.row.values(), default=0)
                return
            seen.add(at)
            at = self.beside[at]

    # -------------------------------------------------------------- small questions

    def _hydraulic(self) -> list[Net]:
        return [net for net in self.nets if net.kind == HYDRAULIC]

    def _has(self, net: Net, role: str) -> bool:
        return any(self.role[part] == role for part in net.parts)

    def _nets_of(self, role: str) -> list[Net]:
        return [net for net in self._hydraulic() if self._has(net, role)]

    def _unseated(self, role: str) -> list[str]:
        return [name for name, of in self.role.items() if of == role and name not in self.row]

    def _seat(self, role: str, row: int) -> None:
        self.row |= dict.fromkeys(self._unseated(role), row)

    def _look(self, net: Net) -> str:
        if net.kind != HYDRAULIC:
            return net.kind
        if self._has(net, "tank"):
            return "return"
        level = self.level.get(net)
        fed = any(self.role[part] == "source" and port != "LS" for part, port in net.ends)
        return "supply" if fed or (level is not None and self._below_valves(net)) else "work"

    def _below_valves(self, net: Net) -> bool:
        """Whether a net feeds a valve's P."""
        return any(self.role[part] == "valve" and port == "P" for part, port in net.ends)
