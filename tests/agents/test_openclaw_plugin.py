"""The OpenClaw plugin's own code, run in node with a stand-in for OpenClaw and one for memsite."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memsite.agents.openclaw import PLUGIN_ID, plugin_folder

NODE = shutil.which("node") or shutil.which(
    "node", path=str(Path(__file__).parents[2] / "build/clients/openclaw/node_modules/node/bin")
)

DRIVER = """
import plugin from "@PLUGIN@";
const hooks = {}; const commands = {};
const api = {
  pluginConfig: @CONFIG@,
  config: {},
  on: (name, handler) => { hooks[name] = handler; },
  registerCommand: (command) => { commands[command.name] = command; },
  runtime: { agent: { resolveAgentWorkspaceDir: (_, agent) => agent === "main" ? "@WORKSPACE@" : undefined } },
};
plugin.register(api);
const results = [];
for (const [name, ...rest] of @CALLS@)
  results.push((await (commands[name] ? commands[name].handler(...rest) : hooks[name](...rest))) ?? null);
console.log(JSON.stringify(results));
"""

MEMSITE = """#!/bin/sh
cat > "@OUT@/stdin.$5.json"
printf '%s\\n' "$*" >> "@OUT@/calls"
@ANSWER@
"""


class Plugin:
    """The plugin in node, and what it called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        self.workspace.mkdir()

    def run(self, *calls: list[Any], answer: str = "", config: dict[str, Any] | None = None) -> list[Any]:
        """Call hooks or commands in their order; what each gave back."""
        program = self.folder / "memsite"
        text = MEMSITE.replace("@OUT@", str(self.folder)).replace("@ANSWER@", answer)
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
        settings = {"command": str(program)} if config is None else config
        driver = self.folder / "driver.mjs"
        source = DRIVER.replace("@PLUGIN@", (plugin_folder() / "index.js").as_uri())
        source = source.replace("@CONFIG@", json.dumps(settings)).replace("@WORKSPACE@", str(self.workspace))
        driver.write_text(source.replace("@CALLS@", json.dumps(calls)), encoding="utf-8")
        done = subprocess.run(
            [str(NODE), str(driver)], capture_output=True, text=True, check=True, env=os.environ, timeout=60
        )
        assert done.stderr == ""
        answers: list[Any] = json.loads(done.stdout)
        return answers

    def calls(self) -> list[str]:
        """The command lines, without the program."""
        path = self.folder / "calls"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    def handed(self, event: str) -> dict[str, Any]:
        """What an event had on its standard input."""
        handed: dict[str, Any] = json.loads((self.folder / f"stdin.{event}.json").read_text(encoding="utf-8"))
        return handed


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    """The plugin, where there is a node."""
    if NODE is None:
        pytest.skip("!! NO node ON THIS MACHINE: the OpenClaw plugin was not run")
    return Plugin(tmp_path)


CTX = {"sessionId": "s1", "sessionKey": "agent:main:main", "agentId": "main", "trigger": "user", "secret": "x"}
SAID = {"role": "user", "content": [{"type": "text", "text": "hello"}, {"type": "image", "data": "A" * 1000}]}


def summary(at: object) -> dict[str, object]:
    return {"role": "compactionSummary", "summary": "…", "timestamp": at}


def said(at: object, role: str = "user") -> dict[str, object]:
    return {"role": role, "content": "hello", "timestamp": at}


def test_a_turn_is_handed_to_memsite_with_the_whole_session_and_no_pictures(plugin: Plugin) -> None:
    ctx = {**CTX, "workspaceDir": "/home/ada/w"}
    assert plugin.run(["agent_end", {"messages": [SAID], "success": True}, ctx]) == [None]
    assert plugin.calls() == ["-C /home/ada/w agent openclaw agent_end"]
    handed = plugin.handed("agent_end")
    assert handed["event"]["messages"][0]["content"] == [{"type": "text", "text": "hello"}, {"type": "image"}]
    assert handed["ctx"] == {
        "agentId": "main",
        "sessionKey": "agent:main:main",
        "sessionId": "s1",
        "workspaceDir": "/home/ada/w",
        "trigger": "user",
    }


