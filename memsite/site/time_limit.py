"""A stopped renderer: what takes more of the processor than one page may is ended, whatever it is made from.

The budgets of the parsers are counted, and hold everywhere alike; this is for what they do not foresee.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import ParamSpec, TypeVar

TEXT_SECONDS = 3.0
"""For one text of the memory. One of 1 MB takes less than a second on an ordinary machine."""
PAGE_SECONDS = 10.0
"""For all of a page."""
TICK = 0.05
"""Seconds of the processor's time by which all limits are measured: one timer, since setting one for each of the
thousands of texts cost a twentieth of a build."""
AGAIN = 2
"""Ticks until what went on in spite of it is stopped again."""
_P = ParamSpec("_P")
_T = TypeVar("_T")
_held = [0]


class StoppedError(BaseException):
    """The time is over. No `Exception`: a library would take it for one of its own, and go on."""


class _Clock:
    """The ticks of this process, and when each limit, from the outermost to the innermost, is reached."""

    def __init__(self) -> None:
        self.ticks = 0
        self.ends: list[int] = []
        self.is_running = False

    def tick(self, _number: int, _frame: object) -> None:
        """Stop what runs where the innermost limit, which is no later than the others, is reached."""
        self.ticks += 1
        if self.ends and not _held[0]:
            late = self.ticks - self.ends[-1]
            if late >= 0 and late % AGAIN == 0:
                raise StoppedError


_clock = _Clock()


class ticking:  # noqa: N801 - a context, as `time_limit` is
    """Keep the timer of all limits inside: setting it for each of thousands would cost more than most texts."""

    def __enter__(self) -> None:
        self._starts = not _clock.is_running and threading.current_thread() is threading.main_thread()
        if self._starts:
            _clock.is_running = True
            self._handler = signal.signal(signal.SIGVTALRM, _clock.tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def __exit__(self, *_: object) -> None:
        if self._starts:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self._handler)
            _clock.is_running = False


class time_limit:  # noqa: N801 - read as the function that it is to its callers
    """Raise StoppedError in what runs inside for more than `seconds` of the processor's time, give or take a tick.

    The processor's and not the clock's, so that the load of the machine changes no site. A limit within a limit ends
    no later than that. Python hears of signals in its main thread alone: in another one nothing is limited.
    """

    def __init__(self, seconds: float) -> None:
        self._ticks = math.ceil(seconds / TICK)
        self._limits = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        self._depth = len(_clock.ends)
        if self._limits:
            self._timer = ticking()
            end = _clock.ticks + self._ticks
            _clock.ends.append(min(end, _clock.ends[-1]) if _clock.ends else end)
            self._timer.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._limits:
            try:
                self._end()
            except StoppedError:  # it came when the end had begun
                self._end()
                raise

    def _end(self) -> None:
        del _clock.ends[self._depth :]  # with what a limit inside had no time to take away
        self._timer.__exit__()


def unstopped(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """The function, never stopped in its middle but behind it: it is bounded, and another program listens to it."""

    @wraps(function)
    def held(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        _held[0] += 1
        try:
            return function(*args, **kwargs)
        finally:
            _held[0] -= 1

    return held
