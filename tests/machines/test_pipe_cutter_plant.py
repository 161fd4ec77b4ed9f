"""The assembled pipe cutter: geometry, dynamics, rest, energy and end stop from its equations, not from its parts."""

from functools import cache

import casadi as ca
import numpy as np
import pytest

from oleodyn.catalogue import pipe_cutter
from oleodyn.catalogue.arm_geometry import PIPE_CUTTER
from oleodyn.catalogue.pipe_cutter_drives import AXES, EPS, I_MAX, OIL, PRESSURE, X_MAX, arm, motor, turns, valve
from oleodyn.catalogue.pipe_cutter_tasks import holding_currents, loaded_pressures, loaded_start
from oleodyn.equations.assemble import assemble
from oleodyn.kinematics.kinematics import Kinematics
from oleodyn.machine.machine import Machine
from oleodyn.maths import pi, signed_root
from oleodyn.mechanics.source import WrenchSource
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.signal import as_signal
from oleodyn.simulation.steppers.by_name import STEPPERS
from oleodyn.simulation.wave import Sine
from oleodyn.units import bar

SECTION = "Pipe cutter"
JOINTS = range(1, 7)
POSTURE = (0.3, 0.15, -0.35, -0.5, 0.2, 0.4)
OPEN_LOOP = (0.0, 0.2, -0.2, -0.3, 0.0, 0.0)
CUT_START = (0.0, 0.170922, -0.337251, -0.797213, 0.0, 0.0)
"""To the six digits that the specification prints."""


@cache
def equations():
    return assemble(pipe_cutter.machine(controlled=False, saw=False))


@cache
def program(stepper, account=False, record=()):
    return compile(equations(), STEPPERS[stepper](), record=list(record), account=account)


@cache
def bare():
    """The arm without drives, with a wrench on its tool."""
    made = Machine("bare")
    made.add("arm", arm())
    made.add("tool", WrenchSource())
    made.connect("tool.frame", "arm.tool")
    return assemble(made)


def mass_and_force(e, q, v, force=(0.0, 0.0, 0.0)):
    """M and f of assembled equations, as numbers."""
    u = [dict(zip(("tool.F_x", "tool.F_y", "tool.F_z"), force, strict=True)).get(s.name, 0.0) for s in e.u_signals]
    symbols = [e.t, e.q, e.v, e.x, e.z, e.u, e.p]
    M, f = ca.Function("mf", symbols, [e.M, e.f])(0, q, v, e.x_0, e.z_0, u, e.p_0)
    return np.array(M), np.array(f).ravel()


def rotors():
    return np.diag([motor(i, axis, stiff=False).J * turns(motor(i, axis, stiff=False)) ** 2 for i, axis in
                    enumerate(AXES, start=1)])  # fmt: skip


# ------------------------------------------------------------------ geometry


@cache
def kinematics():
    made = Machine("arm-alone")
    made.add("arm", arm())
    return Kinematics(made)


def test_the_mechanism_puts_the_tool_where_the_closed_form_says(verification):
    low, high = np.array(PIPE_CUTTER.limits).T
    q = np.random.default_rng(3).uniform(low, high, (500, 6))
    apart = np.abs(kinematics().forward(q) - PIPE_CUTTER.forward(q)).max()
    verification(SECTION, "tool of the mechanism, 500 sets", "closed form", apart, 1e-12, unit="m")


def test_the_mechanism_stands_where_the_specification_says(verification):
    T = kinematics().forward(np.array(POSTURE))
    expected = (
        (0.913152, -0.145028, -0.380947, -1.024377), (0.102645, -0.822635, 0.559227, 2.686928),
        (-0.394484, -0.549762, -0.736305, -1.218353),
    )  # fmt: skip
    apart = np.abs(T[:3] - expected).max()
    verification(SECTION, "pose of the tool, worst entry", "specification 7.1", apart, 1e-6)  # six digits printed
    reach = kinematics().forward(np.zeros(6))[:3, 3]
    assert reach == pytest.approx((0, 3.2421, 0), abs=1e-12)


# ------------------------------------------------------------------ dynamics


def test_assembled_mass_and_gravity_are_those_of_the_specification(verification):
    M, f = mass_and_force(bare(), POSTURE, np.zeros(6))
    diagonal = (1788.845, 500, 263.440, 99.432, 26.511, 0.6405)
    apart = np.abs(np.diag(M) - diagonal).max()
    verification(SECTION, "diagonal of the mass matrix", "specification 7.2", apart, 1e-3, unit="kg·m²")
    assert (M[0, 1], M[0, 4], M[2, 3]) == pytest.approx((-6.0606, 112.962, 150.236), abs=1e-3)  # digits printed
    assert np.abs(M - M.T).max() <= 1e-12 * M.max() and np.linalg.eigvalsh(M)[0] > 0
    assert -f == pytest.approx((0, 0, 1945.616, 744.358, 44.651, -7.278), abs=1e-3)


