"""Hydraulic parts by themselves and in the specifications' circuits, against numbers given there."""

import casadi as ca
import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.equations.bind import bind
from oleodyn.errors import DeclarationError
from oleodyn.fluids.oil import Oil
from oleodyn.friction.lugre import LuGre
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.check_valve import CheckValve, PilotedCheckValve, ShuttleValve
from oleodyn.hydraulics.counterbalance_valve import CounterbalanceValve
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import OpenCentreValve43, ProportionalValve43, VoltageValve43
from oleodyn.hydraulics.edge import LinearisedEdge, SmoothEdge
from oleodyn.hydraulics.efficiency import PublishedEfficiency
from oleodyn.hydraulics.hose_valve import HoseValve43
from oleodyn.hydraulics.leakage import GapLeak, LaminarLeak, RootLeak
from oleodyn.hydraulics.line import Hose
from oleodyn.hydraulics.motor import GearMotor, ScrewMotor
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReducingValve, ReliefValve
from oleodyn.hydraulics.resistance import Filter
from oleodyn.hydraulics.restricted_actuator import RestrictedCylinder, RestrictedMotor
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool, InstantSpool
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle
from oleodyn.machine.machine import Machine
from oleodyn.machine.part import Part, Terms, parameter
from oleodyn.mechanics.port import LinePort
from oleodyn.units import bar, cm3_per_rev, cSt, l_per_min, mA, mm


class Rail(Part):
    """Holds a length and its rate.

    Equations   s, v = const.
    References  [1] For tests.
    """

    line = LinePort("what is held")

    s: float = parameter("m", "length", above=0)
    v: float = parameter("m/s", "its rate")

    def equations(self) -> Terms:
        return Terms(hold=dict(line=dict(s=self.s, v=self.v)))


def terms(part, **values):
    """The terms of one part with these numbers; `A_p` stands for A.p, what is not given is 0."""
    numbers = {name.replace("_p", ".p").replace("__", "."): value for name, value in values.items()}

    def make(role, path, declared):
        return None if role == "parameter" else numbers.get(path, 0.0)

    return bind(part, "", make).equations()


# ------------------------------------------------------------------ the dissertation's circuit


def four_bar_circuit(mirrored=False, s_offset=0.01, v=0.05):
    """Valve, throttle, cylinder and three hoses of Publication I, with the line held."""
    oil = Oil(K=1500e6, rho=850.0, cavitation=False)
    C = dict.fromkeys(("C_PA", "C_BT", "C_PB", "C_AT"), 2.138e-8)
    s_0 = 2**0.5
    chambers = dict(V_A_dead=0.0, V_B_dead=0.0, K_wall=31500e6, stop=None, mirror_at=s_0 if mirrored else None)
    machine = Machine("fb1")
    machine.add("supply", ConstantPressure(p=7.6e6))
    machine.add("tank", Tank(p=0.1e6))
    machine.add("valve", VoltageValve43(**C, spool=FirstOrderSpool(tau=4e-3), edge=LinearisedEdge()))
    for name, volume in dict(hose_1=4.71e-5, hose_2=3.14e-5, hose_3=7.85e-5).items():
        machine.add(name, Hose(volume=volume, K_wall=550e6, oil=oil))
    machine.add("throttle", Throttle(area=2.83e-5, C_d=0.8, oil=oil, edge=LinearisedEdge()))
    machine.add("lift", Cylinder(d_bore=0.080, d_rod=0.035, stroke=1.1, length_0=1.1, oil=oil, **chambers))
    machine.add("rail", Rail(s=s_0 + s_offset, v=v))
    machine.connect("supply.port", "valve.P")
    machine.connect("tank.port", "valve.T")
    machine.connect("valve.A", "hose_1.port", "throttle.A")
    machine.connect("throttle.B", "hose_2.port", "lift.A")
    machine.connect("lift.B", "hose_3.port", "valve.B")
    machine.connect("lift.rod", "rail.line")
    return assemble(machine)


