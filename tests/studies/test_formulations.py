"""Publication I: every check of the study holds, and the report has what the publication shows."""

import functools
import re

from oleodyn.studies.formulations import study


@functools.cache
def done():
    return study(lambda share: None)


def named(pattern):
    """The study's checks whose names match."""
    return {check.name: check for check in done().checks if re.search(pattern, check.name)}


def test_every_check_of_publication_i_holds():
    assert [f"{check.name}: {check.computed}" for check in done().checks if check.ok is False] == []
    told = {name[:5] for name in named("^MB-")}
    assert told == {f"MB-{k:02d}" for k in (*range(1, 4), *range(5, 13))}  # friction forces are Publication II


def test_both_tables_are_compared_in_every_column():
    assert len(named("of the specification's table$")) == 2 * 6


def test_energy_of_the_reference_is_within_a_tenth_of_a_nanojoule(verification):
    for name, check in named("MB-09 .*energy of the reference").items():
        verification(
            "Dissertation, Publication I", name.removeprefix("MB-09 "), "specification MB-09", check.computed, 1e-10,
            unit="J",
        )  # fmt: skip


def test_work_and_drift_are_those_printed(verification):
    for name, check in named("published mode: (largest work|peak drift)").items():
        verification(
            "Dissertation, Publication I", name.removeprefix("MB-12 "), "Jaiswal (2021) Publ. I",
            check.computed, (1e-3 if "largest" in name else 0.03) * check.published, check.published, check.unit,
        )  # fmt: skip


def test_runs_of_1_ms_have_the_errors_of_the_specification(verification):
    for name, check in named("MB-08 .*error of [zp] at 1 ms").items():
        verification(
            "Dissertation, Publication I", name.removeprefix("MB-08 "), "rtol 1e-11, independent program",
            check.computed, 0.02 * check.published, check.published, check.unit,
        )  # fmt: skip


def test_steps_that_need_most_iterations_lie_at_the_edges_of_the_valve():
    from oleodyn.studies.dissertation import FIRST, iterations_by_step
    from oleodyn.studies.dissertation_checks import CP

    case = FIRST[1]
    counts = iterations_by_step(case, CP)
    assert counts.max() == 3
    most = (counts == 3).nonzero()[0] * 1e-3
    assert all(min(abs(t - edge) for edge in case.edges if t >= edge - 1e-9) < 0.2 for t in most)


def test_the_report_shows_angles_pressures_energy_violation_and_iterations(tmp_path):
    done().report(tmp_path / "formulations.html")
    text = (tmp_path / "formulations.html").read_text(encoding="utf-8")
    for words in (
        "joint angles",
        "pressures",
        "work by left rectangles",
        "violation of the constraints",
        "edge at 2.5 s",
    ):
        assert words in text
