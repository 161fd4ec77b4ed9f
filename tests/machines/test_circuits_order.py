"""Valve, cylinder and mass with bristle friction: every stepper against Radau, each at its order."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from oleodyn.equations.assemble import assemble
from oleodyn.friction.lugre import LuGre
from oleodyn.hydraulics.cylinder import Cylinder
from oleodyn.hydraulics.directional_valve import ProportionalValve43
from oleodyn.hydraulics.supply import ConstantPressure
from oleodyn.hydraulics.tank import Tank
from oleodyn.mechanics.inertia import Mass
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.hht import HHT
from oleodyn.simulation.steppers.partitioned_hht import PartitionedHHT
from oleodyn.simulation.steppers.rk4 import RK4
from oleodyn.simulation.steppers.trapezoidal import Trapezoidal
from oleodyn.simulation.wave import Sine
from oleodyn.units import bar, l_per_min, litre, mm
from tests.machines.small import made

SOFT = LuGre(F_c=210.0, F_s=830.0, v_s=12.5 * mm, sigma_0=1e6, sigma_1=1e3, sigma_2=330.0)  # RK4 bears 1 ms
COMMAND = Sine(offset=0.2, amplitude=0.08, frequency=5.0)
UNTIL, SAMPLES = 0.4, 9


def bench():
    """It moves already, and never stops or turns back: nothing switches, so orders show."""
    parts = dict(
        supply=ConstantPressure(p=160 * bar), tank=Tank(), valve=ProportionalValve43(Q_nom=40 * l_per_min),
        ram=Cylinder(
            d_bore=50 * mm, d_rod=28 * mm, stroke=0.5, length_0=0.6, V_A_dead=0.1 * litre, V_B_dead=0.1 * litre,
            p_A_0=45 * bar, p_B_0=60 * bar, friction=SOFT,
        ),
        mass=Mass(m=400.0, s_0=0.7, v_0=0.25),
    )  # fmt: skip
    return made(
        "bench", parts, ("supply.port", "valve.P"), ("tank.port", "valve.T"), ("valve.A", "ram.A"),
        ("valve.B", "ram.B"), ("ram.rod", "mass.rod"), start={"valve.spool.x": 0.2, "ram.friction.z": 1e-4},
    )  # fmt: skip


@pytest.fixture(scope="module")
def equations():
    return assemble(bench())


@pytest.fixture(scope="module")
def reference(equations):
    """All states at evenly spaced instants, by Radau at rtol 1e-10."""
    e = equations
    y = ca.vertcat(e.q, e.v, e.x)
    y_dot = ca.vertcat(e.q_dot, ca.solve(e.M, e.f), e.x_dot)
    f = ca.Function("f", [y, e.u], [y_dot])
    J = ca.Function("J", [y, e.u], [ca.densify(ca.jacobian(y_dot, y))])

    def u(t):
        return [float(COMMAND(t)) if card.name == "valve.u" else 0.0 for card in e.u_signals]

    solved = solve_ivp(
        lambda t, y: np.asarray(f(y, u(t))).ravel(), (0, UNTIL), np.concatenate([e.q_0, e.v_0, e.x_0]), method="Radau",
        jac=lambda t, y: np.asarray(J(y, u(t))), rtol=1e-10, atol=1e-13, t_eval=np.linspace(0, UNTIL, SAMPLES),
    )  # fmt: skip
    assert solved.success
    return solved.y


def deviation(program, reference, dt):
    """Largest deviation of any state at any of the instants, as part of that state's range."""
    every = round(UNTIL / (SAMPLES - 1) / dt)
    result = run(program, until=UNTIL, dt=dt, inputs={"valve.u": COMMAND}, every=every)
    e = program.equations
    names = [card.name for card in (*e.q_signals, *e.v_signals, *e.x_signals)]
    y = np.stack([result.values(name) for name in names])
    return float(np.max(np.abs(y - reference) / np.ptp(reference, axis=1, keepdims=True)))


@pytest.mark.parametrize(
    ("stepper", "order", "dt", "largest"),
    [
        (HHT(), 2, 0.25e-3, 1e-4),
        (HHT(alpha=0.0), 2, 0.25e-3, 1e-4),
        (PartitionedHHT(), 1, 0.25e-3, 5e-3),
        (Trapezoidal(), 2, 0.25e-3, 1e-4),
        (RK4(), 4, 0.25e-3, 1e-7),
    ],
    ids=["HHT", "HHT without damping", "PartitionedHHT", "Trapezoidal", "RK4"],
)
def test_stepper_comes_to_the_same_motion_at_its_order(
    stepper, order, dt, largest, equations, reference, request, verification
):
    program = compile(equations, stepper, account=False, record=[])
    coarse, fine = (deviation(program, reference, h) for h in (dt, dt / 2))
    section, name = "Steppers on valve, cylinder and mass", request.node.callspec.id
    verification(
        section, f"{name}: order, from {1e3 * dt:g} ms to half of it", "SciPy Radau, rtol 1e-10",
        np.log2(coarse / fine), 0.15, expected=order,  # 0.15: terms of higher order at these steps
    )  # fmt: skip
    verification(
        section, f"{name}: largest deviation at {1e3 * dt / 2:g} ms, part of each state's range",
        "SciPy Radau, rtol 1e-10", fine, largest,
    )  # fmt: skip
