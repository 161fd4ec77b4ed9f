"""Tables of the bench as plain text."""

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their heads: words to the left, numbers to the right.

    >>> print(table(("stepper", "µs"), [("rk4", "1.4"), ("hht", "12.5")]))
      stepper    µs
      rk4       1.4
      hht      12.5
    """
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    numbers = [all(row[i][:1].isdigit() or not row[i] for row in rows) for i in range(len(head))]
    return "\n".join(
        "  " + "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        ).rstrip()
        for row in (head, *rows)
    )  # fmt: skip
