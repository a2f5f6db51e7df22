"""Move the branch, the user's stage and the work tree to another commit together, as a checkout of git's would.

What the user has staged or changed elsewhere stays; where it is in the way, nothing happens. A record of what is under
way lets the next run finish, or take back, what a killed one left.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from memsite.counting import counted
from memsite.errors import GitError, PendingError, RefusedError
from memsite.repo.files import write_atomic
from memsite.repo.gitcmd import run_git
from memsite.repo.lock import repository_lock
from memsite.repo.objects import LINK_MODE, MODULE_MODE, GitObject, object_reader
from memsite.repo.stage import StageCopy, move_head, release_dead_lock, stage_lock
from memsite.repo.state import ADOPTING, blocked_reason, is_interrupted
from memsite.repo.workspace import Repository
from memsite.values import dataclass

"""In the work tree's own git directory: the commits that it goes from and to."""


class StaleError(GitError):
    """HEAD is no longer the commit that all was prepared for: prepare again."""


class InTheWayError(RefusedError):
    """A file that is changed in the work tree, or staged, would be overwritten."""


def adopt(repository: Repository, old: str, new: str, message: str) -> None:
    """Make `new` what HEAD's branch, the stage and the work tree have instead of `old`.

    Raises StaleError when HEAD is not `old`, InTheWayError, PendingError when git is busy, GitError, OSError. Then
    nothing has changed.
    """
    with repository_lock(repository) as lock:
        if lock is None:
            raise PendingError("another memsite is writing", where=repository.root, hint="run `memsite sync` again")
        release_dead_lock(repository)
        stage = StageCopy(repository, lock)
        with stage_lock(repository):
            _check(repository, old)
            write_atomic(repository.git_dir, ADOPTING, f"{old} {new}".encode())
            try:
                _swap(repository, stage, old, new, message, lock)
            finally:
                stage.discard()
                (repository.git_dir / ADOPTING).unlink(missing_ok=True)


def _check(repository: Repository, old: str) -> None:
    head = read_head(repository)
    if head is None or head.id != old:
        raise StaleError("HEAD moved", where=repository.root)
    if reason := blocked_reason(repository, head):
        raise PendingError(reason, where=repository.root, hint="run `memsite sync` after it")


def _swap(repository: Repository, stage: StageCopy, old: str, new: str, message: str, lock: int) -> None:
    stage.prepare({})
    _read_tree(repository, stage, ["-u"], old, new)
    try:
        move_head(repository, old, new, message, lock)
    except GitError:
        if _head(repository) != new:
            _read_tree(repository, stage, ["-u"], new, old)
            raise
    stage.replace_real()


def _read_tree(repository: Repository, stage: StageCopy, options: list[str], old: str, new: str) -> None:
    environment = {"GIT_INDEX_FILE": str(stage.path)}
    # What only looks changed (another time stamp) must not be in the way.
    run_git(["update-index", "-q", "--refresh"], cwd=repository.root, env=environment, accept=(0, 1))
    try:
        run_git(["read-tree", "-m", *options, old, new], cwd=repository.root, env=environment)
    except GitError as error:
        if not any(sign in error.problem for sign in ("Cannot merge", "would be", "would lose")):
            raise
        raise _in_the_way(repository, error.problem) from error


def _in_the_way(repository: Repository, problem: str) -> InTheWayError:
    """What git says that it would overwrite, and what to do about it."""
    name = problem.partition("'")[2].rpartition("'")[0]
    if "ntracked" not in problem:
        hint = "commit it or put it away (git stash), then run `memsite sync` again"
        return InTheWayError("is changed here and in what was fetched", where=name, hint=hint)
    hint = "move it elsewhere, or add and commit it, then run `memsite sync` again"
    if "would lose" not in problem:
        return InTheWayError("is in no commit here, and what was fetched has it too", where=name, hint=hint)
    # git names the folder: what was fetched has a file in its place.
    others = os.fsdecode(run_git(["ls-files", "--others", "-z", "--", name], cwd=repository.root)).split("\0")[:-1]
    more = f" (with {counted(len(others) - 1, 'more file')} there)" if others[1:] else ""
    message = f"is in no commit here{more}, and what was fetched has {name!r} as a file"
    return InTheWayError(message, where=min(others, default=name), hint=hint)


