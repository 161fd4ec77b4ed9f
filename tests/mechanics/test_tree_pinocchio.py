"""Trees of all joint types against Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from oleodyn.mechanics.joint import Revolute
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.motion import forward_kinematics, frame_jacobian, inverse_dynamics
from tests.mechanics.random_tree import KINDS, placement, random_body, random_pair, terms, vector

TREES = 50
SECTION, REFERENCE = "Mechanics of trees", "Pinocchio, 50 random trees of 2 to 30 joints"


@pytest.fixture(scope="module")
def pairs():
    return [random_pair(seed, joints=2 + seed * 28 // (TREES - 1)) for seed in range(TREES)]


def off(ours, theirs):
    """The largest difference, of the largest entry."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    return float(abs(ours - theirs).max() / max(abs(theirs).max(), 1e-12)) if ours.size else 0.0


def test_the_trees_hold_every_joint_type_and_up_to_30_joints(pairs):
    assert {type(joint).__name__ for pair in pairs for joint in pair.mechanism.joints.values()} == {
        "Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical", "Floating", "Fixed",
    }  # fmt: skip
    assert [len(pair.mechanism.joints) for pair in (pairs[0], pairs[-1])] == [2, 30]


def test_inverse_dynamics_agree(pairs, verification):
    worst = 0.0
    for pair in pairs:
        theirs = pin.rnea(pair.model, pair.model.createData(), pair.pin_q, pair.pin_v, pair.pin_a)
        ours = pair.S.T @ inverse_dynamics(pair.mechanism, pair.q, pair.v, pair.a)
        worst = max(worst, off(ours, theirs))
    verification(SECTION, "inverse-dynamics forces, relative", REFERENCE, worst, 1e-9)


def test_forward_accelerations_agree(pairs, verification):
    worst = 0.0
    for pair in pairs:
        found = terms(pair.mechanism, pair.q, pair.v)
        if not pair.v:
            continue
        ours = np.linalg.solve(np.array(found.mass), np.array(found.force))
        theirs = pin.aba(pair.model, pair.model.createData(), pair.pin_q, pair.pin_v, np.zeros(pair.model.nv))
        worst = max(worst, off(ours, pair.S @ theirs + pair.drift))
    verification(SECTION, "forward accelerations, relative", REFERENCE, worst, 1e-9)


def test_mass_matrices_agree(pairs, verification):
    worst = 0.0
    for pair in pairs:
        upper = np.triu(pin.crba(pair.model, pair.model.createData(), pair.pin_q))
        theirs = upper + np.triu(upper, 1).T
        ours = np.array(terms(pair.mechanism, pair.q, pair.v).mass).reshape(theirs.shape)
        worst = max(worst, off(pair.S.T @ ours @ pair.S, theirs))
    verification(SECTION, "mass matrices, relative", REFERENCE, worst, 1e-12)


def test_mass_matrices_of_long_chains_agree(verification):
    """These take another way through the tree: wrenches are carried to the root at once."""
    worst = 0.0
    for seed, kinds in ((1, KINDS[:2]), (2, KINDS[:5]), (3, KINDS)):
        pair = random_pair(200 + seed, joints=24, kinds=kinds, branching=0.05)
        upper = np.triu(pin.crba(pair.model, pair.model.createData(), pair.pin_q))
        ours = pair.S.T @ np.array(terms(pair.mechanism, pair.q, pair.v).mass) @ pair.S
        worst = max(worst, off(ours, upper + np.triu(upper, 1).T))
    verification(SECTION, "mass matrices, relative", "Pinocchio, three chains of 24 joints", worst, 1e-12)


def test_frame_poses_and_jacobians_agree(pairs, verification):
    pose = slope = 0.0
    for pair in pairs:
        data = pair.model.createData()
        pin.framesForwardKinematics(pair.model, data, pair.pin_q)
        for name, (r, R) in forward_kinematics(pair.mechanism, pair.q).items():
            at = pair.model.getFrameId(name)
            pose = max(pose, abs(r - data.oMf[at].translation).max(), abs(R - data.oMf[at].rotation).max())
        for name in list(pair.mechanism.frames)[-2:]:
            at = pair.model.getFrameId(name)
            world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
            theirs = pin.computeFrameJacobian(pair.model, data, pair.pin_q, at, world)
            ours = np.array(frame_jacobian(pair.mechanism, name, pair.q), dtype=float)
            slope = max(slope, abs(ours.reshape(6, -1) @ pair.S - theirs).max(initial=0.0))
    verification(SECTION, "frame poses", REFERENCE, pose, 1e-10, unit="m")
    verification(SECTION, "frame Jacobians", REFERENCE, slope, 1e-10, unit="m")


