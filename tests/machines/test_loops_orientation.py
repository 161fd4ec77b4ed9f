"""Cut joints keep the orientation that the same joint of the tree keeps, wherever the start lies."""

import re

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.errors import AssemblyError, DeclarationError
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Cylindrical, Fixed, Floating, Prismatic, Revolute, Universal
from oleodyn.mechanics.locks import aligned, bolted
from oleodyn.mechanics.loop import Distance
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.rotation import rotation
from oleodyn.mechanics.vector import IDENTITY, transposed
from oleodyn.program.compile import compile
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.units import deg
from tests.machines.linkages import GROUND, ROCKER, alone, assembled, chain

BOX = Body(mass=3.0, com=(0.1, -0.2, 0.05), inertia=np.diag([0.5, 0.7, 0.4]))
PLACE = dict(child="box", position=(0.2, 0.1, -0.3), orientation=(0.4, -0.3, 0.9))


def held(joint, start=(0.0, 0.0, 0.0)):
    """A floating body, turned by `start` against the world, held by a cut joint."""
    return Mechanism(
        bodies={"box": BOX}, joints={"free": Floating(child="box", orientation_0=start)}, loops={"cut": joint}
    )


def turned(e):
    """The body's rotation at the start."""
    w, x, y, z = e.q_0[3:7]
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


