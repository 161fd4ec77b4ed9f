"""The loader crane with every formulation and stepper: which go together, how exact they are, what they cost."""

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oleodyn.catalogue.loader_crane import HOLD, LIFT, machine
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.equations.equations import Equations
from oleodyn.errors import AssemblyError, StepError
from oleodyn.program.compile import compile
from oleodyn.program.kernels import Stepper
from oleodyn.program.program import Program
from oleodyn.result.result import Result
from oleodyn.simulation.cost import step_cost
from oleodyn.simulation.run import run
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.by_name import STEPPERS, stepper_named
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.stiffness import stiffness
from oleodyn.studies.starts import cached_in

AL, CP, PENALTY = AugmentedLagrangian(), CoordinatePartitioning(), Penalty(alpha=1e9)
FORMULATIONS = (AL, CP, PENALTY)
NAMES = {"augmented-lagrangian": "augmented Lagrangian", "partitioning": "partitioning", "penalty": "penalty"}
STEPS = (5e-3, 2.5e-3, 1e-3, 5e-4, 2.5e-4)
COMMON = 1e-3
"""The step at which everything is compared."""
GRID = 1e-2
"""Results are compared at these instants; all steps and all edges of the levers fall on them."""
UNTIL = 10.0
FINE = 2e-5
"""Step of the reference, by RK4."""
STIFF = Penalty(alpha=1e13)
"""The formulation that confirms the reference."""
LEVELS = {"gap": "m, -", "gap_dot": "m/s, 1/s", "gap_ddot": "m/s², 1/s²"}
POSITIONS = tuple(
    f"arm.{name}" for name in ("slew.q", "boom.q", "jib.q", "telescope.q", "swing.q_1", "swing.q_2", "rotator.q")
)
PRESSURES = ("line.port.p", *(f"{ram}.{side}.p" for ram in ("lift", "knuckle", "extend", "left") for side in "AB"))


@dataclass(frozen=True)
class Pair:
    """A formulation and a stepper that go together."""

    loops: Any
    stepper: Any

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{NAMES[self.loops.name]}, {self.stepper.name}"


PAIRS = tuple(Pair(loops, stepper_named(name)) for loops in FORMULATIONS for name in STEPPERS if name in loops.admits)


def refused() -> Iterator[tuple[str, str]]:
    """Pairs that are not to go together, and the engine's reason, or that it has none."""
    for loops in FORMULATIONS:
        e = assemble(machine(), loops=loops)
        for name in STEPPERS:
            if name not in loops.admits:
                yield Pair(loops, stepper_named(name)).name, reason(e, stepper_named(name))


ACCEPTED = "compiled without a word"


def reason(equations: Equations, stepper: Stepper) -> str:
    """Why the engine refuses to compile equations for a stepper, or that it does not."""
    try:
        compile(equations, stepper, record=[])
    except AssemblyError as error:
        return str(error)
    return ACCEPTED


@dataclass(frozen=True, eq=False)
class Samples:
    """Positions of the seven freedoms [rad, m] and pressures [Pa] at the instants of the grid."""

    positions: Any
    pressures: Any

    def apart(self, other: "Samples") -> tuple[float, float]:
        """Largest differences."""
        far = abs(self.positions - other.positions).max(), abs(self.pressures - other.pressures).max()
        return float(far[0]), float(far[1])


def samples(result: Result) -> Samples:
    """Of a run that was recorded on the grid."""
    import numpy as np

    return Samples(*(np.array([result.values(name) for name in names]) for names in (POSITIONS, PRESSURES)))


@dataclass(frozen=True)
class Point:
    """One run: errors, what its loops, Newton and its energies did, seconds a step; or why it failed, and when."""

    dt: float
    errors: tuple[float, float] = (float("nan"), float("nan"))
    seconds: float = float("nan")
    operations: float = float("nan")
    iterations: float = 0.0
    most: int = 0
    residual: float = float("nan")
    gaps: tuple[float, ...] = (float("nan"),) * 3
    failed: str = ""
    at: float | None = None

    @property
    def wall(self) -> float:
        """Time for the whole run [s]."""
        return self.seconds * UNTIL / self.dt


@dataclass(eq=False)
class Compared:
    """A pair with its program, what it took to make it [s], and its runs by step."""

    pair: Pair
    program: Program
    assembling: float
    compiling: float
    points: dict[float, Point] = field(default_factory=dict)

    @property
    def common(self) -> Point:
        """The run at the common step."""
        return self.points[COMMON]


def ran(program: Program, dt: float, scenario: Scenario = LIFT, until: float = UNTIL) -> Result:
    """A run recorded on the grid."""
    return run(program, until=until, dt=dt, inputs=scenario, every=round(GRID / dt))


def made(loops: Any, stepper: Any, gaps: bool = False) -> Program:
    """The crane as a program that records its states and, if asked for, the gaps of its loops."""
    return compile(assemble(machine(), loops=loops), stepper, record=list(LEVELS) if gaps else [])


