"""The commits that made a file what it is, as a list on its page; each leads to the text as it was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath

from memsite.site.links import history_day_uri
from memsite.site.pages.addresses import printable
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.commits import commit_view
from memsite.site.pages.dates import month_name
from memsite.site.pages.deleted import Deletion
from memsite.site.pages.past import revision_link
from memsite.site.pages.views import CommitView, Link, Notice
from memsite.values import dataclass

MAX_SHOWN = 12


@dataclass(frozen=True, slots=True)
class MonthOfRevisions:
    """A month by its first revision."""

    first: Link
    count: int


@dataclass(frozen=True, slots=True)
class Revisions:
    """The revisions of a file."""

    newest: tuple[tuple[CommitView, Link], ...]
    """Newest first, at most MAX_SHOWN, each with the place at which the text stands as it was."""
    years: tuple[tuple[int, tuple[MonthOfRevisions, ...]], ...]
    """Where there are more: all of them by year and month, latest first."""
    count: int
    shallow: bool
    """The clone holds only a part of the history; there may be older ones that nobody can see here."""


def revisions_of(atlas: Atlas, path: PurePosixPath) -> Revisions:
    """The commits that touched a file."""
    states = atlas.revisions(path)
    newest = tuple(
        (commit_view(atlas, one.commit), revision_link(atlas, one.commit, one.path, one.commit.id[:7]))
        for one in states[:MAX_SHOWN]
    )
    years = tuple(_years(atlas, path)) if len(states) > MAX_SHOWN else ()
    return Revisions(newest, years, len(states), atlas.shallow)


def _years(atlas: Atlas, path: PurePosixPath) -> Iterator[tuple[int, tuple[MonthOfRevisions, ...]]]:
    months = atlas.months(path).items()
    for year, group in groupby(months, key=lambda item: item[0].year):
        yield (
            year,
            tuple(
                MonthOfRevisions(revision_link(atlas, first.commit, first.path, month_name(month.month)), count)
                for month, (first, count) in group
            ),
        )


def deletion_notice(atlas: Atlas, deletion: Deletion) -> Notice:
    """That a file is gone, since when and by which commit, or what it is called now."""
    link = Link(f"commit {deletion.commit[:7]}", history_day_uri(deletion.day), deletion.commit)
    if deletion.renamed:
        name, uri = printable(deletion.renamed), atlas.uri_of(deletion.renamed)
        text = f"Renamed on {deletion.day.isoformat()}; it is now"
        return Notice("deleted", text, Link(name, uri or link.uri, "" if uri else link.anchor))
    text = f"Deleted from the memory on {deletion.day.isoformat()}; below is its last text."
    return Notice("deleted", text, link)
