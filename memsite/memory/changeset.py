"""What a planner wants done: files to write or extend, and the message of the one commit that records it."""

from __future__ import annotations

from pathlib import PurePosixPath

from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Write:
    """Replace a whole file. Refused when the file is no longer the one that was planned from."""

    path: PurePosixPath
    """Relative to the workspace."""
    old: bytes | None
    """The bytes planned from; None: the file must not exist."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """Add bytes to the end of a file that others append to as well; whatever is there by then stays."""

    path: PurePosixPath
    data: bytes
    """Appended as they are, after a line end if the file does not end in one."""
    header: bytes = b""
    """Written first, when the file does not exist."""


Change = Write | Append


@dataclass(frozen=True, slots=True)
class Changeset:
    """One commit to be: all of its changes are applied, or none."""

    changes: tuple[Change, ...]
    message: str
    """Commit message: its first line is `<kind>: …` (FORMATS and CLI, `commit`)."""

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """The files it touches, workspace-relative, in the order of its changes."""
        return tuple(change.path for change in self.changes)

    def __bool__(self) -> bool:
        return bool(self.changes)
