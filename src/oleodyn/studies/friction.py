"""friction: four laws for the seals of a cylinder, in one linkage with oil.

Publication II of Jaiswal (2021): a four-bar linkage whose crank a cylinder turns, with the friction
of Bengisu and Akay, Brown and McPhee, LuGre and a modified LuGre with a lubricant film.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from oleodyn.result.content import Check, Picture, Plots, Section, Table
from oleodyn.result.plots import PALETTE, thinned
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies import dissertation_points as points
from oleodyn.studies.dissertation import PRESSURES, SECOND, Run, iterations_by_step, ran
from oleodyn.studies.dissertation_checks import (
    AL,
    CP,
    Runs,
    closures_agree,
    energy,
    order,
    penalty,
    violations,
)
from oleodyn.studies.dissertation_figures import energy_figure, iteration_figure, panels_figure, violation_figure
from oleodyn.studies.dissertation_tables import published_start, spool, tables
from oleodyn.studies.formulations import near, quickest
from oleodyn.studies.study import Study

GIVEN: dict[str, dict[str, Any]] = {
    "Bengisu-Akay": dict(work=121.02, drift=0.45, iterations=(1.43, 3), seconds=17.81, errors=(2.65e-6, 307.0)),
    "Brown-McPhee": dict(work=120.99, drift=0.45, iterations=(1.42, 3), seconds=16.97, errors=(2.72e-6, 307.0)),
    "LuGre": dict(work=120.94, drift=0.44, iterations=(1.60, 3), seconds=40.45, errors=(2.59e-6, 1652.0)),
    "modified LuGre": dict(work=120.97, drift=0.44, iterations=(1.62, 5), seconds=53.72, errors=(2.58e-6, 1173.0)),
}
"""As printed; errors as the specification found them."""
TEXT = (
    "Jaiswal (2021), Publication II: the crank of a four-bar linkage is turned by a cylinder whose seals rub after one "
    "of four laws; 10 s at 1 ms, augmented Lagrangian. Published mode repeats the printed chamber lengths (κ = −1), "
    "the printed start force and the reference voltage at both ends of the step; project mode has them right. After an "
    "edge the linkage swings on its oil at 29 Hz: the pressures of the tables are then missed by the trapezoidal "
    "rule's own error, which falls with the square of the step. The specification's rule for them (twice the MB-08 "
    "errors, ten times after an edge) is shown without a verdict; the verdict is on what the lag of the trapezoidal "
    "rule, (w h)²/12 of the time, makes of such a swing."
)
PLAIN = "Brown-McPhee"
"""The law with which the linkage itself is checked."""


def study(progress: Callable[[float], None]) -> Study:
    """All checks of Publication II and their report."""
    runs = {case.name: Runs(case) for case in SECOND}
    checks = [*points.friction_forces(), *points.initial_matrices("four-bar-friction"), *linkage(runs[PLAIN])]
    for i, (name, of) in enumerate(runs.items()):
        late = 1.4e-4 if name == PLAIN else None
        checks += [*order(of, GIVEN[name]["errors"], late), *tables(of, GIVEN[name]["errors"]), *printed(of)]
        progress(0.2 * (i + 1))
    checks += [*ranking(runs), *project(runs)]
    times = {name: quickest(of.case, AL) for name, of in runs.items()}
    for name, seconds in times.items():
        checks.append(Check(f"{name}: time for 10 s", GIVEN[name]["seconds"], seconds, "s", None))
        checks.append(Check(f"{name}: times faster than published", None, GIVEN[name]["seconds"] / seconds, "×", None))
    made = Study(
        name="friction",
        title="Four friction laws of a cylinder in a four-bar linkage",
        text=TEXT,
        checks=checks,
        result=runs[PLAIN].multipliers.result,
        machine=runs[PLAIN].case.machine,
        sections=sections(runs, times),
        plots=[[]],
    )
    progress(1.0)
    return made


# ------------------------------------------------------------------ checks


def linkage(runs: Runs) -> Iterator[Check]:
    """MB-05, MB-06, MB-07, MB-09 and MB-10 on this linkage, with one law; the spool and the published start."""
    yield from closures_agree(runs)
    yield from penalty(runs, 1e7, (8.4e-8, 7e-3, 6.7e-7, 2.4e-6, 8.8e-5))
    yield from violations(runs, (1.2e-12, 8.3e-9, 1.7e-5, 6.8e-6, 1.4e-2))
    yield from energy(runs, 0.0225)
    yield from points.independent(runs.case, runs.partitioned)
    yield spool(runs)
    yield from published_start(runs.case)


def printed(runs: Runs) -> Iterator[Check]:
    """MB-12 in published mode: work, drift, iterations."""
    given, run, name = GIVEN[runs.case.name], runs.printed_multipliers, runs.case.name
    head = f"MB-12 {name}, published mode"
    work = float(abs(run.work()).max())
    yield Check(
        f"{head}: largest |work| of the cylinder", given["work"], work, "J", bool(abs(work - given["work"]) <= 0.01)
    )
    yield near(f"{head}: peak drift, work by rectangles", given["drift"], run.drift(rectangles=True)[0], 0.03, "J")
    average, most = given["iterations"]
    yield near(f"{head}: iterations a step", average, run.iterations, 0.10, "-")
    yield Check(f"{head}: iterations at most", most, run.most, "-", bool(abs(run.most - most) <= 3))


def ranking(runs: Mapping[str, Runs]) -> Iterator[Check]:
    """Brown-McPhee is the cheapest law, then Bengisu-Akay and LuGre, the modified LuGre is the dearest."""
    expected = "BM, BA, LG, ML"
    short = dict(zip(GIVEN, ("BA", "BM", "LG", "ML"), strict=True))
    for mode, cost in (
        ("published", {name: of.printed_multipliers.iterations for name, of in runs.items()}),
        ("project", {name: of.multipliers.iterations for name, of in runs.items()}),
    ):
        found = ", ".join(short[name] for name in sorted(cost, key=lambda name: cost[name]))
        yield Check(
            f"MB-12 laws from the cheapest to the dearest, {mode} mode", expected, found, "-", found == expected
        )


def project(runs: Mapping[str, Runs]) -> Iterator[Check]:
    """Largest |work| with project settings, beside the specification's own runs."""
    for name, given in zip(GIVEN, (120.991, 120.959, 120.912, 120.939), strict=True):
        work = float(abs(runs[name].multipliers.work()).max())
        yield Check(f"{name}, project mode: largest |work|", given, work, "J", bool(abs(work - given) <= 0.001))


