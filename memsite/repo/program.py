"""A program of the user's that answers on standard output: the command that writes a consolidation."""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from memsite.errors import FormatError, RefusedError
from memsite.memory.generation_body import MAX_BODY_BYTES
from memsite.repo.gitcmd import git_environment

_HINT = "nothing was changed"
_PIECE = 65_536


def run_apart(words: Sequence[str], given: bytes, *, timeout: float) -> bytes:
    """As `run_program`, in an empty folder, where a program finds neither settings nor modules of the workspace."""
    with tempfile.TemporaryDirectory(prefix="memsite-") as empty, tempfile.TemporaryDirectory(prefix="memsite-") as own:
        # Python believes a compiled file by its source's time and size: one put beside a script would run unseen.
        return run_program(words, given, cwd=Path(empty), timeout=timeout, env={"PYTHONPYCACHEPREFIX": own})


def run_program(
    words: Sequence[str], given: bytes, *, cwd: Path, timeout: float, env: Mapping[str, str] | None = None
) -> bytes:
    """Run a program without a shell, `given` on its standard input; its standard output.

    Its standard error is the user's; `env` is added to its environment. After `timeout` seconds it is killed with all
    that it started. Raises RefusedError when it is missing, fails, takes too long, or answers nothing.
    """
    try:
        child = subprocess.Popen(
            list(words),
            cwd=cwd,
            env=git_environment(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise RefusedError(f"cannot be run: {error.strerror or error}", where=words[0], hint=_HINT) from error
    giver = threading.Thread(target=_give, args=(child, given), daemon=True)
    giver.start()
    try:
        answer = _hear(child, time.monotonic() + timeout)
    except subprocess.TimeoutExpired as error:
        raise RefusedError(f"took longer than {timeout:g} s", where=words[0], hint=f"{_HINT}; see --timeout") from error
    finally:
        _end(child)
        giver.join()
    if len(answer) > MAX_BODY_BYTES:
        raise RefusedError(f"answered more than {MAX_BODY_BYTES} bytes", where=words[0], hint=_HINT)
    if child.returncode:
        raise RefusedError(f"ended with {child.returncode}", where=words[0], hint=_HINT)
    if not answer.strip():
        raise RefusedError("answered nothing", where=words[0], hint=_HINT)
    return answer


def _hear(child: subprocess.Popen[bytes], end: float) -> bytes:
    """What it answers until it ends, or until that is too long: it need not end by itself.

    `end` is a time of the monotonic clock. Raises TimeoutExpired.
    """
    assert child.stdout is not None  # noqa: S101 - it was started with a pipe
    answer = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while len(answer) <= MAX_BODY_BYTES:
            if not selector.select(max(end - time.monotonic(), 0)):
                raise subprocess.TimeoutExpired(child.args, 0)
            piece = os.read(child.stdout.fileno(), _PIECE)
            if not piece:
                child.wait(max(end - time.monotonic(), 0))
                break
            answer += piece
    return bytes(answer)


def _give(child: subprocess.Popen[bytes], given: bytes) -> None:
    """Write to its standard input; it need not read that."""
    if child.stdin:
        with suppress(OSError), child.stdin as stream:
            stream.write(given)


def split_command(command: str) -> list[str]:
    """A command line as words. Raises FormatError for one that cannot be read."""
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
        child.wait()
    if child.stdout:
        child.stdout.close()
