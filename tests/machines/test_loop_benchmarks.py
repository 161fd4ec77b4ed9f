"""Benchmark machines with closed loops, beside publications and independent computations in other coordinates."""

import numpy as np
import pytest

from oleodyn.catalogue import andrews, bricard, flyball_governor
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning, redundant
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.studies import loop_benchmarks_published as published
from oleodyn.studies.loop_benchmarks_published import ANGLES, CUTS
from tests.machines import benchmark_references as known

SECTION = "Closed loops in three dimensions"
AL, CP = AugmentedLagrangian(), CoordinatePartitioning()
TIGHT = Trapezoidal(tolerance=1e-12)  # an iteration left unfinished is multiplied by the penalty


def ran(machine, loops, stepper, dt, every=1e-2):
    """A run as the machine asks for, recorded in steps of `every` seconds."""
    program = compile(assemble(machine, loops=loops), stepper)
    scenario = machine.scenarios[machine.defaults.scenario] if machine.defaults.scenario else None
    return run(program, until=machine.defaults.until, dt=dt, every=max(1, round(every / dt)), inputs=scenario)


def gap(result):
    """Largest violation of a constraint [m, rad]."""
    return max(np.abs(result.values(name)).max() for name in result.names if name.endswith(".gap"))


def drift(result, part):
    """Largest change of what must stay: kinetic and potential energy [J]."""
    energy = result.values(f"{part}.kinetic.energy") + result.values(f"{part}.potential.energy")
    return np.abs(energy - energy[0]).max()


# ------------------------------------------------------------------ Andrews' squeezing mechanism


def squeezed(loops, stepper, dt):
    return ran(andrews.machine(), loops, stepper, dt, every=5e-5)


def last(result, what="q"):
    return np.array([result.values(f"linkage.{name}.{what}")[-1] for name in ANGLES])


def test_andrews_mechanism_ends_where_the_test_set_says(verification):
    result = squeezed(CP, RK4(), 5e-6)
    reference = "Test Set for IVP Solvers"
    for name, found, expected in zip(ANGLES, last(result), published.ANDREWS_ANGLES, strict=True):
        # 2e-9: DOP853 at 2e-14 differs as much, so that is what the published number leaves
        verification(SECTION, f"andrews, {name} at 0.03 s", reference, found, 2e-9, expected, "rad")
    # the published accelerations and multipliers miss those of the published angles and speeds by 1e-7
    for what, signal, given, within in (
        ("speeds", "q_dot", published.ANDREWS_SPEEDS, 1e-9),
        ("accelerations", "q_ddot", published.ANDREWS_ACCELERATIONS, 2e-7),
    ):
        apart = np.abs(last(result, signal) - given).max() / np.abs(given).max()
        verification(SECTION, f"andrews, {what} at 0.03 s, of the largest", reference, apart, within)
    first = [result.values(f"linkage.{name}.q_ddot")[0] for name in ANGLES[:2]]
    verification(
        SECTION, "andrews, accelerations at the start, relative", reference,
        np.abs(np.divide(first, published.ANDREWS_START) - 1).max(), 1e-12,
    )  # fmt: skip
    given = np.hypot(*np.reshape(published.ANDREWS_MULTIPLIERS, (3, 2)).T)
    found = [np.hypot(*(result.values(f"linkage.{cut}.reaction.F_{axis}")[-1] for axis in "xy")) for cut in CUTS]
    verification(
        SECTION, "andrews, forces in the cut hinges at 0.03 s", reference, np.abs(found - given).max(), 2e-5,
        unit="N",
    )  # fmt: skip


def test_andrews_mechanism_agrees_with_its_equations_in_the_angles_of_the_test_set(verification):
    exact = known.andrews()
    assert np.abs(exact - published.ANDREWS_ANGLES).max() == pytest.approx(1.43e-9, rel=0.01)
    result = squeezed(CP, RK4(), 1e-6)
    apart = np.abs(last(result) - exact).max()
    verification(SECTION, "andrews, angles at 0.03 s", "SciPy DOP853, 2e-14", apart, 2e-11, unit="rad")
    assert gap(result) < 1e-15 and result.timing["rechosen"] == 0
    assert result.energy.relative < 1e-11


