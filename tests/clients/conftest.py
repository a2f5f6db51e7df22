"""The real agents, installed by npm below build/ and run in an empty environment with a HOME of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.mock_messages import MockMessages
from tests.clients.mock_model import MockModel
from tests.made_once import alone_in

NODE = "node@26.10.0"
OPENCLAW = "openclaw@2026.9.6"
CLAUDE_CODE = "@anthropic-ai/claude-code@2.1.197"
INSTALLED = Path(__file__).parents[2] / "build" / "clients"
MACHINE = dict(os.environ)
"""Taken when the tests are collected: npm needs the machine's own settings to reach its registry."""


def npm_install(folder: Path, package: str) -> None:
    """Install one package in a folder, or skip the test loudly where npm or its registry is not to be had."""
    npm = shutil.which("npm", path=MACHINE.get("PATH"))
    if npm is None:
        pytest.skip(f"!! NO npm ON THIS MACHINE: the real {package} was not run")
    own_node = folder / "node_modules" / "node" / "bin"
    environment = {**MACHINE, "PATH": f"{own_node}{os.pathsep}{MACHINE['PATH']}"}
    command = [npm, "install", package, "--no-audit", "--no-fund", "--loglevel=error"]
    if package != NODE:
        command.append("--ignore-scripts")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"!! npm COULD NOT INSTALL {package}: it was not run ({done.stderr.strip()[:200]})")


@dataclass(frozen=True)
class OpenClaw:
    """The real OpenClaw in a HOME of its own."""

    folder: Path
    home: Path
    model: MockModel

    @property
    def workspace(self) -> Path:
        """Where it keeps its memory."""
        return self.home / ".openclaw" / "workspace"

    def configure(
        self, *, compaction: dict[str, object] | None = None, plugins: dict[str, object] | None = None
    ) -> None:
        """Write its settings: the model is our stand-in."""
        provider = {
            "baseUrl": self.model.address,
            "apiKey": "none",
            "api": "openai-completions",
            "models": [{"id": "m1", "name": "m1", "contextWindow": 128000, "maxTokens": 4096}],
        }
        settings = {
            "models": {"providers": {"mock": provider}},
            "agents": {
                "defaults": {
                    "model": {"primary": "mock/m1"},
                    "workspace": str(self.workspace),
                    **({"compaction": compaction} if compaction else {}),
                }
            },
            **({"plugins": plugins} if plugins else {}),
        }
        (self.home / ".openclaw").mkdir(parents=True, exist_ok=True)
        (self.home / ".openclaw" / "openclaw.json").write_text(json.dumps(settings), encoding="utf-8")

    def say(self, message: str, session: str) -> None:
        """One turn."""
        node = self.folder / "node_modules" / "node" / "bin"
        command = [str(node / "node"), str(self.folder / "node_modules/openclaw/openclaw.mjs"), "agent", "--local"]
        command += ["--agent", "main", "--session-id", session, "--message", message, "--json"]
        environment = {"PATH": f"{node}{os.pathsep}/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home)}
        done = subprocess.run(
            command, cwd=self.home, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="session")
def openclaw_folder() -> Path:
    """OpenClaw and a Node.js new enough for it, installed once."""
    folder = INSTALLED / "openclaw"
    with alone_in(folder):
        if not (folder / "node_modules/openclaw/openclaw.mjs").exists():
            npm_install(folder, NODE)
            npm_install(folder, OPENCLAW)
    return folder


@dataclass(frozen=True)
class ClaudeCode:
    """The real Claude Code in a HOME and a project of its own."""

    program: Path
    home: Path
    project: Path
    model: MockMessages

    def say(self, message: str, session: str, *, resumes: bool) -> str:
        """One turn, in an environment that has nothing but what is named here; what it prints."""
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "ANTHROPIC_BASE_URL": self.model.address,
            "ANTHROPIC_API_KEY": "dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        command = [str(self.program), "-p", message, "--resume" if resumes else "--session-id", session]
        self.project.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            command,
            cwd=self.project,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:] + done.stdout[-2000:]
        return done.stdout


@pytest.fixture(scope="session")
def claude_program() -> Path:
    """Claude Code's own binary, installed once."""
    folder = INSTALLED / "claude-code"
    scope = folder / "node_modules" / "@anthropic-ai"
    with alone_in(folder):
        if not list(scope.glob("claude-code-*/claude")):
            npm_install(folder, CLAUDE_CODE)
    found = sorted(scope.glob("claude-code-*/claude"))
    if not found:
        pytest.skip(f"!! {CLAUDE_CODE} HAS NO PROGRAM FOR THIS MACHINE: it was not run")
    return found[0]
