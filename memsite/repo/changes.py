"""What commits, and the stage, change: git's raw listing, parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePosixPath

from memsite.errors import GitError
from memsite.repo.gitcmd import run_git, try_git
from memsite.repo.objects import MODULE_MODE
from memsite.repo.workspace import Repository
from memsite.values import dataclass

_NOT_A_FILE = {"0" * 6, MODULE_MODE}
"""A gitlink in the place of a file of the memory is a deletion of it."""
_RAW = ["--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff"]


@dataclass(frozen=True, slots=True)
class RawChange:
    """One path that a commit, or the stage, changes."""

    path: PurePosixPath
    old: str | None
    """Blob id; None: there was no file."""
    new: str | None
    mode: str = ""
    """What it is now: `100644`, or a program, or a link."""
    mode_changed: bool = False


@dataclass(frozen=True, slots=True)
class RawCommit:
    """A commit's changes; a merge's against each of its parents."""

    id: str
    """Empty for what is in no commit yet."""
    parents: tuple[str, ...]
    changes: tuple[RawChange, ...]


def read_staged(repository: Repository, base: str, index_file: str) -> RawCommit:
    """What the stage changes in the tree `base`. `index_file`: another stage than the real one."""
    environment = {"GIT_INDEX_FILE": index_file} if index_file else None
    command = ["diff-index", "--cached", *_RAW, base]
    records = _records(repository, run_git(command, cwd=repository.root, env=environment))
    return RawCommit("", (), tuple(change for _, change in records if change))


def read_difference(repository: Repository, old: str, new: str) -> RawCommit:
    """What one commit has otherwise than another one, as if it were made on top of it."""
    records = _records(repository, run_git(["diff-tree", "-r", *_RAW, old, new], cwd=repository.root))
    return RawCommit("", (), tuple(change for _, change in records if change))


def read_commits(
    repository: Repository, revisions: Sequence[str], *, walk: bool = True, paths: Sequence[PurePosixPath] = ()
) -> tuple[RawCommit, ...]:
    """Commits, newest first, as `git rev-list` names them; those alone that touch `paths`, where some are given.

    Without `walk`, no more than are named. Raises GitError for what git does not know.
    """
    options = ["--full-history", "-m", "--format=%x00%H %P", *([] if walk else ["--no-walk"]), "--stdin"]
    names: list[str | bytes] = [b"--", *map(repository.to_git, paths)] if paths else []
    stdin = "".join(f"{one}\n" for one in revisions).encode("utf-8", "surrogateescape")
    command = ["-c", "log.showRoot=true", "log", *_RAW, *options, *names]
    sections = groupby(_records(repository, run_git(command, cwd=repository.root, stdin=stdin)), lambda one: one[0])
    return tuple(
        RawCommit(name, parents, tuple(change for _, change in section if change))
        for (name, parents), section in sections
    )


def commits_in(repository: Repository, revisions: str) -> frozenset[str]:
    """The ids of the commits of a range, in a form that `git rev-list` takes. Raises GitError."""
    require_range(repository, revisions)
    return frozenset(run_git(["rev-list", "--end-of-options", revisions], cwd=repository.root).decode().split())


def require_range(repository: Repository, revisions: str) -> None:
    """Raise GitError, in words of ours, for a range whose ends are no commits here."""
    asked = ["rev-list", "--max-count=0", "--end-of-options", revisions, "--"]
    if try_git(asked, cwd=repository.root).returncode:
        hint = "name commits, branches or tags: A..B; one that only a remote has must be fetched first"
        raise GitError(f"{revisions!r} names no commits of this repository", where=repository.root, hint=hint)


def range_ends(repository: Repository, revisions: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The commits that a range leads up to, and those that it leaves out with all before them."""
    known = [one[1:] for one in revisions if one.startswith("^")]
    named = [one for one in revisions if not one.startswith("^")]
    ends = run_git(["rev-parse", "--revs-only", "--end-of-options", *named], cwd=repository.root).decode().split()
    return tuple(one for one in ends if one[0] != "^"), (*known, *(one[1:] for one in ends if one[0] == "^"))


def _records(repository: Repository, output: bytes) -> Iterator[tuple[tuple[str, tuple[str, ...]], RawChange | None]]:
    """Pairs of a commit (its id, its parents) and one change of it; None before the first."""
    header: tuple[str, tuple[str, ...]] = ("", ())
    records = iter(output.split(b"\0"))
    for record in records:
        head = record.strip(b"\n")
        if head.startswith(b":"):
            yield header, _change(repository, head, next(records))
        elif head:
            name, *parents = head.decode().split()
            header = (name, tuple(parents))
            yield header, None  # a commit that changes no file has a message, too


def _change(repository: Repository, about: bytes, name: bytes) -> RawChange | None:
    old_mode, new_mode, old, new, _status = about[1:].decode().split(" ")
    path = repository.from_git(name)
    was, is_now = old_mode not in _NOT_A_FILE, new_mode not in _NOT_A_FILE
    if path is None or not (was or is_now):
        return None
    changed = old_mode != new_mode and was and is_now
    return RawChange(path, old if was else None, new if is_now else None, new_mode if is_now else "", changed)
