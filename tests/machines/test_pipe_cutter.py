"""The pipe cutter as a machine: loads, rest, open loop, end stop, payload, gains of its joints."""

import numpy as np
import pytest

from oleodyn.catalogue import pipe_cutter_gains
from oleodyn.catalogue.at_rest import mass_and_force
from oleodyn.catalogue.pipe_cutter import machine
from oleodyn.catalogue.pipe_cutter_drives import AXES, I_MAX, arm
from oleodyn.catalogue.pipe_cutter_tasks import (
    CIRCLE,
    TABLE_4,
    gravity,
    holding_currents,
    loaded_pressures,
    loaded_start,
)
from oleodyn.catalogue.shelf import load
from oleodyn.contact.chip import FeedFromMotion
from oleodyn.control.gains import judged
from oleodyn.control.pid import Gains
from oleodyn.equations.assemble import assemble
from oleodyn.equations.inspect import operations
from oleodyn.equations.point import point_of
from oleodyn.errors import DeclarationError
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.mechanism import Mechanism
from oleodyn.program.compile import compile
from oleodyn.simulation.realtime import run_realtime
from oleodyn.simulation.run import changed_by, run, simulate
from oleodyn.simulation.scenario import Scenario
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.units import bar, deg, mA

POSTURE = (0.3, 0.15, -0.35, -0.5, 0.2, 0.4)
CUT_START = (0.0, 0.170922, -0.337251, -0.797213, 0.0, 0.0)
SPEC = "pipe-cutter specification"


def test_gravity_on_every_joint(verification):
    expected = (0, 0, 1945.616, 744.358, 44.651, -7.278)
    for joint, (torque, value) in enumerate(zip(gravity(POSTURE), expected, strict=True), start=1):
        verification("Pipe cutter", f"gravity torque of joint {joint}", f"{SPEC} 7.2", torque, 1e-3, value, "N·m")


def test_the_mass_matrix_is_symmetric_positive_and_the_printed_one():
    M = np.array(mass_and_force(arm(), POSTURE, (0.0,) * 6)[0], dtype=float)
    assert np.diag(M) == pytest.approx((1788.845, 500, 263.440, 99.432, 26.511, 0.6405), abs=6e-4)  # as printed
    assert (M[0, 1], M[0, 4], M[2, 3]) == pytest.approx((-6.0606, 112.962, 150.236), abs=6e-4)
    assert np.array_equal(M, M.T)
    assert np.linalg.eigvalsh(M)[0] > 0


def test_a_payload_of_250_kg_adds_what_its_arm_says():
    stretched = (0.0,) * 6
    added = gravity(stretched, payload=250.0)[2] - gravity(stretched)[2]
    assert gravity(stretched)[2] == pytest.approx(2420, rel=2e-3)  # as printed, three digits
    assert added == pytest.approx(250 * 9.80665 * (0.502 + 0.482 + 0.9291), rel=1e-12)


def test_pressures_and_currents_hold_the_arm_where_the_cut_begins():
    start, u = loaded_pressures(CUT_START), np.array(holding_currents(CUT_START)) / mA
    drop = [(start[f"motor_{i}.A.p"] - start[f"motor_{i}.B.p"]) / bar for i in (3, 4)]
    assert drop == pytest.approx((9.846, 2.805), abs=1e-3)  # as printed
    assert u == pytest.approx((0, 0, 0.071349, 0.033048, -0.015429, -0.005973), abs=1e-6)  # as printed


def test_the_loaded_start_is_a_point_of_rest():
    equations = assemble(machine(controlled=False, saw=False))
    inputs = {f"valve_{i}.i": u for i, u in enumerate(holding_currents(CUT_START), start=1)}
    program = compile(equations, HHT(), record=[], account=False)
    state = program.start(**loaded_start(CUT_START, controlled=False))
    result = run(program, until=2.0, dt=0.2e-3, inputs=inputs, state=state)
    assert max(np.ptp(result.values(f"arm.joint_{i}.q")) for i in range(1, 7)) < 1e-12  # rounding


