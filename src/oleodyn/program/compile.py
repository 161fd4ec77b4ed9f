"""Compiling: equations and a stepper become a program."""

from collections.abc import Sequence
from typing import Any

from oleodyn.equations.equations import Equations, Signal
from oleodyn.errors import CompileError
from oleodyn.machine.part import nearest
from oleodyn.program.kernels import Kernels, Stepper
from oleodyn.program.program import Program


def compile(
    equations: Equations, stepper: Stepper, *, record: Sequence[str] | None = None, account: bool = True
) -> Program:
    """Machine code for these equations and this stepper, from the cache where it was made before.

    `record` names the outputs that a run records beside all states and inputs (default: all);
    with `account` the energy account is integrated along with the run.
    """
    if isinstance(stepper, type) or not hasattr(stepper, "kernels"):
        raise CompileError(
            f"stepper = {stepper!r}: must be a stepper such as oleodyn.HHT(), with its brackets; "
            "names are for the command line and machine files"
        )
    rows, signals = _chosen(equations, record, account)

    def kernels(choice: Any) -> Kernels:
        made = stepper.kernels(equations, account, choice)
        made.functions["observe"] = made.notes["slots"].observe(rows)
        return made

    return Program(equations, stepper, kernels, signals)


def _chosen(e: Equations, record: Sequence[str] | None, account: bool) -> tuple[list[int], tuple[Signal, ...]]:
    """Rows of the outputs; and all recorded signals: states, inputs, those outputs, energies, works."""
    names = [card.name for card in e.y_signals]
    states = [*e.q_signals, *e.v_signals, *e.x_signals, *e.z_signals, *e.u_signals]
    always = {card.name for card in states}
    if record is None:
        rows = list(range(len(names)))
    else:
        rows = []
        for name in record:
            ends = [i for i, known in enumerate(names) if known == name or known.endswith("." + name)]
            if not ends and name not in always:
                raise CompileError(f"record: {e.name} has no output {name!r}{nearest(name, names)}")
            rows += ends
    accounts = zip(e.power_signals, e.accounts, strict=True)
    works = [Signal(work_name(card.name), "J", "work", kind) for card, kind in accounts]
    energies = [Signal(energy_name(card.name), "J", "energy", card.text) for card in e.energy_signals]
    kept = (*energies, *works) if account else ()
    return rows, (*states, *(e.y_signals[row] for row in rows), *kept)


def energy_name(energy: str) -> str:
    """The name under which a stored energy is recorded."""
    return f"{energy}.energy"


def work_name(power: str) -> str:
    """The name under which the time integral of a power is recorded."""
    return f"{power}.work"
