"""The energy account of a run, from what the run recorded."""

import numpy as np

from oleodyn.program.compile import energy_name, work_name
from oleodyn.program.program import Program
from oleodyn.result.energy import EnergyAccount


def account(program: Program, instants: np.ndarray, table: np.ndarray) -> EnergyAccount | None:
    """Work supplied and lost, energy stored, each named, over the recorded run; None if not kept."""
    e = program.equations
    columns = {signal.name: column for column, signal in enumerate(program.signals)}
    if not len(table) or not any(signal.kind in ("work", "energy") for signal in program.signals):
        return None
    work, energies, history = {}, {}, {}
    for card, kind in zip(e.power_signals, e.accounts, strict=True):
        joules = table[:, columns[work_name(card.name)]]
        history[kind, card.name] = joules - joules[0]
        work[card.name] = (kind, joules[-1] - joules[0])
    for card in e.energy_signals:
        joules = table[:, columns[energy_name(card.name)]]
        history["stored", card.name] = joules
        energies[card.name] = (joules[0], joules[-1])
    return EnergyAccount.of(work, energies, time=instants, history=history)
