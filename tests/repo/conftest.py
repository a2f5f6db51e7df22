"""Fixtures of the repository room: an opened workspace and a fixed time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from memsite.memory.changeset import Append, Changeset, Write
from memsite.repo.transaction import Committed, transact
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git

NOW = datetime(2025, 3, 20, 10, 30, tzinfo=UTC)
NOTE = PurePosixPath("memory/2025-03-20.md")


@pytest.fixture
def ws(workspace: Path) -> Workspace:
    """The shared workspace, opened."""
    return open_workspace(workspace)


def append(path: PurePosixPath | str, text: str, header: str = "") -> Changeset:
    """A changeset of one Append."""
    return Changeset((Append(PurePosixPath(path), text.encode(), header.encode()),), f"note: {text.strip()[:40]}")


def write(path: PurePosixPath | str, old: str | None, text: str, message: str = "index: edit") -> Changeset:
    """A changeset of one Write."""
    before = None if old is None else old.encode()
    return Changeset((Write(PurePosixPath(path), before, text.encode()),), message)


def commit(ws: Workspace, *changesets: Changeset, now: datetime = NOW) -> tuple[Committed, ...]:
    """Transact changesets that were planned before."""
    return transact(ws, lambda _: changesets, now=now)


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Files as an agent writes them: nothing of memsite's."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


Show = Callable[[str], str]


@pytest.fixture
def show(workspace: Path, git: Git) -> Show:
    """A file as HEAD has it: `show("memory/x.md")`."""
    return lambda path: git("show", f"HEAD:{path}", cwd=workspace)
