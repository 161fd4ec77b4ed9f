"""Checkpoints: a State on disk, whole or absent, to go on from bit for bit."""

import hashlib
import json
import os
from dataclasses import astuple
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from oleodyn.errors import DataError
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.atomic import written_whole

ARRAYS = ("y", "p", "u", "samples")
SCALARS = ("k", "t_0", "dt", "h", "stale", "jumped")
VERSION = 2


def save_state(state: State, path: str | os.PathLike[str]) -> None:
    """Write everything in a State to an .npz file."""
    numbers = state.numbers()
    arrays = {name: numbers[name] for name in ARRAYS}
    scalars = np.array([float(numbers[name]) for name in SCALARS])
    choice = json.dumps(astuple(state.choice) if state.choice is not None else None)
    with written_whole(path) as place, open(place, "wb") as file:
        np.savez(
            file,
            version=np.array(VERSION),
            layout=np.array(layout(state.program)),
            scalars=scalars,
            choice=np.array(choice),
            **arrays,
        )


def load_state(program: Program, path: str | os.PathLike[str]) -> State:
    """Read a State that `save_state` wrote for the same machine and stepper."""
    if not Path(path).is_file():
        what = "is a folder" if Path(path).is_dir() else "there is no such checkpoint"
        raise DataError(f"{path}: {what}. Give a file that --save-state wrote.")
    try:
        with open(path, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            read = {name: file[name] for name in ("version", "layout", "scalars", "choice", *ARRAYS)}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise DataError(
            f"{path} is no checkpoint of ours, or a broken one. Give a file that --save-state wrote."
        ) from error
    if str(read["layout"]) != layout(program):
        raise DataError(
            f"{path} was written for another machine or stepper. Resume with the machine, stepper and version "
            "that wrote it."
        )
    state = program.start()
    for name in ARRAYS:
        getattr(state, name)[:] = read[name]
    for name, value in zip(SCALARS, read["scalars"].tolist(), strict=True):
        setattr(state, name, type(getattr(state, name))(value))
    chosen = json.loads(str(read["choice"]))
    if chosen is not None:
        state.choice = type(program.choice)(*(tuple(rows) for rows in chosen))
    return state


def layout(program: Program) -> str:
    """A fingerprint of what the numbers of a State mean."""
    e, blocks = program.equations, program.kernels.blocks
    cards = [card.name for which in "qvxzup" for card in getattr(e, f"{which}_signals")]
    text = repr((e.name, program.stepper, e.loops, cards, [(block.name, block.size) for block in blocks]))
    return hashlib.sha256(text.encode()).hexdigest()
