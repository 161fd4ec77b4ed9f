"""Small circuits against closed solutions, run as users run them: assembled, compiled, stepped at 1 ms or so."""

import numpy as np
import pytest
from scipy.optimize import brentq

from oleodyn.equations.assemble import assemble
from oleodyn.equations.linearise import linearise
from oleodyn.errors import StepError
from oleodyn.fluids.oil import Oil
from oleodyn.friction.viscous import Viscous
from oleodyn.hydraulics.accumulator import Accumulator
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.edge import SmoothEdge
from oleodyn.hydraulics.efficiency import PublishedEfficiency
from oleodyn.hydraulics.leakage import RootLeak
from oleodyn.hydraulics.line import Hose, InertialHose
from oleodyn.hydraulics.motor import GearMotor
from oleodyn.hydraulics.node import Plug, Volume
from oleodyn.hydraulics.orifice import Orifice
from oleodyn.hydraulics.pressure_valve import ReliefValve
from oleodyn.hydraulics.servo_valve import ServoValve43
from oleodyn.hydraulics.spool import FirstOrderSpool, InstantSpool, SecondOrderSpool
from oleodyn.hydraulics.supply import ConstantPressure, FlowSource
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import VariableThrottle
from oleodyn.mechanics.inertia import Inertia, Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.simulation.path import Ramp, Steps
from oleodyn.simulation.run import simulate
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.units import bar, cm3_per_rev, l_per_min, litre, mA, mm
from tests.machines.small import made

LIFT = dict(d_bore=80 * mm, d_rod=45 * mm, stroke=0.9, length_0=0.8)
A_A, A_B = np.pi * 0.080**2 / 4, np.pi * (0.080**2 - 0.045**2) / 4
IMPLICIT = [Trapezoidal(), HHT()]


def lifting(s_0, m=500.0, **cylinder):
    """Constant pressure, 4/3 valve, cylinder and a hanging load."""
    parts = dict(
        supply=ConstantPressure(p=180 * bar), tank=Tank(p=2 * bar),
        valve=ProportionalValve43(Q_nom=40 * l_per_min, spool=InstantSpool(), ratio_BT=0.7, ratio_PB=0.8),
        lift=Cylinder(**LIFT, **cylinder), load=Mass(m=m, s_0=s_0), weight=ForceSource(),
    )  # fmt: skip
    return made(
        "lifting", parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "lift.A"),
        ("valve.B", "lift.B"), ("lift.rod", "load.rod", "weight.rod"),
    )  # fmt: skip


def last(machine, until, dt=1e-3, stepper=None, **inputs):
    """All signals at the end of a run; inputs with `__` for a dot."""
    inputs = {name.replace("__", "."): value for name, value in inputs.items()}
    result = simulate(machine, until=until, dt=dt, stepper=stepper or Trapezoidal(), inputs=inputs, every=10**9)
    return {name: float(result.values(name)[-1]) for name in result.signals}


def drop(Q, C, dp_lam=0.1 * bar):
    """The drop that drives Q through a smooth edge: Q = C dp / (dp² + dp_lam²)^¼, solved for dp."""
    x = (Q / C) ** 4
    return ((x + (x * x + 4 * x * dp_lam**2) ** 0.5) / 2) ** 0.5


