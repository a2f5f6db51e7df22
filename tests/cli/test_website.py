"""`build` and `serve` as a user starts and stops them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from functools import partial
from pathlib import Path

import pytest

from tests.clients.waiting import wait_for
from tests.conftest import Run, free_port, no_survivor


def start(workspace: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "memsite", "-C", str(workspace), *arguments]
    return subprocess.Popen(command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def heeds(child: subprocess.Popen[str], number: signal.Signals) -> bool:
    """Whether a program has told the kernel what it does at a signal."""
    status = Path(f"/proc/{child.pid}/status").read_text(encoding="utf-8")
    caught = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught, 16) >> (number - 1) & 1)


@pytest.mark.parametrize("seconds", [0.5, 0.9, 1.3, 1.7])
def test_what_a_killed_build_leaves_does_not_bar_the_next_one(memsite: Run, workspace: Path, seconds: float) -> None:
    for number in range(1, 29):
        (workspace / "memory" / f"2025-03-{number:02}.md").write_text(f"note {number}\n", encoding="utf-8")
    memsite("commit")
    child = start(workspace, "build")
    time.sleep(seconds)
    child.kill()
    child.communicate()
    done = memsite("build")
    assert done.code == 0, done.err
    assert "note 28" in (workspace / "site" / "daily" / "2025-03-28" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["2205-03-20", "9999-12-31", "0001-01-01", "1969-12-31"])
def test_a_note_of_any_year_stops_no_build(memsite: Run, workspace: Path, name: str) -> None:
    (workspace / "memory" / f"{name}.md").write_text("a wrong year\n", encoding="utf-8")
    done = memsite("build")
    assert done.code == 0, done.err
    assert "a wrong year" in (workspace / "site" / "daily" / name / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_says_its_address_when_it_answers_and_ends_when_it_is_told(
    workspace: Path, number: signal.Signals
) -> None:
    (workspace / "memory" / "2025-03-20.md").write_text("served\n", encoding="utf-8")
    child = start(workspace, "serve", "--port", str(free_port()))
    with no_survivor(child):
        assert child.stdout is not None
        address = child.stdout.readline().split(" ")[0]
        for _ in range(50):
            try:
                with urllib.request.urlopen(f"{address}daily/2025-03-20/", timeout=10) as answer:
                    assert b"served" in answer.read()
                break
            except (ConnectionRefusedError, urllib.error.URLError):
                time.sleep(0.1)
        else:
            pytest.fail("serve said its address and did not answer for five seconds")
        child.send_signal(number)
        child.communicate(timeout=30)
        assert child.returncode in (0, 130)


def test_serve_ends_when_it_is_told_while_it_builds(workspace: Path) -> None:
    for number in range(1, 29):
        (workspace / "memory" / f"2025-03-{number:02}.md").write_text(f"note {number}\n", encoding="utf-8")
    for seconds in (0, 0.3, 0.7, 1.2):
        child = start(workspace, "serve", "--port", str(free_port()))
        with no_survivor(child):
            assert wait_for(partial(heeds, child, signal.SIGTERM))  # before, it is the interpreter's affair
            time.sleep(seconds)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
        assert child.returncode in (0, 130, -signal.SIGINT)


def test_a_session_that_was_logged_after_each_turn_is_one_item_of_the_history(memsite: Run, workspace: Path) -> None:
    turn = [{"role": "user", "content": "Let us begin the garden"}, {"role": "assistant", "content": "Begun."}]
    for turns in (1, 2, 3):
        memsite("log", "--session", "s1", stdin=json.dumps(turn * turns), now=f"2025-03-20T10:0{turns}")
        memsite("note", f"in between {turns}", now=f"2025-03-20T10:0{turns}")
    assert memsite("build").code == 0
    page = (workspace / "site" / "history" / "2025-03-20" / "index.html").read_text(encoding="utf-8")
    shown, folded = page.split('<details class="memsite-fold memsite-earlier">')
    assert shown.count("memsite-commit-session") == 1
    assert "2 earlier updates" in folded
    assert folded.count("memsite-commit-session") == 2
    assert page.count("memsite-commit-note") == 3
