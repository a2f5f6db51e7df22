"""Writing: exactly our paths, in a commit, whatever else the user has under way."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import (
    ConflictError,
    GitError,
    MemsiteError,
    PendingError,
    RefusedError,
    UnsafePathError,
    WorkspaceError,
)
from memsite.memory.changeset import Append, Changeset, Write
from memsite.memory.model import SessionEntry
from memsite.memory.session_log import parse_session_log, plan_session_entry, upsert_session_entry
from memsite.memory.snapshot import blob_id
from memsite.repo import delivery, stage
from memsite.repo.snapshots import read_commit, read_worktree
from memsite.repo.transaction import Reader, pending_operations, transact
from memsite.repo.workspace import Repository, Workspace, ensure_repository, open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write, write_files, write_hostile_configuration

INDEX = PurePosixPath("memory/INDEX.md")


def status(git: Git, root: Path) -> list[str]:
    return git("status", "--porcelain", "-uall", cwd=root).splitlines()


def subjects(git: Git, root: Path) -> list[str]:
    return git("log", "--format=%s", cwd=root).splitlines()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for locks that a test holds for good."""
    monkeypatch.setattr(stage, "LOCK_WAIT", 0.05)


def test_a_changeset_is_one_commit_of_its_paths(ws: Workspace, git: Git, show: Show) -> None:
    changes = (Append(NOTE, b"- hello\n", b"# 2025-03-20\n\n"), Write(INDEX, None, b"# Memory Index\n"))
    made = transact(ws, lambda _: [Changeset(changes, "note: 2025-03-20\n\nagent x")], now=NOW)
    assert [(one.message, one.paths) for one in made] == [("note: 2025-03-20\n\nagent x", (NOTE, INDEX))]
    assert git("rev-parse", "HEAD", cwd=ws.root).strip() == made[0].commit
    assert show("memory/2025-03-20.md") == "# 2025-03-20\n\n- hello\n" == (ws.root / NOTE).read_text(encoding="utf-8")
    stamp = "2025-03-20T10:30:00+00:00"
    assert git("show", "--format=%an|%ae|%cn|%aI|%cI|%B", "--name-only", cwd=ws.root).splitlines() == [
        f"Ada|ada@example.org|Ada|{stamp}|{stamp}|note: 2025-03-20",
        "",
        "agent x",
        "",
        "",
        "memory/2025-03-20.md",
        "memory/INDEX.md",
    ]
    assert status(git, ws.root) == []
    assert not list((ws.root / ".git" / "memsite" / "spool").iterdir())
    assert not [name for name in os.listdir(ws.root / "memory") if name.startswith(".")]


def test_the_commit_has_the_zone_of_now(ws: Workspace, git: Git) -> None:
    commit(ws, append(NOTE, "x\n"), now=datetime.fromisoformat("2025-03-20T10:30:00+08:00"))
    assert git("log", "-1", "--format=%ad", "--date=raw", cwd=ws.root).split()[1] == "+0800"


def test_several_changesets_are_commits_in_their_order(ws: Workspace, git: Git) -> None:
    made = commit(ws, append(NOTE, "one\n"), append(NOTE, "two\n"), write(INDEX, None, "# x\n"))
    assert subjects(git, ws.root)[:3] == ["index: edit", "note: two", "note: one"]
    assert [one.paths for one in made] == [(NOTE,), (NOTE,), (INDEX,)]
    assert (ws.root / NOTE).read_text(encoding="utf-8") == "one\ntwo\n"


def test_nothing_planned_is_nothing_committed(ws: Workspace, git: Git) -> None:
    assert transact(ws, lambda _: [Changeset((), "empty")], now=NOW) == ()
    assert subjects(git, ws.root) == ["first"]


def test_the_same_content_again_makes_no_commit(ws: Workspace, git: Git) -> None:
    commit(ws, write(INDEX, None, "# x\n"))
    assert commit(ws, write(INDEX, "# x\n", "# x\n")) == ()
    assert subjects(git, ws.root) == ["index: edit", "first"]


def test_append_ends_an_unfinished_line_first(ws: Workspace) -> None:
    write_files(ws.root, {str(NOTE): "no end"})
    commit(ws, append(NOTE, "ours\n", "# header\n"))
    assert (ws.root / NOTE).read_bytes() == b"no end\nours\n"


