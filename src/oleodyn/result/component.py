"""The energy account of one component: what its ports bring, and what becomes of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from oleodyn.errors import DataError

if TYPE_CHECKING:
    from oleodyn.result.result import Result

PAIRS = {"Q": ("p", "oil"), "F": ("v", "motion"), "tau": ("speed", "turning")}
"""what flows through a port → what it is multiplied by, and what kind of work that is"""


@dataclass(frozen=True)
class Component:
    """Work [J] over a run: `ports` into the component, by port; its own rows of the energy account.

    Port works are integrated over the recorded instants by the trapezoidal rule, so record every step
    (`every=1`) where they are to close.
    """

    name: str
    ports: dict[str, tuple[str, float]]
    """port → (oil, motion or turning, joules into the component)"""
    rows: dict[str, tuple[str, float]]
    """row → (supplied, stored or lost, joules)"""

    @property
    def hydraulic(self) -> float:
        """Work that oil brings in, ∫ Σ p Q dt [J]."""
        return sum(joules for kind, joules in self.ports.values() if kind == "oil")

    @property
    def mechanical(self) -> float:
        """Work that goes out at rods and shafts [J]."""
        return -sum(joules for kind, joules in self.ports.values() if kind != "oil")

    def total(self, account: str) -> float:
        """Sum of one account [J]."""
        return sum(joules for kind, joules in self.rows.values() if kind == account)

    @property
    def residual(self) -> float:
        """What is left over [J]: hydraulic + supplied − mechanical − stored − lost."""
        return self.hydraulic + self.total("supplied") - self.mechanical - self.total("stored") - self.total("lost")

    def __str__(self):
        lines = [(f"{port}: {kind} in", joules) for port, (kind, joules) in self.ports.items()]
        lines += [(f"{row}: {kind}", joules) for row, (kind, joules) in self.rows.items()]
        lines.append(("left over", self.residual))
        width = max(len(text) for text, _ in lines)
        return "\n".join([self.name, *(f"  {text:<{width}} {joules:>12.6g} J" for text, joules in lines)])


def component(result: "Result", name: str) -> Component:
    """The account of the part called `name`."""
    ports = dict(_ports(result, name))
    if not ports:
        known = sorted({signal.partition(".")[0] for signal in result.signals if signal.endswith((".Q", ".F", ".tau"))})
        raise DataError(f"{name!r} has no port that was recorded. Parts with ports: {', '.join(known)}.")
    rows: dict[str, tuple[str, float]] = {}
    for row in result.energy.rows if result.energy else ():
        if row.name.startswith(f"{name}."):
            rows[row.name.removeprefix(f"{name}.")] = row.account, row.joules
    return Component(name, ports, rows)


def _ports(result: "Result", name: str) -> Iterator[tuple[str, tuple[str, float]]]:
    names = {*result.signals, *result.aliases}
    for signal in result.signals:
        owner, _, through = signal.rpartition(".")
        across, kind = PAIRS.get(through, ("", ""))
        if owner.partition(".")[0] == name and f"{owner}.{across}" in names:
            power = result.values(signal) * result.values(f"{owner}.{across}")
            yield owner.removeprefix(f"{name}."), (kind, float(np.trapezoid(power, result.time)))