def rates(equations, U, p):
    names = [card.name for card in equations.x_signals]
    x = dict(zip(("hose_1.port.p", "hose_2.port.p", "hose_3.port.p"), p, strict=True)) | {"valve.spool.x": U / 10}
    function = ca.Function("rates", [equations.x, equations.u], [equations.x_dot])
    values = dict(zip(names, np.asarray(function([x[name] for name in names], [U])).ravel(), strict=True))
    return [values[f"hose_{i}.port.p"] for i in (1, 2, 3)]


@pytest.mark.parametrize(
    ("U", "p", "p_dot"),
    [
        (0, (5024303.73, 5024303.73, 3.5e6), (0, -2.066480336e8, 8.477289681e7)),
        (10, (4.2e6, 4.1e6, 2.3e6), (1.270224383e9, -4.737778728e6, -4.751064834e7)),
        (-10, (5.4e6, 5.6e6, 4.1e6), (-9.176692010e6, -6.104685432e8, 2.516237789e8)),
        (10, (7.5e6, 7.45e6, 1.5e5), (-6.406171846e8, -1.056929061e8, 7.480164942e7)),
    ],
)
def test_pressure_rates_of_the_four_bars_circuit_are_those_of_the_specification(U, p, p_dot):
    assert rates(four_bar_circuit(), U, p) == pytest.approx(p_dot, rel=1e-9)  # 10 digits given


def test_published_chambers_are_the_right_ones_at_their_mirror_image():
    U, p = 10, (4.2e6, 4.1e6, 2.3e6)
    right, published = four_bar_circuit(s_offset=-0.01), four_bar_circuit(s_offset=0.01, mirrored=True)
    assert rates(published, U, p) == pytest.approx(rates(right, U, p), rel=1e-12)


# ------------------------------------------------------------------ the crane's valve and chambers


def crane_valve(**C):
    return VoltageValve43(**C, edge=SmoothEdge(dp_lam=10.0))


@pytest.mark.parametrize(
    ("U", "C", "Q_a", "Q_b"),
    [
        (8.281079165, (3.563483e-8,) * 4, 9.095434650e-4, -7.228318497e-4),
        (9.090451631, (3.6e-8, 3.3e-8, 3.0e-8, 2.7e-8), 1.0086715e-3, -6.0120814e-4),
        (-8.502855038, (3.6e-8, 3.3e-8, 3.0e-8, 2.7e-8), -7.9364029e-4, 8.6503753e-4),
    ],
)
def test_flows_of_the_cranes_valve_are_those_of_the_specification(U, C, Q_a, Q_b):
    valve = crane_valve(**dict(zip(("C_PA", "C_AT", "C_PB", "C_BT"), C, strict=True)))
    into = terms(valve, U_ref=U, P_p=185 * bar, T_p=10 * bar, A_p=90 * bar, B_p=70 * bar).into
    assert (-into["A"], -into["B"]) == pytest.approx((Q_a, Q_b), rel=2e-7)  # 8 digits given, constants to 7


def test_force_rate_of_the_cranes_cylinder_is_linear_in_flow_over_chamber_length():
    beta, x, v, Q_a, Q_b = 1.2e9, 0.25, 0.08, 9.1e-4, -7.2e-4
    lift = Cylinder(
        d_bore=80 * mm, d_rod=45 * mm, stroke=0.545, length_0=0.82, V_A_dead=2.5e-4, V_B_dead=2.5e-4, oil=Oil(K=beta)
    )
    found = terms(lift, A_p=90 * bar, B_p=70 * bar, rod__s=0.82 + x, rod__v=v)
    A_a, A_b = 5.026548246e-3, 3.436116965e-3
    p_a_dot, p_b_dot = (Q_a - found.into["A"]) / found.store["A"], (Q_b - found.into["B"]) / found.store["B"]
    x_a, x_b = x + 2.5e-4 / A_a, 0.545 - x + 2.5e-4 / A_b
    expected = beta * (Q_a / x_a - Q_b / x_b - (A_a / x_a + A_b / x_b) * v)
    assert A_a * p_a_dot - A_b * p_b_dot == pytest.approx(expected, rel=1e-9)


