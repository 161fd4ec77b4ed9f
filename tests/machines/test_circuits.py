"""Small circuits against closed solutions, integrated by SciPy from the assembled equations."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from oleodyn.equations.assemble import assemble
from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.accumulator import Accumulator
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.edge import SmoothEdge
from oleodyn.hydraulics.leakage import LaminarLeak, RootLeak
from oleodyn.hydraulics.line import Hose, InertialHose
from oleodyn.hydraulics.motor import GearMotor
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import FixedPump
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool, InstantSpool
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource, LoadSensingSupply
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle, VariableThrottle
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.units import bar, cm3_per_rev, l_per_min, litre, mA, mm


class Circuit:
    """A machine with its equations as one first-order system, for SciPy."""

    def __init__(self, parts, *connections):
        self.machine = Machine("circuit")
        for name, part in parts.items():
            self.machine.add(name, part)
        for ends in connections:
            self.machine.connect(*ends)
        self.e = e = assemble(self.machine)
        v_dot = ca.solve(e.M, e.f) if e.n_v else ca.SX(0, 1)
        y, y_dot = ca.vertcat(e.q, e.v, e.x), ca.vertcat(e.q_dot, v_dot, e.x_dot)
        self.names = [card.name for card in (*e.q_signals, *e.v_signals, *e.x_signals)]
        self.outputs = [card.name for card in e.y_signals]
        self._f = ca.Function("f", [y, e.u], [y_dot])
        self._jacobian = ca.Function("J", [y, e.u], [ca.densify(ca.jacobian(y_dot, y))])
        self._out = ca.Function("out", [y, e.u], [ca.substitute(e.outputs, e.a, v_dot)])
        self._powers = ca.Function("powers", [y, e.u], [e.powers])
        self._energy = ca.Function("energy", [y, e.u], [ca.sum1(e.energies)])
        self.start = np.concatenate([e.q_0, e.v_0, e.x_0])
        self.u = e.u_0.copy()

    def set(self, **values):
        """Inputs by name, `__` for a dot."""
        for name, value in values.items():
            self.u[[card.name for card in self.e.u_signals].index(name.replace("__", "."))] = value
        return self

    def run(self, until, start=None, **kwargs):
        y_0 = self.start if start is None else start
        run = solve_ivp(
            lambda t, y: np.asarray(self._f(y, self.u)).ravel(), (0, until), y_0, method="Radau",
            jac=lambda t, y: np.asarray(self._jacobian(y, self.u)), rtol=1e-9, atol=1e-9, **kwargs,
        )  # fmt: skip
        assert run.success
        return run

    def at(self, y):
        """All signals at a state, by name."""
        out = dict(zip(self.outputs, np.asarray(self._out(y, self.u)).ravel(), strict=True))
        return out | dict(zip(self.names, y, strict=True))

    def settled(self, until=20.0, **kwargs):
        return self.at(self.run(until, **kwargs).y[:, -1])

    def modes(self, y=None):
        return np.linalg.eigvals(np.asarray(self._jacobian(self.start if y is None else y, self.u)))

    def account(self, run):
        """(work supplied, lost, stored by rate, change of energies) over a run [J]."""
        times = np.linspace(run.t[0], run.t[-1], 40_001)
        y = run.sol(times)
        rates = np.asarray(self._powers.map(len(times))(y, np.repeat(self.u[:, None], len(times), axis=1)))
        work = np.trapezoid(rates, times, axis=1)
        sums = [sum(w for w, account in zip(work, self.e.accounts, strict=True) if account == name)
                for name in ("supplied", "lost", "stored")]  # fmt: skip
        ends = [float(self._energy(y[:, i], self.u)) for i in (0, -1)]
        return (*sums, ends[1] - ends[0])


LIFT = dict(d_bore=80 * mm, d_rod=45 * mm, stroke=0.9, length_0=0.8)
A_A, A_B = 5.026548246e-3, 3.436116965e-3


def lifting(F, u, s_0=1.2, valve=None, cylinder=None, m=500.0):
    """Constant pressure, 4/3 valve, cylinder and a hanging load."""
    parts = dict(
        supply=ConstantPressure(p=180 * bar),
        tank=Tank(p=2 * bar),
        valve=valve or ProportionalValve43(Q_nom=40 * l_per_min, spool=InstantSpool(), ratio_BT=0.7, ratio_PB=0.8),
        lift=cylinder or Cylinder(**LIFT, p_A_0=80 * bar, p_B_0=60 * bar, leak=LaminarLeak(G=1e-16)),
        load=Mass(m=m, s_0=s_0),
        weight=ForceSource(),
    )
    return Circuit(
        parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"),
        ("valve.A", "lift.A"), ("valve.B", "lift.B"), ("lift.rod", "load.rod", "weight.rod"),
    ).set(valve__u=u, weight__F=-F)  # fmt: skip


@pytest.mark.parametrize("u", [0.6, -0.6], ids=["extension", "retraction"])
def test_speed_of_a_cylinder_on_a_valve_is_the_algebraic_one(u, verification):
    F, k = 20e3, 40 * l_per_min / (5 * bar) ** 0.5 * (abs(u) - 0.03) / 0.97
    circuit = lifting(F, u, s_0=1.0 if u > 0 else 1.5)
    settled = circuit.settled(until=1.5)

    def unbalanced(v):  # pressures from the flows over the two edges in use, then the force
        if u > 0:
            p_A, p_B = 180 * bar - (A_A * v / k) ** 2, 2 * bar + (A_B * v / (0.7 * k)) ** 2
        else:
            p_A, p_B = 2 * bar + (A_A * v / k) ** 2, 180 * bar - (A_B * v / (0.8 * k)) ** 2
        return p_A * A_A - p_B * A_B - F

    v = brentq(unbalanced, 0.0, 1.0, xtol=1e-14)
    computed = abs(settled["load.rod.v"])
    verification(
        "Hydraulics", f"steady speed of a cylinder on a 4/3 valve, u = {u:g}", "algebraic solution",
        computed, 2e-6 * v, expected=v, unit="m/s",
    )  # fmt: skip


def test_blocked_cylinder_with_a_mass_rings_at_its_hydraulic_frequency(verification):
    oil, m = Oil(K=1.2e9), 2000.0
    cylinder = Cylinder(**LIFT, oil=oil, V_A_dead=2.5e-4, V_B_dead=2.5e-4, p_A_0=100 * bar, p_B_0=100 * bar)
    circuit = lifting(F=100e5 * (A_A - A_B), u=0.0, s_0=1.15, cylinder=cylinder, m=m)
    x = 0.35
    K = 1.2e9 * (A_A**2 / (2.5e-4 + A_A * x) + A_B**2 / (2.5e-4 + A_B * (0.9 - x)))
    computed = max(abs(circuit.modes().imag))
    verification(
        "Hydraulics", "frequency of a blocked cylinder with a mass, by linearisation", "√(ΣA²K/V / m)",
        computed, 1e-3 * (K / m) ** 0.5, expected=(K / m) ** 0.5, unit="rad/s",
    )  # fmt: skip
    kicked = circuit.start.copy()
    kicked[circuit.names.index("load.rod.v")] = 1e-3
    run = circuit.run(0.5, start=kicked, dense_output=True)
    times = np.linspace(0, 0.5, 200_001)
    v = run.sol(times)[circuit.names.index("load.rod.v")]
    crossings = times[1:][(v[1:] > 0) & (v[:-1] <= 0)]
    assert 2 * np.pi / np.mean(np.diff(crossings)) == pytest.approx((K / m) ** 0.5, rel=1e-3)


def test_pressure_in_a_closed_volume_rises_with_the_flow_into_it():
    circuit = Circuit(
        dict(source=FlowSource(Q_nom=6 * l_per_min), vessel=Volume(volume=2 * litre, p_0=5 * bar), tank=Tank()),
        ("source.P", "vessel.port"), ("source.T", "tank.port"),
    )  # fmt: skip
    p = circuit.at(circuit.run(0.4).y[:, -1])["vessel.port.p"]
    assert p == pytest.approx(5 * bar + 1.5e9 / 2e-3 * 1e-4 * 0.4, rel=1e-9)


@pytest.mark.parametrize("spool", [InstantSpool(), FirstOrderSpool(tau=20e-3)])
def test_relief_valve_limits_the_pressure_with_its_override(spool):
    relief = ReliefValve(p_set=200 * bar, dp_over=15 * bar, Q_nom=60 * l_per_min, spool=spool)
    circuit = Circuit(
        dict(source=FlowSource(Q_nom=60 * l_per_min), hose=Hose(volume=0.5 * litre), relief=relief, tank=Tank(p=0.0)),
        ("source.P", "hose.port", "relief.P"), ("source.T", "tank.port", "relief.T"),
    )  # fmt: skip
    full = circuit.settled()["hose.port.p"]
    half = circuit.set(source__u=0.5).settled()["hose.port.p"]
    expected = brentq(lambda p: (p - 200) / 15 * (p / 215) ** 0.5 - 0.5, 200, 215) * bar
    assert [full, half] == pytest.approx([215 * bar, expected], rel=1e-6)


def test_accumulator_takes_oil_in_along_the_polytrope():
    gas = Accumulator(V_gas=4 * litre, p_pre=90 * bar, n=1.3, p_0=100 * bar, V_dead=1e-6)
    circuit = Circuit(
        dict(source=FlowSource(Q_nom=12 * l_per_min), gas=gas, tank=Tank()),
        ("source.P", "gas.port"), ("source.T", "tank.port"),
    )  # fmt: skip
    p = circuit.at(circuit.run(5.0).y[:, -1])["gas.port.p"]
    V = 4e-3 * (90 / 100) ** (1 / 1.3) - 12 * l_per_min * 5.0
    assert p == pytest.approx(90 * bar * (4e-3 / V) ** 1.3, rel=1e-5)  # 1e-5: the oil in the neck gives way


def test_hose_resonates_with_its_inertance_and_half_its_capacity():
    hose = InertialHose(length=4.0, d=12.7 * mm, R=1e7, K_wall=550e6)
    circuit = Circuit(
        dict(supply=ConstantPressure(p=100 * bar), hose=hose, end=Plug(volume=1e-9)),
        ("supply.port", "hose.A"), ("hose.B", "end.port"),
    )  # fmt: skip
    area = np.pi * 0.0127**2 / 4
    I, C = 870 * 4.0 / area, area * 4.0 * (1 / 1.5e9 + 1 / 550e6)
    assert max(abs(circuit.modes())) == pytest.approx((2 / (I * C)) ** 0.5, rel=1e-5)


def test_loaded_cylinder_leaks_down_as_fast_as_oil_passes_its_piston():
    F, C = 30e3, 2e-11
    dp = (F + 1e5 * A_B) / A_A - 1e5
    drag = Viscous(c=2e4)  # lets the bouncing on the oil die out; at 10 µm/s it carries 0.2 N
    parts = dict(
        lift=Cylinder(**LIFT, p_A_0=dp + 1e5, leak=RootLeak(C=C, dp_lam=1.0), friction=drag),
        load=Mass(m=3000.0, s_0=1.4), weight=ForceSource(), tank=Tank(p=1 * bar), lock=Plug(volume=1e-6),
    )  # fmt: skip
    circuit = Circuit(
        parts, ("lift.rod", "load.rod", "weight.rod"), ("lift.B", "tank.port"), ("lift.A", "lock.port")
    ).set(weight__F=-F)  # fmt: skip
    assert circuit.settled(until=30.0)["load.rod.v"] == pytest.approx(-C * dp**0.5 / A_A, rel=1e-4)


def servo_axis(I, i):
    motor = GearMotor(D=80.5 * cm3_per_rev, ratio=160.0, eta=0.836, J=5e-4, leak=RootLeak(C=6.7e-9, dp_lam=10.0))
    valve = ServoValve43(C_d=8.018e-4, edge=SmoothEdge(dp_lam=10.0))
    parts = dict(supply=ConstantPressure(p=140 * bar), tank=Tank(p=0.0), valve=valve, motor=motor, joint=Inertia(I=I))
    return Circuit(
        parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "motor.A"), ("valve.B", "motor.B"),
        ("motor.shaft", "joint.shaft"),
    ).set(valve__i=i)  # fmt: skip


def test_stalled_motor_gives_its_pressure_times_displacement():
    stalled = servo_axis(I=1e14, i=10 * mA).settled(until=60.0)
    C, x, C_in = 8.018e-4, 0.5e-3, 6.7e-9
    dp = 140 * bar / (1 + 2 * (C_in / (C * x)) ** 2)  # two edges and the leak in series
    assert stalled["motor.tau"] == pytest.approx(0.836 * 160 * 80.5 * cm3_per_rev * dp, rel=1e-6)


def test_motor_without_load_turns_as_fast_as_the_valve_lets_oil_through():
    free = servo_axis(I=200.0, i=3 * mA)
    settled = free.settled(until=5.0)
    Q = 8.018e-4 * 0.05 * 3 * mA * (70 * bar) ** 0.5
    speed = next(settled[name] for name in free.names if name.endswith("shaft.speed"))
    assert speed == pytest.approx(Q / (160 * 80.5 * cm3_per_rev), rel=1e-6)


def test_compensated_throttle_passes_the_same_flow_at_any_load():
    flows = []
    for p_load in (20 * bar, 120 * bar):
        parts = dict(
            supply=ConstantPressure(p=180 * bar), between=Hose(volume=0.1 * litre), throttle=Throttle(area=2e-5),
            compensator=PressureCompensator(Q_nom=100 * l_per_min, dp_band=0.1 * bar), load=Tank(p=p_load),
        )  # fmt: skip
        circuit = Circuit(
            parts, ("supply.port", "compensator.P"), ("compensator.A", "between.port", "throttle.A"),
            ("throttle.B", "load.port", "compensator.X"),
        )  # fmt: skip
        flows.append(circuit.settled()["load.Q"])
    ideal = 0.7 * 2e-5 * (2 / 870 * 7 * bar) ** 0.5
    assert flows == pytest.approx([ideal, ideal], rel=5e-3)  # the band is 0.7 % of the drop either way


def test_load_sensing_supply_stays_its_margin_above_the_load():
    parts = dict(
        supply=LoadSensingSupply(p_max=200 * bar, margin=22 * bar), load=Volume(volume=1 * litre, p_0=110 * bar),
        pilot=VariableThrottle(area=1e-6), relief=ReliefValve(p_set=300 * bar, Q_nom=1e-3), tank=Tank(),
    )  # fmt: skip
    circuit = Circuit(
        parts, ("supply.LS", "load.port", "pilot.A"), ("pilot.B", "relief.T", "tank.port"), ("supply.P", "relief.P")
    )
    assert circuit.settled(until=2.0)["supply.P.p"] == pytest.approx(132 * bar, rel=1e-9)


def test_pump_takes_from_its_shaft_what_it_gives_and_loses():
    pump = FixedPump(D=45 * cm3_per_rev, eta=0.92, leak=LaminarLeak(G=2e-12))
    circuit = Circuit(
        dict(motor=PrimeMover(), pump=pump, hose=Hose(volume=0.3 * litre), load=Throttle(area=1e-5), tank=Tank()),
        ("motor.shaft", "pump.shaft"), ("pump.P", "hose.port", "load.A"), ("pump.T", "load.B", "tank.port"),
    )  # fmt: skip
    settled = circuit.settled()
    w, dp = 1500 * np.pi / 30, settled["hose.port.p"] - 101325.0
    assert settled["pump.Q"] == pytest.approx(45 * cm3_per_rev * w - 2e-12 * dp, rel=1e-9)
    assert settled["motor.tau"] == pytest.approx(45 * cm3_per_rev * dp / 0.92, rel=1e-6)


def test_energy_account_of_a_lifting_cylinder_closes(verification):
    cylinder = Cylinder(**LIFT, p_A_0=80 * bar, p_B_0=60 * bar, leak=LaminarLeak(G=1e-12), eta=0.95)
    circuit = lifting(F=20e3, u=0.5, s_0=1.0, cylinder=cylinder)
    run = circuit.run(1.0, dense_output=True, max_step=1e-3)
    supplied, lost, stored, change = circuit.account(run)
    verification(
        "Hydraulics", "energy account of valve, cylinder and load", "supplied = lost + stored",
        (supplied - lost - stored - change) / supplied, 1e-6,
    )  # fmt: skip
    assert lost > 0