@pytest.mark.parametrize("u", [0.6, -0.6], ids=["extension", "retraction"])
def test_speed_of_a_cylinder_on_a_valve_is_the_algebraic_one(u, verification):
    F, C = 20e3, 40 * l_per_min / (5 * bar) ** 0.5 * (abs(u) - 0.03) / 0.97

    def unbalanced(v):  # pressures from the flows over the two edges in use, then the force
        if u > 0:
            p_A, p_B = 180 * bar - drop(A_A * v, C), 2 * bar + drop(A_B * v, 0.7 * C)
        else:
            p_A, p_B = 2 * bar + drop(A_A * v, C), 180 * bar - drop(A_B * v, 0.8 * C)
        return p_A * A_A - p_B * A_B - F

    v = brentq(unbalanced, 1e-6, 1.0, xtol=1e-15)
    machine = lifting(1.0 if u > 0 else 1.5, p_A_0=80 * bar, p_B_0=60 * bar)
    speeds = [
        abs(last(machine, 1.5, dt, stepper, valve__u=u, weight__F=-F)["load.rod.v"])
        for stepper, dt in ((Trapezoidal(), 1e-3), (HHT(), 1e-3), (RK4(), 1e-4))
    ]
    assert speeds == pytest.approx([v] * 3, rel=1e-9)
    verification(
        "Hydraulics", f"steady speed of a cylinder on a 4/3 valve at 1 ms, u = {u:g}", "algebraic solution",
        speeds[0], 1e-6 * v, expected=v, unit="m/s",
    )  # fmt: skip


def test_blocked_cylinder_with_a_mass_rings_at_its_hydraulic_frequency(verification):
    m, x, h = 2000.0, 0.35, 0.25e-3
    K = 1.2e9 * (A_A**2 / (2.5e-4 + A_A * x) + A_B**2 / (2.5e-4 + A_B * (0.9 - x)))
    w = (K / m) ** 0.5
    machine = lifting(0.8 + x, m, oil=Oil(K=1.2e9), V_A_dead=2.5e-4, V_B_dead=2.5e-4, p_A_0=100 * bar, p_B_0=100 * bar)
    machine.start["load.rod.v"] = 1e-3
    weight = {"weight.F": -100e5 * (A_A - A_B), "valve.u": 0.0}
    computed = linearise(assemble(machine)).modes()[-1].frequency
    verification(
        "Hydraulics", "frequency of a blocked cylinder with a mass, linearised", "√(ΣA²K/V / m)",
        computed, 1e-3 * w, expected=w, unit="rad/s",
    )  # fmt: skip
    result = simulate(machine, until=0.6, dt=h, stepper=Trapezoidal(), inputs=weight, every=1)
    rung = 2 * np.pi / np.mean(np.diff(rising(result.time, result.values("load.rod.v"))))
    verification(
        "Hydraulics", "frequency of a blocked cylinder with a mass, rung at 0.25 ms", "√(ΣA²K/V / m)",
        rung, 1e-3 * w, expected=w, unit="rad/s",
    )  # fmt: skip
    assert rung == pytest.approx(2 / h * np.arctan(w * h / 2), rel=2e-5)  # and the period that the rule gives it


def rising(t, y):
    """Instants at which a signal passes zero upwards, on the straight line between two samples."""
    i = np.flatnonzero((y[1:] > 0) & (y[:-1] <= 0))
    return t[i] - y[i] * (t[i + 1] - t[i]) / (y[i + 1] - y[i])


@pytest.mark.parametrize("stepper", [*IMPLICIT, RK4()], ids=lambda stepper: stepper.name)
def test_pressure_in_a_closed_volume_rises_with_the_flow_into_it(stepper):
    parts = dict(source=FlowSource(Q_nom=6 * l_per_min), vessel=Volume(volume=2 * litre, p_0=5 * bar), tank=Tank())
    machine = made("vessel", parts, ("source.P", "vessel.port"), ("source.T", "tank.port"))
    p = last(machine, 0.4, stepper=stepper)["vessel.port.p"]
    assert p == pytest.approx(5 * bar + 1.5e9 / 2e-3 * 1e-4 * 0.4, rel=1e-12)  # a straight line: any rule is exact