# ------------------------------------------------------------------ the pipe cutter's axes

AXIS_3 = dict(C_d=7.305e-4, C_in=6.7e-9, i=0.071349e-3, tau=1687.382, D=80.5 * cm3_per_rev, eta=0.836)
AXIS_4 = dict(C_d=8.196e-4, C_in=6.7e-9, i=0.033048e-3, tau=480.632, D=80.5 * cm3_per_rev, eta=0.836)


@pytest.mark.parametrize("axis", [AXIS_3, AXIS_4])
def test_holding_current_of_the_pipe_cutter_feeds_the_leak(axis):
    half = axis["tau"] / (2 * axis["eta"] * 160 * axis["D"])
    p = dict(A_p=70 * bar + half, B_p=70 * bar - half)
    valve = ServoValve43(C_d=axis["C_d"], spool=InstantSpool(), edge=SmoothEdge(dp_lam=1e4))
    printed = dict(eta=axis["eta"], efficiency=PublishedEfficiency())
    motor = GearMotor(D=axis["D"], ratio=160, **printed, leak=RootLeak(C=axis["C_in"], dp_lam=1e4))
    fed = terms(valve, i=axis["i"], P_p=140 * bar, **p).into
    held = terms(motor, **p)
    assert -fed["A"] == pytest.approx(held.into["A"], rel=3e-5)  # 5 digits of the current
    assert -held.into["shaft"] == pytest.approx(axis["tau"], rel=1e-12)


def test_pressure_difference_that_holds_axis_three_is_that_of_the_specification():
    assert 1687.382 / (0.836 * 160 * 80.5 * cm3_per_rev) / bar == pytest.approx(9.846, abs=5e-4)


@pytest.mark.parametrize("x", [-0.4, 0.7])
def test_servo_valve_meters_by_the_four_printed_cases(x):
    C_d, P, A, B = 8.018e-4, 140 * bar, 93 * bar, 41 * bar

    def psi(s):
        return s / (s**2 + 1e8) ** 0.25

    travel = x * 0.5 * mm
    cases = (psi(P - A), -psi(B)) if x >= 0 else (psi(A), -psi(P - B))
    into = terms(ServoValve43(C_d=C_d), spool__x=x, P_p=P, A_p=A, B_p=B).into
    assert (-into["A"], -into["B"]) == pytest.approx([C_d * travel * case for case in cases], rel=1e-13)


def test_current_beyond_the_rated_one_moves_the_spool_no_further():
    valve = ServoValve43(C_d=8e-4, spool=FirstOrderSpool(tau=0.01))
    rated, beyond = (terms(valve, i=i * mA).parts["spool"].der["x"] for i in (10, 25))
    assert rated == beyond == pytest.approx(100.0)


@pytest.mark.parametrize(("w", "share"), [(4.0, 0.85), (-4.0, 1.15), (0.0, 1.0)], ids=["driving", "driven", "at rest"])
def test_a_motor_loses_power_whoever_drives(w, share):
    motor = GearMotor(D=80.5 * cm3_per_rev, ratio=20, eta=0.85)
    found = terms(motor, A_p=120 * bar, B_p=35 * bar, shaft__speed=w)
    ideal = 20 * 80.5 * cm3_per_rev * 85 * bar
    assert found.out["tau"] == pytest.approx(share * ideal, rel=1e-12)  # at 80 rad/s tanh is 1
    assert found.power.lost["efficiency"] == pytest.approx(0.15 * ideal * abs(w), rel=1e-12)


