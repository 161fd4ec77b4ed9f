"""The same joint in the tree and as a cut: same motion, same reactions, whatever closes the cut."""

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.mechanics.joint import Cylindrical, Fixed, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.rotation import rpy
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from tests.machines.linkages import TIP, swinging

PLACE = TIP | dict(child_position=(-0.1, 0.05, 0.2), child_orientation=(0.2, 0.5, -0.4))
TILTED = dict(axis=(0.3, -0.2, 1.0))
JOINTS = {  # and its own speeds at the start
    "fixed": (Fixed, {}, {}),
    "revolute": (Revolute, TILTED, dict(q_dot_0=1.5)),
    "prismatic": (Prismatic, TILTED, dict(q_dot_0=-0.4)),
    "cylindrical": (Cylindrical, TILTED, dict(slide_dot_0=-0.3, turn_dot_0=1.2)),
    "universal": (Universal, {}, dict(q_1_dot_0=0.8, q_2_dot_0=-1.1)),
    "oblique universal": (
        Universal,
        dict(axis_1=(1.0, 0.2, 0.0), axis_2=(0.6, 1.0, 0.3)),
        dict(q_1_dot_0=0.8, q_2_dot_0=-1.1),
    ),
    "spherical": (Spherical, {}, dict(w_0=(0.7, -0.5, 1.1))),
}
HOW = {  # errors at 0.5 ms of positions [m], of reactions [N, N·m], of energies [J]
    # order 4, speeds of dependent coordinates up to 30 times those of independent ones: 1 ms has 16 times more
    "partitioning, rk4": (CoordinatePartitioning(), RK4(), 1e-7, 2e-6, 1e-6),
    "partitioning, trapezoidal": (CoordinatePartitioning(), Trapezoidal(), 2e-4, 1e-2, 2e-3),  # so, and order 2
    "augmented-lagrangian, trapezoidal": (
        AugmentedLagrangian(projections=2), Trapezoidal(tolerance=1e-11), 5e-6, 1e-3, 1e-4,
    ),  # order 2
    "penalty, rk4": (Penalty(alpha=1e8), RK4(), 1e-7, 1e-5, 1e-6),  # gaps of 1e-8 m: λ / (α Ω²)
}  # fmt: skip
REACTIONS = [f"tip.reaction.{name}" for name in ("F_x", "F_y", "F_z", "tau_x", "tau_y", "tau_z")]
EYE = [f"linkage.eye.{name}" for name in ("r_x", "r_y", "r_z")]


def ran(machine, loops, stepper):
    """A second at 0.5 ms: where a point of the box is, and what its joint carries."""
    result = run(compile(assemble(machine, loops=loops), stepper), until=1.0, dt=5e-4, every=40)
    r, carried = (np.column_stack([result.values(name) for name in names]) for names in (EYE, REACTIONS))
    return r, carried, result


def floating(tree):
    """The start of the box of a tree, as that of a floating body."""
    program = compile(assemble(tree), RK4())
    told = program.observe(program.start())
    r, v, w = ([told[f"linkage.box_frame.{what}_{axis}"] for axis in "xyz"] for what in "rvw")
    R = np.array([[told[f"linkage.box_frame.R_{i}{j}"] for j in "xyz"] for i in "xyz"])
    return dict(position_0=r, orientation_0=rpy(tuple(map(tuple, R))), v_0=v, w_0=R.T @ w)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", JOINTS)
def test_a_cut_joint_moves_and_carries_as_the_same_joint_of_the_tree(kind, how, verification):
    joint, shape, speeds = JOINTS[kind]
    loops, stepper, near, alike, kept = HOW[how]
    tree = swinging(joint(**PLACE, **shape, **speeds))
    r, carried, _ = ran(tree, None, RK4())
    assert np.ptp(r, axis=0).min() > 0.2 and np.abs(carried).max() > 30.0  # it does move, and weighs on its joint
    found, told, cut = ran(swinging(joint(**PLACE, **shape), **floating(tree)), loops, stepper)
    verification(
        "Closed loops", f"a body on a cut {kind} joint: {how}", "the same joint in the tree",
        np.abs(found - r).max(), near, unit="m",
    )  # fmt: skip
    assert np.abs(told - carried).max() < alike
    assert abs(cut.energy.residual) < kept
