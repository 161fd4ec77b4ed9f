"""Gain selection against closed forms, against SciPy, and on a joint of the pipe cutter."""

import numpy as np
import pytest
import scipy.linalg

from oleodyn.catalogue import pipe_cutter
from oleodyn.control.gains import error_dynamics, judged, placed, raised, select_gains
from oleodyn.control.margins import is_stable, margins
from oleodyn.control.pid import Gains, pid
from oleodyn.control.plant import Plant, balance, exponential
from oleodyn.equations.assemble import assemble
from oleodyn.equations.linearise import linearise
from oleodyn.errors import DeclarationError
from oleodyn.units import deg

MA = 1e-3
INTEGRATOR = dict(A=[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -2.0, -3.0]], B=[0.0, 0.0, 1.0], C=[1.0, 0.0, 0.0])
"""1 / (s (s + 1) (s + 2))"""


def joint_1(period=None):
    """Joint 1 of the pipe cutter while it moves: valve, two chambers at half supply, load; command in A."""
    D_n, eta, V, beta, M, F_v = 2.0499e-3, 0.836, 2e-4, 1.4e9, 1788.845 + 12.8, 800.0
    wn, zeta, K_sv = 2 * np.pi * 60, 0.8, 0.05
    K_Q, leak = 8.018e-4 * np.sqrt(7e6), 6.7e-9 / np.sqrt(1e4)
    A = np.zeros((6, 6))  # q, v, P1, P2, x, x_dot
    A[0, 1] = 1
    A[1, 1:4] = -F_v / M, eta * D_n / M, -eta * D_n / M
    A[2, 1:5] = np.array([-D_n, -leak, leak, K_Q]) * beta / V
    A[3, 1:5] = np.array([D_n, leak, -leak, -K_Q]) * beta / V
    A[4, 5] = 1
    A[5, 4:] = -(wn**2), -2 * zeta * wn
    return Plant.of(A, [0, 0, 0, 0, 0, wn**2 * K_sv], [1, 0, 0, 0, 0, 0], period=period)


def test_margins_of_three_lags_are_those_of_the_textbook():
    found = margins(Plant.of(**INTEGRATOR), Gains(K_p=1.0))
    assert found.gain_margin == pytest.approx(6, rel=1e-9)  # L(i√2) = −1/6
    w = found.crossover
    assert w * np.hypot(1, w) * np.hypot(2, w) == pytest.approx(1, rel=1e-9)
    assert found.phase_margin == pytest.approx(np.pi / 2 - np.arctan(w) - np.arctan(w / 2), rel=1e-9)
    assert found.delay_margin == pytest.approx(found.phase_margin / w, rel=1e-9)


def test_the_gain_margin_is_where_the_loop_becomes_unstable():
    for period in (None, 0.1):
        plant = Plant.of(**INTEGRATOR, period=period)
        limit = margins(plant, Gains(1.0, 0.2, 0.1)).gain_margin
        for factor, stable in ((0.999, True), (1.001, False)):
            assert is_stable(plant, Gains(*(factor * limit * k for k in (1.0, 0.2, 0.1)))) is stable


def test_a_loop_that_needs_gain_says_how_far_it_may_fall():
    unstable = Plant.of(A=[[0.0, 1.0], [1.0, 0.0]], B=[0.0, 1.0], C=[1.0, 0.0])  # 1 / (s² − 1)
    found = margins(unstable, Gains(K_p=4.0, K_d=2.0))
    assert found.stable and found.gain_reduction == pytest.approx(0.25, rel=1e-3)  # K_p must exceed 1
    assert found.gain_margin == np.inf


@pytest.mark.parametrize("period", [None, 0.05])
@pytest.mark.parametrize("damping", [0.5, 0.9, 1.0, 1.7])
def test_two_poles_of_the_closed_loop_are_where_they_were_asked_for(period, damping):
    plant = Plant.of(**INTEGRATOR, period=period)
    gains = placed(plant, 0.4, damping, derivative=0.3)
    root = np.emath.sqrt(damping**2 - 1)
    poles = plant.as_s(np.linalg.eigvals(plant.closed(gains)))
    for s in (0.4 * (-damping + root), 0.4 * (-damping - root)):
        assert np.abs(poles - s).min() < 1e-3 * (2 if damping == 1 else 1e-6)  # a double pole: root of 1e-6


def test_on_a_pure_integrator_the_gains_are_those_of_the_second_order():
    plant = Plant.of(A=[[0.0, 1.0], [0.0, -1e5]], B=[0.0, 2.9e5], C=[1.0, 0.0])  # joint 1: 2.9 deg/s per mA
    gains = select_gains(plant, bandwidth=2.58, damping=0.645).gains
    assert gains.K_p == pytest.approx(2 * 0.645 * 2.58 / 2.9, rel=1e-4)
    assert gains.K_i == pytest.approx(2.58**2 / 2.9, rel=1e-4)


def test_the_printed_gain_tables_are_one_rule_with_one_free_number():
    for K_d, K_p, K_i in ((0.04, 1.28, 2.56), (0.10, 3.20, 6.40), (0.05, 1.60, 3.20), (0.025, 0.80, 1.60)):
        assert error_dynamics(K_d) == pytest.approx((K_p, K_i, K_d))
    assert error_dynamics(1.0, bandwidth=5.0, damping=0.7) == pytest.approx((7.0, 25.0, 1.0))