def test_the_printed_efficiency_gives_power_where_the_load_drives():
    motor = GearMotor(D=80.5 * cm3_per_rev, ratio=20, eta=0.85, efficiency=PublishedEfficiency())
    assert terms(motor, A_p=120 * bar, B_p=35 * bar, shaft__speed=-4.0).power.lost["efficiency"] < 0


def test_rotor_and_ball_screw_weigh_what_the_specification_says():
    screw = ScrewMotor(D=39.9 * cm3_per_rev, lead=5 * mm, eta=0.787, J=1e-4)
    gear = GearMotor(D=80.5 * cm3_per_rev, ratio=160, J=5e-4)
    assert terms(screw).store["rod"] == pytest.approx(157.9, abs=0.05)
    assert terms(gear).store["shaft"] == pytest.approx(12.8)


# ------------------------------------------------------------------ the harvester's lines

HOSES = dict(I_A=2.75e7, I_B=2.75e7)
SUPPLY = dict(P_p=180 * bar, T_p=2 * bar)


def line_rates(valve, actuator, C, u, p, Q, **motion):
    """(ṗ_A, ṗ_B, Q̇_A, Q̇_B) where the lines end in capacities C."""
    at = dict(A_p=p[0], B_p=p[1])
    fed = terms(valve, u=u, Q_A=Q[0], Q_B=Q[1], **SUPPLY, **at)
    taken = terms(actuator, **at, **motion)
    p_dot = [-(fed.into[port] + taken.into[port]) / C for port in "AB"]
    return [*p_dot, fed.der["Q_A"], fed.der["Q_B"]], taken.out


def test_rates_of_the_harvesters_stick_are_those_of_the_specification():
    stick = RestrictedCylinder(d_bore=90 * mm, d_rod=50 * mm, stroke=0.53, length_0=0.94, R_A=3e11, R_B=3e11)
    valve = HoseValve43(K_v=1.667e-6, **HOSES)
    found, out = line_rates(
        valve, stick, 1.5e-12, 4.0, (90e5, 70e5), (4e-4, 3e-4), rod__s=1.2, rod__v=0.3523158666 * 0.15
    )
    given = [4.2532996702e7, -4.5043388666e7, 0.21578163523, 0.18455898800]
    assert found == pytest.approx(given, rel=1e-8)  # the lever arm has 10 digits
    assert (out["p_1"], out["p_4"]) == pytest.approx((8966090.766142, 7016207.797192), rel=1e-9)


@pytest.mark.parametrize(
    ("u", "given"),
    [
        (-2.5, [7.8915609105e7, -7.2044451366e7, -0.017767955698, -0.40171471620]),
        (0.0, [2.3276176295e8, -1.4896752829e8, 0.023391164992, 0.012302172887]),
    ],
    ids=["open backwards", "closed"],
)
def test_rates_of_the_harvesters_boom_are_those_of_the_specification(u, given):
    boom = RestrictedCylinder(d_bore=100 * mm, d_rod=60 * mm, stroke=0.64, length_0=0.89, R_A=3e11, R_B=3e11)
    valve = HoseValve43(K_v=1.667e-6, **HOSES)
    found, _ = line_rates(
        valve, boom, 1.3e-12, u, (65e5, 55e5), (-2e-4, -1e-4), rod__s=1.2, rod__v=0.4815874068 * -0.08
    )
    assert found == pytest.approx(given, rel=1e-8)


def test_rates_of_the_harvesters_swing_are_those_of_the_specification():
    lines = dict(R_A=1.9e8, R_B=1.9e8, R_in=1.2e12, R_eA=2.4e12, R_eB=2.4e12)
    swing = RestrictedMotor(D_m=2.5e-5, ratio=120, **lines)
    found, _ = line_rates(
        HoseValve43(K_v=1e-6, **HOSES), swing, 1e-12, 3.0, (80e5, 60e5), (3e-4, 2.5e-4), shaft__speed=0.05
    )
    assert found == pytest.approx([1.4506040672e8, -1.0089327828e8, -0.22842442480, -0.20024423439], rel=1e-9)


