"""Small trees against closed forms, and laws that every tree obeys."""

import math

import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from oleodyn.mechanics import quaternion
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.frame import Frame, Line
from oleodyn.mechanics.joint import Cylindrical, Fixed, Floating, Prismatic, Revolute, Spherical, Universal
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.motion import forward_kinematics, inverse_dynamics
from oleodyn.mechanics.rotation import modified_dh, rotation, rpy
from oleodyn.mechanics.stop import LineStop, RotationStop
from tests.mechanics.random_tree import KINDS, random_pair, terms, terms_in_symbols, vector

ROUNDING = 1e-12
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def acceleration(found):
    return np.linalg.solve(np.array(found.mass), np.array(found.force))


def flat(ixx, iyy, izz):
    return ((ixx, 0.0, 0.0), (0.0, iyy, 0.0), (0.0, 0.0, izz))


def test_a_pendulum_falls_as_its_moment_of_inertia_says():
    rod = Body(mass=3.0, com=(0.0, 0.0, -0.7), inertia=flat(0.2, 0.5, 0.4))
    pendulum = Mechanism(bodies={"rod": rod}, joints={"pin": Revolute(child="rod", axis=Y)})
    expected = -3.0 * 9.81 * 0.7 * math.sin(0.4) / (0.5 + 3.0 * 0.7**2)
    assert acceleration(terms(pendulum, [0.4], [1.3])) == pytest.approx([expected], rel=ROUNDING)


def test_a_double_pendulum_obeys_the_textbook():
    m1, m2, l1, l2, g = 2.0, 1.5, 0.8, 0.6, 9.81
    bob = dict(child_position=(0.0, 0.0, 0.0))
    chain = Mechanism(
        bodies={"upper": Body(mass=m1, com=(0.0, -l1, 0.0)), "lower": Body(mass=m2, com=(0.0, -l2, 0.0))},
        joints={
            "first": Revolute(child="upper", **bob),
            "second": Revolute(parent="upper", child="lower", position=(0.0, -l1, 0.0)),
        },
        gravity=(0.0, -g, 0.0),
    )
    q1, q2, w1, w2 = 0.3, 0.9, 1.1, -0.7
    c2, s2 = math.cos(q2), math.sin(q2)
    M = [[(m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2 * c2, m2 * l2**2 + m2 * l1 * l2 * c2], [0.0, m2 * l2**2]]
    M[1][0] = M[0][1]
    coriolis = m2 * l1 * l2 * s2
    f = [
        coriolis * (2 * w1 * w2 + w2**2) - (m1 + m2) * g * l1 * math.sin(q1) - m2 * g * l2 * math.sin(q1 + q2),
        -coriolis * w1**2 - m2 * g * l2 * math.sin(q1 + q2),
    ]
    found = terms(chain, [q1, q2], [w1, w2])
    assert np.array(found.mass) == pytest.approx(np.array(M), rel=ROUNDING)
    assert found.force == pytest.approx(f, rel=ROUNDING)


def test_a_bead_on_a_turning_rod_is_thrown_outward_and_the_rod_slowed():
    rod, bead = Body(mass=0.0, inertia=flat(0.15, 0.15, 0.25)), Body(mass=0.4)
    rig = Mechanism(
        bodies={"rod": rod, "bead": bead},
        joints={"post": Revolute(child="rod"), "wire": Prismatic(parent="rod", child="bead", axis=X)},
    )
    r, r_dot, w = 0.6, 0.2, 3.0
    spin, out = acceleration(terms(rig, [0.2, r], [w, r_dot]))
    assert out == pytest.approx(r * w**2, rel=ROUNDING)
    assert spin == pytest.approx(-2 * 0.4 * r * r_dot * w / (0.25 + 0.4 * r**2), rel=ROUNDING)


def test_a_free_body_obeys_euler_and_newton():
    I, m, w, v = np.diag([0.3, 0.7, 0.9]), 5.0, np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.4])
    body = Mechanism(bodies={"body": Body(mass=m, inertia=I)}, joints={"free": Floating(child="body")})
    q = [1.0, 2.0, 3.0, *quaternion.from_rpy((0.2, 0.4, -0.9))]
    found = acceleration(terms(body, q, [*v, *w]))
    assert found[:3] == pytest.approx([0.0, 0.0, -9.81], abs=ROUNDING)
    assert found[3:] == pytest.approx(np.linalg.solve(I, -np.cross(w, I @ w)), rel=ROUNDING)


