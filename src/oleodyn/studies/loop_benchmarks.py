"""loop-benchmarks: Andrews' mechanism, Bricard's mechanism and the flyball governor, with every formulation.

Three machines whose solutions are public: the Test Set for IVP Solvers gives numbers, the library of
computational benchmark problems curves. Each formulation of closed loops runs each of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from oleodyn.catalogue import andrews, bricard, flyball_governor
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning, redundant
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.machine.machine import Machine
from oleodyn.program.compile import compile
from oleodyn.result.content import Check, Checks, Picture, Section, Table
from oleodyn.result.result import Result
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.studies import loop_benchmarks_figures as figures
from oleodyn.studies import loop_benchmarks_published as published
from oleodyn.studies.dissertation_points import limit
from oleodyn.studies.study import Study

TEXT = (
    "Andrews' squeezing mechanism (seven bodies in a plane, three loops, 0.03 s) has a published solution in digits: "
    "Test Set for IVP Solvers. Bricard's mechanism (five rods, six hinges in space, one constraint redundant) and the "
    "stiff flyball governor (couplers of spring and damper) are A04 and A05 of the library of computational benchmark "
    "problems (González et al. 2006); their reference curves are read from the figures of Tagliapietra et al. (2015), "
    "to a pixel. With rigid couplers the governor has two loops; its curve is that of stiff ones to 0.21 mm."
)
COST = (
    "Errors are those against RK4 with partitioning at a small step, which agrees with integrations by SciPy in other "
    "coordinates to 1e-11 (tests/machines/test_loop_benchmarks.py). What the energy account leaves over is given as "
    "part of the energy that moved. The penalty multiplies what an implicit step leaves unfinished, so it runs with "
    "RK4, or with the trapezoidal rule at a Newton tolerance of 1e-12."
)
STEPS = 4
"""How often the step is halved."""


@dataclass(frozen=True)
class Way:
    """One formulation with one stepper, and its largest step [s]."""

    loops: Any
    stepper: Any
    dt: float

    @property
    def name(self) -> str:
        """What runs."""
        return f"{self.loops.name}, {self.stepper.name}" if self.loops else self.stepper.name


@dataclass(frozen=True)
class Bench:
    """A machine, what of it is compared, and how it is run."""

    name: str
    machine: Machine
    signals: tuple[str, ...]
    unit: str
    ways: tuple[Way, ...]
    exact: Way
    grid: float
    """Time between recorded rows [s], a multiple of every step."""

    def program(self, way: Way, **options: Any) -> Any:
        """The machine in machine code."""
        return compile(assemble(self.machine, loops=way.loops), way.stepper, **options)

    def asked(self, dt: float) -> dict[str, Any]:
        """How a run is called."""
        scenario, until = self.machine.defaults.scenario, self.machine.defaults.until
        inputs = self.machine.scenarios[scenario] if scenario else None
        return dict(until=until, dt=dt, every=round(self.grid / dt), inputs=inputs)

    def ran(self, way: Way, dt: float) -> Result:
        """A run with all its signals."""
        return run(self.program(way), **self.asked(dt))

    def values(self, result: Result) -> np.ndarray:
        """What is compared, row by row."""
        return np.column_stack([result.values(name) for name in self.signals])

    @cached_property
    def reference(self) -> Result:
        """The run that others are compared with."""
        return self.ran(self.exact, self.exact.dt)

    @cached_property
    def found(self) -> dict[str, list["Found"]]:
        """What each way came to at each step."""
        return {way.name: [self._found(way, way.dt / 2**k) for k in range(STEPS)] for way in self.ways}

    def _found(self, way: Way, dt: float) -> "Found":
        result = self.ran(way, dt)
        bare = self.program(way, record=[], account=False)
        seconds = min(run(bare, **self.asked(dt)).timing["wall_s"] for _ in range(3))
        error = np.abs(self.values(result) - self.values(self.reference)).max()
        return Found(dt, result, float(error), seconds / self.machine.defaults.until)


@dataclass(frozen=True)
class Found:
    """One run: its step [s], its error, and its time for a simulated second."""

    dt: float
    result: Result
    error: float
    cost: float

    @property
    def gap(self) -> float | None:
        """Largest violation of a constraint [m, -]; None without loops."""
        gaps = [np.abs(self.result.values(name)).max() for name in self.result.names if name.endswith(".gap")]
        return float(max(gaps)) if gaps else None

    @property
    def left(self) -> float:
        """What the energy account leaves over, as part of what moved."""
        account = self.result.energy
        return float(account.relative) if account else np.nan


def benches() -> tuple[Bench, ...]:
    """The machines, the governor with stiff couplers and with rigid ones."""
    AL, CP = AugmentedLagrangian(), CoordinatePartitioning()
    tight = Trapezoidal(tolerance=1e-12)

    def ways(dt: float, alpha: float, *more: Way) -> tuple[Way, ...]:
        implicit = (Way(AL, Trapezoidal(), dt), Way(CP, Trapezoidal(), dt), Way(CP, HHT(), dt))
        return *implicit, Way(CP, RK4(), dt), Way(Penalty(alpha=alpha), RK4(), dt), *more

    angles = tuple(f"linkage.{name}.q" for name in published.ANGLES)
    P3, s = tuple(f"linkage.P3.r_{axis}" for axis in "xyz"), ("governor.s.q",)
    rigid = flyball_governor.machine(rigid=True)
    stiff = (Way(None, Trapezoidal(), 2e-3), Way(None, HHT(), 2e-3), Way(None, RK4(), 2e-4))
    return (
        Bench("andrews", andrews.machine(), angles, "rad", ways(2e-5, 1e7), Way(CP, RK4(), 1e-6), 1e-4),
        Bench(
            "bricard", bricard.machine(), P3, "m", ways(4e-3, 1e9, Way(Penalty(alpha=1e7), tight, 2e-3)),
            Way(CP, RK4(), 2.5e-4), 0.02,
        ),
        Bench("flyball-governor", flyball_governor.machine(), s, "m", stiff, Way(None, RK4(), 1.25e-5), 0.02),
        Bench(
            "governor with rigid couplers", rigid, s, "m", ways(4e-3, 1e9, Way(Penalty(alpha=1e7), tight, 4e-3)),
            Way(CP, RK4(), 2.5e-4), 0.02,
        ),
    )  # fmt: skip


def study(progress: Callable[[float], None]) -> Study:
    """Published numbers and curves beside the computed ones, then errors and costs of every formulation."""
    all_ = {bench.name: bench for bench in benches()}
    squeezed, folded, spun, rigid = all_.values()
    digits, curves = list(test_set(squeezed)), [*folding(folded), *rising(spun)]
    progress(0.2)
    costs: list[Any] = [COST]
    for i, bench in enumerate(all_.values()):
        costs += [table(bench)]
        progress(0.2 + 0.18 * (i + 1))
    agreed = [*agreement(squeezed), *agreement(folded), *agreement(spun), *agreement(rigid)]
    sections = [
        Section("What is compared", [TEXT]),
        Section("Andrews' squeezing mechanism", [
            Picture(figures.angles(squeezed.reference), "the seven angles; dots: the Test Set at 0.03 s"),
            Checks(digits, "angles within 2e-9 rad, which integrators at 2e-14 leave too; forces to six digits"),
        ]),
        Section("Bricard's mechanism and the flyball governor", [
            Picture(figures.curves(folded.reference, spun.reference), "dots: read from the published figures"),
            Checks(curves),
        ]),
        Section("Every formulation: error, energy, violation, cost", [
            *costs,
            Picture(figures.errors(all_), "error against the step: slopes of 2 and 4 are the steppers' orders"),
            Picture(figures.costs(all_), "error against the time for a simulated second"),
            Checks(
                agreed,
                "each formulation at its smallest step: 1e-5 by steppers of order two; by RK4 1e-10, and 1e-6 with the "
                "penalty, which has an error of its own",
            ),
        ]),
    ]  # fmt: skip
    progress(1.0)
    return Study(
        name="loop-benchmarks", title="Closed loops: three public benchmarks, every formulation", text=TEXT,
        checks=[*digits, *curves, *agreed], result=folded.reference, machine=folded.machine, sections=sections,
        plots=[[]],
    )  # fmt: skip


def test_set(bench: Bench) -> Iterator[Check]:
    """Andrews' mechanism at 0.03 s beside the published digits."""
    result = bench.reference
    for name, given in zip(published.ANGLES, published.ANDREWS_ANGLES, strict=True):
        value = result.values(f"linkage.{name}.q")[-1]
        yield within(f"andrews: {name} at 0.03 s", given, value, published.LEFT, "rad")
    given = np.hypot(*np.reshape(published.ANDREWS_MULTIPLIERS, (3, 2)).T)
    for cut, force in zip(published.CUTS, given, strict=True):
        value = np.hypot(*(result.values(f"linkage.{cut}.reaction.F_{axis}")[-1] for axis in "xy"))
        yield within(f"andrews: force in {cut} at 0.03 s", force, value, 1e-6 * force, "N")


