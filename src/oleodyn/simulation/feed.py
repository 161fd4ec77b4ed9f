"""Feeding: what a scenario gives to the inputs of a program, at every stage of every step."""

import numpy as np

from oleodyn.errors import DataError
from oleodyn.program.drivers import EVENTS, JUMP
from oleodyn.program.program import Program
from oleodyn.simulation.plan import Plan
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.signal import merged


class Feed:
    """The signals that drive a program's inputs.

    rows   which inputs they drive; `held` below are the last values of these
    used   for each of them: True if anything but a controller reads it. What only controllers read
           is held from sample to sample.
    """

    def __init__(self, program: Program, scenario: Scenario):
        e = program.equations
        names = [card.name for card in e.u_signals]
        by_name = scenario.resolved(names, e.aliases)
        self.rows = [row for row, name in enumerate(names) if name in by_name]
        self.names = [names[row] for row in self.rows]
        self.signals = [by_name[names[row]] for row in self.rows]
        self.used = np.array([e.used_between_samples(row) for row in self.rows], dtype=bool)

    def edges(self, a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
        """Instants in [a, b] where a signal jumps, and where its slope does."""
        return merged(signal.edges(a, b) for signal in self.signals), merged(s.kinks(a, b) for s in self.signals)

    def first(self, t: float, held: np.ndarray, fresh: bool) -> tuple[np.ndarray, bool]:
        """Values to begin with at t, and whether some come from elsewhere than where they had got to.

        With `fresh` nothing was there before.
        """
        now = np.array([signal(t) for signal in self.signals], dtype=float)
        if fresh:
            return now, False
        before = np.array([signal.left(t) for signal in self.signals])
        jumped = not np.allclose(before[self.used], held[self.used], rtol=1e-9, atol=1e-12)
        return np.where(self.used, now, held), jumped

    def constant(self, plan: Plan) -> bool:
        """True if all values stay the same during a plan."""
        return all(s.constant and not len(s.edges(plan.t[0], plan.t[-1])) for s in self.signals)

    def table(self, plan: Plan, stage: float, held: np.ndarray) -> np.ndarray:
        """Values at one stage of every step: a row for each step, a column for each signal."""
        values, t = np.empty((len(plan.t), len(self.signals))), plan.at(stage)
        fired = (plan.flags & EVENTS & ~JUMP) > 0
        for j, signal in enumerate(self.signals):
            if self.used[j]:
                values[:, j] = signal.left(t) if stage == 1.0 else signal(t)
            else:
                values[:, j] = np.append(held[j], signal(plan.t[fired]))[np.cumsum(fired)]
        return values

    def finite_table(self, plan: Plan, stage: float, held: np.ndarray) -> np.ndarray:
        """The same, refused if a value is no number."""
        values = self.table(plan, stage, held)
        if not np.isfinite(values).all():
            row, j = np.argwhere(~np.isfinite(values))[0]
            raise DataError(
                f"input {self.names[j]} is {values[row, j]} at t = {plan.at(stage)[row]:g} s: must be a finite number"
            )
        return values
