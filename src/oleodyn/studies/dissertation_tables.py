"""The specification's reference tables of both publications' mechanisms: the reference itself, and runs of 1 ms."""

from collections.abc import Iterator, Mapping
from typing import Any

from oleodyn.machine.machine import Machine
from oleodyn.result.content import Check
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies.dissertation import DT, FIRST, PRESSURES, SIGNALS, Case, Run, deviations, metered, ran, reference
from oleodyn.studies.dissertation_checks import CP, Runs
from oleodyn.studies.dissertation_points import limit

CLOSE_DT = {"Bengisu-Akay": 2e-6}
"""Law → step [s] of the run that is laid beside the table, where 10 µs would smear its jump of 4 N."""
SPEEDS = {"four-bar": "z3", "quick-return": "z4"}
"""Case → joint whose speed the table has; z1 in the others."""
QUANTITIES: Mapping[str, tuple[str, float, str]] = {
    "z": ("angles", 6e-10, "rad"), "z_dot": ("speed", 6e-9, "rad/s"), "p": ("pressures", 0.06, "Pa"),
    "U": ("voltage of the spool", 6e-7, "V"), "s": ("length of the cylinder", 6e-10, "m"), "W": ("work", 6e-6, "J"),
    "bristle": ("bristle deflection", 1e-12, "m"), "film": ("film", 2e-9, "-"),
}  # fmt: skip
"""Columns → what they are, how far the reference may lie from them, unit.

Half a unit of the last digit that is printed, and a tenth for our own rounding. The tables give bristles at
rest to 1e-18 m, which means nothing where the cylinder is known to 1e-9 m. The film follows |v|^⅔: our
start, balanced to a µN, swings at 2e-12 m/s for a tenth of a second, which leaves 1e-9 of it at 1 s.
"""


def tables(runs: Runs, given: tuple[float, float]) -> Iterator[Check]:
    """The reference beside its table; runs of 1 ms within twice their MB-08 errors, ten times for 20 ms after edges."""
    name, plain = runs.case.name, runs.case in FIRST
    yield from beside_table(runs.case)
    for loops, run in (("augmented Lagrangian", runs.multipliers), ("partitioning", runs.partitioned)):
        shares = worst_shares(run, given)
        yield limit(f"{name}: angles against the table, {loops}", shares["z"], 1.0)
        head = f"{name}: pressures against the table, {loops}"
        if plain:
            yield limit(head, shares["p"], 1.0)
        else:
            yield Check(f"{head}, by the specification's rule", "≤ 1", shares["p"], "-", None)
            yield limit(f"{head}, by the trapezoidal lag", worst_shares(run, given, Lag(runs))["p"], 1.0)
    if not plain:
        yield from swinging(runs)


def beside_table(case: Case, machine: Machine | None = None, table: str = "") -> Iterator[Check]:
    """RK4 at a small step beside every column of a table."""
    table = table or case.name
    for column, value in worst(close(case, machine), table).items():
        what, most, unit = QUANTITIES[column]
        yield limit(f"{table}: {what} of the reference and of the specification's table", value, most, unit)


def close(case: Case, machine: Machine | None = None) -> Run:
    """RK4 at a step so small that the last digits of the tables hold."""
    dt = CLOSE_DT.get(case.name, 1e-5)
    return ran(case, CP, RK4(), machine=metered(machine or case.machine), dt=dt, every=round(DT / dt))


def worst(run: Run, table: str) -> Mapping[str, float]:
    """Column (z and p: of all joints and volumes) → largest deviation from the table."""
    signals = {**SIGNALS, "z_dot": f"linkage.{SPEEDS.get(run.case.name, 'z1')}.q_dot", "W": "meter.W"}
    found: dict[str, float] = {}
    for t, row in reference()[table].items():
        for column, value in row.items():
            key = column[0] if column[1:].isdigit() else column
            apart = abs(float(run.at([signals[column]], [t])[0, 0]) - value)
            found[key] = max(found.get(key, 0.0), apart)
    return found


