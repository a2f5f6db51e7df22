"""The lookup of the browser, run in node or in Chromium on files that Python wrote."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

ASSETS = Path(__file__).parents[3] / "memsite" / "site" / "assets"
LOOKUP = Path(__file__).with_name("lookup.cjs")

Ask = Callable[..., Any]


def write_site(folder: Path, files: Mapping[str, bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def _command(engine: str) -> list[str] | None:
    """What runs the lookup in node or in Chromium; None where that is missing."""
    node, chromium = shutil.which("node"), find_chromium()
    if engine == "node":
        return [node, str(LOOKUP)] if node else None
    return [sys.executable, str(LOOKUP.with_name("chromium.py")), chromium] if chromium else None


def find_chromium() -> str | None:
    """The browser of this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def _asking(command: list[str]) -> Ask:
    def run(site: Path, **asked: object) -> Any:
        done = subprocess.run(
            [*command, str(ASSETS), str(site)], input=json.dumps(asked).encode(), capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def ask() -> Ask:
    """`ask(site, queries=[...])` gives what the browser's code answers, in node: quick enough for many questions."""
    command = _command("node")
    if command is None:
        pytest.skip("NO NODE: the browser's lookup code is not checked against the index")
    return _asking(command)


@pytest.fixture(params=["node", pytest.param("chromium", marks=pytest.mark.browser)])
def ask_each(request: pytest.FixtureRequest) -> Ask:
    """The same in node and in Chromium, whichever this machine has."""
    command = _command(request.param)
    if command is None:
        pytest.skip(f"NO {request.param.upper()} ON THIS MACHINE")
    return _asking(command)