def test_a_closed_hose_valve_passes_nothing_and_says_so():
    found = terms(HoseValve43(K_v=1.667e-6, **HOSES), u=0.9, Q_A=3e-4, Q_B=2e-4, **SUPPLY, A_p=5e6, B_p=6e6)
    assert all(Q == 0.0 for Q in found.into.values())
    assert found.out["opened"] == 0.0


# ------------------------------------------------------------------ valves

WORK = dict(P_p=180 * bar, T_p=1 * bar, A_p=95 * bar, B_p=40 * bar)


def test_rated_valve_passes_its_rated_flow_at_its_rated_drop():
    valve = ProportionalValve43(Q_nom=40 * l_per_min, dp_nom=5 * bar)
    into = terms(valve, spool__x=1.0, P_p=100 * bar, A_p=95 * bar, B_p=6 * bar, T_p=1 * bar).into
    assert [-into["A"], into["B"]] == pytest.approx([40 * l_per_min] * 2, rel=2e-4)  # rounded below 0.1 bar


def test_spool_in_the_dead_band_passes_exactly_nothing():
    for x in (-0.05, 0.0, 0.05):
        into = terms(ProportionalValve43(Q_nom=40 * l_per_min, overlap=0.05), spool__x=x, **WORK).into
        assert all(Q == 0.0 for Q in into.values())


def test_each_edge_has_its_own_ratio():
    valve = ProportionalValve43(Q_nom=1e-3, dp_nom=5 * bar, overlap=0.0, ratio_AT=0.8, ratio_PB=0.6, ratio_BT=0.5)
    same = dict(P_p=100 * bar, A_p=50 * bar, B_p=50 * bar, T_p=0.0)
    forward, back = (terms(valve, spool__x=x, **same).into for x in (0.7, -0.7))
    assert forward["B"] / -forward["A"] == pytest.approx(0.5, rel=1e-12)
    assert back["A"] / -forward["A"] == pytest.approx(0.8, rel=1e-12)
    assert -back["B"] / -forward["A"] == pytest.approx(0.6, rel=1e-12)


def test_open_centre_lets_the_pump_idle_and_a_full_stroke_closes_half_the_edges():
    valve = OpenCentreValve43(Q_nom=40 * l_per_min, underlap=0.1)
    middle = terms(valve, spool__x=0.0, P_p=20 * bar, T_p=0.0, A_p=10 * bar, B_p=10 * bar).into
    assert middle["A"] == middle["B"] == 0.0 and middle["P"] == -middle["T"] > 0
    full = terms(valve, spool__x=1.0, **WORK).power.lost
    assert full["edge_PB"] == full["edge_AT"] == 0.0


def test_relief_valve_overrides_by_what_is_declared():
    valve = ReliefValve(p_set=200 * bar, dp_over=15 * bar, Q_nom=60 * l_per_min)
    Q = [terms(valve, P_p=p * bar, T_p=3 * bar).into["P"] for p in (203.0, 210.5, 218.0)]
    assert Q[0] == 0.0
    assert Q[1] == pytest.approx(30 * l_per_min * (207.5 / 215) ** 0.5, rel=1e-5)
    assert Q[2] == pytest.approx(60 * l_per_min, rel=1e-5)


def test_check_valve_opens_one_way_only():
    valve = CheckValve(Q_nom=60 * l_per_min)
    assert terms(valve, A_p=10 * bar, B_p=300 * bar).into["A"] == 0.0
    assert terms(valve, A_p=10 * bar, B_p=9.6 * bar).into["A"] == 0.0
    assert terms(valve, A_p=10 * bar, B_p=5 * bar).into["A"] == pytest.approx(60 * l_per_min, rel=2e-4)


