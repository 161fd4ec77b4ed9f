"""The study of benchmark machines: what is published is met, every formulation is in the report."""

from oleodyn.catalogue.shelf import load
from oleodyn.studies import bench
from oleodyn.studies.loop_benchmarks import study


def test_public_benchmarks_are_met_and_every_formulation_is_told(tmp_path):
    shares = []
    made = study(shares.append)
    assert made.ok, str(made)
    assert shares[-1] == 1.0 and shares == sorted(shares)
    assert len([check for check in made.checks if isinstance(check.published, (int, float))]) == 11  # Andrews, Bricard
    assert all(check.published is not None for check in made.checks if check.ok is not None)  # no hidden bounds
    curves = [check for check in made.checks if "curve read" in check.name]
    assert [check.published for check in curves] == ["≤ 0.004", "≤ 0.00075"]  # m: a pixel of each figure
    made.report(tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    for told in ("augmented-lagrangian, trapezoidal", "partitioning, rk4", "penalty, rk4", "redundant: linkage.cut.4"):
        assert told in text


def test_bench_compares_forward_dynamics_of_trees_alone():
    assert bench._is_tree(load("rigid-arm"))
    assert not any(bench._is_tree(load(name)) for name in ("bricard", "andrews", "four-bar"))
