"""Repositories inside of the memory, submodules or not: git keeps their files there, and not in the memory's own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from memsite.repo.gitcmd import run_git
from memsite.repo.objects import MODULE_MODE
from memsite.repo.workspace import Repository, Workspace


def nested_folders(workspace: Workspace, paths: Iterable[PurePosixPath]) -> frozenset[PurePosixPath]:
    """The folders above `paths`, by workspace path, that are repositories of their own. Raises GitError."""
    above = {folder for path in paths for folder in path.parents if folder != PurePosixPath()}
    if not above:
        return frozenset()
    modules = _modules(workspace.require_repository())
    return frozenset(folder for folder in above if folder in modules or _is_repository(workspace, folder))


def _modules(repository: Repository) -> frozenset[PurePosixPath]:
    """Submodules, also those that lost their `.git`."""
    prefix = repository.to_git(PurePosixPath())
    records = run_git(["ls-files", "-s", "-z", "--", prefix], cwd=repository.root).split(b"\0")
    names = (one.partition(b"\t")[2] for one in records if one.startswith(MODULE_MODE.encode()))
    return frozenset(path for name in names if (path := repository.from_git(name)) is not None)


def _is_repository(workspace: Workspace, folder: PurePosixPath) -> bool:
    """As git sees it: a `.git` that is a folder must be more than that."""
    own = workspace.root / folder / ".git"
    return own.is_file() or (own / "HEAD").exists()