# ------------------------------------------------------------------ report


def sections(runs: Mapping[str, Runs], times: Mapping[str, float]) -> Sequence[Section]:
    """Tables and figures of all laws."""
    plain, close = runs[PLAIN], {name: fine(of) for name, of in runs.items()}
    counts = {name: iterations_by_step(of.case, AL) for name, of in runs.items()}
    violation = {"augmented Lagrangian": plain.multipliers, "coordinate partitioning": plain.partitioned}
    return [
        Section("The four laws compared", [TEXT, table(runs, times)]),
        Section(
            "Motion",
            [
                f"Relative joint angles and chamber pressures with the law of {PLAIN}; the others differ little.",
                Plots(
                    plain.multipliers.result, [plain.case.angles, PRESSURES], titles=["joint angles", "pressures"]
                ),
                Picture(apart_figure(runs), f"how far the other laws lead from {PLAIN}"),
            ],
        ),
        Section(
            "Friction force",
            [
                Picture(force_figure(runs), "friction force over time, and where the valve opens and closes"),
                Picture(
                    hysteresis_figure(close),
                    "friction force over speed (RK4 at 20 µs): the static laws are curves, the dynamic ones have loops",
                ),
                Picture(
                    presliding_figure(close),
                    "before the seal slips the bristles bend: force over displacement as the valve opens and, after "
                    "the stroke, as springs on which the cylinder comes to rest; deflection of the bristles; film",
                ),
            ],
        ),
        Section(
            "Energy, constraints, iterations",
            [
                Picture(energy_figure(plain.multipliers), f"energy balance with the law of {PLAIN}, project settings"),
                Picture(
                    energy_figure(plain.printed_multipliers),
                    "the same as published: the drift at 1 s comes from the start force and the rectangle sum",
                ),
                Picture(violation_figure(violation), "violation of the constraints"),
                Picture(iteration_figure(counts, plain.case.edges), "Newton iterations of each step around the edges"),
            ],
        ),
    ]  # fmt: skip


def table(runs: Mapping[str, Runs], times: Mapping[str, float]) -> Table:
    """The publication's table, with ours."""
    rows = []
    for name, of in runs.items():
        given, run = GIVEN[name], of.printed_multipliers
        average, most = given["iterations"]
        partitioned = quickest(of.case, CP)
        rows.append(
            [
                name, f"{given['work']} / {abs(run.work()).max():.3f}",
                f"{given['drift']} / {run.drift(rectangles=True)[0]:.3f}",
                f"{average} / {run.iterations:.3f}", f"{most} / {run.most}", given["seconds"], 1e3 * times[name],
                1e3 * partitioned,
            ]
        )  # fmt: skip
    head = (
        "law", "|work| [J], published / here", "drift [J]", "iterations a step", "at most", "published [s]",
        "here [ms]", "here, partitioning [ms]",
    )  # fmt: skip
    return Table(head, rows, "published mode; times for 10 s of simulation (published: Matlab)")


