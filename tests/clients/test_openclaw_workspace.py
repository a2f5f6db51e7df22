"""A workspace that the real OpenClaw has made becomes a site."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.conftest import OpenClaw
from tests.clients.mock_model import MockModel
from tests.conftest import Git, Run

pytestmark = pytest.mark.clients


def test_openclaws_own_workspace_is_adopted_and_built(
    openclaw_folder: Path, tmp_path: Path, memsite: Run, git: Git
) -> None:
    with MockModel() as model:
        openclaw = OpenClaw(openclaw_folder, tmp_path / "home", model)
        openclaw.configure()
        openclaw.say("Let us start a blog project with Next.js", "s1")
    root = openclaw.workspace
    before = {file.name: file.read_bytes() for file in root.iterdir() if file.is_file()}
    assert {"AGENTS.md", "SOUL.md"} <= set(before)
    assert memsite("init", cwd=root).code == 0
    (root / "MEMORY.md").write_text("# Long-term memory\n\n- The blog uses Next.js.\n", encoding="utf-8")
    (root / "memory" / "2026-03-20.md").write_text("# 2026-03-20\n\n- 决定：博客使用 Next.js。\n", encoding="utf-8")
    done = memsite("build", cwd=root)
    assert done.code == 0, done.err
    assert {file.name: file.read_bytes() for file in root.iterdir() if file.name in before} == before
    assert "The blog uses Next.js." in (root / "site/notes/MEMORY/index.html").read_text(encoding="utf-8")
    assert "决定：博客使用 Next.js。" in (root / "site/daily/2026-03-20/index.html").read_text(encoding="utf-8")
    assert git("ls-tree", "-r", "--name-only", "HEAD", cwd=root).split() == [
        ".gitattributes",
        ".gitignore",
        "MEMORY.md",
        "memory/2026-03-20.md",
        "memory/INDEX.md",
        "memsite.toml",
        "mkdocs.yml",
    ]
