"""Files that git has and keeps out of the work tree are neither deleted nor begun anew."""

from __future__ import annotations

import filecmp
import shutil
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from memsite.errors import PendingError, RefusedError
from memsite.memory.changeset import Append, Changeset
from memsite.repo.pending import commit_pending, uncommitted
from memsite.repo.transaction import Reader, pending_operations, transact
from memsite.repo.workspace import Workspace
from tests.conftest import Git, Run
from tests.repo.conftest import NOTE, NOW, Show, append, commit, write_files

OTHER = "memory/2025-03-21.md"


@pytest.fixture
def kept(ws: Workspace, git: Git) -> Workspace:
    """A workspace with two committed notes and a folder of code."""
    write_files(ws.root, {str(NOTE): "# first\nkept\n", OTHER: "# second\n", "src/a.py": "1\n"})
    git("add", "-A", cwd=ws.root)
    git("commit", "-qm", "all", cwd=ws.root)
    return ws


WAYS = ["sparse-checkout", "sparse index", "skip-worktree", "split index", "assume-unchanged", "version 4"]


@pytest.fixture(params=WAYS)
def sparse(kept: Workspace, git: Git, request: pytest.FixtureRequest) -> Workspace:
    """The same without the first note on disk, in each way that git has to do that."""
    if request.param in ("sparse-checkout", "sparse index"):
        (kept.root / "memsite.toml").write_text("", encoding="utf-8")
        git("add", "memsite.toml", cwd=kept.root)
        git("commit", "-qm", "settings", cwd=kept.root)
        git("status", cwd=kept.root)  # what has just been written is not known to be the same as in git, and stays
        folded = ["--sparse-index"] if request.param == "sparse index" else []
        git("sparse-checkout", "set", "--cone", *folded, "src", cwd=kept.root)
        assert (b"sdir" in (kept.root / ".git/index").read_bytes()) == bool(folded)
    else:
        bit = "--assume-unchanged" if request.param == "assume-unchanged" else "--skip-worktree"
        git("update-index", bit, str(NOTE), cwd=kept.root)
        (kept.root / NOTE).unlink()
        if request.param == "version 4":
            git("update-index", "--index-version", "4", cwd=kept.root)
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
    with pytest.raises(RefusedError, match="is in git, but kept out of the work tree") as refused:
        commit(sparse, append(NOTE, "later\n", "# 2025-03-20\n"))
    assert "\n" not in str(refused.value)
    steps = str(refused.value).partition("run `")[2].partition("`")[0]
    assert (git("rev-parse", "HEAD", cwd=sparse.root), git("status", "--porcelain", cwd=sparse.root)) == before
    assert show(str(NOTE)) == "# first\nkept\n"
    assert not (sparse.root / NOTE).exists()
    assert pending_operations(sparse) == ()
    subprocess.run(["sh", "-ec", steps], cwd=sparse.root, check=True)
    commit(sparse, append(NOTE, "later\n", "# 2025-03-20\n"))
    assert show(str(NOTE)) == "# first\nkept\nlater\n"


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


@pytest.mark.parametrize("bit", ["--assume-unchanged", "--skip-worktree"])
def test_what_git_is_told_not_to_look_at_is_left_to_the_user(kept: Workspace, git: Git, bit: str) -> None:
    git("update-index", bit, str(NOTE), cwd=kept.root)
    write_files(kept.root, {str(NOTE): "# first\nof this machine alone\n", OTHER: "# second\nmore\n"})
    assert [one.paths for one in commit_pending(kept, now=NOW)] == [(PurePosixPath(OTHER),)]
    left = uncommitted(kept).left_to_user
    assert [(one.path, one.message) for one in left] == [(NOTE, "git is told not to look at it")]
    assert commit_pending(kept, now=NOW) == ()


GENERATION = "memory/consolidated/blog-gen1-2025-03-25.md"
COMMANDS = (
    ("recall", "blog", "--json"),
    ("recall", "falcon", "--json"),
    ("index", "list", "--json"),
    ("index", "show", "blog"),
    ("sessions", "--json"),
    ("sessions", "2025-03-20"),
    ("lineage", "blog"),
    ("blame", "blog"),
    ("consolidate", "blog", "--brief"),
    ("check",),
    ("commit",),
)


@pytest.fixture
def story(workspace: Path, git: Git, memsite: Run) -> Path:
    """A memory with a log, a topic and a generation, all committed."""
    write_files(workspace, {"src/a.py": "1\n", "memsite.toml": 'timezone = "UTC"\n', ".gitignore": "/site*/\n"})
    memsite("log", "-", stdin='[{"role": "user", "content": "the falcon lands"}]')
    memsite("note", "We decided for the falcon.")
    memsite("index", "add", "blog", "--category", "Projects", "--date", "2025-03-20")
    memsite("consolidate", "blog", "--auto", now="2025-03-25")
    memsite("note", "After it.", now="2025-03-26")
    memsite("index", "touch", "blog", "2025-03-26", now="2025-03-26")
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "all", cwd=workspace)
    assert (workspace / GENERATION).exists()
    return workspace


@pytest.mark.parametrize("way", ["sparse-checkout", "assume-unchanged"])
def test_reading_commands_answer_as_if_nothing_were_kept_out(story: Path, git: Git, memsite: Run, way: str) -> None:
    before = [memsite(*words, now="2025-03-26") for words in COMMANDS]
    assert not [done for done in before if done.code]
    if way == "sparse-checkout":
        git("sparse-checkout", "set", "--cone", "src", cwd=story)
    else:
        names = git("ls-files", "memory", cwd=story).splitlines()
        git("update-index", "--assume-unchanged", *names, cwd=story)
        shutil.rmtree(story / "memory")
    assert not (story / GENERATION).exists()
    for words, done in zip(COMMANDS, before, strict=True):
        assert memsite(*words, now="2025-03-26") == done, words


def test_a_site_has_what_is_kept_out(story: Path, git: Git, memsite: Run) -> None:
    built = memsite("build", "-d", "site1")
    assert built.code == 0, built.err
    git("sparse-checkout", "set", "--no-cone", "/*", "!/memory/consolidated/", "!/memory/2025-03-20.md", cwd=story)
    assert not (story / GENERATION).exists()
    assert memsite("build", "-d", "site2").code == 0
    pages = {path.relative_to(story / "site1") for path in (story / "site1").rglob("*") if path.is_file()}
    assert Path("topics/blog/gen1/index.html") in pages
    assert {
        path for path in pages if not filecmp.cmp(story / "site1" / path, story / "site2" / path, shallow=False)
    } == set()
    again = memsite("build", "-d", "site2")
    assert "0 of them rendered" in again.out, again.out
