"""Writing: exactly our paths, in a commit, whatever else the user has under way."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
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
from memsite.memory.snapshot import blob_id
from memsite.repo import stage
from memsite.repo.transaction import Reader, pending_operations, transact
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write, write_files

INDEX = PurePosixPath("memory/INDEX.md")


def status(git: Git, root: Path) -> list[str]:
    return git("status", "--porcelain", "-uall", cwd=root).splitlines()


def subjects(git: Git, root: Path) -> list[str]:
    return git("log", "--format=%s", cwd=root).splitlines()


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


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_repository_says_so(ws: Workspace) -> None:
    (ws.root / ".git").chmod(0o555)
    try:
        with pytest.raises(WorkspaceError, match="cannot be written"):
            commit(ws, append(NOTE, "x\n"))
    finally:
        (ws.root / ".git").chmod(0o755)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EAGAIN, "git: cannot be started: the limit of processes is reached (`ulimit -u`"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_a_limit_that_is_reached_is_named(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def refused(*_arguments: object, **_options: object) -> int:
        raise OSError(number, os.strerror(number), "git")

    monkeypatch.setattr(os, "posix_spawnp", refused)  # root, whom tests may run as, has no limit of processes
    with pytest.raises(WorkspaceError) as caught:
        commit(ws, append(NOTE, "x"))
    assert said in str(caught.value)
    assert "nothing was changed" in str(caught.value)
    assert "make room" not in str(caught.value)


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
    really = stage.HeadMove.move

    def move(head: stage.HeadMove, old: str | None, new: str) -> None:
        staged = stage.read_stage(ws.require_repository(), [NOTE])[NOTE].entry
        seen.append(staged is not None and staged.id == blob_id(b"x\n"))
        really(head, old, new)

    monkeypatch.setattr(stage.HeadMove, "move", move)
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

    monkeypatch.setattr(stage.HeadMove, "move", fail)
    with pytest.raises(GitError):
        commit(ws, append(NOTE, "two\n"))
    assert (git("ls-files", "-s", cwd=ws.root), (ws.root / NOTE).read_bytes(), status(git, ws.root)) == before
    assert pending_operations(ws) == ()


def test_an_interrupted_ref_update_that_took_place_is_kept(
    ws: Workspace, git: Git, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = stage.HeadMove.move

    def interrupted(head: stage.HeadMove, old: str | None, new: str) -> None:
        really(head, old, new)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(stage.HeadMove, "move", interrupted)
        with pytest.raises(KeyboardInterrupt):
            commit(ws, append(NOTE, "one\n"))
    assert status(git, ws.root) == []
    commit(ws, append(NOTE, "two\n"))
    assert show(str(NOTE)) == "one\ntwo\n"
    assert pending_operations(ws) == ()


@pytest.mark.parametrize("path", ["../out.md", "memory/../../out.md", "/tmp/out.md", ".git/x"])
def test_paths_that_lead_elsewhere_are_refused(ws: Workspace, path: str) -> None:
    for changeset in (append(path, "x\n"), write(path, None, "x\n")):
        with pytest.raises(MemsiteError):
            commit(ws, changeset)
    assert not (ws.root / ".git" / "x").exists()
    assert not (ws.root.parent / "out.md").exists()
