"""Closed loops: three policies against closed forms, through singular positions, with what is redundant."""

import numpy as np
import pytest

from oleodyn.catalogue import four_bar, four_bar_friction, quick_return
from oleodyn.equations.assemble import assemble
from oleodyn.equations.closure.augmented_lagrangian import AugmentedLagrangian
from oleodyn.equations.closure.coordinate_partitioning import CoordinatePartitioning, redundant
from oleodyn.equations.closure.penalty import Penalty
from oleodyn.equations.equilibrium import equilibrium
from oleodyn.equations.linearise import linearise
from oleodyn.errors import StepError
from oleodyn.mechanics.joint import Revolute, Spherical
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.mechanics.vector import IDENTITY
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.adams_bashforth import AdamsBashforth3
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.units import deg
from tests.machines import linkages
from tests.machines.linkages import GROUND, ROCKER, alone, chain, crank_rocker

ANGLES = ("z1", "z2", "z3")
STRONG = AugmentedLagrangian(alpha=1e13, projections=2)


def ran(machine, loops, stepper, until, dt, every=1, state=None):
    """A run of a machine that stands alone."""
    return run(compile(assemble(machine, loops=loops), stepper), until=until, dt=dt, every=every, state=state)


def drift(result):
    """Largest change of what must stay: kinetic and potential energy [J]."""
    energy = result.values("linkage.kinetic.energy") + result.values("linkage.potential.energy")
    return np.abs(energy - energy[0]).max()


# ------------------------------------------------------------------ driven: Φ_t and its rate


DRIVEN = {
    "augmented-lagrangian, trapezoidal": (STRONG, Trapezoidal(tolerance=1e-11)),
    "partitioning, trapezoidal": (CoordinatePartitioning(), Trapezoidal()),
    "partitioning, rk4": (CoordinatePartitioning(), RK4()),
    "partitioning, hht": (CoordinatePartitioning(), HHT()),
    "partitioning, ab3": (CoordinatePartitioning(), AdamsBashforth3()),
    "penalty, rk4": (Penalty(alpha=1e12), RK4()),
}


@pytest.mark.parametrize("how", DRIVEN)
def test_a_driven_four_bar_moves_as_its_geometry_says(how, verification):
    loops, stepper = DRIVEN[how]
    result = ran(linkages.driven(), loops, stepper, until=3.0, dt=1e-3)
    exact = linkages.driven_in_closed_form(result.time)
    for name, values in zip(("q", "q_dot", "q_ddot"), exact, strict=True):
        computed = np.column_stack([result.values(f"{joint}.{name}") for joint in ANGLES])
        verification(
            "Closed loops", f"driven four-bar, {name}: {how}", "circles that meet",
            np.abs(np.exp(1j * (computed - values)) - 1).max() if name == "q" else np.abs(computed - values).max(),
            1e-9 if name != "q_ddot" else 1e-8,  # accelerations: rounding of M + α Dᵀ D
        )  # fmt: skip
    assert abs(result.energy.residual) < 1e-2  # of 2,900 J that the drive gives and takes: order of the quadrature


# ------------------------------------------------------------------ singular positions


@pytest.mark.parametrize(("alpha", "gap"), [(1e11, 1e-9), (1e9, 1e-7)])
def test_the_augmented_lagrangian_goes_through_collinear_links(alpha, gap, verification):
    result = ran(linkages.parallelogram(), AugmentedLagrangian(alpha=alpha), Trapezoidal(), until=5.0, dt=1e-3)
    found = np.interp(list(linkages.PARALLELOGRAM), result.time, result.values("z1.q"))
    verification(
        "Closed loops", f"parallelogram through its singular positions, α = {alpha:.0e}", "pendulum, rtol 1e-11",
        np.abs(found - np.array(list(linkages.PARALLELOGRAM.values())) * deg).max(), 3.7e-6, unit="rad",
    )  # fmt: skip
    assert np.abs(result.values("z1.q") + result.values("z2.q")).max() < gap


@pytest.mark.parametrize("stepper", [Trapezoidal(), RK4(), HHT()])
def test_partitioning_reports_the_singular_position_it_would_leap_over(stepper):
    with pytest.raises(StepError, match=r"singular position\. .*AugmentedLagrangian\(\).* at linkage\.cut") as caught:
        ran(linkages.parallelogram(), CoordinatePartitioning(), stepper, until=5.0, dt=1e-3)
    assert caught.value.time == pytest.approx(0.555, abs=2e-3)  # where the links are in line
    theta = caught.value.result.values("z1.q")[-1]
    assert 0 <= theta < 5e-3 and caught.value.result.time[-1] == pytest.approx(caught.value.time)


