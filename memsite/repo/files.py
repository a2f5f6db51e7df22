"""Changes of the work tree that can be taken back: prepared beside, then put in place, then kept or undone."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from memsite.errors import ConflictError, UnsafePathError
from memsite.safety.paths import read_below
from memsite.values import dataclass, field

TEMPORARY = ".memsite-"
"""What the names of our files in the work tree begin with, for the moment that they exist."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Replace:
    """A whole new content; `old` is what must be there before (None: nothing)."""

    old: bytes | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Extend:
    """Bytes for the end of a file; what others append meanwhile stays."""

    data: bytes
    """As they are written, line end of the unfinished line before them included."""


Edit = Replace | Extend


def read_file(root: Path, path: PurePosixPath) -> bytes | None:
    """The bytes of a file below `root`, None when there is none. Raises UnsafePathError on links and pipes."""
    try:
        return read_below(root, path)
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def open_folder(root: Path, folder: PurePosixPath) -> Iterator[int]:
    """A descriptor of a folder below `root`, made where it is missing; no link on the way is followed."""
    current = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in folder.parts:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=current)
            below = _open_part(part, current, folder)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def write_atomic(
    folder: Path, name: str, data: bytes | bytearray, *, temporary: str = "", durable: bool = True
) -> None:
    """Replace `folder/name` as a whole and durably: a crash leaves the old file or the new one.

    `temporary` is the name of the file while it is written, for those who do not hold the lock (`name.new`). What is
    not `durable` may be gone or cut off when the power fails: a cache that is checked when it is read.
    """
    temporary = temporary or f"{name}.new"
    with open_folder(folder, PurePosixPath()) as descriptor:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=descriptor)
        try:
            _write_new(descriptor, temporary, data, None, durable=durable)
            os.rename(temporary, name, src_dir_fd=descriptor, dst_dir_fd=descriptor)
        except OSError:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=descriptor)
            raise
        if durable:
            os.fsync(descriptor)


@dataclass(slots=True)
class WorkTreeEdit:
    """Edits of several files that are done together, or not at all as far as this process lives."""

    root: Path
    token: str
    """Names the temporary files, so that a later run can find what a killed one left."""
    edits: Mapping[PurePosixPath, Edit]
    _done: list[tuple[PurePosixPath, Edit, int]] = field(default_factory=list)

    def prepare(self) -> None:
        """Write every whole file beside its place. A full disk shows here. Raises OSError, UnsafePathError."""
        for path, edit in self.edits.items():
            with open_folder(self.root, path.parent) as folder:
                if isinstance(edit, Replace):
                    _remove(folder, self._name(path, "new"))
                    _write_new(folder, self._name(path, "new"), edit.data, _mode_of(folder, path.name))

    def apply(self) -> None:
        """Put all in place: appends first. Raises ConflictError when a file is not the one planned from, OSError."""
        for path, edit in sorted(self.edits.items(), key=lambda item: isinstance(item[1], Replace)):
            with open_folder(self.root, path.parent) as folder:
                if isinstance(edit, Extend):
                    self._done.append((path, edit, _append(folder, path, edit.data)))
                else:
                    self._replace(folder, path, edit)

    def undo(self) -> bool:
        """Take back what was put in place; False when another has written after us, so that something had to stay."""
        whole = True
        while self._done:
            path, edit, size = self._done.pop()
            with open_folder(self.root, path.parent) as folder:
                back = (
                    _cut(folder, path, size, len(edit.data))
                    if isinstance(edit, Extend)
                    else self._restore(folder, path)
                )
            whole = whole and back
        self.clean()
        return whole

    def clean(self) -> bool:
        """Remove the temporary files; False when one may still be there."""
        cleaned = [self._clean(path) for path in self.edits]  # every one, also after one that failed
        return all(cleaned)

    def _clean(self, path: PurePosixPath) -> bool:
        try:
            with open_folder(self.root, path.parent) as folder:
                for kind in ("new", "old"):
                    _remove(folder, self._name(path, kind))
        except (OSError, UnsafePathError):
            return False
        return True

    def _replace(self, folder: int, path: PurePosixPath, edit: Replace) -> None:
        if read_file(self.root, path) != edit.old:
            raise ConflictError("changed while it was being written", where=path, hint="run it again")
        if edit.old is not None:
            _remove(folder, self._name(path, "old"))
            _keep_copy(folder, path.name, self._name(path, "old"), edit.old)
        os.rename(self._name(path, "new"), path.name, src_dir_fd=folder, dst_dir_fd=folder)
        self._done.append((path, edit, 0))
        if edit.old is not None and read_file(self.root, path.with_name(self._name(path, "old"))) != edit.old:
            # An editor wrote in place after we had read: that is in the file that we have kept, and comes back.
            raise ConflictError("changed while it was being written", where=path, hint="run it again")
        os.fsync(folder)

    def _restore(self, folder: int, path: PurePosixPath) -> bool:
        edit = self.edits[path]
        if not isinstance(edit, Replace) or read_file(self.root, path) != edit.data:
            return False
        if edit.old is None:
            os.unlink(path.name, dir_fd=folder)
        else:
            os.rename(self._name(path, "old"), path.name, src_dir_fd=folder, dst_dir_fd=folder)
        return True

    def _name(self, path: PurePosixPath, kind: str) -> str:
        return f"{TEMPORARY}{self.token}-{list(self.edits).index(path)}.{kind}"


