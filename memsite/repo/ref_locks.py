"""Locks that git takes on HEAD and its branch: what a killed run of ours left of them is told from another git's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memsite.repo.workspace import Repository

_RECORD = "memsite.moving"
_LONGEST = 150.0
"""Seconds that an `update-ref` of ours can take at most, its timeout and a reserve."""
_STILL = 0.5
"""Seconds that a lock is watched: a living git holds one for some milliseconds."""


@contextmanager
def moving(repository: Repository, new: str) -> Iterator[None]:
    """Record that HEAD is being moved to `new`, while it is. Only while holding `index.lock`.

    There is no record where a lock was there before: then it is not ours.
    """
    record = repository.git_dir / _RECORD
    if ref_locks(repository):
        yield
        return
    record.write_bytes(new.encode("ascii"))
    try:
        yield
    finally:
        with suppress(OSError):
            record.unlink(missing_ok=True)


def ref_locks(repository: Repository) -> tuple[Path, ...]:
    """The lock files of HEAD and its branch that are there now, whoever holds them."""
    names = [repository.git_dir / "HEAD.lock"]
    with suppress(OSError):
        head = os.fsdecode((repository.git_dir / "HEAD").read_bytes()).strip()
        if head.startswith("ref: refs/heads/"):
            names.append(repository.common_dir / f"{head.removeprefix('ref: ')}.lock")
    return tuple(path for path in names if os.path.lexists(path))


def release_dead_refs(repository: Repository) -> None:
    """Remove the locks of an `update-ref` that was killed together with a memsite.

    To be called while holding the repository lock, which our children inherit: whoever made the record is dead, and so
    is their git. No lock was there when the record was made. One of ours is younger than it, holds nothing or the
    commit of the record, which no other git knows, and nobody touches it any more.
    """
    record = repository.git_dir / _RECORD
    try:
        new, begun = record.read_text(encoding="ascii"), record.stat().st_mtime
    except (OSError, ValueError):
        return
    before = {path: look for path in ref_locks(repository) if (look := _look(path, new, begun))}
    if before:
        time.sleep(_STILL)
    for path, look in before.items():
        if _look(path, new, begun) == look:
            path.unlink(missing_ok=True)
    record.unlink(missing_ok=True)


def _look(path: Path, new: str, begun: float) -> tuple[int, int, int] | None:
    """What tells one lock file from the next of its name; None where it cannot be ours."""
    try:
        about = path.lstat()
        content = path.read_bytes()
    except OSError:
        return None
    is_ours = content.strip() in (b"", new.encode()) and -0.1 <= about.st_mtime - begun <= _LONGEST
    return (about.st_ino, about.st_mtime_ns, about.st_size) if is_ours else None