@pytest.mark.parametrize("stepper", [RK4(), AdamsBashforth3(), Trapezoidal(), HHT(), PartitionedHHT()])
@pytest.mark.parametrize(("speed", "gravity"), [(1.0, 0.0), (1.0, 9.81), (0.0, 9.81)])
def test_partitioning_reports_a_start_in_a_singular_position_it_would_leave(stepper, speed, gravity):
    # three links in line: two speeds are free there, and one everywhere else
    in_line = chain(
        (1.0, 2.0, 1.0), (1.0, 2.0, 1.0), np.array([0, 0, 180]) * deg, (2.0, 0.0),
        gravity=(0.0, -gravity, 0.0), speed=speed,
    )  # fmt: skip
    with pytest.raises(StepError, match=r"singular position\. .*AugmentedLagrangian\(\).* at linkage\.cut") as caught:
        ran(alone("in line", in_line), CoordinatePartitioning(), stepper, until=0.5, dt=1e-3)
    assert caught.value.time < 0.07  # as soon as the left-out row gapes by 1e-9 m, of second order in the angle


def test_partitioning_takes_other_coordinates_near_a_dead_point():
    machine = alone("near", chain((1.0, 2.0, 1.0), (1.5, 1.2, 1.0), np.array([60, -60, -120]) * deg, (1.2, 0.0)))
    coarse, fine = (ran(machine, CoordinatePartitioning(), RK4(), 2.5, dt, round(1e-2 / dt)) for dt in (2e-4, 1e-4))
    assert fine.timing["rechosen"] >= 2
    assert drift(fine) < 1e-6  # RK4 at 0.1 ms; speeds up to 10 rad/s
    change = max(np.abs(coarse.values(f"{name}.q") - fine.values(f"{name}.q")).max() for name in ANGLES)
    assert change < 1e-7  # nothing is lost where the coordinates change
    assert len(fine.time) == 251  # and nothing is recorded twice
    other = ran(machine, AugmentedLagrangian(alpha=1e13), Trapezoidal(tolerance=1e-11), 2.5, 1e-4, 100)
    assert np.abs(other.values("z1.q") - fine.values("z1.q")).max() < 1e-4  # order 2 at 0.1 ms


def test_a_bad_choice_is_kept_if_the_user_made_it():
    policy = CoordinatePartitioning(independent=("z3",))
    with pytest.raises(StepError, match="AugmentedLagrangian"):
        ran(crank_rocker(speed=6.0), policy, Trapezoidal(), until=3.0, dt=1e-3)


# ------------------------------------------------------------------ redundant constraints


def doubled():
    """The crank-rocker, cut twice in the same hinge."""
    return crank_rocker(
        speed=6.0, more={"again": Revolute(child="rod_3", position=(GROUND, 0, 0), child_position=(ROCKER, 0, 0))}
    )


def mixed():
    """The crank-rocker in 3-D: a ball and a hinge close it, and a ball in the tree leaves no row idle."""
    plain = chain((16.0, 64.0, 40.0), (2.0, 8.0, 5.0), linkages.assembled(1.0), (GROUND, 0.0), speed=6.0)
    bodies = {name: type(body)(mass=body.mass, com=body.com, inertia=IDENTITY) for name, body in plain.bodies.items()}
    joints = dict(plain.joints)
    z_3 = joints["z3"]
    joints["z3"] = Spherical(
        parent=z_3.parent, child=z_3.child, position=z_3.position, orientation_0=(0.0, 0.0, z_3.q_0)
    )
    return alone("mixed", Mechanism(gravity=plain.gravity, bodies=bodies, joints=joints, loops=plain.loops))


@pytest.mark.parametrize(
    ("loops", "stepper"),
    [
        (AugmentedLagrangian(alpha=1e13), Trapezoidal(tolerance=1e-11)),
        (CoordinatePartitioning(), RK4()),
        (Penalty(alpha=1e11), RK4()),
    ],
)
@pytest.mark.parametrize("machine", [doubled, mixed])
def test_redundant_constraints_change_nothing(machine, loops, stepper):
    spare = redundant(assemble(machine()))
    assert len(spare) == {"doubled": 2, "mixed": 1}[machine.__name__]
    result = ran(machine(), loops, stepper, until=1.0, dt=5e-4, every=20)
    assert result.attrs.get("redundant_constraints", "") == ", ".join(spare)
    if machine is doubled:
        single = ran(crank_rocker(speed=6.0), CoordinatePartitioning(), RK4(), until=1.0, dt=5e-4, every=20)
        assert np.abs(result.values("z1.q") - single.values("z1.q")).max() < 2e-5  # order 2 at 0.5 ms
    assert drift(result) < 0.02  # of 1,500 J
    assert np.isfinite(result.table).all()