def test_the_mass_matrix_of_a_free_body_is_diagonal_and_constant():
    body = Mechanism(
        bodies={"body": Body(mass=5.0, inertia=flat(0.3, 0.7, 0.9))}, joints={"free": Floating(child="body")}
    )
    mass = terms(body, [0.1, 0.2, 0.3, 0.9, 0.1, 0.3, 0.2], [0.5] * 6).mass
    assert np.array(mass) == pytest.approx(np.diag([5.0, 5.0, 5.0, 0.3, 0.7, 0.9]), rel=ROUNDING, abs=0)


def test_branches_do_not_couple():
    rng = np.random.default_rng(1)
    arm = Body(mass=2.0, com=rng.normal(size=3), inertia=flat(0.3, 0.4, 0.5))
    fork = Mechanism(
        bodies={"trunk": arm, "left": arm, "right": arm},
        joints={
            "root": Revolute(child="trunk"),
            "l": Revolute(parent="trunk", child="left", axis=X, position=(0.3, 0.2, 0.1)),
            "r": Revolute(parent="trunk", child="right", axis=Y, position=(-0.3, 0.2, 0.1)),
        },
    )
    mass = terms(fork, [0.1, 0.2, 0.3], [0.0] * 3).mass
    assert [mass[1][2], mass[2][1]] == [0.0, 0.0]
    assert mass[0][1] != 0.0 != mass[0][2]


def test_a_bolted_body_moves_as_part_of_the_one_that_carries_it():
    one = Body(mass=3.0, com=(0.2, 0.1, 0.0), inertia=flat(0.2, 0.3, 0.4))
    where = dict(position=(0.4, 0.0, 0.3), orientation=(0.3, -0.2, 0.9))
    bolted = Mechanism(
        bodies={"arm": one, "load": one},
        joints={"pin": Revolute(child="arm", axis=Y), "bolts": Fixed(parent="arm", child="load", **where)},
    )
    R, r = np.array(rotation(where["orientation"])), np.array(where["position"])
    com = r + R @ one.com
    both = (com + one.com) / 2
    I = np.array(one.inertia) + R @ np.array(one.inertia) @ R.T
    for c in (np.array(one.com), com):
        I = I + 3.0 * ((c - both) @ (c - both) * np.eye(3) - np.outer(c - both, c - both))
    single = Mechanism(
        bodies={"arm": Body(mass=6.0, com=both, inertia=I)}, joints={"pin": Revolute(child="arm", axis=Y)}
    )
    assert acceleration(terms(bolted, [0.7], [1.0])) == pytest.approx(
        acceleration(terms(single, [0.7], [1.0])), rel=ROUNDING
    )


def test_a_universal_joint_is_two_hinges_and_a_cylindrical_one_a_guide_and_a_hinge():
    load = Body(mass=3.0, com=(0.2, 0.1, 0.4), inertia=flat(0.2, 0.3, 0.4))
    nothing = Body(mass=0.0)
    q, v = [0.4, -0.8], [1.0, 2.0]
    for joint, first, second in (
        (Universal(child="load"), Revolute(child="cross", axis=X), Revolute(parent="cross", child="load", axis=Y)),
        (Cylindrical(child="load"), Prismatic(child="cross"), Revolute(parent="cross", child="load")),
    ):
        one = Mechanism(bodies={"load": load}, joints={"joint": joint})
        two = Mechanism(bodies={"cross": nothing, "load": load}, joints={"first": first, "second": second})
        assert acceleration(terms(one, q, v)) == pytest.approx(acceleration(terms(two, q, v)), rel=ROUNDING)


def test_modified_dh_is_the_product_of_its_four_motions():
    alpha, a, d, theta = -0.4, 0.3, 0.7, 1.1
    where = modified_dh(alpha, a, d, theta)
    twist, turn = (Rotation.from_euler(axis, angle) for axis, angle in (("x", alpha), ("z", theta)))
    assert np.array(rotation(where["orientation"])) == pytest.approx((twist * turn).as_matrix(), abs=ROUNDING)
    assert where["position"] == pytest.approx(np.array([a, 0, 0]) + twist.apply([0, 0, d]), abs=ROUNDING)


def test_right_angles_leave_no_rounding_in_a_rotation():
    quarter = math.pi / 2
    entries = {
        abs(e) for angles in ((quarter, 0, 0), (quarter, -quarter, math.pi)) for row in rotation(angles) for e in row
    }
    assert entries == {0.0, 1.0}


@pytest.mark.parametrize("angles", [(0.3, -1.2, 2.9), (0.0, math.pi / 2, 0.7), (0.4, -math.pi / 2, -0.7)])
def test_roll_pitch_yaw_come_back_from_the_matrix(angles):
    R = rotation(angles)
    assert np.array(rotation(rpy(R))) == pytest.approx(np.array(R), abs=4e-16)  # rounding of nine cosines


