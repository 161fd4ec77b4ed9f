"""The verification page keeps its text while that is true, and its rows while tests write them."""

from dataclasses import replace

import pytest

from tests.verification import Page, Row

pendulum = Row("Pendulums", "period at 90°", "complete elliptic integral", 2.36781, 1e-3, 2.36784, "s")
trees = Row("Trees", "acceleration, 12 joints", "Pinocchio", 3.1e-13, 1e-9)


def page_after(*rows, page=None, complete=False):
    page = page or Page()
    page.update(rows, complete=complete)
    return page


def test_the_page_is_read_back_as_it_was_written(tmp_path):
    page = page_after(pendulum, trees, replace(trees, quantity="acceleration, 6 joints"))
    page.write(tmp_path / "v.md")
    assert Page.read(tmp_path / "v.md").text() == page.text()
    assert page.text().index("6 joints") < page.text().index("12 joints")


def test_a_value_shows_the_digits_its_tolerance_gives_meaning_to():
    assert pendulum.cells()[2:] == ("2.3678 s", "2.3678 s", "0.001 s")
    assert trees.cells()[2:] == ("no deviation", "< 1e-12", "1e-09")


@pytest.mark.parametrize(
    ("row", "computed", "same"),
    [
        (pendulum, 2.36786, True),  # rounds to 2.3679, which is within the last digit shown
        (pendulum, 2.3681, False),
        (trees, 9e-13, True),  # still below the bound that is shown
        (trees, 1.2e-12, False),
        (trees, 1e-16, False),  # the bound would be 10,000 times too wide
    ],
)
def test_a_text_stays_as_long_as_it_is_true(row, computed, same):
    before = row.cells()
    assert (replace(row, computed=computed).cells(before) == before) is same


def test_rows_that_no_test_writes_leave_only_when_all_tests_ran():
    both = page_after(pendulum, trees)
    assert len(page_after(trees, page=Page(both.cells)).cells) == 2
    assert len(page_after(trees, page=Page(both.cells), complete=True).cells) == 1


@pytest.mark.parametrize("computed", [2e-9, -2e-9, float("nan")])
def test_a_number_out_of_tolerance_does_not_hold(computed):
    assert not replace(trees, computed=computed).holds
