"""Calling the command line inside the test's own process."""

import json
import sys
from dataclasses import dataclass

from oleodyn.cli import main


@dataclass
class Called:
    """What a call gave."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON object on stdout."""
        return json.loads(self.out, parse_constant=lambda name: 1 / 0)  # NaN and Infinity are no JSON


def caller(capsys, monkeypatch):
    """A function that calls `oleodyn` with these words."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["oleodyn", *map(str, words)])
        capsys.readouterr()
        try:
            main()
            status = 0
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
        return Called(status, *capsys.readouterr())

    return call