def test_a_joint_of_the_pipe_cutter_moves_as_its_valve_lets_it():
    rate = joint_1().joint(0.01j)[1]
    assert np.degrees(abs(rate)) * MA == pytest.approx(2.92, abs=0.02)  # as printed: top speed 29.1 deg/s at 10 mA


def test_the_printed_gains_are_stable_with_room_to_spare():
    found = judged(joint_1(0.01), Gains(*(k * MA / deg for k in error_dynamics(0.04))))
    assert found.margins.stable
    assert found.margins.gain_margin > 2 and found.margins.phase_margin > np.pi / 4
    assert found.margins.crossover == pytest.approx(3.9, abs=0.3)  # speed per mA · K_p
    assert "phase margin" in str(found)


def test_selected_gains_answer_with_the_bandwidth_and_damping_asked_for():
    plant = joint_1(0.01)
    found = select_gains(plant, bandwidth=6.0, damping=0.7, derivative=1 / 32)
    poles = plant.as_s(np.linalg.eigvals(plant.closed(found.gains)))
    slow = poles[np.argmin(np.abs(poles - 6.0 * (-0.7 + 1j * np.sqrt(1 - 0.49))))]
    assert (abs(slow), -slow.real / abs(slow)) == pytest.approx((6.0, 0.7), rel=1e-6)
    assert found.margins.stable and found.margins.sensitivity < 2
    assert found.step.settling_time < 2 and found.step.overshoot < 0.4
    assert found.gains.K_d == pytest.approx(found.gains.K_p / 32)


def test_too_much_bandwidth_is_refused_with_what_can_be_had():
    with pytest.raises(DeclarationError, match=r"bandwidth = 300 rad/s .* The largest that can be had is about (\d+)"):
        select_gains(joint_1(0.01), bandwidth=300.0, damping=0.7)


def test_a_shape_is_raised_until_a_margin_binds():
    found = raised(joint_1(0.01), error_dynamics(1.0), gain_margin=2.5, phase_margin=np.radians(50))
    room = (found.margins.gain_margin / 2.5, found.margins.phase_margin / np.radians(50))
    assert min(room) == pytest.approx(1, abs=1e-3) and max(room) >= 1


def test_a_step_goes_as_sample_by_sample():
    period, gains = 0.05, Gains(0.8, 0.15, 0.3)
    A, B = (np.array(INTEGRATOR[key]) for key in "AB")
    both = scipy.linalg.expm(np.block([[A, B[:, None]], [np.zeros((1, 4))]]) * period)
    plant = Plant.of(**INTEGRATOR, period=period)
    t = period * np.arange(200)
    q, u = plant.step_response(gains, t)
    x, integral = np.zeros(3), 0.0
    for k in range(200):
        command, integral = pid(1 - x[0], -x[1], integral, gains, period, u_max=100.0)
        assert (q[k], u[k]) == pytest.approx((x[0], command), abs=1e-12)
        x = both[:3, :3] @ x + both[:3, 3] * command


def test_a_continuous_step_is_that_of_the_closed_form():
    plant = Plant.of(A=[[0.0, 1.0], [0.0, 0.0]], B=[0.0, 1.0], C=[1.0, 0.0])
    t = np.linspace(0, 10, 2001)
    q, u = plant.step_response(Gains(K_p=4.0, K_d=2.0), t)  # ω = 2, ζ = ½
    w = np.sqrt(3)
    assert q == pytest.approx(1 - np.exp(-t) * (np.cos(w * t) + np.sin(w * t) / w), abs=1e-10)
    assert u[0] == 4
    found = judged(plant, Gains(K_p=4.0, K_d=2.0)).step
    assert found.overshoot == pytest.approx(np.exp(-np.pi / w), abs=1e-5)
    assert found.peak_command == 4


def test_the_matrix_exponential_is_that_of_scipy_even_for_pressures_beside_metres():
    M = np.array([[0, 1, 0], [-0.4, -0.5, 1e-6], [0, -1.4e10, -5.0]]) * 0.01
    d = balance(M)
    ours = exponential(M * d / d[:, None]) * d[:, None] / d
    assert ours == pytest.approx(scipy.linalg.expm(M), rel=1e-9, abs=1e-12 * np.abs(ours).max())


def test_the_linearised_pipe_cutter_has_the_plant_of_its_first_joint():
    equations = assemble(pipe_cutter.machine(controlled=False, saw=False))
    linear = linearise(equations, {"arm.joint_1.q_dot": 0.1})  # moving: at rest the bristles hold it
    plant = Plant.of_joint(linear, "valve_1.i", "joint_1.q", period=0.01)
    assert np.degrees(abs(plant.joint(0.1j)[1])) * MA == pytest.approx(2.92, rel=0.05)  # 29.1 deg/s at 10 mA, printed
    found = judged(plant, Gains(*(k * MA / deg for k in error_dynamics(0.04))))
    assert found.margins.stable and found.margins.phase_margin > np.pi / 4
    with pytest.raises(DeclarationError, match=r"'valve_9.i' is not one of the linear system's names"):
        Plant.of_joint(linear, "valve_9.i", "joint_1.q")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(B=[0.0, 1.0]), r"must be n × n, n and n \(one command, one joint\)"),
        (dict(C=[0.0, 0.0, 1.0]), r"C B is not zero"),
    ],
)
def test_what_is_no_plant_is_refused(changes, message):
    with pytest.raises(DeclarationError, match=message):
        Plant.of(**{**INTEGRATOR, **changes})
