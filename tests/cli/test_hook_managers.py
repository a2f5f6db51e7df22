"""Managers of hooks, the real ones, installed over memsite's hooks."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Git, Run
from tests.secret_kinds import KINDS

PRE_COMMIT = """default_install_hook_types: [pre-commit, pre-push]
repos:
- repo: local
  hooks:
  - id: mine
    name: mine
    entry: touch ran
    language: system
    always_run: true
    pass_filenames: false
    stages: [pre-commit]
"""


def managed(root: Path, tool: str, *arguments: str) -> None:
    """Run a manager of hooks as its user does."""
    program = Path(sys.executable).parent / tool
    if not program.exists():
        pytest.skip(f"{tool} is not installed beside this Python: pip install -e '.[dev]'")
    subprocess.run([program, *arguments], cwd=root, check=True, capture_output=True)


def test_pre_commit_installed_over_our_hooks_runs_them(workspace: Path, git: Git, memsite: Run) -> None:
    """It moves the hook that it finds to `pre-commit.legacy` and runs it from there."""
    hook = workspace / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\ntouch before\n", encoding="utf-8")
    hook.chmod(0o755)
    memsite("hooks", "install")
    (workspace / ".pre-commit-config.yaml").write_text(PRE_COMMIT, encoding="utf-8")
    managed(workspace, "pre-commit", "install")
    status = {one["hook"]: one for one in json.loads(memsite("hooks", "status", "--json").out)}
    for name in ("pre-commit", "pre-push"):
        expected = ("installed beside yours", f"pre-commit runs it, as {name}.legacy")
        assert (status[name]["state"], status[name]["reason"]) == expected
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "settings", cwd=workspace)
    assert (workspace / "ran").exists()
    assert (workspace / "before").exists()
    token = next(kind for kind in KINDS if kind.name == "gitlab").make(random.Random(71))
    (workspace / "memory/2025-03-20.md").write_text(f"# 2025-03-20\n\n{token}\n", encoding="utf-8")
    git("add", "memory", cwd=workspace)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        git("commit", "-q", "-m", "a note", cwd=workspace)
    assert "memory/2025-03-20.md:3: looks like a secret" in refused.value.stderr
    installed = hook.with_name("pre-commit.legacy").read_bytes()
    memsite("hooks", "install")
    assert hook.with_name("pre-commit.legacy").read_bytes() == installed
    memsite("hooks", "uninstall")
    assert hook.with_name("pre-commit.legacy").read_text(encoding="utf-8") == "#!/bin/sh\ntouch before\n"
    git("commit", "-q", "-m", "a note", cwd=workspace)


def test_lefthook_installed_over_our_hooks_is_told(workspace: Path, git: Git, memsite: Run) -> None:
    """It puts the hook that it finds aside, and runs it no more."""
    memsite("hooks", "install")
    (workspace / "lefthook.yml").write_text("pre-commit:\n  commands:\n    a: {run: touch ran}\n", encoding="utf-8")
    managed(workspace, "lefthook", "install")
    status = next(one for one in json.loads(memsite("hooks", "status", "--json").out) if one["hook"] == "pre-commit")
    assert status["state"] == "left alone"
    assert "lefthook, which put memsite's aside as pre-commit.old" in status["reason"]
