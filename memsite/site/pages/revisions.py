"""The commits that made a file what it is, as a list on its page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from memsite.site.links import history_day_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.commits import commit_view
from memsite.site.pages.deleted import Deletion
from memsite.site.pages.views import CommitView, Link, Notice

MAX_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Revisions:
    """The newest commits of one or more files."""

    commits: tuple[CommitView, ...]
    """Newest first, at most MAX_SHOWN."""
    more: int
    """How many older ones there are."""
    shallow: bool
    """The clone holds only a part of the history; there may be older ones that nobody can see here."""


def revisions_of(atlas: Atlas, paths: Iterable[PurePosixPath]) -> Revisions:
    """The commits that touched any of the files."""
    found = {commit.id: commit for path in paths for commit in atlas.revisions(path)}
    ordered = sorted(found.values(), key=lambda commit: (commit.at, commit.id), reverse=True)
    shown = tuple(commit_view(atlas, commit) for commit in ordered[:MAX_SHOWN])
    return Revisions(shown, len(ordered) - len(shown), atlas.source.history.shallow)


def deletion_notice(deletion: Deletion) -> Notice:
    """That a file is gone, since when and by which commit."""
    link = Link(f"commit {deletion.commit[:7]}", history_day_uri(deletion.day), deletion.commit)
    text = f"Deleted from the memory on {deletion.day.isoformat()}; below is its last text."
    return Notice("deleted", text, link)