def test_the_drives_add_their_rotors_to_the_mass_matrix_and_nothing_else():
    alone, _ = mass_and_force(bare(), POSTURE, np.zeros(6))
    driven, _ = mass_and_force(equations(), POSTURE, np.zeros(6))
    assert driven - alone == pytest.approx(rotors(), abs=1e-10)
    assert np.diag(rotors()) == pytest.approx((12.8, 157.9, 12.8, 12.8, 2.56, 2.56), rel=1e-3)  # specification 4


def test_inverse_dynamics_with_rotors_and_a_force_on_the_tool(verification):
    v, a = (0.1, 0.05, -0.2, 0.3, -0.1, 0.2), (0.5, -0.2, 0.3, -0.4, 0.6, -0.7)
    M, f = mass_and_force(bare(), POSTURE, v, force=(0.0, -50.0, -90.0))
    torque = (M + rotors()) @ a - f
    expected = (927.213457, -97.389073, 2121.668124, 855.787738, 113.853624, -8.530068)
    apart = np.abs(torque - expected).max()
    verification(SECTION, "inverse dynamics, worst joint", "specification 7.2", apart, 1e-6, unit="N·m")


# ------------------------------------------------------------------ drives


@pytest.mark.parametrize(("k", "drop", "torque"), [(0, 140, 150), (1, 90, 45), (2, 140, 150), (3, 140, 150),
                                                   (4, 90, 45), (5, 90, 45)])  # fmt: skip
def test_motors_give_the_printed_torque_at_the_printed_pressure(k, drop, torque):
    drive = motor(k + 1, AXES[k], stiff=False)
    assert drive.eta * drive.D * drop * bar == pytest.approx(torque, rel=1e-3)  # eta has three digits


def test_printed_displacements_per_joint_unit():
    D_n = [motor(i, axis, stiff=False).D * turns(motor(i, axis, stiff=False)) for i, axis in enumerate(AXES, start=1)]
    assert D_n == pytest.approx((2.0499e-3, 7.980e-3, 2.0499e-3, 2.0499e-3, 1.0160e-3, 1.0160e-3), rel=1e-4)


def test_the_stiff_plant_has_no_rotors_in_its_mass_matrix():
    M, _ = mass_and_force(assemble(pipe_cutter.machine(controlled=False, saw=False, stiff=True)), POSTURE, np.zeros(6))
    alone, _ = mass_and_force(bare(), POSTURE, np.zeros(6))
    assert pytest.approx(alone, abs=1e-10) == M


# ------------------------------------------------------------------ rest


@pytest.mark.parametrize("name", STEPPERS)
def test_loaded_and_with_the_holding_currents_the_arm_stays_for_ten_seconds(name, verification):
    inputs = {f"valve_{i}.i": u for i, u in enumerate(holding_currents(CUT_START), start=1)}
    made = program(name)
    state = made.start(**loaded_start(CUT_START, controlled=False))
    result = run(made, until=10.0, dt=0.2e-3, inputs=inputs, state=state, every=500)
    moved = max(np.abs(result.values(f"arm.joint_{i}.q") - CUT_START[i - 1]).max() for i in JOINTS)
    verification(SECTION, f"10 s at rest, {name}", "specification 7.3", moved, 1e-12, unit="rad")


def test_without_the_holding_currents_the_loaded_joint_creeps():
    """Specification 6: 35 mrad in 10 s with closed valves, where the sum of the pressures stays."""
    made = program("hht")
    state = made.start(**loaded_pressures(OPEN_LOOP))
    result = run(made, until=10.0, dt=0.2e-3, inputs={}, state=state, every=500)
    q, p_A, p_B = (result.values(name) for name in ("arm.joint_3.q", "motor_3.A.p", "motor_3.B.p"))
    assert q[0] - q[-1] == pytest.approx(35e-3, rel=0.03)  # two digits are told
    assert p_A + p_B == pytest.approx(np.full_like(p_A, PRESSURE), rel=1e-12)


# ------------------------------------------------------------------ energy


RECORD = (*(f"motor_{i}.{'F' if i == 2 else 'tau'}" for i in JOINTS), *(f"motor_{i}.friction.F" for i in JOINTS),
          "valve_3.A.Q", "valve_3.B.Q")  # fmt: skip


