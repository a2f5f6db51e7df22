"""Child processes that are ended with all that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

GRACE = 2.0
"""Seconds in which a child that is to end can put its locks away, before it is killed."""


def run_child(
    command: Sequence[str | bytes],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes,
    timeout: float,
    keep: Collection[int] = (),
    asks: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end. Raises OSError when it cannot be started, TimeoutExpired after `timeout` seconds.

    It has a process group of its own, so that all it has started is ended with it. One that `asks` may read from the
    terminal, which the kernel grants to our own group alone; `keep` are descriptors that it inherits.
    """
    shared = asks and _has_terminal()
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=tuple(keep),
        process_group=None if shared else 0,
    ) as child:
        try:
            output, errors = child.communicate(stdin, timeout)
        except BaseException:  # an interrupt, too, ends it; it goes on its way
            end_child(child, shared=shared)
            raise
    return subprocess.CompletedProcess(command, child.returncode, output, errors)


class Patience:
    """Ends a child that lets us wait for longer than `seconds`; however long we take ourselves, it may live.

    Waiting is what happens inside of `with patience.waiting():`.
    """

    def __init__(self, child: subprocess.Popen[bytes], seconds: float) -> None:
        self._child, self._seconds = child, seconds
        self._since: float | None = None
        self._ended = Event()
        self._watcher = Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Patience:
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """While the child is to answer."""
        self._since = monotonic()
        try:
            yield
        finally:
            self._since = None

    def _watch(self) -> None:
        while not self._ended.wait(min(self._seconds / 4, 1.0)):
            since = self._since
            if since is not None and monotonic() - since > self._seconds:
                end_child(self._child)
                return


def end_child(child: subprocess.Popen[bytes], *, shared: bool = False) -> None:
    """End a child and what it has started: asked first, then killed. `shared`: it has no process group of its own."""
    started = tuple(_descendants(child.pid)) if shared else ()
    _send(child, signal.SIGTERM, shared=shared)
    with suppress(subprocess.TimeoutExpired):
        child.wait(GRACE)
    _send(child, signal.SIGKILL, shared=shared)
    for process in started:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, signal.SIGKILL)
    child.wait()


def _send(child: subprocess.Popen[bytes], number: signal.Signals, *, shared: bool) -> None:
    if shared:
        child.send_signal(number)
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, number)


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have."""
    command = ["ps", "-A", "-o", "pid=,ppid="]
    listing = subprocess.run(command, capture_output=True, check=False)  # no path: it is not the same everywhere
    children: dict[int, list[int]] = {}
    for line in listing.stdout.splitlines():
        own, parent = map(int, line.split())
        children.setdefault(parent, []).append(own)
    found = list(children.get(process, ()))
    for one in found:
        found += children.get(one, ())
    yield from found


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True
