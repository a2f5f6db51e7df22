"""A day: its notes, its session log, the topics it touched, what changed in git."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import PurePosixPath

from memsite.memory.daily import archived_topic, archived_until
from memsite.memory.model import DailyNote, MarkerKind
from memsite.memory.names import parse_generation_name
from memsite.site.front_matter import Pairs, split_front_matter
from memsite.site.links import day_uri, history_day_uri, session_day_uri
from memsite.site.pages.addresses import DAYS, month_uri, printable, year_uri
from memsite.site.pages.atlas import Atlas, NoteItem
from memsite.site.pages.cards import generation_link, topic_link
from memsite.site.pages.commits import Burst, bursts, commit_view
from memsite.site.pages.dates import month_name
from memsite.site.pages.documents import cut_words, fold_long, text_document, without_title
from memsite.site.pages.note_headings import OWN, note_names, note_prefix
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.problems import blob_notices, private_notices, problem_notices
from memsite.site.pages.revisions import Revisions, deletion_notice, revisions_of
from memsite.site.pages.sessions import EntryView, entry_views
from memsite.site.pages.views import Document, Link, Notice
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

SECTION = PageLink("Days", DAYS)


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note of the day."""

    anchor: str
    title: str
    """For notes beside the day's own."""
    path: str
    notices: tuple[Notice, ...]
    flushes: tuple[str, ...]
    """`daily flush`, `native flush`."""
    archived: tuple[Link, ...]
    """The generations it was consolidated into; `uri` of one that does not exist is `?`."""
    front_matter: Pairs
    document: Document | None
    """None when it has no text. Above its split stands what every topic of the day has consolidated; of a long text
    that has `rest`, what is not folded."""
    rest: int
    """Lines of a long text that are folded."""
    settled: bool
    """Whether that is all of it."""
    folded_until: str
    """The generation whose marker that text ends with; empty where nothing is folded."""
    folded_line: str
    """What the folded text is about, in a line; empty where it says nothing more."""
    revisions: Revisions


@dataclass(frozen=True, slots=True)
class DayView:
    """One day."""

    day: date
    notices: tuple[Notice, ...]
    notes: tuple[NoteView, ...]
    """The day's own first."""
    sessions: tuple[EntryView, ...]
    session_link: Link | None
    topics: tuple[Link, ...]
    generations: tuple[tuple[str, Link], ...]
    changes: tuple[Burst, ...]
    history: Link | None
    previous: Link | None
    following: Link | None


def day_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each day that has anything."""
    days = atlas.days
    for position, day in enumerate(days):
        before = days[position - 1] if position else None
        after = days[position + 1] if position + 1 < len(days) else None
        own = [item.note.path for item in atlas.notes.get(day, ()) if not item.note.label]
        place = Place(
            day_uri(day),
            PageKind.DAY,
            day.isoformat(),
            month_crumbs(day),
            _page_link(before),
            _page_link(after),
            day,
            own[0] if own else None,
            superseded=_is_gone(atlas, day),
        )
        yield make_page(atlas, place, partial(_day, atlas, place, day))


def _is_gone(atlas: Atlas, day: date) -> bool:
    """Whether all that the day's page shows of its own is deleted."""
    notes = atlas.notes.get(day, ())
    return bool(notes) and all(item.deletion for item in notes)


def month_crumbs(day: date) -> tuple[PageLink, ...]:
    """The way from the section down to the month."""
    year = PageLink(f"{day.year:04d}", year_uri(day.year))
    return (SECTION, year, PageLink(month_name(day.month), month_uri(day.year, day.month)))


def _page_link(day: date | None) -> PageLink | None:
    return PageLink(day.isoformat(), day_uri(day)) if day else None


def _day(atlas: Atlas, place: Place, day: date) -> DayView:
    notes = atlas.notes.get(day, ())
    log = atlas.logs.get(day)
    commits = atlas.commits.get(day, ())
    return DayView(
        day,
        tuple(_notices(atlas, day)),
        _note_views(atlas, notes),
        entry_views(log.log) if log else (),
        Link("Session log", session_day_uri(day)) if log else None,
        tuple(map(topic_link, atlas.topics_on.get(day, ()))),
        tuple((item.generation.topic, generation_link(item)) for item in atlas.generations_on.get(day, ())),
        bursts(commit_view(atlas, commit) for commit in commits),
        Link("History of the day", history_day_uri(day)) if commits else None,
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
    )


