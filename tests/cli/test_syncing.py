"""`sync`, `merge-driver`, and what `init` installs for them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.conftest import Git, Run

HEADER = "# Session Log — 2025-03-20\n\n"
ENTRY = "### 09:0{0}\n<!-- memsite:session id={0} -->\n- **Topic:** {0}\n\n"


@pytest.fixture
def two(memsite: Run, git: Git, workspace: Path, tmp_path: Path) -> tuple[Path, Path]:
    """An initialised workspace with a remote, and a clone of it."""
    assert memsite("init").code == 0
    git("init", "-q", "--bare", "-b", "main", "remote.git")
    git("remote", "add", "origin", str(tmp_path / "remote.git"), cwd=workspace)
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    git("clone", "-q", str(tmp_path / "remote.git"), "clone")
    git("config", "user.name", "Grace", cwd=tmp_path / "clone")
    git("config", "user.email", "grace@example.org", cwd=tmp_path / "clone")
    return workspace, tmp_path / "clone"


def test_init_installs_the_driver_and_its_attributes(memsite: Run, git: Git, workspace: Path) -> None:
    (workspace / ".gitattributes").write_text("*.png binary", encoding="utf-8")
    done = memsite("init", "--no-hooks")
    assert done.code == 0, done.err
    attributes = (workspace / ".gitattributes").read_text("utf-8")
    assert attributes.startswith("*.png binary\n/memory/sessions/*.md merge=memsite\n")
    assert "merge-driver -- %O %A %B %P" in git("config", "--local", "merge.memsite.driver", cwd=workspace)
    assert ".gitattributes" in git("show", "--format=", "--name-only", "HEAD", cwd=workspace).split()
    assert memsite("init").code == 0
    assert (workspace / ".gitattributes").read_text("utf-8") == attributes


def test_two_machines_sync(memsite: Run, two: tuple[Path, Path]) -> None:
    for folder, word in zip(two, ("Apple", "Pear"), strict=True):
        memsite("note", word, cwd=folder)
    first = memsite("sync", cwd=two[0])
    assert (first.code, first.out) == (0, "in step with origin/main; commits received: 0, sent: 1\n")
    (two[1] / "memory/x.md").write_text("# X\n", encoding="utf-8")
    second = memsite("sync", cwd=two[1])
    assert second.out == "committed note: x.md\nin step with origin/main; commits received: 1, sent: 3\n"
    answer = json.loads(memsite("sync", "--json", cwd=two[0]).out)
    assert (answer["received"], answer["sent"], answer["upstream"]) == (3, 0, "origin/main")
    assert (two[0] / "memory/2025-03-20.md").read_text("utf-8") == "# 2025-03-20\n\nApple\n\nPear\n"


def test_a_refusal_is_one_line(memsite: Run, workspace: Path) -> None:
    done = memsite("sync")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "git remote add origin" in done.err


def merge(memsite: Run, folder: Path, path: str, base: str, ours: str, theirs: str) -> tuple[int, str]:
    names = [folder / name for name in ("base", "ours", "theirs")]
    for name, text in zip(names, (base, ours, theirs), strict=True):
        name.write_text(text, encoding="utf-8")
    done = memsite("merge-driver", "--", *map(str, names), path)
    return done.code, names[1].read_text("utf-8")


def test_the_merge_driver_tells_git_by_its_exit_code(memsite: Run, tmp_path: Path) -> None:
    path = "memory/sessions/2025-03-20.md"
    ours, theirs = HEADER + ENTRY.format(2), HEADER + ENTRY.format(1)
    assert merge(memsite, tmp_path, path, HEADER, ours, theirs) == (0, HEADER + ENTRY.format(1) + ENTRY.format(2))
    code, text = merge(memsite, tmp_path, "memory/PLAN.md", "a\n", "b\n", "c\n")
    assert (code, text) == (1, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n")


def test_a_fault_in_the_merge_leaves_gits_own(memsite: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bool:
        raise ValueError("a fault")

    monkeypatch.setattr("memsite.repo.merge.merge_file", fail)
    path = "memory/sessions/2025-03-20.md"
    code, text = merge(memsite, tmp_path, path, HEADER, HEADER + ENTRY.format(1), HEADER + ENTRY.format(2))
    assert code == 1
    assert "id=1" in text
    assert "id=2" in text


def is_built(page: Path) -> bool:
    for _ in range(600):
        if page.exists():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("pushed", [True, False], ids=["in step", "a push that is refused"])
def test_the_site_follows_a_sync_in_the_background(
    memsite: Run, git: Git, two: tuple[Path, Path], tmp_path: Path, pushed: bool
) -> None:
    memsite("note", "Apple", cwd=two[0])
    memsite("sync", cwd=two[0])
    settings = two[1] / "memsite.toml"
    settings.write_text(settings.read_text("utf-8") + "build_on_commit = true\n", encoding="utf-8")
    git("commit", "-qam", "settings", cwd=two[1])
    if not pushed:
        hook = tmp_path / "remote.git" / "hooks" / "pre-receive"
        hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)
    assert memsite("sync", cwd=two[1]).code == (0 if pushed else 1)
    assert is_built(two[1] / "site" / "daily" / "2025-03-20" / "index.html")


def test_a_sync_that_brings_nothing_starts_no_build(memsite: Run, git: Git, two: tuple[Path, Path]) -> None:
    settings = two[1] / "memsite.toml"
    settings.write_text(settings.read_text("utf-8") + "build_on_commit = true\n", encoding="utf-8")
    git("commit", "-qam", "settings", cwd=two[1])
    assert memsite("sync", cwd=two[1]).code == 0
    assert not (two[1] / ".git" / "memsite" / "build.log").exists()


def test_a_clone_that_git_left_empty_is_told_which_branch_has_the_memory(
    memsite: Run, git: Git, workspace: Path, tmp_path: Path
) -> None:
    assert memsite("init").code == 0
    git("init", "-q", "--bare", "-b", "master", "hub.git")
    git("push", "-q", str(tmp_path / "hub.git"), "main", cwd=workspace)
    git("clone", "-q", str(tmp_path / "hub.git"), "clone")
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main", cwd=tmp_path / "clone")
    done = memsite("init", cwd=tmp_path / "clone")
    assert (done.code, len(done.err.splitlines())) == (1, 1)
    assert "nothing is checked out, and 'origin/main' has a memory; git switch --track origin/main" in done.err
    git("switch", "-q", "--track", "origin/main", cwd=tmp_path / "clone")
    assert memsite("init", cwd=tmp_path / "clone").code == 0
    assert memsite("sync", cwd=tmp_path / "clone").code == 0


def test_two_memories_that_were_begun_apart_are_told_how_to_become_one(
    memsite: Run, git: Git, workspace: Path, tmp_path: Path
) -> None:
    git("init", "-q", "--bare", "-b", "main", "hub.git")
    git("clone", "-q", str(tmp_path / "hub.git"), "clone")
    git("remote", "add", "origin", str(tmp_path / "hub.git"), cwd=workspace)
    for folder in (workspace, tmp_path / "clone"):
        assert memsite("init", cwd=folder).code == 0
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    done = memsite("sync", cwd=tmp_path / "clone")
    assert done.code == 1
    assert "they have no commit in common" in done.err
    assert "git merge --allow-unrelated-histories origin/main, then `memsite sync`" in done.err
