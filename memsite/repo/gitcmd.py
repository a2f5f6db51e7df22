"""The one seam to the git child: a scrubbed environment, a fixed set of overrides, a timeout, one kind of error."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from memsite.errors import GitError
from memsite.repo.child import Child, Done, TooSlowError, has_terminal

TIMEOUT = 120.0
"""Seconds after which a git child is given up. None of ours talks to a network except through `sync`."""

# A git hook inherits GIT_DIR, GIT_INDEX_FILE and more, set for *its* repository; a `git -c` adds GIT_CONFIG_PARAMETERS.
# Under them, work in another repository drops files from its HEAD. So nothing named GIT_* passes but these, which say
# who the user is and where their own configuration, programs and credentials are.
PASSED = frozenset(
    {
        "GIT_ASKPASS",
        "GIT_CEILING_DIRECTORIES",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_EXEC_PATH",
        "GIT_PROXY_COMMAND",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH",
    }
)

_FIXED = {
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}

# What in a configuration would run programs, colour our input or let a power cut take a commit back. Who writes the
# workspace can write `.git/config`, and a folder that git would take for a bare repository, with a configuration in it.
OVERRIDES = (
    "protocol.ext.allow=never",
    "safe.bareRepository=explicit",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.fsync=committed,reference",
    "core.fsyncMethod=fsync",
    "core.quotePath=false",
    "color.ui=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "log.showSignature=false",
    "user.useConfigOnly=true",
)
_NO_FOLDER = 128
"""How git ends where it cannot go, among other things."""
_VALUED = frozenset({"-c", "-C"})
"""Options of git's own that take the next word."""
_COMMAND = ("git", *(part for override in OVERRIDES for part in ("-c", override)))


def git_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a git child: the process's own without foreign `GIT_*`, then ours, then `extra`."""
    inherited = {name: value for name, value in os.environ.items() if name in PASSED or not name.startswith("GIT_")}
    return {**inherited, **_FIXED, **(extra or {})}


def run_git(
    args: Sequence[str | bytes],
    *,
    cwd: Path,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    accept: Collection[int] = (0,),
    keep: Collection[int] = (),
    asks: bool = False,
) -> bytes:
    """Run `git args` in `cwd` and return its standard output.

    Raises GitError when git is missing, takes too long, or ends with a code that is not in `accept`; the error's text
    is the first line that git wrote to its standard error. `keep` are descriptors that the child inherits: with our
    lock among them, the lock outlives a killed memsite for as long as its child still writes. One that `asks` can have
    the user's terminal: for a transfer, ssh wants a passphrase.
    """
    with start_git(args, cwd=cwd, stdin=stdin, env=env, timeout=timeout, keep=keep, asks=asks) as git:
        return git.answer(accept)


def failure(args: Sequence[str | bytes], done: Done, cwd: Path) -> GitError:
    """What is to be said of a git that failed."""
    return GitError(_reason(done.stderr) or f"git {_name(args)} ended with {done.returncode}", where=cwd)


def try_git(
    args: Sequence[str | bytes],
    *,
    cwd: Path,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    keep: Collection[int] = (),
    asks: bool = False,
) -> Done:
    """As `run_git`, for those who want to see how it ended and all that it said."""
    with start_git(args, cwd=cwd, stdin=stdin, env=env, timeout=timeout, keep=keep, asks=asks) as git:
        return git.finish()


class RunningGit:
    """A git at work. As a context: it does not outlive it."""

    def __init__(self, child: Child, args: Sequence[str | bytes], cwd: Path, timeout: float) -> None:
        self._child, self._args, self._cwd, self._timeout = child, args, cwd, timeout

    def __enter__(self) -> RunningGit:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.__exit__()

    def tell(self, data: bytes) -> None:
        """All that it is to read, for one that was started before that was known."""
        self._child.give(data)

    def answer(self, accept: Collection[int] = (0,)) -> bytes:
        """Its standard output, when it has ended. Raises GitError as `run_git`."""
        done = self.finish()
        if done.returncode not in accept:
            raise failure(self._args, done, self._cwd)
        return done.stdout

    def finish(self) -> Done:
        """How it ended. Raises GitError when it takes too long."""
        try:
            done = self._child.finish(self._timeout)
        except TooSlowError as error:
            hint = "it was ended, and all that it had started"
            problem = f"git {_name(self._args)} took longer than {self._timeout:.0f} s"
            raise GitError(problem, where=self._cwd, hint=hint) from error
        if done.returncode == _NO_FOLDER and not self._cwd.is_dir():
            raise _missing(self._cwd)
        return done