def test_the_end_of_a_session_finds_the_workspace_of_its_turns(plugin: Plugin) -> None:
    plugin.run(
        ["agent_end", {"messages": []}, {**CTX, "workspaceDir": "/home/ada/w"}],
        ["session_end", {"sessionId": "s1", "reason": "shutdown"}, {}],
        ["session_end", {"sessionId": "s2", "reason": "shutdown"}, {"agentId": "main"}],
        ["session_end", {"sessionId": "s3", "reason": "shutdown"}, {"agentId": "unknown"}],
    )
    assert plugin.calls()[1:] == [
        "-C /home/ada/w agent openclaw session_end",
        f"-C {plugin.workspace} agent openclaw session_end",
    ]


@pytest.mark.parametrize(
    ("messages", "is_asked"),
    [
        ([summary(30), said(10), said(20, "assistant")], True),
        ([summary(30), said(10), said(40, "assistant")], False),
        ([summary("2025-03-20T10:00:30Z"), said("2025-03-20T10:00:10Z")], True),
        ([summary(30), said(30)], True),
        ([summary(10), summary(30), said(20)], True),
        ([said(10)], False),
        ([summary(30)], True),
        ([], False),
        (None, False),
        ([None, 7, "x", {}], False),
    ],
)
def test_only_the_first_prompt_after_a_compaction_asks(plugin: Plugin, messages: Any, is_asked: bool) -> None:
    answer = 'echo \'{"prependContext": "kept"}\''
    result = plugin.run(["before_prompt_build", {"messages": messages, "prompt": "x"}, CTX], answer=answer)
    assert result == [{"prependContext": "kept"} if is_asked else None]
    assert len(plugin.calls()) == is_asked


@pytest.mark.parametrize("answer", ["", "echo no json", "echo '{}'", "echo '[1]'", "exit 1", "kill -9 $$", "echo null"])
def test_whatever_memsite_answers_the_prompt_is_built(plugin: Plugin, answer: str) -> None:
    assert plugin.run(["before_prompt_build", {"messages": [summary(1)]}, CTX], answer=answer) == [None]


def test_without_memsite_the_agent_goes_on(plugin: Plugin) -> None:
    calls: list[list[Any]] = [
        ["agent_end", {"messages": [SAID]}, CTX],
        ["agent_end", None, None],
        ["session_end", {}, {}],
        ["before_prompt_build", {"messages": [summary(1)]}, CTX],
    ]
    assert plugin.run(*calls, config={"command": "/gone/memsite"}) == [None] * 4
    assert plugin.run(*calls, config={"command": 7}) == [None] * 4


def test_a_memsite_that_hangs_holds_the_prompt_for_a_bounded_time(plugin: Plugin) -> None:
    source = (plugin_folder() / "index.js").read_text(encoding="utf-8")
    assert "before_prompt_build: 8_000" in source  # OpenClaw waits 15 s
    assert "session_end: 1_000" in source  # all sessions together have 2 s at a shutdown
    assert plugin.run(["session_end", {"sessionId": "s1"}, {"agentId": "main"}], answer="sleep 20") == [None]


def test_mc_sessions_shows_what_memsite_prints(plugin: Plugin) -> None:
    answers = plugin.run(
        ["mc", {"args": "sessions 2025-03-20", "agentId": "main"}],
        ["mc", {"args": "other"}],
        ["mc", {}],
        answer="echo '2025-03-20  1 session'",
    )
    assert answers[0] == {"text": "2025-03-20  1 session"}
    assert answers[1] == answers[2] == {"text": "/mc sessions [DATE]: session logs (daily activity)"}
    assert plugin.handed("sessions") == {"args": "2025-03-20"}
    assert plugin.calls() == [f"-C {plugin.workspace} agent openclaw sessions"]


def test_the_manifest_has_the_seeds_keys_and_a_hint_for_each() -> None:
    manifest = json.loads((plugin_folder() / "openclaw.plugin.json").read_text(encoding="utf-8"))
    package = json.loads((plugin_folder() / "package.json").read_text(encoding="utf-8"))
    assert manifest["id"] == PLUGIN_ID
    assert manifest["version"] == package["version"]
    properties = manifest["configSchema"]["properties"]
    assert {"ignorePatterns", "sessionLogging", "tailProtectCount"} <= set(properties)
    assert set(manifest["uiHints"]) == set(properties)
    assert all(set(hint) >= {"label", "help"} for hint in manifest["uiHints"].values())
    # A default here would hide what memsite.toml says.
    assert all("default" not in entry for entry in properties.values())
