"""How many operations a mechanism takes: constants fold, and nothing is computed twice."""

import math

import casadi as ca
import numpy as np

from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Floating, Prismatic, Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import modified_dh
from tests.mechanics.random_tree import random_body, terms_in_symbols

QUARTER = math.pi / 2
WRIST = (
    (0, 0, 0.3, 0),
    (-QUARTER, 0.15, 0, 0),
    (0, 0.8, 0, 0),
    (-QUARTER, 0.1, 0.7, 0),
    (QUARTER, 0, 0, 0),
    (-QUARTER, 0, 0.2, 0),
)
"""alpha, a, d, theta of a six-axis robot"""


def arm(rows, slides=()):
    """A chain of general bodies."""
    chance, bodies, joints, parent = np.random.default_rng(0), {}, {}, "world"
    for i, row in enumerate(rows):
        kind = Prismatic if i in slides else Revolute
        bodies[f"link_{i}"] = random_body(chance)
        joints[f"joint_{i}"] = kind(parent=parent, child=f"link_{i}", **modified_dh(*row))
        parent = f"link_{i}"
    return Mechanism(bodies=bodies, joints=joints)


def forward_dynamics(mechanism):
    """v̇ by elimination from the last coordinate to the first, as one CasADi function."""
    declared = mechanism.declaration()
    q, v = ca.SX.sym("q", len(declared.coordinates)), ca.SX.sym("v", len(declared.speeds))
    found = terms_in_symbols(mechanism, q, v)
    A, y, n = [list(row) for row in found.mass], list(found.force), len(found.force)
    for k in reversed(range(n)):
        for i in reversed(range(k)):
            if not is_zero(A[k][i]):
                ratio = A[k][i] / A[k][k]
                for j in range(i + 1):
                    A[i][j] = A[i][j] if is_zero(A[k][j]) else A[i][j] - ratio * A[k][j]
                y[i], A[k][i] = y[i] - ratio * y[k], ratio
    for i in range(n):
        y[i] = y[i] / A[i][i]
        for j in range(i):
            y[i] = y[i] if is_zero(A[i][j]) else y[i] - A[i][j] * y[j]
    return ca.Function("v_dot", [q, v], [ca.vertcat(*y)], {"cse": True})


def is_zero(entry):
    return type(entry) is float and entry == 0.0


def operations(function):
    """Arithmetic alone: without inputs, outputs and constants."""
    moves = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
    return sum(function.instruction_id(k) not in moves for k in range(function.n_instructions()))


def test_a_six_axis_robot_with_general_bodies_takes_fewer_than_950_operations(verification):
    count = operations(forward_dynamics(arm(WRIST)))  # 0.2 µs on one core are about 1500
    reference = "floor of the design: 0.2 µs, about 1500"
    verification("Mechanics of trees", "operations of a six-axis robot's forward dynamics", reference, count, 950)


def test_a_boom_on_a_lift_takes_fewer_operations_than_a_robot():
    rows = (
        (0, 0, 0, 0),
        (-QUARTER, 0, 1.329, -QUARTER),
        (0, 0, 0, 0),
        (0, 0.502, 0, 0),
        (-QUARTER, 0.482, 0, 0),
        (-QUARTER, 0, 0.9291, 0),
    )
    assert operations(forward_dynamics(arm(rows, slides=(1,)))) < 830


def test_a_pendulum_about_a_level_axis_takes_one_sine():
    pendulum = Mechanism(
        bodies={"bob": Body(mass=2.0, com=(0.0, 0.0, -0.5))},
        joints={"pin": Revolute(child="bob", axis=(0.0, 1.0, 0.0))},
    )
    assert operations(forward_dynamics(pendulum)) <= 4  # sine, times a constant, over the inertia; a sign


def test_a_free_body_about_its_centre_costs_euler_s_equations_alone():
    inertia = ((0.3, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, 0.9))
    body = Mechanism(bodies={"body": Body(mass=5.0, inertia=inertia)}, joints={"free": Floating(child="body")})
    assert operations(forward_dynamics(body)) <= 26


def test_a_robot_on_a_slope_costs_no_more_than_gravity_s_two_more_components():
    turned = arm(((0.3, 0.5, 0.7, 0.9), *WRIST[1:]))
    assert operations(forward_dynamics(turned)) <= operations(forward_dynamics(arm(WRIST))) + 20
