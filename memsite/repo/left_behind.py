"""What killed runs leave below the git directory and only a person can settle: lock files, records nobody can read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from memsite.repo.guard import Violation
from memsite.repo.lock import is_locked
from memsite.repo.ref_locks import ref_locks
from memsite.repo.spool import Spool
from memsite.repo.stage import is_own_lock
from memsite.repo.state import is_interrupted
from memsite.repo.workspace import Repository, Workspace


def find_left_behind(workspace: Workspace) -> Iterator[Violation]:
    """Lock files of git that are there now (a warning: a git may be at work), a `sync` that was killed, and unreadable
    records of entries.
    """
    repository = workspace.require_repository()
    if not is_locked(repository):
        # While a memsite writes, its locks and records are no news.
        yield from _dead_lock(repository)
        yield from _interrupted() if is_interrupted(repository) else ()
    index = repository.git_dir / "index.lock"
    for lock in (*((index,) if os.path.lexists(index) and not is_own_lock(repository) else ()), *ref_locks(repository)):
        hint = f"if no git runs any more, delete it: rm '{lock}'"
        yield Violation(_shown(repository, lock), None, "git is locked: nothing can be committed", hint, warning=True)
    for record in Spool(repository, workspace.root).unreadable():
        hint = "update memsite; if it is of no use, remove the file"
        yield Violation(_shown(repository, record), None, "an entry is recorded that this memsite cannot read", hint)


def _dead_lock(repository: Repository) -> Iterator[Violation]:
    if is_own_lock(repository):
        message = "a memsite that was killed left git locked: nothing can be committed"
        lock = _shown(repository, repository.git_dir / "index.lock")
        yield Violation(lock, None, message, "`memsite commit` removes it, and what belongs to it", warning=True)


def _interrupted() -> Iterator[Violation]:
    message = "a `sync` that was killed has changed files that this branch has not committed"
    yield Violation(PurePosixPath(), None, message, "`memsite commit` completes it or takes it back: first run that")


def _shown(repository: Repository, path: Path) -> PurePosixPath:
    return PurePosixPath(os.path.relpath(path, repository.root))
