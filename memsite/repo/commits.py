"""A commit of the memory as a value."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePosixPath

from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit does to one file of the memory. A merge is compared with its first parent."""

    path: PurePosixPath
    """Relative to the workspace."""
    status: str
    """`A` added, `M` changed, `D` deleted, `T` another kind of file. A renamed file is deleted and added."""
    old_blob: str | None
    new_blob: str | None


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that changes the memory."""

    id: str
    parents: tuple[str, ...]
    author: str
    at: datetime
    """When it was written (the author's date), in the author's zone."""
    subject: str
    body: str
    changes: tuple[FileChange, ...]
    """By path."""
