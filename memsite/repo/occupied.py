"""What stands where a site would be built: a build replaces what is in its folder, and others may have chosen that."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from memsite.repo.gitcmd import run_git
from memsite.repo.membership import membership
from memsite.repo.workspace import Workspace, find_repository


def find_occupant(workspace: Workspace, folder: Path) -> str:
    """What is wrong with a folder as a site's: it holds the workspace, or lies in the memory or git's folder; else "".

    Links are followed, and folders compared as the file system does, whatever the case of their names.
    """
    real = Path(os.path.realpath(folder))
    memory = workspace.root / workspace.config.memory
    repository = [path for path in (workspace.git_root, workspace.git_dir, workspace.common_dir) if path is not None]
    members = membership(workspace.config)
    include = [workspace.root / name for name in sorted(members.include)]
    if any(_holds(path, real) for path in repository[1:]):
        return "lies in git's folder"
    for path in (workspace.root, memory, *repository, *include):
        if _holds(real, path):
            name = path.relative_to(workspace.root) if path in include else path.name
            return f"holds {name}, which a build must not replace"
    if memory != workspace.root:
        return "lies in the memory folder" if _holds(memory, real) else ""
    is_memory = real.is_relative_to(memory) and members.has(PurePosixPath(real.relative_to(memory)))
    return "is a folder of the memory" if is_memory else ""


def tracked_files(folder: Path) -> frozenset[str]:
    """The files in the folder that git keeps, by their path in it. Raises GitError."""
    if not folder.is_dir() or find_repository(folder) is None:
        return frozenset()
    return frozenset(os.fsdecode(run_git(["ls-files", "-z"], cwd=folder)).split("\0")) - {""}


def _holds(folder: Path, path: Path) -> bool:
    """Whether `path`, there or not, is the folder or lies in it."""
    real = Path(os.path.realpath(path))
    return any(above == folder or _is_same(above, folder) for above in (real, *real.parents))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
