"""Laws of oil, edges, valves, lines and actuators against books, printed numbers and limits."""

import numpy as np
import pytest

from oleodyn.fluids.oil import ATMOSPHERE, Oil, capacity, compressibility
from oleodyn.hydraulics.accumulator import gas_capacity, gas_volume
from oleodyn.hydraulics.cylinder import areas
from oleodyn.hydraulics.directional_valve import edge_flow, overlapped
from oleodyn.hydraulics.edge import LinearisedEdge, SmoothEdge, flow_constant, linearised_root
from oleodyn.hydraulics.efficiency import motor_torque
from oleodyn.hydraulics.hose_valve import progressive_conductance
from oleodyn.hydraulics.leakage import RootLeak, gap_leakage
from oleodyn.hydraulics.line import friction_factor, inertance, pipe_drop, wall_modulus
from oleodyn.hydraulics.motor import screw_ratio
from oleodyn.hydraulics.orifice import orifice_flow, smooth_orifice_flow
from oleodyn.hydraulics.pressure_valve import opening
from oleodyn.hydraulics.pump import pump_torque
from oleodyn.hydraulics.resistance import resistance_flow
from oleodyn.hydraulics.restricted_actuator import motor_pressures
from oleodyn.hydraulics.servo_valve import servo_constant
from oleodyn.hydraulics.spool import spool_acceleration
from oleodyn.hydraulics.stroke_end import Cushion, end_stops
from oleodyn.hydraulics.throttle import area_constant
from oleodyn.units import bar, cm3_per_rev, l_per_min, litre

# ------------------------------------------------------------------ oil


def test_effective_modulus_of_hose_and_cylinder_is_that_of_the_dissertation():
    A_2, A_3 = areas(d_bore=0.080, d_rod=0.035)
    hose_2, part_2 = 3.14e-5, A_2 * (2**0.5 - 1.1)
    hose_3, part_3 = 7.85e-5, A_3 * (2.2 - 2**0.5)
    moduli = [
        (hose + part) / (capacity(hose, 1500e6, 550e6) + capacity(part, 1500e6, 31500e6))
        for hose, part in ((4.71e-5, 0.0), (hose_2, part_2), (hose_3, part_3))
    ]
    assert moduli == pytest.approx([4.024390e8, 1.363817e9, 1.349039e9], rel=5e-7)  # 7 printed digits


def test_one_percent_of_air_makes_oil_at_one_atmosphere_a_hundred_times_softer():
    K = 1 / compressibility(ATMOSPHERE, K=1.5e9, air=0.01, n=1.0)
    assert K == pytest.approx(1.01 / (0.01 / ATMOSPHERE + 1 / 1.5e9), rel=1e-14)
    assert 130 < 1.5e9 / K < 160


def test_compressed_air_gives_the_volume_that_its_compressibility_integrates_to():
    air, n, K = 0.008, 1.4, 1.5e9
    p = np.linspace(0.5 * bar, 120 * bar, 400_001)
    rate = compressibility(p, K, air, n)
    strain = np.sum((rate[1:] + rate[:-1]) / 2) * (p[1] - p[0])

    def volume(p):
        return np.exp(-p / K) + air * (ATMOSPHERE / p) ** (1 / n)

    # The share of air is counted per volume of oil at 1 atm, the oil's own shrinking (0.8 %) left out of it.
    assert np.log(volume(p[0]) / volume(p[-1])) == pytest.approx(strain, rel=2e-3)


def test_modulus_with_air_comes_near_that_of_the_oil_at_high_pressure():
    oil = Oil(air=0.005)
    assert oil.modulus(400 * bar) == pytest.approx(1.5e9, rel=0.01)
    assert oil.modulus(5 * bar) < 0.35e9


@pytest.mark.parametrize("p", [-1e9, 0.0, 1e-9, 1e12])
def test_oil_with_air_has_a_modulus_at_any_pressure(p):
    assert 0 < Oil(air=0.02).modulus(p) <= 1.5e9 * (1 + 1e-6)  # 1e-6: the mixture is a little more than its oil


def test_dynamic_viscosity_is_density_times_kinematic_viscosity():
    assert Oil(rho=900.0, nu=40e-6).mu == pytest.approx(0.036)


# ------------------------------------------------------------------ edges, orifices, throttles


