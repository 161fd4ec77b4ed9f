"""formulations: augmented Lagrangian, coordinate partitioning and penalty on two hydraulic mechanisms.

Publication I of Jaiswal (2021): a four-bar linkage and a quick-return mechanism, each moved by one
cylinder. The publication compares how closed loops are formulated; here all three formulations run
on the same equations, in machine code.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from oleodyn.result.content import Check, Picture, Plots, Row, Section, Table
from oleodyn.studies import dissertation_points as points
from oleodyn.studies.dissertation import FIRST, PRESSURES, Run, iterations_by_step
from oleodyn.studies.dissertation_checks import (
    AL,
    CP,
    STEPS,
    Runs,
    closures_agree,
    energy,
    order,
    penalty,
    violations,
)
from oleodyn.studies.dissertation_figures import (
    difference_figure,
    energy_figure,
    iteration_figure,
    order_figure,
    violation_figure,
)
from oleodyn.studies.dissertation_tables import tables
from oleodyn.studies.parallelogram import singular_passage
from oleodyn.studies.study import Study

GIVEN: dict[str, dict[str, Any]] = {
    "four-bar": dict(
        errors=(1.16e-6, 421.0), late=5.6e-5, drift=0.0134, violation=(6.9e-12, 5.7e-10, 1.1e-6, 1.3e-7, 2.6e-4),
        penalty=(
            (1e7, (1.34e-5, 5.2, 5.6e-6, 1.9e-5, 8.6e-4)), (1e9, (1.34e-7, 0.052, 5.6e-8, 1.9e-7, 8.6e-6)),
            (1e7, (4.6e-2, 1.2e4, 2.0e-2, 4.3e-3, 1.6e-3), 0.0),
        ),
        work=982.95, left=0.84, partitioned=(1.39, 3, 27.45), multipliers=(1.56, 4, 21.54),
    ),
    "quick-return": dict(
        errors=(2.27e-6, 420.0), late=1.4e-4, drift=0.0046, violation=(1.0e-13, 8.9e-10, 1.8e-6, 6.8e-7, 1.4e-3),
        penalty=((1e7, (7.7e-8, 4e-3, 9.7e-8, 8.5e-7, 6.0e-5)),),
        work=357.47, left=0.23, partitioned=(1.49, 3, 29.03), multipliers=(1.57, 6, 28.47),
    ),
}  # fmt: skip
"""What the specification found in its own runs; and, in the last line of each, what is printed."""


TEXT = (
    "Jaiswal (2021), Publication I: a four-bar linkage and a quick-return mechanism, each moved by one cylinder with "
    "pump, valve and throttle; 10 s at 1 ms. 'Published' is what is printed, or, for the checks MB-01 to MB-11, what "
    "an independent computation gave. Published mode has the tangent by forward differences."
)


def study(progress: Callable[[float], None]) -> Study:
    """All checks of Publication I and their report."""
    runs = {case.name: Runs(case) for case in FIRST}
    checks = [*points.formulation_identity(), *points.pressure_rates()]
    for i, (name, of) in enumerate(runs.items()):
        checks += [*points.initial_matrices(name), *checked(of)]
        progress(0.4 * (i + 1))
    checks += [*singular_passage(), *speeds(runs.values())]
    progress(0.9)
    first = runs["four-bar"]
    made = Study(
        name="formulations",
        title="Three formulations of closed loops, on a four-bar and a quick return",
        text=TEXT,
        checks=checks,
        result=first.multipliers.result,
        machine=first.case.machine,
        sections=[Section("What is compared", [TEXT]), *(part for of in runs.values() for part in sections(of))],
        plots=[[]],
    )
    progress(1.0)
    return made


def checked(runs: Runs) -> Iterator[Check]:
    """MB-05 to MB-10 and MB-12 for one mechanism."""
    given = GIVEN[runs.case.name]
    yield from closures_agree(runs)
    for row in given["penalty"]:
        yield from penalty(runs, *row)
    yield from violations(runs, given["violation"])
    yield from order(runs, given["errors"], given["late"])
    yield from energy(runs, given["drift"])
    yield from points.independent(runs.case, runs.partitioned)
    yield from tables(runs, given["errors"])
    for label, pair in (
        ("project", (runs.multipliers, runs.partitioned)),
        ("published", (runs.printed_multipliers, runs.printed_partitioned)),
    ):
        yield from printed(runs.case.name, label, *pair)


def printed(name: str, mode: str, multipliers: Run, partitioned: Run) -> Iterator[Check]:
    """MB-12: work, drift and iterations as printed."""
    given = GIVEN[name]
    head = f"MB-12 {name}, {mode} mode"
    yield near(f"{head}: largest work of the cylinder", given["work"], float(multipliers.work().max()), 1e-3, "J")
    yield near(
        f"{head}: peak drift, work by rectangles", given["left"], multipliers.drift(rectangles=True)[0], 0.03, "J"
    )
    for label, run, key in (
        ("augmented Lagrangian", multipliers, "multipliers"),
        ("partitioning", partitioned, "partitioned"),
    ):
        average, most, _ = given[key]
        yield near(f"{head}: iterations a step, {label}", average, run.iterations, 0.10, "-")
        yield Check(f"{head}: iterations at most, {label}", most, run.most, "-", bool(abs(run.most - most) <= 3))


def near(name: str, given: float, value: float, share: float, unit: str) -> Check:
    """A check within a share of the published value."""
    return Check(name, given, float(value), unit, bool(abs(value - given) <= share * given))


def speeds(several: Any) -> Iterator[Check]:
    """Time for 10 s of simulation beside the published one (Matlab): information, no verdict."""
    for runs in several:
        given = GIVEN[runs.case.name]
        for label, policy, key in (("augmented Lagrangian", AL, "multipliers"), ("partitioning", CP, "partitioned")):
            fastest = quickest(runs.case, policy)
            yield Check(f"{runs.case.name}: time for 10 s, {label}", given[key][2], fastest, "s", None)
            yield Check(
                f"{runs.case.name}: times faster than published, {label}", None, given[key][2] / fastest, "×", None
            )


def quickest(case: Any, loops: Any, stepper: Any = None, repeats: int = 5) -> float:
    """Wall time of the fastest of some runs over 10 s at 1 ms, every 10th step recorded [s]."""
    from oleodyn.equations.assemble import assemble
    from oleodyn.program.compile import compile
    from oleodyn.simulation.run import run
    from oleodyn.simulation.steppers.trapezoidal import Trapezoidal

    program = compile(assemble(case.machine, loops=loops), stepper or Trapezoidal(), record=[], account=False)
    inputs = {"valve.U_ref": case.voltage}
    return min(run(program, until=10.0, dt=1e-3, inputs=inputs, every=10).timing["wall_s"] for _ in range(repeats))


# ------------------------------------------------------------------ report


def sections(runs: Runs) -> Sequence[Section]:
    """Figures for one mechanism."""
    case, a, b = runs.case, runs.multipliers, runs.partitioned
    counts = {
        "augmented Lagrangian": iterations_by_step(case, AL),
        "coordinate partitioning": iterations_by_step(case, CP),
    }
    pair = {"augmented Lagrangian": a, "coordinate partitioning": b}
    errors = {loops.name: errors_by_step(runs, loops) for loops in (AL, CP)}
    apart = {"|Δz| [rad]": case.angles, "|Δp| [Pa]": PRESSURES}
    return [
        Section(
            f"{case.name}: motion",
            [
                "Relative joint angles, chamber pressures and the spool; augmented Lagrangian.",
                Plots(
                    a.result, [case.angles, PRESSURES, ["valve.U", "valve.U_ref"], ["cylinder.F"]],
                    titles=["joint angles", "pressures", "spool and reference", "cylinder force"],
                ),
                Picture(
                    difference_figure(a, b, apart),
                    "augmented Lagrangian less partitioning: they differ by what the Newton tolerance leaves",
                ),
            ],
        ),
        Section(
            f"{case.name}: energy and constraints",
            [
                Picture(
                    energy_figure(a),
                    "the published drift is that of the rectangle sum; the trapezoidal sum of the same run leaves less",
                ),
                Picture(
                    violation_figure(pair),
                    "violation of the constraints: partitioning at rounding, the augmented Lagrangian at its tolerance",
                ),
            ],
        ),
        Section(
            f"{case.name}: cost and order",
            [
                Picture(
                    iteration_figure(counts, case.edges),
                    "Newton iterations of each step around the edges of the reference voltage",
                ),
                Row(
                    [
                        Picture(order_figure(STEPS, {k: v[0] for k, v in errors.items()}, "rad"), "angles"),
                        Picture(order_figure(STEPS, {k: v[1] for k, v in errors.items()}, "Pa"), "pressures"),
                    ]
                ),
                comparison(runs),
            ],
        ),
    ]  # fmt: skip


def errors_by_step(runs: Runs, loops: Any) -> tuple[list[float], list[float]]:
    """Errors of angles and of pressures at each step."""
    pairs = [runs.errors(runs.converged(loops, dt)) for dt in STEPS]
    return [angle for angle, _ in pairs], [pressure for _, pressure in pairs]


def comparison(runs: Runs) -> Table:
    """Iterations, violations and times as the publication compares them."""
    given = GIVEN[runs.case.name]
    rows = []
    for label, policy, run, key in (
        ("partitioning (double-step)", CP, runs.partitioned, "partitioned"),
        ("augmented Lagrangian (penalty)", AL, runs.multipliers, "multipliers"),
    ):
        average, most, seconds = given[key]
        rows.append(
            [
                label, f"{average} / {most}", f"{run.iterations:.3f} / {run.most}", round(run.inner, 2), run.gap(),
                seconds, 1e3 * quickest(runs.case, policy),
            ]
        )  # fmt: skip
    head = (
        "formulation", "iterations, published", "iterations", "nested", "largest gap [m]", "published [s]", "here [ms]",
    )  # fmt: skip
    return Table(head, rows, "average and most iterations a step; time for 10 s of simulation (published: Matlab)")
