"""Repositories inside of the memory stop no commit, and their files are not the memory's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from shutil import rmtree

import pytest

from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, write_files

LIB = "memory/lib"


def put_a_repository_there(git: Git, root: Path) -> None:
    write_files(root, {f"{LIB}/a.md": "# theirs\n"})
    git("init", "-q", cwd=root / LIB)
    git("config", "user.name", "Ada", cwd=root / LIB)
    git("config", "user.email", "ada@example.org", cwd=root / LIB)
    git("add", ".", cwd=root / LIB)
    git("commit", "-qm", "theirs", cwd=root / LIB)


def put_a_submodule_there(git: Git, root: Path) -> None:
    put_a_repository_there(git, root)
    commit = git("rev-parse", "HEAD", cwd=root / LIB).strip()
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},{LIB}", cwd=root)
    git("commit", "-qm", "a submodule", cwd=root)


def put_a_submodule_without_its_repository_there(git: Git, root: Path) -> None:
    put_a_submodule_there(git, root)
    rmtree(root / LIB / ".git")


WAYS = (put_a_repository_there, put_a_submodule_there, put_a_submodule_without_its_repository_there)


@pytest.mark.parametrize("put", WAYS)
def test_a_repository_in_the_memory_stops_no_commit_and_keeps_its_files(
    ws: Workspace, git: Git, put: Callable[[Git, Path], None]
) -> None:
    put(git, ws.root)
    write_files(ws.root, {str(NOTE): "# mine\n"})
    assert [one.paths for one in commit_pending(ws, now=NOW)] == [(NOTE,)]
    (told,) = uncommitted(ws).left_to_user
    assert (told.path, told.message) == (PurePosixPath(LIB), "is a repository of its own")


def test_a_folder_that_only_looks_like_a_repository_is_the_memorys(ws: Workspace) -> None:
    write_files(ws.root, {f"{LIB}/a.md": "# mine\n", f"{LIB}/.git/x": ""})
    assert [one.paths for one in commit_pending(ws, now=NOW)] == [(PurePosixPath(f"{LIB}/a.md"),)]
