"""The history of the memory: the latest commits, and each year day by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby

from memsite.repo.history import Commit
from memsite.site.links import history_day_uri
from memsite.site.pages.addresses import HISTORY, history_year_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.commits import KINDS, DayOfCommits, Group, commit_days, commit_kind, groups_of
from memsite.site.pages.dates import MONTHS, month_name
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

LATEST_DAYS = 5
SECTION = PageLink("History", HISTORY)


@dataclass(frozen=True, slots=True)
class HistoryDay:
    """A day in the list of a year."""

    day: date
    link: Link
    kinds: tuple[tuple[str, int], ...]
    """Commits by kind, in the order of KINDS."""
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class HistoryMonth:
    """A month of that list, latest day first."""

    title: str
    anchor: str
    days: tuple[HistoryDay, ...]
    commits: int


@dataclass(frozen=True, slots=True)
class HistoryYear:
    """A year in the table of all: how many commits each month has."""

    link: Link
    months: tuple[tuple[Link, int], ...]
    commits: int


@dataclass(frozen=True, slots=True)
class HistoryView:
    """All of the history, or a year of it."""

    title: str
    commits: int
    days: int
    shallow: bool
    groups: tuple[Group, ...]
    latest: tuple[DayOfCommits, ...] = ()
    years: tuple[HistoryYear, ...] = ()
    """Latest first."""
    months: tuple[HistoryMonth, ...] = ()
    """Of a year, latest first."""
    previous: Link | None = None
    following: Link | None = None


def history_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The overview, then each year."""
    yield make_page(atlas, Place(HISTORY, PageKind.HISTORY, "History", in_nav=True), partial(_history, atlas))
    years = sorted(atlas.commits_in)
    for position, year in enumerate(years):
        before = years[position - 1] if position else None
        after = years[position + 1] if position + 1 < len(years) else None
        place = Place(
            history_year_uri(year),
            PageKind.HISTORY,
            f"{year:04d}",
            (SECTION,),
            _page_link(before),
            _page_link(after),
            in_nav=True,
        )
        yield make_page(atlas, place, partial(_year, atlas, place, year))


def _page_link(year: int | None) -> PageLink | None:
    return None if year is None else PageLink(f"{year:04d}", history_year_uri(year))


def _history(atlas: Atlas) -> HistoryView:
    history = atlas.history
    days = sorted(atlas.commits, reverse=True)
    latest = commit_days(atlas, [commit for day in days[:LATEST_DAYS] for commit in atlas.commits[day]])
    return HistoryView(
        "History",
        len(history.commits),
        len(days),
        history.shallow,
        groups_of(burst.kind for day in latest for burst in day.bursts for _ in burst.commits),
        latest,
        tuple(_row(atlas, year, list(group)) for year, group in groupby(days, key=lambda day: day.year)),
    )


def _row(atlas: Atlas, year: int, days: list[date]) -> HistoryYear:
    counts = Counter({day: len(atlas.commits[day]) for day in days})
    months = [sum(count for day, count in counts.items() if day.month == month) for month in range(1, 13)]
    links = (Link(name, history_year_uri(year), month_anchor(number)) for number, name in enumerate(MONTHS, start=1))
    return HistoryYear(
        Link(f"{year:04d}", history_year_uri(year)), tuple(zip(links, months, strict=True)), counts.total()
    )


def month_anchor(month: int) -> str:
    """The place of a month on the page of its year."""
    return f"on.m{month:02d}"


def _year(atlas: Atlas, place: Place, year: int) -> HistoryView:
    commits = atlas.commits_in[year]
    days = [_day(day, found) for day, found in commits.items()]
    months = tuple(
        HistoryMonth(month_name(month), month_anchor(month), found, sum(len(commits[one.day]) for one in found))
        for month, group in groupby(days, key=lambda row: row.day.month)
        if (found := tuple(group))
    )
    return HistoryView(
        place.title,
        sum(month.commits for month in months),
        len(days),
        atlas.shallow,
        groups_of(commit_kind(commit.subject) for row in days for commit in commits[row.day]),
        months=months,
        previous=Link(place.previous.title, place.previous.uri) if place.previous else None,
        following=Link(place.following.title, place.following.uri) if place.following else None,
    )


def _day(day: date, commits: Iterable[Commit]) -> HistoryDay:
    kinds = Counter(commit_kind(commit.subject) for commit in commits)
    shown = tuple((kind, kinds[kind]) for kind in (*KINDS, "edit") if kinds[kind])
    return HistoryDay(day, Link(day.isoformat(), history_day_uri(day)), shown, groups_of(kinds))
