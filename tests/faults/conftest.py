"""What the fault tests share: writers in processes of their own, and the questions asked after every accident."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from memsite.repo.workspace import open_workspace
from tests.conftest import Git
from tests.faults.worker import PLANNERS, write

WORKER = Path(__file__).with_name("worker.py")
REPOSITORY = Path(__file__).parents[2]
LONG = bool(os.environ.get("MEMSITE_TEST_LONG"))
"""The full profile; without it the short one of CI runs."""


def worker(root: Path, action: str, name: str, count: int, prefix: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Start a writer; it waits until it is told to go."""
    return subprocess.Popen(
        [*prefix, sys.executable, str(WORKER), str(root), action, name, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        start_new_session=True,
    )


def kill(child: subprocess.Popen[str]) -> None:
    """SIGKILL for a writer and every git that it has started."""
    # Each git of memsite's has a process group of its own; the session is the worker's.
    listing = subprocess.run(["ps", "-o", "pid=", "-s", str(child.pid)], capture_output=True, text=True, check=False)
    for process in sorted(map(int, listing.stdout.split()), key=lambda process: process != child.pid):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def write_here(root: Path, action: str, name: str) -> str:
    """What becomes of one write in this very process: for those that nobody disturbs."""
    return write(open_workspace(root), PLANNERS[action](name, 0))


def go(child: subprocess.Popen[str]) -> None:
    """Wait until a writer is ready, and let it write."""
    assert child.stdin is not None
    assert child.stdout is not None
    while "ready" not in (line := child.stdout.readline()):
        assert line, child.stderr.read() if child.stderr else ""
    child.stdin.write("\n")
    child.stdin.flush()


def outcomes(child: subprocess.Popen[str]) -> list[tuple[str, int]]:
    """What a writer said until it ended."""
    with child:
        assert child.stdout is not None
        lines = child.stdout.read().split("\n")
    return [(line.split()[0], int(line.split()[1])) for line in lines if re.fullmatch(r"(done|kept|failed) \d+", line)]


def run_worker(root: Path, action: str, name: str, count: int, prefix: Sequence[str] = ()) -> list[tuple[str, int]]:
    """A writer from start to end."""
    child = worker(root, action, name, count, prefix)
    try:
        go(child)
    except (AssertionError, BrokenPipeError):
        kill(child)
        with suppress(BrokenPipeError):  # what it was told and did not read
            if child.stdin:
                child.stdin.close()
    return outcomes(child)


Check = Callable[..., None]


@pytest.fixture
def check(workspace: Path, git: Git) -> Check:
    """`check(acknowledged, possible)`: after the next run, is everything there, once, and is git sound?"""

    def run(acknowledged: Iterable[str], possible: Iterable[str], action: str = "log") -> None:
        assert write_here(workspace, action, "after") == "done"
        head = git("grep", "-h", "", "HEAD", "--", "memory", cwd=workspace) if action else ""
        count = Counter(re.findall(r"(?:id=|^- )([a-z]+\d*-\d+)\b", head, re.MULTILINE))
        assert {name: count[name] for name in acknowledged if count[name] != 1} == {}
        assert {name: number for name, number in count.items() if number > 1} == {}
        assert set(count) <= {*acknowledged, *possible, "after-0"}
        _sound(workspace, git)

    return run


def _sound(root: Path, git: Git) -> None:
    git("fsck", "--strict", "--no-dangling", cwd=root)
    assert git("status", "--porcelain", "-uall", cwd=root) == ""
    assert not [name for _, _, names in os.walk(root / "memory") for name in names if name.startswith(".")]
    assert not list((root / ".git" / "memsite" / "spool").glob("*"))
    before = git("rev-parse", "HEAD^{tree}", cwd=root)
    (root / "users.txt").write_text(before, encoding="utf-8")
    git("add", "users.txt", cwd=root)
    git("commit", "-qm", "the user's", cwd=root)
    assert git("show", "--format=", "--name-only", cwd=root) == "users.txt\n"