@pytest.mark.parametrize("stepper", IMPLICIT, ids=lambda stepper: stepper.name)
@pytest.mark.parametrize("spool", [InstantSpool(), FirstOrderSpool(tau=20e-3)], ids=["instant", "first order"])
def test_relief_valve_limits_the_pressure_with_its_override(stepper, spool):
    relief = ReliefValve(p_set=200 * bar, dp_over=15 * bar, Q_nom=60 * l_per_min, spool=spool)
    parts = dict(
        source=FlowSource(Q_nom=60 * l_per_min), hose=Hose(volume=0.5 * litre), relief=relief, tank=Tank(p=0.0)
    )
    machine = made("relief", parts, ("source.P", "hose.port", "relief.P"), ("source.T", "tank.port", "relief.T"))
    full, half = (last(machine, 3.0, stepper=stepper, source__u=u)["hose.port.p"] for u in (1.0, 0.5))
    expected = brentq(lambda p: (p - 200) / 15 * (p / 215) ** 0.5 - 0.5, 200, 215) * bar
    assert [full, half] == pytest.approx([215 * bar, expected], rel=1e-6)  # 6e-8: the edge's smoothing


def test_accumulator_takes_oil_in_along_the_polytrope(verification):
    gas = Accumulator(V_gas=4 * litre, p_pre=90 * bar, n=1.3, p_0=100 * bar, V_dead=1e-9)
    parts = dict(source=FlowSource(Q_nom=12 * l_per_min), gas=gas, tank=Tank())
    machine = made("charging", parts, ("source.P", "gas.port"), ("source.T", "tank.port"))
    V = 4e-3 * (90 / 100) ** (1 / 1.3) - 12 * l_per_min * 5.0
    p, error = 90 * bar * (4e-3 / V) ** 1.3, []
    for dt in (20e-3, 10e-3):
        error.append(last(machine, 5.0, dt)["gas.port.p"] - p)
    assert error[0] / error[1] == pytest.approx(4, rel=0.1)  # the order of the rule
    verification(
        "Hydraulics", "accumulator filled by 1 l in 5 s", "p Vⁿ = const.",
        last(machine, 5.0)["gas.port.p"], 1e-6 * p, expected=p, unit="Pa",
    )  # fmt: skip


@pytest.mark.parametrize(("stepper", "share"), [(Trapezoidal(), 1e-4), (HHT(), 1e-2), (RK4(), 1e-4)])
def test_accumulator_fills_through_its_precharge_where_its_capacity_grows_a_thousandfold(stepper, share):
    """What is not in the gas is in the oil of neck and hose, 2.7 bar more in each half millisecond before."""
    gas = Accumulator(V_gas=4 * litre, p_pre=90 * bar, n=1.3, p_0=80 * bar)
    parts = dict(source=FlowSource(Q_nom=12 * l_per_min), gas=gas, hose=Volume(volume=0.5 * litre), tank=Tank())
    machine = made("filling", parts, ("source.P", "gas.port", "hose.port"), ("source.T", "tank.port"))
    result = simulate(machine, until=2.0, dt=0.5e-3, stepper=stepper)
    p, V = result.values("gas.port.p")[-1], result.values("gas.V")[-1]
    assert pytest.approx(12 * l_per_min * 2.0 - (p - 80 * bar) * 0.55e-3 / 1.5e9, rel=share) == V
    assert result.timing["max_iterations"] < 10


def hose_on_a_throttle(end=None):
    """100 bar, a long hose, and at its end a plug, or a throttle into the tank."""
    parts = dict(supply=ConstantPressure(p=100 * bar), hose=InertialHose(length=4.0, d=12.7 * mm, R=1e7, p_0=90 * bar))
    if end is None:
        return made("hose", parts | dict(end=Plug(volume=1e-9)), ("supply.port", "hose.A"), ("hose.B", "end.port"))
    return made(
        "hose", parts | dict(end=end, tank=Tank(p=0.0)), ("supply.port", "hose.A"), ("hose.B", "end.A"),
        ("end.B", "tank.port"),
    )  # fmt: skip


AREA = np.pi * 0.0127**2 / 4
I_HOSE, C_HOSE = 870 * 4.0 / AREA, AREA * 4.0 * (1 / 1.5e9 + 1 / 550e6)


