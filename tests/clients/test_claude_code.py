"""The real Claude Code, with the hooks that `init --agent claude-code` installs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.clients.conftest import ClaudeCode
from tests.clients.mock_messages import MockMessages
from tests.clients.waiting import wait_for
from tests.conftest import Git, Run

pytestmark = pytest.mark.clients

FIRST = "11111111-2222-4333-8444-000000000001"
SECOND = "11111111-2222-4333-8444-000000000002"


def test_each_session_leaves_exactly_one_right_entry_and_a_compaction_loses_nothing(
    claude_program: Path, tmp_path: Path, sealed_environment: Path, workspace: Path, memsite: Run, git: Git
) -> None:
    today = datetime.now(UTC).date().isoformat()
    assert memsite("init", now="").code == 0
    assert memsite("init", "--agent", "claude-code", "--user", now="").code == 0
    assert memsite("index", "add", "garden", "--category", "Projects", "--date", "2025-03-20", now="").code == 0
    (workspace / "memory" / f"{today}.md").write_text(f"# {today}\n\nThe garden.\n\nDecision: Rust\n", encoding="utf-8")
    (workspace / "memory" / "CURRENT_STATE.md").write_text("# State\n\nHalf of the blog is built.\n", encoding="utf-8")
    with MockMessages() as model:
        claude = ClaudeCode(claude_program, sealed_environment, tmp_path / "personal-blog", model)
        claude.say("Let us plan the hosting of the blog", FIRST, resumes=False)
        claude.say("And what about the domain of the blog?", FIRST, resumes=True)
        claude.say("/compact", FIRST, resumes=True)
        claude.say("What did we decide about the blog?", FIRST, resumes=True)
        compacted = json.dumps(model.requests[-1])
        assert wait_for(lambda: "index: dates of garden" in git("log", "--format=%s", cwd=workspace))
        assert wait_for((workspace / ".git/memsite/review.json").exists)
        claude.say("A second session about the kitchen", SECOND, resumes=False)
        told = json.dumps(model.requests[-1])
    log = f"memory/sessions/{today}.md"
    text = git("show", f"HEAD:{log}", cwd=workspace)
    assert text == (workspace / log).read_text(encoding="utf-8")
    assert text.count("### ") == 2
    first, second = text.split("### ")[1:]
    assert f"id={FIRST} agent=claude-code" in first
    assert "- **Topic:** Let us plan the hosting of the blog\n- **Project:** personal-blog\n" in first
    assert "- **Messages:** 3 user / 3 assistant\n" in first
    assert "- **Topic:** A second session about the kitchen\n" in second
    assert "- **Messages:** 1 user / 1 assistant\n" in second
    assert "=== RECENT EXCHANGE (protected) ===" in compacted
    assert "User: And what about the domain of the blog?" in compacted
    assert "Half of the blog is built." in compacted
    assert f"memsite reviewed the memory of {today}" in told
    assert f"review {today} --accept rust" in told
    faults = workspace / ".git/memsite/agents.log"
    assert not faults.exists(), faults.read_text(encoding="utf-8")


def test_uninstalling_leaves_claude_code_as_it_was(
    claude_program: Path, tmp_path: Path, sealed_environment: Path, workspace: Path, memsite: Run
) -> None:
    memsite("init", "--agent", "claude-code", "--user", now="")
    memsite("init", "--agent", "claude-code", "--user", "--uninstall", now="")
    with MockMessages() as model:
        claude = ClaudeCode(claude_program, sealed_environment, tmp_path / "personal-blog", model)
        claude.say("Let us plan the hosting of the blog", FIRST, resumes=False)
    assert not (workspace / "memory" / "sessions").exists()
