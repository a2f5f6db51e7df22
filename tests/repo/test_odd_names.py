"""File names that are not UTF-8: no page can have them, and git keeps them all the same."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memsite.repo.git_hooks import HookState, hook_statuses
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.snapshots import read_commit, read_worktree
from memsite.repo.tree_merge import merge_trees
from memsite.repo.workspace import open_workspace
from tests.conftest import Git, Run
from tests.repo.conftest import NOW
from tests.repo.test_sync import PROGRAM

NAMES = (b"memory/caf\xe9.md", b"memory/caf\xe8.md", b"memory/2025-03-20-\xe9.md", b"memory/d\xe9/x.md")


@pytest.fixture
def root(workspace: Path) -> Path:
    for name in NAMES:
        path = os.fsencode(workspace) + b"/" + name
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            Path(os.fsdecode(path)).write_bytes(b"# " + name + b"\n")
        except OSError:
            pytest.skip("this file system takes UTF-8 alone")
    return workspace


def in_head(root: Path) -> list[bytes]:
    listing = subprocess.run(
        ["git", "ls-tree", "-rz", "--name-only", "HEAD", "memory"], cwd=root, stdout=-1, check=True
    )
    return listing.stdout.split(b"\0")[:-1]


def test_they_are_committed_and_their_deletion_too(root: Path) -> None:
    ws = open_workspace(root)
    assert len(commit_pending(ws, now=NOW)) == 4
    assert in_head(root) == sorted(NAMES)
    assert commit_pending(ws, now=NOW) == ()
    Path(os.fsdecode(os.fsencode(root) + b"/" + NAMES[0])).unlink()
    assert [one.message for one in commit_pending(ws, now=NOW)] == ["note: delete caf?.md"]
    assert in_head(root) == sorted(NAMES[1:])


def test_an_image_under_such_a_name_is_committed_when_a_note_uses_it(root: Path) -> None:
    (root / "memory" / os.fsdecode(b"\xe9.png")).write_bytes(b"\x89PNG")
    (root / "memory" / "note.md").write_text("![](%E9.png)\n", encoding="utf-8")
    commit_pending(open_workspace(root), now=NOW)
    assert b"memory/\xe9.png" in in_head(root)
    assert uncommitted(open_workspace(root)).held_back == ()


def test_the_work_tree_and_a_commit_say_the_same_of_them(root: Path) -> None:
    ws = open_workspace(root)
    commit_pending(ws, now=NOW)
    snapshot = read_worktree(ws)
    assert snapshot == read_commit(ws, "HEAD")
    assert not snapshot.files
    assert {os.fsencode(path) for path in snapshot.unnamed} == set(NAMES)
    assert [str(one.path) for one in snapshot.unreadable] == [
        "memory/2025-03-20-\ufffd.md",
        *["memory/caf\ufffd.md"] * 2,
        "memory/d\ufffd/x.md",
    ]


def test_check_names_them_so_that_they_can_be_found(root: Path, memsite: Run) -> None:
    committed = memsite("commit")
    assert committed.code == 0
    assert committed.out.count("note: caf?.md") == 2
    told = memsite("check").out
    for name in NAMES:
        assert name.decode("utf-8", "backslashreplace") in told
    assert "rename it" in told


def test_the_site_is_built(root: Path, memsite: Run) -> None:
    built = memsite("build")
    assert built.code == 0, built.err
    assert memsite("build", "--at", "HEAD").code == 0


@pytest.mark.parametrize("below", [False, True])
def test_a_workspace_of_such_a_name_is_one_like_any_other(
    workspace: Path, tmp_path: Path, git: Git, memsite: Run, *, below: bool
) -> None:
    folder = (workspace if below else tmp_path) / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    begun = memsite("init", cwd=folder)
    assert (begun.code, begun.err) == (0, "")
    assert 'site_name: "caf\ufffd: memory"' in (folder / "mkdocs.yml").read_text(encoding="utf-8")
    assert memsite("init", "--dry-run", cwd=folder).code == 0
    refused = memsite("init", "--agent", "claude-code", cwd=folder)
    assert (refused.code, refused.err.count("\n"), "rename the folder" in refused.err) == (1, 1, True)
    ws = open_workspace(folder)
    assert {one.state for one in hook_statuses(ws)} == {HookState.INSTALLED}
    assert memsite("note", "one", cwd=folder).code == 0
    git("checkout", "-qb", "other", "HEAD~1", cwd=folder)
    assert memsite("note", "two", cwd=folder).code == 0
    assert merge_trees(ws, "main", "other", PROGRAM).conflicts == ()
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git("config", key, value, cwd=folder)
    git("merge", "-q", "main", "-m", "merge", cwd=folder)
    assert memsite("recall", "two", cwd=folder).out.count("memory/2025-03-20.md") == 1
    assert memsite("check", cwd=folder).code == 0
    bad = folder / "memory" / "2025-03-21.md"
    bad.write_text("<<<<<<< a\n=======\n>>>>>>> b\n", encoding="utf-8")
    git("add", ".", cwd=folder)
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        git("commit", "-qm", "bad", cwd=folder)
    assert "an unfinished merge" in stopped.value.stderr