def apart_figure(runs: Mapping[str, Runs]) -> Any:
    """Differences of the laws from one of them: angle of the crank, pressure at the throttle."""
    plain = runs[PLAIN].multipliers.result
    others = [name for name in runs if name != PLAIN]

    def draw(signal: str, factor: float) -> Callable[[Any], None]:
        def panel(axes: Any) -> None:
            for name in others:
                result = runs[name].multipliers.result
                y = factor * (result.values(signal) - plain.values(signal))
                axes.plot(*thinned(result.time, y), color=colour(name), label=name, linewidth=1.1)

        return panel

    return panels_figure(
        [draw("linkage.z1.q", 1e3), draw(PRESSURES[1], 1e-5)], ["angle of the crank [mrad]", "p₂ [bar]"],
        [("time [s]", ""), ("time [s]", "")],
    )  # fmt: skip


def colour(law: str) -> str:
    """One colour for each law."""
    return PALETTE[list(GIVEN).index(law)]


def force(runs: Mapping[str, Runs], window: tuple[float, float]) -> Callable[[Any], None]:
    """Friction force over time in a window."""

    def panel(axes: Any) -> None:
        for name, of in runs.items():
            result = of.multipliers.result
            rows = (result.time >= window[0] - 1e-9) & (result.time <= window[1] + 1e-9)
            t, F = result.time[rows], result.values("cylinder.F_friction")[rows]
            axes.plot(*thinned(t, F), color=colour(name), label=name, linewidth=1.1)

    return panel


def force_figure(runs: Mapping[str, Runs]) -> Any:
    """Friction force over 10 s and in three windows."""
    windows = ((0.0, 10.0), (0.99, 1.08), (2.49, 2.62), (7.99, 8.15))
    titles = ["friction force [N]", "the valve opens", "the valve closes", "and closes again"]
    return panels_figure([force(runs, window) for window in windows], titles, [("time [s]", "")] * 4)


def fine(of: Runs) -> Run:
    """The first 3 s by RK4 at 20 µs, recorded every 0.1 ms: how the friction goes within the steps."""
    return ran(
        of.case, CP, RK4(), dt=2e-5, every=5, until=3.0,
        record=["cylinder.F_friction", "linkage.cylinder.v", "linkage.cylinder.s"],
    )  # fmt: skip


def path(
    runs: Mapping[str, Run], x: str, window: tuple[float, float], factor: float, most: float
) -> Callable[[Any], None]:
    """Friction force over the speed or the displacement of the cylinder in a window of time."""

    def panel(axes: Any) -> None:
        for name, run in runs.items():
            result = run.result
            rows = (result.time >= window[0]) & (result.time <= window[1])
            along, F = factor * result.values(x)[rows], result.values("cylinder.F_friction")[rows]
            start = along[-1] if x.endswith(".s") else 0.0
            axes.plot(along - start, F, color=colour(name), label=name, linewidth=0.8)
        axes.set_xlim(-most if window[0] > 1 else 0, most)

    return panel


def hysteresis_figure(runs: Mapping[str, Run]) -> Any:
    """Friction force over speed: the first stroke, and coming to rest."""
    v = "linkage.cylinder.v"
    return panels_figure(
        [path(runs, v, (1.0, 1.1), 1e3, 160), path(runs, v, (2.5, 2.6), 1e3, 160), path(runs, v, (2.6, 3.0), 1e3, 15)],
        ["friction force [N], 1.0 to 1.1 s", "2.5 to 2.6 s", "2.6 to 3.0 s: coming to rest"],
        [("speed [mm/s]", "")] * 3,
        height=4.0,
    )


def presliding_figure(runs: Mapping[str, Run]) -> Any:
    """Force over displacement as the valve opens and as the cylinder comes to rest; bristles and film over time."""
    s = "linkage.cylinder.s"

    def opening(axes: Any) -> None:
        for name, run in runs.items():
            rows = (run.result.time >= 1.0) & (run.result.time <= 1.02)
            along, F = 1e6 * run.result.values(s)[rows], run.result.values("cylinder.F_friction")[rows]
            axes.plot(along - along[0], F, color=colour(name), label=name, linewidth=1.0)
        axes.set_xlim(-5, 250)

    def state(signal: str, factor: float) -> Callable[[Any], None]:
        def panel(axes: Any) -> None:
            for name, run in runs.items():
                if signal in run.result:
                    t, y = run.result.time, factor * run.result.values(signal)
                    axes.plot(*thinned(t, y), color=colour(name), label=name, linewidth=1.0)

        return panel

    return panels_figure(
        [
            opening, path(runs, s, (2.8, 3.0), 1e6, 60), state("cylinder.friction.z", 1e6),
            state("cylinder.friction.h", 1.0),
        ],
        ["friction force [N], from 1 s", "2.8 to 3.0 s", "bristle deflection [µm]", "film [–]"],
        [("displacement [µm]", ""), ("displacement [µm]", ""), ("time [s]", ""), ("time [s]", "")],
        height=4.0,
    )  # fmt: skip