def test_users_staged_hunks_and_files_stay_as_they_are(ws: Workspace, git: Git, show: Show) -> None:
    write_files(ws.root, {"code.py": "one\n", "other.md": "a\n"})
    git("add", "-A", cwd=ws.root)
    git("commit", "-qm", "code", cwd=ws.root)
    write_files(ws.root, {"code.py": "two\n", "new.py": "new\n"})
    git("add", "code.py", "new.py", cwd=ws.root)
    git("rm", "-q", "--cached", "other.md", cwd=ws.root)
    write_files(ws.root, {"code.py": "three\n"})
    before = git("diff", "--cached", cwd=ws.root), status(git, ws.root)
    commit(ws, append(NOTE, "ours\n"))
    assert (git("diff", "--cached", cwd=ws.root), status(git, ws.root)) == before
    assert git("show", "--name-only", "--format=", cwd=ws.root).split() == [str(NOTE)]
    git("commit", "-qm", "theirs", cwd=ws.root)
    assert show(str(NOTE)) == "ours\n"
    assert show("code.py") == "two\n"


def test_a_users_commit_after_ours_reverts_nothing(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, append(NOTE, "one\n"))
    commit(ws, append(NOTE, "two\n"))
    write_files(ws.root, {"x.txt": "x"})
    git("add", "x.txt", cwd=ws.root)
    git("commit", "-qm", "theirs", cwd=ws.root)
    assert show(str(NOTE)) == "one\ntwo\n"
    assert git("show", "--name-only", "--format=", cwd=ws.root).split() == ["x.txt"]


def test_a_path_that_the_user_has_staged_gets_our_line_alone(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, append(NOTE, "one\n"))
    write_files(ws.root, {str(NOTE): "one\ntheirs\n"})
    git("add", str(NOTE), cwd=ws.root)
    staged = git("diff", "--cached", "--stat", cwd=ws.root)
    commit(ws, append(NOTE, "ours\n"))
    assert show(str(NOTE)) == "one\nours\n"
    assert (ws.root / NOTE).read_text(encoding="utf-8") == "one\ntheirs\nours\n"
    # Their staged line is still staged, alone, and neither commit takes the other's line out.
    assert git("diff", "--cached", "--stat", cwd=ws.root) == staged
    git("commit", "-qm", "theirs", cwd=ws.root)
    assert show(str(NOTE)) == "one\ntheirs\nours\n"


def test_a_new_file_that_the_user_has_staged_keeps_their_state(ws: Workspace, git: Git, show: Show) -> None:
    write_files(ws.root, {str(NOTE): "theirs\n"})
    git("add", str(NOTE), cwd=ws.root)
    commit(ws, append(NOTE, "ours\n", "# day\n"))
    assert show(str(NOTE)) == "# day\nours\n"
    assert git("show", f":{NOTE}", cwd=ws.root) == "theirs\nours\n"


def test_a_staged_rewrite_that_contradicts_ours_waits(ws: Workspace, git: Git) -> None:
    commit(ws, write(INDEX, None, "a\nb\nc\n"))
    write_files(ws.root, {str(INDEX): "a\nTHEIRS\nc\n"})
    git("add", str(INDEX), cwd=ws.root)
    with pytest.raises(PendingError, match="staged"):
        commit(ws, write(INDEX, "a\nTHEIRS\nc\n", "a\nOURS\nc\n"))
    assert (ws.root / INDEX).read_text(encoding="utf-8") == "a\nTHEIRS\nc\n"
    git("commit", "-qm", "theirs", cwd=ws.root)
    assert [one.message for one in commit(ws)] == ["index: edit"]
    assert (ws.root / INDEX).read_text(encoding="utf-8") == "a\nOURS\nc\n"


def test_a_staged_deletion_is_left_and_said(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, append(NOTE, "one\n"))
    git("rm", "-q", "--cached", str(NOTE), cwd=ws.root)
    made = commit(ws, append(NOTE, "two\n"))
    assert made[0].left_staged == (NOTE,)
    assert show(str(NOTE)) == "one\ntwo\n"
    assert status(git, ws.root)[0] == f"D  {NOTE}"


