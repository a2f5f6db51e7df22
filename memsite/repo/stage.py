"""The user's stage (git's index): it must learn our paths, or their next commit takes our lines out; and only ours.

All is prepared in a copy. `index.lock` is held while the copy is checked, takes its place, and the ref moves. In that
order: `git commit -- path` reads HEAD, then the stage, and only then takes the lock. Were the ref to move first, it
could meet the new HEAD and the old stage, and write that stage back without our entry.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath

from memsite.errors import PendingError
from memsite.repo.gitcmd import start_git
from memsite.repo.objects import TreeEntry
from memsite.repo.ref_locks import moving, release_dead_refs
from memsite.repo.workspace import Repository
from memsite.values import dataclass

LOCK_WAIT = 3.0
"""Seconds to wait for the user's git to let go of `index.lock`."""
_PAUSE = 0.004
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}


@dataclass(frozen=True, slots=True)
class Staged:
    """What the stage has at a path."""

    entry: TreeEntry | None
    conflicted: bool = False
    """In the middle of a merge: several versions at once."""


def read_stage(repository: Repository, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, Staged]:
    """What is staged at workspace paths; those that are not in the stage have the entry None."""
    with ExitStack() as asked:
        return ask_stage(repository, paths, asked)()


def ask_stage(
    repository: Repository, paths: Iterable[PurePosixPath], asked: ExitStack
) -> Callable[[], dict[PurePosixPath, Staged]]:
    """As `read_stage`, which is what the function that comes back answers: git looks meanwhile."""
    found = dict.fromkeys(paths, Staged(None))
    if not found:
        return dict
    names = [repository.to_git(path) for path in found]
    # So many names as fit a command line; beyond that it is cheaper to read the whole stage.
    selection = names if len(names) <= 500 else []
    git = asked.enter_context(start_git(["ls-files", "-s", "-z", "--", *selection], cwd=repository.root))

    def answer() -> dict[PurePosixPath, Staged]:
        for record in git.answer().split(b"\0"):
            about, _, name = record.partition(b"\t")
            path = repository.from_git(name) if name else None
            if path in found:
                mode, blob, level = about.decode().split(" ")
                found[path] = Staged(TreeEntry(mode, blob), conflicted=level != "0")
        return found

    return answer


class StageCopy:
    """A copy of the stage with our entries in it, beside the real one."""

    def __init__(self, repository: Repository, lock: int) -> None:
        self._repository = repository
        self._lock = lock
        self._real = repository.git_dir / "index"
        self._copy = repository.git_dir / "memsite.index"
        self._before = repository.git_dir / "memsite.index.before"
        self._is_real = False
        self._taken: bytes | None = None

    @property
    def path(self) -> Path:
        """The copy's file."""
        return self._copy

    def prepare(self, entries: Mapping[PurePosixPath, TreeEntry | None]) -> None:
        """Copy the stage and set entries in the copy (None takes the path out). Raises GitError, OSError."""
        with self.preparing(entries):
            pass

    @contextmanager
    def preparing(self, entries: Mapping[PurePosixPath, TreeEntry | None]) -> Iterator[None]:
        """As `prepare`, done at the end of the block: git works meanwhile."""
        self.discard()
        self._taken = _copy_file(self._real, self._copy)
        if not entries:
            yield
            return
        with start_git(
            ["update-index", "-z", "--index-info"],
            cwd=self._repository.root,
            stdin=b"".join(self._line(path, entry) for path, entry in entries.items()),
            env={"GIT_INDEX_FILE": str(self._copy)},
            keep=(self._lock,),
        ) as git:
            yield
            git.answer()

    def is_current(self) -> bool:
        """Whether the real stage is still the one that was copied.

        Its bytes are compared: in one tick of the clock two of git's writes can leave the same inode, size and times.
        """
        try:
            return self._real.read_bytes() == self._taken
        except FileNotFoundError:
            return self._taken is None

    def replace_real(self) -> None:
        """Put the copy in the place of the stage. Only while holding its lock."""
        if self._taken is not None:
            _link_or_copy(self._real, self._before)
        self._is_real = True
        self._copy.replace(self._real)

    def restore(self) -> None:
        """Put the user's stage back as it was."""
        if not self._is_real:
            return
        if self._taken is None:
            self._real.unlink(missing_ok=True)
        elif self._before.exists():
            self._before.replace(self._real)
        self._is_real = False

    def discard(self) -> None:
        """Remove the copy, and what a killed git left of its own lock on it."""
        for path in (self._copy, self._before, self._copy.with_name("memsite.index.lock")):
            path.unlink(missing_ok=True)

    def _line(self, path: PurePosixPath, entry: TreeEntry | None) -> bytes:
        zero = "0" * (40 if self._repository.object_format == "sha1" else 64)
        about = f"{entry.mode} {entry.id}" if entry else f"0 {zero}"
        return about.encode() + b"\t" + self._repository.to_git(path) + b"\0"


