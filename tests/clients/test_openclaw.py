"""The real OpenClaw, with memsite's plugin."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from memsite.agents.installing import Target
from memsite.agents.openclaw import plugin_settings
from memsite.cli.program import program_path
from memsite.config import Config
from tests.clients.conftest import OpenClaw
from tests.clients.mock_model import MockModel
from tests.clients.waiting import wait_for
from tests.conftest import Git, Run

pytestmark = pytest.mark.clients

LONG = " Please think about the blog project and about Next.js in detail." * 40
COMPACTION: dict[str, object] = {
    "mode": "default",
    "keepRecentTokens": 100,
    "maxActiveTranscriptBytes": 6000,  # about two of these prompts: the third turn begins with a compaction
    "memoryFlush": {"enabled": False},
}


def test_sessions_become_entries_and_the_tail_survives_a_compaction(
    openclaw_folder: Path, tmp_path: Path, memsite: Run, git: Git
) -> None:
    home = tmp_path / "home"
    with MockModel() as model:
        openclaw = OpenClaw(openclaw_folder, home, model)
        root = openclaw.workspace
        root.mkdir(parents=True)
        git("init", "-q", "-b", "main", cwd=root)
        git("config", "user.name", "Ada", cwd=root)
        git("config", "user.email", "ada@example.org", cwd=root)
        assert memsite("init", "--agent", "openclaw", cwd=root, now="").code == 0
        (root / "memory/CURRENT_STATE.md").write_text("Half of the blog is built.\n", encoding="utf-8")
        settings = plugin_settings(Target(program_path(), root, Config()))
        openclaw.configure(compaction=COMPACTION, plugins=settings)
        openclaw.say("Let us start a blog project." + LONG, "s1")
        openclaw.say("What about hosting the blog?" + LONG, "s1")
        before = len(model.requests)
        openclaw.say("And which domain name do we take?", "s1")
        after = model.requests[before:]
        openclaw.say("Another session, about gardens", "s2")
    assert any("<conversation>" in json.dumps(request) for request in after), "no compaction took place"
    prompt = _last_prompt(after[-1])
    assert "=== RECENT EXCHANGE (protected) ===\nUser: Let us start a blog project." in prompt
    assert "Half of the blog is built." in prompt
    assert "RECENT EXCHANGE" not in json.dumps(model.requests[: before + 1])
    log = f"memory/sessions/{datetime.now(UTC).date().isoformat()}.md"
    assert wait_for(lambda: "note: CURRENT_STATE" in git("log", "--format=%s", cwd=root))
    text = git("show", f"HEAD:{log}", cwd=root)
    assert text.count("### ") == 2
    first, second = text.split("### ")[1:]
    assert "<!-- memsite:session id=s1 agent=openclaw -->\n- **Topic:** Let us start a blog project." in first
    assert "- **Messages:** 3 user / 3 assistant\n" in first
    assert "id=s2 agent=openclaw" in second
    assert "- **Messages:** 1 user / 1 assistant\n" in second
    assert not (root / ".git/memsite/agents.log").exists()


def _last_prompt(request: dict[str, Any]) -> str:
    """All that the user's side says in a request, as text."""
    messages = cast("list[dict[str, Any]]", request["messages"])
    contents = (message["content"] for message in messages if message["role"] == "user")
    return "\n".join(
        content if isinstance(content, str) else "\n".join(str(block.get("text", "")) for block in content)
        for content in contents
    )
