"""The one seam to git: what takes too long is ended with all that it started, and is named."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from memsite.errors import GitError
from memsite.repo.gitcmd import git_child, run_git
from memsite.repo.objects import ObjectReader
from tests.conftest import Git

SLOW = "!sleep 300 & echo $$ $! > pids.new; mv pids.new pids; wait"
"""A git that starts a program, which starts another one, and waits."""


def lives(process: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process, 0)
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
        return state.stdout.strip()[:1] not in {"", "Z"}
    return False


def have_ended(processes: list[int]) -> bool:
    """Whether none lives: who is killed ends when the kernel gets to it, which may be later on a busy machine."""
    ends = time.monotonic() + 10
    while any(map(lives, processes)) and time.monotonic() < ends:
        time.sleep(0.02)
    return not any(map(lives, processes))


def started(root: Path) -> list[int]:
    """The processes that `SLOW` told of; none where it was ended before."""
    file = root / "pids"
    return [int(number) for number in file.read_text(encoding="ascii").split()] if file.exists() else []


def test_a_git_that_takes_too_long_is_ended_with_all_that_it_started(workspace: Path, git: Git) -> None:
    git("config", "alias.slow", SLOW, cwd=workspace)
    for timeout in (1.0, 4.0, 16.0):
        with pytest.raises(GitError, match=f"git slow took longer than {timeout:.0f} s"):
            run_git(["-c", "core.abbrev=9", "slow"], cwd=workspace, timeout=timeout)
        if started(workspace):
            break
    assert started(workspace)
    assert have_ended(started(workspace))


def test_so_is_one_that_is_talked_to(workspace: Path, git: Git) -> None:
    git("config", "alias.slow", SLOW, cwd=workspace)
    with git_child(["slow"], cwd=workspace, timeout=1.0) as talk:
        assert talk.read(1) == b""  # until it is ended
        assert talk.read_line() == b""
        with pytest.raises(BrokenPipeError):
            talk.say(b"HEAD\n")
    assert have_ended(started(workspace))


def test_one_that_is_talked_to_lives_however_long_we_take_ourselves(workspace: Path) -> None:
    with git_child(["cat-file", "--batch"], cwd=workspace, timeout=0.5) as talk:
        reader = ObjectReader(talk)
        assert reader.read("HEAD").kind == "commit"
        time.sleep(1.5)
        assert reader.read("HEAD").kind == "commit"


TRANSFER = """
import sys
from pathlib import Path
from memsite.errors import GitError
from memsite.repo.gitcmd import run_git
try:
    run_git(sys.argv[3:], cwd=Path(sys.argv[1]), timeout=float(sys.argv[2]), asks=True)
except GitError as error:
    print(error)
"""


def on_a_terminal(workspace: Path, timeout: float, *arguments: str, typed: str = "") -> str:
    """What a program with a terminal of its own says that runs a git which may ask there."""
    command = [sys.executable, "-c", TRANSFER, str(workspace), str(timeout), *arguments]
    begin = [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])", *command]
    done = subprocess.run(begin, input=typed, capture_output=True, text=True, timeout=100, check=True)
    return done.stdout


def test_a_transfer_can_ask_at_the_terminal(workspace: Path, git: Git) -> None:
    git("config", "alias.ask", "!read word < /dev/tty; echo $word > heard", cwd=workspace)
    on_a_terminal(workspace, 60.0, "ask", typed="open sesame\n")
    assert (workspace / "heard").read_text(encoding="utf-8") == "open sesame\n"


def test_a_transfer_that_takes_too_long_there_is_ended_with_all_that_it_started(workspace: Path, git: Git) -> None:
    git("config", "alias.slow", SLOW, cwd=workspace)
    for timeout in (1.0, 4.0, 16.0):
        assert "git slow took longer than" in on_a_terminal(workspace, timeout, "slow")
        if started(workspace):
            break
    assert started(workspace)
    assert have_ended(started(workspace))