SQUEEZED = {  # policy, stepper, error and order at 5 µs, gap
    "partitioning, rk4": (CP, RK4(), 5e-6, 1e-10, 4, 1e-15),
    "partitioning, ab3": (CP, AdamsBashforth3(), 5e-6, 1e-6, 3, 1e-15),
    "partitioning, trapezoidal": (CP, Trapezoidal(), 5e-6, 1e-5, 2, 1e-15),
    "partitioning, hht": (CP, HHT(), 5e-6, 2e-5, 2, 1e-15),
    "augmented-lagrangian, trapezoidal": (AL, Trapezoidal(), 5e-6, 2e-5, 2, 2e-11),
    "penalty, rk4": (Penalty(alpha=1e7), RK4(), 5e-6, 2e-6, None, 1e-8),
}


@pytest.mark.parametrize("how", SQUEEZED)
def test_andrews_mechanism_ends_there_with_every_formulation(how, verification):
    loops, stepper, dt, within, order, open_by = SQUEEZED[how]
    exact = known.andrews()
    coarse, fine = (squeezed(loops, stepper, step) for step in (2 * dt, dt))
    errors = [np.abs(last(result) - exact).max() for result in (coarse, fine)]
    verification(
        SECTION, f"andrews, {how} at {1e6 * dt:g} µs", "SciPy DOP853, 2e-14", errors[1], within, unit="rad"
    )  # fmt: skip
    assert gap(fine) < open_by
    if order is not None:
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_partitioning_starts_at_a_dead_point_with_any_step():
    # only beta and Theta move at first: the rates of the others are zero but for rounding
    for dt in (1e-6, 1.25e-6, 2.5e-6):
        assert len(squeezed(CP, RK4(), dt).time) > 600


# ------------------------------------------------------------------ Bricard's mechanism


def corner(result):
    return np.column_stack([result.values(f"linkage.P3.r_{axis}") for axis in "xyz"])


def test_bricards_mechanism_moves_as_the_library_shows(verification):
    result = ran(bricard.machine(), CP, RK4(), 5e-3, every=5e-3)
    read = np.array(list(published.BRICARD_P3.values()))
    found = np.column_stack([np.interp(list(published.BRICARD_P3), result.time, x) for x in corner(result).T])
    verification(
        SECTION, "bricard, P3 over 10 s", "reference curve of A04, read from its figure",
        np.nanmax(np.abs(found - read)), published.BRICARD_PIXEL, unit="m",
    )  # fmt: skip


BRICARD = {  # policy, stepper, step, error of P3, order, drift of energy [J], gap
    "augmented-lagrangian, trapezoidal": (AL, Trapezoidal(), 5e-4, 5e-7, None, 2e-6, 1e-11),
    "partitioning, trapezoidal": (CP, Trapezoidal(), 5e-4, 5e-7, 2, 1e-6, 2e-15),
    "partitioning, rk4": (CP, RK4(), 5e-3, 5e-10, 4, 1e-9, 2e-15),
    "partitioning, ab3": (CP, AdamsBashforth3(), 5e-4, 3e-9, 3, 2e-8, 2e-15),
    "partitioning, hht": (CP, HHT(), 5e-4, 2e-6, 2, 1e-6, 2e-15),
    "penalty, rk4": (Penalty(alpha=1e9), RK4(), 1e-3, 5e-7, None, 1e-6, 1e-9),
    "penalty, trapezoidal": (Penalty(alpha=1e7), TIGHT, 5e-4, 1e-6, None, 5e-6, 1e-7),
}


@pytest.mark.parametrize("how", BRICARD)
def test_bricards_mechanism_moves_as_in_natural_coordinates(how, verification):
    loops, stepper, dt, within, order, lost, open_by = BRICARD[how]
    made = bricard.machine()
    errors = []
    for step in (2 * dt, dt):
        result = ran(made, loops, stepper, step)
        errors.append(np.abs(corner(result) - known.bricard()(result.time)).max())
    verification(
        SECTION, f"bricard, P3 over 10 s: {how} at {1e3 * dt:g} ms", "natural coordinates, SciPy DOP853, 1e-12",
        errors[1], within, unit="m",
    )  # fmt: skip
    verification(
        SECTION, f"bricard, energy over 10 s: {how} at {1e3 * dt:g} ms", "conserved", drift(result, "linkage"), lost,
        unit="J",
    )  # fmt: skip
    assert gap(result) < open_by
    assert result.attrs["redundant_constraints"] == "linkage.cut.4"
    if order is not None:
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


