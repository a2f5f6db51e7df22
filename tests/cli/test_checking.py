"""`check`: clean on the demo; what is wrong is named with its place, its severity and, for history, its commit."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

from tests.conftest import Demo, Git, Run
from tests.secret_kinds import KINDS


def test_the_demo_is_clean(memsite: Run, demo: Demo, tmp_path: Path) -> None:
    story = shutil.copytree(demo.workspace, tmp_path / "story", symlinks=True)
    done = memsite("check", cwd=story, now="2025-06-01")
    assert (done.code, done.out) == (0, "no errors\n")


def test_warnings_alone_are_no_failure(memsite: Run, workspace: Path) -> None:
    memsite("index", "add", "blog", "--category", "Projects", "--date", "2025-03-01")
    done = memsite("check")
    assert done.code == 0
    assert "warning: memory/INDEX.md:4: blog has dates without a note: 2025-03-01" in done.out
    assert [one["severity"] for one in json.loads(memsite("check", "--json").out)] == ["warning"]


def test_a_changed_generation_is_named_with_the_commit_that_did_it(
    memsite: Run, demo: Demo, tmp_path: Path, git: Git
) -> None:
    story = shutil.copytree(demo.workspace, tmp_path / "story", symlinks=True)
    path = story / "memory/consolidated/personal-blog-gen1-2025-03-25.md"
    path.write_text(path.read_text(encoding="utf-8").replace("Giscus", "Disqus"), encoding="utf-8")
    git("commit", "-qnam", "another belief", cwd=story)
    commit = git("rev-parse", "HEAD", cwd=story).strip()
    done = memsite("check", cwd=story, now="2025-06-01")
    assert done.code == 1
    assert f"error: {commit[:10]} memory/consolidated/personal-blog-gen1-2025-03-25.md" in done.out


def test_a_lost_generation_is_an_error_in_the_notes_that_it_archives(memsite: Run, demo: Demo, tmp_path: Path) -> None:
    story = shutil.copytree(demo.workspace, tmp_path / "story", symlinks=True)
    (story / "memory/consolidated/no-tracking-gen1-2025-04-20.md").unlink()
    done = memsite("check", cwd=story, now="2025-06-01")
    assert done.code == 1
    assert "error: memory/2025-04-20.md:7: is archived into" in done.out


def test_a_secret_that_is_not_committed_yet_is_told_in_time(memsite: Run, workspace: Path, git: Git) -> None:
    token = next(kind for kind in KINDS if kind.name == "github-classic").make(random.Random(91))
    (workspace / "memory/2025-03-20.md").write_text(f"# 2025-03-20\n\nIt is {token}.\n", encoding="utf-8")
    done = memsite("check")
    assert "memory/2025-03-20.md:3: looks like it has a secret (github" in done.out
    assert "is not committed yet" in done.out
    assert token not in done.out + done.err


def test_a_memory_that_is_gone_as_a_whole_is_an_error(memsite: Run, workspace: Path) -> None:
    (workspace / "memsite.toml").write_text("", encoding="utf-8")
    memsite("note", "We begin a blog.")
    shutil.rmtree(workspace / "memory")
    done = memsite("check")
    assert done.code == 1
    assert "the folder of the memory is gone; git restore -- memory" in done.out


def test_a_clone_that_was_cut_off_is_said_to_be(memsite: Run, workspace: Path, git: Git, tmp_path: Path) -> None:
    memsite("note", "We begin a blog.")
    memsite("note", "It is about tea.", "--date", "2025-03-19")
    git("clone", "-q", "--depth=1", workspace.as_uri(), str(tmp_path / "cut"))
    assert "is a shallow clone" in memsite("check", cwd=tmp_path / "cut").out


def test_settings_that_no_commit_has_are_a_warning(memsite: Run, workspace: Path, git: Git) -> None:
    """They hold on this machine alone: a clone, or CI, would publish what is private here."""
    settings = workspace / "memsite.toml"
    settings.write_text("", encoding="utf-8")
    said = "warning: memsite.toml: is not committed: what it says holds on this machine alone; git add memsite.toml"
    assert said in memsite("check").out
    git("add", "memsite.toml", cwd=workspace)
    assert said in memsite("check").out
    git("commit", "-qm", "settings", cwd=workspace)
    assert memsite("check").out == "no errors\n"
    settings.write_text('private = ["people/"]\n', encoding="utf-8")
    done = memsite("check")
    assert done.code == 0
    assert said in done.out
