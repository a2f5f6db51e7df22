"""Each day's session log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial

from memsite.counting import counted
from memsite.memory.model import SessionEntry, SessionLog
from memsite.site.links import day_uri, session_day_uri
from memsite.site.pages.addresses import printable
from memsite.site.pages.atlas import Atlas, LogItem
from memsite.site.pages.documents import whole_document
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.problems import blob_notices, private_notices, problem_notices
from memsite.site.pages.revisions import Revisions, deletion_notice, revisions_of
from memsite.site.pages.session_tables import SECTION, year_link
from memsite.site.pages.views import Document, Link, Notice
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class EntryView:
    """One session."""

    anchor: str
    time: str
    topic: str
    facts: tuple[str, ...]
    """What is known of it: messages, tokens, agent, project."""
    session_id: str


@dataclass(frozen=True, slots=True)
class SessionDayView:
    """One session log."""

    day: date
    notices: tuple[Notice, ...]
    entries: tuple[EntryView, ...]
    path: str
    document: Document
    """The file itself."""
    day_link: Link
    previous: Link | None
    following: Link | None
    revisions: Revisions


def session_day_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each session log."""
    days = tuple(atlas.logs)
    for position, (day, item) in enumerate(atlas.logs.items()):
        before = days[position - 1] if position else None
        after = days[position + 1] if position + 1 < len(days) else None
        place = Place(
            session_day_uri(day),
            PageKind.SESSION_DAY,
            f"Sessions of {day.isoformat()}",
            (SECTION, year_link(day.year)),
            _page_link(before),
            _page_link(after),
            day,
            item.log.path,
            superseded=item.deletion is not None,
        )
        yield make_page(atlas, place, partial(_session_day, atlas, place, item))


def _page_link(day: date | None) -> PageLink | None:
    return PageLink(day.isoformat(), session_day_uri(day)) if day else None


def entry_views(log: SessionLog) -> tuple[EntryView, ...]:
    """The sessions of a log. Anchors are their times; a second session of one minute is numbered."""
    seen: dict[str, int] = {}
    views = []
    for entry in log.entries:
        anchor = f"s{entry.time:%H%M}"
        seen[anchor] = seen.get(anchor, 0) + 1
        views.append(_entry_view(entry, anchor if seen[anchor] == 1 else f"{anchor}-{seen[anchor]}"))
    return tuple(views)


def _entry_view(entry: SessionEntry, anchor: str) -> EntryView:
    return EntryView(
        anchor,
        f"{entry.time:%H:%M}",
        printable(entry.topic),
        tuple(_facts(entry)),
        printable(entry.session_id),
    )


def _facts(entry: SessionEntry) -> Iterator[str]:
    if entry.has_messages:
        yield f"{entry.user_messages} user / {entry.assistant_messages} assistant"
    if entry.has_tokens:
        yield f"~{counted(entry.tokens, 'token')}"
    yield from (printable(fact) for fact in (entry.agent, entry.project) if fact)


def _session_day(atlas: Atlas, place: Place, item: LogItem) -> SessionDayView:
    log = item.log
    return SessionDayView(
        log.day,
        tuple(_notices(atlas, item)),
        entry_views(log),
        printable(log.path),
        whole_document(atlas.resolver, log.path, log.blob, prefix="file.", anchored=True),
        Link(log.day.isoformat(), day_uri(log.day)),
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
        revisions_of(atlas, log.path),
    )


def _notices(atlas: Atlas, item: LogItem) -> Iterator[Notice]:
    if item.deletion:
        yield deletion_notice(atlas, item.deletion)
    yield from private_notices(atlas.privacy, item.log.path)
    yield from blob_notices(item.log.blob)
    yield from problem_notices(atlas.problems.get(item.log.path, ()))
    if not item.log.entries and item.log.blob.text.strip():
        yield Notice("note", "No session entry was found in this log; the file is shown as it is.")
