"""Work that outlives the hook that started it: an agent or a person who commits does not wait for it."""

from __future__ import annotations

import fcntl
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from memsite.repo.gitcmd import git_environment

_TURNS = ("waiting", "working")
_LONGEST_TURN = 300.0
_PAUSE = 0.05


def start_detached(command: Sequence[str], *, cwd: Path, log: Path) -> None:
    """Start a program in a session of its own, its output appended to `log`; do not wait for it.

    Raises OSError when the program cannot be started.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        child = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=git_environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    child.returncode = 0  # nobody waits for it: this says so to the interpreter, which would warn


@contextmanager
def one_at_a_time(folder: Path, name: str) -> Iterator[bool]:
    """Yield True when it is this process's turn: at most one works and one waits for it, whatever is started.

    Yields False when another one waits already, or the working one takes longer than five minutes: all that is there by
    now will be seen by it. The kernel lets go of both locks when a process dies.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        places = [os.open(folder / f"{name}.{kind}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666) for kind in _TURNS]
        for descriptor in places:
            held.callback(os.close, descriptor)
        waiting, working = places
        if not _lock(waiting, 0) or not _lock(working, _LONGEST_TURN):
            yield False
            return
        fcntl.flock(waiting, fcntl.LOCK_UN)
        yield True


def _lock(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE)
        else:
            return True
