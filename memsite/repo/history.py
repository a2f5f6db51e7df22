"""The memory's history: every commit that changes it, in one pass over the log, kept by commit id."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING

from memsite.errors import GitError
from memsite.repo.commits import Commit, FileChange
from memsite.repo.gitcmd import run_git
from memsite.repo.membership import Membership, membership
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass

if TYPE_CHECKING:
    import git

__all__ = ["Commit", "DeletedFile", "FileChange", "History", "Revision", "head_commit", "kept_commits", "read_history"]

_FEW = 100
"""New commits that are read without GitPython: importing it takes longer than they do."""
_SHARE = 1000
"""Commits that one git child is asked about at least."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of a file; `blob` is None where the commit deletes it."""

    commit: Commit
    blob: str | None
    path: PurePosixPath
    """What the file is called in that commit."""


@dataclass(frozen=True, slots=True)
class DeletedFile:
    """A file that the memory had, and its last content."""

    path: PurePosixPath
    commit: Commit
    """The one that deleted it."""
    blob: str | None


@dataclass(frozen=True)
class History:
    """Commits that change the memory, children before parents, newest first."""

    commits: tuple[Commit, ...] = ()
    shallow: bool = False
    """The clone was cut off: what is older than the last commit here is unknown, first dates included."""
    tip: str = ""
    """The commit that it leads to, whether that changes the memory or not; empty where nobody has asked."""

    def revisions(self, path: PurePosixPath) -> tuple[Revision, ...]:
        """The states of a file, newest first; empty for a path without history. `renames.py` follows renames."""
        return self._by_path.get(path, ())

    def deleted(self) -> tuple[DeletedFile, ...]:
        """Files whose newest state is that they are deleted, by path."""
        gone = {path: states for path, states in self._by_path.items() if states[0].blob is None}
        return tuple(
            DeletedFile(path, states[0].commit, _last_blob(path, states)) for path, states in sorted(gone.items())
        )

    @cached_property
    def _by_path(self) -> Mapping[PurePosixPath, tuple[Revision, ...]]:
        found: dict[PurePosixPath, list[Revision]] = {}
        for commit in reversed(self.commits):
            for change in commit.changes:
                states = found.setdefault(change.path, [])
                # A merge brings in a state that its other side has already told of.
                if not (len(commit.parents) > 1 and states and states[-1].blob == change.new_blob):
                    states.append(Revision(commit, change.new_blob, change.path))
        return MappingProxyType({path: tuple(reversed(states)) for path, states in found.items()})


def read_history(workspace: Workspace, revision: str | None = None) -> History:
    """The history of HEAD, or of the commit whose id is `revision`. A repository without a commit has none.

    Raises WorkspaceError without repository, GitError.
    What is known of a commit is kept below git's folder, and never asked again; that file may be deleted at any time.
    """
    from memsite.repo.history_cache import HistoryCache  # `Commit` alone is wanted by many

    repository = workspace.require_repository()
    members = membership(workspace.config)
    head = head_commit(repository) if revision is None else revision
    if head is None:
        return History((), repository.is_shallow)
    cut = shallow_boundary(repository)
    cache = HistoryCache(repository, members, cut)
    commits = cache.load()
    if cache.tip != head:
        on_top = _on_top(repository, cache.tip, head)
        order = _order(repository, head) if on_top is None else [*on_top, *(commit.id for commit in commits)]
        known = {commit.id: commit for commit in commits}
        missing = _missing(repository, cache.tip, head, order) if on_top is None else on_top
        known.update(
            (commit.id, commit) for commit in _read_commits(repository, members, missing) if commit.id not in cut
        )
        commits = tuple(known[name] for name in order if name in known)
        if revision is None:  # what is kept belongs to HEAD; a look at the past would make it smaller
            cache.save(head, commits)
    return History(commits, repository.is_shallow, head)