def test_lines_of_an_agent_in_our_file_are_committed_with_it(ws: Workspace, git: Git, show: Show) -> None:
    commit(ws, append(NOTE, "one\n"))
    with (ws.root / NOTE).open("a", encoding="utf-8") as file:
        file.write("agent\n")
    commit(ws, append(NOTE, "two\n"))
    assert show(str(NOTE)) == "one\nagent\ntwo\n"
    assert status(git, ws.root) == []


def test_a_write_planned_from_another_state_is_planned_again(ws: Workspace) -> None:
    plans: list[bytes | None] = []

    def plan(reader: Reader) -> Sequence[Changeset]:
        old = reader.read(INDEX)
        plans.append(old)
        if len(plans) == 1:
            write_files(ws.root, {str(INDEX): "someone else\n"})
        return [Changeset((Write(INDEX, old, (old or b"") + b"ours\n"),), "index: edit")]

    transact(ws, plan, now=NOW)
    assert plans == [None, b"someone else\n"]
    assert (ws.root / INDEX).read_text(encoding="utf-8") == "someone else\nours\n"


def test_a_plan_that_never_fits_ends_in_a_conflict(ws: Workspace, git: Git) -> None:
    with pytest.raises(ConflictError, match=r"INDEX\.md"):
        commit(ws, append(NOTE, "x\n"), write(INDEX, "never was", "y"))
    assert not (ws.root / NOTE).exists()
    assert subjects(git, ws.root) == ["first"]


def test_what_a_plan_raises_changes_nothing(ws: Workspace) -> None:
    def plan(reader: Reader) -> Sequence[Changeset]:
        raise RefusedError("no")

    with pytest.raises(RefusedError):
        transact(ws, plan, now=NOW)
    assert pending_operations(ws) == ()


@pytest.mark.parametrize("link", ["memory/sessions", "memory/sessions/2025-03-20.md"])
def test_links_are_never_written_through(ws: Workspace, tmp_path: Path, link: str) -> None:
    target = tmp_path / "target"
    if link.endswith(".md"):
        (ws.root / link).parent.mkdir()
        target.write_text("old", encoding="utf-8")
    else:
        target.mkdir()
    (ws.root / link).symlink_to(target)
    path = PurePosixPath("memory/sessions/2025-03-20.md")
    for changeset in (append(path, "x\n"), write(path, None, "x\n")):
        with pytest.raises(UnsafePathError):
            commit(ws, changeset)
    assert target.is_dir() or target.read_text(encoding="utf-8") == "old"
    assert not target.is_dir() or not list(target.iterdir())


def test_executable_bit_and_mode_are_kept(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {"memory/run.md": "a\n"})
    (ws.root / "memory" / "run.md").chmod(0o755)
    git("add", "-A", cwd=ws.root)
    git("commit", "-qm", "x", cwd=ws.root)
    commit(ws, write("memory/run.md", "a\n", "b\n"))
    assert git("ls-tree", "HEAD", "memory/run.md", cwd=ws.root).startswith("100755")
    assert (ws.root / "memory" / "run.md").stat().st_mode & 0o777 == 0o755
    assert status(git, ws.root) == []


# Kinds of repositories


def test_below_a_repository(workspace: Path, git: Git, show: Show) -> None:
    (workspace / "agents" / "a" / "memory").mkdir(parents=True)
    ws = open_workspace(workspace / "agents" / "a")
    assert commit(ws, append(NOTE, "x\n"))[0].paths == (NOTE,)
    assert show(f"agents/a/{NOTE}") == "x\n"
    assert status(git, workspace) == []


