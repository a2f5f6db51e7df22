"""Who looks at a site, and whether anything may be hidden from them: what every build asks, and nothing slower."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path, PurePosixPath

from memsite.repo.workspace import Workspace
from memsite.safety.paths import read_below
from memsite.safety.purges import Purge, parse_purges

PURGES = PurePosixPath(".memsite/purged")
"""The list of what was purged, in the workspace."""


def read_purges(root: Path) -> tuple[tuple[Purge, ...], tuple[int, ...]]:
    """What was purged, and the lines of the list that say nothing. A list that is not there is empty; raises OSError
    for one that cannot be read: what is purged must not appear again because of that.
    """
    return parse_purges(read_purges_text(root))


def purges_of(workspace: Workspace) -> tuple[Purge, ...]:
    """What is hidden on a site of the workspace: what was purged in it, and values that were beside it. Raises OSError
    as `read_purges`.
    """
    values = (one for root in workspace.beside for one in read_purges(root)[0] if one.length)
    return (*read_purges(workspace.root)[0], *values)


def read_purges_text(root: Path) -> str:
    """The list itself. Raises OSError as `read_purges`, UnsafePathError for one that is a link or no file."""
    try:
        return read_below(root, PURGES).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return ""


class Audience(StrEnum):
    """Who looks at a site."""

    OWNER = "owner"
    PUBLIC = "public"


def is_veiled(workspace: Workspace, audience: Audience) -> bool:
    """Whether anything may be hidden from an audience. Raises OSError for a list of purges that is unreadable."""
    return audience is not Audience.OWNER or bool(purges_of(workspace))
