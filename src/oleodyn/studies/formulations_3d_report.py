"""The report of the study of the loader crane: its tables, its figures and what they come to."""

from collections.abc import Sequence
from typing import Any

from oleodyn.result.content import Picture, Plots, Row, Section, Table
from oleodyn.result.result import Result
from oleodyn.studies.formulations_3d_figures import error_figure, violation_figure
from oleodyn.studies.loader_crane_runs import AL, BAD, COMMON, NAMES, ORDERS, PENALTY, Compared, Findings, Point

TEXT = (
    "A knuckle-boom loader crane in three dimensions: 21 coordinates, 14 constraints, five cylinders on four valves, "
    "a work cycle of 10 s. Every formulation of its loops runs with every stepper that it admits; errors are those "
    "against RK4 at 0.02 ms, at 1001 instants. The column 'published' has what theory asks for: an order, a bound."
)
WITHIN = 1e-4
"""The error of positions [rad, m] within which pairs are compared by time; pressures within BAD."""


KINKS = (
    "thin lines: orders 1, 2 and 4; what is not drawn failed. Kinks that fall inside a step (the pump at its stroke's "
    "ends, the relief valve, edges that open) keep high orders down; penalty levels out at its own error, 1/α"
)


def conclusion(found: Findings) -> str:
    """What the numbers of this run say."""
    costs = sorted(cheapest(one) for one in found.pairs.values() if reached(one))
    if not costs:
        return f"No pair came within {WITHIN:g} rad of the reference at the steps tried."
    (wall, dt, name), *others = costs
    said = [
        f"On this computer, positions within {WITHIN:g} rad (and m) and pressures within {BAD / 1e5:g} bar of the "
        f"reference cost least with {name}: {1e3 * wall:.3g} ms of computing for 10 s, at a step of {1e3 * dt:g} ms."
    ]
    if others:
        rest = ", ".join(f"{name} ({1e3 * wall:.3g} ms at {1e3 * dt:g} ms)" for wall, dt, name in others)
        said.append(f"Then follow {rest}.")
    missing = [one.pair.name for one in found.pairs.values() if not reached(one)]
    if missing:
        said.append(f"Not so near at any step tried: {', '.join(missing)}.")
    rule = [one for one in found.pairs.values() if one.pair.stepper.name == "trapezoidal" and not one.common.failed]
    if rule:
        each = ", ".join(
            f"{1e6 * one.common.seconds:.3g} µs with {NAMES[one.pair.loops.name]} "
            f"({one.common.iterations:.2f} iterations)"
            for one in sorted(rule, key=lambda one: one.common.seconds)
        )
        said.append(f"A step of the trapezoidal rule at 1 ms costs {each}.")
    if found.strengths:
        pair, best = min(found.strengths, key=lambda item: item[1].iterations)
        said.append(
            f"With α = {power(pair.loops.alpha)} in place of {power(AL.alpha)} the augmented Lagrangian iterates "
            f"{best.iterations:.2f} times a step."
        )
    return " ".join(said)


def reached(one: Compared) -> list[Point]:
    """Runs of a pair that came near enough to the reference."""
    fine = [point for point in one.points.values() if not point.failed]
    return [point for point in fine if point.errors[0] <= WITHIN and point.errors[1] <= BAD]


def cheapest(one: Compared) -> tuple[float, float, str]:
    """Least time for the run [s], its step, the pair."""
    best = min(reached(one), key=lambda point: point.wall)
    return best.wall, best.dt, one.pair.name


def sections(found: Findings, result: Result) -> Sequence[Section]:
    """Everything below the checks."""
    compared = list(found.pairs.values())
    return [
        Section("What the comparison comes to", [TEXT, conclusion(found)]),
        Section("The work cycle", [motion(result)]),
        Section(f"Every pair at {1e3 * COMMON:g} ms", [cost(compared), accuracy(compared)]),
        Section(
            "Error against step and against time",
            [
                Picture(error_figure(compared, "dt"), KINKS),
                Picture(error_figure(compared, "wall"), "computing for the whole cycle on one core"),
                by_step(found, 0, "largest error of positions [rad, m] by step"),
                by_step(found, 1, "largest error of pressures [Pa] by step"),
            ],
        ),
        Section(
            "How well loops are kept",
            [
                Picture(
                    violation_figure(found.results),
                    "largest violation of the 14 constraints, trapezoidal rule at 1 ms: partitioning at rounding, the "
                    "augmented Lagrangian at the tolerance of its multipliers, penalty in proportion to 1/α",
                ),
                penalty_table(found),
                strength_table(found),
            ],
        ),
        Section("What limits each", [Row([order_table(found), bound_table(found)]), refusals(found)]),
    ]