# ------------------------------------------------------------------ lines and frames


def beam(lift_at):
    return Mechanism(
        bodies={"beam": Body(mass=10.0, com=(1.0, 0.0, 0.0), inertia=flat(0.1, 3.0, 3.0))},
        joints={"pin": Revolute(child="beam", axis=(0.0, -1.0, 0.0))},
        frames={"tip": Frame(body="beam", position=(2.0, 0.0, 0.0))},
        lines={"lift": Line(from_point=(lift_at, 0.0, -1.0), to_body="beam", to_point=(lift_at, 0.0, 0.0))},
    )


def test_a_line_is_as_long_as_the_law_of_cosines_says():
    a, b, q, q_dot = 1.25, 0.8, 0.5, 0.9
    angle = math.atan2(1.0, 0.75) + q
    crane = Mechanism(
        bodies={"boom": Body(mass=10.0)},
        joints={"pin": Revolute(child="boom", axis=(0.0, -1.0, 0.0))},
        lines={"lift": Line(from_point=(0.75, 0.0, -1.0), to_body="boom", to_point=(b, 0.0, 0.0))},
    )
    s = math.sqrt(a * a + b * b - 2 * a * b * math.cos(angle))
    held = terms(crane, [q], [q_dot]).hold["lift"]
    assert held["s"] == pytest.approx(s, rel=ROUNDING)
    assert held["v"] == pytest.approx(a * b * math.sin(angle) / s * q_dot, rel=ROUNDING)


def test_a_pin_carries_what_the_cylinder_does_not():
    lift = 2 * 10.0 * 9.81  # holds the weight at twice its lever arm
    out = terms(beam(lift_at=0.5), [0.0], [0.0], [0.0], {"lift.F": lift}).out
    assert vector(out, "pin.reaction.F") == pytest.approx([0.0, 0.0, 10.0 * 9.81 - lift], abs=1e-12)
    assert vector(out, "pin.reaction.tau") == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


def test_a_pin_carries_what_is_hung_on_a_frame():
    loads = {"tip.F": (3.0, 5.0, -7.0), "tip.tau": (0.1, 0.2, 0.3)}
    out = terms(beam(lift_at=0.5), [0.0], [0.0], [0.0], loads).out
    assert vector(out, "pin.reaction.F") == pytest.approx([-3.0, -5.0, 98.1 + 7.0], rel=ROUNDING)
    moment = -np.cross([2.0, 0.0, 0.0], [3.0, 5.0, -7.0]) - [0.1, 0.2, 0.3] - np.cross([1, 0, 0], [0, 0, -98.1])
    assert vector(out, "pin.reaction.tau") == pytest.approx(moment, rel=ROUNDING)


def test_what_a_hinge_transmits_along_its_axis_is_what_drives_it():
    for seed in range(4):
        pair = random_pair(seed, joints=6, kinds=(Revolute, Prismatic))
        efforts = inverse_dynamics(pair.mechanism, pair.q, pair.v, pair.a)
        out = terms(pair.mechanism, pair.q, pair.v, pair.a).out
        for (name, joint), effort in zip(pair.mechanism.joints.items(), efforts, strict=True):
            key = "tau" if isinstance(joint, Revolute) else "F"
            along = np.array(joint.axis) @ vector(out, f"{name}.reaction.{key}")
            assert along == pytest.approx(effort, rel=1e-10)  # rounding of six bodies' sums


def test_a_line_between_neighbours_depends_on_nothing_else():
    q, v = ca.SX.sym("q", 3), ca.SX.sym("v", 3)
    arm = Body(mass=2.0, com=(0.5, 0.0, 0.0), inertia=flat(0.1, 0.2, 0.2))
    chain = Mechanism(
        bodies={"one": arm, "two": arm, "three": arm},
        joints={
            "a": Revolute(child="one", axis=Y),
            "b": Revolute(parent="one", child="two", axis=Y, position=X),
            "c": Revolute(parent="two", child="three", axis=Y, position=X),
        },
        lines={"ram": Line(from_body="two", from_point=(0.2, 0.0, 0.1), to_body="three", to_point=(0.3, 0.0, 0.1))},
    )
    held = terms_in_symbols(chain, q, v).hold["ram"]
    assert [symbol.name() for symbol in ca.symvar(held["s"])] == ["q_2"]
    assert ca.which_depends(held["v"], v) == [False, False, True]


