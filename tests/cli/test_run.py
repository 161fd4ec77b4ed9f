"""`oleodyn run`: what it prints, writes, refuses and goes on from."""

import numpy as np
import pytest

from oleodyn.catalogue.oils import ISO_VG_32
from oleodyn.catalogue.shelf import SHELF, load
from oleodyn.contact.chip import FeedFromMotion
from oleodyn.errors import DeclarationError
from oleodyn.result.result import Result
from oleodyn.simulation.command import changed
from oleodyn.simulation.run import simulate

SHORT = ("--until", "0.2s")


def test_a_run_says_what_it_cost_and_where_it_ended(oleodyn):
    called = oleodyn("run", "rigid-arm", *SHORT)
    assert called.status == 0 and called.err == ""
    first, positions, *account = called.out.splitlines()
    assert first.startswith("rigid-arm: 200 steps of 1 ms with rk4 in ")
    assert "µs a step" in first and "times real time" in first
    assert positions.startswith("positions at t = 0.2 s: arm.base.q ") and positions.count("°") == 6
    assert account[0].startswith("supplied") and account[-1].startswith("residual")


def test_json_is_one_object_on_stdout_with_every_final_value(oleodyn):
    found = oleodyn("run", "rigid-arm", *SHORT, "--json").json
    result = simulate(load("rigid-arm"), until=0.2)
    assert found["machine"] == "rigid-arm" and found["stepper"] == "rk4" and found["timing"]["steps"] == 200
    assert found["final"]["arm.elbow.q"] == result.values("arm.elbow.q")[-1]
    assert set(found["final"]) == set(result.names)


@pytest.mark.parametrize("name", ["run.nc", "run.csv"])
def test_a_result_is_written_and_read_back(oleodyn, tmp_path, name):
    called = oleodyn("run", "rigid-arm", *SHORT, "--every", "50", "--out", tmp_path / name)
    assert called.status == 0 and called.err == f"result written to {tmp_path / name}\n"
    if name == "run.nc":
        assert Result.load(tmp_path / name).time == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2])
    else:
        assert len((tmp_path / name).read_text(encoding="utf-8").strip().splitlines()) >= 6


def test_a_report_is_one_page(oleodyn, tmp_path):
    called = oleodyn("run", "rigid-arm", *SHORT, "--report", tmp_path / "arm.html")
    assert called.status == 0 and called.err.endswith(f"report written to {tmp_path / 'arm.html'}\n")
    assert "<html" in (tmp_path / "arm.html").read_text(encoding="utf-8")


def test_stepper_step_and_loops_are_chosen_by_name(oleodyn):
    called = oleodyn("run", "four-bar", "--until", "20ms", "--dt", "0.5 ms", "--stepper", "hht", "--loops", "penalty")
    assert called.out.startswith("four-bar: 40 steps of 0.5 ms with hht")


def test_a_parameter_is_set_with_its_unit(oleodyn):
    joints = ("base", "shoulder", "elbow", "forearm", "wrist", "flange")
    changes = [word for joint in joints for word in ("--set", f"arm.joints.{joint}.damping=1e9 N.m.s/rad")]
    stuck = oleodyn("run", "rigid-arm", *SHORT, "--json", "--stepper", "hht", *changes).json
    assert stuck["final"]["arm.elbow.q"] == pytest.approx(0.6, abs=1e-5)


def cutter(*changes):
    return changed(load("pipe-cutter"), changes, SHELF)


def test_a_flag_a_count_and_a_word_are_set_as_a_machine_file_has_them():
    made = cutter("saw.moment=true", "saw.sense=-1", "saw.teeth=48", "pid_1.anti_windup=false", "pid_2.axis=rad")
    saw, windup, axis = made.parts["saw"], made.parts["pid_1"].anti_windup, made.parts["pid_2"].axis
    assert (saw.moment, saw.sense, saw.teeth, windup, axis) == (True, -1, 48, False, "rad")
    assert cutter("motor_1.oil.cavitation=false").parts["motor_1"].oil.cavitation is False
    assert cutter("saw.moment=false") == load("pipe-cutter")


