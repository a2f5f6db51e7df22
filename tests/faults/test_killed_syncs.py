"""SIGKILL in the middle of a `sync`: the next run of any command finishes it or takes it back, and nothing is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memsite.repo.pending import commit_pending
from memsite.repo.transaction import transact
from memsite.repo.workspace import open_workspace
from tests.conftest import Git
from tests.faults.conftest import LONG
from tests.faults.worker import log_planner
from tests.repo.conftest import NOW, write_files
from tests.repo.test_sync import PROGRAM, Machine, clean, clone

pytestmark = pytest.mark.faults
STEP = 1 if LONG else 9
"""Every git child of the full profile, every so-many-th of the short one."""
GIT = shutil.which("git")
KILLER = f"""#!/bin/sh
# The git that kills: at its KILL_AT-th start, memsite and itself before or after the work, or memsite alone.
echo >> "$KILL_COUNT"
number=$(wc -l < "$KILL_COUNT")
# Each git of memsite's has a process group of its own; the session is the same.
kill_all() {{ kill -9 $(ps -o pid= -s "$(ps -o sid= -p $$ | tr -d ' ')"); }}
[ "$number" -eq "$KILL_AT" ] || exec {GIT} "$@"
case $KILL_HOW in
before) kill_all ;;
parent) kill -9 $PPID ;;
after) {GIT} "$@"; kill_all ;;
esac
exec {GIT} "$@"
"""
AFTER = ("sync", "log", "commit", "the user's commit")
"""What comes next, before the sync that must succeed."""


@pytest.fixture
def killer(tmp_path: Path) -> Path:
    folder = tmp_path / "killer"
    write_files(folder, {"git": KILLER})
    (folder / "git").chmod(0o755)
    return folder


def interrupted_sync(machine: Machine, killer: Path, at: int, how: str) -> int:
    """A sync that is killed at its so-many-th git; how many there were."""
    count = killer / "count"
    count.write_bytes(b"")
    environment = {**os.environ, "PATH": f"{killer}{os.pathsep}{os.environ['PATH']}", "KILL_AT": str(at)}
    environment |= {"KILL_HOW": how, "KILL_COUNT": str(count)}
    command = [sys.executable, str(PROGRAM), "-C", str(machine.root), "--now", NOW.isoformat(), "sync"]
    subprocess.run(command, env=environment, capture_output=True, start_new_session=True, check=False)
    return count.read_bytes().count(b"\n")


@pytest.fixture
def template(git: Git, workspace: Path) -> Path:
    """Two machines that have each done something since they were in step, and their remote."""
    git("init", "-q", "--bare", "-b", "main", "remote.git")
    remote = workspace.parent / "remote.git"
    git("remote", "add", "origin", "../remote.git", cwd=workspace)
    ada = Machine(open_workspace(workspace))
    code = {"code.py": "1\n2\n3\n4\n5\n", "gone.py": "x\n", ".gitignore": "/other.txt.swp\n"}
    write_files(workspace, {**code, "memory/2025-03-20.md": "# 2025-03-20\n\nBegun.\n"})
    ada.index("blog", 20)
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "begun", cwd=workspace)
    git("push", "-q", "-u", "origin", "main", cwd=workspace)
    grace = clone(git, remote, "grace")
    git("remote", "set-url", "origin", "../remote.git", cwd=grace.root)
    write_files(workspace, {"code.py": "one\n2\n3\n4\n5\n", "new/a.py": "a\n"})
    git("rm", "-q", "gone.py", cwd=workspace)
    git("add", "-A", cwd=workspace)
    git("commit", "-qm", "one", cwd=workspace)
    write_files(grace.root, {"code.py": "1\n2\n3\n4\nfive\n"})
    git("commit", "-qam", "five", cwd=grace.root)
    for machine, name in ((ada, "ada"), (grace, "grace")):
        machine.log(name)
        machine.note(f"By {name}.")
        machine.consolidate("blog", name, 21)
    ada.sync()
    return workspace.parent


def copied(template: Path, number: int) -> Machine:
    """Grace's machine and the remote, as they were."""
    place = template / f"try{number}"
    for name in ("grace", "remote.git"):
        shutil.copytree(template / name, place / name, symlinks=True)
    subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=place / "grace", check=False)
    return Machine(open_workspace(place / "grace"))


def do(machine: Machine, action: str, git: Git) -> None:
    """What comes after the accident. None of it may be refused."""
    if action == "log":
        assert transact(machine.ws, log_planner("after", 0), now=NOW)
    elif action == "commit":
        commit_pending(machine.ws, now=NOW)
    elif action != "sync" and not (machine.root / ".git/index.lock").exists():
        write_files(machine.root, {"other.txt": "the user's\n"})
        git("add", "other.txt", cwd=machine.root)
        git("commit", "-qm", "the user's", cwd=machine.root)


def assert_whole(machine: Machine, git: Git, action: str) -> None:
    """Both machines' work is here and there, each once, and git has nothing to say."""
    assert git("status", "--porcelain", cwd=machine.root) == ""
    assert git("rev-parse", "HEAD", cwd=machine.root) == git("rev-parse", "main", cwd=machine.root / "../remote.git")
    assert machine.read("code.py") == "one\n2\n3\n4\nfive\n"
    assert (machine.root / "new/a.py").exists()
    assert not (machine.root / "gone.py").exists()
    log, note = machine.read("memory/sessions/2025-03-25.md"), machine.read("memory/2025-03-25.md")
    assert [log.count(f"id={name}") for name in ("ada", "grace")] == [1, 1]
    assert [note.count(f"By {name}.") for name in ("ada", "grace")] == [1, 1]
    assert machine.generations() == ["blog-gen1-2025-03-21.md", "blog-gen2-2025-03-21.md"]
    if action == "log":
        assert git("grep", "-h", "id=after-0", "HEAD", cwd=machine.root).count("\n") == 1
    left = {path.name for path in (machine.root / ".git").iterdir() if "memsite" in path.name or "lock" in path.name}
    assert left <= {"memsite", "memsite.lock"}
    assert not [
        path for path in (machine.root / ".git/memsite").iterdir() if path.name.startswith(("merging-", "merge-"))
    ]
    git("fsck", "--strict", "--no-dangling", cwd=machine.root)
    clean(machine)


@pytest.mark.parametrize("how", ["before", "after", "parent"])
def test_a_sync_killed_at_any_git_is_finished_or_taken_back(template: Path, git: Git, killer: Path, how: str) -> None:
    count = interrupted_sync(copied(template, 0), killer, 0, how)
    assert count > 30
    for number, at in enumerate(range(1 + len(how) % STEP, count + 1, STEP), start=1):
        machine = copied(template, number)
        interrupted_sync(machine, killer, at, how)
        action = AFTER[number % len(AFTER)]
        try:
            do(machine, action, git)
            machine.sync()
            assert_whole(machine, git, action)
        except BaseException as error:
            error.add_note(f"killed {how} git {at}, then: {action}")
            raise
        shutil.rmtree(template / f"try{number}")
