"""The equations of circuits as assembled, without a stepper: integrated by SciPy, against closed solutions."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from oleodyn.equations.assemble import assemble
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.leakage import LaminarLeak
from oleodyn.hydraulics.line import Hose
from oleodyn.hydraulics.node import Volume
from oleodyn.hydraulics.pressure_valve import PressureCompensator, ReliefValve
from oleodyn.hydraulics.prime_mover import PrimeMover
from oleodyn.hydraulics.pump import FixedPump
from oleodyn.hydraulics.spool import InstantSpool
from oleodyn.hydraulics.supply import ConstantPressure, LoadSensingSupply
from oleodyn.hydraulics.tank import Tank
from oleodyn.hydraulics.throttle import Throttle, VariableThrottle
from oleodyn.machine.machine import Machine
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.units import bar, cm3_per_rev, l_per_min, litre, mm


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
    assert circuit.settled(until=2.0)["supply.p"] == pytest.approx(132 * bar, rel=1e-9)


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
