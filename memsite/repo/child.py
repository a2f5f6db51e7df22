"""Child processes that are ended with all that they have started; several may work at the same time.

`subprocess` does more and costs more: loading it takes as long as two of git's answers, and `log` asks git seven times.
"""

from __future__ import annotations

import os
import select
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from time import monotonic, sleep

from memsite.values import dataclass

try:  # `signal` makes enumerations of all that the system has: half a millisecond
    from _signal import (  # type: ignore[import-not-found]
        SIG_DFL,
        SIG_IGN,
        SIGCHLD,
        SIGKILL,
        SIGPIPE,
        SIGTERM,
        SIGXFSZ,
        getsignal,
        signal,
    )
except ImportError:
    from signal import SIG_DFL, SIG_IGN, SIGCHLD, SIGKILL, SIGPIPE, SIGTERM, SIGXFSZ, getsignal, signal

GRACE = 2.0
"""Seconds in which a child that is to end can put its locks away, before it is killed."""
_PIECE = 65_536
_PAUSE, _LONGEST_PAUSE = 0.0005, 0.02
_LOST = 255
"""The exit code of a child that somebody else has waited for: whatever it did, nobody may say that it did it."""
_NOT_IGNORED = (SIGPIPE, SIGXFSZ, SIGCHLD)
"""Signals that a child hears whoever started us: Python ignores two, and who ignores the third hands that on."""


NO_PROCESS = "cannot be started: the limit of processes is reached (`ulimit -u`, or that of the container)"
"""What the system calls temporarily unavailable."""


class TooSlowError(Exception):
    """A child did not do in time what it was waited for."""


@dataclass(frozen=True, slots=True)
class Done:
    """How a child ended, and what it said."""

    returncode: int
    stdout: bytes
    stderr: bytes