def remove_leftovers(root: Path, token: str, paths: Iterable[PurePosixPath]) -> None:
    """Remove the temporary files that a killed run left beside its paths."""
    for folder in {(root / path).parent for path in paths}:
        if folder.is_dir():
            for name in folder.glob(f"{TEMPORARY}{token}-*"):
                name.unlink(missing_ok=True)


def _open_part(part: str, parent: int, folder: PurePosixPath) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=parent)
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}:
            raise
        raise UnsafePathError(
            f"{part!r} is a link or a file where a folder must be",
            where=ascii(str(folder)),
            hint="put a folder in its place",
        ) from error


def _write_new(folder: int, name: str, data: bytes | bytearray, mode: int | None, *, durable: bool = True) -> None:
    """A new file, synced; without a `mode` it has the one that the user's umask gives."""
    descriptor = os.open(name, _NEW_FILE, 0o666, dir_fd=folder)
    try:
        _write_all(descriptor, data)
        if mode is not None:
            os.fchmod(descriptor, mode)
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes | bytearray) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _append(folder: int, path: PurePosixPath, data: bytes) -> int:
    """Append in one write; returns the size before, -1 when the file is new. A short write is taken back."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    existed = _exists(folder, path.name)
    descriptor = os.open(path.name, flags, 0o666, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnsafePathError("is no regular file", where=ascii(str(path)), hint="put a file in its place")
        size = os.fstat(descriptor).st_size
        _append_whole(descriptor, data, size)
    except OSError:
        # What another program wrote meanwhile stays, and so does a file that another one has put there.
        if not existed and _is_empty_still(folder, path.name, descriptor):
            _remove(folder, path.name)
        raise
    finally:
        os.close(descriptor)
    if not existed:
        os.fsync(folder)
    return size if existed else -1


def _is_empty_still(folder: int, name: str, descriptor: int) -> bool:
    with suppress(OSError):
        about = os.fstat(descriptor)
        return about.st_size == 0 and os.path.samestat(about, os.stat(name, dir_fd=folder, follow_symlinks=False))
    return False


def _append_whole(descriptor: int, data: bytes, size: int) -> None:
    written = 0
    try:
        written = os.write(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        _take_back(descriptor, size, written)
        raise
    if written != len(data):
        _take_back(descriptor, size, written)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _take_back(descriptor: int, size: int, written: int) -> None:
    if os.fstat(descriptor).st_size == size + written:
        os.ftruncate(descriptor, size)


def _cut(folder: int, path: PurePosixPath, size: int, length: int) -> bool:
    descriptor = os.open(path.name, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        if os.fstat(descriptor).st_size != max(size, 0) + length:
            return False
        os.ftruncate(descriptor, max(size, 0))
        if size < 0 and _is_empty_still(folder, path.name, descriptor):
            os.unlink(path.name, dir_fd=folder)
    finally:
        os.close(descriptor)
    return True


def _keep_copy(folder: int, name: str, copy: str, data: bytes) -> None:
    try:
        os.link(name, copy, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}:
            raise
        _write_new(folder, copy, data, _mode_of(folder, name))


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _mode_of(folder: int, name: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) & 0o777
    except FileNotFoundError:
        return None


def _remove(folder: int, name: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
