"""Results as tables of text: a row of names, a row of units, a row for each instant."""

import csv
import os
from pathlib import Path

import numpy as np

from oleodyn.errors import DataError, DeclarationError
from oleodyn.result.atomic import written_whole
from oleodyn.result.result import Card, Result
from oleodyn.units import read as read_unit

SI = tuple("- s m m/s m/s² rad rad/s rad/s² kg N N·m Pa m³/s m³ K W J A V".split())
"""Units to which those of a table are brought."""


def write(result: Result, path: str | os.PathLike[str]) -> None:
    """Write a table in SI; every number reads back as exactly itself."""
    with written_whole(path) as place, open(place, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["time", *result.names])
        rows.writerow(["s", *(card.unit for card in result.signals.values())])
        for t, row in zip(result.time.tolist(), result.table.tolist(), strict=True):
            rows.writerow([repr(t), *map(repr, row)])


def read(path: str | os.PathLike[str]) -> Result:
    """Read a table; its first column is time, and values in bar, mm, deg ... become SI."""
    place = Path(path)
    try:
        with open(place, newline="", encoding="utf-8-sig") as file:
            rows = [(i, row) for i, row in enumerate(csv.reader(file), 1) if row]
    except FileNotFoundError:
        raise DataError(f"{place}: there is no such file") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{place} is not a table of text in UTF-8 ({error})") from None
    if len(rows) < 2:
        raise DataError(f"{place}: must begin with a row of names and a row of units")
    (_, names), (line, units) = rows[:2]
    names, units = ([text.strip() for text in row] for row in (names, units))
    if len(units) != len(names):
        raise DataError(f"{place}:{line}: has {len(units)} units for {len(names)} names")
    if any(map(_is_number, units)):
        raise DataError(f"{place}:{line}: must be a row of units, for example s, Pa, m³/s; put one below the names")
    numbers = np.array([_numbers(place, line, row, names) for line, row in rows[2:]]).reshape(-1, len(names))
    cards: list[Card] = []
    for j, (name, unit) in enumerate(zip(names, units, strict=True)):
        si, factor, zero = to_si(unit)
        if (factor, zero) != (1.0, 0.0):
            numbers[:, j] = numbers[:, j] * factor + zero
        cards.append(Card(name, si))
    if cards[0].unit != "s":
        raise DataError(f"{place}: the first column must be time, its unit is {units[0]!r}")
    return Result(numbers[:, 0], numbers[:, 1:], cards[1:], attrs={"source": place.name})


def to_si(unit: str) -> tuple[str, float, float]:
    """(SI unit, factor, zero) such that SI value = factor · value + zero; unknown units stay.

    >>> to_si("bar"), to_si("l/min")[0], to_si("counts")
    (('Pa', 100000.0, 0.0), 'm³/s', ('counts', 1.0, 0.0))
    """
    if unit in SI:
        return unit, 1.0, 0.0
    for si in SI:
        try:
            zero = read_unit(f"0 {unit}", si)
            return si, read_unit(f"1 {unit}", si) - zero, zero
        except DeclarationError:
            continue
    return unit, 1.0, 0.0


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(place: Path, line: int, row: list[str], names: list[str]) -> list[float]:
    if len(row) != len(names):
        raise DataError(f"{place}:{line}: has {len(row)} values for {len(names)} names")
    values: list[float] = []
    for name, text in zip(names, row, strict=True):
        try:
            values.append(float(text) if text.strip() else float("nan"))
        except ValueError:
            raise DataError(f"{place}:{line}: {name} = {text!r}: must be a number with a decimal point") from None
    return values
