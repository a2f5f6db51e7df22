"""What git cannot take now: kept, and delivered once when it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import (
    PendingError,
)
from memsite.memory.changeset import Changeset, Write
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import parse_session_log, plan_session_entry, upsert_session_entry
from memsite.repo import stage
from memsite.repo.snapshots import read_commit
from memsite.repo.transaction import Reader, pending_operations, transact
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write, write_files

INDEX = PurePosixPath("memory/INDEX.md")


def status(git: Git, root: Path) -> list[str]:
    return git("status", "--porcelain", "-uall", cwd=root).splitlines()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for locks that a test holds for good."""
    monkeypatch.setattr(stage, "LOCK_WAIT", 0.05)


def _rebase(git: Git, root: Path) -> Callable[[], None]:
    git("checkout", "-q", "-b", "side", cwd=root)
    write_files(root, {"README.md": "side\n"})
    git("commit", "-qam", "side", cwd=root)
    git("checkout", "-q", "main", cwd=root)
    write_files(root, {"README.md": "main\n"})
    git("commit", "-qam", "main", cwd=root)
    with pytest.raises(Exception, match="rebase"):
        git("rebase", "-q", "side", cwd=root)
    return lambda: _ignore(git("rebase", "--abort", cwd=root))


def _merge(git: Git, root: Path, command: str = "merge") -> Callable[[], None]:
    git("checkout", "-q", "-b", "side", cwd=root)
    write_files(root, {"README.md": "side\n"})
    git("commit", "-qam", "side", cwd=root)
    git("checkout", "-q", "main", cwd=root)
    write_files(root, {"README.md": "main\n"})
    git("commit", "-qam", "main", cwd=root)
    with pytest.raises(Exception, match=command):
        git(command, "side", cwd=root)
    return lambda: _ignore(git(command, "--abort", cwd=root))


def _cherry_pick(git: Git, root: Path) -> Callable[[], None]:
    return _merge(git, root, "cherry-pick")


def _revert(git: Git, root: Path) -> Callable[[], None]:
    write_files(root, {"README.md": "two\n"})
    git("commit", "-qam", "two", cwd=root)
    write_files(root, {"README.md": "three\n"})
    git("commit", "-qam", "three", cwd=root)
    with pytest.raises(Exception, match="revert"):
        git("revert", "--no-edit", "HEAD~1", cwd=root)
    return lambda: _ignore(git("revert", "--abort", cwd=root))


def _bisect(git: Git, root: Path) -> Callable[[], None]:
    for number in range(4):
        write_files(root, {"README.md": f"{number}\n"})
        git("commit", "-qam", str(number), cwd=root)
    git("bisect", "start", "HEAD", "HEAD~3", cwd=root)
    return lambda: _ignore(git("bisect", "reset", cwd=root))


def _detached(git: Git, root: Path) -> Callable[[], None]:
    git("checkout", "-q", "--detach", cwd=root)
    return lambda: _ignore(git("checkout", "-q", "main", cwd=root))


def _locked(git: Git, root: Path) -> Callable[[], None]:
    lock = root / ".git" / "index.lock"
    lock.touch()
    return lock.unlink


def _ref_locked(git: Git, root: Path) -> Callable[[], None]:
    lock = root / ".git" / "refs" / "heads" / "main.lock"
    lock.touch()
    return lock.unlink


def _ignore(_: str) -> None:
    return None


BLOCKS = [_rebase, _merge, _cherry_pick, _revert, _bisect, _detached, _locked, _ref_locked]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.__name__.strip("_"))
def test_what_git_cannot_take_is_kept_and_delivered_once(
    ws: Workspace, git: Git, show: Show, block: Callable[[Git, Path], Callable[[], None]]
) -> None:
    commit(ws, append(NOTE, "zero\n"), write(INDEX, None, "a\n"))
    end = block(git, ws.root)
    head, before = git("rev-parse", "HEAD", cwd=ws.root), status(git, ws.root)
    with pytest.raises(PendingError):
        commit(ws, append(NOTE, "one\n"), write(INDEX, "a\n", "a\nb\n"))
    with pytest.raises(PendingError):
        transact(ws, _extend_index, now=NOW)
    assert git("rev-parse", "HEAD", cwd=ws.root) == head
    assert status(git, ws.root) == before
    assert len(pending_operations(ws)) == 2
    end()
    made = commit(ws, append(NOTE, "two\n"))
    assert [one.message for one in made] == ["note: one", "index: edit", "index: more", "note: two"]
    assert show(str(NOTE)) == "zero\none\ntwo\n"
    assert show(str(INDEX)) == "a\nb\nc\n"
    assert pending_operations(ws) == ()
    assert status(git, ws.root) == []
    assert commit(ws) == ()


def _extend_index(reader: Reader) -> Sequence[Changeset]:
    old = reader.read(INDEX)
    assert old == b"a\nb\n"
    assert reader.snapshot().files[INDEX].data == old
    return [Changeset((Write(INDEX, old, old + b"c\n"),), "index: more")]