def published_start(case: Case) -> Iterator[Check]:
    """The table of the published start (κ = −1, F_0 = 681.23 N), with the voltage constant in the step."""
    yield from beside_table(case, case.make(published=True), f"{case.name} published")


def spool(runs: Runs) -> Check:
    """MB-04: the voltage of the spool 20 ms after a step of 10 V."""
    found = float(runs.exact.at(["valve.U"], [1.02])[0, 0])
    return Check("MB-04 voltage of the spool at 1.02 s", 9.932621, found, "V", abs(found - 9.932621) <= 6e-7)


# ------------------------------------------------------------------ pressures that swing


class Lag:
    """What the lag of the trapezoidal rule makes of pressures that swing.

    Of an oscillation w the rule's is slower by (w h)²/12, so t seconds after the edge it lags by
    t (w h)²/12: pressures are then wrong by that times the rate at which they change. w is the fastest
    swing in the reference, the rate its largest within half a swing.
    """

    AFTER = 0.2
    """How long after an edge it is counted [s]: then the swing has died away."""

    def __init__(self, runs: Runs, dt: float = DT):
        import numpy as np

        self.run, self.edges = runs.exact, runs.case.edges
        self.half = half_swing(self.run)
        self.share = (np.pi / self.half * dt) ** 2 / 12
        """of the time since the edge"""

    def __call__(self, t: float, column: str) -> float:
        """The error of a pressure that it explains [Pa]."""
        import numpy as np

        since = [t - edge for edge in self.edges if 0 < t - edge <= self.AFTER]
        if not since:
            return 0.0
        time, p = self.run.result.time, self.run.result.values(SIGNALS[column])
        near = (time >= max(t - min(since), t - self.half)) & (time <= t + self.half)
        return float(np.abs(np.gradient(p[near], time[near])).max() * min(since) * self.share)


def half_swing(run: Run) -> float:
    """The shortest time between two extremes of p3 while it swings freely after an edge [s]."""
    import numpy as np

    time, p, found = run.result.time, run.result.values(PRESSURES[2]), []
    for edge in run.case.edges:
        after = (time > edge + 0.02) & (time < edge + Lag.AFTER)
        rate = np.diff(p[after])
        (turns,) = np.nonzero(rate[1:] * rate[:-1] < 0)
        share = rate[turns] / (rate[turns] - rate[turns + 1])  # where the rate is zero, between two samples
        found += list(np.diff(time[after][turns] + share * DT))
    return float(min(found))


def swinging(runs: Runs) -> Iterator[Check]:
    """After an edge this linkage swings on its oil at 29 Hz; what its pressures miss falls with the step's square.

    The trapezoidal rule leaves six times what the specification's rule allows, in an independent
    program too (tests/studies/one_coordinate.py).
    """
    first, second = (dict(_pressures(runs.converged(CP, dt))) for dt in (1e-3, 5e-4))
    at = max(first, key=lambda key: abs(first[key]))
    ratio = first[at] / second[at]
    name = f"{runs.case.name}: worst pressure in the table, when the step is halved"
    yield Check(name, 4.0, ratio, "×", bool(3.4 < ratio < 4.6))


def _pressures(run: Run) -> Iterator[tuple[tuple[float, str], float]]:
    yield from (((t, column), value) for t, column, value in deviations(run) if column[0] == "p")


HALF_DIGIT = {"z": 5e-9, "p": 0.5}
"""Half a unit of the last digit in which MB-08's errors are given [rad, Pa]."""


def worst_shares(run: Run, given: tuple[float, float], lag: Any = None) -> Mapping[str, float]:
    """Largest deviation of angles (z) and pressures (p) over what the rule allows, or the lag if that is more."""
    found = {"z": 0.0, "p": 0.0}
    for t, column, value in deviations(run):
        kind = column[0]
        if kind in found and column != "z_dot":
            near = any(0 < t - edge <= 0.0201 for edge in run.case.edges)
            allowed = (given[kind == "p"] + HALF_DIGIT[kind]) * (10 if near else 2)
            if lag is not None and kind == "p":
                allowed = max(allowed, lag(t, column))
            found[kind] = max(found[kind], abs(value) / allowed)
    return found
