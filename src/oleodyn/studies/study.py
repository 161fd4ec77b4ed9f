"""A study: a published experiment repeated, with every figure beside the published one."""

import dataclasses
import os
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from oleodyn.result.content import Check, Checks, Section
from oleodyn.result.display import number
from oleodyn.result.report import report as write_report
from oleodyn.result.result import Result


@dataclass(frozen=True)
class Study:
    """What a study gave: checks, sections for its report, and the run it looked at.

    A check whose `ok` is None is information, not a verdict.
    """

    name: str
    title: str
    text: str
    checks: Sequence[Check]
    result: Result
    machine: Any = None
    sections: Sequence[Section] = field(default_factory=tuple)
    plots: Sequence[Sequence[str]] | None = None

    @property
    def ok(self) -> bool:
        """True if no check failed."""
        return all(check.ok is not False for check in self.checks)

    def summary(self) -> dict[str, Any]:
        """For --json."""
        rows = [dataclasses.asdict(check) for check in self.checks]
        return {"study": self.name, "ok": self.ok, "checks": rows, "timing": self.result.timing}

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the HTML report; the checks come first unless a section shows them in its own place."""
        placed = any(isinstance(part, Checks) for section in self.sections for part in section.parts)
        write_report(
            self.result, path, title=self.title, machine=self.machine, checks=() if placed else self.checks,
            sections=self.sections, plots=self.plots,
        )  # fmt: skip

    def __str__(self):
        width = max((len(check.name) for check in self.checks), default=4)
        lines = [
            self.title,
            textwrap.fill(self.text, 100),
            "",
            f"{'':{width}}  {'published':>14}  {'computed':>14}  unit",
        ]
        for check in self.checks:
            verdict = {True: "ok", False: "MISSED", None: ""}[check.ok]
            numbers = f"{_shown(check.published):>14}  {_shown(check.computed):>14}"
            lines.append(f"{check.name:{width}}  {numbers}  {check.unit:8s} {verdict}")
        return "\n".join(lines)


def _shown(value: Any) -> str:
    return number(value, 5) if isinstance(value, (int, float)) else ("" if value is None else str(value))