class Child:
    """A child at work. It has pipes, and a process group of its own, so that all it has started is ended with it.

    One that `shares` our group may read from the terminal, which the kernel grants to that group alone; `keep` are
    descriptors that it inherits. Raises OSError when it cannot be started. As a context: it does not outlive it.
    """

    def __init__(
        self,
        command: list[str | bytes],
        *,
        env: Mapping[str, str],
        keep: Collection[int] = (),
        shares: bool = False,
        hears: bool = True,
    ) -> None:
        self.returncode: int | None = None
        self._shares = shares
        self._rest = memoryview(b"")
        ours, theirs = _open_pipes(hears=hears)
        self._in, self._out, self._err = ours
        try:
            self._pid = _spawn(command, env, theirs, keep, shares=shares)
        except BaseException:  # it is nobody's any more; the error goes on its way
            self._close()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self.returncode is None:
            self.end()

    def give(self, data: bytes) -> None:
        """What it is to read, and no more: as much of it as its pipe takes now, the rest in `finish`."""
        self._rest = memoryview(data)
        self._feed()

    def finish(self, timeout: float) -> Done:
        """Wait for its end. Raises TooSlowError after `timeout` seconds; then, and when interrupted, it is ended."""
        end = monotonic() + timeout
        try:
            output, errors = self._exchange(end)
            self._wait(end)
        except BaseException:  # an interrupt, too, ends it; it goes on its way
            self.end()
            raise
        self._close()
        return Done(self._code(), output, errors)

    def write(self, data: bytes, timeout: float) -> None:
        """Write to its standard input, which stays open. Raises BrokenPipeError, TooSlowError."""
        rest, end = memoryview(data), monotonic() + timeout
        while rest:
            _await(end, self._in, select.POLLOUT)
            with suppress(BlockingIOError):
                rest = rest[os.write(self._in, rest) :]

    def read(self, timeout: float) -> bytes:
        """The next piece of its standard output; empty at the end. Raises TooSlowError."""
        _await(monotonic() + timeout, self._out, select.POLLIN)
        return os.read(self._out, _PIECE)

    def leave(self) -> None:
        """It is told that nothing more comes, and has a moment to end by itself."""
        self._close()
        with suppress(TooSlowError):
            self._wait(monotonic() + GRACE)

    def end(self) -> None:
        """End it and what it has started: asked first, then killed."""
        self._close()
        started = tuple(_descendants(self._pid)) if self._shares else ()
        self._send(SIGTERM)
        with suppress(TooSlowError):
            self._wait(monotonic() + GRACE)
        self._send(SIGKILL)
        for process in started:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, SIGKILL)
        if self.returncode is None:
            self._look(0)

    def _exchange(self, end: float) -> tuple[bytes, bytes]:
        said: dict[int, list[bytes]] = {self._out: [], self._err: []}
        streams = list(said)
        waiting = select.poll()
        for stream in streams:
            waiting.register(stream, select.POLLIN)
        if self._in >= 0:
            waiting.register(self._in, select.POLLOUT)
        while streams or self._in >= 0:
            for stream, _ in _poll(waiting, end):
                if stream not in said:
                    waiting.unregister(stream)
                    if self._feed():
                        waiting.register(stream, select.POLLOUT)
                elif piece := os.read(stream, _PIECE):
                    said[stream].append(piece)
                else:
                    waiting.unregister(stream)
                    streams.remove(stream)
        return b"".join(said[self._out]), b"".join(said[self._err])

    def _feed(self) -> bool:
        """Give it what its pipe takes; whether there is more to give. One that reads no more is given no more."""
        try:
            while self._rest:
                self._rest = self._rest[os.write(self._in, self._rest) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            pass
        os.close(self._in)
        self._in = -1
        return False

    def _wait(self, end: float) -> None:
        """Raises TooSlowError."""
        if self._has_ended():
            return
        with suppress(AttributeError, OSError):  # not every system can be asked for this
            descriptor = os.pidfd_open(self._pid)
            try:
                _await(end, descriptor, select.POLLIN)
            finally:
                os.close(descriptor)
        pause = _PAUSE
        while not self._has_ended():
            if monotonic() > end:
                raise TooSlowError
            sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _has_ended(self) -> bool:
        if self.returncode is None:
            self._look(os.WNOHANG)
        return self.returncode is not None

    def _look(self, options: int) -> None:
        try:
            process, status = os.waitpid(self._pid, options)
        except ChildProcessError:
            self.returncode = _LOST
        else:
            if process:
                self._note(status)

    def _note(self, status: int) -> None:
        self.returncode = os.waitstatus_to_exitcode(status)

    def _code(self) -> int:
        return -1 if self.returncode is None else self.returncode

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if not self._shares:
                os.killpg(self._pid, number)  # what it has started may live, when it does not
            elif self.returncode is None:
                os.kill(self._pid, number)

    def _close(self) -> None:
        for descriptor in (self._in, self._out, self._err):
            if descriptor >= 0:
                os.close(descriptor)
        self._in = self._out = self._err = -1


def has_terminal() -> bool:
    """Whether a person could be asked something."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True


def _open_pipes(*, hears: bool) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Our ends and the child's of its input, output and errors; errors that nobody `hears` lead nowhere."""
    in_theirs, in_ours = os.pipe()
    out_ours, out_theirs = os.pipe()
    err_ours, err_theirs = os.pipe() if hears else (-1, os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))
    os.set_blocking(in_ours, False)
    return (in_ours, out_ours, err_ours), (in_theirs, out_theirs, err_theirs)


def _spawn(
    command: list[str | bytes],
    env: Mapping[str, str],
    streams: tuple[int, int, int],
    keep: Collection[int],
    *,
    shares: bool,
) -> int:
    if getsignal(SIGCHLD) == SIG_IGN:  # the system would forget how children ended
        with suppress(ValueError):  # only the main thread may say so
            signal(SIGCHLD, SIG_DFL)
    actions = [(os.POSIX_SPAWN_DUP2, descriptor, place) for place, descriptor in enumerate(streams)]
    for descriptor in keep:
        os.set_inheritable(descriptor, True)
    try:
        if shares:
            return os.posix_spawnp(command[0], command, env, file_actions=actions, setsigdef=_NOT_IGNORED)
        return os.posix_spawnp(command[0], command, env, file_actions=actions, setsigdef=_NOT_IGNORED, setpgroup=0)
    except BlockingIOError as error:
        raise BlockingIOError(error.errno, NO_PROCESS, error.filename) from error
    finally:
        for descriptor in keep:
            os.set_inheritable(descriptor, False)


def _await(end: float, descriptor: int, event: int) -> None:
    waiting = select.poll()
    waiting.register(descriptor, event)
    _poll(waiting, end)


def _poll(waiting: select.poll, end: float) -> list[tuple[int, int]]:
    """What is ready; never nothing. Raises TooSlowError."""
    ready = waiting.poll(max(end - monotonic(), 0) * 1000)
    if not ready:
        raise TooSlowError
    return ready


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have."""
    import subprocess  # what hardly ever happens costs nothing

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