def test_hose_resonates_with_its_inertance_and_half_its_capacity():
    w, h = (2 / (I_HOSE * C_HOSE)) ** 0.5, 0.05e-3
    assert linearise(assemble(hose_on_a_throttle())).modes()[-1].frequency == pytest.approx(w, rel=1e-5)
    result = simulate(hose_on_a_throttle(), until=0.1, dt=h, stepper=Trapezoidal(), every=1)
    rung = 2 * np.pi / np.mean(np.diff(rising(result.time, result.values("hose.Q"))))
    assert rung == pytest.approx(w, rel=2e-4)  # 6e-5 of it is the rule's, (w h)²/12


@pytest.mark.parametrize("u", [0.0, 0.3])
def test_valve_that_closes_slowly_makes_no_water_hammer(u):
    """A stop at once costs √(I/(C/2)) ΔQ above the supply, one over many periods only I Q̇."""
    machine = hose_on_a_throttle(VariableThrottle(area=4e-6))
    w = (2 / (I_HOSE * C_HOSE)) ** 0.5
    opened = last(machine, 1.0, end__u=1.0)
    assert opened["hose.Q"] > 2e-4
    machine.start |= {name: opened[name] for name in ("hose.Q", "hose.B.p")}
    duration = 40 * 2 * np.pi / w
    at_once = Steps(before=1.0, times=[0.01], values=[u])
    slowly = Ramp(before=1.0, start=0.01, duration=duration, after=u)
    peaks = {}
    for name, signal in dict(at_once=at_once, slowly=slowly).items():
        result = simulate(machine, until=0.05 + duration, dt=0.1e-3, inputs={"end.u": signal}, every=1)
        peaks[name] = np.max(result.values("hose.B.p"))
    settled = last(machine, 2.0, end__u=u)["hose.B.p"]
    dQ = opened["hose.Q"] - last(machine, 2.0, end__u=u)["hose.Q"]
    assert peaks["at_once"] > settled + 0.5 * dQ * w * I_HOSE
    assert peaks["slowly"] < settled + 2.0 * I_HOSE * dQ / duration


def test_loaded_cylinder_leaks_down_as_fast_as_oil_passes_its_piston(verification):
    F, C = 30e3, 2e-11
    dp = (F + 1e5 * A_B) / A_A - 1e5
    lift = Cylinder(**LIFT, p_A_0=dp + 1e5, leak=RootLeak(C=C, dp_lam=1.0), friction=Viscous(c=2e4))
    parts = dict(lift=lift, load=Mass(m=3000.0, s_0=1.4), weight=ForceSource(), tank=Tank(p=1 * bar), lock=Plug())
    machine = made(
        "leak-down", parts, ("lift.rod", "load.rod", "weight.rod"), ("lift.B", "tank.port"), ("lift.A", "lock.port")
    )
    v = -C * dp**0.5 / A_A
    verification(
        "Hydraulics", "speed of a load that leaks down", "leakage over piston area",
        last(machine, 30.0, weight__F=-F)["load.rod.v"], 1e-4 * abs(v), expected=v, unit="m/s",
    )  # fmt: skip


def servo_axis(I):
    motor = GearMotor(
        D=80.5 * cm3_per_rev, ratio=160.0, eta=0.836, efficiency=PublishedEfficiency(), J=5e-4,
        leak=RootLeak(C=6.7e-9, dp_lam=10.0),
    )  # fmt: skip
    valve = ServoValve43(C_d=8.018e-4, edge=SmoothEdge(dp_lam=10.0))
    parts = dict(supply=ConstantPressure(p=140 * bar), tank=Tank(p=0.0), valve=valve, motor=motor, joint=Inertia(I=I))
    return made(
        "axis", parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "motor.A"),
        ("valve.B", "motor.B"), ("motor.shaft", "joint.shaft"),
    )  # fmt: skip


