"""Files below a folder, and no others: no `..`, no symbolic link on the way, nothing but regular files opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath

from memsite.errors import UnsafePathError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def _parts_of(relative: PurePosixPath) -> tuple[str, ...]:
    if relative.is_absolute() or ".." in relative.parts:
        raise UnsafePathError("leads out of its folder", where=ascii(str(relative)), hint="use a path below it")
    if "\0" in str(relative):
        raise UnsafePathError("has a NUL in its name", where=ascii(str(relative)), hint="rename it")
    return relative.parts


def _link_error(relative: PurePosixPath, part: str) -> UnsafePathError:
    return UnsafePathError(
        f"{part!r} is a symbolic link, and links are not followed",
        where=ascii(str(relative)),
        hint="put a file or a folder in its place",
    )


def _is_link(name: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return False


def confine(root: Path, relative: PurePosixPath) -> Path:
    """Where `relative` lies below `root`, whether it exists or not. `root` itself may be reached through links.

    Raises UnsafePathError when the path leaves `root` or a link stands anywhere on it. What is checked here can be
    swapped afterwards: to open a file, use `open_below`.
    """
    path = root
    for part in _parts_of(relative):
        path = path / part
        if path.is_symlink():
            raise _link_error(relative, part)
    if os.path.commonpath((root, path)) != os.path.commonpath((root,)):
        raise UnsafePathError("leads out of its folder", where=ascii(str(relative)), hint="use a path below it")
    return path


def _open_in(folder: int, part: str, flags: int, mode: int, relative: PurePosixPath) -> int:
    try:
        return os.open(part, flags, mode, dir_fd=folder)
    except OSError as error:
        # ELOOP, ENOTDIR or EMLINK, by system: ask what stands there rather than which number came back.
        if _is_link(part, folder):
            raise _link_error(relative, part) from error
        raise


@contextmanager
def _folder_of(root: Path, relative: PurePosixPath) -> Iterator[tuple[int, str]]:
    """The descriptor of the last folder on the path, and the name in it; each step is taken without following."""
    *folders, name = _parts_of(relative) or (".",)
    current = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folders:
            below = _open_in(current, part, _FOLDER, 0, relative)
            os.close(current)
            current = below
        yield current, name
    finally:
        os.close(current)


def open_below(root: Path, relative: PurePosixPath, flags: int = os.O_RDONLY, mode: int = 0o666) -> int:
    """Open a regular file (or, with O_DIRECTORY, a folder) below `root`; returns the descriptor, the caller closes it.

    No component is followed if it is a link, whatever is swapped meanwhile; a pipe or a device is not waited for.
    Raises UnsafePathError for those, FileNotFoundError and other OSErrors as `os.open` does.
    """
    with _folder_of(root, relative) as (folder, name):
        # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        safe = flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = _open_in(folder, name, safe, mode, relative)
    kind = os.fstat(descriptor).st_mode
    if not (stat.S_ISREG(kind) or (flags & os.O_DIRECTORY and stat.S_ISDIR(kind))):
        os.close(descriptor)
        raise UnsafePathError("is no regular file", where=ascii(str(relative)), hint="put a file in its place")
    os.set_blocking(descriptor, True)
    return descriptor


def read_below(root: Path, relative: PurePosixPath) -> bytes:
    """The bytes of a file below `root`. Raises as `open_below` does."""
    with closing(os.fdopen(open_below(root, relative), "rb")) as file:
        return file.read()


def read_settings_file(path: Path, most: int) -> bytes:
    """The bytes of a file that the user may have linked: followed, but regular, and at most `most` bytes long.

    Raises FileNotFoundError and other OSErrors, UnsafePathError for a pipe (which is not waited for) or a longer file.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafePathError("is no regular file", where=path.name, hint="put a file in its place")
        data = file.read(most + 1)
    if len(data) > most:
        raise UnsafePathError(f"is larger than {most} bytes", where=path.name, hint="shorten it")
    return data