def test_velocities_and_accelerations_of_frames_agree(pairs, verification):
    worst = 0.0
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for pair in pairs[::3]:
        data, out = pair.model.createData(), terms(pair.mechanism, pair.q, pair.v, pair.a).out
        pin.forwardKinematics(pair.model, data, pair.pin_q, pair.pin_v, pair.pin_a)
        for name in pair.mechanism.frames:
            at = pair.model.getFrameId(name)
            twist = pin.getFrameVelocity(pair.model, data, at, world)
            acceleration = pin.getFrameClassicalAcceleration(pair.model, data, at, world).linear
            for key, theirs in (("v", twist.linear), ("w", twist.angular), ("a", acceleration)):
                worst = max(worst, abs(vector(out, f"{name}.{key}") - theirs).max() / (1 + abs(theirs).max()))
    verification(SECTION, "velocities and accelerations of frames", REFERENCE, worst, 1e-10)


def test_energies_momentum_and_centre_of_mass_agree(pairs, verification):
    worst = 0.0
    for pair in pairs:
        data, found = pair.model.createData(), terms(pair.mechanism, pair.q, pair.v)
        moving = sum(inertia.mass for inertia in list(pair.model.inertias)[1:])
        if moving == 0:
            continue
        kinetic = pin.computeKineticEnergy(pair.model, data, pair.pin_q, pair.pin_v)
        pin.ccrba(pair.model, data, pair.pin_q, pair.pin_v)
        p, L = data.hg.linear, data.hg.angular + np.cross(data.com[0], data.hg.linear)
        worst = max(worst, off(found.energy["kinetic"], kinetic), off(vector(found.out, "momentum"), p))
        worst = max(worst, off(vector(found.out, "angular_momentum"), L))
        still = pair.model.inertias[0]
        mass = still.mass + moving
        com = (moving * data.com[0] + (still.mass * still.lever if still.mass else 0)) / mass
        worst = max(worst, off(vector(found.out, "com"), com))
        worst = max(worst, off(found.energy["potential"], -mass * pair.model.gravity.linear @ com))
    verification(SECTION, "energies, momentum, centre of mass, relative", REFERENCE, worst, 1e-10)


def test_joint_reactions_agree(verification):
    worst = 0.0
    for seed in range(5):
        pair = random_pair(100 + seed, joints=8, kinds=(Revolute,))
        data = pair.model.createData()
        pin.rnea(pair.model, data, pair.pin_q, pair.pin_v, pair.pin_a)
        out = terms(pair.mechanism, pair.q, pair.v, pair.a).out
        for name in pair.mechanism.joints:
            theirs = data.f[pair.model.getJointId(name)]
            worst = max(worst, off(vector(out, f"{name}.reaction.F"), theirs.linear))
            worst = max(worst, off(vector(out, f"{name}.reaction.tau"), theirs.angular))
    verification(SECTION, "joint reactions, relative", "Pinocchio, five trees of 8 hinges", worst, 1e-10)


def test_axes_that_are_almost_parallel_lose_no_digits(verification):
    """As a drawing with 3.14159 for π has them: their common normals lie kilometres away."""
    bodies, joints, model, parent = {}, {}, pin.Model(), "world"
    chance = np.random.default_rng(7)
    for i in range(6):
        body, position = random_body(chance), chance.normal(size=3)
        orientation = (0.8 if i in (0, 1, 5) else 3.14159, 2e-6 * i, 0.3)
        joint = pin.JointModelRevoluteUnaligned(np.array([0.0, 0.0, 1.0]))
        at = model.addJoint(i, joint, placement(orientation, position), f"joint_{i}")
        model.appendBodyToJoint(
            at, pin.Inertia(body.mass, np.array(body.com), np.array(body.inertia)), pin.SE3.Identity()
        )
        bodies[f"body_{i}"] = body
        joints[f"joint_{i}"] = Revolute(parent=parent, child=f"body_{i}", position=position, orientation=orientation)
        parent = f"body_{i}"
    q, v = chance.normal(size=(2, 6))
    found = terms(Mechanism(bodies=bodies, joints=joints), q.tolist(), v.tolist())
    theirs = pin.aba(model, model.createData(), q, v, np.zeros(6))
    worst = off(np.linalg.solve(np.array(found.mass), np.array(found.force)), theirs)
    verification(SECTION, "accelerations with axes almost parallel", "Pinocchio, six hinges", worst, 1e-12)
