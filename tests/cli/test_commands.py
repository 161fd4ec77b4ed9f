"""The other commands: list, study, bench, check, new, and the help of each."""

import subprocess
import sys

import pytest

from oleodyn.catalogue.shelf import MACHINES, load
from oleodyn.result.content import Check
from oleodyn.simulation import cost
from oleodyn.simulation.run import simulate
from oleodyn.studies import bench as benches
from oleodyn.studies import shelf, starts
from oleodyn.studies.study import Study

COMMANDS = ("list", "run", "study", "bench", "check", "new")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(oleodyn, command):
    called = oleodyn(command, "--help")
    assert called.status == 0 and f"Example: oleodyn {command}" in " ".join(called.out.split())


def test_help_names_every_command_without_loading_what_computes():
    heavy = ("casadi", "llvmlite", "numpy", "xarray", "matplotlib", "pint", "ruamel")
    code = (
        "import sys; from oleodyn.cli import main; sys.argv = ['oleodyn', '--help']\n"
        "try: main()\n"
        f"except SystemExit: print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert all(f" {command} " in done.stdout for command in COMMANDS)


def test_the_version_is_printed(oleodyn):
    called = oleodyn("--version")
    assert called.status == 0 and called.out.startswith("oleodyn 0.")


@pytest.mark.parametrize("words", [("run",), ("fly",), ("run", "rigid-arm", "--speed", "3"), ("check",)])
def test_a_wrong_call_leaves_with_status_two_and_says_where_help_is(oleodyn, words):
    called = oleodyn(*words)
    assert called.status == 2 and called.out == "" and "--help" in called.err


def test_list_names_machines_scenarios_and_studies(oleodyn):
    found = oleodyn("list", "--json").json
    assert [entry["name"] for entry in found["machines"]] == list(MACHINES)
    assert all(entry["text"] for entry in (*found["machines"], *found["studies"]))
    text = oleodyn("list").out
    assert all(f"  {name} " in text for name in (*MACHINES, *shelf.STUDIES))
    assert all(f"--scenario {name} " in text for entry in found["machines"] for name in entry["scenarios"])


@pytest.fixture
def swing(monkeypatch):
    """A study of a tenth of a second."""
    result = simulate(load("rigid-arm"), until=0.1)

    def made(ok):
        checks = [Check("period", 2.0, 2.01, "s", ok), Check("remark", None, 1.0, "-", None)]
        return Study("swing", "A swing", "Swings.", checks, result)

    def register(ok):
        monkeypatch.setitem(shelf.STUDIES, "swing", "oleodyn.studies.swing")
        module = type(sys)("oleodyn.studies.swing", "A swing.")
        module.study = lambda progress: (progress(0.5), made(ok))[1]
        monkeypatch.setitem(sys.modules, "oleodyn.studies.swing", module)

    return register


def test_a_study_says_published_computed_and_verdict(oleodyn, swing):
    swing(True)
    called = oleodyn("study", "swing")
    assert called.status == 0 and "published" in called.out and "2.01" in called.out and "ok" in called.out
    check, remark = oleodyn("study", "swing", "--json").json["checks"]
    assert {k: check[k] for k in ("name", "published", "computed", "unit", "ok")} == {
        "name": "period", "published": 2.0, "computed": 2.01, "unit": "s", "ok": True,
    }  # fmt: skip
    assert remark["ok"] is None


def test_a_study_that_misses_leaves_with_status_one(oleodyn, swing):
    swing(False)
    called = oleodyn("study", "swing", "--json")
    assert called.status == 1 and called.json["ok"] is False


def test_an_unknown_study_is_answered_with_the_nearest(oleodyn):
    called = oleodyn("study", "hydm-invers")
    assert called.status == 1 and "did you mean 'hydm-inverse'? There are " in called.err


def test_bench_measures_one_machine_its_own_stepper_first(oleodyn, monkeypatch):
    monkeypatch.setattr(cost, "ENOUGH", 0.0)
    monkeypatch.setattr(cost, "STEPS", 200)
    monkeypatch.setattr(benches, "start", lambda machine: starts.Start(1.5, 0.5))
    found = oleodyn("bench", "valve-bench", "--json").json
    own = load("valve-bench").defaults
    first = found["machines"][0]
    assert set(first) == {"machine", "stepper", "loops", "dt", "us_per_step", "real_time_factor", "iterations"}
    assert (first["machine"], first["stepper"], first["loops"]) == ("valve-bench", own.stepper, own.loops)
    assert first["real_time_factor"] == pytest.approx(1e6 * first["dt"] / first["us_per_step"])
    assert len({entry["stepper"] for entry in found["machines"]}) == 5
    assert (found["cold_start_s"], found["warm_start_s"]) == (1.5, 0.5)
    assert [entry["width"] for entry in found["batch"]] == [1, 4, 8]
    assert all(entry["steps_per_s_per_core"] > 0 for entry in found["batch"])


def test_a_first_step_in_a_fresh_process_is_timed_cold_and_warm():
    found = starts.start("four-bar", again=1)
    assert found.cold > 0.0 and found.warm > 0.0


def test_check_says_what_a_machine_is_and_what_limits_its_step(oleodyn):
    called = oleodyn("check", "valve-bench")
    assert called.status == 0
    for words in (
        "valve-bench is sound",
        "inputs: ",
        "fastest modes:",
        "largest stable step at the start: rk4",
        "ab3 2.59 ms",
    ):
        assert words in called.out
    found = oleodyn("check", "valve-bench", "--json").json
    assert found["ok"] is True and found["fastest"][0]["signals"] and found["largest_stable_step_s"]["rk4"] > 0


def test_check_prints_the_schema_of_machine_files(oleodyn):
    schema = oleodyn("check", "--schema").json
    assert schema["$schema"].startswith("https://json-schema.org/") and "properties" in schema


def test_check_names_file_line_and_remedy(oleodyn, tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text("oleodyn: 1\nname: broken\nparts:\n  tank: {type: Tnk}\n", encoding="utf-8")
    called = oleodyn("check", path)
    assert called.status == 1 and called.out == ""
    assert f"{path}:4: " in called.err and "did you mean 'Tank'?" in called.err


def test_a_new_file_runs_and_is_not_overwritten_unasked(oleodyn, tmp_path):
    path = tmp_path / "mine.yaml"
    called = oleodyn("new", path, "--from", "rigid-arm")
    assert called.status == 0 and called.out == f"{path} written; try: oleodyn run {path}\n"
    assert load(path) == load("rigid-arm")
    refused = oleodyn("new", path)
    assert refused.status == 1 and "exists already. Choose another name, or add --force." in refused.err
    assert oleodyn("new", path, "--force").status == 0
    assert "there is no folder" in oleodyn("new", tmp_path / "nowhere" / "a.yaml").err
