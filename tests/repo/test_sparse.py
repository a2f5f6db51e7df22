"""Files that git has and keeps out of the work tree are neither deleted nor begun anew."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from memsite.errors import PendingError, RefusedError
from memsite.memory.changeset import Append, Changeset
from memsite.repo.pending import commit_pending
from memsite.repo.transaction import Reader, pending_operations, transact
from memsite.repo.workspace import Workspace
from tests.conftest import Git
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write_files

OTHER = "memory/2025-03-21.md"


@pytest.fixture
def kept(ws: Workspace, git: Git) -> Workspace:
    """A workspace with two committed notes and a folder of code."""
    write_files(ws.root, {str(NOTE): "# first\nkept\n", OTHER: "# second\n", "src/a.py": "1\n"})
    git("add", "-A", cwd=ws.root)
    git("commit", "-qm", "all", cwd=ws.root)
    return ws


@pytest.fixture(params=["sparse-checkout", "skip-worktree", "split index"])
def sparse(kept: Workspace, git: Git, request: pytest.FixtureRequest) -> Workspace:
    """The same without the first note on disk, in each way that git has to do that."""
    if request.param == "sparse-checkout":
        (kept.root / "memsite.toml").write_text("", encoding="utf-8")
        git("add", "memsite.toml", cwd=kept.root)
        git("commit", "-qm", "settings", cwd=kept.root)
        git("sparse-checkout", "set", "--cone", "src", cwd=kept.root)
    else:
        git("update-index", "--skip-worktree", str(NOTE), cwd=kept.root)
        (kept.root / NOTE).unlink()
        if request.param == "split index":
            git("update-index", "--split-index", cwd=kept.root)
    assert not (kept.root / NOTE).exists()
    return kept


def test_what_git_keeps_out_of_the_work_tree_is_not_committed_as_deleted(
    sparse: Workspace, git: Git, show: Show
) -> None:
    before = git("rev-parse", "HEAD", cwd=sparse.root)
    assert commit_pending(sparse, now=NOW) == ()
    assert git("rev-parse", "HEAD", cwd=sparse.root) == before
    assert show(str(NOTE)) == "# first\nkept\n"


def test_a_note_that_the_user_deleted_is_still_committed_as_deleted(kept: Workspace, git: Git) -> None:
    git("update-index", "--skip-worktree", str(NOTE), cwd=kept.root)
    (kept.root / NOTE).unlink()
    (kept.root / OTHER).unlink()
    assert [one.paths for one in commit_pending(kept, now=NOW)] == [(PurePosixPath(OTHER),)]


def test_nothing_is_written_in_the_place_of_a_file_that_git_keeps_out(sparse: Workspace, git: Git, show: Show) -> None:
    before = git("rev-parse", "HEAD", cwd=sparse.root), git("status", "--porcelain", cwd=sparse.root)
    with pytest.raises(RefusedError, match="git sparse-checkout add memory") as refused:
        commit(sparse, append(NOTE, "later\n", "# 2025-03-20\n"))
    assert "\n" not in str(refused.value)
    assert (git("rev-parse", "HEAD", cwd=sparse.root), git("status", "--porcelain", cwd=sparse.root)) == before
    assert show(str(NOTE)) == "# first\nkept\n"
    assert not (sparse.root / NOTE).exists()
    assert pending_operations(sparse) == ()


def test_no_plan_reads_a_memory_of_which_a_part_is_kept_out(sparse: Workspace) -> None:
    def plan(reader: Reader) -> tuple[Changeset, ...]:
        reader.snapshot()
        return (append("memory/2025-03-22.md", "x\n"),)

    with pytest.raises(RefusedError, match="kept out of the work tree"):
        transact(sparse, plan, now=NOW)


def test_a_file_that_git_does_not_have_is_written_beside_those_that_are_kept_out(sparse: Workspace, show: Show) -> None:
    commit(sparse, append("memory/2025-03-22.md", "x\n", "# 2025-03-22\n"))
    assert show("memory/2025-03-22.md") == "# 2025-03-22\nx\n"
    assert show(str(NOTE)) == "# first\nkept\n"


def test_an_entry_that_waits_for_a_file_that_is_kept_out_stops_no_other(kept: Workspace, git: Git, show: Show) -> None:
    git("checkout", "-q", "--detach", cwd=kept.root)
    with pytest.raises(PendingError):
        commit(kept, Changeset((Append(NOTE, b"waits\n", b""),), "note: waits"))
    git("checkout", "-q", "main", cwd=kept.root)
    git("update-index", "--skip-worktree", str(NOTE), cwd=kept.root)
    (kept.root / NOTE).unlink()
    commit(kept, append(OTHER, "goes on\n"))
    assert show(OTHER) == "# second\ngoes on\n"
    assert show(str(NOTE)) == "# first\nkept\n"
    git("update-index", "--no-skip-worktree", str(NOTE), cwd=kept.root)
    git("checkout", "-q", str(NOTE), cwd=kept.root)
    commit_pending(kept, now=NOW)
    assert show(str(NOTE)) == "# first\nkept\nwaits\n"
