"""What every test has: a marker from its folder, a cache of its own, the verification page."""

import os
from pathlib import Path

import hypothesis
import pytest

from tests.verification import Page, Row

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "verification.md"

hypothesis.settings.register_profile("oleodyn", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("oleodyn")


def pytest_configure(config):
    folders = sorted(path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "_.")
    for folder in (*folders, "style", "doctests"):
        config.addinivalue_line("markers", f"{folder}: set by the place of the test")
    os.environ.setdefault("MPLBACKEND", "Agg")
    os.environ.setdefault("OLEODYN_CACHE_DIR", str(config.cache.mkdir("machine-code")))
    config.stash[Report.key] = report = Report(config)
    if not hasattr(config, "workerinput"):  # with several workers, the one that collects them
        config.pluginmanager.register(report, "verification")


def pytest_collection_modifyitems(items):
    for item in items:
        try:
            folder, *below = item.path.relative_to(ROOT / "tests").parts
        except ValueError:
            item.add_marker("doctests")
        else:
            item.add_marker(folder if below else "style")


@pytest.fixture
def verification(record_property):
    """Check one number against its reference, and put both on docs/verification.md.

    verification(section, quantity, reference, computed, tolerance, expected=0.0, unit="-")
    passes if |computed − expected| ≤ tolerance; without `expected`, computed is a deviation.
    """

    def check(section, quantity, reference, computed, tolerance, expected=None, unit="-"):
        expected = None if expected is None else float(expected)  # plain numbers travel between processes
        row = Row(section, quantity, reference, float(computed), float(tolerance), expected, unit)
        record_property("verification", row.as_dict())
        assert row.holds, f"{quantity}: {row.text_of_computed()}, {row.text_of_expected()} within {tolerance:g} {unit}"

    return check


class Report:
    """Gathers what tests recorded: rows of the verification page, budgets that were passed."""

    key = pytest.StashKey["Report"]()

    def __init__(self, config):
        self.config = config
        self.rows = []
        self.notes = []

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.rows += [Row(**value) for name, value in report.user_properties if name == "verification"]
            self.notes += [value for name, value in report.user_properties if name == "over budget"]

    def pytest_sessionfinish(self, exitstatus):
        """Rewrite the page; rows of tests that are gone leave it only when all tests ran."""
        if self.rows:
            page = Page.read(PAGE)
            page.update(self.rows, complete=exitstatus == 0 and not self.chosen())
            page.write(PAGE)

    def chosen(self):
        """True when only some of the tests were asked for."""
        option = self.config.option
        all_of_it = self.config.args == self.config.getini("testpaths")
        return bool(not all_of_it or option.keyword or option.markexpr or option.lf or option.deselect)

    def pytest_terminal_summary(self, terminalreporter):
        if self.notes:
            terminalreporter.section("over the guides of size", sep="-")
            for note in self.notes:
                terminalreporter.write_line(note)
