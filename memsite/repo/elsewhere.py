"""A repository whose git directory lies elsewhere, without a `.git` that leads to it: dotfiles in a bare repository."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from memsite.errors import GitError, RefusedError
from memsite.repo.gitcmd import run_git
from memsite.repo.workspace import find_repository
from memsite.values import dataclass

_NAMES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
_SIGNS = ("HEAD", "objects", "refs", "index")
"""What a git directory with a stage has; a bare repository that is only pushed to has no stage."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where such a repository is."""

    git_dir: Path
    work_tree: Path


def refuse_elsewhere(root: Path, environ: Mapping[str, str]) -> None:
    """Refuse to make a repository inside of the work tree of one that git does not find from `root`.

    It is named by `GIT_DIR` in `environ`, or is a folder beside those that `root` lies in and has files of `root`.
    Raises RefusedError, with the steps that let git find it.
    """
    real = Path(os.path.realpath(root))
    there = next(folder for folder in (real, *real.parents) if folder.is_dir())
    if find_repository(there) is not None:
        return
    found = next((one for one in (*_named(environ), *_beside(real)) if real.is_relative_to(one.work_tree)), None)
    if found is not None:
        problem = f"lies in the work tree of {found.git_dir}, which git does not find from there; nor could agents"
        raise RefusedError(
            problem, where=root, hint=f"link it: {link(found)}; for a repository of its own: {_own(root)}"
        )


def link(found: Elsewhere) -> str:
    """The commands after which git finds it from every folder of the work tree."""
    git, tree = f"git --git-dir={shlex.quote(str(found.git_dir))} config", shlex.quote(str(found.work_tree))
    file = shlex.quote(str(found.work_tree / ".git"))
    line = shlex.quote(f"gitdir: {found.git_dir}")
    return f"{git} core.bare false && {git} core.worktree {tree} && echo {line} > {file}"


def _own(root: Path) -> str:
    return f"env {' '.join(f'-u {name}' for name in _NAMES)} git init {shlex.quote(str(root))}"


def _named(environ: Mapping[str, str]) -> Iterator[Elsewhere]:
    """The repository that the environment names."""
    named = {name: environ[name] for name in _NAMES if environ.get(name)}
    if "GIT_DIR" in named:
        try:
            answer = run_git(["rev-parse", "--absolute-git-dir", "--show-toplevel"], cwd=Path.cwd(), env=named)
        except GitError:
            return  # it names none, or one without a work tree
        yield Elsewhere(*map(Path, os.fsdecode(answer).splitlines()))


def _beside(root: Path) -> Iterator[Elsewhere]:
    """Git directories with a stage that has files of `root`."""
    for folder in (root, *root.parents):
        for git_dir in _git_dirs(folder):
            command = [f"--git-dir={git_dir}", f"--work-tree={folder}", "ls-files", "-z", "--", str(root)]
            try:
                has_files = bool(run_git(command, cwd=folder))
            except GitError:
                continue
            if has_files:
                yield Elsewhere(git_dir, folder)


def _git_dirs(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            folders = sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    yield from (one for one in folders if all((one / sign).exists() for sign in _SIGNS))
