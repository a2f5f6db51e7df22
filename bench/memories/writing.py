"""From the story to a repository on disk, in one stream to `git fast-import`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath

from bench.memories.story import LAST, Commit, Story

NAME = "Ada <ada@example.org>"


@dataclass(frozen=True, slots=True)
class Made:
    """A memory on disk."""

    root: Path
    commits: int
    files: int
    """In the work tree."""


def make_memory(root: Path, *, days: int = 1000, seed: int = 1, last: date = LAST, every: int = 1) -> Made:
    """Make a memory of so many days, ending on `last`, in a folder that is empty or not there.

    With `every`, so many days lie between one and the next: few days, many years.

    The same arguments give the same commits. Raises FileExistsError when something is in the folder, and
    CalledProcessError when git fails.
    """
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise FileExistsError(f"{root} is not empty")
    _git(root, "init", "-q", "-b", "main")
    _git(root, "config", "user.name", "Ada")
    _git(root, "config", "user.email", "ada@example.org")
    files: set[PurePosixPath] = set()
    commits = 0
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        for commit in Story(days, seed, last, every):
            commits += 1
            files |= {path for path, data in commit.changes.items() if data is not None}
            files -= {path for path, data in commit.changes.items() if data is None}
            child.stdin.writelines(_stream(commit))
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, child.args)
    _git(root, "reset", "-q", "--hard", "main")
    return Made(root, commits, len(files))


def _stream(commit: Commit) -> Iterator[bytes]:
    offset = commit.at.strftime("%z")
    who = f"{NAME} {int(commit.at.timestamp())} {offset}"
    yield f"commit refs/heads/main\nauthor {who}\ncommitter {who}\n".encode()
    yield _data(f"{commit.message}\n".encode())
    for path, content in commit.changes.items():
        if content is None:
            yield f"D {path}\n".encode()
        else:
            yield f"M 100644 inline {path}\n".encode()
            yield _data(content)


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True)
