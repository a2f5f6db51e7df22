"""The history of the memory by day: every commit with the files it changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import groupby

from memsite.memory.snapshot import Blob
from memsite.site.links import day_uri, history_day_uri
from memsite.site.pages.addresses import HISTORY
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.commits import KINDS, DayOfCommits, commit_days, commit_kind, commit_view
from memsite.site.pages.dates import month_name
from memsite.site.pages.differences import TOO_LONG, Difference, changed_part, compare_texts
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import CommitView, Link
from memsite.site.spec import PageKind, PageLink, PageSpec

LATEST_DAYS = 5
MAX_COMPARED = 120_000
"""Characters that are compared for one page."""
SECTION = PageLink("History", HISTORY)


_SESSION_ID = re.compile(r"^id: (.+)$", re.MULTILINE)
"""In the message of a session's commit (`memory/session_log`)."""


@dataclass(frozen=True, slots=True)
class HistoryDay:
    """A day in the list of all."""

    day: date
    link: Link
    kinds: tuple[tuple[str, int], ...]
    """Commits by kind, in the order of KINDS."""
    commits: int


@dataclass(frozen=True, slots=True)
class HistoryMonth:
    """A month of that list, latest day first."""

    title: str
    days: tuple[HistoryDay, ...]
    commits: int


@dataclass(frozen=True, slots=True)
class HistoryView:
    """All of the history."""

    commits: int
    days: int
    shallow: bool
    latest: tuple[DayOfCommits, ...]
    months: tuple[HistoryMonth, ...]
    """Latest first."""


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """A commit; of a session that was logged after each turn, the last one, with those before it folded."""

    commit: CommitView
    earlier: tuple[CommitView, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryDayView:
    """The commits of one day, newest first."""

    day: date
    commits: tuple[CommitView, ...]
    items: tuple[HistoryItem, ...]
    """The same, the commits of one session in one item."""
    kinds: tuple[tuple[str, int], ...]
    day_link: Link | None
    previous: Link | None
    following: Link | None
    blobs: Callable[[Iterable[str]], Mapping[str, bytes]] = field(repr=False, compare=False)

    def differences(self) -> Mapping[tuple[str, str], Difference]:
        """What each change did, by its blobs; those past what one page can hold say that they are too long."""
        pairs = dict.fromkeys(change.blobs for commit in self.commits for change in commit.changes if all(change.blobs))
        texts = self.blobs(sorted({name for pair in pairs for name in pair})) if pairs else {}
        return dict(_differences(pairs, texts))


def _differences(
    pairs: Iterable[tuple[str, str]], texts: Mapping[str, bytes]
) -> Iterator[tuple[tuple[str, str], Difference]]:
    room = MAX_COMPARED
    for pair in pairs:
        if not all(name in texts for name in pair):
            continue
        old, new = changed_part(*(Blob(name, texts[name]).text for name in pair))
        length = len(old) + len(new)
        if length > room:
            yield pair, TOO_LONG
            continue
        room -= length
        yield pair, compare_texts(old, new)


def history_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The list of all days."""
    place = Place(HISTORY, PageKind.HISTORY, "History", in_nav=True)
    yield make_page(atlas, place, partial(_history, atlas))


def history_day_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each day that has commits."""
    days = sorted(atlas.commits)
    for position, day in enumerate(days):
        before = days[position - 1] if position else None
        after = days[position + 1] if position + 1 < len(days) else None
        place = Place(
            history_day_uri(day),
            PageKind.HISTORY_DAY,
            f"History of {day.isoformat()}",
            (SECTION,),
            _page_link(before),
            _page_link(after),
            day,
        )
        yield make_page(atlas, place, partial(_history_day, atlas, place, day))


def _page_link(day: date | None) -> PageLink | None:
    return PageLink(day.isoformat(), history_day_uri(day)) if day else None


def _history(atlas: Atlas) -> HistoryView:
    history = atlas.source.history
    days = sorted(atlas.commits, reverse=True)
    latest = [commit for day in days[:LATEST_DAYS] for commit in atlas.commits[day]]
    rows = [_row(atlas, day) for day in days]
    months = tuple(
        HistoryMonth(f"{month_name(month)} {year}", found, sum(row.commits for row in found))
        for (year, month), group in groupby(rows, key=lambda row: (row.day.year, row.day.month))
        if (found := tuple(group))
    )
    return HistoryView(len(history.commits), len(days), history.shallow, commit_days(atlas, latest), months)


def _row(atlas: Atlas, day: date) -> HistoryDay:
    kinds = Counter(commit_kind(commit.subject) for commit in atlas.commits[day])
    return HistoryDay(day, Link(day.isoformat(), history_day_uri(day)), _in_order(kinds), kinds.total())


def _in_order(kinds: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple((kind, kinds[kind]) for kind in (*KINDS, "edit") if kinds[kind])


def _items(commits: Iterable[CommitView]) -> Iterator[HistoryItem]:
    """Agents' hooks log a session after every turn: that is one thing that happened, not twenty."""
    grouped: dict[str, list[CommitView]] = {}
    for commit in commits:
        session = _SESSION_ID.search(commit.body) if commit.kind == "session" else None
        grouped.setdefault(f"session {session[1]}" if session else commit.id, []).append(commit)
    return (HistoryItem(newest, tuple(earlier)) for newest, *earlier in grouped.values())


def _history_day(atlas: Atlas, place: Place, day: date) -> HistoryDayView:
    commits = tuple(commit_view(atlas, commit) for commit in atlas.commits[day])
    return HistoryDayView(
        day,
        commits,
        tuple(_items(commits)),
        _in_order(Counter(commit.kind for commit in commits)),
        Link(day.isoformat(), day_uri(day)) if atlas.has_day(day) else None,
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
        atlas.source.blobs,
    )
