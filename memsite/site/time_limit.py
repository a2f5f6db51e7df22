"""A stopped renderer: what takes more of the processor than one page may is ended, whatever it is made from.

The budgets of the parsers are counted, and hold everywhere alike; this is for what they do not foresee.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

TEXT_SECONDS = 3.0
"""For one text of the memory. One of 1 MB takes less than a second on an ordinary machine."""
PAGE_SECONDS = 10.0
"""For all of a page."""
AGAIN = 0.1
"""Seconds until what went on in spite of it is stopped again."""
_LEAST = 0.001
_P = ParamSpec("_P")
_T = TypeVar("_T")
_held = [0]


class StoppedError(BaseException):
    """The time is over. No `Exception`: a library would take it for one of its own, and go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise StoppedError in what runs inside for more than `seconds` of the processor's time.

    The processor's and not the clock's, so that the load of the machine changes no site. A limit within a limit ends
    no later than that. Python hears of signals in its main thread alone: in another one nothing is limited.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGVTALRM, _stop)
    left, again = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    before = os.times().user

    def end() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_VIRTUAL, max(left - (os.times().user - before), _LEAST), again)

    try:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, min(seconds, left or seconds), AGAIN)
            yield
        finally:
            end()
    except StoppedError:  # it may have come when the end had begun
        end()
        raise


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


def _stop(_number: int, _frame: object) -> None:
    if not _held[0]:
        raise StoppedError