@pytest.mark.usefixtures("quick")
def test_nothing_new_is_still_pending_while_an_entry_waits(ws: Workspace, git: Git) -> None:
    _detached(git, ws.root)
    with pytest.raises(PendingError):
        commit(ws, append(NOTE, "one\n"))
    with pytest.raises(PendingError):
        commit(ws)
    assert len(pending_operations(ws)) == 1


@pytest.mark.usefixtures("quick")
def test_an_entry_for_a_file_that_changed_meanwhile_is_merged(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, write(INDEX, None, "a\nb\nc\nd\ne\n"))
    end = _detached(git, ws.root)
    with pytest.raises(PendingError):
        commit(ws, write(INDEX, "a\nb\nc\nd\ne\n", "a\nB\nc\nd\ne\n"))
    end()
    write_files(ws.root, {str(INDEX): "a\nb\nc\nd\nE\n"})
    assert [one.message for one in commit(ws)] == ["index: edit"]
    assert show(str(INDEX)) == "a\nB\nc\nd\nE\n"


@pytest.mark.usefixtures("quick")
def test_an_entry_that_contradicts_stays_and_stops_no_other(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, write(INDEX, None, "a\n"))
    end = _detached(git, ws.root)
    with pytest.raises(PendingError):
        commit(ws, write(INDEX, "a\n", "ours\n"))
    with pytest.raises(PendingError):
        commit(ws, append(NOTE, "one\n"))
    end()
    write_files(ws.root, {str(INDEX): "theirs\n"})
    assert [one.message for one in commit(ws)] == ["note: one"]
    assert len(pending_operations(ws)) == 1
    assert (ws.root / INDEX).read_text(encoding="utf-8") == "theirs\n"


@pytest.mark.usefixtures("quick")
def test_a_session_that_went_on_while_git_was_blocked_is_one_entry(ws: Workspace, git: Git, show: Show) -> None:
    log, day = PurePosixPath("memory/sessions/2025-03-20.md"), NOW.date()

    def session(name: str, messages: int) -> Callable[[Reader], Sequence[Changeset]]:
        entry = SessionEntry(NOW.time(), f"about {name}", messages, messages, 1, session_id=name)
        return lambda reader: [plan_session_entry(reader.read(log), log, day, entry)]

    transact(ws, session("one", 1), now=NOW)
    end = _detached(git, ws.root)
    for messages in (2, 3):
        with pytest.raises(PendingError):
            transact(ws, session("one", messages), now=NOW)
    with pytest.raises(PendingError):
        transact(ws, session("two", 1), now=NOW)
    end()
    # Another machine's entry arrived meanwhile, right where ours goes.
    (ws.root / log).write_bytes(
        upsert_session_entry((ws.root / log).read_bytes(), day, SessionEntry(NOW.time(), "third"))
    )
    transact(ws, session("two", 2), now=NOW)
    entries = parse_session_log(log, day, read_commit(ws, "HEAD").files[log]).entries
    assert sorted((one.session_id, one.user_messages) for one in entries) == [("", 0), ("one", 3), ("two", 2)]
    assert pending_operations(ws) == ()


def test_a_post_merge_hook_may_commit(ws: Workspace, git: Git) -> None:
    commit(ws, append("memory/begun.md", "x\n"))
    git("checkout", "-q", "-b", "side", cwd=ws.root)
    commit(ws, append("memory/a.md", "a\n"))
    git("checkout", "-q", "main", cwd=ws.root)
    commit(ws, append("memory/b.md", "b\n"))
    git("merge", "-q", "--no-edit", "side", cwd=ws.root)
    # git removes MERGE_HEAD only after that hook.
    (ws.root / ".git" / "MERGE_HEAD").write_text(git("rev-parse", "side", cwd=ws.root), encoding="utf-8")
    assert commit(ws, append(NOTE, "x\n"))
    with pytest.raises(PendingError, match="merge"):
        commit(ws, append(NOTE, "y\n"))


def test_an_entry_of_a_removed_work_tree_reaches_the_main_one(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), cwd=workspace)
    (tmp_path / "linked" / "memory").mkdir()
    with pytest.raises(PendingError):
        commit(open_workspace(tmp_path / "linked"), append(NOTE, "x\n"))
    main = open_workspace(workspace)
    assert pending_operations(main) == ()
    git("worktree", "remove", "--force", str(tmp_path / "linked"), cwd=workspace)
    assert [one.message for one in commit(main)] == ["note: x"]


def test_a_spool_file_of_another_hand_stops_nothing(ws: Workspace, git: Git) -> None:
    commit(ws, append(NOTE, "one\n"))
    bad = ws.root / ".git" / "memsite" / "spool" / "000000000001-x.json"
    bad.write_text("{broken", encoding="utf-8")
    assert commit(ws, append(NOTE, "two\n"))
    assert bad.exists()


def test_the_lock_that_another_memsite_holds_too_long_spools(ws: Workspace) -> None:
    from memsite.repo.lock import repository_lock

    with repository_lock(ws.require_repository()), pytest.raises(PendingError, match="another memsite"):
        transact(ws, lambda _: [append(NOTE, "x\n")], now=NOW, wait=0.02)
    assert [one.message for one in commit(ws)] == ["note: x"]
