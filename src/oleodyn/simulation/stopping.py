"""Ctrl-C in a run: it waits for the end of a stretch, and what was computed is kept."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any


class Stopped(KeyboardInterrupt):
    """A run that Ctrl-C has ended early. Carries `result` and `state`, from which it can go on."""

    def __init__(self, message: str, *, result: Any, state: Any):
        super().__init__(message)
        self.result, self.state = result, state


@contextmanager
def patient() -> Generator[Callable[[], bool]]:
    """A question to ask between stretches: has Ctrl-C been pressed? Pressed twice, it acts at once.

    Where another than Python's own handler is in charge, or another thread, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread() or (
        signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield lambda: False
        return
    pressed: list[int] = []

    def note(number: int, frame: Any) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
