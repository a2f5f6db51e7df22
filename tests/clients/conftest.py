"""The real agents, installed by npm below build/ and run in an empty environment with a HOME of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.mock_model import MockModel

NODE = "node@26.10.0"
OPENCLAW = "openclaw@2026.9.6"
INSTALLED = Path(__file__).parents[2] / "build" / "clients"
MACHINE = dict(os.environ)
"""Taken when the tests are collected: npm needs the machine's own settings to reach its registry."""


def npm_install(folder: Path, package: str) -> None:
    """Install one package, or skip the test loudly where npm or its registry is not to be had."""
    npm = shutil.which("npm", path=MACHINE.get("PATH"))
    if npm is None:
        pytest.skip(f"!! NO npm ON THIS MACHINE: the real {package} was not run")
    folder.mkdir(parents=True, exist_ok=True)
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

    def configure(self) -> None:
        """Write its settings: the model is our stand-in."""
        provider = {
            "baseUrl": self.model.address,
            "apiKey": "none",
            "api": "openai-completions",
            "models": [{"id": "m1", "name": "m1", "contextWindow": 128000, "maxTokens": 4096}],
        }
        settings = {
            "models": {"providers": {"mock": provider}},
            "agents": {"defaults": {"model": {"primary": "mock/m1"}, "workspace": str(self.workspace)}},
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
    if not (folder / "node_modules/openclaw/openclaw.mjs").exists():
        npm_install(folder, NODE)
        npm_install(folder, OPENCLAW)
    return folder
