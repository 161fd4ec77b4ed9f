"""formulations-3d: every formulation of closed loops with every stepper, on a loader crane in space.

The dissertation (Jaiswal 2021, LUT Acta 981) compares formulations on two plane linkages with one
cylinder and asks for a larger comparison. Here it is: 21 coordinates, five loops, five cylinders on
four valves, all pairs of formulation and stepper that go together, from 5 ms to 0.25 ms.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from oleodyn.catalogue.loader_crane import machine
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.coordinate_partitioning import redundant
from oleodyn.result.content import Check
from oleodyn.simulation.run import simulate
from oleodyn.simulation.scenario import Scenario
from oleodyn.studies.dissertation_points import limit
from oleodyn.studies.formulations_3d_report import TEXT, conclusion, sections
from oleodyn.studies.loader_crane_runs import (
    AL,
    CP,
    GRID,
    LEVELS,
    ORDERS,
    PAIRS,
    STEPS,
    STIFF,
    Compared,
    Findings,
    Pair,
    Point,
    alike,
    bound,
    built,
    observed_order,
    penalties,
    point,
    ran,
    reference,
    refused,
    samples,
    strengths,
)
from oleodyn.studies.study import Study

Progress = Callable[[float], None]
TRAPEZOIDAL = "trapezoidal"
REFUSAL = "does not go with"
"""What the engine says of a pair that it refuses."""
REST = 2.0
"""How long the levers are left alone to see that nothing moves [s]."""


def study(progress: Progress, pairs: Sequence[Pair] = PAIRS, steps: Sequence[float] = STEPS) -> Study:
    """The pairs at all steps, their checks and the report."""
    found = measured(progress, pairs, steps)
    crane = machine()
    result = simulate(crane, every=10)
    progress(1.0)
    return Study(
        name="formulations-3d",
        title="Three formulations of closed loops with five steppers, on a loader crane in space",
        text=f"{TEXT} {conclusion(found)}",
        checks=[*size(), *equal(found), *orders(found), *energies(found), *gaps(found), *limits(found)],
        result=result,
        machine=crane,
        sections=sections(found, result),
        plots=[[]],
    )


def measured(progress: Progress, pairs: Sequence[Pair], steps: Sequence[float]) -> Findings:
    """Everything that the study tells, measured."""
    total, done = len(pairs) * (len(steps) + 5) + 18, 0

    def tell(parts: int = 1) -> None:
        nonlocal done
        done += parts
        progress(done / total)

    exact = reference()
    tell(3)
    found = Findings(exact, reference(STIFF).apart(exact), tuple(steps))
    tell(3)
    for pair in pairs:
        one = built(pair)
        found.pairs[pair.name] = one
        tell(4)
        for dt in steps:
            one.points[dt] = point(one.program, dt, exact)
            tell()
        found.orders[pair.name] = observed_order(one.program, ORDERS[pair.stepper.name][1])
        tell()
        if pair.stepper.name in ("rk4", "ab3"):
            found.bounds[pair.name] = bound(one.program, exact)
    found.penalties += penalties(exact)
    tell(6)
    found.strengths += strengths(exact)
    tell(5)
    found.refused.extend(refused())
    for one in found.pairs.values():
        if one.pair.stepper.name == TRAPEZOIDAL:
            found.results[one.pair.loops.name] = ran(one.program, GRID / 10)
    tell()
    return found


# ------------------------------------------------------------------ checks


def size() -> Iterator[Check]:
    """What the crane consists of, and that it starts at rest."""
    e = assemble(machine(), loops=CP)
    loops = {card.name.rpartition(".")[0] for card in e.lam_signals}
    freedoms = e.n_v - e.Phi.numel() + len(redundant(e))
    for what, least, number in (("joint coordinates", 20, e.n_q), ("closed loops", 3, len(loops))):
        yield Check(what, f"≥ {least}", number, "-", number >= least)
    yield Check("freedoms: coordinates less constraints", 7, freedoms, "-", freedoms == 7)
    still = simulate(machine(), scenario=Scenario(signals={}), until=REST, record=[]).table
    yield limit(f"change of a position in {REST:g} s with levers at rest", _moved(still[:, : e.n_q]), 1e-9, "rad, m")


def _moved(table: "object") -> float:
    import numpy as np

    values = np.asarray(table)
    return float(np.abs(values - values[0]).max())


def equal(found: Findings) -> Iterator[Check]:
    """The reference is right, and formulations solve the same equations."""
    positions, pressures = found.confirmed
    name = "reference, partitioning against penalty α = 1e13"
    yield limit(f"{name}: positions", positions, 1e-8, "rad, m")
    yield limit(f"{name}: pressures", pressures, 1.0, "Pa")
    a, b = (samples(found.results[loops.name]) for loops in (AL, CP))
    positions, pressures = a.apart(b)
    name = "augmented Lagrangian against partitioning, trapezoidal at 1 ms"
    yield limit(f"{name}: positions", positions, 1e-7, "rad, m")
    yield limit(f"{name}: pressures", pressures, 50.0, "Pa")
    weak, strong = penalised(found)
    ratio = weak.errors[0] / strong.errors[0]
    yield Check("penalty's own error, α = 1e7 over 1e9 (RK4)", 100.0, ratio, "×", bool(abs(ratio - 100) < 10))


def penalised(found: Findings) -> list[Point]:
    """The penalty formulation with the two lesser α, by RK4."""
    return [run for pair, run in found.penalties if pair.stepper.name == "rk4"][:2]


def orders(found: Findings) -> Iterator[Check]:
    """Orders: on the swinging load, where nothing has a kink; and of positions in the work cycle."""
    for name, order in found.orders.items():
        wanted = ORDERS[found.pairs[name].pair.stepper.name][0]
        yield Check(f"order, load swinging: {name}", wanted, order, "-", bool(abs(order - wanted) < 0.1 * (wanted + 1)))
    for name, one in found.pairs.items():
        order = alike(one)
        if order is not None:
            second = one.pair.stepper.name == TRAPEZOIDAL and one.pair.loops.name != "penalty"
            verdict = bool(1.7 < order < 2.3) if second else None
            yield Check(f"order, work cycle: {name}", 2 if second else None, order, "-", verdict)


def energies(found: Findings) -> Iterator[Check]:
    """What the energy account leaves over at 1 ms, as part of what moved; HHT damps what is fast."""
    for name, one in found.pairs.items():
        left = one.common.residual
        if one.pair.stepper.name in ("ab3", "hht-partitioned") or one.common.failed:
            yield Check(f"energy account at 1 ms: {name}", None, left, "-", None)
        else:
            bound = 1e-4 if one.pair.stepper.name == "hht" else 1e-5 if one.pair.loops.name == "penalty" else 1e-6
            yield limit(f"energy account at 1 ms: {name}", left, bound)


def gaps(found: Findings) -> Iterator[Check]:
    """Violations at 1 ms by the trapezoidal rule: partitioning at rounding, multipliers at their tolerance."""
    bounds = {"partitioning": (1e-12, 1e-12, 1e-10), "augmented-lagrangian": (1e-10, 1e-8, 1e-5)}
    for one in found.pairs.values():
        if one.pair.stepper.name == TRAPEZOIDAL:
            for (level, unit), gap, k in zip(LEVELS.items(), one.common.gaps, range(3), strict=True):
                most = bounds.get(one.pair.loops.name)
                name = f"largest {level}, {one.pair.name}"
                yield limit(name, gap, most[k], unit) if most else Check(name, None, gap, unit, None)
    ratio = 1.0
    for run, power in zip(penalised(found), (1, -1), strict=True):
        ratio *= max(run.gaps) ** power
    yield Check("penalty's violation, α = 1e7 over 1e9 (RK4)", 100.0, ratio, "×", bool(abs(ratio - 100) < 15))
    counts = [run.iterations for _, run in found.strengths]
    falling = all(b < a for a, b in pairwise(counts))
    yield Check(
        "iterations of the augmented Lagrangian fall as α grows",
        "fall",
        f"{counts[0]:.2f} → {counts[-1]:.2f}",
        "-",
        falling,
    )


def limits(found: Findings) -> Iterator[Check]:
    """How far explicit steppers go; what the engine refuses; what a step costs."""
    for name, (predicted, largest) in found.bounds.items():
        near = bool(0.6 * predicted <= largest <= 1.6 * predicted)
        yield Check(f"largest step, foretold by the modes at rest: {name}", 1e3 * predicted, 1e3 * largest, "ms", near)
    for name, reason in found.refused:
        told = REFUSAL if REFUSAL in reason else reason
        yield Check(f"{name} is refused with the reason", REFUSAL, told, "-", told == REFUSAL)
    for name, one in found.pairs.items():
        yield Check(f"time of a step at 1 ms: {name}", None, _microseconds(one), "µs", None)


def _microseconds(one: Compared) -> float:
    return 1e6 * one.common.seconds
