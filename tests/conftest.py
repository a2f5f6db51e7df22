"""Every test runs sealed from the user's HOME, git configuration, clock, time zone and language."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

KEPT = {"PATH", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "LD_LIBRARY_PATH"}
"""What a sealed environment takes over; all else a test must set itself."""


@pytest.fixture(autouse=True)
def sealed_environment(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty HOME, no git configuration, UTC, the C.UTF-8 locale. Returns the HOME."""
    home = tmp_path_factory.mktemp("home")
    for name in set(os.environ) - KEPT:
        if not name.startswith(("PYTEST_", "MEMSITE_TEST_", "COV_")):
            monkeypatch.delenv(name)
    settings = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "NO_MKDOCS_2_WARNING": "1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    yield home
    monkeypatch.undo()
    time.tzset()


Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run the real git as a user would: `git("add", "x", cwd=folder)`; its standard output comes back."""

    def run(*arguments: str, cwd: Path = tmp_path, **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        return done.stdout

    return run


@pytest.fixture
def workspace(tmp_path: Path, git: Git) -> Path:
    """A workspace as a user has it: a repository with an identity, a `memory/` folder and one commit."""
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    (root / "README.md").write_text("# Workspace\n", encoding="utf-8")
    git("add", "README.md", cwd=root)
    git("commit", "-q", "-m", "first", cwd=root)
    return root
