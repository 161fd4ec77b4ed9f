"""Results: named signals with units, timings and an energy account."""

import difflib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.result.energy import EnergyAccount

if TYPE_CHECKING:
    import xarray as xr

    from oleodyn.result.component import Component


@dataclass(frozen=True)
class Card:
    """The name card of one signal: canonical name, SI unit, kind and meaning."""

    name: str
    unit: str
    kind: str = "other"
    text: str = ""


class Result:
    """What happened, by name, in SI: from a run, or measured on a real machine.

    time      instants [s], from 0 to the end inclusive
    signals   name → Card, in the order recorded
    aliases   second names: alias → name
    timing    numbers about the run (steps, wall, ...), times in s
    energy    EnergyAccount, or None
    attrs     machine, stepper, dt, versions, ...: texts and numbers

    >>> result = Result.from_arrays([0.0, 0.1], {"lift.A.p": ([1e5, 2e5], "Pa")})
    >>> float(result.values("A.p")[-1]), result.signals["lift.A.p"].unit
    (200000.0, 'Pa')
    """

    def __init__(
        self,
        time: Any,
        values: Any,
        signals: Iterable[Any],
        *,
        aliases: Mapping[str, str] | None = None,
        timing: Mapping[str, Any] | None = None,
        energy: EnergyAccount | None = None,
        attrs: Mapping[str, Any] | None = None,
    ):
        self.time = _read_only(time)
        self.table = _read_only(values)
        """All values: a row for each instant, a column for each signal."""
        cards = [Card(s.name, s.unit, getattr(s, "kind", "other"), getattr(s, "text", "")) for s in signals]
        self.signals = {card.name: card for card in cards}
        self.aliases = dict(aliases or {})
        self.timing = _plain("timing", timing or {})
        self.energy = energy
        self.attrs = _plain("attrs", attrs or {})
        self._columns = {card.name: i for i, card in enumerate(cards)}
        if self.time.ndim != 1 or self.table.shape != (len(self.time), len(cards)):
            shapes = f"{self.time.shape} for time, {self.table.shape} for values"
            raise DataError(
                f"a result of {len(cards)} signals needs time (n) and values (n, {len(cards)}), got {shapes}"
            )
        for name in self.signals:
            if not name or name == "time" or not name.isprintable():
                raise DataError(f"{name!r} cannot be the name of a signal. Use printable text other than 'time'.")
        if len(self.signals) < len(cards):
            twice = next(card.name for i, card in enumerate(cards) if self._columns[card.name] > i)
            raise DataError(f"there are two signals {twice!r}; names must differ")

    @classmethod
    def from_arrays(cls, time: Any, signals: Mapping[str, tuple[Any, str]], **others: Any) -> "Result":
        """A result from columns: name → (values in SI, unit)."""
        instants = np.asarray(time, dtype=float)
        columns = [np.asarray(values, dtype=float) for values, _ in signals.values()]
        for name, column in zip(signals, columns, strict=True):
            if column.shape != instants.shape:
                raise DataError(f"{name} has shape {column.shape}, time has {instants.shape}: must have as many values")
        table = np.stack(columns, axis=1) if columns else np.empty((len(instants), 0))
        return cls(instants, table, [Card(name, unit) for name, (_, unit) in signals.items()], **others)

    # -------------------------------------------------------------- by name

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all signals, in the order recorded."""
        return tuple(self.signals)

    def resolve(self, name: str) -> str:
        """The full name of a signal: given in full, as an alias, or by an end that no other has."""
        if name in self.signals:
            return name
        if name in self.aliases:
            return self.resolve(self.aliases[name])
        ends = {self.resolve(full) for full in (*self.signals, *self.aliases) if full.endswith(f".{name}")}
        if len(ends) == 1:
            return ends.pop()
        if ends:
            raise DataError(f"{name!r} could be {' or '.join(sorted(ends))}. Give more of the name.")
        raise DataError(f"there is no signal {name!r}{self._nearest(name)}.")

    def describe(self, name: str) -> dict[str, str]:
        """What is known of one signal: units, long_name, kind, aliases."""
        card = self.signals[self.resolve(name)]
        second = [alias for alias, full in self.aliases.items() if full == card.name]
        about = {"units": card.unit, "long_name": card.text or card.name, "kind": card.kind}
        return about | ({"aliases": " ".join(second)} if second else {})

    def component(self, name: str) -> "Component":
        """The energy account of one part: work through its ports, losses, what it stores."""
        from oleodyn.result.component import component

        return component(self, name)

    def values(self, name: str) -> np.ndarray:
        """The values of one signal, in SI."""
        return self.table[:, self._columns[self.resolve(name)]]

    def unit(self, name: str) -> str:
        """The SI unit of one signal."""
        return self.signals[self.resolve(name)].unit

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self.resolve(name))
        except DataError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __getitem__(self, name: str) -> "xr.DataArray":
        """One signal as an xarray.DataArray over time, with its unit."""
        import xarray as xr

        full = self.resolve(name)
        return xr.DataArray(
            self.values(full), dims="time", coords={"time": self._time()}, name=full, attrs=self.describe(full)
        )

    @property
    def data(self) -> "xr.Dataset":
        """All signals as an xarray.Dataset over time."""
        import xarray as xr

        variables = {name: ("time", self.values(name), self.describe(name)) for name in self.signals}
        return xr.Dataset(variables, coords={"time": self._time()}, attrs=self.attrs)

    def select(self, names: Sequence[str]) -> "Result":
        """A result with these signals only."""
        full = list(dict.fromkeys(self.resolve(name) for name in names))
        return Result(
            self.time, self.table[:, [self._columns[name] for name in full]], [self.signals[name] for name in full],
            aliases={alias: name for alias, name in self.aliases.items() if name in full},
            timing=self.timing, energy=self.energy, attrs=self.attrs,
        )  # fmt: skip

    def joined(self, later: "Result") -> "Result":
        """What a run and the run that resumed it give together, as one run would have given it.

        Where both have the same instants, `later` counts: it knows what happened at its start.
        """
        if list(later.signals.values()) != list(self.signals.values()):
            differ = sorted(set(self.signals) ^ set(later.signals)) or ["units or meanings"]
            raise DataError(f"the two results have different signals ({', '.join(differ)}), so they cannot be joined")
        if not len(later.time) or (len(self.time) and later.time[0] <= self.time[0]):
            raise DataError("the later result does not begin after the earlier one. Join them in the order of time.")
        kept = int(np.searchsorted(self.time, later.time[0], side="left"))
        energy = None
        if self.energy and later.energy:
            energy = self.energy.joined(later.energy)
        return Result(
            np.concatenate([self.time[:kept], later.time]), np.concatenate([self.table[:kept], later.table]),
            list(self.signals.values()), aliases={**self.aliases, **later.aliases},
            timing=_joined_timing(self.timing, later.timing), energy=energy, attrs={**self.attrs, **later.attrs},
        )  # fmt: skip

    def equals(self, other: "Result") -> bool:
        """True if all is the same, every bit of every number."""
        return (
            self.time.tobytes() == other.time.tobytes()
            and self.table.shape == other.table.shape
            and self.table.tobytes() == other.table.tobytes()
            and list(self.signals.values()) == list(other.signals.values())
            and self.aliases == other.aliases
            and json.dumps([self.timing, self.attrs]) == json.dumps([other.timing, other.attrs])
            and self.energy == other.energy
        )

    # -------------------------------------------------------------- to and from files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a NetCDF file (HDF5): whole, or not at all."""
        from oleodyn.result.netcdf import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Result":
        """Read what `save` wrote; a broken file is a DataError."""
        from oleodyn.result.netcdf import load

        return load(path)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write a table: a row of names, a row of units, a row for each instant."""
        from oleodyn.result.csv_table import write

        write(self, path)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str]) -> "Result":
        """Read a table with a row of names and a row of units; known units become SI."""
        from oleodyn.result.csv_table import read

        return read(path)

    def __repr__(self):
        span = f"{self.time[0]:g} … {self.time[-1]:g} s" if len(self.time) else "no instants"
        return f"Result({len(self.signals)} signals, {len(self.time)} instants, {span})"

    def _time(self) -> Any:
        return ("time", self.time, {"units": "s", "long_name": "time"})

    def _nearest(self, name: str) -> str:
        known = [*self.signals, *self.aliases]
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        inside = [full for full in known if name and name.lower() in full.lower()]
        offered = list(dict.fromkeys([*close, *inside]))[:5] or known[:5]
        return f"; the nearest are {', '.join(offered)}" if offered else "; it has no signals"


def _read_only(values: Any) -> np.ndarray:
    array = np.asarray(values, dtype=float).view()
    array.flags.writeable = False
    return array


def _plain(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """A copy that holds plain texts, numbers, lists and dicts only, so that a file can hold it."""
    try:
        return json.loads(json.dumps(dict(values), default=lambda array: array.tolist()))
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{name} = {values!r}: must hold texts, numbers, lists and dicts ({error})") from None


def _joined_timing(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Counts and durations add up, a largest value stays the largest, a rate is averaged."""
    joined = {**first, **second}
    for name in first.keys() & second.keys():
        a, b = first[name], second[name]
        if name == "dt" or not all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (a, b)):
            continue
        weight = _RATES.get(name)
        if weight:
            n, m = float(first.get(weight, 1)), float(second.get(weight, 1))
            joined[name] = (a * n + b * m) / (n + m) if n + m else b
        else:
            joined[name] = max(a, b) if name.startswith("max") else a + b
    return joined


_RATES = {"real_time_factor": "wall_s", "us_per_step": "steps"}
"""Numbers of `timing` that are per something: what they are averaged over."""
