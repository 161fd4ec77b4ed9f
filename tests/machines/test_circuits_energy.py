"""The energy account of whole circuits: work in = stored + lost, but for the stepper's error."""

import numpy as np
import pytest

from oleodyn.catalogue.shelf import load
from oleodyn.errors import DataError
from oleodyn.hydraulics.cylinder import areas
from oleodyn.simulation.run import simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.units import mm

SECTION = "Energy account"


def accounted(machine, scenario, dt, stepper=None):
    return simulate(load(machine), scenario=scenario, dt=dt, stepper=stepper or Trapezoidal(), every=1)


@pytest.mark.parametrize(
    ("machine", "scenario"),
    [
        ("valve-bench", "stroke"),
        ("valve-bench", "creep"),
        ("four-bar", "lift"),
        ("quick-return", "stroke"),
        ("four-bar-friction", "lift"),
        ("pipe-cutter", "circle"),
        ("loader-crane", "lift"),
        ("hydm", "circle"),
    ],
)
def test_account_closes_at_1_ms(machine, scenario, verification):
    verification(
        SECTION, f"{machine}, {scenario}: worst residual at 1 ms with Trapezoidal, part of the throughput",
        "supplied = stored + lost", accounted(machine, scenario, 1e-3).energy.relative, 1e-3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("machine", "scenario", "stepper"),
    [
        ("valve-bench", "stroke", Trapezoidal()),
        ("valve-bench", "creep", Trapezoidal()),
        ("valve-bench", "creep", HHT()),
        ("four-bar", "lift", Trapezoidal()),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_what_is_left_over_falls_with_the_square_of_the_step(machine, scenario, stepper, verification):
    coarse, fine = (accounted(machine, scenario, dt, stepper).energy.worst for dt in (1e-3, 0.5e-3))
    verification(
        SECTION, f"{machine}, {scenario}: order of the residual with {stepper.name}", "order of the stepper",
        np.log2(coarse / fine), 0.2, expected=2,
    )  # fmt: skip


def test_a_hard_stop_and_torn_oil_are_in_the_account(verification):
    """The piston runs into both ends at 0.5 m/s; behind it the oil tears."""
    bench = load("valve-bench").replace("ram.stroke", 0.3)
    result = simulate(bench, scenario="stroke", dt=0.25e-3, stepper=Trapezoidal(), every=1)
    assert result.values("ram.x").max() > 0.3
    assert result.values("ram.B.p").min() == 100.0
    verification(
        SECTION, "valve-bench, into the stops: worst residual at 0.25 ms, part of the throughput",
        "supplied = stored + lost", result.energy.relative, 1e-3,
    )  # fmt: skip


def test_the_constant_modulus_law_alone_leaves_far_more_than_the_stepper(verification):
    """With V/K at the node's own volume, ½p²V/K is no energy of the oil: ∫ p C dp also holds −∫ ½p²/K dV.

    The account books both, so it closes; the second is what ½p²V/K alone would leave.
    """
    result = accounted("valve-bench", "stroke", 1e-3)
    K, (A_A, A_B) = 1.5e9, areas(50 * mm, 28 * mm)
    x = result.values("ram.x")
    V = {"ram.A": 1e-4 + A_A * x, "ram.B": 1e-4 + A_B * (0.5 - x)}
    left = 0.0
    for port, volume in V.items():
        p = result.values(f"{port}.p")
        rest = -np.append(0, np.cumsum((p[1:] ** 2 + p[:-1] ** 2) / 4 / K * np.diff(volume)))
        # both by trapezoids, one over time, one over volume: apart by the rule's error, h² p̈ V̇
        assert result.values(f"{port}.constant_modulus.work") == pytest.approx(rest, abs=2e-3 * np.abs(rest).max())
        left = left + rest
    assert np.abs(left).max() > 10 * result.energy.worst
    verification(
        SECTION, "valve-bench, stroke: what ½p²V/K leaves of ∫ p C dp, part of the throughput",
        "none; the constant-modulus law itself", np.abs(left).max() / result.energy.throughput, 1e-3,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("machine", "scenario"),
    [("valve-bench", "stroke"), ("four-bar", "lift"), ("loader-crane", "lift"), ("hydm", "circle")],
)
def test_every_component_closes_by_itself(machine, scenario, verification):
    """Work through its ports, from the recorded pressures, flows, forces and speeds, against its own rows."""
    result = simulate(load(machine), scenario=scenario, until=4.0, dt=1e-3, stepper=Trapezoidal(), every=1)
    parts = [name for name, part in load(machine).parts.items() if part.declaration().ports]
    found = [result.component(name) for name in parts if any(s.startswith(f"{name}.") for s in result.signals)]
    assert len(found) > 5 and any(one.mechanical > 10 for one in found)
    verification(
        SECTION, f"{machine}, {scenario}: worst component, part of the throughput", "ports = stored + lost − supplied",
        max(abs(one.residual) for one in found) / result.energy.throughput, 1e-3,
    )  # fmt: skip


def test_a_part_without_recorded_ports_has_no_account():
    result = accounted("valve-bench", "creep", 1e-2)
    with pytest.raises(DataError, match=r"'pipe' has no port that was recorded. Parts with ports: line, load, "):
        result.component("pipe")
    assert "friction.friction: lost" in str(result.component("ram"))
