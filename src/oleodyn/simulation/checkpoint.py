"""Checkpoints: a State on disk, whole or absent, to go on from bit for bit."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from oleodyn.errors import DataError
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.atomic import written_whole

ARRAYS = ("p", "u", "samples")
SCALARS = ("k", "t_0", "dt", "h", "stale", "jumped")
VERSION = 3


def save_state(state: State, path: str | os.PathLike[str]) -> None:
    """Write everything in a State to an .npz file."""
    numbers = state.numbers()
    y, works = _apart(state.program, numbers["y"])
    scalars = np.array([float(numbers[name]) for name in SCALARS])
    choice = json.dumps(astuple(state.choice) if state.choice is not None else None)
    write_arrays(
        path, layout(state.program), y=y, works=works, scalars=scalars, choice=np.array(choice),
        **{name: numbers[name] for name in ARRAYS},
    )  # fmt: skip


def load_state(program: Program, path: str | os.PathLike[str]) -> State:
    """Read a State that `save_state` wrote for the same machine and stepper; parameters may have changed since.

    A program with an energy account goes on with the works of the file, and from none if it has none.
    """
    read = read_arrays(path, layout(program), ("y", "works", "scalars", "choice", *ARRAYS))
    state = program.start()
    _, works = _apart(program, state.y)
    works = read["works"] if read["works"].shape == works.shape else np.zeros_like(works)
    state.y[:] = np.insert(read["y"], np.full(len(works), program.kernels.block("E").start), works)
    for name in ARRAYS:
        getattr(state, name)[:] = read[name]
    for name, value in zip(SCALARS, read["scalars"].tolist(), strict=True):
        setattr(state, name, type(getattr(state, name))(value))
    chosen = json.loads(str(read["choice"]))
    if chosen is not None:
        state.choice = type(program.choice)(*(tuple(rows) for rows in chosen))
    return state


def _apart(program: Program, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What a step depends on, and the works of the energy account."""
    account = program.kernels.block("E").slice
    return np.delete(y, account), y[account]


def write_arrays(path: str | os.PathLike[str], meaning: str, **arrays: Any) -> None:
    """Write arrays whose meaning has this fingerprint, whole or not at all."""
    with written_whole(path) as place, open(place, "wb") as file:
        np.savez(file, layout=np.array(meaning), **arrays)


def read_arrays(path: str | os.PathLike[str], meaning: str, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Read arrays that `write_arrays` wrote with the same fingerprint."""
    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "there is no such checkpoint"
        raise DataError(f"{path}: {what}. Give a file that --save-state wrote.")
    try:
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            read = {name: file[name] for name in ("layout", *names)}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise DataError(
            f"{path} is no checkpoint of ours, or a broken one. Give a file that --save-state wrote."
        ) from error
    if str(read["layout"]) != meaning:
        raise DataError(
            f"{path} was written for another machine or stepper. Resume with the machine, stepper and version "
            "that wrote it."
        )
    return read


def layout(program: Program) -> str:
    """A fingerprint of what the numbers of a State mean, but for the energy account."""
    e = program.equations
    blocks = [(block.name, block.size) for block in program.kernels.blocks if block.name != "E"]
    cards = [card.name for which in "qvxzup" for card in getattr(e, f"{which}_signals")]
    text = repr((VERSION, e.name, program.stepper, e.loops, cards, blocks))
    return hashlib.sha256(text.encode()).hexdigest()