def kept_commits(workspace: Workspace) -> tuple[str, tuple[Commit, ...]]:
    """The HEAD for which the history was kept last, and its commits, newest first; empty where nothing is kept."""
    from memsite.repo.history_cache import HistoryCache

    repository = workspace.require_repository()
    cache = HistoryCache(repository, membership(workspace.config), shallow_boundary(repository))
    commits = cache.load()
    return cache.tip, commits


def _last_blob(path: PurePosixPath, states: tuple[Revision, ...]) -> str | None:
    deletion = next(change for change in states[0].commit.changes if change.path == path)
    return deletion.old_blob


def head_commit(repository: Repository) -> str | None:
    """The id of HEAD's commit; None before the first one. Raises GitError."""
    answer = run_git(["rev-parse", "--verify", "-q", "HEAD^{commit}"], cwd=repository.root, accept=(0, 1))
    return answer.decode().strip() or None


def shallow_boundary(repository: Repository) -> frozenset[str]:
    """The commits at which a clone was cut off: they seem to have no parents, and would claim to have written all."""
    try:
        return frozenset((repository.common_dir / "shallow").read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()


def _order(repository: Repository, head: str) -> list[str]:
    return run_git(["rev-list", "--date-order", head, "--"], cwd=repository.root).decode().split()


def _on_top(repository: Repository, tip: str, head: str) -> list[str] | None:
    """The commits from `head` down to `tip`, each the only parent of the one before: in whatever order the history of
    `tip` stands, they stand in front of it. None where it is otherwise.
    """
    if not tip:
        return None
    try:
        listing = run_git(["rev-list", "--parents", head, f"^{tip}", "--"], cwd=repository.root).decode()
    except GitError:
        return None
    rows = [line.split() for line in listing.splitlines()]
    ids = [row[0] for row in rows]
    return ids if ids and [row[1:] for row in rows] == [[one] for one in (*ids[1:], tip)] else None


def _missing(repository: Repository, tip: str, head: str, order: list[str]) -> list[str]:
    """The commits of `head` that `tip` does not reach. All of them when there is no such commit any more."""
    if not tip:
        return order
    try:
        return run_git(["rev-list", head, f"^{tip}", "--"], cwd=repository.root).decode().split()
    except GitError:
        return order


def _read_commits(repository: Repository, members: Membership, ids: list[str]) -> Iterator[Commit]:
    from concurrent.futures import ThreadPoolExecutor  # imported late, as GitPython

    from memsite.repo.log_format import DIFF_TREE, parse_commits

    # Matching every name of a large folder costs more than a pathspec saves, unless most of the tree is not ours.
    paths = members.pathspecs(repository) if repository.prefix.parts else []
    if len(ids) <= _FEW:
        stdin = "\n".join(ids).encode() + b"\n"
        listing = run_git(["diff-tree", *DIFF_TREE, "--", *paths], cwd=repository.root, stdin=stdin) if ids else b""
        yield from _kept(parse_commits(listing, repository, members))
        return
    from memsite.repo.runner import open_repo  # imports GitPython, which a few new commits do without

    processors = os.cpu_count() or 1
    # Twice as many shares as children: one is parsed while git works on the next.
    size = max(_SHARE, -(-len(ids) // (2 * processors)))
    shares = [ids[start : start + size] for start in range(0, len(ids), size)]
    with open_repo(repository) as repo, ThreadPoolExecutor(processors) as pool:
        for listing in pool.map(lambda share: _diff_tree(repo, paths, share), shares):
            yield from _kept(parse_commits(listing, repository, members))


def _diff_tree(repo: git.Repo, paths: list[str], ids: list[str]) -> bytes:
    from tempfile import TemporaryFile

    from memsite.repo.log_format import DIFF_TREE

    with TemporaryFile() as names:
        names.write("\n".join(ids).encode() + b"\n")
        names.seek(0)
        listing: bytes = repo.git.diff_tree(*DIFF_TREE, "--", *paths, istream=names, stdout_as_string=False)
    return listing


def _kept(commits: Iterable[Commit]) -> Iterator[Commit]:
    return (commit for commit in commits if commit.changes)