def folding(bench: Bench) -> Iterator[Check]:
    """Bricard's mechanism beside the reference curve, and its redundant constraint."""
    times = list(published.BRICARD_P3)
    found = np.column_stack([np.interp(times, bench.reference.time, x) for x in bench.values(bench.reference).T])
    apart = np.nanmax(np.abs(found - np.array(list(published.BRICARD_P3.values()))))
    yield limit("bricard: P3, farthest from the curve read, to a pixel", float(apart), published.BRICARD_PIXEL, "m")
    e = assemble(bench.machine, loops=CoordinatePartitioning())
    free = e.n_v - (e.Phi.numel() - len(redundant(e)))
    yield Check("bricard: degrees of freedom, though a count gives 0", 1, free, "-", free == 1)


def rising(bench: Bench) -> Iterator[Check]:
    """The governor beside the reference curve, straight between its samples."""
    result, times = bench.reference, list(published.SLIDER)
    samples = np.arange(0, bench.machine.defaults.until + 1e-9, published.SAMPLES)
    curve = np.interp(samples, result.time, bench.values(result)[:, 0])
    apart = np.abs(np.interp(times, samples, curve) - list(published.SLIDER.values())).max()
    name = "flyball-governor: slider, farthest from the curve read, to a pixel"
    yield limit(name, float(apart), published.SLIDER_PIXEL, "m")


