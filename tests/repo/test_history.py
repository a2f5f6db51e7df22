"""History: true dates, every commit once, the same cold and warm."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from random import Random

import pytest

from memsite.repo.history import read_history
from memsite.repo.log_format import parse_moment
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git
from tests.hostile_git import write_hostile_configuration
from tests.repo.conftest import NOTE, NOW, append, commit, write, write_files

A, B = PurePosixPath("memory/a.md"), PurePosixPath("memory/b.md")


def forget(ws: Workspace) -> None:
    for path in (ws.root / ".git" / "memsite").glob("history-*"):
        path.unlink()


def test_commits_newest_first_with_their_changes(ws: Workspace) -> None:
    commit(ws, write(A, None, "a\n", "note: a\n\nwhy\n\nmore"), now=NOW)
    commit(ws, append(A, "b\n"), append("other.txt", "no\n"), now=NOW + timedelta(days=1))
    history = read_history(ws)
    assert [one.subject for one in history.commits] == ["note: b", "note: a"]
    first = history.commits[1]
    assert (first.author, first.at, first.body) == ("Ada", NOW, "why\n\nmore")
    assert [(one.path, one.status, one.old_blob) for one in first.changes] == [(A, "A", None)]
    assert history.commits[0].changes[0].old_blob == first.changes[0].new_blob
    assert not history.shallow


def test_revisions_do_not_follow_renames_or_copies(ws: Workspace, git: Git) -> None:
    text = "a long text that a rename detector would recognise\n" * 20
    commit(ws, write(A, None, text))
    git("mv", str(A), str(B), cwd=ws.root)
    git("commit", "-qm", "rename", cwd=ws.root)
    history = read_history(ws)
    assert [one.commit.subject for one in history.revisions(B)] == ["rename"]
    assert [one.blob is None for one in history.revisions(A)] == [True, False]
    assert [(one.path, one.commit.subject) for one in history.deleted()] == [(A, "rename")]
    assert history.deleted()[0].blob == history.revisions(B)[0].blob
    assert history.revisions(PurePosixPath("memory/never.md")) == ()


def test_a_file_that_came_back_is_not_deleted(ws: Workspace, git: Git) -> None:
    commit(ws, write(A, None, "a\n"))
    git("rm", "-q", str(A), cwd=ws.root)
    git("commit", "-qm", "delete", cwd=ws.root)
    commit(ws, write(A, None, "again\n"))
    assert read_history(ws).deleted() == ()
    assert len(read_history(ws).revisions(A)) == 3


def test_a_merge_shows_what_it_brings_and_no_state_twice(ws: Workspace, git: Git) -> None:
    commit(ws, write(A, None, "a\n"))
    git("checkout", "-q", "-b", "side", cwd=ws.root)
    commit(ws, write(B, None, "side\n", "note: side"))
    git("checkout", "-q", "main", cwd=ws.root)
    commit(ws, append(A, "main\n"))
    git("merge", "-q", "--no-edit", "side", cwd=ws.root)
    history = read_history(ws)
    assert {one.subject for one in history.commits} >= {"note: side", "note: main", "Merge branch 'side'"}
    merge = history.commits[0]
    assert [one.path for one in merge.changes] == [B]
    assert len(merge.parents) == 2
    assert [one.commit.subject for one in history.revisions(B)] == ["note: side"]


def test_children_come_before_parents_even_with_a_wrong_clock(ws: Workspace) -> None:
    commit(ws, append(A, "one\n"), now=NOW)
    commit(ws, append(A, "two\n"), now=NOW - timedelta(days=300))
    assert [one.subject for one in read_history(ws).commits] == ["note: two", "note: one"]


def test_warm_equals_cold_whatever_happened_between(ws: Workspace, git: Git) -> None:
    random = Random(3)
    for step in range(25):
        action = random.choice(["commit", "commit", "branch", "merge", "rewrite", "delete"])
        name = f"memory/{random.randrange(4)}.md"
        if action == "commit":
            commit(ws, append(name, f"{step}\n"), now=NOW + timedelta(seconds=random.randrange(3)))
        elif action == "branch":
            git("checkout", "-q", "-B", f"b{step}", f"HEAD~{random.randrange(2)}" if step > 6 else "HEAD", cwd=ws.root)
        elif action == "merge":
            git("merge", "-q", "-s", "ours", "--no-edit", "main", cwd=ws.root)
        elif action == "rewrite":
            git("commit", "-q", "--amend", "--allow-empty", "-m", f"rewritten {step}", cwd=ws.root)
        elif (ws.root / name).exists():
            (ws.root / name).unlink()
            git("add", "-A", cwd=ws.root)
            git("commit", "-q", "--allow-empty", "-m", "delete", cwd=ws.root)
        warm = read_history(ws)
        assert read_history(ws) == warm
        forget(ws)
        assert read_history(ws) == warm


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"tip": 1}', b"\xff\xfe", b'{"commits": [[]], "paths": []}'])
def test_a_damaged_cache_is_nothing(ws: Workspace, content: bytes) -> None:
    commit(ws, append(A, "one\n"))
    before = read_history(ws)
    for path in (ws.root / ".git" / "memsite").glob("history-*"):
        path.write_bytes(content)
    assert read_history(ws) == before


def test_a_cache_that_lost_commits_is_nothing(ws: Workspace) -> None:
    commit(ws, append(A, "one\n"), append(A, "two\n"))
    before = read_history(ws)
    path = next((ws.root / ".git" / "memsite").glob("history-*"))
    table = json.loads(path.read_bytes())
    table["commits"].pop()
    path.write_text(json.dumps(table), encoding="utf-8")
    assert read_history(ws) == before


def test_a_pruned_history_leaves_nothing_in_the_cache(ws: Workspace, git: Git) -> None:
    commit(ws, append(A, "one\n"))
    commit(ws, append(A, "leak\n"))
    read_history(ws)
    git("reset", "-q", "--hard", "HEAD~1", cwd=ws.root)
    git("reflog", "expire", "--expire=now", "--all", cwd=ws.root)
    git("gc", "-q", "--prune=now", cwd=ws.root)
    assert [one.subject for one in read_history(ws).commits] == ["note: one"]
    assert b"leak" not in next((ws.root / ".git" / "memsite").glob("history-*")).read_bytes()


@pytest.mark.parametrize("warm", [True, False], ids=["warm", "cold"])
def test_the_history_of_another_commit_than_head(ws: Workspace, git: Git, *, warm: bool) -> None:
    commit(ws, write(A, None, "a\n", "note: a"))
    old = git("rev-parse", "HEAD", cwd=ws.root).strip()
    git("checkout", "-qb", "side", cwd=ws.root)
    commit(ws, write(B, None, "b\n", "note: b"))
    side = git("rev-parse", "HEAD", cwd=ws.root).strip()
    git("checkout", "-q", "main", cwd=ws.root)
    commit(ws, append(A, "c\n"))
    kept = read_history(ws) if warm else None
    assert [one.subject for one in read_history(ws, old).commits] == ["note: a"]
    assert [one.subject for one in read_history(ws, side).commits] == ["note: b", "note: a"]
    now = read_history(ws)
    assert [one.id for one in now.commits][1:] == [old]
    assert kept in (None, now)


def test_other_settings_have_another_cache(ws: Workspace) -> None:
    commit(ws, append(A, "one\n"), append("NOTES.md", "x\n"))
    assert len(read_history(ws).commits) == 1
    (ws.root / "memsite.toml").write_text('include = ["NOTES.md"]\n', encoding="utf-8")
    assert len(read_history(open_workspace(ws.root)).commits) == 2


def test_a_shallow_clone_is_marked_and_claims_no_wrong_dates(ws: Workspace, tmp_path: Path, git: Git) -> None:
    for number in range(4):
        commit(ws, append(A, f"{number}\n"), append(B, f"{number}\n"), now=NOW + timedelta(days=number))
    git("clone", "-q", "--depth", "3", f"file://{ws.root}", str(tmp_path / "clone"))
    clone = open_workspace(tmp_path / "clone")
    history = read_history(clone)
    assert history.shallow
    # Of the three that are there the oldest seems to add every file: it is left out.
    assert [one.subject for one in history.commits] == ["note: 3", "note: 3"]
    git("fetch", "-q", "--unshallow", cwd=tmp_path / "clone")
    full = read_history(open_workspace(tmp_path / "clone"))
    assert not full.shallow
    assert full.commits == read_history(ws).commits


def test_a_repository_without_a_commit_has_no_history(tmp_path: Path, git: Git) -> None:
    git("init", "-q", cwd=tmp_path)
    (tmp_path / "memory").mkdir()
    assert read_history(open_workspace(tmp_path)).commits == ()


def test_latin_1_and_odd_names(ws: Workspace, git: Git) -> None:
    write_files(ws.root, {'memory/记忆 "x"\n.md': "x\n", "memory/tab\t.md": "x\n"})
    git("add", "-A", cwd=ws.root)
    git("commit", "-qm", "first", cwd=ws.root)
    # git itself would mend such a commit; other programs write it.
    raw = git("cat-file", "commit", "HEAD", cwd=ws.root).replace("Ada", "Zo\udceb").replace("first", "caf\udce9")
    (ws.root / ".git" / "raw").write_bytes(raw.encode("utf-8", "surrogateescape"))
    bad = git("hash-object", "-t", "commit", "-w", ".git/raw", cwd=ws.root).strip()
    git("reset", "-q", "--soft", bad, cwd=ws.root)
    write_files(ws.root, {"memory/a.md": "x\n"})
    git("add", "-A", cwd=ws.root)
    (ws.root / ".git" / "message").write_bytes("café\n\nbody".encode("latin-1"))
    git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-qF", ".git/message", cwd=ws.root)
    declared, undeclared = read_history(ws).commits
    assert declared.subject == "café"
    assert (undeclared.subject, undeclared.author) == ("caf�", "Zo�")
    assert {str(one.path) for one in undeclared.changes} == {'memory/记忆 "x"\n.md', "memory/tab\t.md"}


def test_hostile_configuration_and_environment(
    ws: Workspace, git: Git, sealed_environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(ws, append(A, "one\n"), append(NOTE, "x\n"))
    plain = read_history(ws)
    forget(ws)
    write_hostile_configuration(sealed_environment, autocrlf="true")
    git("init", "-q", str(tmp_path / "foreign"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "foreign" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "foreign" / ".git" / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "foreign"))
    assert read_history(ws) == plain
    assert os.environ["GIT_DIR"] == str(tmp_path / "foreign" / ".git")


def test_below_a_repository_only_that_workspace_counts(workspace: Path, git: Git) -> None:
    write_files(workspace, {"agents/a/memory/x.md": "x\n", "memory/y.md": "y\n"})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "both", cwd=workspace)
    history = read_history(open_workspace(workspace / "agents" / "a"))
    assert [str(one.path) for one in history.commits[0].changes] == ["memory/x.md"]


def test_sha256(tmp_path: Path, git: Git) -> None:
    git("init", "-q", "--object-format=sha256", cwd=tmp_path)
    write_files(tmp_path, {"memory/x.md": "x\n"})
    git("add", "-A", cwd=tmp_path)
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "x", cwd=tmp_path)
    change = read_history(open_workspace(tmp_path)).commits[0].changes[0]
    assert (change.old_blob, len(change.new_blob or "")) == (None, 64)


def test_moments() -> None:
    assert parse_moment("1742464800 +0830") == datetime.fromisoformat("2025-03-20T18:30:00+08:30")
    assert parse_moment("99999999999999999 +0000").year == 1970
    assert parse_moment("").year == 1970
    assert parse_moment("1 +9999").utcoffset() == timedelta()
