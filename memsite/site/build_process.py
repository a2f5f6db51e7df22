"""A process beside the preview's server that builds: it has no threads, so that all cores can make pages for it."""

from __future__ import annotations

import gc
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from memsite.site.crew import cores

_END = b"\0"
"""Behind what was said of a build."""
_SHOWN = b"\1"
"""Before it, when pages can be looked at."""
_SIGNS = {0: "\ufffd", 1: "\ufffd"}
Build = Callable[[Callable[[], None]], str]
"""A build: told whom to tell when pages can be looked at, it returns what is wrong, or nothing."""


class BuildProcess:
    """Builds when it is asked to, with all that was read before it began; where processes cannot be forked safely, the
    asking one builds.

    `end` has to be called.
    """

    def __init__(self, build: Build) -> None:
        self._build = build
        self._process = 0
        if cores() > 1:
            self._ours, theirs = socket.socketpair()
            self._process = os.fork()
            if not self._process:
                self._ours.close()
                _serve(theirs, build)
            theirs.close()

    def build(self, shown: Callable[[], None]) -> str:
        """Build once; what is wrong, or nothing."""
        if self._process:
            try:
                self._ours.sendall(_END)
                return _read_answer(self._ours, shown)
            except OSError:  # it was killed; so are its builds, which leave nothing that is wrong
                self.end()
        problem = self._build(shown)
        gc.collect()
        return problem

    def end(self) -> None:
        """End the process, in the middle of a build as well."""
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0
            self._ours.close()


def _read_answer(stream: socket.socket, shown: Callable[[], None]) -> str:
    said = b""
    while not said.endswith(_END):
        piece = stream.recv(65536)
        if not piece:
            raise BrokenPipeError
        if piece.startswith(_SHOWN) and not said:
            shown()
        said += piece.removeprefix(_SHOWN)
    return said[: -len(_END)].decode("utf-8", "surrogateescape")


def _serve(stream: socket.socket, build: Build) -> NoReturn:
    """Be the process, until the other one has ended. An interrupt is its affair."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while stream.recv(1):
            problem = build(lambda: stream.sendall(_SHOWN)).translate(_SIGNS).encode("utf-8", "surrogateescape")
            stream.sendall(problem + _END)
            gc.collect()  # nobody waits, and while a site is built hardly any garbage is looked for
    finally:
        os._exit(0)
