"""What loops cannot be, said with place and remedy."""

import re

import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.errors import AssemblyError, DeclarationError, StepError
from oleodyn.mechanics.body import Body
from oleodyn.mechanics.joint import Fixed, Floating, Revolute, Spherical
from oleodyn.mechanics.loop import Distance, Drive, Motion
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from tests.machines.linkages import COUPLER, CRANK, GROUND, ROCKER, alone, assembled, chain, crank_rocker

LENGTHS = (CRANK, COUPLER, ROCKER)
TIP = dict(child="rod_3", child_position=(ROCKER, 0, 0))


def rods(end=(GROUND, 0.0), **options):
    """The crank-rocker's chain, cut as the test wants it."""
    return chain((16.0, 64.0, 40.0), LENGTHS, assembled(1.0), end, **options)


def bolted(**loop):
    """A body on a hinge, another bolted to it or to the ground, and a loop."""
    part = Body(mass=1.0, inertia=np.eye(3))
    return Mechanism(
        bodies=dict(arm=part, box=part),
        joints=dict(hinge=Revolute(child="arm"), bolt=Fixed(parent=loop.pop("on"), child="box")),
        loops=dict(cut=Spherical(**loop)),
    )


def drive(offset=1.0, speed=1.0):
    """A drive of the crank."""
    return Drive(joint="z1", motion=Motion(offset=offset, speed=speed))


def wave(amplitude, w=2.0):
    """A drive of the crank that begins where `drive` does, as fast."""
    return Drive(joint="z1", motion=Motion(offset=1.0, amplitude=amplitude, w=w))


def parting():
    """A drive of the third hinge that begins as it has to when the crank is driven, but goes on steadily."""
    e = assemble(alone("bench", rods(more=dict(crank=drive()))))
    return Drive(joint="z3", motion=Motion(offset=e.q_0[2], speed=e.v_0[2]))


OPEN = {
    "too far": (lambda: rods(end=(20.0, 0.0)), "gapes at linkage.cut by 5.2. The loops do not close from the given"),
    "across the plane": (
        lambda: rods(loops=dict(cut=Revolute(position=(GROUND, 0, 0.2), **TIP))),
        "linkage.cut gapes by 0.2 in a direction in which nothing can move. Check positions and axes",
    ),
    "a tilted axis": (
        lambda: rods(loops=dict(cut=Revolute(position=(GROUND, 0, 0), axis=(0, 0.1, 1), **TIP))),
        "gapes at linkage.cut by 0.0629. The loops do not close",
    ),
    "bodies on one link": (
        lambda: bolted(on="arm", parent="arm", child="box"),
        "linkage.cut keeps nothing that the joints of the tree do not keep already: nothing it could hold can move",
    ),
    "bodies on the ground": (
        lambda: bolted(on="world", parent="world", child="box", position=(0, 0, 1)),
        "linkage.cut gapes by 1 in a direction in which nothing can move",
    ),
    "conflicting loops": (
        lambda: rods(more=dict(rod=Distance(position=(GROUND, 1, 0), length=2.0, **TIP))),
        "gapes at linkage.cut by 0.5 and linkage.rod by 0.5. The loops do not close",
    ),
    "a hinge of the tree again": (
        lambda: rods(more=dict(again=Revolute(parent="rod_1", child="rod_2", position=(CRANK, 0, 0)))),
        "linkage.again keeps nothing that the joints of the tree do not keep already: nothing it could hold can move",
    ),
    "drives that part": (
        lambda: rods(more=dict(steady=drive(), waving=wave(amplitude=0.5))),
        "linkage.steady and linkage.waving agree with the other drives and loops at the start, and contradict them at "
        "t = 0.01 s. Free one of them.",
    ),
    "drives of two joints that part": (
        lambda: rods(more=dict(crank=drive(), rocker=parting())),
        "linkage.crank and linkage.rocker agree with the other drives and loops at the start, and contradict them at",
    ),
    "conflicting drives": (
        lambda: rods(more=dict(slow=drive(), fast=drive(speed=2.0))),
        "gapes at linkage.slow by 0.5 and linkage.fast by 0.5 per second. No speeds satisfy all loops and drives",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", OPEN)
def test_a_loop_that_cannot_close_is_refused_with_place_and_remedy(what):
    mechanism, words = OPEN[what]
    with pytest.raises(AssemblyError, match=re.escape(words)) as caught:
        assemble(alone("bench", mechanism()))
    assert re.match(r".*linkages\.py:\d+: ", str(caught.value))  # where the mechanism was added
    assert re.search(r"(Check|join other|[Ff]ree one)", str(caught.value))


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        (Revolute(parent="rod_3", child="rod_3"), "Mechanism.loops.cut: joins 'rod_3' to itself. Join two different"),
        (Revolute(child="rod_3", damping=3.0), "Mechanism.loops.cut.damping: a joint that closes a loop has none"),
        (Floating(child="rod_3"), "Mechanism.loops.cut = Floating: cannot close a loop. Use Cylindrical, Distance"),
        (Drive(joint="z9", motion=Motion()), "Mechanism.loops.cut.joint = 'z9': must name a Revolute or Prismatic"),
        (Revolute(child="rod_7"), "rod_7"),
    ],
)
def test_a_loop_is_declared_between_bodies_that_can_have_it(loop, words):
    with pytest.raises(DeclarationError, match=re.escape(words)):
        rods(loops=dict(cut=loop))