# ------------------------------------------------------------------ orientations


def test_adding_a_small_rotation_is_the_exact_exponential():
    rng = np.random.default_rng(2)
    for size in (0.0, 1e-9, 0.05, 0.1, 0.3, 3.0):
        q = rng.normal(size=4)
        q, delta = q / np.linalg.norm(q), rng.normal(size=3)
        delta *= size / np.linalg.norm(delta)
        expected = Rotation.from_quat(q, scalar_first=True) * Rotation.from_rotvec(delta)
        new = np.array(quaternion.moved(tuple(q), tuple(delta)))
        assert Rotation.from_quat(new, scalar_first=True).as_matrix() == pytest.approx(expected.as_matrix(), abs=1e-15)
        assert np.linalg.norm(new) == pytest.approx(1.0, abs=2e-16)


def test_the_slope_of_the_retraction_at_zero_is_the_rate_of_the_quaternion():
    q, delta = ca.SX.sym("q", 4), ca.SX.sym("delta", 3)
    plus = ca.vertcat(*quaternion.moved(tuple(q[i] for i in range(4)), tuple(delta[i] for i in range(3))))
    slope = ca.Function("slope", [q, delta], [ca.jacobian(plus, delta), ca.hessian(ca.sum1(plus), delta)[0]])
    at = np.array([0.1, -0.7, 0.5, 0.5])
    at /= np.linalg.norm(at)
    first, second = (np.array(value) for value in slope(at, np.zeros(3)))
    N = np.array([quaternion.rate(tuple(at), w) for w in np.eye(3)]).T
    assert first == pytest.approx(N, abs=1e-15)
    assert np.isfinite(second).all()


def test_a_spherical_joint_turns_through_any_attitude():
    head = Mechanism(
        bodies={"head": Body(mass=2.0, com=(0.1, 0.0, 0.2), inertia=flat(0.2, 0.3, 0.4))},
        joints={"neck": Spherical(child="head")},
    )
    for angles in ((0.0, math.pi / 2, 0.0), (math.pi, 0.0, math.pi / 2)):  # where roll-pitch-yaw would lock
        found = terms(head, quaternion.from_rpy(angles), [0.3, -0.2, 0.9])
        assert np.linalg.cond(np.array(found.mass)) < 5
        assert np.isfinite(acceleration(found)).all()


def test_the_start_is_what_the_joints_say():
    base = Floating(child="body", position_0=(1.0, 2.0, 3.0), orientation_0=(0.1, 0.2, 0.3), w_0=(4.0, 5.0, 6.0))
    body = Mechanism(
        bodies={"body": Body(mass=1.0)}, joints={"base": base}, frames={"eye": Frame(body="body", position=X)}
    )
    start = terms(body, [0.0] * 3 + [1.0] + [0.0] * 3, [0.0] * 6).start
    assert list(start) == [f"base.{n}" for n in "r_x v_x r_y v_y r_z v_z q_w q_x q_y q_z w_x w_y w_z".split()]
    declared = body.declaration()
    q = [start[name] for name in declared.coordinates]
    r, R = forward_kinematics(body, q)["eye"]
    turned = Rotation.from_euler("xyz", [0.1, 0.2, 0.3])
    assert np.array(R) == pytest.approx(turned.as_matrix(), abs=ROUNDING)
    assert r == pytest.approx(np.array([1.0, 2.0, 3.0]) + turned.apply(X), rel=ROUNDING)
    assert [start[name] for name in declared.speeds] == [0.0, 0.0, 0.0, 4.0, 5.0, 6.0]


# ------------------------------------------------------------------ friction and stops


def slider(stop, damping=0.0):
    joint = Prismatic(child="block", axis=X, damping=damping, stop=stop)
    return Mechanism(bodies={"block": Body(mass=2.0)}, joints={"guide": joint})


def test_viscous_friction_slows_and_heats():
    found = terms(slider(None, damping=30.0), [0.1], [0.5])
    assert found.force == pytest.approx([-15.0])
    assert found.power.lost == {"guide.damping": pytest.approx(7.5)}


def test_a_stop_is_a_spring_beyond_its_width_and_nothing_before():
    stop = LineStop(stiffness=1e5, low=-0.2, high=0.4, width=1e-3)
    assert terms(slider(stop), [0.4], [3.0]).force == [0.0]
    assert terms(slider(stop), [0.41], [0.0]).force == pytest.approx([-1000.0])
    assert terms(slider(stop), [-0.22], [0.0]).force == pytest.approx([2000.0])