def test_driven_against_its_stop_joint_1_goes_as_far_as_the_stop_gives_way(verification):
    start = loaded_pressures((1.4, 0.2, -0.2, -0.3, 0.0, 0.0))
    scenario = Scenario.of({"valve_1.i": I_MAX}, start=start)
    result = simulate(machine(controlled=False, saw=False), scenario=scenario, until=4.0, every=1)
    excess = result.values("arm.joint_1.q") / deg - 90
    verification("Pipe cutter", "beyond the end stop at rest", f"{SPEC} 7.11", excess[-1], 5e-4, 0.6870, "deg")
    verification("Pipe cutter", "beyond the end stop at most", f"{SPEC} 7.11", excess.max(), 5e-3, 1.04, "deg")
    assert result.values("motor_1.A.p")[-1] / bar == pytest.approx(139.93, abs=0.005)  # as printed
    assert result.values("motor_1.B.p")[-1] / bar == pytest.approx(0.069, abs=0.0005)  # as printed


def test_the_stiff_plant_has_a_tenth_of_the_oil_and_no_rotors():
    nominal, stiff = machine().parts["motor_3"], machine(stiff=True).parts["motor_3"]
    assert (stiff.V_A, stiff.V_B, stiff.J) == (nominal.V_A / 10, nominal.V_B / 10, 0.0)


def test_table_6_is_half_of_table_4():
    scenarios = load("pipe-cutter").scenarios
    for i in range(1, 7):
        for gain in ("K_p", "K_i", "K_d"):
            name = f"pid_{i}.{gain}"
            assert scenarios["cut"].changes[name] == scenarios["circle"].changes[name] / 2


def test_both_tasks_begin_on_their_path_and_stay_at_rest_until_it_moves():
    result = simulate(load("pipe-cutter"), scenario="circle", until=4.9, record=["arm.tool.r_x", "arm.tool.r_z"])
    for name, place in (("arm.tool.r_x", 0), ("arm.tool.r_z", 2)):
        assert np.ptp(result.values(name)) < 1e-12  # 4.9 s of holding still, to rounding
        assert result.values(name)[0] == pytest.approx(CIRCLE.poses(np.zeros(1))[0, place, 3], abs=1e-12)


@pytest.mark.parametrize(("payload", "scenario"), [(0.0, "circle-loaded"), (0.0, "hold"), (250.0, "hold")])
def test_with_or_without_a_payload_it_begins_in_balance(payload, scenario):
    plant = machine(payload=payload)
    result = simulate(plant, scenario=scenario, until=4.9)
    loads = gravity([result.values(f"arm.joint_{i}.q")[0] for i in range(1, 7)], payload if scenario == "hold" else 250)
    drop = result.values("motor_3.A.p")[0] - result.values("motor_3.B.p")[0]
    assert drop == pytest.approx(loads[2] / (0.836 * 160 * 80.5e-6 / (2 * np.pi)), rel=1e-12)
    assert max(np.ptp(result.values(f"arm.joint_{i}.q")) for i in range(1, 7)) < 1e-12  # rounding


def test_a_payload_of_nothing_costs_no_operation():
    bare = arm()
    bodies = {name: body for name, body in bare.bodies.items() if name != "payload"}
    joints = {name: joint for name, joint in bare.joints.items() if name != "payload_mount"}
    counts = []
    for mechanism in (bare, Mechanism(gravity=bare.gravity, bodies=bodies, joints=joints, frames=bare.frames)):
        made = Machine("arm")
        made.add("arm", mechanism)
        counts.append(operations(assemble(made)))
    assert counts[0] == counts[1]


def test_more_than_the_rated_payload_is_refused():
    with pytest.raises(DeclarationError, match=r"payload = 300 kg: must lie within 0 and 250 \(mass held at the tool"):
        machine(payload=300.0)
    with pytest.raises(DeclarationError, match=r"payload = nan kg"):
        machine(payload=float("nan"))


def test_a_cut_begun_cold_sags_and_comes_back():
    result = simulate(load("pipe-cutter"), scenario="cut-cold", until=20.0, record=["arm.tool.r_z"])
    z = result.values("arm.tool.r_z") + 1.445
    assert z.min() < -1e-3  # the pressures of the start, half of the supply, hold nothing
    assert abs(z[-1]) < 0.2e-3


def test_a_paced_run_gives_the_same_bits_as_one_that_is_not():
    plant = load("pipe-cutter")
    scenario = plant.scenarios["circle"]
    program = compile(assemble(changed_by(scenario, plant)), HHT(), account=False)
    paced, free = program.start(), program.start()
    pacing = run_realtime(program, until=0.2, dt=0.2e-3, inputs=scenario, state=paced)
    run(program, until=0.2, dt=0.2e-3, inputs=scenario, state=free)
    assert pacing.steps == 1000
    assert np.array_equal(paced.y, free.y)


