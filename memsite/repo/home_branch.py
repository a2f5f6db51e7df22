"""Whether HEAD's branch is one that has the memory: an orphan branch, such as a published site's, must never get it."""

from __future__ import annotations

import os
from pathlib import PurePosixPath

from memsite.config import CONFIG_NAME
from memsite.errors import RefusedError
from memsite.memory.names import parse_day_name
from memsite.repo.gitcmd import run_git
from memsite.repo.objects import ObjectReader, object_reader, parse_tree
from memsite.repo.workspace import Workspace

_FORM = "--format=%(if)%(symref)%(then)%(else)%(objectname) %(refname:short)%(end)"
"""Of each branch; an empty line for another name of one, such as `origin/HEAD`."""


def strange_branch(workspace: Workspace, objects: ObjectReader) -> str:
    """Why nothing of the memory is to be committed on HEAD's branch: another branch has it, and this one has nothing.

    Empty when this one has it, and when no branch has: then it may begin here.
    """
    if _has_memory(workspace, objects, "HEAD"):
        return ""
    name = _branch_with_memory(workspace, objects, "refs/heads", "refs/remotes")
    return f"this branch has no memory, {name!r} has (`memsite init` begins another one here)" if name else ""


def refuse_empty_checkout(workspace: Workspace) -> None:
    """Refuse to begin a memory in a clone that git left empty, since the remote's HEAD is not the branch with one.

    Raises RefusedError, with the command that checks that branch out.
    """
    if workspace.git_root is None or workspace.git_problem:
        return
    if run_git(["for-each-ref", "--count=1", "refs/heads"], cwd=workspace.git_root):
        return
    with object_reader(workspace.git_root) as objects:
        name = _branch_with_memory(workspace, objects, "refs/remotes")
    if name:
        import shlex  # here: `log` asks about branches, and loads nothing that it does not need

        hint = f"git switch --track {shlex.quote(name)}"
        raise RefusedError(f"nothing is checked out, and {name!r} has a memory", where=workspace.root, hint=hint)


def _branch_with_memory(workspace: Workspace, objects: ObjectReader, *places: str) -> str:
    listing = run_git(["for-each-ref", _FORM, *places], cwd=workspace.require_repository().root)
    branches = dict(line.split(" ", 1) for line in reversed(os.fsdecode(listing).splitlines()) if line)
    return next((name for commit, name in branches.items() if _has_memory(workspace, objects, commit)), "")


def _has_memory(workspace: Workspace, objects: ObjectReader, commit: str) -> bool:
    if _kind(workspace, objects, commit, PurePosixPath(CONFIG_NAME)) == "blob":
        return True
    config = workspace.config
    if config.memory != PurePosixPath():
        return _kind(workspace, objects, commit, config.memory) == "tree"
    own = (config.index_path, config.consolidated_path, config.memory / "sessions")
    return any(_kind(workspace, objects, commit, path) for path in own) or _has_days(workspace, objects, commit)


def _has_days(workspace: Workspace, objects: ObjectReader, commit: str) -> bool:
    root = objects.find(_name(workspace, commit, PurePosixPath()))
    names = parse_tree(root.data, workspace.object_format) if root and root.kind == "tree" else ()
    return any(parse_day_name(os.fsdecode(name)) for name in names)


def _kind(workspace: Workspace, objects: ObjectReader, commit: str, path: PurePosixPath) -> str:
    found = objects.find(_name(workspace, commit, path))
    return found.kind if found else ""


def _name(workspace: Workspace, commit: str, path: PurePosixPath) -> str:
    whole = os.fsdecode(workspace.require_repository().to_git(path))
    return f"{commit}:{'' if whole == '.' else whole}"
