"""Locks of HEAD and its branch: those of a dead run of ours go, another git's stay and are named."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memsite.errors import PendingError
from memsite.repo.left_behind import find_left_behind
from memsite.repo.lock import repository_lock
from memsite.repo.pending import commit_pending
from memsite.repo.ref_locks import ref_locks
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, append, commit

BRANCH = "refs/heads/main.lock"


def die_moving(ws: Workspace, *locks: str, content: str = "") -> None:
    """What a group of processes leaves that is killed while it moves HEAD."""
    folder = ws.root / ".git"
    (folder / "memsite.lock").touch()
    os.link(folder / "memsite.lock", folder / "index.lock")
    (folder / "memsite.moving").write_text("1" * 40, encoding="ascii")
    for name in locks:
        (folder / name).write_text(content, encoding="ascii")


@pytest.mark.parametrize("locks", [("HEAD.lock",), (BRANCH,), ("HEAD.lock", BRANCH)])
@pytest.mark.parametrize("content", ["", "1" * 40 + "\n"])
def test_locks_of_our_own_dead_run_are_released(ws: Workspace, git: Git, locks: tuple[str, ...], content: str) -> None:
    die_moving(ws, *locks, content=content)
    assert commit(ws, append(NOTE, "x\n"))
    assert not [path for path in (ws.root / ".git").rglob("*.lock") if path.name != "memsite.lock"]
    assert not (ws.root / ".git/memsite.moving").exists()
    git("commit", "-q", "--allow-empty", "-m", "the user's", cwd=ws.root)


@pytest.mark.parametrize("name", ["HEAD.lock", BRANCH])
def test_a_lock_of_another_git_is_named_and_stays(ws: Workspace, name: str) -> None:
    lock = ws.root / ".git" / name
    lock.touch()
    with pytest.raises(PendingError, match="branch is locked") as caught:
        commit(ws, append(NOTE, "x\n"))
    assert str(caught.value.where) == str(lock)
    assert "delete that file" in caught.value.hint
    assert [(str(one.path), one.warning) for one in find_left_behind(ws)] == [(f".git/{name}", True)]
    lock.unlink()
    assert commit(ws)


def test_what_does_not_look_like_ours_stays(ws: Workspace) -> None:
    die_moving(ws, "HEAD.lock", content="2" * 40)
    with pytest.raises(PendingError, match="branch is locked"):
        commit(ws, append(NOTE, "x\n"))
    assert ref_locks(ws.require_repository()) == (ws.root / ".git/HEAD.lock",)


def test_an_older_lock_stays(ws: Workspace) -> None:
    die_moving(ws, "HEAD.lock")
    before = time.time() - 60
    os.utime(ws.root / ".git/HEAD.lock", (before, before))
    with pytest.raises(PendingError, match="branch is locked"):
        commit(ws, append(NOTE, "x\n"))


def test_records_that_cannot_be_read_are_told(ws: Workspace) -> None:
    commit(ws, append(NOTE, "one\n"))
    assert list(find_left_behind(ws)) == []
    record = ws.root / ".git/memsite/spool/000000000001-x.json"
    record.write_text("{broken", encoding="utf-8")
    (ws.root / ".git/index.lock").touch()
    found = {Path(one.path).name: one.warning for one in find_left_behind(ws)}
    assert found == {"index.lock": True, "000000000001-x.json": False}


def test_a_lock_that_a_killed_run_left_is_told_apart_and_removed_by_commit(ws: Workspace) -> None:
    die_moving(ws)
    (found,) = find_left_behind(ws)
    assert (str(found.path), found.warning) == (".git/index.lock", True)
    assert "`memsite commit` removes it" in found.hint
    assert commit_pending(ws, now=NOW) == ()
    assert list(find_left_behind(ws)) == []
    assert not (ws.root / ".git/index.lock").exists()


def test_the_lock_of_a_run_that_lives_is_no_news(ws: Workspace) -> None:
    with repository_lock(ws.require_repository()):
        die_moving(ws)
        assert list(find_left_behind(ws)) == []