def test_a_run_that_goes_on_does_not_begin_again():
    plant = load("pipe-cutter")
    scenario = plant.scenarios["circle"]
    program = compile(assemble(changed_by(scenario, plant)), HHT(), account=False)
    whole, parts = program.start(), program.start()
    run(program, until=6.0, dt=0.2e-3, inputs=scenario, state=whole)
    for until in (5.5, 6.0):
        run(program, until=until, dt=0.2e-3, inputs=scenario, state=parts)
    assert np.array_equal(whole.y, parts.y)


def test_a_whole_cut_by_the_tools_own_motion_takes_the_energy_of_the_wall(verification):
    plant = load("pipe-cutter").replace("saw.chip", FeedFromMotion(period=1 / 30))
    result = simulate(plant, scenario="cut", record=["saw.chip.cut", "arm.tool.r_y"], every=100)
    work = {row.name: row.joules for row in result.energy.rows}["saw.spindle"]
    name = "whole cut in closed loop, chips from the motion: work of the spindle"
    verification("Pipe cutter", name, "k_t W π (r_o² − r_i²)", work, 120, 11979, "J")  # 1 %: the tool's own shaking
    assert np.all(np.diff(result.values("saw.chip.cut")[1:]) >= 0)  # what is cut stays cut


# ------------------------------------------------------------------ gains


@pytest.mark.parametrize(("joint", "expected"), [(1, 2.9), (2, 5.2), (3, 2.5), (5, 2.36)])
def test_a_joint_moves_as_fast_for_a_milliampere_as_in_the_open_loop_runs(joint, expected):
    plant = pipe_cutter_gains.joint_plant(joint)
    speed = pipe_cutter_gains.speed_per_current(plant) / pipe_cutter_gains.per_unit(joint)
    assert speed == pytest.approx(expected, rel=0.05)  # peaks of those runs, at another load


def test_the_moving_joint_is_in_balance_but_for_its_own_way():
    equations = assemble(machine(controlled=False, saw=False))
    point = point_of(equations, pipe_cutter_gains.moving(3))
    import casadi as ca

    rates = ca.Function("rates", [equations.t, equations.q, equations.v, equations.x, equations.z, equations.u,
                                  equations.p], [equations.f, equations.x_dot])  # fmt: skip
    force, x_dot = (np.array(value).ravel() for value in rates(*point.arguments(equations)))
    names = [card.name for card in equations.x_signals]
    assert abs(force[2]) < 40  # N·m of 1,600: joint 3 turns at a steady 2 deg/s, gravity aside
    assert abs(x_dot[names.index("motor_3.A.p")]) < 1e-3 * 14e6  # Pa/s: a thousandth of the supply in a second
    assert x_dot[names.index("motor_3.friction.z")] == pytest.approx(0.0, abs=1e-12)


def test_gains_asked_for_give_the_poles_asked_for():
    found = pipe_cutter_gains.joint_gains(1, bandwidth=3.0, damping=0.7)
    plant = pipe_cutter_gains.joint_plant(1)
    from oleodyn.control.margins import poles

    slow = poles(plant, found.gains)
    slow = slow[np.argsort(np.abs(slow))][:2]
    assert np.abs(slow) == pytest.approx(3.0, rel=1e-6)
    assert -slow.real / np.abs(slow) == pytest.approx(0.7, rel=1e-6)
    assert found.margins.gain_margin > 2


def test_every_row_of_table_4_is_stable_with_room():
    for joint, row in enumerate(TABLE_4, start=1):
        unit = pipe_cutter_gains.per_unit(joint)
        found = judged(pipe_cutter_gains.joint_plant(joint), Gains(*(k / unit for k in row)))
        assert found.margins.gain_margin > 2
        assert found.margins.phase_margin > 60 * deg


def test_too_much_bandwidth_is_refused_with_what_can_be_had():
    with pytest.raises(DeclarationError, match="no PID gives it stably"):
        pipe_cutter_gains.joint_gains(2, bandwidth=400.0, damping=0.7)


def test_every_axis_has_a_drive_with_its_own_numbers():
    assert len(AXES) == 6
    assert len({axis.rated_flow for axis in AXES}) == 4
