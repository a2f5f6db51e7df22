"""A person edits INDEX.md while memsite does: no edit of either is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from memsite.errors import ConflictError
from memsite.memory.changeset import Changeset, Write
from memsite.memory.index_edit import touch_topic
from memsite.memory.names import parse_date
from memsite.repo.pending import commit_pending
from memsite.repo.transaction import Reader, transact
from memsite.repo.workspace import open_workspace
from tests.conftest import Git
from tests.faults.conftest import LONG

pytestmark = pytest.mark.faults
RACES = 500 if LONG else 50
FIRST = date(2020, 1, 1)
NOW = datetime(2025, 3, 20, 10, tzinfo=UTC)
INDEX = (
    "# Memory Index\n\nmood: aaaa\n\n## Projects\n- **blog**\n  - Dates: [2019-12-31]\n"
    "- **garden**\n  - Dates: []\n\n## Mine\n"
)
PERSON = r"""
import os, random, sys, time
path, count = sys.argv[1], int(sys.argv[2])

def same(descriptor):
    try:
        return os.fstat(descriptor).st_ino == os.stat(path).st_ino
    except FileNotFoundError:
        return False

def write(position, data):
    # An editor that saves in place; when the file was replaced under its hands it says so, and the person saves again.
    while True:
        flags = os.O_WRONLY | (os.O_APPEND if position is None else 0)
        descriptor = os.open(path, flags)
        try:
            if position is None:
                os.write(descriptor, data)
            else:
                os.pwrite(descriptor, data, position)
            if same(descriptor):
                return
        finally:
            os.close(descriptor)
        if position is None and data in open(path, 'rb').read():
            return

print('ready', flush=True)
sys.stdin.readline()
for number in range(count):
    write(None, b'- a line of mine %d.\n' % number)
    write(22, b'%04d' % number)
    time.sleep(random.uniform(0, 0.05))
print('done', flush=True)
"""


def test_a_person_and_memsite_edit_the_index_at_once(workspace: Path, git: Git) -> None:
    path = workspace / "memory/INDEX.md"
    path.write_text(INDEX, encoding="utf-8")
    assert INDEX[22:26] == "aaaa"
    opened = open_workspace(workspace)
    commit_pending(opened, now=NOW)
    index = opened.config.index_path
    command = [sys.executable, "-c", PERSON, str(path), str(RACES)]
    acknowledged: list[date] = []
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as person:
        assert person.stdin is not None
        assert person.stdout is not None
        assert person.stdout.readline() == "ready\n"
        person.stdin.write("\n")
        person.stdin.flush()
        for number in range(RACES):
            day = FIRST + timedelta(days=number)

            def plan(reader: Reader, day: date = day) -> tuple[Changeset, ...]:
                old = reader.read(index)
                new = touch_topic(old, "blog" if day.day % 2 else "garden", [day], config=opened.config)
                return (Changeset((Write(index, old, new),), f"index: {day}"),)

            try:
                transact(opened, plan, now=NOW)
            except ConflictError:
                continue  # said to the user, who runs it again
            acknowledged.append(day)
        assert person.stdout.read() == "done\n"
    text = path.read_text(encoding="utf-8")
    assert [number for number in range(RACES) if text.count(f"- a line of mine {number}.\n") != 1] == []
    assert f"mood: {RACES - 1:04d}\n" in text
    dates = {parse_date(part.strip()) for part in text.replace("[", ",").replace("]", ",").split(",")}
    assert set(acknowledged) - dates == set()
    assert len(acknowledged) > RACES * 0.9
    commit_pending(opened, now=NOW)
    assert git("status", "--porcelain", cwd=workspace) == ""
    assert git("show", "HEAD:memory/INDEX.md", cwd=workspace) == text
