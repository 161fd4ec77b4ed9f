"""The energy account: work in = stored + dissipated + residual, each named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from oleodyn.errors import DataError

ACCOUNTS = ("supplied", "stored", "lost")
SMALL = 1e-6
"""Rows below this part of what moved are counted, not shown."""


@dataclass(frozen=True)
class EnergyRow:
    """One named entry: what was supplied, stored or lost over the run [J].

    start, end   the energy itself where it is known as a function of the state
    """

    name: str
    account: str
    joules: float
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, eq=False)
class EnergyAccount:
    """Where the work went. What is left over is the error of the stepper.

    time, history   instants and, for each row, the joules until then, if recorded

    >>> account = EnergyAccount.of({"pump": ("supplied", 10.0), "valve": ("lost", 7.5)}, {"load": (2.0, 4.0)})
    >>> account.supplied, account.stored, account.lost, account.residual, account.relative
    (10.0, 2.0, 7.5, 0.5, 0.05)
    """

    rows: tuple[EnergyRow, ...]
    time: np.ndarray = field(default_factory=lambda: np.empty(0))
    history: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))

    @classmethod
    def of(
        cls,
        work: Mapping[str, tuple[str, float]],
        energies: Mapping[str, tuple[float, float]] | None = None,
        *,
        time: Any = None,
        history: Mapping[Any, Any] | None = None,
    ) -> "EnergyAccount":
        """From integrated rates, name → (account, joules), and energies, name → (start, end).

        `history` has for each rate its joules until each instant, for each energy its value then; by
        name, or by (account, name), since a stop both stores and loses under one name.
        """
        rows = [EnergyRow(name, account, float(joules)) for name, (account, joules) in work.items()]
        for name, (start, end) in (energies or {}).items():
            rows.append(EnergyRow(name, "stored", float(end) - float(start), float(start), float(end)))
        for row in rows:
            if row.account not in ACCOUNTS:
                raise DataError(f"{row.name}: account {row.account!r} must be one of {', '.join(ACCOUNTS)}")
        if time is None or history is None or not len(time):
            return cls(tuple(rows))
        columns = [np.asarray(_of(history, row), dtype=float) - (row.start or 0.0) for row in rows]
        table = np.stack(columns, axis=1) if columns else np.empty((len(time), 0))
        return cls(tuple(rows), np.asarray(time, dtype=float), table)

    def total(self, account: str) -> float:
        """Sum of one account over the run [J]."""
        return float(sum(row.joules for row in self.rows if row.account == account))

    @property
    def supplied(self) -> float:
        """Work that entered [J]."""
        return self.total("supplied")

    @property
    def stored(self) -> float:
        """Energy that the machine holds more than at the start [J]."""
        return self.total("stored")

    @property
    def lost(self) -> float:
        """Energy turned into heat [J]."""
        return self.total("lost")

    @property
    def residual(self) -> float:
        """What the account does not explain [J]: supplied − stored − lost."""
        return self.supplied - self.stored - self.lost

    @property
    def throughput(self) -> float:
        """Energy that changed hands [J]: what came from sources or went to sinks, at its largest if recorded."""
        instants = np.array([[row.joules for row in self.rows]])
        if len(self.history):
            instants = np.concatenate([instants, self.history])
        given = instants * self._signs()
        came, went = np.maximum(given, 0).sum(axis=1), np.maximum(-given, 0).sum(axis=1)
        return float(np.maximum(came, went).max())

    @property
    def worst(self) -> float:
        """The largest residual [J] in size, over all instants if recorded, else at the end."""
        recorded = self.residuals
        return max([abs(self.residual), *([float(np.abs(recorded).max())] if recorded.size else [])])

    @property
    def relative(self) -> float:
        """The worst residual as part of the throughput; 0 where nothing moved."""
        return self.worst / self.throughput if self.throughput else 0.0

    @property
    def held(self) -> float:
        """The largest single energy that the machine held, or that changed hands [J]: what rounding is measured by."""
        ends = [abs(end) for row in self.rows for end in (row.start, row.end) if end is not None]
        return max([self.throughput, *ends])

    @property
    def residuals(self) -> np.ndarray:
        """The residual [J] at each recorded instant; empty if none is."""
        if not len(self.history):
            return np.empty(0)
        return self.history @ self._signs()

    def _signs(self) -> np.ndarray:
        return np.array([1.0 if row.account == "supplied" else -1.0 for row in self.rows])

    def joined(self, later: "EnergyAccount") -> "EnergyAccount":
        """The account of this run and the one that continued it."""
        if [(row.name, row.account) for row in self.rows] != [(row.name, row.account) for row in later.rows]:
            raise DataError("the two energy accounts have different rows, so they cannot be joined")
        rows = tuple(
            replace(a, joules=a.joules + b.joules, end=b.end) for a, b in zip(self.rows, later.rows, strict=True)
        )
        if not len(self.time) or not len(later.time):
            return EnergyAccount(rows)
        kept = int(np.searchsorted(self.time, later.time[0], side="left"))
        until = np.array([row.joules for row in self.rows])
        return EnergyAccount(
            rows,
            np.concatenate([self.time[:kept], later.time]),
            np.concatenate([self.history[:kept], later.history + until]),
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, EnergyAccount)
            and repr(self.rows) == repr(other.rows)  # NaN too
            and _same(self.time, other.time)
            and _same(self.history, other.history)
        )

    def __hash__(self):
        return hash(self.rows)

    def entries(self) -> Iterator[tuple[str, str, float]]:
        """(account, name, joules): the sum of each account under the name "", then its rows."""
        for account in ACCOUNTS:
            yield account, "", self.total(account)
            yield from ((account, row.name, row.joules) for row in self.rows if row.account == account)

    @property
    def small(self) -> list[tuple[str, str, float]]:
        """The entries of rows that had next to no part in what moved: at most SMALL of it."""
        entries = list(self.entries())
        most = SMALL * max([self.throughput, *(abs(joules) for _, _, joules in entries)])
        return [entry for entry in entries if entry[1] and abs(entry[2]) <= most]

    def table(self) -> str:
        """The account as text: a line for each row, small ones counted, sums, residual."""
        width = max([8, *(len(row.name) for row in self.rows)])
        lines, small = [], self.small
        for account, name, joules in self.entries():
            if (account, name, joules) not in small:
                lines.append(f"{'' if name else account:<10}{name:<{width}} {joules:>14.6g} J")
        if small:
            lines.append(f"          and {len(small)} more, each below a millionth of what moved")
        lines.append(
            f"{'residual':<10}{'':<{width}} {self.residual:>14.3g} J   worst {self.relative:.2g} of what moved"
        )
        return "\n".join(lines)

    __str__ = table


def _of(history: Mapping[Any, Any], row: EnergyRow) -> Any:
    own = row.account, row.name
    return history[own] if own in history else history[row.name]


def _same(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and a.tobytes() == b.tobytes()