STARTS = {
    "half a turn about x": (np.pi, 0.0, 0.0),
    "half a turn about z": (0.0, 0.0, np.pi),
    "x to y to z to x": (np.pi / 2, 0.0, np.pi / 2),
    "x to z to y to x": (0.0, -np.pi / 2, -np.pi / 2),
    "130° about an axis": (2.0, 0.4, -0.7),
    "nearly half a turn": (np.pi - 1e-7, 0.0, 0.0),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", [Fixed, Prismatic])
def test_a_body_far_from_its_bolts_is_turned_to_them_and_no_other_way_round(kind, start):
    for place in (dict(child="box"), PLACE):
        e = assemble(alone("bench", held(kind(**place), STARTS[start])))
        wanted = np.array(rotation(place.get("orientation", (0.0, 0.0, 0.0))))
        assert np.abs(turned(e) - wanted).max() < 1e-9  # the closing stops at 1e-10
        e = assemble(alone("bench", held(kind(**place, child_orientation=STARTS[start]))))  # the joint turned instead
        assert np.abs(turned(e) @ np.array(rotation(STARTS[start])) - wanted).max() < 1e-9


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("kind", [Revolute, Cylindrical])
def test_a_shaft_far_from_its_bearing_points_the_way_of_its_axis(kind, start):
    for joint in (kind(child="box"), kind(**PLACE, axis=(1.0, 2.0, -0.5))):
        e = assemble(alone("bench", held(joint, STARTS[start])))
        axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
        assert axis @ np.array(rotation(joint.orientation)).T @ turned(e) @ axis == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("start", STARTS)
def test_a_state_set_by_hand_is_turned_to_its_bolts(start):
    program = compile(assemble(alone("bench", held(Fixed(child="box"))), loops=CoordinatePartitioning()), RK4())
    state = program.start()
    far = assemble(
        alone(
            "far", Mechanism(bodies={"box": BOX}, joints={"free": Floating(child="box", orientation_0=STARTS[start])})
        )
    )
    for name, value in zip(("q_w", "q_x", "q_y", "q_z"), far.q_0[3:], strict=True):
        state[f"free.{name}"] = value
    program.refresh(state)
    assert abs(state["free.q_w"]) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("kind", [Fixed, Prismatic, Revolute, Cylindrical])
def test_a_joint_across_a_plane_mechanism_is_refused_the_wrong_way_round(kind):
    cut = kind(child="rod_3", position=(GROUND, 0, 0), child_position=(ROCKER, 0, 0), orientation=(np.pi, 0, 0))
    words = "Mechanism.loops.cut: 'rod_3' sits in it half a turn from where it belongs on 'world', however the joints"
    with pytest.raises(DeclarationError, match=re.escape(words)):
        chain((16.0, 64.0, 40.0), (2.0, 8.0, 5.0), assembled(1.0), (GROUND, 0.0), loops={"cut": cut})


def test_a_hinge_that_cannot_bring_its_bolts_round_is_refused():
    arm = dict(bodies={"arm": BOX}, joints={"hinge": Revolute(child="arm", axis=(0.0, 0.0, 1.0))})
    bolt = Fixed(child="arm", child_orientation=(0.0, 120 * deg, 0.0))
    with pytest.raises(AssemblyError, match=r"gapes at linkage\.cut by .* The loops do not close from the given"):
        assemble(alone("bench", Mechanism(**arm, loops={"cut": bolt})))


def test_locks_open_by_the_angle_and_turn_as_they_say():
    rng = np.random.default_rng(5)
    a = transposed(rotation(tuple(rng.normal(size=3))))
    angles, w = rng.normal(size=3), rng.normal(size=3)
    b = np.array(transposed(rotation(tuple(angles))))
    for rows in (bolted, aligned):
        for k, row in enumerate(rows(a, b)):
            step = 1e-6
            forth, back = (rows(a, b + s * step * np.cross(w, b))[k].Phi for s in (1, -1))
            assert np.dot(row.tau, w) == pytest.approx((forth - back) / (2 * step), rel=1e-7)  # central differences


def test_the_opening_of_a_lock_grows_up_to_half_a_turn():
    n = np.array([0.6, 0.64, 0.48])
    for angle in (0.3, 3.0):
        skew = np.cross(np.eye(3), n)
        b = (np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew).T.tolist()
        assert [row.Phi for row in bolted(IDENTITY, b)] == pytest.approx(-2 * np.tan(angle / 2) * n[[2, 0, 1]])
        b = transposed(rotation((angle, 0.0, 0.0)))
        flat = -np.sin(angle) if angle < np.pi / 2 else np.sin(angle) - 2
        assert [row.Phi for row in bolted(IDENTITY, b)] == pytest.approx([0, flat, 0])
        assert [row.Phi for row in aligned(IDENTITY, b)] == pytest.approx([0, -2 * np.tan(angle / 2)])


@pytest.mark.parametrize("kind", [Fixed, Prismatic])
@pytest.mark.parametrize("start", [30, 89.999, 90, 91, 120, -135, 179, 180, 300])
def test_a_body_in_a_plane_is_turned_to_its_bolts_from_any_angle(kind, start):
    ground, x, y = (dict(parent="world"), dict(parent="x"), dict(parent="y"))
    light = Body(mass=0.5)
    plane = Mechanism(
        bodies={"x": light, "y": light, "box": BOX},
        joints={
            "x": Prismatic(child="x", axis=(1.0, 0.0, 0.0), **ground),
            "y": Prismatic(child="y", axis=(0.0, 1.0, 0.0), **x),
            "z": Revolute(child="box", q_0=start * deg, **y),
        },
        loops={"cut": kind(child="box", position=(0.3, -0.2, 0.0), axis=(1.0, 0.0, 0.0)) if kind is Prismatic
               else kind(child="box", position=(0.3, -0.2, 0.0))},
    )  # fmt: skip
    e = assemble(alone("plane", plane))
    assert np.cos(e.q_0[2]) == pytest.approx(1.0, abs=1e-12)
    assert e.q_0[1] == pytest.approx(-0.2, abs=1e-9)


def test_a_distance_between_points_that_coincide_has_no_direction():
    rod = Distance(child="box", length=0.5)
    with pytest.raises(AssemblyError, match=r"linkage\.cut has no direction at the given positions: the points of a"):
        assemble(alone("bench", held(rod)))


def test_a_cardan_joint_keeps_the_angle_between_its_axes():
    joint = Universal(child="box", axis_1=(1.0, 0.0, 0.0), axis_2=(1.0, 1.0, 0.5))
    e = assemble(alone("bench", held(joint)))
    assert np.abs(turned(e) - np.eye(3)).max() < 1e-15  # as declared, it is closed
    e = assemble(alone("bench", held(joint, start=(0.3, -0.5, 0.8))))
    assert (turned(e) @ joint.axis_2)[0] == pytest.approx(1.0, abs=1e-12)
