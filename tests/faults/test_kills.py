"""SIGKILL at any moment: nothing acknowledged is lost, nothing is there twice or by half."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.conftest import LONG, Check, go, kill, outcomes, worker

pytestmark = pytest.mark.faults
KILLS = 500 if LONG else 50
EACH = 20
"""Writes of one writer: so many that it is still writing when it is killed."""


@pytest.mark.parametrize("action", ["log", "consolidate"])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(
    workspace: Path, git: Git, check: Check, action: str
) -> None:
    moments = random.Random(7)
    acknowledged: list[str] = []
    possible: list[str] = []
    midway = 0
    pause = 0.05
    for number in range(KILLS // 2):
        name = f"k{number}"
        child = worker(workspace, action, name, EACH)
        go(child)
        said: list[tuple[str, int]] = []
        for _ in range(moments.randrange(4)):
            begun = time.monotonic()
            said.append(heard(child))
            pause = time.monotonic() - begun
        # Somewhere in the next write or the one after it, however slow the machine is just now.
        time.sleep(moments.uniform(0, 2 * pause))
        kill(child)
        said += outcomes(child)
        midway += len(said) < EACH
        acknowledged += [f"{name}-{entry}" for outcome, entry in said if outcome == "done"]
        possible += [f"{name}-{entry}" for entry in range(EACH)]
    # Else the moments are the wrong ones for this machine, and nothing is shown.
    assert acknowledged
    assert midway > KILLS // 10
    if action == "log":
        check(acknowledged, possible)
        return
    check([], possible, "log")
    assert_consolidations_are_whole(workspace, git, acknowledged)


def heard(child: subprocess.Popen[str]) -> tuple[str, int]:
    """What a writer says next."""
    assert child.stdout is not None
    outcome, number = child.stdout.readline().split()
    return outcome, int(number)


def assert_consolidations_are_whole(root: Path, git: Git, acknowledged: list[str]) -> None:
    """Generation, marker and index entry: all three in HEAD and on disk, or none."""
    files = git("ls-tree", "-r", "--name-only", "HEAD", "memory/consolidated", cwd=root).split()
    generations = {Path(path).name for path in files}
    index = git("show", "HEAD:memory/INDEX.md", cwd=root)
    note = git("show", "HEAD:memory/2025-03-20.md", cwd=root)
    assert {line.rsplit("/", 1)[1] for line in index.splitlines() if "/" in line} == generations
    markers = [line.split("/")[1].split(" ")[0] for line in note.splitlines() if "ARCHIVED" in line]
    assert sorted(markers) == sorted(generations)
    for one in acknowledged:
        name, number = one.split("-")
        assert f"{name}-gen{int(number) + 1}-2025-03-20.md" in generations
