"""`init --agent`: what is installed into Claude Code and OpenClaw, and taken out again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Git, Run


def test_claude_code_gets_hooks_and_a_skill_in_this_project(memsite: Run, workspace: Path, git: Git) -> None:
    done = memsite("init", "--agent", "claude-code")
    assert done.code == 0, done.err
    settings = json.loads((workspace / ".claude/settings.local.json").read_text(encoding="utf-8"))
    assert list(settings["hooks"]) == ["SessionStart", "Stop", "PreCompact", "SessionEnd"]
    command = settings["hooks"]["SessionEnd"][0]["hooks"][0]["command"]
    assert command.endswith(f"/memsite -C {workspace} agent claude-code session-end")
    assert Path(command.split()[0]).is_absolute()
    assert (workspace / ".claude/skills/memsite/SKILL.md").exists()
    assert ".claude" not in git("ls-tree", "-r", "--name-only", "HEAD", cwd=workspace)
    assert "memsite commits nothing in .claude/" in done.out
    again = memsite("init", "--agent", "claude-code")
    assert "writes" not in again.out


def test_user_settings_send_all_projects_to_this_memory(
    memsite: Run, workspace: Path, sealed_environment: Path
) -> None:
    home = sealed_environment / ".claude"
    home.mkdir()
    before = '{\n  "model": "opus"\n}\n'
    (home / "settings.json").write_text(before, encoding="utf-8")
    assert memsite("init", "--agent", "claude-code", "--user").code == 0
    assert "session-start" in (home / "settings.json").read_text(encoding="utf-8")
    assert (home / "skills/memsite/SKILL.md").exists()
    assert not (workspace / ".claude").exists()
    assert "memsite commits nothing" not in memsite("init", "--agent", "claude-code", "--user").out
    done = memsite("init", "--agent", "claude-code", "--user", "--uninstall")
    assert done.code == 0, done.err
    assert (home / "settings.json").read_text(encoding="utf-8") == before
    assert not (home / "skills/memsite").exists()


def test_malformed_settings_are_refused_before_anything_is_done(memsite: Run, workspace: Path, git: Git) -> None:
    (workspace / ".claude").mkdir()
    (workspace / ".claude/settings.local.json").write_text('{\n  "a": 1,\n}\n', encoding="utf-8")
    done = memsite("init", "--agent", "claude-code")
    assert done.code == 1
    assert f"{workspace}/.claude/settings.local.json:3: is no JSON" in done.err
    assert (workspace / ".claude/settings.local.json").read_text(encoding="utf-8") == '{\n  "a": 1,\n}\n'
    assert not (workspace / "memsite.toml").exists()


def test_a_dry_run_changes_nothing(memsite: Run, workspace: Path) -> None:
    done = memsite("init", "--agent", "claude-code", "--dry-run")
    assert f"would write {workspace}/.claude/settings.local.json" in done.out
    assert not (workspace / ".claude").exists()


def test_openclaw_is_told_what_only_the_user_can_set(memsite: Run, workspace: Path) -> None:
    done = memsite("init", "--agent", "openclaw")
    assert done.code == 0, done.err
    assert (workspace / "skills/memsite/SKILL.md").exists()
    assert "memsite commits nothing in skills/" in done.out
    start = done.out.index("\n{\n") + 1
    value = json.loads(done.out[start : done.out.index("\n}\n", start) + 2])
    entry = value["plugins"]["entries"]["memsite"]
    assert entry["hooks"] == {"allowConversationAccess": True}
    assert entry["config"]["command"].endswith("/memsite")
    (folder,) = value["plugins"]["load"]["paths"]
    assert {file.name for file in Path(folder).iterdir()} >= {"index.js", "package.json", "openclaw.plugin.json"}
    removed = memsite("init", "--agent", "openclaw", "--uninstall")
    assert "remove plugins.entries.memsite" in removed.out
    assert not (workspace / "skills/memsite").exists()


@pytest.mark.parametrize("flag", ["--user", "--uninstall"])
def test_flags_of_an_agent_need_one(memsite: Run, workspace: Path, flag: str) -> None:
    done = memsite("init", flag)
    assert (done.code, "need --agent" in done.err) == (2, True)
    assert not (workspace / "memsite.toml").exists()
