"""The HydM arm as a machine: the joints are those of the closed form, its drives carry and move it."""

from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue import hydm
from oleodyn.catalogue.arm_geometry import HYDM
from oleodyn.catalogue.at_rest import gravity
from oleodyn.catalogue.shelf import SHELF, load
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.machine.machine import Machine
from oleodyn.machine.save import to_text
from oleodyn.simulation.run import simulate

LOW, HIGH = np.array(HYDM.limits).T


@cache
def alone():
    """The kinematics of the mechanism without its drives."""
    bare = Machine("bare")
    bare.add("arm", hydm.arm())
    return Kinematics(bare)


@cache
def circled():
    return simulate(load("hydm"))


def joints(result):
    return np.stack([result.values(f"arm.joint_{i}.q") for i in range(1, 7)], axis=1)


def test_the_mechanism_puts_the_tool_where_the_closed_form_says(verification):
    q = np.random.default_rng(1).uniform(LOW, HIGH, (500, 6))
    apart = np.abs(alone().forward(q) - HYDM.forward(q)).max()
    verification("HydM", "tool of the mechanism, 500 sets", "closed form", apart, 1e-12, unit="m")


def test_the_stops_are_the_printed_limits_and_joint_6_turns_for_ever():
    assert alone().limits[:5] == pytest.approx(np.array(HYDM.limits)[:5])
    assert np.isinf(alone().limits[5]).all()


def test_the_cylinders_are_long_enough_for_the_whole_range():
    for i in (2, 3):
        for angle in HYDM.limits[i - 1]:
            q = [*hydm.MIDDLE]
            q[i - 1] = angle
            A, _ = hydm.displacements(i, q)
            assert A / hydm.areas(hydm.BORE, hydm.ROD)[0] > 0.05  # lever, in m: never through dead centre
            assert 0 < length(i, angle) - hydm.RETRACTED < hydm.STROKE


def length(i, angle):
    """From pin to pin, by the law of cosines."""
    apart = angle - HYDM.limits[i - 1][0] + np.radians(30)
    return np.sqrt(0.12**2 + 0.6**2 - 2 * 0.12 * 0.6 * np.cos(apart))


def test_the_lines_of_the_mechanism_have_the_length_that_the_law_of_cosines_gives():
    q, result = joints(circled()), circled()
    for i in (2, 3):
        exact = length(i, q[:, i - 1]) - hydm.RETRACTED
        assert result.values(f"drive_{i}.x") == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("payload", [0.0, 20.0])
def test_gravity_is_the_slope_of_the_potential_energy(payload):
    q = np.radians([20, 40, -70, 15, -100, 50])
    masses = [m for m, _, _ in hydm.LINKS]

    def energy(q):
        T, total = np.eye(4), 0.0
        for (alpha, a, d), angle, m, (_, com, _) in zip(hydm.TABLE, q, masses, hydm.LINKS, strict=True):
            c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha)
            T = T @ [[c, -s, 0, a], [s * ca, c * ca, -sa, -sa * d], [s * sa, c * sa, ca, ca * d], [0, 0, 0, 1]]
            total += 9.81 * m * (T @ [*com, 1])[2]
        return total + 9.81 * payload * T[2, 3]

    slope = [(energy(q + h) - energy(q - h)) / 2e-5 for h in 1e-5 * np.eye(6)]
    assert gravity(hydm.arm(payload), q) == pytest.approx(slope, abs=1e-5)  # differences over 1e-5 rad


def test_it_begins_at_rest_and_goes_round_the_circle():
    result = circled()
    tool = HYDM.forward(joints(result))[:, :3, 3]
    apart = np.linalg.norm(tool - hydm.CIRCLE.poses(result.time)[:, :3, 3], axis=1)
    assert apart[result.time < 0.9].max() < 1e-8  # pressures of the start carry the arm: no drop
    assert apart.max() < 3e-3
    assert np.linalg.norm(tool - hydm.CIRCLE.centre, axis=1).max() == pytest.approx(0.25, abs=3e-3)
    assert result.energy.relative < 1e-6


def test_it_reaches_the_worked_example_of_the_inverse():
    result = simulate(load("hydm"), scenario="reach")
    there = np.searchsorted(result.time, 12.5)
    assert np.degrees(joints(result)[there]) == pytest.approx([30, 45, -90, 20, -60, 120], abs=0.3)


def test_it_goes_into_a_machine_file_and_back():
    made = load("hydm")
    assert load(to_text(made, shelf=SHELF), SHELF) == made
