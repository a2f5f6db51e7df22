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


def test_only_what_is_written_is_listed(memsite: Run, workspace: Path) -> None:
    (workspace / "memsite.toml").write_text("tail_protect_count = 4\nconsolidation_threshold = 7\n", encoding="utf-8")
    settings(
        workspace,
        consolidationThreshold=5,
        autoProposeIndex=True,
        categories=["Work"],
        indexFile="../../etc/passwd",
        consolidatedDir="notes/gens",
    )
    done = memsite("migrate")
    assert done.code == 0, done.err
    path = workspace / "memory-index-manager/config.json"
    assert f"settings of {path}: categories\n" in done.out
    assert "left out: consolidation_threshold = 5: memsite.toml has another value\n" in done.out
    assert "left out: 'indexFile': must be a path below the workspace" in done.out
    assert "left out: 'consolidatedDir': 'notes/gens' is not below 'memory'" in done.out
    text = (workspace / "memsite.toml").read_text(encoding="utf-8")
    assert text == 'tail_protect_count = 4\nconsolidation_threshold = 7\ncategories = ["Work"]\n'
    again = memsite("migrate")
    assert f"settings of {path}: nothing to take over\n" in again.out
    assert again.out.endswith("nothing to migrate\n")


def test_settings_for_another_place_are_said(memsite: Run, workspace: Path) -> None:
    settings(workspace, indexFile="notes/TOPICS.md", consolidatedDir="notes/gens")
    done = memsite("migrate")
    assert 'left out: memory = "notes": this memory lies elsewhere\n' in done.out
    assert json.loads(memsite("migrate", "--json").out)["settings"] == {}
    assert not (workspace / "memsite.toml").exists()


def test_settings_that_are_no_json_stop_the_migration_with_their_line(
    memsite: Run, workspace: Path, git: Git, sealed_environment: Path
) -> None:
    (workspace / "memory/INDEX.md").write_text(V1, encoding="utf-8")
    (sealed_environment / ".openclaw").mkdir()
    for path in (workspace / "memory-index-manager/config.json", sealed_environment / ".openclaw/openclaw.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_text('{\n  "consolidationThreshold": 5\n  "categories": []\n}\n', encoding="utf-8")
        before = git("rev-parse", "HEAD", cwd=workspace), git("status", "--porcelain", cwd=workspace)
        done = memsite("migrate")
        assert (done.code, done.out) == (1, "")
        assert done.err == f"memsite: {path}:3: cannot be read as JSON: Expecting ',' delimiter; mend it\n"
        assert (git("rev-parse", "HEAD", cwd=workspace), git("status", "--porcelain", cwd=workspace)) == before
        assert (workspace / "memory/INDEX.md").read_text(encoding="utf-8") == V1
        path.unlink()


def test_a_migration_that_waits_for_git_backs_up_once(memsite: Run, tmp_path: Path, git: Git) -> None:
    root = tmp_path / "unborn"
    (root / "memory").mkdir(parents=True)
    (root / "memory/INDEX.md").write_text(V1, encoding="utf-8")
    git("init", "-q", cwd=root)
    for minute in (1, 2, 3):
        done = memsite("migrate", cwd=root, now=f"2025-03-20T10:0{minute}")
        assert done.code == 3
        assert "as it was before: " in done.out
    (backup,) = (root / ".git/memsite/backups").iterdir()
    assert backup.read_text(encoding="utf-8") == V1
    git("-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "x", cwd=root)
    assert memsite("commit", cwd=root).code == 0
    assert "**personal-blog**" in git("show", "HEAD:memory/INDEX.md", cwd=root)
    assert memsite("migrate", cwd=root).code == 0
    assert len(list((root / ".git/memsite/backups").iterdir())) == 1


def test_two_versions_of_one_second_have_a_backup_each(memsite: Run, workspace: Path) -> None:
    versions = (V1, V1 + "- Personal Log: [2025-03-20]\n")
    for text in versions:
        (workspace / "memory/INDEX.md").write_text(text, encoding="utf-8")
        assert memsite("migrate").code == 0
    kept = sorted((workspace / ".git/memsite/backups").iterdir())
    assert {path.read_text(encoding="utf-8") for path in kept} == set(versions)


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
