"""A rod whose length is prescribed over time: Φ_t of a constraint that depends on positions."""

import numpy as np
import pytest

from oleodyn.catalogue.shelf import load
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.loop import Distance, Motion
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from tests.machines.linkages import alone

PIN, REACH = 3.0, 2.0
"""Where the rod's pin lies on the ground, and how far from the hinge it takes the beam [m]."""
MASS, COM, J = 12.0, 1.3, 25.0
MOTION = Motion(offset=0.1, speed=0.2, amplitude=0.3, w=4.0, phase=0.5)
LENGTH = 2.4

HOW = {
    "augmented-lagrangian, trapezoidal": (AugmentedLagrangian(alpha=1e11, projections=2), Trapezoidal(tolerance=1e-11)),
    "partitioning, rk4": (CoordinatePartitioning(), RK4()),
    "partitioning, trapezoidal": (CoordinatePartitioning(), Trapezoidal()),
    "partitioning, hht": (CoordinatePartitioning(), HHT()),
    "partitioning, ab3": (CoordinatePartitioning(), AdamsBashforth3()),
    "penalty, rk4": (Penalty(alpha=1e10), RK4()),
}


def beam():
    """A beam on a hinge, held by a rod of prescribed length; nothing is left free. Started 0.05 rad off."""
    inertia = J - MASS * COM**2
    body = Body(mass=MASS, com=(COM, 0.0, 0.0), inertia=np.diag([0.1, inertia, inertia]))
    rod = Distance(
        child="beam", position=(PIN, 0.0, 0.0), child_position=(REACH, 0.0, 0.0), length=LENGTH, motion=MOTION
    )
    start = in_closed_form(np.zeros(1))[0][0] + 0.05
    hinge = Revolute(child="beam", q_0=start)
    return Mechanism(gravity=(0.0, -9.81, 0.0), bodies={"beam": body}, joints={"z": hinge}, loops={"rod": rod})


def in_closed_form(t):
    """Angle, speed and acceleration of the beam by the law of cosines, and the push of the rod [N]."""
    phase = MOTION.w * t + MOTION.phase
    s = LENGTH + MOTION.offset + MOTION.speed * t + MOTION.amplitude * np.sin(phase)
    s_dot = MOTION.speed + MOTION.amplitude * MOTION.w * np.cos(phase)
    s_ddot = -MOTION.amplitude * MOTION.w**2 * np.sin(phase)
    cosine = (PIN**2 + REACH**2 - s**2) / (2 * PIN * REACH)
    q = np.arccos(cosine)
    q_dot = s * s_dot / (PIN * REACH * np.sin(q))
    q_ddot = ((s_dot**2 + s * s_ddot) / (PIN * REACH) - cosine * q_dot**2) / np.sin(q)
    lever = PIN * REACH * np.sin(q) / s
    return q, q_dot, q_ddot, (J * q_ddot + MASS * 9.81 * COM * cosine) / lever, s_dot


@pytest.mark.parametrize("how", HOW)
def test_a_rod_that_grows_moves_a_beam_as_the_law_of_cosines_says(how, verification):
    loops, stepper = HOW[how]
    result = run(compile(assemble(alone("beam", beam()), loops=loops), stepper), until=2.0, dt=1e-3, every=1)
    q, q_dot, q_ddot, push, s_dot = in_closed_form(result.time)
    for name, exact, within in (("q", q, 1e-9), ("q_dot", q_dot, 1e-9), ("q_ddot", q_ddot, 1e-8)):
        verification(
            "Closed loops", f"beam on a rod that grows, {name}: {how}", "law of cosines",
            np.abs(result.values(f"z.{name}") - exact).max(), within,
        )  # fmt: skip
    F = np.hypot(*(result.values(f"rod.reaction.F_{axis}") for axis in "xy"))
    assert np.abs(F - np.abs(push)).max() < 1e-4  # of 76 N: rounding of α Φ̈
    assert np.abs(result.values("linkage.rod.power") - push * s_dot).max() < 1e-4
    assert abs(result.energy.residual) < 1e-2  # of 15 J that the rod gives: order of the quadrature
    assert np.abs(result.values("linkage.rod.0.gap")).max() < 1e-9


def test_a_rod_that_grows_is_read_from_a_machine_file():
    text = """
oleodyn: 1
name: beam
parts:
  linkage:
    type: Mechanism
    bodies: {beam: {type: Body, mass: 12 kg, com: 1.3 0 0 m}}
    joints: {z: {type: Revolute, child: beam, axis: 0 1 0 -}}
    loops:
      rod:
        {type: Distance, child: beam, position: 3 0 0 m, child_position: 2 0 0 m, length: 2.4 m,
         motion: {type: Motion, offset: 10 cm, speed: 0.2 m/s, amplitude: 30 cm, w: 4 rad/s, phase: 0.5 rad}}
"""
    rod = load(text).parts["linkage"].loops["rod"]
    assert rod.length == 2.4 and rod.motion == MOTION