def start_git(
    args: Sequence[str | bytes],
    *,
    cwd: Path,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    keep: Collection[int] = (),
    asks: bool = False,
    is_told: bool = True,
) -> RunningGit:
    """As `run_git`, without waiting: several that do not need one another's answers work at the same time.

    One that is not told yet gets ready meanwhile, and reads what `tell` gives it.
    """
    child = _start(args, cwd, env=env, keep=keep, shares=asks and has_terminal())
    if is_told:
        child.give(stdin or b"")
    return RunningGit(child, args, cwd, timeout)


class Conversation:
    """A git child to talk to through pipes. One that lets us wait for too long is ended, and says nothing more."""

    def __init__(self, child: Child, timeout: float) -> None:
        self._child, self._timeout = child, timeout
        self._heard = b""

    def say(self, data: bytes) -> None:
        """Raises BrokenPipeError when it has ended."""
        if self._child.returncode is not None:
            raise BrokenPipeError
        try:
            self._child.write(data, self._timeout)
        except TooSlowError as error:
            self._child.end()
            raise BrokenPipeError from error

    def read_line(self) -> bytes:
        """The next line; cut off, or empty, where it ends."""
        while b"\n" not in self._heard and self._hear():
            pass
        line, end, self._heard = self._heard.partition(b"\n")
        return line + end

    def read(self, size: int) -> bytes:
        """So many bytes; fewer where it ends."""
        pieces, missing = [self._heard], size - len(self._heard)
        self._heard = b""
        while missing > 0 and self._hear():
            pieces.append(self._heard)
            missing -= len(self._heard)
            self._heard = b""
        whole = b"".join(pieces)
        self._heard = whole[size:]
        return whole[:size]

    def _hear(self) -> bool:
        if self._child.returncode is not None:
            return False
        try:
            piece = self._child.read(self._timeout)
        except TooSlowError:
            self._child.end()
            return False
        self._heard += piece
        return bool(piece)


@contextmanager
def git_child(args: Sequence[str], *, cwd: Path, timeout: float = TIMEOUT) -> Iterator[Conversation]:
    """A git child to talk to, ended with the block, or when it lets us wait for `timeout` seconds. However long we take
    ourselves, it may live."""
    with _start(args, cwd, hears=False) as child:
        yield Conversation(child, timeout)
        child.leave()


def _start(
    args: Sequence[str | bytes],
    cwd: Path,
    *,
    env: Mapping[str, str] | None = None,
    keep: Collection[int] = (),
    shares: bool = False,
    hears: bool = True,
) -> Child:
    command: list[str | bytes] = [*_COMMAND, "-C", str(cwd), *args]
    try:
        return Child(command, env=git_environment(env), keep=keep, shares=shares, hears=hears)
    except FileNotFoundError as error:
        raise _missing(cwd) from error


def _missing(cwd: Path) -> GitError:
    if not cwd.is_dir():
        return GitError("is no folder", where=cwd)
    return GitError("git is not installed", hint="install git 2.36 or newer")


def _name(args: Sequence[str | bytes]) -> str:
    """The command among git's arguments: behind its own options and their values."""
    words = iter(map(os.fsdecode, args))
    for word in words:
        if word in _VALUED:
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def _reason(stderr: bytes) -> str:
    lines = [line.strip() for line in stderr.decode("utf-8", "replace").splitlines()]
    told = [line for line in lines if line.startswith(("fatal:", "error:"))] or [line for line in lines if line]
    return told[0].removeprefix("fatal: ").removeprefix("error: ") if told else ""