def test_flow_constant_of_the_catalogue_is_that_of_the_dissertation():
    assert flow_constant(24 * l_per_min, 35 * bar, 10.0) == pytest.approx(2.138e-8, rel=1e-4)  # 4 digits printed
    assert flow_constant(40 * l_per_min, 35 * bar, 10.0) == pytest.approx(3.563483e-8, rel=2e-7)  # crane, lift
    assert flow_constant(100 * l_per_min, 35 * bar, 10.0) == pytest.approx(8.908708e-8, rel=2e-7)  # crane, tilt


def test_throttle_constant_is_that_of_the_dissertation():
    assert area_constant(0.8, 2.83e-5, 850.0) == pytest.approx(1.09820131e-6, rel=3e-9)


def test_printed_orifice_law_is_the_root_above_two_bar_and_a_line_below():
    C = 1.0982e-6
    assert orifice_flow(C, 7 * bar) == pytest.approx(C * (7e5) ** 0.5, rel=1e-15)
    assert orifice_flow(C, 2 * bar) == pytest.approx(C * (2e5) ** 0.5, rel=1e-15)
    assert orifice_flow(C, 0.5 * bar) == pytest.approx(C * 0.5e5 / (2e5) ** 0.5, rel=1e-15)
    assert orifice_flow(C, -3 * bar) == -orifice_flow(C, 3 * bar)
    assert orifice_flow(C, 0.0) == 0.0


def test_slope_of_the_printed_law_halves_at_two_bar():
    h = 1.0
    below, above = (linearised_root(2e5 + s) - linearised_root(2e5 + s - h) for s in (0.0, h))
    assert above / below == pytest.approx(0.5, rel=1e-5)


def test_four_times_the_drop_gives_twice_the_flow():
    one, four = (edge_flow(n * 7 * bar, 0.3, 40 * l_per_min, 5 * bar) for n in (1, 4))
    assert four == pytest.approx(2 * one, rel=2e-4)  # 2e-4: linear below 0.1 bar


def test_smooth_and_printed_law_agree_far_above_their_widths():
    dp = np.geomspace(20 * bar, 400 * bar, 50)
    assert smooth_orifice_flow(1e-7, dp) == pytest.approx(orifice_flow(1e-7, dp), rel=1e-5)  # (0.1/20)²/4


@pytest.mark.parametrize("edge", [SmoothEdge(), LinearisedEdge()])
def test_edges_are_odd_growing_and_finite(edge):
    dp = np.concatenate([-np.geomspace(1e-12, 1e12, 500)[::-1], [0.0], np.geomspace(1e-12, 1e12, 500)])
    root = edge.root(dp)
    assert np.all(np.diff(root) > 0)
    assert root == pytest.approx(-root[::-1], rel=1e-14)


def test_leakage_of_the_pipe_cutters_motors_is_that_of_the_specification():
    assert RootLeak(C=6.7e-9).flow(140 * bar) / l_per_min == pytest.approx(1.5, rel=5e-3)  # 2 digits given
    assert RootLeak(C=4.0e-9).flow(140 * bar) / l_per_min == pytest.approx(0.9, rel=5e-3)


def test_rounding_of_the_root_costs_one_percent_of_leakage_at_half_a_bar():
    rounded, sharp = RootLeak(C=6.7e-9, dp_lam=1e4).flow(0.5e5), 6.7e-9 * 0.5e5**0.5
    assert rounded / sharp == pytest.approx(0.99, abs=0.001)


def test_a_piston_lying_on_the_wall_leaks_two_and_a_half_times_as_much():
    centred, lying = (gap_leakage(0.04, 30e-6, 0.05, 0.04, eccentricity=e) for e in (0.0, 1.0))
    assert lying == pytest.approx(2.5 * centred)


# ------------------------------------------------------------------ spools and valves


def test_spool_without_limit_is_the_plain_second_order_law():
    u, x, x_dot, w, zeta = 0.7, 0.2, -3.0, 377.0, 0.8
    plain = w**2 * (u - x) - 2 * zeta * w * x_dot
    assert spool_acceleration(u, x, x_dot, w, zeta) == pytest.approx(plain, rel=1e-14)


def test_spool_at_its_speed_limit_does_not_accelerate():
    assert spool_acceleration(u=1.0, x=-1.0, x_dot=25.0, w=377.0, zeta=0.8, x_dot_max=25.0) == 0.0