def test_drives_that_agree_are_redundant_not_refused():
    result = stepped(rods(more=dict(one=drive(), other=drive())), CoordinatePartitioning(), Trapezoidal())
    assert result.attrs["redundant_constraints"] == "linkage.other.0"


def stepped(mechanism, loops, stepper, dt=1e-3):
    """Ten steps."""
    return run(compile(assemble(alone("bench", mechanism), loops=loops), stepper), until=10 * dt, dt=dt)


def test_drives_of_two_joints_that_agree_are_redundant_too():
    # both hinges of a parallelogram turn alike
    bars = (1.0, 2.0, 1.0), (1.0, 2.0, 1.0), np.deg2rad([60, -60, -120])
    motions = (Motion(offset=np.pi / 3, speed=0.5), Motion(offset=-np.pi / 3, speed=-0.5))
    drives = {f"drive_{i}": Drive(joint=f"z{i}", motion=motion) for i, motion in enumerate(motions, start=1)}
    result = stepped(chain(*bars, (2.0, 0.0), more=drives), CoordinatePartitioning(), Trapezoidal())
    assert "linkage.drive" in result.attrs["redundant_constraints"]


@pytest.mark.parametrize(
    ("loops", "stepper", "dt", "words"),
    [
        (None, RK4(), 1e-3, "bench has closed loops. Say how to close them: --loops partitioning"),
        (AugmentedLagrangian(), RK4(), 1e-3, "AugmentedLagrangian does not go with the stepper 'rk4': it iterates"),
        (
            AugmentedLagrangian(alpha=1e7), Trapezoidal(), 1e-3,
            "is too weak for dt = 0.001 s: (dt²/4) α μ = 0.042 must be above 1, where μ = 0.0169 is the smallest "
            "eigenvalue of D M⁻¹ Dᵀ. Take alpha = 2e+09 or more.",
        ),
        (AugmentedLagrangian(), Trapezoidal(), 1e-5, "is too weak for dt = 1e-05 s"),
        (Penalty(alpha=100.0), RK4(), 1e-3, "is too weak: α μ = 1.7 must be above 10"),
        (
            CoordinatePartitioning(independent=("z1", "z2")), RK4(), 1e-3,
            "bench: z1, z2 cannot all be independent: the loops leave 1 of 3 speeds free. Name fewer",
        ),
        (
            CoordinatePartitioning(independent=()), RK4(), 1e-3,
            "bench: with nothing independent, linkage.z2.q_dot stay undetermined. Name one of them too",
        ),
        (CoordinatePartitioning(independent=("z7",)), RK4(), 1e-3, "bench: independent 'z7' names no speeds"),
    ],
)  # fmt: skip
def test_a_policy_that_cannot_work_is_refused_with_the_reason(loops, stepper, dt, words):
    with pytest.raises(AssemblyError, match=re.escape(words)):
        stepped(rods(), loops, stepper, dt)


def test_a_weak_penalty_is_refused_in_a_loop_written_by_hand():
    program = compile(assemble(crank_rocker(), loops=AugmentedLagrangian()), Trapezoidal())
    state = program.start()
    program.step(state, dt=1e-3)
    with pytest.raises(AssemblyError, match="too weak for dt = 1e-05 s"):
        program.step(state, dt=1e-5)


def test_loops_that_drift_apart_end_the_run():
    drifting = Penalty(alpha=1e3, omega=0.0)
    with pytest.raises(StepError, match=r"the loops gape.*Take another alpha.* at linkage\.cut") as caught:
        run(compile(assemble(crank_rocker(speed=6.0), loops=drifting), RK4()), until=10.0, dt=1e-3)
    gap = [np.abs(caught.value.result.values(f"linkage.cut.{row}.gap")[-1]) for row in (0, 1)]
    assert 0.04 < max(gap) <= 0.05  # Penalty.gap
