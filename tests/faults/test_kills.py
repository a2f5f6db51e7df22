"""SIGKILL at any moment: nothing acknowledged is lost, nothing is there twice or by half."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.conftest import LONG, Check, go, outcomes, worker

pytestmark = pytest.mark.faults
KILLS = 500 if LONG else 50


@pytest.mark.parametrize("action", ["log", "consolidate"])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(
    workspace: Path, git: Git, check: Check, action: str
) -> None:
    moments = random.Random(7)
    acknowledged: list[str] = []
    possible: list[str] = []
    for kill in range(KILLS // 2):
        name = f"k{kill}"
        child = worker(workspace, action, name, 3)
        go(child)
        time.sleep(moments.uniform(0, 0.15))
        child.kill()
        said = outcomes(child)
        acknowledged += [f"{name}-{number}" for outcome, number in said if outcome == "done"]
        possible += [f"{name}-{number}" for number in range(3)]
    if action == "log":
        check(acknowledged, possible)
        return
    check([], possible, "log")
    assert_consolidations_are_whole(workspace, git, acknowledged)


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
