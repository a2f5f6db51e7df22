"""A branch that has nothing of the memory, such as the one of a published site: the memory never goes there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_hooks import try_git
from tests.conftest import Git, Run
from tests.repo.conftest import write_files

GENERATION = "memory/consolidated/blog-gen1-2025-03-25.md"


@pytest.fixture
def pages(workspace: Path, git: Git, memsite: Run) -> Path:
    """A workspace with git hooks on its branch `gh-pages`, where only the site is; `main` has the memory."""
    write_files(workspace, {GENERATION: "# Blog - Generation 1 Consolidation\n"})
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "memory", cwd=workspace)
    assert memsite("hooks", "install").code == 0
    git("checkout", "-q", "--orphan", "gh-pages", cwd=workspace)
    git("rm", "-rqf", ".", cwd=workspace)
    write_files(workspace, {"index.html": "a site\n"})
    git("add", "index.html", cwd=workspace)
    return workspace


def subjects(git: Git, root: Path, branch: str) -> list[str]:
    return git("log", "--format=%s", branch, "--", cwd=root).splitlines()


def test_a_commit_there_passes_the_hooks(pages: Path, git: Git) -> None:
    done = try_git(pages, "commit", "-qm", "site")
    assert (done.returncode, done.stderr) == (0, "")
    assert subjects(git, pages, "gh-pages") == ["site"]


def test_what_an_agent_writes_meanwhile_is_not_swept_into_it(pages: Path, git: Git, memsite: Run) -> None:
    write_files(pages, {"memory/2025-03-21.md": "# a note\n"})
    assert try_git(pages, "commit", "-qm", "site").returncode == 0
    refused = memsite("commit")
    assert (refused.code, "this branch has no memory, 'main' has" in refused.err) == (3, True)
    assert subjects(git, pages, "gh-pages") == ["site"]
    git("checkout", "-q", "main", cwd=pages)
    assert memsite("commit").code == 0
    assert subjects(git, pages, "main")[0] == "note: 2025-03-21"


def test_an_entry_waits_for_the_branch_that_has_the_memory(pages: Path, git: Git, memsite: Run) -> None:
    git("commit", "-qm", "site", cwd=pages)
    (pages / "memory").mkdir()
    kept = memsite("note", "remember the milk")
    assert kept.code == 3
    assert "memsite init" in kept.err
    assert git("status", "--porcelain", cwd=pages) == ""
    git("checkout", "-q", "main", cwd=pages)
    memsite("commit")
    assert subjects(git, pages, "main")[0] == "note: 2025-03-20"
    assert git("show", "HEAD:memory/2025-03-20.md", cwd=pages).count("remember the milk") == 1
    assert subjects(git, pages, "gh-pages") == ["site"]


def test_the_memory_of_a_remote_branch_counts(pages: Path, git: Git, memsite: Run) -> None:
    git("commit", "-qm", "site", cwd=pages)
    git("update-ref", "refs/remotes/origin/main", "main", cwd=pages)
    git("branch", "-qD", "main", cwd=pages)
    (pages / "memory").mkdir()
    refused = memsite("note", "x")
    assert (refused.code, "'origin/main' has" in refused.err) == (3, True)


def test_init_begins_a_memory_there(pages: Path, git: Git, memsite: Run) -> None:
    git("commit", "-qm", "site", cwd=pages)
    assert memsite("init", "--no-hooks").code == 0
    assert memsite("note", "another memory").code == 0
    assert subjects(git, pages, "gh-pages")[0] == "note: 2025-03-20"


def test_a_first_memory_needs_no_init(workspace: Path, git: Git, memsite: Run) -> None:
    git("branch", "other", cwd=workspace)
    assert memsite("note", "the first").code == 0
    assert subjects(git, workspace, "main")[0] == "note: 2025-03-20"


@pytest.mark.parametrize("memory", [".", "notes"])
def test_a_branch_is_told_by_its_settings_and_its_index(pages: Path, git: Git, memsite: Run, memory: str) -> None:
    settings = f'timezone = "UTC"\nmemory = "{memory}"\n'
    git("commit", "-qm", "site", cwd=pages)
    git("checkout", "-q", "main", cwd=pages)
    git("rm", "-rq", "memory", cwd=pages)
    write_files(pages, {"memsite.toml": settings})
    git("add", "-A", cwd=pages)
    git("commit", "-qnm", "settings", cwd=pages)
    assert memsite("note", "here").code == 0
    git("checkout", "-q", "gh-pages", cwd=pages)
    write_files(pages, {"memsite.toml": settings})
    assert memsite("note", "there").code == 3


def test_a_push_from_there_is_looked_at_all_the_same(pages: Path, git: Git, tmp_path: Path) -> None:
    git("commit", "-qm", "site", cwd=pages)
    git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=pages)
    assert try_git(pages, "push", "-q", "origin", "gh-pages", "main").returncode == 0
    git("checkout", "-q", "main", cwd=pages)
    write_files(pages, {GENERATION: "another belief\n"})
    git("commit", "-qnam", "broken", cwd=pages)
    git("checkout", "-q", "gh-pages", cwd=pages)
    stopped = try_git(pages, "push", "-q", "origin", "main")
    assert (stopped.returncode, "a committed generation is changed" in stopped.stderr) == (1, True)


def test_a_memory_that_a_commit_deletes_as_a_whole_is_refused(pages: Path, git: Git) -> None:
    git("commit", "-qm", "site", cwd=pages)
    git("checkout", "-q", "main", cwd=pages)
    git("rm", "-rq", "memory", cwd=pages)
    refused = try_git(pages, "commit", "-qm", "all of it")
    assert (refused.returncode, "a committed generation is deleted" in refused.stderr) == (1, True)


def test_a_branch_from_before_the_memory_gets_none_of_it(workspace: Path, git: Git, memsite: Run) -> None:
    git("branch", "old", cwd=workspace)
    memsite("note", "the first")
    memsite("hooks", "install")
    git("checkout", "-q", "old", cwd=workspace)
    write_files(workspace, {"code.py": "1\n", "memory/2025-03-21.md": "# a note\n"})
    git("add", "code.py", cwd=workspace)
    assert try_git(workspace, "commit", "-qm", "code").returncode == 0
    assert subjects(git, workspace, "old") == ["code", "first"]
    git("checkout", "-q", "main", cwd=workspace)
    assert memsite("commit").code == 0
    assert subjects(git, workspace, "main")[0] == "note: 2025-03-21"
