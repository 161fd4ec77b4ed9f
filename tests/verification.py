"""The verification page: rows that tests computed, kept in docs/verification.md.

The page is its own store: it is read, updated row by row and written in a fixed order. A row keeps
the text it has as long as that text still tells the truth about the new number, so that rounding
differences between machines do not change the file.
"""

import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path

HEAD = """\
# Verification

What the tests computed, beside an independent reference: a closed solution, another simulator, a
book, a measurement. Each row is written by the test that checks it (`make test`); a number out of
tolerance is a failing test. Deviations are shown as upper bounds.
"""
COLUMNS = ("quantity", "reference", "expected", "computed", "tolerance")


@dataclass(frozen=True)
class Row:
    """One number: computed, and expected within a tolerance; without `expected`, a deviation."""

    section: str
    quantity: str
    reference: str
    computed: float
    tolerance: float
    expected: float | None = None
    unit: str = "-"

    def as_dict(self):
        return asdict(self)

    @property
    def holds(self):
        return abs(self.computed - (self.expected or 0.0)) <= self.tolerance  # False for NaN

    def text_of_expected(self):
        return "no deviation" if self.expected is None else with_unit(rounded(self.expected, self.tolerance), self.unit)

    def text_of_computed(self):
        if self.expected is None:
            return f"< {with_unit(bound(self.computed, self.tolerance), self.unit)}"
        return with_unit(rounded(self.computed, self.tolerance), self.unit)

    def cells(self, before=None):
        """The texts of the row; `before`, those it had, is kept where it is still true."""
        computed = self.text_of_computed()
        tolerance = with_unit(f"{self.tolerance:.3g}", self.unit)
        cells = (self.quantity, self.reference, self.text_of_expected(), computed, tolerance)
        if before is not None and before[:3] + before[4:] == cells[:3] + cells[4:] and self.still_true(before[3]):
            return before
        return cells

    def still_true(self, text):
        number = re.match(r"(< )?([-+0-9.e]+)", text)
        if number is None:
            return False
        shown = float(number[2])
        if self.expected is None:
            return abs(self.computed) < shown <= min(max(1e3 * abs(self.computed), 1e-15), self.tolerance)
        return abs(self.computed - shown) <= quantum(self.tolerance)


def with_unit(text, unit):
    return text if unit == "-" else f"{text} {unit.replace('|', ' or ')}"


def quantum(tolerance):
    """The last digit worth showing: a tenth of the tolerance, as a power of ten."""
    return 10.0 ** math.floor(math.log10(tolerance) - 1 + 1e-9) if tolerance > 0 else 1e-12


def rounded(number, tolerance):
    """A number to the digits that its tolerance gives meaning to, at most twelve.

    >>> rounded(9.80665, 0.01), rounded(123456.0, 100.0), rounded(0.0, 1e-9)
    ('9.807', '123460', '0')
    """
    step = quantum(tolerance)
    digits = 1 if number == 0 else math.floor(math.log10(abs(number))) - round(math.log10(step)) + 1
    number = round(number, -round(math.log10(step)))
    return f"{number:.{min(max(digits, 1), 12)}g}" if abs(number) < 1e5 else f"{number:.12g}"


def bound(number, tolerance):
    """The power of ten next above twice a deviation; the tolerance where that is less.

    >>> bound(3.2e-13, 1e-9), bound(7e-13, 1e-9), bound(0.0, 1e-9), bound(7e-4, 2.5e-3)
    ('1e-12', '1e-11', '1e-15', '0.0025')
    """
    power = 10.0 ** math.ceil(math.log10(max(2 * abs(number), 1e-15)) - 1e-9)
    return f"{power:.0e}" if power < tolerance else f"{tolerance:.3g}"


class Page:
    """The rows of the page, by section and quantity."""

    def __init__(self, cells=None):
        self.cells = dict(cells or {})

    @classmethod
    def read(cls, path: Path):
        cells, section = {}, ""
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            if line.startswith("## "):
                section = line.removeprefix("## ")
            elif line.startswith("| ") and section:
                row = tuple(cell.strip() for cell in line.strip("| ").split(" | "))
                if row != COLUMNS and len(row) == len(COLUMNS) and not row[0].startswith("---"):
                    cells[section, row[0]] = row
        return cls(cells)

    def update(self, rows, complete):
        """Enter new rows; if `complete`, those that no test wrote are dropped."""
        before = self.cells
        new = {(row.section, row.quantity): row.cells(before.get((row.section, row.quantity))) for row in rows}
        self.cells = new if complete else {**before, **new}

    def text(self):
        lines, last = [HEAD], None
        for (section, _), row in sorted(self.cells.items(), key=lambda item: natural(item[0])):
            if section != last:
                lines += [f"{chr(10) if last else ''}## {section}", "", table_line(COLUMNS), table_line(["---"] * 5)]
                last = section
            lines.append(table_line(row))
        return "\n".join(lines) + "\n"

    def write(self, path: Path):
        """Replace the file if its text changes."""
        text = self.text()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def table_line(cells):
    return f"| {' | '.join(cells)} |"


def natural(key):
    """Sort key by which 6 joints come before 12 joints."""
    return [[(0, int(x), "") if x.isdigit() else (1, 0, x) for x in re.split(r"(\d+)", text)] for text in key]