def test_a_stop_never_pulls():
    stop = LineStop(stiffness=1e5, damping=1e4, low=0.0, high=0.4)
    for q in np.linspace(-0.01, 0.41, 211):
        for v in (-5.0, -0.1, 0.0, 0.1, 5.0):
            found = terms(slider(stop), [float(q)], [v])
            assert found.force[0] * (1 if q < 0.2 else -1) >= 0.0
            assert found.power.lost["guide.stop"] >= 0.0


def test_a_stop_stores_what_it_takes_to_compress_it():
    stop = LineStop(stiffness=1e5, high=0.4, width=2e-3)
    depths = np.linspace(0.0, 0.01, 20001)
    forces = [-terms(slider(stop), [0.4 + float(d)], [0.0]).force[0] for d in depths[::10]]
    work = np.trapezoid(forces, depths[::10])
    stored = terms(slider(stop), [0.41], [0.0]).energy["guide.stop"]
    assert stored == pytest.approx(work, rel=1e-5)  # trapezoidal rule on 2000 intervals


def test_a_stop_of_a_turning_joint_pushes_back_at_both_ends():
    stop = RotationStop(stiffness=1e4, low=-1.0, high=1.5)
    hinge = Mechanism(
        bodies={"door": Body(mass=2.0, inertia=flat(0.1, 0.1, 0.1))},
        joints={"hinge": Revolute(child="door", stop=stop)},
    )
    assert terms(hinge, [1.6], [0.0]).out["hinge.stop"] == pytest.approx(-1000.0)
    assert terms(hinge, [-1.1], [0.0]).out["hinge.stop"] == pytest.approx(1000.0)


# ------------------------------------------------------------------ what is conserved


def runge_kutta(mechanism, q, v, until, h):
    """States of a mechanism left alone, by the classical fourth order."""
    sym_q, sym_v = ca.SX.sym("q", len(q)), ca.SX.sym("v", len(v))
    found = terms_in_symbols(mechanism, sym_q, sym_v)
    y = ca.vertcat(sym_q, sym_v)
    v_dot = ca.solve(ca.blockcat(found.mass), ca.vertcat(*found.force))
    rate = ca.Function("rate", [y], [ca.vertcat(*found.q_dot, v_dot)])
    k1 = rate(y)
    k2 = rate(y + h / 2 * k1)
    k3 = rate(y + h / 2 * k2)
    step = ca.Function("step", [y], [y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(y + h * k3))])
    out = ca.vertcat(
        sum(found.energy.values()),
        *(found.out[f"{key}_{axis}"] for key in ("momentum", "angular_momentum") for axis in "xyz"),
    )
    told = ca.Function("told", [y], [out])
    start = np.array([*q, *v])
    end = step.mapaccum(round(until / h))(start)[:, -1]
    return np.array(told(start)).ravel(), np.array(told(end)).ravel()


def test_energy_of_a_tree_is_conserved_as_fourth_order_implies(verification):
    pair = random_pair(3, joints=5, kinds=(Revolute, Prismatic, Spherical, Universal))
    v = [0.3 * x for x in pair.v]
    errors = []
    for h in (4e-3, 2e-3):
        before, after = runge_kutta(pair.mechanism, pair.q, v, until=0.4, h=h)
        errors.append(abs(after[0] - before[0]))
    order = math.log2(errors[0] / errors[1])
    verification("Mechanics of trees", "order at which RK4 conserves a tree's energy", "RK4", order, 0.5, expected=4.0)


def test_momentum_of_a_floating_tree_is_conserved(verification):
    bodies = random_pair(8, joints=4, kinds=KINDS[:2]).mechanism.bodies
    names = list(bodies)
    joints = {"base": Floating(child=names[0])} | {
        f"j{i}": Revolute(parent=names[i], child=names[i + 1], axis=(0.3, 1.0, -0.2 * i), position=(0.3, 0.1, 0.2 * i))
        for i in range(3)
    }
    tree = Mechanism(bodies=bodies, joints=joints, gravity=(0.0, 0.0, 0.0))
    q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.3, -0.4, 0.5]
    v = [0.2, -0.1, 0.3, 1.5, -2.0, 1.0, 2.0, -1.0, 1.8]
    before, after = runge_kutta(tree, q, v, until=1.0, h=1e-3)
    worst = max(np.linalg.norm(after[i] - before[i]) / np.linalg.norm(before[i]) for i in (slice(1, 4), slice(4, 7)))
    reference = "RK4, 1 ms, rates up to 2 rad/s, 1 s"
    verification("Mechanics of trees", "momentum of a floating tree, relative drift", reference, worst, 1e-10)
