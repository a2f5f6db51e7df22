"""What killed runs leave below the git directory and only a person can settle: lock files, records nobody can read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memsite.repo.guard import Violation
from memsite.repo.ref_locks import ref_locks
from memsite.repo.spool import Spool
from memsite.repo.workspace import Repository, Workspace


def find_left_behind(workspace: Workspace) -> Iterator[Violation]:
    """Lock files of git that are there now (a warning: a git may be at work) and unreadable records of entries."""
    repository = workspace.require_repository()
    index = repository.git_dir / "index.lock"
    for lock in (*((index,) if os.path.lexists(index) else ()), *ref_locks(repository)):
        hint = f"if no git runs any more, delete it: rm '{lock}'"
        yield Violation(_shown(repository, lock), None, "git is locked: nothing can be committed", hint, warning=True)
    for record in Spool(repository, workspace.root).unreadable():
        hint = "update memsite; if it is of no use, remove the file"
        yield Violation(_shown(repository, record), None, "an entry is recorded that this memsite cannot read", hint)


def _shown(repository: Repository, path: Path) -> PurePosixPath:
    return PurePosixPath(os.path.relpath(path, repository.root))
