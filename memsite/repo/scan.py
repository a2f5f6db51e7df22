"""The files of a memory folder on disk, each read without following a link out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from memsite.errors import UnsafePathError
from memsite.repo.membership import Membership
from memsite.safety.paths import read_below
from memsite.values import dataclass

LARGEST = 100 * 1024 * 1024
"""Bytes. No page can show more, and the usual hosts refuse such a file."""
TOO_LARGE = "is larger than 100 MB"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Content:
    """What a regular file has in it, and how it looked from outside before it was read."""

    data: bytes
    status: os.stat_result | None = None
    """None of a file that was reached through a link."""


@dataclass(frozen=True, slots=True)
class Known:
    """A file that was not read: what it has in it is known by how it looks from outside."""

    blob: str


Found = tuple[str, Content | Known | str]
"""A workspace path, surrogates in the place of bytes that are not UTF-8, and its content or why it cannot be had."""
FindKnown = Callable[[str, os.stat_result], str | None]
"""The blob of a regular file by its workspace path, where that is known without reading it."""


def scan_files(root: Path, members: Membership, find_known: FindKnown = lambda _name, _status: None) -> Iterator[Found]:
    """Everything that belongs to the memory of a workspace, in no particular order."""
    for path in sorted(members.include):
        if not path.is_relative_to(members.memory) and os.path.lexists(root / path):
            yield str(path), _read(root, path, members)
    yield from _Scan(root, members, find_known).files()


class _Scan:
    """A walk over the memory folder, each folder and file opened below the one before it."""

    def __init__(self, root: Path, members: Membership, find_known: FindKnown) -> None:
        self._root, self._members, self._find_known = root, members, find_known

    def files(self) -> Iterator[Found]:
        """Every file."""
        memory = self._members.memory
        folder = self._root / memory
        if folder.is_symlink():
            yield str(memory), "is a symbolic link, and links are not followed"
            return
        try:
            descriptor = os.open(folder, _FOLDER)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            yield str(memory), _reason(error)
            return
        try:
            yield from self._folder(descriptor, str(memory), 0)
        finally:
            os.close(descriptor)

    def _folder(self, descriptor: int, folder: str, depth: int) -> Iterator[Found]:
        try:
            names = os.listdir(descriptor)
        except OSError as error:
            yield folder, _reason(error)
            return
        above = "" if folder == "." else f"{folder}/"
        for name in names:
            if not self._members.skips(name, depth):
                yield from self._entry(descriptor, name, above + name, depth)

    def _entry(self, descriptor: int, name: str, path: str, depth: int) -> Iterator[Found]:
        try:
            status = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                below = os.open(name, _FOLDER, dir_fd=descriptor)
                try:
                    yield from self._folder(below, path, depth + 1)
                finally:
                    os.close(below)
            elif stat.S_ISREG(status.st_mode):
                known = self._find_known(path, status)
                yield path, _file(descriptor, name, status) if known is None else Known(known)
            else:
                yield path, _read(self._root, PurePosixPath(path), self._members)
        except FileNotFoundError:
            # Deleted between the two calls: then it is not there.
            return
        except OSError as error:
            yield path, _reason(error)


def _file(descriptor: int, name: str, status: os.stat_result) -> Content | str:
    if status.st_size > LARGEST:
        return TOO_LARGE
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=descriptor)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return "is no regular file"
        return Content(_read_all(file, status.st_size), status)
    finally:
        os.close(file)


def _read_all(file: int, size: int) -> bytes:
    """What is in an open file of about that size: for thousands of small ones a file object takes half of the time."""
    pieces = []
    while piece := os.read(file, size + 1):
        pieces.append(piece)
    return b"".join(pieces)


def _read(root: Path, path: PurePosixPath, members: Membership) -> Content | str:
    """A file that may be a link; one to another file of the memory is read as that."""
    whole = root / path
    target = path
    with suppress(OSError):
        if whole.is_symlink():
            real = PurePosixPath(os.path.realpath(whole))
            reason = _why_not(real, root, members)
            if reason:
                return reason
            target = real.relative_to(root)
    try:
        if (root / target).lstat().st_size > LARGEST:
            return TOO_LARGE
        return Content(read_below(root, target))
    except UnsafePathError as error:
        return error.problem
    except OSError as error:
        return _reason(error)


def _why_not(real: PurePosixPath, root: Path, members: Membership) -> str:
    if not real.is_relative_to(root) or not members.has(real.relative_to(root)):
        return "is a symbolic link out of the memory"
    if not os.path.lexists(real):
        return "is a symbolic link to nothing"
    if Path(real).is_symlink():
        return "is a symbolic link in a circle"
    return "is a symbolic link to a folder" if Path(real).is_dir() else ""


def _reason(error: OSError) -> str:
    return f"cannot be read: {(error.strerror or str(error)).lower()}"