def _notices(atlas: Atlas, day: date) -> Iterator[Notice]:
    """Problems of the day's files that have no note to stand on."""
    shown = {item.note.path for item in atlas.notes.get(day, ())}
    for path, problems in atlas.day_problems.get(day, ()):
        if path not in shown:
            yield Notice("warning", f"{printable(path)} cannot be shown in full.")
            yield from problem_notices(problems)


def _note_views(atlas: Atlas, notes: Sequence[NoteItem]) -> tuple[NoteView, ...]:
    names = note_names(item.note for item in notes)
    return tuple(note_view(atlas, item, name) for item, name in zip(notes, names, strict=True))


def note_view(atlas: Atlas, item: NoteItem, name: str = OWN) -> NoteView:
    """A daily note, the part of it that is consolidated told from the rest. `name` is its own on the page."""
    note = item.note
    pairs, text = split_front_matter(note.blob.text)
    text = without_title(text, note.day.isoformat(), *([note.title] if note.label else []))
    split = _settled_line(atlas, note)
    above, below = _has_words(text, 0, split), _has_words(text, split)
    document = text_document(
        atlas.resolver,
        note.path,
        note.blob.id,
        text,
        prefix=note_prefix(note, name),
        anchored=True,
        split=split if above and below else 0,
        cut=cut_words(note.blob),
    )
    document, rest = fold_long(document) if not above else (document, 0)
    return NoteView(
        f"on.{name}",
        printable(note.title if note.label else ""),
        printable(note.path),
        tuple(_note_notices(atlas, item)),
        tuple(dict.fromkeys(_flush_label(marker.kind) for marker in note.markers if marker.kind in _FLUSHES)),
        archived_into(atlas, note),
        tuple((printable(key), printable(value)) for key, value in pairs),
        document if above or below else None,
        rest,
        above and not below,
        _marked_on(atlas, note, split) if above else "",
        atlas.headline(note) if above else "",
        revisions_of(atlas, note.path),
    )


_FLUSHES = {MarkerKind.DAILY_FLUSH: "daily flush", MarkerKind.NATIVE_FLUSH: "native flush"}


def _flush_label(kind: MarkerKind) -> str:
    return _FLUSHES[kind]


def _note_notices(atlas: Atlas, item: NoteItem) -> Iterator[Notice]:
    if item.deletion:
        yield deletion_notice(atlas, item.deletion)
    yield from private_notices(atlas.privacy, item.note.path)
    yield from blob_notices(item.note.blob)
    yield from problem_notices(atlas.problems.get(item.note.path, ()))


def archived_into(atlas: Atlas, note: DailyNote) -> tuple[Link, ...]:
    """The generations that the note's markers name, each once."""
    targets = dict.fromkeys(marker.target for marker in note.markers if marker.kind is MarkerKind.ARCHIVED)
    return tuple(_archive_link(atlas, note.path, target) for target in targets)


def _marked_on(atlas: Atlas, note: DailyNote, line: int) -> str:
    """What the last marker on a line names."""
    targets = [one.target for one in note.markers if one.kind is MarkerKind.ARCHIVED and one.line == line]
    return _archive_link(atlas, note.path, targets[-1]).title


def _archive_link(atlas: Atlas, path: PurePosixPath, target: str) -> Link:
    named = parse_generation_name(PurePosixPath(target).name)
    title = f"{named.topic}, generation {named.number}" if named else printable(target)
    return Link(title, atlas.resolver.find(path, target) or "?")


def _settled_line(atlas: Atlas, note: DailyNote) -> int:
    """The line down to which every topic that has the day has consolidated the note: a marker archives for its own
    topic only. 0 where there is none.
    """
    archived = {topic for marker in note.markers if (topic := archived_topic(marker))}
    topics = atlas.topics_on.get(note.day, ()) or archived
    return min((archived_until(note, topic) for topic in topics), default=0) if archived else 0


def _has_words(text: str, first: int, last: int | None = None) -> bool:
    """Whether the lines (0-based, `last` excluded) have more than comments."""
    lines = (line.strip() for line in text.split("\n")[first:last])
    return any(line and not (line.startswith("<!--") and line.endswith("-->")) for line in lines)