@contextmanager
def stage_lock(repository: Repository, wait: float = LOCK_WAIT) -> Iterator[None]:
    """Hold git's own `index.lock`: no commit, checkout, merge or rebase of the user's can run meanwhile.

    Raises PendingError when another git holds it longer than `wait` seconds. It is never deleted by its age.
    """
    lock, token = repository.git_dir / "index.lock", repository.git_dir / "memsite.lock"
    deadline = time.monotonic() + wait
    while not _take(lock, token):
        if time.monotonic() >= deadline:
            raise PendingError(
                "git is busy: index.lock is held",
                where=lock,
                hint="the next run commits it; if no git runs any more, delete that file",
            )
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        # What was done is done; a lock of ours that stays is recognised and removed by the next run.
        with suppress(OSError):
            lock.unlink(missing_ok=True)


def release_dead_lock(repository: Repository) -> None:
    """Remove the locks that a killed memsite left. To be called while holding the repository lock.

    An `index.lock` of ours is a hard link to our own token, so it cannot be taken for another git's, whatever the time.
    """
    if is_own_lock(repository):
        release_dead_refs(repository)
        (repository.git_dir / "index.lock").unlink(missing_ok=True)


def is_own_lock(repository: Repository) -> bool:
    """Whether a memsite, alive or dead, made the `index.lock` that is there."""
    with suppress(FileNotFoundError):
        return (repository.git_dir / "index.lock").samefile(repository.git_dir / "memsite.lock")
    return False


def _take(lock: Path, token: Path) -> bool:
    try:
        # `a`: an existing token stays what it is.
        token.open("a").close()
        os.link(token, lock)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _create(lock)
    return True


def _create(lock: Path) -> bool:
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        return False
    return True


def _link_or_copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _copy_file(source, target)


def _copy_file(source: Path, target: Path) -> bytes | None:
    """Copy the stage, its mode and its time; its bytes, None when there is none yet.

    The time matters: git takes a file that is as new as its stage for possibly changed since. With a newer stage it
    would believe that a file written in the same tick as the user's `git add`, but after it, is clean. The mode matters
    in a shared repository.
    """
    try:
        with source.open("rb") as file:
            about, data = os.fstat(file.fileno()), file.read()
    except FileNotFoundError:
        return None
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        os.fchmod(descriptor, about.st_mode & 0o777)
    os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
    return data


def move_head(repository: Repository, old: str | None, new: str, message: str, lock: int) -> None:
    """Move the branch that HEAD is on from `old` (None: unborn) to `new`. Raises GitError when it is elsewhere."""
    with ExitStack() as started:
        HeadMove(repository, message, lock, started).move(old, new)


class HeadMove:
    """A git that is ready to move the branch that HEAD is on: it need not be started while git's lock is held."""

    def __init__(self, repository: Repository, message: str, lock: int, started: ExitStack) -> None:
        self._repository = repository
        first = message.splitlines()[0] if message else ""
        # Whose memsite is killed reads nothing more, and moves nothing.
        command = ["update-ref", "-m", f"memsite: {first}", "-z", "--stdin"]
        self._git = started.enter_context(start_git(command, cwd=repository.root, keep=(lock,), is_told=False))

    def move(self, old: str | None, new: str) -> None:
        """Move it from `old` (None: unborn) to `new`. Raises GitError when it is elsewhere."""
        before = old or "0" * len(new)
        with moving(self._repository, new):
            self._git.tell(f"update HEAD\0{new}\0{before}\0".encode())
            self._git.answer()
