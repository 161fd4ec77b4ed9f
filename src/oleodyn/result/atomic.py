"""Files that are whole or absent: written beside their place, then moved into it."""

import os
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from oleodyn.errors import DataError

STALE = 86400.0
"""Age [s] at which what a killed writer left behind is removed."""


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Generator[Path]:
    """A path to write to; on leaving it takes the place of `path`, or vanishes after an error.

    A process that is killed in between leaves the file at `path` as it was.
    """
    place = Path(path)
    if not place.parent.is_dir():
        raise DataError(f"{place}: there is no folder {str(place.parent)!r}. Make it, or write elsewhere.")
    if place.is_dir():
        raise DataError(f"{place} is a folder. Give the name of a file.")
    prefix = f".{place.name}."
    for left_behind in place.parent.glob(f"{_literal(prefix)}*.part"):
        if time.time() - left_behind.stat().st_mtime > STALE:
            left_behind.unlink(missing_ok=True)
    try:
        number, name = tempfile.mkstemp(prefix=prefix, suffix=".part", dir=place.parent)
    except OSError as error:
        raise DataError(f"{place} cannot be written: {error.strerror}. Write elsewhere.") from error
    os.close(number)
    try:
        yield Path(name)
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _literal(text: str) -> str:
    """`text` as a pattern that matches only itself."""
    return "".join(f"[{c}]" if c in "[?*" else c for c in text)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