def motion(result: Result) -> Plots:
    """The cycle as partitioning and HHT have it."""
    joints = ["slew.q", "boom.q", "jib.q", "swing.q_1", "swing.q_2", "rotator.q"]
    groups = [
        [f"arm.{name}" for name in joints],
        ["lift.x", "knuckle.x", "extend.x", "left.x", "right.x"],
        ["line.port.p", "lift.A.p", "lift.B.p", "knuckle.A.p"],
        ["left.A.p", "left.B.p", "extend.A.p", "extend.B.p"],
        [f"{name}_valve.u" for name in ("slew", "lift", "knuckle", "extend")],
        ["lift.F", "knuckle.F", "extend.F", "left.F", "right.F"],
        [f"arm.link_pin.reaction.F_{axis}" for axis in "xyz"],
        [f"arm.lift_pin.reaction.F_{axis}" for axis in "xyz"],
    ]
    titles = ["joints", "pistons", "pressures", "pressures", "levers", "forces of the cylinders"]
    return Plots(result, groups, titles=[*titles, "pin of the four-bar", "pin of the lift cylinder"])


def cost(compared: Sequence[Compared]) -> Table:
    """What a step and a program cost."""
    head = ("pair", "operations", "µs a step", "× real time", "iterations", "at most", "assemble [s]", "compile [s]")
    rows = []
    for one in compared:
        p = one.common
        newton = (p.iterations, p.most) if p.iterations else (None, None)
        told = shown(p.operations, 1e6 * p.seconds, p.dt / p.seconds)
        rows.append([one.pair.name, *told, *newton, one.assembling, one.compiling])
    return Table(head, rows, "cost on one core; assembling and compiling with nothing cached")


def accuracy(compared: Sequence[Compared]) -> Table:
    """Errors, violations and what the energy account leaves over."""
    head = ("pair", "positions [rad, m]", "pressures [Pa]", "gap", "gap_dot", "gap_ddot", "energy left over")
    rows = [[one.pair.name, *shown(*one.common.errors, *one.common.gaps, one.common.residual)] for one in compared]
    return Table(
        head, rows, "largest errors against the reference, largest violations of constraints, residual over what moved"
    )


def by_step(found: Findings, k: int, caption: str) -> Table:
    """Errors of each pair at each step, or when it failed."""

    def cell(point: Point) -> Any:
        return f"fails at {point.at:.2f} s" if point.failed else f"{point.errors[k]:.2e}"

    head = ("pair", *(f"{1e3 * dt:g} ms" for dt in found.steps))
    return Table(head, [[name, *map(cell, one.points.values())] for name, one in found.pairs.items()], caption)


def penalty_table(found: Findings) -> Table:
    """The penalty formulation by α."""
    head = ("α", "stepper", "positions [rad, m]", "gap", "gap_dot", "gap_ddot", "energy left over")
    rows = [
        [power(pair.loops.alpha), pair.stepper.name, *shown(run.errors[0], *run.gaps, run.residual)]
        for pair, run in found.penalties
    ]
    return Table(
        head, rows,
        "penalty at 1 ms: RK4 leaves the error of the formulation, in proportion to 1/α; HHT, which linearises once a "
        f"step, adds one in proportion to α h². α = {power(PENALTY.alpha)} is used above",
    )  # fmt: skip


def strength_table(found: Findings) -> Table:
    """The augmented Lagrangian by α."""
    head = ("α", "iterations", "at most", "µs a step", "positions [rad, m]", "gap", "gap_dot", "gap_ddot")
    rows = [
        [power(pair.loops.alpha), *shown(run.iterations, run.most, 1e6 * run.seconds, run.errors[0], *run.gaps)]
        for pair, run in found.strengths
    ]
    return Table(
        head,
        rows,
        f"augmented Lagrangian, trapezoidal rule at 1 ms: α = {power(AL.alpha)}, as published, is used above",
    )


def power(alpha: float) -> str:
    """A power of ten in short.

    >>> power(1e11)
    '1e11'
    """
    return f"{alpha:.0e}".replace("+", "").replace("e0", "e")


def shown(*values: float) -> list[float | None]:
    """Numbers for a table; none where a run failed."""
    return [None if value != value else value for value in values]


def order_table(found: Findings) -> Table:
    """Orders seen."""
    rows = [[name, ORDERS[found.pairs[name].pair.stepper.name][0], order] for name, order in found.orders.items()]
    return Table(("pair", "order", "seen"), rows, "load swinging for 2 s, levers at rest: nothing has a kink")


def bound_table(found: Findings) -> Table:
    """Steps of the explicit steppers."""
    rows = [[name, *(1e3 * step for step in steps)] for name, steps in found.bounds.items()]
    return Table(
        ("pair", "foretold [ms]", "largest [ms]"), rows,
        f"largest step by the modes at rest; largest tried with pressures right to {BAD / 1e5:g} bar",
    )  # fmt: skip


def refusals(found: Findings) -> Table:
    """Pairs that do not go together."""
    return Table(("pair", "why the engine refuses it"), [list(pair) for pair in found.refused])
