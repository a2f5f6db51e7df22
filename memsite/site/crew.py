"""Work shared by several processes, on machines with more than one core.

The others are forks: they have all that was read, and what they make is a function of it, so that nobody can tell who
made what. A fork that fails is forgotten, and its share done here, where what is wrong is raised.
"""

from __future__ import annotations

import fcntl
import gc
import mmap
import os
import pickle
import signal
import struct
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import IO, Any, Generic, TypeVar

from memsite.site.facts import Legacy
from memsite.values import dataclass

MOST = 4
"""Processes. Each needs memory for what it makes."""
FEWEST = 24
"""Jobs for which a second process is worth its start."""
MANY = 1000
"""Jobs from which on neighbours are worth more than equal shares."""
SHARE = 8
"""Jobs that a process takes at a time: neighbours, which read the same."""
_NUMBER = struct.Struct("=i")
R = TypeVar("R")


def cores() -> int:
    """How many processes can work at the same time; 1 where processes cannot be forked safely."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1  # a fork has no other threads, but the locks that they held
    return min(len(os.sched_getaffinity(0)), MOST)


def do_all(
    jobs: int,
    do: Callable[[int], R],
    *,
    within: Callable[[], AbstractContextManager[object]] = nullcontext,
    told: Callable[[int], None] = lambda _done: None,
    legacy: Legacy | None = None,
    processes: int | None = None,
    fewest: int = FEWEST,
    keep: Callable[[int, R], R] = lambda _number, result: result,
) -> list[R]:
    """`do(number)` for each number below `jobs`, in order; what it returns is pickled.

    `within` is entered by each process around its share. `told` hears how many are done. What the other processes leave
    is that of `legacy`. Fewer jobs than `fewest` are all done here. This process
    alone is asked what to `keep` of a result, as soon as it has it. Raises what `do` raises.
    """
    wanted = (cores() if processes is None else processes) if jobs >= fewest else 1
    done: dict[int, R] = {}
    with _frozen():
        if wanted > 1:
            with _Crew(jobs, do, keep, within, legacy or Legacy(), wanted - 1) as crew:
                crew.work(done, told)
                crew.gather(done)
        missing = [number for number in range(jobs) if number not in done]
        if missing:
            with within():
                for number in missing:
                    done[number] = keep(number, do(number))
                    told(len(done))
    return [done[number] for number in range(jobs)]


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[None]:
    """Around what is done while another process does some work, of which nothing is wanted here but what it writes.

    Where there is one core it is done first. What fails there is done here at the end, where it raises what it raises.
    """
    if cores() == 1:
        work()
        yield
        return
    with _frozen():
        process = _fork(work)
    try:
        yield
    finally:
        failed = process.wait()
    if failed:
        work()


@contextmanager
def _frozen() -> Iterator[None]:
    """All that there is, kept out of the collector's way: it is wanted to the end, and processes share its memory
    while nobody writes there, as the collector does.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@dataclass
class _Process:
    """Another process, which ends when this one does, however that is."""

    id: int
    lifeline: int
    """Our end of a pipe that has nothing in it."""

    def wait(self) -> int:
        """Its exit code, once it has ended."""
        _, status = os.waitpid(self.id, 0)
        os.close(self.lifeline)
        return os.waitstatus_to_exitcode(status)


@dataclass
class _Mate:
    """A process that takes jobs."""

    process: _Process
    results: IO[bytes]


class _Crew(Generic[R]):
    """Processes that take numbers from one pipe until it is empty."""

    def __init__(
        self,
        jobs: int,
        do: Callable[[int], R],
        keep: Callable[[int, R], R],
        within: Callable[[], AbstractContextManager[object]],
        legacy: Legacy,
        mates: int,
    ) -> None:
        self._jobs, self._do, self._keep, self._within, self._legacy = jobs, do, keep, within, legacy
        # A pipe holds 65,536 bytes. Of few jobs each process takes one at a time: some take as long as all others.
        self._share = max(SHARE, jobs // 4096) if jobs > MANY else 1
        self._counts = mmap.mmap(-1, _NUMBER.size * mates)
        self._taken, give = os.pipe()
        os.write(give, b"".join(map(_NUMBER.pack, range(0, jobs, self._share))))
        os.close(give)
        self._mates: list[_Mate] = []
        self._wanted = mates

    def __enter__(self) -> _Crew[R]:
        for number in range(self._wanted):
            results = tempfile.TemporaryFile()
            self._mates.append(_Mate(_fork(partial(self._serve, number, results)), results))
        return self

    def __exit__(self, *_: object) -> None:
        for mate in self._mates:  # after a fault of ours, or when interrupted
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(mate.process.id, signal.SIGKILL)
                mate.process.wait()
            mate.results.close()
        os.close(self._taken)
        self._counts.close()

    def _numbers(self) -> Iterator[int]:
        while taken := os.read(self._taken, _NUMBER.size):
            start = _NUMBER.unpack(taken)[0]
            yield from range(start, min(start + self._share, self._jobs))

    def work(self, done: dict[int, R], told: Callable[[int], None]) -> None:
        """Our own share."""
        with self._within():
            for number in self._numbers():
                done[number] = self._keep(number, self._do(number))
                told(len(done) + sum(count for (count,) in _NUMBER.iter_unpack(self._counts[:])))

    def gather(self, done: dict[int, R]) -> None:
        """What the others have done, once they have ended; nothing of those that failed."""
        while self._mates:
            failed = self._mates[-1].process.wait()
            with self._mates.pop().results as results:
                if not failed:
                    results.seek(0)
                    self._legacy.take(self._take(results, done))

    def _take(self, results: IO[bytes], done: dict[int, R]) -> Any:
        """What another process has done, one after the other; what it leaves is returned."""
        found = _read(results)
        for one in found:
            if one is None:
                break
            number, result = one
            done[number] = self._keep(number, result)
        return next(found)

    def _serve(self, place: int, results: IO[bytes]) -> None:
        """Be one of the others."""
        with self._within():
            for count, number in enumerate(self._numbers(), start=1):
                pickle.dump((number, self._do(number)), results)
                _NUMBER.pack_into(self._counts, place * _NUMBER.size, count)
        pickle.dump(None, results)
        pickle.dump(self._legacy.leave(), results)
        results.flush()


def _fork(work: Callable[[], object]) -> _Process:
    """Another process that does this; nothing of what the first one would do at its end is done there."""
    first = os.getpid()
    theirs, ours = os.pipe()
    process = os.fork()
    if process:
        os.close(theirs)
        return _Process(process, ours)
    status = 1
    try:
        os.close(ours)
        _end_with(first, theirs)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process is interrupted, and ends us
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        work()
        status = 0
    finally:
        os._exit(status)


def _end_with(first: int, lifeline: int) -> None:
    """End at once when the first process is killed: the kernel closes its end of the pipe, and signals ours. What it
    began must not be written to by anybody else then."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if os.getppid() != first:
        os._exit(1)


def _read(results: IO[bytes]) -> Iterator[Any]:
    while True:
        try:
            yield pickle.load(results)  # noqa: S301 - written by our own fork into a file that nobody else has
        except EOFError:
            return