def within(name: str, given: float, value: float, tolerance: float, unit: str) -> Check:
    """A check within a tolerance of the published value."""
    return Check(name, float(given), float(value), unit, bool(abs(value - given) <= tolerance))


def agreement(bench: Bench) -> Iterator[Check]:
    """Each formulation comes to the same motion at its smallest step, as near as its order and its α allow."""
    for way in bench.ways:
        smallest = bench.found[way.name][-1]
        name = f"{bench.name}: error of {way.name} at {1e3 * smallest.dt:.4g} ms"
        yield limit(name, smallest.error, nearness(way), bench.unit)


def nearness(way: Way) -> float:
    """What a pair may leave at its smallest step [m, rad].

    The penalty leaves an error of its own, whatever the stepper.
    """
    if way.stepper.name != "rk4":
        return 1e-5
    return 1e-6 if isinstance(way.loops, Penalty) else 1e-10


def table(bench: Bench) -> Table:
    """What each formulation costs and leaves, at the smallest step."""
    head = (
        "formulation, stepper", "step [ms]", f"error [{bench.unit}]", "energy left", "largest gap [m, –]", "µs a step",
        "ms for a simulated second",
    )  # fmt: skip
    rows = [row(name, found[-1]) for name, found in bench.found.items()]
    spare = bench.reference.attrs.get("redundant_constraints")
    return Table(head, rows, bench.name + (f"; redundant: {spare}" if spare else ""))


def row(name: str, found: Found) -> Sequence[Any]:
    """One line of the table."""
    gap = "no loops" if found.gap is None else f"{found.gap:.1e}"
    cost = (round(1e6 * found.cost * found.dt, 3), round(1e3 * found.cost, 3))
    return (name, 1e3 * found.dt, f"{found.error:.1e}", f"{found.left:.1e}", gap, *cost)
