"""Checkpoints: a State on disk, whole or absent, to go on from bit for bit."""

import hashlib
import os
from pathlib import Path

import numpy as np

from oleodyn.errors import DataError
from oleodyn.program.program import Program
from oleodyn.program.state import State
from oleodyn.result.atomic import written_whole

ARRAYS = ("y", "p", "u", "samples")
VERSION = 1


def save_state(state: State, path: str | os.PathLike[str]) -> None:
    """Write everything in a State to an .npz file."""
    numbers = state.numbers()
    arrays = {name: numbers[name] for name in ARRAYS}
    scalars = np.array([numbers["k"], numbers["t_0"], numbers["dt"], numbers["stale"], numbers["jumped"]], dtype=float)
    with written_whole(path) as place, open(place, "wb") as file:
        np.savez(file, version=np.array(VERSION), layout=np.array(layout(state.program)), scalars=scalars, **arrays)


def load_state(program: Program, path: str | os.PathLike[str]) -> State:
    """Read a State that `save_state` wrote for the same machine and stepper."""
    if not Path(path).is_file():
        raise DataError(f"{path}: there is no such checkpoint")
    try:
        with np.load(path, allow_pickle=False) as file:
            read = {name: file[name] for name in ("version", "layout", "scalars", *ARRAYS)}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise DataError(f"{path} is no checkpoint of ours, or a broken one ({error})") from error
    if str(read["layout"]) != layout(program):
        raise DataError(
            f"{path} was written for another machine or stepper. Resume with the machine, stepper and version "
            "that wrote it."
        )
    state = program.start()
    for name in ARRAYS:
        getattr(state, name)[:] = read[name]
    k, t_0, dt, stale, jumped = read["scalars"]
    state.k, state.t_0, state.dt, state.stale, state.jumped = int(k), float(t_0), float(dt), bool(stale), bool(jumped)
    return state


def layout(program: Program) -> str:
    """A fingerprint of what the numbers of a State mean."""
    e, blocks = program.equations, program.kernels.blocks
    cards = [card.name for which in "qvxzup" for card in getattr(e, f"{which}_signals")]
    text = repr((e.name, program.stepper, cards, [(block.name, block.size) for block in blocks]))
    return hashlib.sha256(text.encode()).hexdigest()
