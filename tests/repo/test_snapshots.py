"""Snapshots: the same value from the work tree and from a commit, whatever lies in the folder."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest

from memsite.config import Config
from memsite.errors import GitError, WorkspaceError
from memsite.memory.snapshot import blob_id
from memsite.repo.snapshots import read_blobs, read_commit, read_worktree, resolve_revision
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, append, commit, write_files


def commit_all(git: Git, root: Path, date: str = "2025-03-20T12:00:00+0000") -> str:
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "all", cwd=root, GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)
    return git("rev-parse", "HEAD", cwd=root).strip()


def test_work_tree_and_commit_give_the_same_snapshot(workspace: Path, git: Git) -> None:
    write_files(
        workspace,
        {
            "memory/INDEX.md": "# Memory Index\n",
            "memory/记忆 `?` 😀.md": "名前\n",
            "memory/deep/er/x.md": b"\xff\xfe no utf-8",
            "memory/pic.png": b"\x89PNG",
            "memory/.hidden.md": "no",
            "memory/.obsidian/x.md": "no",
            "memory/crlf.md": b"a\r\nb\r\n",
            "MEMORY.md": "long-term\n",
            "other.md": "no",
        },
    )
    commit_all(git, workspace)
    ws = open_workspace(workspace)
    snapshot = read_worktree(ws)
    assert snapshot == read_commit(ws, "HEAD")
    assert [str(path) for path in snapshot.files] == [
        "MEMORY.md",
        "memory/INDEX.md",
        "memory/crlf.md",
        "memory/deep/er/x.md",
        "memory/pic.png",
        "memory/记忆 `?` 😀.md",
    ]
    assert snapshot.files[PurePosixPath("memory/INDEX.md")].id == blob_id(b"# Memory Index\n")


def test_paths_are_relative_to_a_workspace_below_the_repository(workspace: Path, git: Git) -> None:
    write_files(workspace, {"agents/a/memory/x.md": "x\n", "agents/a/MEMORY.md": "m\n", "memory/no.md": "no"})
    commit_all(git, workspace)
    ws = open_workspace(workspace / "agents" / "a")
    assert [str(path) for path in read_commit(ws, "HEAD").files] == ["MEMORY.md", "memory/x.md"]
    assert read_worktree(ws) == read_commit(ws, "HEAD")


def test_a_memory_that_is_the_root_leaves_out_what_memsite_keeps_there(workspace: Path, git: Git) -> None:
    write_files(
        workspace,
        {
            "memsite.toml": 'memory = "."\n',
            "mkdocs.yml": "site_name: x\n",
            "site/index.html": "<p>",
            "INDEX.md": "# Memory Index\n",
            "sessions/2025-03-20.md": "# Session Log\n",
            "deep/site/x.md": "a note\n",
        },
    )
    commit_all(git, workspace)
    ws = open_workspace(workspace)
    assert read_worktree(ws) == read_commit(ws, "HEAD")
    assert [str(path) for path in read_worktree(ws).files] == [
        "INDEX.md",
        "README.md",
        "deep/site/x.md",
        "sessions/2025-03-20.md",
    ]


def test_links_are_followed_inside_only(workspace: Path, git: Git, tmp_path: Path) -> None:
    write_files(workspace, {"memory/a.md": "a\n", "MEMORY.md": "m\n", "secret.md": "s\n", "memory/.x/h.md": "h\n"})
    memory = workspace / "memory"
    (memory / "inside.md").symlink_to("a.md")
    (memory / "twice.md").symlink_to("inside.md")
    (memory / "included.md").symlink_to("../MEMORY.md")
    (memory / "dangling.md").symlink_to("gone.md")
    (memory / "outside.md").symlink_to("/etc/passwd")
    (memory / "beside.md").symlink_to("../secret.md")
    (memory / "hidden.md").symlink_to(".x/h.md")
    (memory / "loop.md").symlink_to("loop.md")
    (memory / "sub").mkdir()
    (memory / "folder").symlink_to("sub")
    write_files(workspace, {"memory/sub/y.md": "y\n"})
    commit_all(git, workspace)
    ws = open_workspace(workspace)
    for snapshot in (read_worktree(ws), read_commit(ws, "HEAD")):
        texts = {str(path.relative_to("memory")): blob.text for path, blob in snapshot.files.items() if path.parts[1:]}
        assert texts == {"a.md": "a\n", "inside.md": "a\n", "twice.md": "a\n", "included.md": "m\n", "sub/y.md": "y\n"}
        reasons = {one.path.name: one.reason for one in snapshot.unreadable}
        assert set(reasons) == {"dangling.md", "outside.md", "beside.md", "hidden.md", "loop.md", "folder"}
        assert "to nothing" in reasons["dangling.md"]
        assert all("out of the memory" in reasons[name] for name in ("outside.md", "beside.md", "hidden.md"))
        assert "to a folder" in reasons["folder"]


def test_a_memory_folder_that_is_a_link_is_not_followed(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (workspace / "memory").rmdir()
    (workspace / "memory").symlink_to(tmp_path / "elsewhere")
    snapshot = read_worktree(open_workspace(workspace))
    assert not snapshot.files
    assert [str(one.path) for one in snapshot.unreadable] == ["memory"]


def test_pipes_sockets_and_odd_names_are_unreadable(workspace: Path, ws: Workspace) -> None:
    os.mkfifo(workspace / "memory" / "pipe.md")
    with open(os.path.join(os.fsencode(workspace / "memory"), b"latin\xe9.md"), "w", encoding="utf-8") as file:
        file.write("x")
    snapshot = read_worktree(ws)
    assert not snapshot.files
    assert [one.path.name for one in snapshot.unreadable] == ["latin�.md", "pipe.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_files_and_folders_without_permission_are_unreadable(workspace: Path, ws: Workspace) -> None:
    write_files(workspace, {"memory/a.md": "a", "memory/closed/b.md": "b"})
    (workspace / "memory" / "a.md").chmod(0)
    (workspace / "memory" / "closed").chmod(0)
    assert [one.path.name for one in read_worktree(ws).unreadable] == ["a.md", "closed"]
    (workspace / "memory" / "closed").chmod(0o755)


def test_a_submodule_in_the_memory_is_left_out(workspace: Path, tmp_path: Path, git: Git) -> None:
    git("init", "-q", "-b", "main", str(tmp_path / "sub"))
    write_files(tmp_path / "sub", {"x.md": "x"})
    git("config", "user.name", "Ada", cwd=tmp_path / "sub")
    git("config", "user.email", "ada@example.org", cwd=tmp_path / "sub")
    commit_all(git, tmp_path / "sub")
    git(
        "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(tmp_path / "sub"), "memory/sub", cwd=workspace
    )
    commit_all(git, workspace)
    assert not read_commit(open_workspace(workspace), "HEAD").files


def test_a_revision_or_the_end_of_a_day(ws: Workspace) -> None:
    midnight = datetime.fromisoformat("2025-03-21T00:00:00+08:00")
    early = commit(ws, append(NOTE, "one\n"), now=midnight - timedelta(seconds=1))[0].commit
    late = commit(ws, append(NOTE, "two\n"), now=midnight)[0].commit
    there = replace(ws, config=replace(Config(), timezone="Asia/Shanghai"))
    assert resolve_revision(there, "2025-03-20") == early
    assert resolve_revision(there, "2025-03-21") == late
    assert resolve_revision(there, "HEAD~1") == early
    assert resolve_revision(ws, "2025-03-20") == late
    assert read_commit(ws, early).files[NOTE].text == "one\n"


@pytest.mark.parametrize("text", ["nonsense", "--output=x", "-1", "", "HEAD:memory", "a\0b", "HEAD\nHEAD"])
def test_what_names_no_commit_is_refused(ws: Workspace, text: str) -> None:
    with pytest.raises(GitError, match="names no commit"):
        resolve_revision(ws, text)
    assert not (ws.root / "x").exists()


def test_a_day_before_the_first_commit_has_none(ws: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="no commit by then"):
        resolve_revision(ws, "1999-12-31")


def test_blobs_by_id(ws: Workspace) -> None:
    commit(ws, append(NOTE, "one\n"))
    known = blob_id(b"one\n")
    assert read_blobs(ws, [known, "0" * 40, known, "HEAD\nHEAD"]) == {known: b"one\n"}


def test_sha256_repository(tmp_path: Path, git: Git) -> None:
    git("init", "-q", "--object-format=sha256", "-b", "main", str(tmp_path / "r"))
    git("config", "user.name", "Ada", cwd=tmp_path / "r")
    git("config", "user.email", "ada@example.org", cwd=tmp_path / "r")
    write_files(tmp_path / "r", {"memory/x.md": "x\n"})
    commit_all(git, tmp_path / "r")
    ws = open_workspace(tmp_path / "r")
    commit(ws, append(NOTE, "one\n"), now=NOW)
    snapshot = read_worktree(ws)
    assert snapshot == read_commit(ws, "HEAD")
    assert len(snapshot.files[NOTE].id) == 64
    assert read_blobs(ws, [snapshot.files[NOTE].id]) == {snapshot.files[NOTE].id: b"one\n"}
