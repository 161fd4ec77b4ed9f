"""Forward dynamics on their own, and the same robot in another program, from our own export."""

import numpy as np
import pinocchio as pin
import pytest

from oleodyn.catalogue.shelf import load
from oleodyn.equations.assemble import assemble
from oleodyn.equations.forward import forward_dynamics
from oleodyn.errors import DataError
from oleodyn.mechanics.urdf import load_urdf
from oleodyn.program.native_function import NativeFunction
from oleodyn.studies.robot import urdf
from tests.machines import small

POINTS = 20


@pytest.fixture(scope="module")
def robots():
    """Ours in machine code, Pinocchio's from our URDF, and states: q, v, tau."""
    arm = load("rigid-arm")
    model = pin.buildModelFromXML(urdf(arm.parts["arm"]))
    chance = np.random.default_rng(5)
    states = [chance.normal(size=(POINTS, 6)) for _ in range(2)] + [100 * chance.normal(size=(POINTS, 6))]
    return NativeFunction(forward_dynamics(assemble(arm), derivatives=True)), model, model.createData(), states


def test_accelerations_and_their_derivatives_are_those_of_pinocchio(robots):
    function, model, data, (q, v, tau) = robots
    found = function(q, v, tau)
    for i in range(POINTS):
        damped = tau[i] - 20.0 * v[i]
        pin.computeABADerivatives(model, data, q[i], v[i], damped)
        Minv = np.triu(data.Minv) + np.triu(data.Minv, 1).T
        theirs = (data.ddq, data.ddq_dq, data.ddq_dv - 20.0 * Minv, Minv)  # the dampers are ours alone
        for mine, other in zip(found, theirs, strict=True):
            mine = mine[i].reshape(np.shape(other), order="F")
            assert np.max(np.abs(mine - other)) < 1e-10 * np.max(np.abs(other))


def test_a_robot_that_was_exported_comes_back_the_same():
    arm = load("rigid-arm").parts["arm"]
    back = load_urdf(urdf(arm), rotation_stop=None)
    assert dict(back.joints) == {
        name: type(joint)(**{f: getattr(joint, f) for f in joint.fields if f != "q_0"})
        for name, joint in arm.joints.items()
    }  # URDF has no start
    for name, body in arm.bodies.items():
        assert back.bodies[name].mass == body.mass and back.bodies[name].com == body.com
        assert np.array(back.bodies[name].inertia) == pytest.approx(np.array(body.inertia), rel=1e-15)


def test_what_urdf_has_no_joint_for_is_refused_by_name():
    with pytest.raises(DataError, match=r"ball \(Spherical\): URDF has hinges, slides and bolts"):
        tree = small.floating_tree().parts["tree"]
        urdf(type(tree)(bodies=dict(b=tree.bodies["b"]), joints=dict(ball=type(tree.joints["ball"])(child="b"))))


def test_closed_loops_have_no_forward_dynamics_of_a_tree():
    machine = load("four-bar")
    with pytest.raises(DataError, match=r"four-bar has closed loops: its accelerations are not those of a tree"):
        forward_dynamics(assemble(machine))
