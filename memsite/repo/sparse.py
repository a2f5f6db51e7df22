"""What git keeps out of the work tree (`git sparse-checkout`, `--skip-worktree`): not on disk, and not deleted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from memsite.errors import RefusedError
from memsite.repo.gitcmd import run_git
from memsite.repo.workspace import Repository, Workspace

_PLAIN_VERSION = b"DIRC\0\0\0\2"
"""How a stage begins that has no room for the skip-worktree bit."""


class SparseError(RefusedError):
    """A file is in git and kept out of the work tree, so nothing can be planned from it."""


def sparse_files(workspace: Workspace, among: Sequence[PurePosixPath] = ()) -> frozenset[PurePosixPath]:
    """Files of the stage, by workspace path, that have the skip-worktree bit and are absent on disk.

    Those `among` paths (a folder stands for what is in it), else those of the whole workspace. Raises GitError.
    """
    repository = workspace.require_repository()
    if not _may_have_some(repository):
        return frozenset()
    names = [repository.to_git(path) for path in among or (PurePosixPath(),)]
    listing = run_git(["ls-files", "-t", "-z", "--", *names], cwd=repository.root)
    found = (repository.from_git(one.removeprefix(b"S ")) for one in listing.split(b"\0") if one.startswith(b"S "))
    return frozenset(path for path in found if path is not None and not (workspace.root / path).exists())


def refuse_sparse(workspace: Workspace, path: PurePosixPath) -> SparseError:
    """Why a file that is kept out of the work tree is not written, and how to get it there."""
    whole = workspace.require_repository().prefix / path
    hint = f"nothing was changed; run `git sparse-checkout add {whole.parent}` (or `git update-index --no-skip-worktree"
    return SparseError("is in git, but kept out of the work tree", where=path, hint=f"{hint} {whole}` and restore it)")


def _may_have_some(repository: Repository) -> bool:
    """Cheaply: the usual stage cannot have the bit, unless a part of it lies in another file."""
    try:
        with (repository.git_dir / "index").open("rb") as stage:
            beginning = stage.read(len(_PLAIN_VERSION))
    except FileNotFoundError:
        return False
    return beginning != _PLAIN_VERSION or any(repository.git_dir.glob("sharedindex.*"))
