"""The command line as a fixture."""

import pytest

from tests.cli.command import caller


@pytest.fixture
def oleodyn(capsys, monkeypatch):
    """oleodyn("run", "rigid-arm") → status, out, err, json"""
    return caller(capsys, monkeypatch)
