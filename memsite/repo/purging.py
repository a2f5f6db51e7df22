"""Where a value or a file that was purged still is: the work tree, the history, what was published, what is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import PurePosixPath

from memsite.errors import GitError
from memsite.memory.changeset import Append, Changeset
from memsite.memory.snapshot import Snapshot
from memsite.repo.audience import PURGES
from memsite.repo.gitcmd import run_git
from memsite.repo.history import Commit, History
from memsite.repo.leaked_refs import refs_to_files, refs_to_value
from memsite.repo.snapshots import read_blobs
from memsite.repo.workspace import Repository, Workspace
from memsite.safety.purges import HEADER, Purge, PurgeFinder, purge_file, purge_value
from memsite.safety.suppression import Suppressor
from memsite.values import dataclass

_CACHES = ("publication", "versions", "preview")
_CACHED_FILES = "history-*.json"
_TELLING = 64
"""Bytes from which a content is no mere stub."""


@dataclass(frozen=True, slots=True)
class Remains:
    """Where it stands."""

    work_tree: tuple[tuple[PurePosixPath, int | None], ...] = ()
    """Files of the memory as it is, with lines."""
    commits: tuple[str, ...] = ()
    """That bring it in, in a file or in their message, newest first."""
    messages: tuple[str, ...] = ()
    """Those of them that have it in their message."""
    branches: tuple[str, ...] = ()
    """Branches of published sites that have it."""
    refs: tuple[str, ...] = ()
    """Branches, tags and other refs of this repository, without `refs/`, that lead to it."""
    remotes: tuple[str, ...] = ()
    """Branches on remotes, as they are known, that lead to it."""
    copies: tuple[PurePosixPath, ...] = ()
    """Of a file: other paths that contents of it were at."""

    @property
    def is_committed(self) -> bool:
        """Whether a history has it."""
        return bool(self.commits or self.refs or self.remotes)

    @property
    def is_anywhere(self) -> bool:
        """Whether anything that was looked at has it."""
        return bool(self.work_tree or self.branches) or self.is_committed


def plan_purge(purges: tuple[Purge, ...], what: str) -> Changeset:
    """Add lines to the list; `what` is said in the message, and names nothing."""
    lines = "".join(f"{one}\n" for one in purges).encode()
    return Changeset((Append(PURGES, lines, header=HEADER.encode()),), f"purge: {what}\n")


def make_purges(
    value: str, path: PurePosixPath | None, known: tuple[Purge, ...], salt: bytes, day: date
) -> tuple[Purge, ...] | None:
    """The lines for a value, or for a file where `path` is given; none for what is known already.

    None for a value that is too short to be told from other words.
    """
    finder = PurgeFinder(known)
    if path is not None:
        return () if finder.has_file(str(path)) else (purge_file(str(path), salt, day),)
    return () if finder.places(value) else purge_value(value, salt, day) or None


def is_known_file(path: PurePosixPath, current: Snapshot, history: History) -> bool:
    """Whether the memory has, or ever had, such a file."""
    return path in current.files or bool(history.revisions(path))


def find_value(
    workspace: Workspace, value: str, current: Snapshot, history: History, branches: tuple[str, ...]
) -> Remains:
    """Where a value stands, in whatever form; `branches` of published sites are refs without `refs/`."""
    suppressor = Suppressor({value: ""})
    here = [
        (path, line)
        for path, blob in current.files.items()
        for line in _lines(suppressor, blob.data.decode("utf-8", "surrogateescape"))
    ]
    holding = _blobs_with(workspace, suppressor, history)
    messages = [commit.id for commit in history.commits if suppressor.find(_message(commit))]
    commits = [
        commit.id
        for commit in history.commits
        if commit.id in messages or any(change.new_blob in holding for change in commit.changes)
    ]
    repository = workspace.require_repository()
    published = tuple(name.partition("/")[2] for name in branches if _grep(repository, name, value))
    refs = refs_to_value(repository, value, commits)
    return Remains(tuple(here), tuple(commits), tuple(messages), published, refs.own, refs.remotes)


def find_file(workspace: Workspace, path: PurePosixPath, current: Snapshot, history: History) -> Remains:
    """Where a file stands, under whatever name its contents had."""
    repository = workspace.require_repository()
    here = ((path, None),) if path in current.files else ()
    commits = list(dict.fromkeys(one.commit.id for one in history.revisions(path)))
    refs = refs_to_files(repository, [repository.to_git(path)], commits)
    copies = tuple(_copies(workspace, path, history))
    return Remains(here, tuple(commits), refs=refs.own, remotes=refs.remotes, copies=copies)


def _copies(workspace: Workspace, path: PurePosixPath, history: History) -> Iterator[PurePosixPath]:
    """Other paths that had a content of this one; what is as short as a stub is in many files."""
    contents = read_blobs(workspace, [one.blob for one in history.revisions(path) if one.blob])
    own = {blob for blob, data in contents.items() if len(data) >= _TELLING}
    changes = (one for commit in history.commits for one in commit.changes)
    yield from dict.fromkeys(one.path for one in changes if one.path != path and one.new_blob in own)


def _message(commit: Commit) -> str:
    return f"{commit.subject}\n\n{commit.body}\n{commit.author}"


def _lines(suppressor: Suppressor, text: str) -> Iterator[int | None]:
    if suppressor.find(text):
        numbers = [number for number, line in enumerate(text.splitlines(), start=1) if suppressor.find(line)]
        yield from numbers or (None,)


def _blobs_with(workspace: Workspace, suppressor: Suppressor, history: History) -> set[str]:
    ids = list({change.new_blob for commit in history.commits for change in commit.changes if change.new_blob})
    found: set[str] = set()
    for start in range(0, len(ids), 500):
        blobs = read_blobs(workspace, ids[start : start + 500])
        found |= {name for name, data in blobs.items() if suppressor.find(data.decode("utf-8", "surrogateescape"))}
    return found


def _grep(repository: Repository, branch: str, value: str) -> bool:
    """Whether a branch has it as it is; the value goes in by a pipe, where no list of processes shows it."""
    command = ["grep", "-q", "-F", "-I", "-f", "-", f"refs/{branch}", "--"]
    with suppress(GitError):
        run_git(command, cwd=repository.root, stdin=value.encode() + b"\n")
        return True
    return False


def forget_caches(repository: Repository) -> None:
    """Remove what is kept of publications and messages: it would outlive a rewritten history.

    What builds keep in git's folder is theirs to forget (`memsite.site.cache`).
    """
    for name in _CACHES:
        shutil.rmtree(repository.own_dir / name, ignore_errors=True)
    for file in repository.own_dir.glob(_CACHED_FILES):
        with suppress(OSError):
            file.unlink()
