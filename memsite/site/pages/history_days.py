"""One day of the history: every commit with what it changed, and each file as it left it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import partial
from typing import ClassVar

from memsite.memory.snapshot import Blob
from memsite.site.links import day_uri, history_day_uri
from memsite.site.pages.addresses import history_year_uri
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.changed_parts import changed_part_of
from memsite.site.pages.commits import Group, commit_view, group_name, groups_of
from memsite.site.pages.differences import TOO_LONG, Difference, compare_texts
from memsite.site.pages.history import SECTION
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.past import MAX_FILES, PastState, PastText, past_states, past_texts
from memsite.site.pages.views import CommitView, Link
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass, field

MAX_COMPARED = 120_000
"""Characters that are compared for one page."""
LINE_COST = 20
"""Characters that take as long to compare as a line however short."""
_SESSION_ID = re.compile(r"^id: (.+)$", re.MULTILINE)
"""In the message of a session's commit (`memory/session_log`)."""


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """A commit; of a session that was logged after each turn, the last one, with those before it folded."""

    commit: CommitView
    earlier: tuple[CommitView, ...] = ()

    @property
    def group(self) -> str:
        """What the page can be narrowed down to."""
        return group_name(self.commit.kind)


@dataclass(frozen=True, slots=True)
class HistoryDayView:
    """The commits of one day, newest first."""

    day: date
    commits: tuple[CommitView, ...]
    items: tuple[HistoryItem, ...]
    """The same, the commits of one session in one item."""
    groups: tuple[Group, ...]
    states: tuple[PastState, ...]
    """The files that they wrote, each as it was left."""
    day_link: Link | None
    previous: Link | None
    following: Link | None
    blobs: Callable[[Iterable[str]], Mapping[str, Blob]] = field(repr=False, compare=False)
    max_files: ClassVar[int] = MAX_FILES

    def told(self) -> Told:
        """What each commit did, read from git."""
        changes = (change for commit in self.commits for change in commit.changes[:MAX_FILES])
        pairs = dict.fromkeys(change.blobs for change in changes if all(change.blobs))
        old = [state.blobs for state in self.states if not state.current]
        names = {name for pair in (*pairs, *old) for name in pair if name}
        blobs = self.blobs(sorted(names)) if names else {}
        states = {state.anchor: state for state in self.states}
        return Told(dict(_differences(pairs, blobs)), states, past_texts(self.states, blobs))


@dataclass(frozen=True, slots=True)
class Told:
    """What a page says of its commits."""

    differences: Mapping[tuple[str, str], Difference]
    """By the blobs before and after; those past what one page can hold say that they are too long."""
    states: Mapping[str, PastState]
    """By anchor."""
    texts: Mapping[str, PastText]
    """By anchor."""


def _differences(
    pairs: Iterable[tuple[str, str]], texts: Mapping[str, Blob]
) -> Iterator[tuple[tuple[str, str], Difference]]:
    room = MAX_COMPARED
    for pair in pairs:
        if not all(name in texts for name in pair):
            continue
        if any(texts[name].cut for name in pair):
            yield pair, TOO_LONG
            continue
        old, new = changed_part_of(*(texts[name] for name in pair))
        length = len(old) + len(new) + LINE_COST * (old.count("\n") + new.count("\n"))
        if length > room:
            yield pair, TOO_LONG
            continue
        room -= length
        yield pair, compare_texts(old, new)


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
            (SECTION, PageLink(f"{day.year:04d}", history_year_uri(day.year))),
            _page_link(before),
            _page_link(after),
            day,
        )
        yield make_page(atlas, place, partial(_history_day, atlas, place, day))


def _page_link(day: date | None) -> PageLink | None:
    return PageLink(day.isoformat(), history_day_uri(day)) if day else None


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
        groups_of(commit.kind for commit in commits),
        tuple(state for commit in atlas.commits[day] for state in past_states(atlas, commit)),
        Link(day.isoformat(), day_uri(day)) if atlas.has_day(day) else None,
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
        atlas.blobs,
    )