def test_pilot_opens_the_locked_side():
    valve = PilotedCheckValve(Q_nom=60 * l_per_min, ratio=3.0)
    locked = terms(valve, A_p=1 * bar, B_p=150 * bar, X_p=49 * bar)
    lifted = terms(valve, A_p=1 * bar, B_p=150 * bar, X_p=53 * bar)
    assert locked.into["B"] == 0.0 and lifted.into["B"] > 0


def test_shuttle_takes_the_higher_side_and_locks_the_other():
    for A, B, taken, shut in ((100, 30, "A", "B"), (20, 60, "B", "A")):
        into = terms(ShuttleValve(Q_nom=10 * l_per_min), A_p=A * bar, B_p=B * bar, C_p=10 * bar).into
        assert into[taken] == -into["C"] > 0
        assert into[shut] == 0.0


def test_counterbalance_valve_holds_until_the_pilot_asks():
    valve = CounterbalanceValve(p_set=250 * bar, ratio=4.0, Q_nom=60 * l_per_min)
    load = dict(A_p=150 * bar, B_p=2 * bar)
    assert terms(valve, **load, X_p=2 * bar).into["A"] == 0.0
    assert terms(valve, **load, X_p=40 * bar).into["A"] > 0
    assert terms(valve, A_p=30 * bar, B_p=60 * bar).into["B"] > 0


def test_reducing_valve_feeds_below_and_relieves_above_its_setting():
    valve = ReducingValve(p_set=35 * bar, dp_band=2 * bar, Q_nom=20 * l_per_min)
    low, at, high = (terms(valve, P_p=200 * bar, A_p=p * bar).into for p in (33.0, 36.0, 38.5))
    assert low["P"] > 0 and low["T"] == 0.0
    assert at["P"] == at["A"] == at["T"] == 0.0
    assert high["P"] == 0.0 and high["T"] < 0


def test_compensator_closes_as_the_drop_it_keeps_grows():
    valve = PressureCompensator(dp_set=7 * bar, dp_band=2 * bar, Q_nom=60 * l_per_min)
    x = [terms(valve, P_p=200 * bar, A_p=(50 + kept) * bar, X_p=50 * bar).out["x"] for kept in (5.9, 7.0, 8.0)]
    assert x == pytest.approx([1.0, 0.5, 0.0], abs=1e-9)


def test_filter_drops_its_rated_drop_at_rated_flow_and_opens_its_bypass():
    part = Filter(Q_nom=60 * l_per_min, dp_nom=0.5 * bar)
    rated, blocked = terms(part, A_p=0.5 * bar), terms(part, A_p=4.5 * bar)
    assert rated.into["A"] == pytest.approx(60 * l_per_min, rel=1e-12)
    assert rated.out["x"] == 0.0 and blocked.out["x"] > 0.5


# ------------------------------------------------------------------ cylinders

SIZE = dict(d_bore=80 * mm, d_rod=45 * mm, stroke=0.545, length_0=0.82)


def test_blocked_cylinder_is_as_stiff_as_its_two_columns_of_oil():
    lift = Cylinder(**SIZE, V_A_dead=2.5e-4, V_B_dead=2.5e-4, oil=Oil(K=1.2e9))
    found = terms(lift, rod__s=0.82 + 0.25, rod__v=1.0)
    stiffness = sum(found.into[port] ** 2 / found.store[port] for port in "AB")
    A_A, A_B = 5.026548246e-3, 3.436116965e-3
    V_A, V_B = 2.5e-4 + A_A * 0.25, 2.5e-4 + A_B * 0.295
    assert stiffness == pytest.approx(1.2e9 * (A_A**2 / V_A + A_B**2 / V_B), rel=1e-9)


def test_force_of_the_cylinder_is_pressure_times_area_less_friction():
    lift = Cylinder(**SIZE, friction=Viscous(c=3e3), eta=0.9, v_eta=1e-4)
    found = terms(lift, A_p=90 * bar, B_p=70 * bar, rod__s=1.0, rod__v=0.2)
    oil = 90e5 * 5.026548246e-3 - 70e5 * 3.436116965e-3
    assert found.out["F"] == pytest.approx(0.9 * oil - 3e3 * 0.2, rel=1e-9)
    assert found.into["rod"] == -found.out["F"]


