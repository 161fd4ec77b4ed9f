"""Machine code on disk, found again by its content: what it was made from, by what, for which processor.

Entries are written to a temporary file and renamed, so readers see all of one or nothing; a
checksum finds what a crash or a full disk has spoiled, and such an entry is thrown away. Where
nothing can be written, all works without a cache. Any number of processes may share a folder.
"""

import contextlib
import functools
import hashlib
import itertools
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import casadi as ca
import llvmlite

from oleodyn.program import target

LIMIT = 512 * 2**20
"""Bytes that the folder may hold; beyond, what was not used for longest goes."""

ABANDONED = 3600.0
"""Age [s] of a temporary file whose writer must be dead."""

MAGIC, DIGEST = b"oleodyn machine code 1\n", 32


@dataclass(frozen=True)
class Entry:
    """Pieces of object code, and what else their user needs to know (plain JSON)."""

    objects: tuple[bytes, ...]
    about: dict[str, Any]


def folder() -> Path:
    """OLEODYN_CACHE_DIR, or `oleodyn` in the user's cache folder."""
    if chosen := os.environ.get("OLEODYN_CACHE_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "oleodyn"


def key(*parts: str) -> str:
    """The name of what is made from these texts, by this code, on this processor."""
    digest = hashlib.blake2b(_makers().encode(), digest_size=20)
    for part in parts:
        data = part.encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def _makers() -> str:
    """All that shapes the machine code beside the equations: our own lines, versions, the processor."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    code = hashlib.blake2b(b"".join(source.read_bytes() for source in sources)).hexdigest()
    versions = (platform.python_version(), ca.CasadiMeta.version(), llvmlite.__version__)
    return "\n".join((code, *versions, *target.host()))


def load(name: str) -> Entry | None:
    """The entry with this key, if it is there and sound."""
    try:
        path = folder() / f"{name}.code"
        data = path.read_bytes()
    except (OSError, RuntimeError):  # nothing there, or a user without a home
        return None
    entry = _unpack(data)
    with contextlib.suppress(OSError):
        if entry is None:
            path.unlink()
        else:
            os.utime(path)
    return entry


def store(name: str, entry: Entry, limit: int = LIMIT) -> bool:
    """Keep an entry for later runs; False where the folder cannot be written."""
    try:
        where = folder()
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(suffix=".tmp", prefix=name[:8], dir=where)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_pack(entry))
            os.replace(temporary, where / f"{name}.code")
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except (OSError, RuntimeError):
        return False
    _trim(where, limit)
    return True


def _pack(entry: Entry) -> bytes:
    header = json.dumps({"sizes": [len(code) for code in entry.objects], "about": entry.about}).encode()
    body = b"".join((MAGIC, len(header).to_bytes(8, "little"), header, *entry.objects))
    return body + hashlib.blake2b(body, digest_size=DIGEST).digest()


def _unpack(data: bytes) -> Entry | None:
    body, checksum = data[:-DIGEST], data[-DIGEST:]
    if not body.startswith(MAGIC) or hashlib.blake2b(body, digest_size=DIGEST).digest() != checksum:
        return None
    start = len(MAGIC) + 8
    end = start + int.from_bytes(body[len(MAGIC) : start], "little")
    header = json.loads(body[start:end])
    ends = list(itertools.accumulate(header["sizes"], initial=end))
    return Entry(tuple(body[a:b] for a, b in itertools.pairwise(ends)), header["about"])


def _files(where: Path) -> Iterator[tuple[float, int, Path]]:
    """(last use, bytes, path) of every file of ours."""
    with os.scandir(where) as found:
        for item in found:
            if item.name.endswith((".code", ".tmp")):
                with contextlib.suppress(OSError):
                    about = item.stat()
                    yield about.st_mtime, about.st_size, Path(item.path)


def _trim(where: Path, limit: int):
    """Remove what dead writers left and, beyond the limit, what was not used for longest."""
    with contextlib.suppress(OSError):
        files = sorted(_files(where))
        total = sum(size for _, size, _ in files)
        for used, size, path in files:
            dead = path.suffix == ".tmp" and used < time.time() - ABANDONED
            if dead or (total > limit and path.suffix == ".code"):
                with contextlib.suppress(OSError):
                    path.unlink()
                    total -= size