@cache
def pushed(stepper, dt):
    """Joint 3 driven for 1 s, every step recorded."""
    inputs = {"valve_3.i": Sine(amplitude=I_MAX, w=pi)}
    made = program(stepper, True, RECORD)
    state = made.start(**loaded_pressures(OPEN_LOOP))
    return run(made, until=1.0, dt=dt, inputs=inputs, state=state, every=1)


def integral(result, values):
    """Over the run, by the trapezoidal rule."""
    return float(np.sum((values[1:] + values[:-1]) / 2 * np.diff(result.time)))


@pytest.mark.parametrize(
    ("stepper", "dt", "bound"),
    [("rk4", 0.02e-3, 1e-6), ("hht", 0.2e-3, 1e-4)],  # J, as specified
)
def test_work_of_the_shafts_becomes_motion_height_and_heat(stepper, dt, bound, verification):
    """The integrals are taken from the recorded torques and speeds, apart from the stepper's own account."""
    r = pushed(stepper, dt)
    v = {i: r.values(f"arm.joint_{i}.q_dot") for i in JOINTS}
    shafts = sum(integral(r, r.values(f"motor_{i}.{'F' if i == 2 else 'tau'}") * v[i]) for i in JOINTS)
    rubbed = sum(integral(r, r.values(f"motor_{i}.friction.F") * v[i]) for i in JOINTS)
    stored = ("arm.kinetic", "arm.potential", *(f"arm.joint_{i}.kinetic" for i in JOINTS))
    gained = sum(float(np.diff(r.values(f"{name}.energy")[[0, -1]])[0]) for name in stored)
    assert (gained, shafts, rubbed) == pytest.approx((645.716, 778.355, 132.639), abs=1.5e-3)  # digits printed
    verification(
        SECTION, f"energy of joint 3 driven for 1 s, {stepper}", "∫ τ v − ∫ F v, recorded", gained - shafts + rubbed,
        bound, unit="J",
    )  # fmt: skip


@pytest.mark.parametrize(("stepper", "dt"), [("rk4", 0.02e-3), ("hht", 0.2e-3)])
def test_energy_of_the_oil_is_what_flows_bring_and_leak_and_shaft_take(stepper, dt, verification):
    r, axis, drive = pushed(stepper, dt), AXES[2], motor(3, AXES[2], stiff=False)
    p_A, p_B, v = (r.values(name) for name in ("motor_3.A.p", "motor_3.B.p", "arm.joint_3.q_dot"))
    leak = axis.leak * np.array([signed_root(drop, EPS) for drop in p_A - p_B])
    brought = -p_A * r.values("valve_3.A.Q") - p_B * r.values("valve_3.B.Q")
    taken = (leak + drive.D * turns(drive) * v) * (p_A - p_B)
    held = axis.volume * (p_A**2 + p_B**2) / (2 * OIL.K)
    left = float(held[-1] - held[0]) - integral(r, brought - taken)
    assert abs(left) < 1e-5  # J, as specified
    if stepper == "rk4":
        name = "energy of the oil of joint 3 driven for 1 s"
        verification(SECTION, name, "flows, leakage and shaft, recorded", left, 1e-5, unit="J")


# ------------------------------------------------------------------ end stop


def test_against_its_end_stop_a_joint_rests_where_forces_and_flows_balance():
    """Oil that comes in at A leaks to B and goes out there; the stop takes what the bristles leave of the torque."""
    made = program("hht")
    state = made.start(**loaded_pressures((1.4, *OPEN_LOOP[1:])))
    r = run(made, until=4.0, dt=0.2e-3, inputs={"valve_1.i": as_signal(I_MAX)}, state=state)
    p_A, p_B, z = (r.values(name)[-1] for name in ("motor_1.A.p", "motor_1.B.p", "motor_1.friction.z"))
    drive, servo, axis = motor(1, AXES[0], stiff=False), valve(AXES[0]), AXES[0]
    low, high = 0.0, PRESSURE / 2
    for _ in range(100):
        p = (low + high) / 2
        leaks_more = axis.leak * signed_root(PRESSURE - 2 * p, EPS) > servo.C_d * X_MAX * signed_root(p, EPS)
        low, high = (p, high) if leaks_more else (low, p)
    assert p_B == pytest.approx(p, rel=1e-4)  # 4 s: the spool and the oil have come to rest
    assert p_A == pytest.approx(PRESSURE - p, rel=1e-6)
    torque = drive.eta * drive.D * turns(drive) * (p_A - p_B) - axis.sigma_0 * z
    excess = r.values("arm.joint_1.q")[-1] - pi / 2
    assert axis.stop[0] * excess == pytest.approx(torque, rel=1e-6)