def test_zero_lap_opens_in_proportion_and_overlap_with_a_rounded_corner():
    x = np.linspace(0.0, 1.0, 100_001)
    assert np.array_equal(overlapped(x, 0.0), x)
    opening_5 = overlapped(x, 0.05)
    assert np.all(opening_5[x <= 0.05] == 0.0)
    assert opening_5[x >= 0.06] == pytest.approx((x[x >= 0.06] - 0.05) / 0.95, rel=1e-12)
    assert np.max(np.abs(np.diff(opening_5, 2))) < 5e-8  # h² · 4/width: no corner


def test_servo_constants_of_the_pipe_cutter_follow_from_its_rated_flows():
    rated = np.array([45, 18, 41, 46]) * l_per_min
    constants = [servo_constant(Q, 70 * bar, 0.5e-3) for Q in rated]
    assert constants == pytest.approx([8.018e-4, 3.207e-4, 7.305e-4, 8.196e-4], rel=1e-4)  # 4 digits given


def test_resistance_of_the_progressive_spool_is_that_of_the_specification():
    def C_R(u, K_v):
        return 1 / progressive_conductance(u, u_db=1.0, u_max=10.0, K_v=K_v) ** 2

    computed = [C_R(u, 1.667e-6) for u in (2.0, 3.0, 5.0, 10.0)] + [C_R(3.0, 1.0e-6)]
    given = [4.175960e14, 6.510064e13, 7.470401e12, 3.598560e11, 1.809075e14]
    assert computed == pytest.approx(given, rel=3e-7)  # 7 digits given


@pytest.mark.parametrize(
    ("K_v", "C_R_max", "u"),
    [(1.667e-6, 1e16, 1.2505257), (1e-6, 1e16, 1.4000986), (1.667e-6, 1e18, 1.0267752), (1e-6, 1e18, 1.0443964)],
)
def test_progressive_spool_closes_at_the_given_voltage(K_v, C_R_max, u):
    closed = C_R_max**-0.5
    assert (
        progressive_conductance(u - 1e-6, 1.0, 10.0, K_v) < closed < progressive_conductance(u + 1e-6, 1.0, 10.0, K_v)
    )


def test_springs_open_from_nothing_to_full_and_no_further():
    e = np.linspace(-1.0, 3.0, 4001)
    x = opening(e * 1e6, 0.0, 1e6)
    assert np.all(x[e <= 0] == 0.0)
    assert np.all(x[e >= 1] == 1.0)
    assert np.all(np.diff(x) >= 0)


# ------------------------------------------------------------------ lines and gas


def test_laminar_pipe_follows_hagen_and_poiseuille():
    Q, L, d, rho, nu = 10 * l_per_min, 3.0, 0.02, 870.0, 46e-6
    assert pipe_drop(Q, L, d, rho, nu) == pytest.approx(128 * rho * nu * L * Q / (np.pi * d**4), rel=1e-14)


def test_turbulent_pipe_follows_darcy_with_the_friction_factor_of_colebrook():
    Re, k = 1e5, 1e-4
    f = 0.02
    for _ in range(50):
        f = (-2 * np.log10(k / 3.7 + 2.51 / (Re * f**0.5))) ** -2
    assert friction_factor(Re, k) == pytest.approx(f, rel=0.02)  # Haaland's own claim
    d, rho, nu = 0.02, 870.0, 20e-6
    Q = Re * nu * np.pi * d / 4
    v = Q / (np.pi * d**2 / 4)
    assert pipe_drop(Q, 2.0, d, rho, nu, k) == pytest.approx(
        friction_factor(Re, k) * 2.0 / d * rho * v**2 / 2, rel=1e-12
    )


def test_drop_of_a_pipe_grows_with_flow_through_the_transition():
    Q = np.linspace(-5e-3, 5e-3, 20001)
    dp = pipe_drop(Q, 2.0, 0.02, 870.0, 46e-6, 1e-4)
    assert np.all(np.diff(dp) > 0)
    assert dp == pytest.approx(-dp[::-1], rel=1e-11)  # the grid itself is uneven by 2e-12


def test_inertance_and_wall_of_a_line():
    assert inertance(870.0, 4.0, 1.27e-4) == pytest.approx(2.75e7, rel=5e-3)  # harvester, rounded there
    assert wall_modulus(210e9, 1e-3, 20e-3) == pytest.approx(10.5e9)


def test_resistance_solves_its_quadratic_in_both_directions():
    dp = np.array([-3e7, -1.0, 0.0, 1e-3, 2e5, 1e9])
    Q = resistance_flow(dp, 1.9e8, 3e11)
    assert 1.9e8 * Q + 3e11 * Q * np.abs(Q) == pytest.approx(dp, rel=1e-12)