def test_a_cylinder_vented_to_the_air_around_it_does_not_push():
    lift = Cylinder(**SIZE, p_ambient=1.01325 * bar)
    found = terms(lift, A_p=1.01325 * bar, B_p=1.01325 * bar, rod__s=1.0, rod__v=0.3)
    assert found.out["F"] == pytest.approx(0.0, abs=1e-9)
    assert found.power.stored["ambient"] == pytest.approx(1.01325e5 * 1.590431281e-3 * 0.3, rel=1e-9)


def test_bristles_of_the_seal_are_a_state_of_the_cylinder():
    lift = Cylinder(**SIZE, friction=LuGre(F_c=210.0, F_s=830.0, v_s=0.0125, sigma_0=7e6))
    found = terms(lift, rod__s=1.0, friction__z=1e-5)
    assert found.out["F"] == pytest.approx(-70.0)
    assert set(found.parts["friction"].der) == {"z"}


def test_thinner_oil_leaks_more_through_the_same_gap():
    thick, thin = (GapLeak(r=40 * mm, c=0.03 * mm, L=50 * mm, oil=Oil(rho=870.0, nu=nu * cSt)) for nu in (46, 15))
    Q = terms(Cylinder(**SIZE, leak=thick), A_p=100 * bar, rod__s=1.0).into["A"]
    assert Q == pytest.approx(3.14159265 * 0.04 * 2.7e-14 * 1e7 / (6 * 870 * 46e-6 * 0.05), rel=1e-8)
    assert terms(Cylinder(**SIZE, leak=thin), A_p=100 * bar, rod__s=1.0).into["A"] == pytest.approx(
        46 / 15 * Q, rel=1e-12
    )


def test_leakage_past_the_rod_seal_leaves_through_the_drain():
    lift = Cylinder(**SIZE, leak=LaminarLeak(G=1e-12), leak_out=LaminarLeak(G=2e-13))
    into = terms(lift, A_p=50 * bar, B_p=20 * bar, rod__s=1.0).into
    assert into["A"] == pytest.approx(3e-6)
    assert into["D"] == pytest.approx(-4e-7)
    assert into["A"] + into["B"] + into["D"] == pytest.approx(0.0, abs=1e-20)


def test_stops_hold_the_piston_and_the_chamber_keeps_a_length():
    found = terms(Cylinder(**SIZE), A_p=200 * bar, rod__s=0.82 + 0.545 + 1e-3)
    assert found.out["F"] == pytest.approx(200e5 * 5.026548246e-3 - 1e8 * 1e-3, rel=1e-6)
    assert found.guard["length_B"] > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cylinder(**(SIZE | dict(d_rod=90 * mm))), r"Cylinder.d_rod = 0.09 m: must be below d_bore = 0.08 m"),
        (lambda: Cylinder(**(SIZE | dict(d_bore=-1.0))), r"Cylinder.d_bore = -1 m: must be above 0 \(bore\)"),
        (lambda: ProportionalValve43(Q_nom=-1), r"Q_nom = -1 m³/s: must be above 0"),
        (lambda: Throttle(area=-1e-6), r"Throttle.area = -1e-06 m²: must lie within 0 and 1"),
        (lambda: Filter(Q_nom=1e-3, dp_bypass=0.2 * bar), r"Filter.dp_bypass = 20000 Pa: must be above dp_nom"),
        (lambda: Oil(air=0.01, cavitation=False), r"Oil.air = 0.01 -: free air needs a pressure above zero"),
    ],
)
def test_impossible_parts_are_refused_with_the_remedy(make, message):
    with pytest.raises(DeclarationError, match=message):
        make()
