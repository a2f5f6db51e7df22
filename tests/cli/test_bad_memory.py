"""Folders as they really are: each fault has a plain message or a page that says so, and the rest is built."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Done, Git, Run


@pytest.fixture
def memory(workspace: Path) -> Path:
    """A memory with one good note."""
    folder = workspace / "memory"
    (folder / "2025-03-20.md").write_text("# 2025-03-20\n\nthe good note\n", encoding="utf-8")
    return folder


def build(memsite: Run, workspace: Path) -> Done:
    done = memsite("build", "-d", "../out")
    assert done.code == 0, done.err
    assert "the good note" in page(workspace, "daily/2025-03-20")
    return done


def page(workspace: Path, uri: str) -> str:
    return (workspace.parent / "out" / uri / "index.html").read_text(encoding="utf-8")


def test_a_dangling_link_becomes_a_page_that_says_so(memsite: Run, workspace: Path, memory: Path) -> None:
    (memory / "LATEST.md").symlink_to("2025-12-31.md")
    build(memsite, workspace)
    assert "link" in page(workspace, "notes/LATEST")


def test_a_link_out_of_the_folder_shows_nothing_of_its_target(memsite: Run, workspace: Path, memory: Path) -> None:
    (workspace.parent / "private.md").write_text("outside of the memory\n", encoding="utf-8")
    (memory / "leak.md").symlink_to("../../private.md")
    build(memsite, workspace)
    site = workspace.parent / "out"
    assert all("outside of the memory" not in file.read_text(errors="replace") for file in site.rglob("*.html"))


def test_undecodable_bytes_are_shown_as_such_and_kept(memsite: Run, workspace: Path, memory: Path) -> None:
    (memory / "latin.md").write_bytes(b"# Caf\xe9\n\nstill readable\n")
    build(memsite, workspace)
    assert "still readable" in page(workspace, "notes/latin")
    assert (memory / "latin.md").read_bytes() == b"# Caf\xe9\n\nstill readable\n"


def build_as_anybody(workspace: Path, *flags: str) -> None:
    """Build where the permission bits count: root reads and writes every file by two capabilities."""
    out = str(workspace.parent / "out")
    command = [sys.executable, "-m", "memsite", "-C", str(workspace), "build", "-d", out, *flags]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", *command]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_read_only_files_of_a_site_are_replaced(workspace: Path, memory: Path) -> None:
    build_as_anybody(workspace)
    for path in (workspace.parent / "out").rglob("*.*"):
        path.chmod(0o444 if path.is_file() else 0o755)
    build_as_anybody(workspace, "--clean")
    (memory / "note.md").write_text("# More\n", encoding="utf-8")
    build_as_anybody(workspace)
    assert "More" in page(workspace, "notes/note")


def test_an_unreadable_file_becomes_a_page_that_says_so(workspace: Path, memory: Path) -> None:
    (memory / "secret.md").write_text("x\n", encoding="utf-8")
    (memory / "secret.md").chmod(0)
    build_as_anybody(workspace)
    assert "permission" in page(workspace, "notes/secret").lower()
    assert "the good note" in page(workspace, "daily/2025-03-20")


def test_a_pipe_in_the_folder_does_not_hang_the_build(memsite: Run, workspace: Path, memory: Path) -> None:
    os.mkfifo(memory / "pipe.md")
    build(memsite, workspace)
    assert "pipe.md" in page(workspace, "notes/pipe")


def test_a_generation_that_the_index_does_not_know_has_its_pages(memsite: Run, workspace: Path, memory: Path) -> None:
    (memory / "consolidated").mkdir()
    (memory / "consolidated" / "lost-gen1-2025-03-21.md").write_text(
        "# Lost\n\n## Summary\n\nfound\n", encoding="utf-8"
    )
    build(memsite, workspace)
    assert "found" in page(workspace, "topics/lost/gen1")
    assert "INDEX.md" in page(workspace, "topics/lost")


def test_a_generation_that_only_the_index_knows_is_named(memsite: Run, workspace: Path, memory: Path) -> None:
    (memory / "INDEX.md").write_text(
        "# Memory Index\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n  - Consolidations:\n"
        "    - gen1 (2025-03-21): consolidated/blog-gen1-2025-03-21.md\n"
        "  - Current: consolidated/blog-gen1-2025-03-21.md\n",
        encoding="utf-8",
    )
    build(memsite, workspace)
    assert "blog-gen1-2025-03-21.md" in page(workspace, "topics/blog")
    assert memsite("check").code == 1


def test_no_repository_is_said_with_what_to_do(memsite: Run, tmp_path: Path) -> None:
    (tmp_path / "plain" / "memory").mkdir(parents=True)
    (tmp_path / "plain" / "memory" / "2025-03-20.md").write_text("x\n", encoding="utf-8")
    for command in (["build"], ["note", "x"], ["commit"]):
        done = memsite(*command, cwd=tmp_path / "plain")
        assert done.code == 1
        assert done.err.count("\n") == 1
        assert "memsite init" in done.err


def test_a_repository_without_a_commit_says_what_to_do_and_loses_nothing(
    memsite: Run, tmp_path: Path, git: Git
) -> None:
    root = tmp_path / "unborn"
    (root / "memory").mkdir(parents=True)
    git("init", "-q", cwd=root)
    done = memsite("note", "kept", cwd=root)
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert memsite("init", cwd=root).code == 0
    assert memsite("commit", cwd=root).code == 0
    assert "kept" in git("show", "HEAD:memory/2025-03-20.md", cwd=root)


def test_an_index_beside_an_index_page_collides_with_nothing(memsite: Run, workspace: Path, memory: Path) -> None:
    (memory / "INDEX.md").write_text("# Memory Index\n\nthe real index\n", encoding="utf-8")
    (memory / "index.md").write_text("# another\n\na note of that name\n", encoding="utf-8")
    (memory / "README.md").write_text("# Read me\n\nread it\n", encoding="utf-8")
    build(memsite, workspace)
    assert "the real index" in page(workspace, "index")
    assert "read it" in page(workspace, "notes/README")


@pytest.mark.parametrize(
    "name", ["with space.md", "what?.md", "back`tick.md", "🦊.md", "记忆.md", "a" * 190 + ".md", "100%.md", "a#b.md"]
)
def test_a_name_that_people_use_has_a_page_and_a_link_that_leads_to_it(
    memsite: Run, workspace: Path, memory: Path, name: str
) -> None:
    (memory / name).write_text("# Odd name\n\nits text\n", encoding="utf-8")
    build(memsite, workspace)
    found = [
        file for file in (workspace.parent / "out" / "notes").rglob("index.html") if "its text" in file.read_text()
    ]
    assert len(found) == 1


@pytest.fixture
def grown(memsite: Run, workspace: Path, memory: Path) -> Path:
    """INDEX.md, whose one topic is followed by more lines than an index may have."""
    memsite("index", "add", "blog", "--category", "Projects", "--date", "2025-03-18")
    (memory / "consolidated").mkdir()
    (memory / "consolidated/blog-gen1-2025-03-18.md").write_text("# Blog\n\n## Summary\nx\n", encoding="utf-8")
    index = memory / "INDEX.md"
    index.write_text(index.read_text(encoding="utf-8") + "prose\n" * 60_000, encoding="utf-8")
    return index


@pytest.mark.parametrize(
    "command",
    [["index", "list"], ["index", "show", "blog"], ["review"], ["review", "--all"], ["consolidate", "blog", "--brief"]],
)
def test_an_index_that_is_too_large_is_refused_and_not_called_empty(
    memsite: Run, grown: Path, command: list[str]
) -> None:
    done = memsite(*command)
    assert done.code == 1
    assert "memory/INDEX.md: is too large for an index (0.3 MB, 60,0" in done.err
    assert "no topic" not in done.out + done.err


def test_recall_warns_of_an_index_that_is_too_large_and_searches_the_notes(memsite: Run, grown: Path) -> None:
    done = memsite("recall", "good note")
    assert done.code == 0
    assert "is too large for an index" in done.err
    assert "the good note" in done.out


def test_check_names_the_size_of_an_index_and_claims_no_removals(memsite: Run, grown: Path) -> None:
    done = memsite("check")
    assert done.code == 1
    assert "is too large for an index (0.3 MB, 60,0" in done.out
    assert "removed" not in done.out
    assert "does not know" not in done.out


def test_a_flush_leaves_written_days_open_while_the_index_is_too_large(memsite: Run, grown: Path) -> None:
    done = memsite("flush", now="2025-03-21T11:00")
    assert done.code == 1
    assert "2025-03-20 stays open" in done.err
    assert "NATIVE_FLUSH" not in (grown.parent / "2025-03-20.md").read_text(encoding="utf-8")


def test_an_index_that_is_gone_is_not_begun_anew(memsite: Run, workspace: Path, git: Git) -> None:
    memsite("index", "add", "rust", "--category", "Projects")
    memsite("note", "We write Rust.")
    index = workspace / "memory/INDEX.md"
    index.unlink()
    for command in (("index", "add", "foo", "--category", "Projects"), ("consolidate", "foo", "--auto")):
        assert memsite(*command).code == 1
    assert (
        "git restore --staged --worktree -- memory/INDEX.md"
        in memsite("index", "add", "foo", "--category", "Projects").err
    )
    assert "rust" in git("show", "HEAD:memory/INDEX.md", cwd=workspace)
    assert not index.exists()
    git("restore", "--staged", "--worktree", "--", "memory/INDEX.md", cwd=workspace)
    assert memsite("index", "add", "foo", "--category", "Projects").code == 0