def test_gas_is_compressed_polytropically():
    p, V, n = np.array([110.0, 150.0, 300.0]) * bar, 10 * litre, 1.4  # above the band of the precharge
    assert p * gas_volume(p, 100 * bar, V, n) ** n == pytest.approx(100 * bar * V**n, rel=1e-12)


def test_capacity_of_the_gas_is_the_slope_of_its_volume():
    p, args = 180 * bar, (100 * bar, 10 * litre, 1.4)
    slope = (gas_volume(p - 10, *args) - gas_volume(p + 10, *args)) / 20
    assert gas_capacity(p, *args) == pytest.approx(slope, rel=1e-8)


def test_oil_taken_in_over_the_precharge_is_not_changed_by_its_rounding():
    p = np.linspace(90 * bar, 200 * bar, 200_001)
    C = gas_capacity(p, 100 * bar, 10 * litre, 1.4)
    taken = np.sum((C[1:] + C[:-1]) / 2) * (p[1] - p[0])
    assert taken == pytest.approx(10 * litre - gas_volume(200 * bar, 100 * bar, 10 * litre, 1.4), rel=1e-6)


# ------------------------------------------------------------------ actuators


def test_displacement_and_efficiency_of_the_pipe_cutters_motors_give_their_printed_torques():
    D_80, D_40 = 80.5 * cm3_per_rev, 39.9 * cm3_per_rev
    ideal = [motor_torque(140 * bar, D_80, 1.0), motor_torque(90 * bar, D_40, 1.0)]
    assert ideal == pytest.approx([179.4, 57.2], rel=1e-3)
    real = [motor_torque(140 * bar, D_80, 0.836), motor_torque(90 * bar, D_40, 0.787)]
    assert real == pytest.approx([150.0, 45.0], rel=1e-3)


def test_displacement_per_joint_unit_is_that_of_the_specification():
    per_joint = [160 * 80.5 * cm3_per_rev, screw_ratio(5e-3) * 39.9 * cm3_per_rev, 160 * 39.9 * cm3_per_rev]
    assert per_joint == pytest.approx([2.0499e-3, 7.980e-3, 1.0160e-3], rel=5e-5)


def test_pressures_at_the_swing_motor_are_those_of_the_specification():
    G = [1 / R for R in (1.9e8, 1.9e8, 1.2e12, 2.4e12, 2.4e12)]
    p_e, p_f = motor_pressures(80e5, 60e5, 0.0, 120 * 2.5e-5 * 0.05, *G)
    assert (p_e, p_f) == pytest.approx((7970561.477276, 6028330.277126), rel=1e-12)


def test_a_pump_takes_its_loss_in_all_four_quadrants():
    dp, w = (grid.ravel() for grid in np.meshgrid(np.linspace(-3e7, 3e7, 41), np.linspace(-200, 200, 41)))
    loss = (pump_torque(dp, w, 7e-6, 0.9, 0.02) - 7e-6 * dp) * w
    assert np.all(loss >= 0)
    assert pump_torque(2e7, 150.0, 7e-6, 0.9, 0.0) == pytest.approx(7e-6 * 2e7 / 0.9, rel=1e-12)


def test_stops_push_and_never_pull():
    x, v = (grid.ravel() for grid in np.meshgrid(np.linspace(-0.01, 0.51, 400), np.linspace(-2.0, 2.0, 41)))
    F, energy, lost = end_stops(x, v, stroke=0.5, K=1e8, C=1e5, width=1e-4)
    assert np.all(F[x < 0] >= 0) and np.all(F[x > 0.5] <= 0)
    assert np.all(F[(x >= 0) & (x <= 0.5)] == 0)
    assert np.all(energy >= 0) and np.all(lost >= 0)


def test_cushion_brakes_only_what_leaves_and_only_near_the_end():
    cushion = Cushion(length=30e-3, C=5e-8)
    assert cushion.drop(Q=1e-4, distance=0.0) == pytest.approx((1e-4 / 5e-8) ** 2)
    assert cushion.drop(Q=1e-4, distance=15e-3) == pytest.approx((0.5e-4 / 5e-8) ** 2)
    assert cushion.drop(Q=1e-4, distance=30e-3) == 0.0
    assert cushion.drop(Q=-1e-4, distance=0.0) == 0.0
