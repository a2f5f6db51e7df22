"""The one seam to the git child: a scrubbed environment, a fixed set of overrides, a timeout, one kind of error."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from memsite.errors import GitError
from memsite.repo.child import Patience, run_child

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
    done = try_git(args, cwd=cwd, stdin=stdin, env=env, timeout=timeout, keep=keep, asks=asks)
    if done.returncode not in accept:
        raise failure(args, done, cwd)
    return done.stdout


def failure(args: Sequence[str | bytes], done: subprocess.CompletedProcess[bytes], cwd: Path) -> GitError:
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
) -> subprocess.CompletedProcess[bytes]:
    """As `run_git`, for those who want to see how it ended and all that it said."""
    command, settings = [*_COMMAND, *args], git_environment(env)
    try:
        return run_child(command, cwd=cwd, env=settings, stdin=stdin or b"", timeout=timeout, keep=keep, asks=asks)
    except FileNotFoundError as error:
        raise _missing(cwd) from error
    except subprocess.TimeoutExpired as error:
        hint = "it was ended, and all that it had started"
        raise GitError(f"git {_name(args)} took longer than {timeout:.0f} s", where=cwd, hint=hint) from error


@contextmanager
def git_child(
    args: Sequence[str], *, cwd: Path, timeout: float = TIMEOUT
) -> Iterator[tuple[subprocess.Popen[bytes], Patience]]:
    """A git child to talk to through pipes, ended with the block, or when it lets us wait for `timeout` seconds."""
    try:
        child = subprocess.Popen(
            [*_COMMAND, *args],
            cwd=cwd,
            env=git_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
    except FileNotFoundError as error:
        raise _missing(cwd) from error
    with Patience(child, timeout) as patience, child:
        yield child, patience


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