def test_an_ingredient_is_set_by_its_type_on_the_shelf():
    made = cutter(
        "motor_1.oil=ISO_VG_32", "saw.chip={type: FeedFromMotion, period: 1/30 s}".replace("1/30", str(1 / 30))
    )
    assert made.parts["motor_1"].oil == ISO_VG_32
    assert made.parts["saw"].chip == FeedFromMotion(period=1 / 30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("saw.moment=yes", '--set saw.moment = "yes": must be true or false (pass the moment of the cut'),
        ("saw.sense=-1.5", "--set saw.sense = -1.5: must be a whole number (+1: turns from the feed"),
        ("saw.sense=3", "--set Saw.sense = 3: must be 1 or -1"),
        ("pid_2.axis=ft", "--set PID.axis = 'ft': must be rad or m"),
        ("saw.mom=true", "there is no such parameter; did you mean 'moment'? There are R_saw, teeth, sense, "),
        ("arm.joints=3", "--set arm.joints: must be a mapping"),
        ("motor_1.oil=water", "--set motor_1.oil: no type is called 'water'"),
        ("valve_1.i=5 mA", "--set valve_1.i: is an input, not a parameter. A scenario drives it."),
        ("motor_1.ratio=-3", "--set motor_1.ratio = -3: GearMotor.ratio"),
    ],
)
def test_a_wrong_flag_count_or_word_is_refused_with_what_it_must_be(change, message):
    with pytest.raises(DeclarationError) as caught:
        cutter(change)
    assert message in str(caught.value)


def test_a_run_goes_on_from_a_saved_state_bit_for_bit(oleodyn, tmp_path):
    whole, state = tmp_path / "whole.nc", tmp_path / "state.npz"
    oleodyn("run", "rigid-arm", "--until", "0.3s", "--every", "1", "--out", whole)
    assert oleodyn("run", "rigid-arm", "--until", "0.1s", "--save-state", state).status == 0
    assert oleodyn("run", "rigid-arm", "--until", "0.3s", "--every", "1", "--resume", state,
                   "--out", tmp_path / "rest.nc").status == 0  # fmt: skip
    rest = Result.load(tmp_path / "rest.nc")
    assert np.array_equal(rest.table, Result.load(whole).table[100:])


def test_real_time_is_paced_and_reported(oleodyn):
    called = oleodyn("run", "rigid-arm", "--until", "50ms", "--realtime", "--overrun", "stretch")
    assert called.out.startswith("50 steps of 1 ms; policy on overrun: stretch time")
    found = oleodyn("run", "rigid-arm", "--until", "50ms", "--realtime", "--json").json
    assert found["steps"] == 50 and found["period"] == 1e-3 and found["policy"] == "catch up"
    assert found["in_time"] is (found["compute"]["worst"] <= 1e-3)


def test_a_failed_run_keeps_what_it_computed(oleodyn, tmp_path):
    called = oleodyn("run", "rigid-arm", "--dt", "500 ms", "--until", "1000 s", "--out", tmp_path / "run.nc",
                     "--save-state", tmp_path / "state.npz")  # fmt: skip
    assert called.status == 1 and called.out == ""
    assert "error: stepping 'rigid-arm' from t = " in called.err
    assert "At the machine's start rk4 is stable up to 0.08" in called.err
    assert len(Result.load(tmp_path / "run.nc").time) > 1 and (tmp_path / "state.npz").exists()


def test_a_step_that_an_explicit_stepper_cannot_bear_is_remarked(oleodyn):
    called = oleodyn("run", "four-bar", "--until", "20ms", "--stepper", "rk4")
    assert called.status == 0
    assert called.err.startswith("note: At the machine's start rk4 is stable up to 0.000")
    assert "Take a smaller step or an implicit stepper.\nnote: the energy account leaves over 1 of what" in called.err


DAMPING = "arm.joints.elbow.damping"
REFUSED = {
    "--dt 0.2": '--dt "0.2": has no unit; must be a time (s), for example "5 ms"',
    "--until 10": '--until "10": has no unit',
    "--dt 0.2bar": '--dt "0.2bar": ',
    "--dt=-1ms": "--dt -1ms: must be above 0 s",
    "--stepper rk5": "there is no stepper 'rk5'; did you mean 'rk4'? There are rk4, ab3, trapezoidal, hht, hht-partit",
    "--loops none": "there is no loop closure 'none'. There are augmented-lagrangian, partitioning, penalty.",
    "--scenario lift": "rigid-arm has no scenario 'lift'. Its scenarios are none.",
    f"--set {DAMPING}": f"--set '{DAMPING}': must be PATH=VALUE, such as lift.d_bore='90 mm'",
    f"--set {DAMPING}=3": f'--set {DAMPING} = "3": has no unit; must be a torsional damping',
    f"--set {DAMPING}=-3N.m.s/rad": "damping = -3 N·m·s/rad: must lie within 0 and inf",
    "--set arm.joints.elbo.damping=3": "--set arm.joints.elbo.damping: there is no 'elbo'; did you mean 'elbow'? There",
    "--set arm.joints.elbow.damp=3": "there is no such parameter; did you mean 'damping'? There are parent, child, ",
    "--set arm.gravity=3m/s2": "--set arm.gravity: holds several numbers. Change it in a machine file",
    "--set leg.x=3": "--set leg.x: rigid-arm has no part 'leg'",
    "--every 0": "--every 0: must be at least 1",
    "--overrun wait": "--overrun 'wait': must be catch-up, stretch, stop",
    "--out run.txt": "--out run.txt: must end in .nc or .csv",
    "--out /nowhere/run.nc": "--out /nowhere/run.nc: there is no folder '/nowhere'. Make it, or write elsewhere.",
    "--report arm.pdf": "--report arm.pdf: must end in .html or .htm",
    "--save-state a.state": "--save-state a.state: must end in .npz",
    "--resume nowhere.npz": "nowhere.npz: there is no such checkpoint",
    "--realtime --out a.nc": "--out a.nc: a run in real time records nothing. Leave out --realtime.",
}