def test_in_a_linked_work_tree_on_its_own_branch(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"), cwd=workspace)
    (tmp_path / "linked" / "memory").mkdir()
    commit(open_workspace(tmp_path / "linked"), append(NOTE, "x\n"))
    assert git("show", f"other:{NOTE}", cwd=workspace) == "x\n"
    assert subjects(git, workspace) == ["first"]
    assert status(git, tmp_path / "linked") == status(git, workspace) == []


def test_in_a_submodule_on_a_branch(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(workspace), "sub", cwd=_other(tmp_path, git))
    sub = tmp_path / "super" / "sub"
    (sub / "memory").mkdir()
    ws = open_workspace(sub)
    assert ws.git_root == sub
    commit(ws, append(NOTE, "x\n"))
    assert git("show", f"main:{NOTE}", cwd=sub) == "x\n"


def _other(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main", str(tmp_path / "super"))
    return tmp_path / "super"


def test_sha256(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "r"
    git("init", "-q", "--object-format=sha256", "-b", "main", str(root))
    (root / "memory").mkdir()
    ws = open_workspace(root)
    transact(ws, lambda _: [append(NOTE, "x\n")], now=NOW, allow_unborn=True)
    commit(ws, append(NOTE, "y\n"), write(INDEX, None, "i\n"))
    assert git("show", f"HEAD:{NOTE}", cwd=root) == "x\ny\n"
    assert status(git, root) == []
    git("fsck", "--strict", cwd=root)


def test_without_a_commit_the_entry_waits_unless_a_root_commit_is_wanted(tmp_path: Path, git: Git) -> None:
    ensure_repository(tmp_path)
    (tmp_path / "memory").mkdir()
    ws = open_workspace(tmp_path)
    with pytest.raises(PendingError, match="no commit yet"):
        commit(ws, append(NOTE, "early\n"))
    assert not (tmp_path / NOTE).exists()
    made = transact(ws, lambda _: [write("memsite.toml", None, "")], now=NOW, allow_unborn=True)
    assert [one.message for one in made] == ["note: early", "index: edit"]
    assert git("log", "--format=%P|%s|%an <%ae>", "--reverse", cwd=tmp_path).splitlines()[0] == (
        "|note: early|memsite <memsite@localhost>"
    )
    assert status(git, tmp_path) == []


def test_users_staged_files_survive_the_root_commit(tmp_path: Path, git: Git) -> None:
    ensure_repository(tmp_path)
    write_files(tmp_path, {"memory/x.md": "x\n", "code.py": "1\n"})
    git("add", "code.py", cwd=tmp_path)
    transact(open_workspace(tmp_path), lambda _: [append(NOTE, "x\n")], now=NOW, allow_unborn=True)
    assert git("ls-tree", "-r", "--name-only", "HEAD", cwd=tmp_path).split() == [str(NOTE)]
    assert "A  code.py" in status(git, tmp_path)


def test_hostile_configuration_changes_nothing(
    ws: Workspace, git: Git, show: Show, sealed_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_hostile_configuration(sealed_environment, autocrlf="true")
    monkeypatch.setenv("GIT_TRACE", "1")
    for name in ("GIT_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF"):
        monkeypatch.setenv(name, "/bin/false")
    path = PurePosixPath('memory/记忆 "x".md')
    made = commit(ws, append(path, "日本\nx\r\n"))
    assert made[0].paths == (path,)
    assert git("cat-file", "-p", "HEAD", cwd=ws.root).count("gpgsig") == 0
    assert read_commit(ws, "HEAD").files[path].data == "日本\nx\r\n".encode()
    assert read_commit(ws, "HEAD") == read_worktree(ws)


def test_variables_of_another_repositorys_hook_do_no_harm(
    ws: Workspace, tmp_path: Path, git: Git, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", str(tmp_path / "foreign"))
    foreign = tmp_path / "foreign" / ".git"
    for name, value in {
        "GIT_DIR": str(foreign),
        "GIT_INDEX_FILE": str(foreign / "index"),
        "GIT_WORK_TREE": str(foreign.parent),
        "GIT_OBJECT_DIRECTORY": str(foreign / "objects"),
        "GIT_AUTHOR_NAME": "Somebody Else",
        "GIT_AUTHOR_DATE": "1999-01-01T00:00:00Z",
        "GIT_CONFIG_PARAMETERS": "'user.name=Nobody'",
    }.items():
        monkeypatch.setenv(name, value)
    commit(ws, append(NOTE, "x\n"))
    monkeypatch.undo()
    assert git("log", "-1", "--format=%an %as", cwd=ws.root) == "Ada 2025-03-20\n"
    assert not (foreign / "index").exists()


# What git cannot take now


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


@pytest.mark.parametrize("path", ["../out.md", "memory/../../out.md", "/tmp/out.md", ".git/x"])
def test_paths_that_lead_elsewhere_are_refused(ws: Workspace, path: str) -> None:
    for changeset in (append(path, "x\n"), write(path, None, "x\n")):
        with pytest.raises(MemsiteError):
            commit(ws, changeset)
    assert not (ws.root / ".git" / "x").exists()
    assert not (ws.root.parent / "out.md").exists()


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


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_repository_says_so(ws: Workspace) -> None:
    (ws.root / ".git").chmod(0o555)
    try:
        with pytest.raises(WorkspaceError, match="cannot be written"):
            commit(ws, append(NOTE, "x\n"))
    finally:
        (ws.root / ".git").chmod(0o755)


def test_a_commit_costs_no_more_than_a_few_git_children(ws: Workspace, git: Git) -> None:
    """Against git's own add and commit, measured in the same moment on the same machine."""
    ours, theirs = [], []
    for number in range(5):
        start = time.perf_counter()
        commit(ws, append(NOTE, f"{number}\n"))
        ours.append(time.perf_counter() - start)
        write_files(ws.root, {"x.txt": str(number)})
        start = time.perf_counter()
        git("add", "x.txt", cwd=ws.root)
        git("commit", "-qm", "x", cwd=ws.root)
        theirs.append(time.perf_counter() - start)
    assert min(ours) < 6 * min(theirs)


def test_a_file_written_in_the_tick_of_its_staging_is_not_taken_for_clean(ws: Workspace, git: Git) -> None:
    """Our copy of the stage was newer than the user's, so git believed a file of the same size and time unchanged."""
    git("config", "core.trustctime", "false", cwd=ws.root)  # the one time stamp that a test cannot set
    code, tick = ws.root / "code.txt", 1_700_000_000_000_000_000
    code.write_text("1\n", encoding="utf-8")
    os.utime(code, ns=(tick, tick))
    git("add", "code.txt", cwd=ws.root)
    with code.open("r+b") as file:
        file.write(b"2")
    os.utime(code, ns=(tick, tick))
    os.utime(ws.root / ".git" / "index", ns=(tick, tick))
    commit(ws, append(NOTE, "x\n"))
    assert status(git, ws.root) == ["AM code.txt"]


def test_the_stage_has_our_entry_before_the_branch_has(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """`git commit -- path` reads HEAD, then the stage, then locks: it put back a stage without our entry."""
    seen: list[bool] = []

    def move(repository: Repository, old: str | None, new: str, message: str, lock: int) -> None:
        staged = stage.read_stage(repository, [NOTE])[NOTE].entry
        seen.append(staged is not None and staged.id == blob_id(b"x\n"))
        stage.move_head(repository, old, new, message, lock)

    monkeypatch.setattr(delivery, "move_head", move)
    commit(ws, append(NOTE, "x\n"))
    assert seen == [True]


@pytest.mark.parametrize("staged_before", [False, True])
def test_a_branch_that_does_not_move_takes_all_back(
    ws: Workspace, git: Git, monkeypatch: pytest.MonkeyPatch, staged_before: bool
) -> None:
    commit(ws, append(NOTE, "one\n"))
    if staged_before:
        write_files(ws.root, {str(NOTE): "one\ntheirs\n", "x.py": "1\n"})
        git("add", str(NOTE), "x.py", cwd=ws.root)
    before = (git("ls-files", "-s", cwd=ws.root), (ws.root / NOTE).read_bytes(), status(git, ws.root))

    def fail(*_: object) -> None:
        raise GitError("no space left")

    monkeypatch.setattr(delivery, "move_head", fail)
    with pytest.raises(GitError):
        commit(ws, append(NOTE, "two\n"))
    assert (git("ls-files", "-s", cwd=ws.root), (ws.root / NOTE).read_bytes(), status(git, ws.root)) == before
    assert pending_operations(ws) == ()


def test_an_interrupted_ref_update_that_took_place_is_kept(
    ws: Workspace, git: Git, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(repository: Repository, old: str | None, new: str, message: str, lock: int) -> None:
        stage.move_head(repository, old, new, message, lock)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(delivery, "move_head", interrupted)
        with pytest.raises(KeyboardInterrupt):
            commit(ws, append(NOTE, "one\n"))
    assert status(git, ws.root) == []
    commit(ws, append(NOTE, "two\n"))
    assert show(str(NOTE)) == "one\ntwo\n"
    assert pending_operations(ws) == ()
