"""The files of a memory folder on disk, each read without following a link out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from memsite.errors import UnsafePathError
from memsite.repo.membership import Membership
from memsite.safety.paths import read_below

LARGEST = 100 * 1024 * 1024
"""Bytes. No page can show more, and the usual hosts refuse such a file."""
TOO_LARGE = "is larger than 100 MB"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Found = tuple[PurePosixPath, bytes | str]
"""A workspace path, surrogates in the place of bytes that are not UTF-8, and its bytes or why they cannot be had."""


def scan_files(root: Path, members: Membership) -> Iterator[Found]:
    """Everything that belongs to the memory of a workspace, in no particular order."""
    for path in sorted(members.include):
        if not path.is_relative_to(members.memory) and os.path.lexists(root / path):
            yield path, _read(root, path, members)
    yield from _memory(root, members)


def _memory(root: Path, members: Membership) -> Iterator[Found]:
    folder = root / members.memory
    if folder.is_symlink():
        yield members.memory, "is a symbolic link, and links are not followed"
        return
    try:
        descriptor = os.open(folder, _FOLDER)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield members.memory, _reason(error)
        return
    try:
        yield from _folder(descriptor, root, members.memory, members, 0)
    finally:
        os.close(descriptor)


def _folder(descriptor: int, root: Path, folder: PurePosixPath, members: Membership, depth: int) -> Iterator[Found]:
    try:
        names = os.listdir(descriptor)
    except OSError as error:
        yield folder, _reason(error)
        return
    for name in names:
        if members.skips(members.memory, name, depth):
            continue
        yield from _entry(descriptor, root, folder / name, members, depth)


def _entry(descriptor: int, root: Path, path: PurePosixPath, members: Membership, depth: int) -> Iterator[Found]:
    try:
        kind = os.stat(path.name, dir_fd=descriptor, follow_symlinks=False)
        if stat.S_ISDIR(kind.st_mode):
            below = os.open(path.name, _FOLDER, dir_fd=descriptor)
            try:
                yield from _folder(below, root, path, members, depth + 1)
            finally:
                os.close(below)
        elif stat.S_ISREG(kind.st_mode):
            yield path, _file(descriptor, path.name, kind.st_size)
        else:
            yield path, _read(root, path, members)
    except FileNotFoundError:
        # Deleted between the two calls: then it is not there.
        return
    except OSError as error:
        yield path, _reason(error)


def _file(descriptor: int, name: str, size: int) -> bytes | str:
    if size > LARGEST:
        return TOO_LARGE
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, dir_fd=descriptor)
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return "is no regular file"
        return opened.read()


def _read(root: Path, path: PurePosixPath, members: Membership) -> bytes | str:
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
        return read_below(root, target)
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
