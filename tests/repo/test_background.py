"""Work that a hook leaves to a process of its own: it is not waited for, and it does not pile up."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from memsite.repo.background import one_at_a_time, start_detached


def test_a_detached_process_is_not_waited_for_and_has_a_session_of_its_own(tmp_path: Path) -> None:
    program = (
        f"import os, time; time.sleep(0.5); open({str(tmp_path / 'done')!r}, 'w').write(str(os.getsid(0))); print('x')"
    )
    start = time.monotonic()
    start_detached([sys.executable, "-c", program], cwd=tmp_path, log=tmp_path / "log")
    assert time.monotonic() - start < 0.5
    deadline = time.monotonic() + 30
    while not (tmp_path / "log").read_text(encoding="utf-8") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "log").read_text(encoding="utf-8") == "x\n"
    assert int((tmp_path / "done").read_text(encoding="utf-8")) != os.getsid(0)


def wait_until_locked(path: Path) -> None:
    deadline = time.monotonic() + 30
    with path.open("rb") as stream:
        while time.monotonic() < deadline:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(stream, fcntl.LOCK_UN)
            time.sleep(0.05)


def test_one_works_one_waits_and_the_others_have_nothing_to_do(tmp_path: Path) -> None:
    turns: list[bool] = []
    started, may_end = threading.Event(), threading.Event()

    def work(*, is_first: bool = False) -> None:
        with one_at_a_time(tmp_path, "settle") as is_turn:
            turns.append(is_turn)
            if is_first:
                started.set()
                may_end.wait(30)

    def work_once() -> None:
        is_turn = False
        while not is_turn:  # looking for the lock, as this test does, holds it for a moment
            with one_at_a_time(tmp_path, "settle") as is_turn:
                turns.extend([True] if is_turn else [])

    first = threading.Thread(target=work, kwargs={"is_first": True})
    first.start()
    assert started.wait(30)
    second = threading.Thread(target=work_once)
    second.start()
    wait_until_locked(tmp_path / "settle.waiting")
    work()
    assert turns == [True, False]
    may_end.set()
    first.join()
    second.join()
    assert turns == [True, False, True]
    work()
    assert turns[-1]


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys\n"
        "from memsite.repo.background import one_at_a_time\n"
        "with one_at_a_time(pathlib.Path(sys.argv[1]), 'settle'):\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == -9
    with one_at_a_time(tmp_path, "settle") as is_turn:
        assert is_turn
