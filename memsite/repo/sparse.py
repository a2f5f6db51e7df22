"""What git keeps out of the work tree, or is told not to look at (`git sparse-checkout`, `--skip-worktree`,
`--assume-unchanged`): where it is not on disk, it is not deleted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from memsite.errors import RefusedError
from memsite.repo.gitcmd import run_git
from memsite.repo.workspace import Repository, Workspace

_SKIPPED = "S"
_ALL_NAMES = (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3")
"""How a stage begins that has every name as it is; later versions shorten them."""
_HAS_FOLDERS = b"sdir"
"""An extension of stages in which a folder stands for all that a sparse checkout leaves out of it."""


class SparseError(RefusedError):
    """A file is in git and kept out of the work tree, so nothing can be planned from it."""


def sparse_files(workspace: Workspace, among: Sequence[PurePosixPath] = ()) -> frozenset[PurePosixPath]:
    """Files of the stage, by workspace path, that are absent on disk and not to be taken for deleted.

    Those `among` paths (a folder stands for what is in it), else those of the whole workspace. Raises GitError.
    """
    return frozenset(path for path in unseen_files(workspace, among) if not (workspace.root / path).exists())


def unseen_files(workspace: Workspace, among: Sequence[PurePosixPath] = ()) -> Mapping[PurePosixPath, str]:
    """Files that git does not look at, on disk or not, with the letter that `ls-files -v` has for each."""
    repository = workspace.require_repository()
    names = [repository.to_git(path) for path in among or (PurePosixPath(),)]
    if among and not _may_be_staged(repository, names):
        return {}
    found: dict[PurePosixPath, str] = {}
    for record in run_git(["ls-files", "-v", "-z", "--", *names], cwd=repository.root).split(b"\0"):
        letter = record[:1].decode()
        if letter != _SKIPPED and not letter.islower():
            continue
        if (path := repository.from_git(record[2:])) is not None:
            found[path] = letter
    return found


def refuse_sparse(workspace: Workspace, path: PurePosixPath) -> SparseError:
    """Why a file that is kept out of the work tree is not written, and how to get it there."""
    import shlex  # `log` does not pay for it

    name = shlex.quote(str(path))
    option = "skip-worktree" if unseen_files(workspace, (path,)).get(path) == _SKIPPED else "assume-unchanged"
    steps = f"git update-index --no-{option} {name} && git restore {name}"
    if option == "skip-worktree" and _is_sparse(workspace.require_repository()):
        steps = f"git sparse-checkout add {shlex.quote(str(path.parent))}"
    return SparseError(
        "is in git, but kept out of the work tree", where=path, hint=f"nothing was changed; run `{steps}`"
    )


def _is_sparse(repository: Repository) -> bool:
    answer = run_git(["config", "--type=bool", "--get", "core.sparseCheckout"], cwd=repository.root, accept=(0, 1))
    return answer.strip() == b"true"


def _is_split(repository: Repository) -> bool:
    return any(name.startswith("sharedindex.") for name in os.listdir(repository.git_dir))  # noqa: PTH208 - faster


def _may_be_staged(repository: Repository, names: Sequence[bytes]) -> bool:
    """Cheaply, for a `log` that begins a file: whether the stage, or a part of it in another file, can have one."""
    try:
        stage = (repository.git_dir / "index").read_bytes()
    except FileNotFoundError:
        return False
    is_whole = stage.startswith(_ALL_NAMES) and _HAS_FOLDERS not in stage and not _is_split(repository)
    return not is_whole or any(name in stage for name in names)
