"""One writer at a time in a repository: an advisory lock on a file that is never deleted."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from memsite.repo.workspace import Repository

WAIT = 60.0
"""Seconds to wait for the other writers. A commit of ours holds the lock for some 20 ms."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05


@contextmanager
def repository_lock(repository: Repository, *, wait: float = WAIT) -> Iterator[int | None]:
    """Hold memsite's lock of a repository, all its work trees included.

    Yields its descriptor, None when `wait` seconds were not enough.

    The kernel lets go of it when the process dies, however it dies. The file stays: deleting it would let two writers
    lock two files of one name. Raises OSError where the git directory cannot be written.
    """
    repository.own_dir.mkdir(exist_ok=True)
    descriptor = os.open(repository.own_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        yield descriptor if _acquire(descriptor, wait) else None
    finally:
        os.close(descriptor)


def is_locked(repository: Repository) -> bool:
    """Whether a memsite is writing now. Writes nothing."""
    try:
        descriptor = os.open(repository.own_dir / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _acquire(descriptor: int, wait: float) -> bool:
    deadline = time.monotonic() + wait
    pause = _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause)
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        else:
            return True
