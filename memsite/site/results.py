"""What a build is asked and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memsite.repo.executable import Executable
from memsite.values import dataclass

Permit = Callable[[Executable], None]
"""Asked before anything runs that is not memsite's; raises RefusedError unless the user has trusted it."""


Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is, and of how much; 0 where it has no number."""


def no_progress(what: str, done: int, total: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Part:
    """A site that stands in a folder of a larger one."""

    name: str
    """The folder."""
    url: str = ""
    """The address of the larger one; empty: that of mkdocs.yml is."""
    of_versions: bool = False
    """Whether the others are versions of it; else they are other agents' sites, below a common home."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made."""

    index: Path
    """The site's first page."""
    pages: int
    """Pages of the site, the 404 page not counted."""
    rendered: int
    """Pages that had to be rendered; the others were up to date."""
    warnings: tuple[str, ...] = ()