def test_stalled_motor_gives_its_pressure_times_displacement(verification):
    C, x, C_in = 8.018e-4, 0.5e-3, 6.7e-9
    dp = 140 * bar / (1 + 2 * (C_in / (C * x)) ** 2)  # two edges and the leak in series
    tau = 0.836 * 160 * 80.5 * cm3_per_rev * dp
    verification(
        "Hydraulics", "torque of a stalled motor on a servo valve", "two edges and the leakage in series",
        last(servo_axis(1e14), 20.0, valve__i=10 * mA)["motor.tau"], 1e-6 * tau, expected=tau, unit="N·m",
    )  # fmt: skip


def test_motor_without_load_turns_as_fast_as_the_valve_lets_oil_through(verification):
    Q = 8.018e-4 * 0.05 * 3 * mA * (70 * bar) ** 0.5
    w = Q / (160 * 80.5 * cm3_per_rev)
    verification(
        "Hydraulics", "speed of a motor without load on a servo valve", "half the supply over each edge",
        last(servo_axis(200.0), 5.0, valve__i=3 * mA)["motor.shaft.speed"], 1e-6 * w, expected=w, unit="rad/s",
    )  # fmt: skip


def test_newton_finds_the_zero_of_a_root_that_it_leaps_around():
    parts = dict(
        supply=ConstantPressure(p=140 * bar), mouth=Orifice(C=4e-7, edge=SmoothEdge(dp_lam=10.0)),
        vessel=Volume(volume=0.1 * litre),
    )  # fmt: skip
    machine = made("mouth", parts, ("supply.port", "mouth.A"), ("mouth.B", "vessel.port"))
    result = simulate(machine, until=0.1, dt=1e-3, stepper=Trapezoidal())
    assert result.values("vessel.port.p")[-1] == pytest.approx(140 * bar, rel=1e-4)  # it rings down by 4/(λh) a step
    assert result.timing["accepted"] == 0


def test_a_step_that_fails_names_the_node_or_the_chamber_where_it_did():
    parts = dict(supply=ConstantPressure(p=140 * bar), mouth=Orifice(C=4e-7), vessel=Volume(volume=0.1 * litre))
    machine = made("mouth", parts, ("supply.port", "mouth.A"), ("mouth.B", "vessel.port"))
    with pytest.raises(StepError, match=r"Newton failed at vessel\.port\.p\."):
        simulate(machine, until=0.1, dt=1e-3, stepper=Trapezoidal(max_iterations=2))
    machine = lifting(0.801, stop=None)
    with pytest.raises(StepError, match=r"a guard is violated \(must stay positive\) at lift.length_A\."):
        simulate(machine, until=1.0, dt=1e-3, stepper=HHT(), inputs={"weight.F": -5e7})


@pytest.mark.parametrize("stepper", [RK4(), HHT(), Trapezoidal()], ids=lambda stepper: stepper.name)
def test_a_lively_spool_stops_at_its_end_and_comes_back(stepper):
    """ζ = 0.3 would overshoot a full command by 37 %."""
    valve = ProportionalValve43(Q_nom=40 * l_per_min, spool=SecondOrderSpool(w=150.0, zeta=0.3))
    parts = dict(
        supply=ConstantPressure(p=200 * bar), tank=Tank(), valve=valve, a=Volume(volume=1e-3), b=Volume(volume=1e-3)
    )
    machine = made(
        "lively",
        parts,
        ("supply.port", "valve.P"),
        ("tank.port", "valve.T"),
        ("valve.A", "a.port"),
        ("valve.B", "b.port"),
    )
    result = simulate(
        machine,
        until=0.4,
        dt=0.2e-3,
        stepper=stepper,
        inputs={"valve.u": Steps(times=[0.1, 0.25], values=[1.0, 0.2])},
        every=1,
    )
    x, held = result.values("valve.x"), result.time < 0.25
    assert x.max() == 1.0 and x[held][-1] == pytest.approx(1.0, abs=1e-3)
    assert x[-1] == pytest.approx(0.2, abs=2e-3)