def test_bricards_mechanism_has_a_redundant_constraint_that_is_named():
    e = assemble(bricard.machine(), loops=CP)
    assert (e.n_v, e.Phi.numel(), redundant(e)) == (5, 5, ("linkage.cut.4",))
    assert len(CP.choose(e, e.q_0, 0.0).independent) == 1  # it moves, although 5 − 5 = 0


# ------------------------------------------------------------------ flyball governor


def height(result):
    return result.values("governor.s.q")


def test_the_governor_rises_as_the_library_shows(verification):
    result = ran(flyball_governor.machine(), None, Trapezoidal(), 5e-4, every=0.1)
    found = np.interp(list(published.SLIDER), result.time, height(result))
    verification(
        SECTION, "flyball-governor, slider over 10 s", "reference curve of A05, read from its figure",
        np.abs(found - list(published.SLIDER.values())).max(), published.SLIDER_PIXEL, unit="m",
    )  # fmt: skip


STIFF = {  # stepper, step, error of the slider, order
    "trapezoidal": (Trapezoidal(), 5e-4, 1e-5, 2),
    "hht": (HHT(), 5e-4, 1e-5, 2),
    "rk4": (RK4(), 1e-4, 1e-11, None),
    "ab3": (AdamsBashforth3(), 2.5e-5, 1e-10, None),
}


@pytest.mark.parametrize("how", STIFF)
def test_the_stiff_governor_rises_as_its_lagrangian_says(how, verification):
    stepper, dt, within, order = STIFF[how]
    errors = []
    for step in (2 * dt, dt) if order else (dt,):
        result = ran(flyball_governor.machine(), None, stepper, step)
        errors.append(np.abs(height(result) - known.governor()(result.time)[1]).max())
    verification(
        SECTION, f"flyball-governor, slider over 10 s: {how} at {1e3 * dt:g} ms",
        "two coordinates, SciPy Radau, 1e-11", errors[-1], within, unit="m",
    )  # fmt: skip
    assert np.abs(result.values("governor.angular_momentum_z") / known.MOMENTUM - 1).max() < 1e-5
    if order:
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


RIGID = {  # policy, stepper, step, error of the slider, order, gap
    "augmented-lagrangian, trapezoidal": (AL, Trapezoidal(), 5e-4, 1e-5, 2, 1e-11),
    "partitioning, trapezoidal": (CP, Trapezoidal(), 5e-4, 1e-5, 2, 1e-15),
    "partitioning, rk4": (CP, RK4(), 2.5e-3, 1e-8, 4, 1e-15),
    "partitioning, hht": (CP, HHT(), 5e-4, 1e-5, 2, 1e-15),
    "penalty, rk4": (Penalty(alpha=1e9), RK4(), 1e-3, 1e-8, None, 1e-9),
    "penalty, trapezoidal": (Penalty(alpha=1e7), TIGHT, 5e-4, 1e-5, 2, 1e-7),
    "penalty, hht": (Penalty(alpha=1e5), HHT(), 5e-4, 1e-4, None, 1e-5),
}


@pytest.mark.parametrize("how", RIGID)
def test_the_governor_with_rigid_couplers_rises_as_its_lagrangian_says(how, verification):
    loops, stepper, dt, within, order, open_by = RIGID[how]
    made = flyball_governor.variants()["rigid couplers"]
    errors = []
    for step in (2 * dt, dt):
        result = ran(made, loops, stepper, step)
        errors.append(np.abs(height(result) - 1 + np.sin(known.rigid_governor()(result.time)[0])).max())
    verification(
        SECTION, f"flyball-governor with rigid couplers, slider over 10 s: {how} at {1e3 * dt:g} ms",
        "one coordinate, SciPy DOP853, 1e-13", errors[1], within, unit="m",
    )  # fmt: skip
    assert gap(result) < open_by
    if order is not None:
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_stiff_couplers_come_near_rigid_ones():
    stiff, rigid = known.governor(), known.rigid_governor()
    times = np.linspace(0, 2, 201)
    apart = np.abs(stiff(times)[1] - 1 + np.sin(rigid(times)[0])).max()
    assert 1e-5 < apart < 1e-3  # 50 N on 8e5 N/m stretch by 0.06 mm