def test_a_loop_through_a_plane_mechanism_keeps_only_what_can_move():
    cut = {"cut": Spherical(child="rod_3", position=(GROUND, 0, 0), child_position=(ROCKER, 0, 0))}
    ball = assemble(
        alone("ball", chain((16.0, 64.0, 40.0), (2.0, 8.0, 5.0), linkages.assembled(1.0), (0, 0), loops=cut))
    )
    assert ball.Phi.numel() == assemble(crank_rocker()).Phi.numel() == 2


# ------------------------------------------------------------------ what loops tell


@pytest.mark.parametrize(
    ("loops", "within"), [(CoordinatePartitioning(), 1e-6), (AugmentedLagrangian(), 1e-6), (Penalty(alpha=1e11), 1e-5)]
)
def test_joints_of_a_closed_loop_carry_what_statics_says(loops, within, verification):
    program = compile(assemble(four_bar.machine(), loops=loops), Trapezoidal())
    state = program.start()
    state.dt = 1e-3
    program.refresh(state)
    told = program.observe(state)
    statics = four_bar_statics()
    turned = dict(z1=0.0, z2=-135 * deg, z3=180 * deg, cut=180 * deg)  # axes of the child's side
    for joint, (F_x, F_y) in statics.items():
        c, s = np.cos(turned[joint]), np.sin(turned[joint])
        wanted = c * F_x + s * F_y, c * F_y - s * F_x
        found = tuple(told[f"linkage.{joint}.reaction.F_{axis}"] for axis in "xy")
        verification(
            "Closed loops", f"force in {joint} of the four-bar at rest: {loops.name}", "statics of each bar",
            np.abs(np.subtract(found, wanted)).max() / 4000, within,
        )  # fmt: skip


def four_bar_statics():
    """Force on the child in O (z1), B (z2), C (z3) and E (cut): nine balances of forces and moments."""
    points = np.array([[0, 0], [3, 0], [2, -1], [0, -1]])  # O, B, C, E
    ends = [[(0, 1), (1, -1)], [(1, 1), (2, -1)], [(2, 1), (3, 1)]]  # (joint, sign) at bodies 1, 2, 3
    pin, push = np.array([1, -1]), np.array([1, 1]) / np.sqrt(2)  # the cylinder at F, from G
    weight, middle = 9.81 * np.array(four_bar.M), [4.5, 2.5, 1.0]
    A, b = np.zeros((9, 9)), np.zeros(9)
    for body in range(3):
        for joint, sign in ends[body]:
            x, y = points[joint]
            A[3 * body : 3 * body + 3, 2 * joint : 2 * joint + 2] += sign * np.array([[1, 0], [0, 1], [-y, x]])
        b[3 * body + 1 : 3 * body + 3] = weight[body], middle[body] * weight[body]
    A[6:9, 8] = *push, pin[0] * push[1] - pin[1] * push[0]
    forces = np.linalg.solve(A, b)
    assert forces[8] == pytest.approx(four_bar.FORCE, rel=1e-10)
    return dict(zip(("z1", "z2", "z3", "cut"), forces[:8].reshape(4, 2), strict=True))


@pytest.mark.parametrize(
    ("machine", "joint", "published"),
    [(four_bar, "z3", 11.1), (quick_return, "z4", 15.8), (four_bar_friction, "z2", 29.4)],
)
def test_a_mechanism_on_its_oil_swings_at_the_frequency_of_the_specification(machine, joint, published):
    still = machine.machine().replace("cylinder.friction", None).replace("throttle.area", 1e-15)
    mode = max(linearise(assemble(still)).modes(), key=lambda mode: abs(mode.eigenvalue.imag))
    assert mode.frequency / (2 * np.pi) == pytest.approx(published, abs=0.05)  # three digits are given
    assert mode.signals[0] == f"linkage.{joint}.q_dot"


def test_a_closed_loop_rests_where_the_oil_holds_it():
    e = assemble(four_bar.machine())
    rest = equilibrium(e, hold=["valve.spool.x", "hose_3.port.p"])
    assert np.abs(rest.q - e.q_0).max() < 1e-9  # the printed force is the static one, to 1e-10
    assert rest.v.shape == (3,) and not rest.v.any()


# ------------------------------------------------------------------ states set by hand


@pytest.mark.parametrize("loops", [CoordinatePartitioning(), AugmentedLagrangian()])
def test_loops_of_a_state_set_by_hand_are_closed_before_the_first_step(loops):
    program = compile(assemble(crank_rocker(), loops=loops), Trapezoidal())
    state = program.start()
    state["z1.q"], state["z1.q_dot"] = 1.05, 2.0
    program.refresh(state)
    assert (state["z1.q"], state["z1.q_dot"]) == (1.05, 2.0)  # what was given stays, the others follow
    program.step(state, dt=1e-3)
    told = program.observe(state)
    assert max(abs(told[f"linkage.cut.{row}.gap"]) for row in (0, 1)) < 1e-10
    assert max(abs(told[f"linkage.cut.{row}.gap_dot"]) for row in (0, 1)) < 1e-6
