"""What changesets come to on the files as they are now: one step (a commit to be) each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath

from memsite.errors import ConflictError
from memsite.memory.appending import completed
from memsite.memory.changeset import Append, Change, Changeset, Write
from memsite.repo.files import Edit, Extend, Replace
from memsite.values import dataclass, field

ReadFile = Callable[[PurePosixPath], bytes | None]
Replay = Callable[[PurePosixPath, bytes | None, bytes, bytes | None], bytes | None]
"""`(path, old, new, current)` -> `current` with what leads from `old` to `new`; None when they contradict."""


@dataclass(slots=True)
class View:
    """Files as they are, seen through the changes so far."""

    read: ReadFile
    before: dict[PurePosixPath, bytes | None] = field(default_factory=dict)
    after: dict[PurePosixPath, bytes | None] = field(default_factory=dict)
    appended: dict[PurePosixPath, bool] = field(default_factory=dict)
    """Whether all that happened to the path were appends."""

    def get(self, path: PurePosixPath) -> bytes | None:
        """The file after the changes so far."""
        if path not in self.after:
            self.before[path] = self.after[path] = self.read(path)
        return self.after[path]

    def set(self, path: PurePosixPath, data: bytes, *, append: bool) -> None:
        """Let a change happen."""
        self.get(path)
        self.appended[path] = self.appended.get(path, True) and append
        self.after[path] = data

    def edits(self) -> dict[PurePosixPath, Edit]:
        """What must happen to the files on disk."""
        changed = {path: data for path, data in self.after.items() if data is not None and data != self.before[path]}
        return {path: self._edit(path, data) for path, data in changed.items()}

    def _edit(self, path: PurePosixPath, data: bytes) -> Edit:
        old = self.before[path]
        return Extend(data[len(old or b"") :]) if self.appended[path] else Replace(old, data)


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to be: the changes, and the files that they lead to."""

    message: str
    changes: tuple[Change, ...]
    files: Mapping[PurePosixPath, bytes]


def resolve(
    changesets: Iterable[Changeset],
    view: View,
    *,
    replay: Replay | None = None,
    sizes: Mapping[PurePosixPath, int] | None = None,
) -> tuple[Step, ...]:
    """Apply changesets to a view, one after the other.

    `replay` carries a Write over to a file that is no longer the one planned from; without it, or when it gives up,
    ConflictError is raised. `sizes` are the lengths of files when a killed run began to write: an Append that is found
    after that length has happened already.
    """
    return tuple(_step(one, view, replay, sizes or {}) for one in changesets if one)


def _step(one: Changeset, view: View, replay: Replay | None, sizes: Mapping[PurePosixPath, int]) -> Step:
    for change in one.changes:
        if isinstance(change, Append):
            _append(change, view, sizes.get(change.path))
        else:
            _write(change, view, replay)
    files = {path: data for path in one.paths if (data := view.get(path)) is not None}
    return Step(one.message, one.changes, files)


def _append(change: Append, view: View, size: int | None) -> None:
    current = view.get(change.path)
    if size is not None and change.data in (current or b"")[max(size, 0) :]:
        return
    view.set(change.path, appended(current, change), append=True)


def appended(current: bytes | None, change: Append) -> bytes:
    """A file after an Append."""
    return change.header + change.data if current is None else completed(current) + change.data


def _write(change: Write, view: View, replay: Replay | None) -> None:
    current = view.get(change.path)
    if current == change.data:
        return
    data: bytes | None = change.data
    if current != change.old:
        data = replay(change.path, change.old, change.data, current) if replay else None
    if data is None:
        raise ConflictError("changed since it was planned", where=change.path, hint="run it again")
    view.set(change.path, data, append=False)
