"""Many writers at once, and a user who works in the same repository."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.conftest import Git
from tests.faults.conftest import LONG, Check, go, outcomes, worker

pytestmark = pytest.mark.faults
PROCESSES, ENTRIES = 32, 10


def test_entries_of_many_processes_are_all_there_once(workspace: Path, git: Git, check: Check) -> None:
    children = [worker(workspace, "log", f"w{number}", ENTRIES) for number in range(PROCESSES)]
    for child in children:
        go(child)
    for child in children:
        assert outcomes(child) == [("done", number) for number in range(ENTRIES)]
    names = [f"w{number}-{entry}" for number in range(PROCESSES) for entry in range(ENTRIES)]
    assert len(git("log", "--format=%H", "--grep=^session:", cwd=workspace).split()) == len(names)
    check(names, [])


@pytest.mark.parametrize("action", ["log", "note"])
def test_a_user_who_commits_in_a_loop_loses_nothing(workspace: Path, git: Git, check: Check, action: str) -> None:
    total, width = (400, 16) if LONG else (200 if action == "log" else 40, 8)
    children = [worker(workspace, action, f"w{number}", total // width) for number in range(width)]
    (workspace / "staged.txt").write_text("staged by the user\n", encoding="utf-8")
    user = _User(workspace, git)
    user.start()
    for child in children:
        go(child)
    said = [outcomes(child) for child in children]
    user.stop()
    names = [f"w{number}-{entry}" for number in range(width) for entry in range(total // width)]
    assert [one for lines in said for one in lines if one[0] == "failed"] == []
    assert user.errors == []
    assert user.count > 2
    # Each commit of the user's holds their file and nothing else; each of ours holds ours.
    touched = git("log", "--author=Ada", "--grep=^user", "--format=", "--name-only", cwd=workspace).split()
    assert set(touched) == {"user.txt"}
    assert len(touched) == user.count
    for kind in ("session:", "note:"):
        assert "user.txt" not in git("log", f"--grep=^{kind}", "--format=", "--name-only", cwd=workspace)
    (workspace / "staged.txt").unlink()
    check(names, [], action)


class _User(threading.Thread):
    """`git add` and `git commit`, over and over; what git cannot lock is tried again, as people do."""

    def __init__(self, root: Path, git: Git) -> None:
        super().__init__()
        self._root, self._git, self._end = root, git, threading.Event()
        self.count = 0
        self.errors: list[str] = []

    def run(self) -> None:
        while not self._end.is_set():
            (self._root / "user.txt").write_text(f"{self.count}\n", encoding="utf-8")
            self._until_done("add", "user.txt")
            self._until_done("commit", "-q", "-m", f"user {self.count}", "--", "user.txt")
            self.count += 1

    def stop(self) -> None:
        self._end.set()
        self.join()

    def _until_done(self, *arguments: str) -> None:
        from subprocess import CalledProcessError

        for _ in range(500):
            try:
                self._git(*arguments, cwd=self._root)
            except CalledProcessError as error:
                if "index.lock" not in error.stderr and "cannot lock ref" not in error.stderr:
                    self.errors.append(error.stderr)
                    return
            else:
                return
        self.errors.append("never got the lock")