@pytest.mark.parametrize("options", REFUSED)
def test_what_is_wrong_is_one_line_that_says_the_remedy(oleodyn, options):
    called = oleodyn("run", "rigid-arm", *options.split(" "))
    assert called.status == 1 and called.out == ""
    assert called.err.startswith("error: ") and called.err.count("\n") == 1
    assert REFUSED[options] in called.err


def test_an_unknown_machine_is_answered_with_those_there_are(oleodyn):
    called = oleodyn("run", "rigid-arn")
    assert called.status == 1
    assert (
        "there is no machine 'rigid-arn'; did you mean 'rigid-arm'?" in called.err
        and "files end in .yaml" in called.err
    )


STILL = """\
oleodyn: 1
name: still
parts:
  supply: {type: ConstantPressure, p: 100 bar}
  tank: {type: Tank}
  gap: {type: Throttle, area: 10 mm2}
connections:
  - supply.port = gap.A
  - gap.B = tank.port
"""


def test_a_machine_without_states_runs(oleodyn, tmp_path):
    (tmp_path / "still.yaml").write_text(STILL, encoding="utf-8")
    found = oleodyn("run", tmp_path / "still.yaml", "--until", "0.1s", "--json").json
    Q = 0.7 * 1e-5 * (2 / 870 * (100e5 - 101325)) ** 0.5
    assert found["final"]["gap.A.Q"] == pytest.approx(Q, rel=2e-3)  # 2e-3: linear below 0.1 bar


@pytest.mark.parametrize(
    ("machine", "loops"),
    [("andrews", "augmented-lagrangian"), ("andrews", "partitioning"), ("bricard", "augmented-lagrangian"),
     ("bricard", "partitioning"), ("bricard", "penalty"), ("flyball-governor", "partitioning")],
)  # fmt: skip
def test_benchmark_machines_run_to_their_end_with_the_loops_asked_for(oleodyn, machine, loops):
    called = oleodyn("run", machine, "--loops", loops)
    assert called.status == 0 and called.out.startswith(f"{machine}: ") and "times real time" in called.out


def test_steppers_and_policies_take_their_numbers_in_brackets(oleodyn):
    quiet = oleodyn("run", "four-bar", "--until", "0.1s", "--stepper", "hht(alpha=-0.05)", "--loops", "partitioning")
    assert quiet.status == 0 and quiet.err == ""  # nothing moves yet: rounding alone is left over
    for words, message in (
        (("--stepper", "hht(alpha=-0.5)"), "alpha = -0.5: must be above -1/3 and at most 0"),
        (("--stepper", "hht(alfa=1)"), "hht(alfa=1): hht has no number 'alfa'; did you mean 'alpha'? It has alpha."),
        (("--stepper", "trapezoidal(tolerance=x)"), "tolerance = 'x' must be a number, such as 1e-07"),
        (("--loops", "penalty(alpha=1)"), "is too weak"),
    ):
        called = oleodyn("run", "four-bar", "--until", "0.1s", *words)
        assert called.status == 1 and message in called.err


def test_a_step_that_is_too_long_is_remarked_and_told_in_json(oleodyn):
    called = oleodyn("run", "valve-bench", "--until", "2s", "--dt", "25ms", "--json")
    assert "note: the energy account leaves over" in called.err
    assert called.json["energy_residual_relative"] > 0.01 and "not to be trusted" in called.json["notes"][0]


def test_a_failure_is_json_too(oleodyn):
    called = oleodyn("run", "four-baer", "--json")
    assert called.status == 1 and called.json["ok"] is False and "did you mean 'four-bar'" in called.json["error"]
