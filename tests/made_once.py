"""What takes long to make is made once for all processes of a run: the first one makes it, the others wait."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """A folder that all processes of this run have in common."""
    base = factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"shared-{name}"
    shared.mkdir(exist_ok=True)
    return shared


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Have a folder, which is made where there is none, for this process alone."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def made_once(folder: Path, make: Callable[[], str]) -> str:
    """What `make` gave to whoever called it first; it makes things in `folder`, which is there. One that fails is
    called again by the next.
    """
    with alone_in(folder):
        made = folder / ".made"
        if not made.is_file():
            made.write_text(make(), encoding="utf-8", errors="surrogateescape")
        return made.read_text(encoding="utf-8", errors="surrogateescape")
