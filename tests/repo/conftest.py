"""Fixtures of the repository room: an opened workspace, a fixed time, and a hostile git configuration on request."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

import pytest

from memsite.memory.changeset import Append, Changeset, Write
from memsite.repo.transaction import Committed, transact
from memsite.repo.workspace import Workspace, open_workspace
from tests.conftest import Git

NOW = datetime(2025, 3, 20, 10, 30, tzinfo=UTC)
NOTE = PurePosixPath("memory/2025-03-20.md")

HOSTILE = """
[commit]
    gpgsign = true
    template = {home}/template
[tag]
    gpgsign = true
[gpg]
    program = /bin/false
[core]
    autocrlf = {autocrlf}
    safecrlf = true
    quotePath = true
    hooksPath = {hooks}
    attributesFile = {home}/attributes
    pager = /bin/false
    editor = /bin/false
[color]
    ui = always
[diff]
    external = /bin/false
    noprefix = true
    renames = copies
    mnemonicPrefix = true
[log]
    showSignature = true
    decorate = full
    date = relative
    follow = true
[format]
    pretty = oneline
[status]
    short = true
[i18n]
    logOutputEncoding = ISO-8859-1
[init]
    templateDir = {home}/templates
[user]
    useConfigOnly = true
"""


@pytest.fixture(autouse=True)
def git_configuration(sealed_environment: Path) -> None:
    """With MEMSITE_TEST_GIT=hostile memsite meets settings, in every test of this room, that break porcelain."""
    if os.environ.get("MEMSITE_TEST_GIT") == "hostile":
        write_hostile_configuration(sealed_environment, hooks=False)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """The user's git. It does not have the hostile settings: what a user does in a test must work."""

    def run(*arguments: str, cwd: Path = tmp_path, **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=cwd,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, **environment},
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        return done.stdout

    return run


def write_hostile_configuration(home: Path, *, autocrlf: str = "input", hooks: bool = True) -> None:
    """Settings and hooks that fail whatever obeys them."""
    folder = home / "hooks"
    settings = HOSTILE.format(home=home, autocrlf=autocrlf, hooks=folder)
    if not hooks:
        settings = settings.replace(f"    hooksPath = {folder}\n", "")
    (home / ".gitconfig").write_text(settings, encoding="utf-8")
    (home / "template").write_text("a template\n", encoding="utf-8")
    folder.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg", "prepare-commit-msg", "reference-transaction", "post-index-change"):
        hook = folder / name
        hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
        hook.chmod(0o755)


@pytest.fixture
def ws(workspace: Path) -> Workspace:
    """The shared workspace, opened."""
    return open_workspace(workspace)


def append(path: PurePosixPath | str, text: str, header: str = "") -> Changeset:
    """A changeset of one Append."""
    return Changeset((Append(PurePosixPath(path), text.encode(), header.encode()),), f"note: {text.strip()[:40]}")


def write(path: PurePosixPath | str, old: str | None, text: str, message: str = "index: edit") -> Changeset:
    """A changeset of one Write."""
    before = None if old is None else old.encode()
    return Changeset((Write(PurePosixPath(path), before, text.encode()),), message)


def commit(ws: Workspace, *changesets: Changeset, now: datetime = NOW) -> tuple[Committed, ...]:
    """Transact changesets that were planned before."""
    return transact(ws, lambda _: changesets, now=now)


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Files as an agent writes them: nothing of memsite's."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


Show = Callable[[str], str]


@pytest.fixture
def show(workspace: Path, git: Git) -> Show:
    """A file as HEAD has it: `show("memory/x.md")`."""
    return lambda path: git("show", f"HEAD:{path}", cwd=workspace)
