"""A generation that is gone from the folder: nothing goes on without it, and what is said brings it back."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_writing import BODY
from tests.conftest import Git, Run

GEN1 = "memory/consolidated/personal-blog-gen1-2025-03-25.md"
WAYS = (["--brief"], ["--auto"], ["--from", "-"], ["--command", "cat"])


@pytest.fixture
def blog(memsite: Run, workspace: Path) -> Path:
    """A workspace whose topic has a generation and a new note."""
    memsite("note", "New project: a personal blog.\n\nDecided: it uses Next.js.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-03-25").code == 0
    memsite("note", "The personal blog is live.", now="2025-04-01")
    assert memsite("index", "touch", "personal-blog", now="2025-04-01").code == 0
    return workspace


def restore(done_err: str, workspace: Path) -> None:
    """Do what the message says."""
    command = done_err.partition("restore it: ")[2].strip()
    subprocess.run(shlex.split(command), cwd=workspace, check=True, capture_output=True)


def delete_in_a_commit(git: Git, workspace: Path) -> None:
    git("rm", "-q", GEN1, cwd=workspace)
    git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "away", cwd=workspace)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[0])
def test_nothing_is_consolidated_without_the_generation_before(
    memsite: Run, blog: Path, git: Git, way: list[str]
) -> None:
    (blog / GEN1).unlink()
    head = git("rev-parse", "HEAD", cwd=blog)
    done = memsite("consolidate", "personal-blog", *way, now="2025-04-02", stdin=BODY)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert f"INDEX.md:7: generation 1 of 'personal-blog' is missing: {GEN1} is not in the folder" in done.err
    assert git("rev-parse", "HEAD", cwd=blog) == head
    assert [path.name for path in (blog / "memory/consolidated").iterdir()] == []
    restore(done.err, blog)
    assert git("status", "--porcelain", cwd=blog) == ""
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-04-02").code == 0
    written = (blog / "memory/consolidated/personal-blog-gen2-2025-04-02.md").read_text(encoding="utf-8")
    assert "Decided: it uses Next.js. [2025-03-20#L5]" in written
    assert "**Previous**: consolidated/personal-blog-gen1-2025-03-25.md\n" in written


def test_a_generation_that_a_commit_deleted_comes_back_from_the_history(memsite: Run, blog: Path, git: Git) -> None:
    delete_in_a_commit(git, blog)
    done = memsite("consolidate", "personal-blog", "--auto", now="2025-04-02")
    assert done.code == 1
    assert "git restore --source=" in done.err
    assert "Decided: it uses Next.js." in memsite("recall", "personal-blog", now="2025-04-02").out
    restore(done.err, blog)
    assert (blog / GEN1).exists()
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-04-02").code == 0
    assert git("status", "--porcelain", cwd=blog) == ""


def test_a_generation_that_no_history_has_is_said_to_be_lost(memsite: Run, workspace: Path) -> None:
    memsite("note", "The personal blog is live.")
    memsite("index", "add", "personal-blog", "--category", "Projects")
    index = workspace / "memory/INDEX.md"
    text = index.read_text(encoding="utf-8")
    index.write_text(text + f"  - Current: {GEN1.removeprefix('memory/')}\n", encoding="utf-8")
    done = memsite("consolidate", "personal-blog", "--auto", now="2025-03-26")
    assert done.code == 1
    assert "fetch the history that has it; if it is lost for good, take it out of memory/INDEX.md, line 4" in done.err
    recalled = memsite("recall", "personal-blog", now="2025-03-26")
    assert "generation 1 of 'personal-blog' is missing" in recalled.out
    assert "The personal blog is live." in recalled.out
    index.write_text(text, encoding="utf-8")
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-03-26").code == 0


def test_an_older_generation_that_is_gone_stops_nothing(memsite: Run, blog: Path) -> None:
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-04-02").code == 0
    (blog / GEN1).unlink()
    memsite("note", "The personal blog has readers.", now="2025-04-05")
    memsite("index", "touch", "personal-blog", now="2025-04-05")
    done = memsite("consolidate", "personal-blog", "--auto", now="2025-04-06")
    assert done.code == 0, done.err
    assert "is missing" not in memsite("recall", "personal-blog", now="2025-04-06").out


def test_nothing_is_consolidated_from_a_generation_that_is_half_written(memsite: Run, blog: Path, git: Git) -> None:
    half = blog / "memory/consolidated/personal-blog-gen2-2025-04-01.md"
    half.write_text("# Blog\n\n## Summary\n", encoding="utf-8")
    done = memsite("consolidate", "personal-blog", "--auto", now="2025-04-02")
    assert done.code == 1
    assert "gen2-2025-04-01.md: the generation before is not whole" in done.err
    half.unlink()
    assert memsite("consolidate", "personal-blog", "--auto", now="2025-04-02").code == 0
