"""The steppers on the pipe cutter's circle: agreement, the largest stable step, what each costs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from oleodyn.catalogue.pipe_cutter_tasks import CIRCLE
from oleodyn.program.kernels import Stepper
from oleodyn.result.content import Check
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.studies.pipe_cutter_runs import Tasks, Track, rms
from oleodyn.units import mm

ms = 1e-3
AGREES_FOR = 20.0
"""How much of the circle the steppers are compared on [s]."""
STABLE_FOR = 12.0
"""The same for the largest stable step: hold, ramp and 5 s of cruise."""
LOST = 1 * mm
"""A run whose tool is this far off the reference has been lost to instability."""
GRID = tuple(ms * step for step in (10, 5, 2.5, 2, 1, 0.8, 0.5, 0.4, 0.25, 0.2, 0.1, 0.05, 0.02))

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Case:
    """A stepper with a step, its largest distance to the reference [m], and what a step costs."""

    name: str
    dt: float
    apart: float
    rms: np.ndarray
    us_per_step: float


RUNS: tuple[tuple[str, Stepper, float], ...] = (
    ("RK4", RK4(), 0.02 * ms),
    ("AB3", AdamsBashforth3(), 0.02 * ms),
    ("HHT coupled", HHT(), 0.2 * ms),
    ("HHT coupled", HHT(), 0.1 * ms),
    ("HHT coupled", HHT(), 1.0 * ms),
    ("HHT partitioned", PartitionedHHT(), 0.4 * ms),
    ("HHT partitioned", PartitionedHHT(), 0.2 * ms),
    ("HHT partitioned", PartitionedHHT(), 0.1 * ms),
)


def compared(tasks: Tasks, progress: Progress) -> list[Case]:
    """Every run against the first, RK4 with 0.02 ms, over the first 20 s of the circle."""
    found: list[Case] = []
    reference: Track | None = None
    for k, (name, stepper, dt) in enumerate(RUNS):
        track = tasks.track("circle", stepper, dt, AGREES_FOR)
        reference = reference or track
        found.append(Case(name, dt, track.apart(reference), rms(track.off(CIRCLE)), track.us_per_step))
        progress((k + 1) / len(RUNS))
    return found


def agreement(cases: Sequence[Case]) -> Iterator[Check]:
    """Check of the distances, and that all give the same RMS errors."""
    by = {(case.name, round(case.dt / ms, 6)): case for case in cases}
    reference = by["RK4", 0.02]
    bounds = {
        ("AB3", 0.02): 1e-4,
        ("HHT coupled", 0.2): 1e-4,
        ("HHT coupled", 1.0): 1e-3,
        ("HHT partitioned", 0.2): 2e-3,
    }
    for (name, dt), bound in bounds.items():
        apart = by[name, dt].apart / mm
        yield Check(f"{name} {dt:g} ms from RK4 0.02 ms, 20 s", f"≤ {bound:g}", apart, "mm", bool(apart <= bound))
    for name, order in (("HHT coupled", 4.0), ("HHT partitioned", 2.0)):
        ratio = by[name, 0.2].apart / by[name, 0.1].apart
        yield Check(
            f"{name}: error at 0.2 ms over that at 0.1 ms", order, ratio, "-", bool(abs(ratio / order - 1) < 0.15)
        )
    lost = by["HHT partitioned", 0.2].apart / by["HHT coupled", 0.2].apart
    yield Check("partitioned over coupled HHT, error at 0.2 ms", None, lost, "-")
    for name, dt in (("AB3", 0.02), ("HHT coupled", 0.2), ("HHT partitioned", 0.2)):
        off = float(np.abs(by[name, dt].rms / reference.rms - 1).max())
        yield Check(f"{name} {dt:g} ms: RMS errors against RK4's", "≤ 5e-05", off, "-", bool(off <= 5e-5))


@dataclass(frozen=True)
class Limit:
    """The largest stable step of a stepper on the grid [s], the next larger one, and its error [m]."""

    name: str
    stiff: bool
    step: float
    beyond: float | None
    apart: float


STEPPERS: Mapping[str, Stepper] = {
    "RK4": RK4(), "AB3": AdamsBashforth3(), "HHT partitioned": PartitionedHHT(), "HHT coupled": HHT(),
}  # fmt: skip
EXPECTED = {"RK4": (1.0, 0.1), "AB3": (0.25, 0.02), "HHT partitioned": (0.5, 0.1), "HHT coupled": (5.0, 1.0)}
"""Largest stable step [ms] on the nominal and on the stiff plant; of coupled HHT it is that or more."""


def limits(tasks: Tasks, progress: Progress) -> list[Limit]:
    """From large steps to small ones until a run holds for 12 s, on both plants."""
    found: list[Limit] = []
    for stiff in (False, True):
        reference = tasks.track("circle", HHT(), 0.05 * ms, STABLE_FOR, stiff=stiff, sample=0.04)
        for name, stepper in STEPPERS.items():
            beyond = None
            for dt in GRID:
                apart = tasks.track("circle", stepper, dt, STABLE_FOR, stiff=stiff, sample=0.04).apart(reference)
                if apart < LOST:
                    found.append(Limit(name, stiff, dt, beyond, apart))
                    break
                beyond = dt
            progress(len(found) / (2 * len(STEPPERS)))
    return found


def stability(found: Sequence[Limit]) -> Iterator[Check]:
    """The largest stable steps beside those expected."""
    for limit in found:
        expected = EXPECTED[limit.name][1 if limit.stiff else 0]
        step = round(limit.step / ms, 6)
        least = limit.name == "HHT coupled"
        yield Check(
            f"largest stable step, {limit.name}, {'stiff' if limit.stiff else 'nominal'} plant",
            f"≥ {expected:g}" if least else expected, step, "ms", step >= expected if least else step == expected,
        )  # fmt: skip


EXACT: tuple[tuple[bool, float, float], ...] = ((False, 5.0, 7e-4), (True, 0.2, 1e-6), (True, 1.0, 3e-5))
"""Is the plant stiff, step of coupled HHT [ms], how far the specification's own is from its reference [mm]."""


def exactness(tasks: Tasks) -> Iterator[Check]:
    """Coupled HHT at large steps over the same 12 s, against RK4 with 0.05 ms; given to one digit: a factor of 2."""
    exact = {s: tasks.track("circle", RK4(), 0.05 * ms, STABLE_FOR, stiff=s, sample=0.04) for s in (False, True)}
    for stiff, dt, given in EXACT:
        track = tasks.track("circle", HHT(), dt * ms, STABLE_FOR, stiff=stiff, sample=0.04)
        apart, plant = track.apart(exact[stiff]) / mm, "stiff" if stiff else "nominal"
        yield Check(
            f"HHT coupled {dt:g} ms from RK4 0.05 ms, 12 s, {plant} plant", given, apart, "mm",
            given / 2 <= apart <= 2 * given,
        )  # fmt: skip


def costs(
    cases: Sequence[Case], seconds: float, estimates: Sequence[float]
) -> list[tuple[str, float, float, float, float, float]]:
    """Stepper, step [ms], µs a step, time of the whole task [s], times real time, the paper's time [s]."""
    rows = []
    for case, estimate in zip((c for c in cases if (c.name, round(c.dt / ms, 3)) in TIMED), estimates, strict=True):
        spent = case.us_per_step * 1e-6 * seconds / case.dt
        rows.append((case.name, case.dt / ms, case.us_per_step, spent, seconds / spent, estimate))
    return rows


TIMED = (("RK4", 0.02), ("AB3", 0.02), ("HHT coupled", 0.2))