def recover(repository: Repository) -> None:
    """Finish or take back what a killed `adopt` left. Raises PendingError, GitError, OSError."""
    if not is_interrupted(repository):
        return
    with repository_lock(repository) as lock:
        if lock is not None:
            release_dead_lock(repository)
            recover_locked(repository, lock)


def recover_locked(repository: Repository, lock: int) -> None:
    """As `recover`, while holding the repository's lock.

    What the user began meanwhile (a merge, a rebase) comes first: what it does to HEAD decides.
    """
    if not is_interrupted(repository) or blocked_reason(repository, read_head(repository)):
        return
    record = repository.git_dir / ADOPTING
    old, new = record.read_text("ascii").split(" ")
    stage = StageCopy(repository, lock)
    with stage_lock(repository):
        _recover(repository, stage, old, new)
        stage.discard()
        record.unlink()


def _recover(repository: Repository, stage: StageCopy, old: str, new: str) -> None:
    head = _head(repository)
    if head == new:
        # The branch has moved and the stage has not.
        stage.prepare({})
        with suppress(InTheWayError):
            _read_tree(repository, stage, ["-i"], old, new)
            stage.replace_real()
    elif head == old:
        _take_back(repository, stage, old, new)


@dataclass(frozen=True, slots=True)
class _Change:
    path: bytes
    old: str | None
    new: str | None


def _take_back(repository: Repository, stage: StageCopy, old: str, new: str) -> None:
    """Put files that have the new content already back to the old one; what the user wrote or staged since stays."""
    command = ["diff-index", "--cached", "-z", "--name-only", "--no-renames", old]
    staged = set(run_git(command, cwd=repository.root).split(b"\0"))
    changes = (change for change in _changes(repository, old, new) if change.path not in staged)
    changed = [change for change in changes if _is_at(repository, change)]
    environment = {"GIT_INDEX_FILE": str(stage.path)}
    stage.discard()
    run_git(["read-tree", old], cwd=repository.root, env=environment)
    names = b"".join(change.path + b"\0" for change in changed if change.old)
    run_git(["checkout-index", "-f", "-q", "-z", "--stdin"], cwd=repository.root, stdin=names, env=environment)
    for change in changed:
        if change.old is None:
            (repository.root / os.fsdecode(change.path)).unlink(missing_ok=True)


def _changes(repository: Repository, old: str, new: str) -> Iterator[_Change]:
    fields = iter(run_git(["diff-tree", "-r", "-z", "--no-renames", old, new], cwd=repository.root).split(b"\0"))
    for about in fields:
        if about:
            modes = about.decode()[1:].split(" ")
            path = next(fields)
            if not {modes[0], modes[1]} & {LINK_MODE, MODULE_MODE}:
                yield _Change(path, *(name if name.strip("0") else None for name in modes[2:4]))


def _is_at(repository: Repository, change: _Change) -> bool:
    """Whether the work tree has the new content of a path."""
    file = repository.root / os.fsdecode(change.path)
    if change.new is None or not file.is_file() or b"\n" in change.path:
        return change.new is None and not os.path.lexists(file)
    command = ["-c", "core.safecrlf=false", "hash-object", "--stdin-paths"]
    return run_git(command, cwd=repository.root, stdin=change.path + b"\n").decode().strip() == change.new


def read_head(repository: Repository) -> GitObject | None:
    """The commit of HEAD; None where there is none."""
    with object_reader(repository.root) as reader:
        return reader.find("HEAD")


def _head(repository: Repository) -> str:
    head = read_head(repository)
    return head.id if head else ""
