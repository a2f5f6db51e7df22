"""A program of the user's that answers on standard output: the command that writes a consolidation."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from memsite.errors import FormatError, RefusedError
from memsite.repo.gitcmd import git_environment

MOST_BYTES = 1_000_000
"""A longer answer is no consolidation."""
_HINT = "nothing was changed"


def run_program(command: str, given: bytes, *, cwd: Path, timeout: float) -> bytes:
    """Run a command line without a shell, `given` on its standard input; its standard output.

    Its standard error is the user's. After `timeout` seconds it is killed with all that it started. Raises FormatError
    for a command line that cannot be read, RefusedError when it is missing, fails, takes too long, or answers nothing.
    """
    words = _words(command)
    try:
        child = subprocess.Popen(
            words,
            cwd=cwd,
            env=git_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise RefusedError(f"cannot be run: {error.strerror or error}", where=words[0], hint=_HINT) from error
    try:
        answer, _ = child.communicate(given, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise RefusedError(f"took longer than {timeout:g} s", where=words[0], hint=f"{_HINT}; see --timeout") from error
    finally:
        _end(child)
    if child.returncode:
        raise RefusedError(f"ended with {child.returncode}", where=words[0], hint=_HINT)
    if not answer.strip() or len(answer) > MOST_BYTES:
        what = "answered nothing" if not answer.strip() else f"answered more than {MOST_BYTES} bytes"
        raise RefusedError(what, where=words[0], hint=_HINT)
    return answer


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise FormatError(f"{command!r} is no command line: {error}", hint="close the quotes") from error
    if not words:
        raise FormatError("the command is empty", hint="name a program that reads a brief and writes a body")
    return words


def _end(child: subprocess.Popen[bytes]) -> None:
    """End it and what it has started; nothing to do when it has ended by itself."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
