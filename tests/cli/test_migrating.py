"""`migrate`, and what `init` takes over: with a backup, once, nothing that is the user's overwritten."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Git, Run

V1 = "# Memory Index\n\n## Projects\n- Personal Blog: [2025-03-20, 2025-03-22]\n"


def settings(folder: Path, **values: object) -> None:
    (folder / "memory-index-manager").mkdir(parents=True)
    (folder / "memory-index-manager/config.json").write_text(json.dumps(values), encoding="utf-8")


def test_an_index_and_settings_of_version_1(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / "memory/INDEX.md").write_text(V1, encoding="utf-8")
    (workspace / "memsite.toml").write_text('language = "zh"\n', encoding="utf-8")
    settings(workspace, consolidationThreshold=5, indexFile="memory/INDEX.md")
    done = memsite("migrate", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["renamed"] == [{"from": "Personal Blog", "to": "personal-blog"}]
    assert told["settings"] == {"consolidation_threshold": 5}
    index = (workspace / "memory/INDEX.md").read_text(encoding="utf-8")
    assert "- **personal-blog**: [2025-03-20, 2025-03-22]\n  - Aliases: [Personal Blog]\n" in index
    assert (workspace / "memsite.toml").read_text(encoding="utf-8") == 'language = "zh"\nconsolidation_threshold = 5\n'
    assert [Path(path).read_text(encoding="utf-8") for path in told["backups"]] == [V1, 'language = "zh"\n']
    assert git("log", "-1", "--format=%s", cwd=workspace).strip() == "index: migrate from version 1"
    assert git("status", "--porcelain", "memory", "memsite.toml", cwd=workspace) == ""
    again = memsite("migrate")
    assert again.code == 0
    assert "nothing to migrate" in again.out


def test_init_takes_over_settings_of_both_seeds(memsite: Run, tmp_path: Path, sealed_environment: Path) -> None:
    root = tmp_path / "new"
    (root / "notes").mkdir(parents=True)
    settings(root, indexFile="notes/INDEX.md", consolidatedDir="notes/consolidated", recallTriggers=["weißt du noch"])
    plugin = {"config": {"tailProtectCount": 7, "maxArchiveCount": 3}}
    (sealed_environment / ".openclaw").mkdir()
    (sealed_environment / ".openclaw/openclaw.json").write_text(
        json.dumps({"plugins": {"entries": {"memory-continuity": plugin}}}), encoding="utf-8"
    )
    done = memsite("init", str(root), cwd=tmp_path)
    assert done.code == 0, done.err
    assert "'maxArchiveCount' means nothing here" in done.out
    text = (root / "memsite.toml").read_text(encoding="utf-8")
    assert 'memory = "notes"\n' in text
    assert 'recall_triggers = ["weißt du noch"]\n' in text
    assert "tail_protect_count = 7\n" in text
    assert not (root / "memory").exists()
    assert memsite("check", cwd=root).code == 0


def test_init_leaves_settings_that_are_there(memsite: Run, workspace: Path) -> None:
    (workspace / "memsite.toml").write_text("consolidation_threshold = 4\n", encoding="utf-8")
    settings(workspace, consolidationThreshold=9)
    done = memsite("init")
    assert "`memsite migrate` takes over what yours lack" in done.out
    assert (workspace / "memsite.toml").read_text(encoding="utf-8") == "consolidation_threshold = 4\n"
