"""What each file of the work tree has in it, known without reading it: by its size, times and inode, as git's own stage
knows it. Kept below git's folder; it may be deleted at any time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from memsite.repo.files import write_atomic
from memsite.repo.workspace import Repository

_VERSION = 1
_STAMP = "looked"
Look = tuple[int, int, int, int]
"""Size, modification and change time in nanoseconds, inode."""


def look_of(status: os.stat_result) -> Look:
    """How a file looks from outside."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


class KnownFiles:
    """The blobs of the files of one work tree, by workspace path.

    A file is kept only when it was last changed before this look at the work tree began, by the clock of the file
    system: one that changes while it is read, or within the same tick, is read again the next time.
    """

    def __init__(self, repository: Repository, root: Path) -> None:
        self._folder = repository.own_dir
        self._name = f"files-{sha256(os.fsencode(root)).hexdigest()[:16]}.json"
        self._begun = self._now()
        self._kept = self._load()
        self._found: dict[str, tuple[Look, str]] = {}

    def find(self, path: str, status: os.stat_result) -> str | None:
        """The blob of a file that looks as it did."""
        look, blob = self._kept.get(path, (None, ""))
        if look != look_of(status):
            return None
        self._found[path] = (look, blob)
        return blob

    def add(self, path: str, status: os.stat_result, blob: str) -> None:
        """Remember what was read; `status` is from before the reading."""
        if status.st_ctime_ns < self._begun:
            self._found[path] = (look_of(status), blob)

    def save(self) -> None:
        """Keep what was found, where it is something else than before. Nothing is kept where that cannot be written."""
        if self._found != self._kept:
            rows = {path: [*look, blob] for path, (look, blob) in self._found.items()}
            data = json.dumps({"version": _VERSION, "files": rows}, separators=(",", ":")).encode()
            with suppress(OSError):
                temporary = f"{self._name}.{os.getpid()}"
                write_atomic(self._folder, self._name, data, temporary=temporary, durable=False)

    def _now(self) -> int:
        """The time by the file system's clock; 0, before everything, where nothing can be written."""
        stamp = self._folder / f"{_STAMP}.{os.getpid()}"
        try:
            self._folder.mkdir(exist_ok=True)
            stamp.write_bytes(b"")
            begun = stamp.stat().st_ctime_ns
            stamp.unlink()
        except OSError:
            return 0
        return begun

    def _load(self) -> Mapping[str, tuple[Look, str]]:
        try:
            table = json.loads((self._folder / self._name).read_bytes())
            if table["version"] != _VERSION:
                return {}
            rows = table["files"].items()
            return {path: ((size, mtime, ctime, inode), blob) for path, (size, mtime, ctime, inode, blob) in rows}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}
