"""Gains for joints of machines: from the machine linearised where it moves, back into the machine."""

from functools import cache

import numpy as np
import pytest

from oleodyn.catalogue import hydm, pipe_cutter_gains
from oleodyn.catalogue.shelf import machine
from oleodyn.control.gains import gains_of
from oleodyn.control.pid import PID
from oleodyn.control.plant import Plant, holding
from oleodyn.equations.assemble import assemble
from oleodyn.equations.linearise import linearise
from oleodyn.errors import DeclarationError
from oleodyn.simulation.path import Ramp
from oleodyn.simulation.run import simulate
from oleodyn.simulation.scenario import Scenario

PERIOD = 5e-3
ASKED = dict(bandwidth=5.0, damping=0.7, period=PERIOD)


@cache
def bench():
    """The valve bench linearised at the end of a second at a constant command."""
    equations = assemble(machine("valve-bench"))
    slow = simulate(machine("valve-bench"), inputs={"valve.u": 0.1, "load.F": 0.0}, until=1.0)
    names = [card.name for card in (*equations.q_signals, *equations.v_signals, *equations.x_signals)]
    return linearise(equations, {name: float(slow.values(name)[-1]) for name in names} | {"valve.u": 0.1})


@cache
def arm():
    """HydM at rest where its circle begins."""
    made = hydm.machine()
    return linearise(assemble(made), made.scenarios["circle"].start)


def test_the_cylinder_of_the_bench_gets_the_poles_asked_for():
    found = gains_of(bench(), "valve.u", joint="mass.rod.s", **ASKED)
    plant = Plant.of_joint(bench(), "valve.u", "mass.rod.s", period=PERIOD)
    poles = plant.as_s(np.linalg.eigvals(plant.closed(found.gains)))
    wanted = 5.0 * (-0.7 + 1j * np.sqrt(1 - 0.7**2))
    assert np.abs(poles - wanted).min() < 1e-6
    assert found.margins.stable and found.margins.gain_margin > 2


def test_the_bench_itself_under_these_gains_follows_a_ramp():
    chosen = gains_of(bench(), "valve.u", joint="mass.rod.s", **ASKED).gains
    closed = machine("valve-bench")
    closed.add("pid", PID(**chosen._asdict(), u_max=1.0, period=PERIOD, axis="m"))
    closed.connect("ram.x", "pid.q")
    closed.connect("pid.u", "valve.u")
    ramp = Ramp(start=0.5, duration=3.0, before=0.1, after=0.3)
    result = simulate(closed, scenario=Scenario.of({"pid.q_ref": ramp}), until=5.0)
    t, error = result.time, ramp(result.time) - result.values("ram.x")
    speed, K_v = 0.2 / 3.0, chosen.K_p * 1.39  # 0.139 m/s at a command of 0.1
    assert np.abs(error).max() < 1.2 * speed / K_v  # what a proportional gain alone would leave, and the dead band
    assert np.abs(error[(t > 2.5) & (t < 3.5)]).max() < 0.1 * speed / K_v  # the integral works it off


def test_a_speed_and_its_integral_give_the_same_gains():
    by_joint = gains_of(bench(), "valve.u", joint="mass.rod.s", **ASKED)
    by_speed = gains_of(bench(), "valve.u", speed="mass.rod.v", **ASKED)
    assert by_speed.gains == pytest.approx(by_joint.gains, rel=1e-9)
    assert by_speed.margins.phase_margin == pytest.approx(by_joint.margins.phase_margin, rel=1e-6)


@pytest.mark.parametrize("joint", range(1, 7))
def test_every_joint_of_hydm_gets_the_poles_asked_for_while_the_others_are_held(joint):
    command, name = f"pid_{joint}.u", f"arm.joint_{joint}.q"
    alone = holding(arm(), *(f"arm.joint_{i}" for i in range(1, 7) if i != joint))
    assert len(alone.states) == len(arm().states) - 10
    found = gains_of(alone, command, joint=name, bandwidth=2.0, damping=0.8, period=PERIOD)
    plant = Plant.of_joint(alone, command, name, period=PERIOD)
    poles = plant.as_s(np.linalg.eigvals(plant.closed(found.gains)))
    assert np.abs(poles - 2.0 * (-0.8 + 0.6j)).min() < 1e-6


def test_joints_that_sag_by_themselves_are_named_as_the_reason():
    with pytest.raises(DeclarationError, match=r"the plant by itself runs away at 0\.0059 1/s, .* plant\.holding"):
        gains_of(arm(), "pid_2.u", joint="arm.joint_2.q", bandwidth=2.0, damping=0.8, period=PERIOD)
    with pytest.raises(DeclarationError, match=r"holding: no state is of 'arm\.join_2'; did you mean 'arm\.joint_2'"):
        holding(arm(), "arm.join_2")


def test_the_pipe_cutter_has_its_gains_from_the_same_selection():
    linear = pipe_cutter_gains._linear(3, pipe_cutter_gains.POSTURE)
    asked = dict(bandwidth=3.0, damping=0.7, derivative=1 / 32, period=0.01)
    own = pipe_cutter_gains.joint_gains(3, bandwidth=3.0, damping=0.7)
    assert own.gains == gains_of(linear, "valve_3.i", joint="arm.joint_3.q", **asked).gains


@pytest.mark.parametrize("joint", [0, 7, -1])
def test_a_joint_that_the_pipe_cutter_has_not_is_refused_with_the_range(joint):
    for asked in (lambda: pipe_cutter_gains.joint_gains(joint, 3.0, 0.7), lambda: pipe_cutter_gains.per_unit(joint)):
        with pytest.raises(DeclarationError, match=rf"joint = {joint}: must be 1 to 6, a joint of the pipe cutter"):
            asked()


def test_a_joint_that_moves_against_its_command_is_refused_with_the_remedy():
    turned = bench().select(["valve.u"], [])
    turned.B[:] *= -1
    with pytest.raises(DeclarationError, match=r"the joint moves against its command\. Join the drive the other way"):
        gains_of(turned, "valve.u", joint="mass.rod.s", **ASKED)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (dict(joint=None), r"joint = None, speed = None: must be given one of them"),
        (dict(speed="mass.rod.v"), r"must be given one of them, and one only"),
        (
            dict(joint="mas.rod.s"),
            r"'mas\.rod\.s' is not one of .* names; did you mean 'mass\.rod\.s'\?: mass\.rod\.s, ",
        ),
        (dict(period=0.0), r"period = 0: must be above 0"),
        (dict(bandwidth=-1.0), r"bandwidth = -1: must be above 0"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(changes, message):
    with pytest.raises(DeclarationError, match=message):
        gains_of(bench(), "valve.u", **{"joint": "mass.rod.s", **ASKED, **changes})


def test_what_a_command_moves_at_once_is_no_joint():
    linear = bench()
    at_once = [
        name for name, row in zip(linear.outputs, linear.D[:, linear.inputs.index("valve.u")], strict=True) if row
    ]
    assert at_once == []  # nothing on the bench: the spool lies between
    pushed = [name for name, row in zip(linear.outputs, linear.D[:, linear.inputs.index("load.F")], strict=True) if row]
    with pytest.raises(DeclarationError, match=r"load\.F moves .* at once: must be a joint or a speed"):
        Plant.of_joint(linear, "load.F", pushed[0])
