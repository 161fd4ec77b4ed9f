"""Results on disk: NetCDF that any reader opens, with what else a result knows beside it."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from oleodyn.errors import DataError
from oleodyn.result.atomic import written_whole
from oleodyn.result.energy import EnergyAccount, EnergyRow
from oleodyn.result.result import Card, Result

FORMAT = "oleodyn result 1"
_PLAIN = re.compile(r"[A-Za-z_][\w.=+-]*", re.ASCII)
_RESERVED = {"about", "time", "energy", "energy_time", "energy_row", "about_length"}
_CHUNK = 65536


def save(result: Result, path: str | os.PathLike[str]) -> None:
    """Write a result: a variable for each signal over time, the rest as text in one variable.

    Every variable carries a checksum, so that a damaged file is noticed when it is read.
    """
    import h5netcdf

    variables = {name: _variable(name, i) for i, name in enumerate(result.names)}
    about = np.frombuffer(_about(result, variables), dtype="S1")
    with written_whole(path) as place, h5netcdf.File(place, "w") as file:
        file.attrs["title"] = str(result.attrs.get("machine") or "oleodyn result")
        file.attrs["format"] = FORMAT
        _write(file, "about", ("about_length",), about)
        _write(file, "time", ("time",), result.time, units="s", long_name="time")
        for name, variable in variables.items():
            _write(file, variable, ("time",), result.values(name), **result.describe(name), signal=name)
        energy = result.energy
        if energy and len(energy.time):
            _write(file, "energy_time", ("energy_time",), energy.time, units="s")
            _write(file, "energy", ("energy_time", "energy_row"), energy.history, units="J")


def _variable(name: str, i: int) -> str:
    """The name of a signal in the file: its own, unless NetCDF or we have another use for that."""
    return (
        name if _PLAIN.fullmatch(name) and name not in _RESERVED and not name.startswith("signal_") else f"signal_{i}"
    )


def _about(result: Result, variables: Mapping[str, str]) -> bytes:
    """What NetCDF has no place for, as JSON in ASCII."""
    about = {
        "signals": [{**asdict(card), "variable": variables[card.name]} for card in result.signals.values()],
        "aliases": result.aliases,
        "timing": result.timing,
        "attrs": result.attrs,
        "energy": [asdict(row) for row in result.energy.rows] if result.energy else None,
    }
    return json.dumps(about).encode("ascii")


def _write(file: Any, name: str, dimensions: tuple[str, ...], values: np.ndarray, **attrs: Any) -> None:
    for dimension, size in zip(dimensions, values.shape, strict=True):
        if dimension not in file.dimensions:
            file.dimensions[dimension] = size
    checked = {}
    if values.size:
        chunks = (min(len(values), _CHUNK), *values.shape[1:])
        checked = {"chunks": chunks, "fletcher32": True}
    variable = file.create_variable(name, dimensions, dtype=values.dtype, data=values, **checked)
    for key, value in attrs.items():
        variable.attrs[key] = value


def load(path: str | os.PathLike[str]) -> Result:
    """Read a result; a file that is absent, broken or not ours is a DataError."""
    import h5netcdf

    place = Path(path)
    if not place.is_file():
        raise DataError(f"{place}: there is no such file")
    try:
        with h5netcdf.File(place, "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise DataError(f"{place} is not a result that oleodyn saved. Read other data with Result.from_arrays.")
            return _read(file)
    except DataError:
        raise
    except Exception as error:  # HDF5 reports damage in many ways; each of them means the same here
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{place} is damaged or cut short ({reason}). Delete it and run again.") from error


def _read(file: Any) -> Result:
    about = json.loads(file.variables["about"][...].tobytes())
    time = file.variables["time"][...]
    columns = [file.variables[card["variable"]][...] for card in about["signals"]]
    cards = [Card(**{name: card[name] for name in ("name", "unit", "kind", "text")}) for card in about["signals"]]
    energy = None
    if about["energy"] is not None:
        rows = tuple(EnergyRow(**row) for row in about["energy"])
        recorded = "energy" in file.variables
        history = (file.variables["energy_time"][...], file.variables["energy"][...]) if recorded else ()
        energy = EnergyAccount(rows, *history)
    table = np.stack(columns, axis=1) if columns else np.empty((len(time), 0))
    return Result(
        time, table, cards, aliases=about["aliases"], timing=about["timing"], energy=energy, attrs=about["attrs"]
    )
