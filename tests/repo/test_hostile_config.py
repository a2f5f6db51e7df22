"""A repository's own configuration, which whoever writes the workspace can write: what of it runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memsite.errors import MemsiteError
from memsite.repo.occupied import tracked_files
from tests.conftest import Git, Run

Ran = Callable[[], set[str]]
PROGRAMS = """
[core]
    fsmonitor = {run} fsmonitor
    hooksPath = {hooks}
    sshCommand = {run} ssh
    askPass = {run} askpass
    editor = {run} editor
    pager = {run} pager
    gitProxy = {run} proxy
    alternateRefsCommand = {run} alternates
    attributesFile = {attributes}
[pager]
    log = {run} pager
    ls-tree = {run} pager
[sequence]
    editor = {run} editor
[diff]
    external = {run} external
[diff "evil"]
    command = {run} diff
    textconv = {run} textconv
[merge "evil"]
    driver = {run} merge
[filter "evil"]
    clean = {run} filter
    smudge = {run} filter
[credential]
    helper = !{run} credential
[commit]
    gpgSign = true
[tag]
    gpgSign = true
[push]
    gpgSign = if-asked
[gpg]
    program = {run} gpg
[log]
    showSignature = true
[gc]
    auto = 1
    recentObjectsHook = {run} gc
[uploadpack]
    packObjectsHook = {run} packing
[trailer "evil"]
    command = {run} trailer
[alias]
    rev-parse = !{run} alias
    ls-tree = !{run} alias
    annotate = !{run} alias
[protocol "ext"]
    allow = always
[remote "evil"]
    url = ext::{run} ext
    fetch = +refs/heads/*:refs/remotes/evil/*
[branch "main"]
    remote = evil
    merge = refs/heads/main
"""
GENERATION = "# Blog - Generation {number} Consolidation\n\n## Summary\nIt {number} stands.\n"


@pytest.fixture
def ran(workspace: Path, tmp_path: Path, git: Git) -> Ran:
    """What of the configuration has run since it was asked last; `evil` attributes are on every file."""
    program, log = tmp_path / "canary", tmp_path / "ran"
    program.write_text(f'#!/bin/sh\necho "$1" >> {log}\n[ "$1" = filter ] && cat\nexit 0\n', encoding="utf-8")
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in (
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
        "post-checkout",
        "pre-push",
    ):
        (hooks / name).write_text(f"#!/bin/sh\n{program} hook-{name}\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    (tmp_path / "attributes").write_text("* diff=evil merge=evil\n", encoding="utf-8")
    with (workspace / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write(PROGRAMS.format(run=program, hooks=hooks, attributes=tmp_path / "attributes"))

    def since() -> set[str]:
        found = set(log.read_text(encoding="utf-8").split()) if log.is_file() else set()
        log.unlink(missing_ok=True)
        return found

    return since


@pytest.fixture
def memory(workspace: Path, git: Git) -> Path:
    """Two generations of a topic, committed before the configuration turned hostile."""
    folder = workspace / "memory" / "consolidated"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"blog-gen{number}-2025-03-2{number}.md").write_text(GENERATION.format(number=number))
    (workspace / "memory" / "2025-03-20.md").write_text("# 2025-03-20\n\nThe blog begins.\n", encoding="utf-8")
    git("add", "memory", cwd=workspace)
    git("commit", "-qm", "note: 2025-03-20", cwd=workspace)
    return workspace


def test_no_program_of_a_hostile_configuration_runs_but_what_is_said(
    memsite: Run, memory: Path, ran: Ran, git: Git
) -> None:
    assert git("config", "core.fsmonitor", cwd=memory)
    for command in (
        ["recall", "blog"],
        ["sessions"],
        ["history"],
        ["lineage", "blog"],
        ["diff", "blog", "1", "2"],
        ["blame", "blog"],
        ["check"],
        ["check", "--range", "HEAD~1..HEAD"],
        ["hooks", "status"],
        ["trust"],
        ["note", "remember this"],
        ["commit"],
        ["flush"],
        ["build", "--at", "HEAD"],
        ["publish", "--yes"],
        ["sync"],
    ):
        done = memsite(*command)
        assert done.code in ({1} if command == ["sync"] else {0, 1}), (command, done.err)
        assert ran() == set(), command
    assert "ext" in done.err, "the fetch was refused for its transport"


def test_a_filter_that_attributes_ask_for_runs_as_gits_own_commands_run_it(
    memsite: Run, memory: Path, ran: Ran
) -> None:
    """SECURITY says so: what git keeps in another form, a filter of the configuration makes."""
    (memory / ".gitattributes").write_text("*.md filter=evil\n", encoding="utf-8")
    assert memsite("recall", "blog").code == 0
    assert memsite("history").code == 0
    assert ran() == set()
    assert memsite("note", "remember this").code == 0
    assert ran() == {"filter"}


def test_a_bare_repository_that_came_with_the_memory_is_not_taken_for_one(
    memsite: Run, memory: Path, tmp_path: Path, git: Git, ran: Ran
) -> None:
    """Its folders are plain files to git: it travels in a commit, with a configuration of its own."""
    inner = memory / "memory" / "inner"
    git("init", "-q", "--bare", str(inner))
    with (inner / "config").open("a", encoding="utf-8") as config:
        config.write((memory / ".git" / "config").read_text(encoding="utf-8").partition("[core]\n    fsm")[2])
    (inner / "memory").mkdir()
    (inner / "memory" / "2025-03-21.md").write_text("# 2025-03-21\n", encoding="utf-8")
    with pytest.raises(MemsiteError, match="bare"):
        tracked_files(inner)
    for command in (["note", "x"], ["commit"], ["check"], ["recall", "blog"], ["build", "--no-commit", "-d", "../out"]):
        done = memsite(*command, cwd=inner)
        assert ran() == set(), command
        assert ("bare" in done.err, done.code) == (True, 1) or command[0] in {"recall", "check", "build"}, done.err


def test_a_work_tree_that_is_elsewhere_is_refused(memsite: Run, memory: Path, tmp_path: Path, git: Git) -> None:
    """`core.worktree` names a folder of its own choice: git would read and write there."""
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "memory").mkdir(parents=True)
    (elsewhere / "memory" / "private.md").write_text("outside\n", encoding="utf-8")
    git("config", "core.worktree", str(elsewhere), cwd=memory)
    for command in (["note", "x"], ["commit"], ["build"], ["sync"], ["flush"]):
        done = memsite(*command)
        assert (done.code, done.err.count("\n")) == (1, 1), command
        assert "work tree elsewhere" in done.err
        assert os.listdir(elsewhere / "memory") == ["private.md"]