def built(pair: Pair) -> Compared:
    """The pair's program, made where nothing is cached."""
    with tempfile.TemporaryDirectory(prefix="oleodyn-") as folder, cached_in(folder):
        begin = time.perf_counter()
        e = assemble(machine(), loops=pair.loops)
        assembled = time.perf_counter()
        program = compile(e, pair.stepper, record=list(LEVELS))
        return Compared(pair, program, assembled - begin, time.perf_counter() - assembled)


def point(program: Program, dt: float, reference: Samples) -> Point:
    """A run against the reference, and what its steps cost."""
    try:
        result = ran(program, dt)
        cost = step_cost(program, LIFT, dt, UNTIL)
    except StepError as error:
        return Point(dt, failed=str(error), at=error.time)
    steps, gaps = result.timing["steps"], []
    for level in LEVELS:
        names = [name for name in result.names if name.endswith(f".{level}")]
        gaps.append(max(float(abs(result.values(name)).max()) for name in names))
    return Point(
        dt, samples(result).apart(reference), cost.seconds, cost.operations, result.timing["iterations"] / steps,
        result.timing["max_iterations"], result.energy.relative if result.energy else float("nan"), tuple(gaps),
    )  # fmt: skip


def reference(loops: Any = CP) -> Samples:
    """RK4 at a fiftieth of the common step."""
    return samples(ran(made(loops, RK4()), FINE))


# ------------------------------------------------------------------ how large a step may be

DIVISORS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 40)
"""Of the grid: the steps that are tried."""
BAD = 1e5
"""A run whose pressures are wrong by this [Pa] is told as unstable: friction may bound what grows."""


def bound(program: Program, exact: Samples) -> tuple[float, float]:
    """The largest step of an explicit stepper [s]: by the modes at the start; and the largest tried that does well."""
    return stiffness(program.equations).steps[program.stepper.name], largest(program, exact)


def largest(program: Program, exact: Samples) -> float:
    """The largest step that comes through with bounded errors [s]; 0 if none does."""
    for n in DIVISORS:
        try:
            errors = samples(ran(program, GRID / n)).apart(exact)
        except StepError:
            continue
        if errors[1] < BAD:
            return GRID / n
    return 0.0


# ------------------------------------------------------------------ order where nothing has a kink

ORDERS: Mapping[str, tuple[int, float]] = {
    "rk4": (4, 1e-3), "ab3": (3, 2.5e-4), "trapezoidal": (2, 2.5e-3), "hht": (2, 5e-4), "hht-partitioned": (1, 5e-4),
}  # fmt: skip
"""Order of each stepper, and the step that is halved to see it [s]."""


def observed_order(program: Program, coarse: float) -> float:
    """log2 of the ratio of errors at a step and its half, for 2 s of the load swinging; against a twentieth."""
    import math

    a, b, exact = (samples(ran(program, dt, HOLD, 2.0)) for dt in (coarse, coarse / 2, coarse / 20))
    return math.log2(a.apart(exact)[0] / b.apart(exact)[0])


def alike(one: Compared) -> float | None:
    """The order that the errors of the two smallest steps show in the work cycle; None if either failed."""
    import math

    fine, coarse = sorted(one.points)[:2]
    a, b = one.points[coarse], one.points[fine]
    if a.failed or b.failed:
        return None
    return math.log(a.errors[0] / b.errors[0]) / math.log(coarse / fine)


# ------------------------------------------------------------------ how strong α is to be

ALPHAS = (1e7, 1e9, 1e11)
"""Of the penalty formulation."""
STRENGTHS = (1e10, 1e11, 1e12, 1e13, 1e14)
"""Of the augmented Lagrangian."""


def penalties(exact: Samples, steppers: Sequence[str] = ("rk4", "hht")) -> Iterator[tuple[Pair, Point]]:
    """The penalty formulation at the common step, for each α and stepper."""
    for pair in (Pair(Penalty(alpha=alpha), stepper_named(name)) for alpha in ALPHAS for name in steppers):
        yield pair, point(made(pair.loops, pair.stepper, gaps=True), COMMON, exact)


def strengths(exact: Samples) -> Iterator[tuple[Pair, Point]]:
    """The augmented Lagrangian at the common step, for each α."""
    for pair in (Pair(AugmentedLagrangian(alpha=alpha), stepper_named("trapezoidal")) for alpha in STRENGTHS):
        yield pair, point(made(pair.loops, pair.stepper, gaps=True), COMMON, exact)


@dataclass(eq=False)
class Findings:
    """All that the study found, by pair."""

    exact: Samples
    confirmed: tuple[float, float]
    """how far a second formulation lies from the reference: positions, pressures"""
    steps: tuple[float, ...]
    pairs: dict[str, Compared] = field(default_factory=dict)
    orders: dict[str, float] = field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    penalties: list[tuple[Pair, Point]] = field(default_factory=list)
    strengths: list[tuple[Pair, Point]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    results: dict[str, Result] = field(default_factory=dict)
    """by formulation: the trapezoidal rule at the common step"""
