"""Linear systems, points of rest and the steps that explicit steppers bear, each against what the machine does."""

import casadi as ca
import numpy as np
import pytest

from oleodyn.equations.assemble import assemble
from oleodyn.equations.equilibrium import equilibrium
from oleodyn.equations.linearise import linearise
from oleodyn.equations.point import point_of
from oleodyn.errors import AssemblyError
from oleodyn.mechanics.inertia import Mass
from oleodyn.mechanics.source import ForceSource
from oleodyn.mechanics.spring import SpringDamper
from oleodyn.program.compile import compile
from oleodyn.simulation.run import run
from oleodyn.simulation.steppers.by_name import stepper_named
from oleodyn.simulation.stiffness import stiffness
from tests.machines import small


def flow(e):
    """(δ, v, x, u, z) → rates of the increments δ, of v and of x, and the outputs, beside a point that moves on."""
    a = ca.solve(e.M, e.f) if e.n_v else ca.SX(0, 1)
    rates = ca.Function(
        "rates", [e.t, e.q, e.v, e.x, e.z, e.u, e.p], [e.q_dot, a, e.x_dot, ca.substitute(e.outputs, e.a, a)]
    )
    by = [ca.densify(ca.jacobian(e.q_plus, symbol)) for symbol in (e.delta, e.q)]
    plus = ca.Function("plus", [e.q, e.delta], [e.q_plus, *by])

    def at(point, delta, v, x, u, z):
        q, by_delta, by_q = (np.array(value) for value in plus(point.q, delta))
        q_dot, *rest = (np.array(value).ravel() for value in rates(point.t, q, v, x, z, u, point.p))
        moving = np.array(rates(*point.arguments(e))[0]).ravel()
        delta_dot = np.linalg.lstsq(by_delta, q_dot - by_q @ moving, rcond=None)[0]
        return np.concatenate([delta_dot, *rest])

    return at


def by_differences(e, point):
    """The linear system by central differences, its columns in units of each variable's typical size."""
    at, sizes = flow(e), [e.n_v, e.n_v, e.n_x, e.u.numel(), e.z.numel()]
    cards = (*e.v_signals, *e.v_signals, *e.x_signals, *e.u_signals, *e.z_signals)
    nominal, h = np.array([card.nominal for card in cards]), 1e-6
    start = np.concatenate([np.zeros(e.n_v), point.v, point.x, point.u, point.z])
    columns = []
    for i, size in enumerate(nominal):
        move = h * size * (np.arange(len(start)) == i)
        ahead, behind = (at(point, *np.split(there, np.cumsum(sizes)[:-1])) for there in (start + move, start - move))
        columns.append((ahead - behind) / (2 * h))
    return np.stack(columns, axis=1), nominal


@pytest.mark.parametrize("name", ["heater", "double-pendulum", "oil-spring", "lift", "floating-tree"])
def test_the_linear_system_is_that_of_small_changes(name):
    e = assemble(small.MACHINES[name]())
    point = point_of(e, {"valve.u": 0.4, "lift.friction.z": 2e-5} if name == "lift" else None)
    linear, (moved, nominal) = linearise(e, point), by_differences(e, point)
    whole = np.block([[linear.A, linear.B], [linear.C, linear.D]]) * nominal
    scale = np.max(np.abs(whole), axis=1, keepdims=True)
    # 3e-6 of the row: steps of 1e-6; 1e-3 N, W, ... in rows that are zero: 1e7 W in and out, rounded, by 1e-6
    assert np.all(np.abs(whole - moved) < 3e-6 * scale + 1e-3)
    assert np.max(np.abs(whole - moved)[: len(linear.A)] / scale[: len(linear.A)]) < 3e-6


def test_a_swinging_pendulum_has_the_frequency_of_the_textbook():
    e = assemble(small.double_pendulum())
    modes = linearise(e, {"upper.q": 0.0, "lower.q": 0.0}).modes()
    g, m = 9.81, 2.0  # two uniform rods of 1 m, in absolute angles
    M = m * np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]])
    K = m * g * np.diag([3 / 2, 1 / 2])
    expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K))))
    found = sorted({round(mode.frequency, 9) for mode in modes})
    assert found == pytest.approx(expected, rel=1e-6)


def loaded_spring(F):
    return small.made(
        "loaded-spring",
        dict(load=Mass(m=12.0, s_0=0.4), spring=SpringDamper(k=3000.0, c=50.0, s_free=0.5), force=ForceSource()),
        ("load.rod", "spring.rod", "force.rod"),
    )  # fmt: skip


def test_a_loaded_spring_rests_where_its_force_is_the_load():
    rest = equilibrium(assemble(loaded_spring(0.0)), {"force.F": -600.0})
    assert rest.q[0] == pytest.approx(0.5 - 600 / 3000, abs=1e-12) and rest.v[0] == 0.0


def test_oil_carries_a_load_at_rest():
    e = assemble(small.oil_spring())
    rest = equilibrium(e, {"pump.u": 0.3, "weight.F": -12e3}, free=["pump.u"], hold=["load.rod.s"])
    values, area = rest.values(e), np.pi * 0.06**2 / 4
    assert values["jack.A.p"] == pytest.approx(101325 + 12e3 / area, rel=1e-9)
    assert values["pump.u"] == pytest.approx(0.0, abs=1e-9)


def test_what_cannot_rest_is_named():
    with pytest.raises(AssemblyError, match=r"no point of rest was found near the start; bomb\.x keep moving"):
        equilibrium(assemble(small.explosive()), {"bomb.u": 1.0})


@pytest.mark.parametrize("name", ["rk4", "ab3"])
@pytest.mark.parametrize("machine", [small.heater, small.oil_spring])
def test_just_below_the_largest_stable_step_a_disturbance_dies_and_just_above_it_grows(machine, name):
    e = assemble(machine())
    largest = stiffness(e).steps[name]
    made = compile(e, stepper_named(name), record=[], account=False)
    watched = e.x_signals[0].name
    held = {"weight.F": -12e3, "pump.u": 0.0} if machine is small.oil_spring else {}

    def grows(dt):
        state = made.start(**held)
        state[watched] += 1e-3 * e.x_signals[0].nominal
        start = state.copy()
        result = run(made, until=600 * dt, dt=dt, state=state, every=1).values(watched)
        settled = result - start[watched] + 1e-3 * e.x_signals[0].nominal
        return np.max(np.abs(settled[-50:])) > np.max(np.abs(settled[:50]))

    assert not grows(0.98 * largest)
    assert grows(1.02 * largest)


def test_the_stiffness_report_names_modes_parts_and_steps():
    text = str(stiffness(assemble(small.oil_spring())))
    assert "fastest modes:" in text and "rad/s, damping" in text
    assert "jack.A.p" in text and "load.rod.v" in text
    assert "largest stable step at the start: rk4 " in text and ", ab3 " in text
