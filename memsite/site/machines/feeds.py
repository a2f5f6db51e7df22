"""Atom feeds: what changed, what was consolidated, what was written about a topic. Texts only, never HTML.

Ids are made from commits and from the memory's first commit, not from addresses: an entry stays the same one when the
site moves, in every feed that has it, and where the site's address is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from pathlib import PurePosixPath
from uuid import NAMESPACE_URL, uuid5

from memsite.repo.history import Commit
from memsite.site.facts import name_of
from memsite.site.links import day_uri, history_day_uri, markdown_uri, topic_uri
from memsite.site.machines.addresses import CHANGES_FEED, GENERATIONS_FEED, topic_feed
from memsite.site.pages.addresses import HOME, TOPICS, printable, printable_text
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import day_row
from memsite.site.pages.commits import commit_kind
from memsite.site.pages.page import Once, given, late_key
from memsite.site.spec import PagePart, SiteIdentity
from memsite.site.templating import render_template
from memsite.values import dataclass

MAX_ENTRIES = 50
MAX_LENGTH = 2000
"""Characters of an entry's text."""
MAX_FILES = 20
"""Files of a commit that are named."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry."""

    id: str
    title: str
    updated: str
    """RFC 3339."""
    page: str
    """The address of its page."""
    text: str
    markdown: str = ""
    """The address of its Markdown; empty where there is none."""
    author: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, newest entry first."""

    uri: str
    id: str
    title: str
    page: str
    """The address of the page that it follows."""
    entries: tuple[Entry, ...]
    updated: str


def feed_files(atlas: Atlas, site: SiteIdentity) -> Iterator[PagePart]:
    """The feeds of the site. Links are absolute where the site's address is known, else relative to the feed."""
    feeds = _Feeds(atlas, site)
    yield feeds.part(CHANGES_FEED, partial(feeds.changes))
    yield feeds.part(GENERATIONS_FEED, partial(feeds.generations))
    for line in atlas.lineages:
        yield feeds.part(topic_feed(line.topic.slug), partial(feeds.topic, line))


def _draw(feed: Feed, site: SiteIdentity) -> bytes:
    address = partial(site.address, seen_from=feed.uri)
    return render_template("machines/feed.xml", feed=feed, site=site, address=address, xml=xml_text).encode()


def xml_text(text: str) -> str:
    """A text that may stand in XML, once it is escaped: what XML cannot carry is U+FFFD."""
    return printable_text(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


class _Feeds:
    """The feeds of one memory."""

    def __init__(self, atlas: Atlas, site: SiteIdentity) -> None:
        self._atlas = atlas
        self._site = site
        history = atlas.history
        # A shallow clone does not know the first commit, and each fetch would make all entries new ones.
        known = history.commits and not history.shallow
        self._memory = history.commits[-1].id if known else site.url or site.name

    def part(self, uri: str, make: Callable[[], Feed]) -> PagePart:
        """The file of a feed, which is made where something that it is made of has changed."""
        made = Once(make)

        def about() -> object:
            return self._site, self._memory, given(self._atlas, make)

        key = late_key(self._atlas, f"part {uri}", about, lambda: name_of(made()))
        return PagePart(uri, key, lambda: _draw(made.take(), self._site))

    def changes(self) -> Feed:
        """Every commit."""
        commits = sorted(self._atlas.history.commits, key=lambda commit: commit.at, reverse=True)
        entries = [self._commit(commit) for commit in commits[:MAX_ENTRIES]]
        return self._feed(CHANGES_FEED, "changes", HOME, entries)

    def generations(self) -> Feed:
        """Every generation of every topic."""
        items = [(self._made(item), item) for line in self._atlas.lineages for item in line.items]
        latest = sorted(items, key=lambda one: (one[0], one[1].uri), reverse=True)[:MAX_ENTRIES]
        entries = [self._generation(item, at) for at, item in latest]
        return self._feed(GENERATIONS_FEED, "generations", TOPICS, entries)

    def topic(self, line: Lineage) -> Feed:
        """A topic's generations, and the days that INDEX.md lists for it."""
        slug = line.topic.slug
        days = [day for day in line.topic.dates if self._atlas.has_day(day)]
        dated = [(self._written(day), partial(self._day, slug, day)) for day in days[-MAX_ENTRIES:]]
        made = [(self._made(item), partial(self._generation, item)) for item in line.items]
        entries = sorted([*dated, *made], key=lambda one: one[0], reverse=True)[:MAX_ENTRIES]
        return self._feed(topic_feed(slug), slug, topic_uri(slug), [make(at) for at, make in entries])

    def _feed(self, uri: str, title: str, page: str, entries: Sequence[Entry]) -> Feed:
        updated = max(entry.updated for entry in entries) if entries else _midnight(self._atlas.today)
        return Feed(uri, self._id("feed", uri), f"{self._site.name}: {title}", page, tuple(entries), updated)

    def _commit(self, commit: Commit) -> Entry:
        day = self._atlas.commit_day(commit)
        return Entry(
            self._id("commit", commit.id),
            printable(commit.subject) or "(no message)",
            _instant(commit.at),
            f"{history_day_uri(day)}#{commit.id}",
            "\n".join(_said(commit)),
            author=printable(commit.author).strip(),
            category=commit_kind(commit.subject),
        )

    def _generation(self, item: GenerationItem, at: str) -> Entry:
        generation = item.generation
        points = [f"- {' '.join(point.text.split())}" for point in (*generation.key_points, *generation.decisions)]
        return Entry(
            self._id("generation", str(generation.path)),
            f"{generation.topic}, generation {generation.number}",
            at,
            item.uri,
            _cut("\n".join([generation.summary, *points]).strip() or generation.title),
            markdown_uri(item.uri),
            category="consolidate",
        )

    def _day(self, slug: str, day: date, at: str) -> Entry:
        row = day_row(self._atlas, day)
        notes = [item.note.blob.text.strip() for item in self._atlas.notes.get(day, ())]
        return Entry(
            self._id("day", f"{slug} {day.isoformat()}"),
            ": ".join(filter(None, [day.isoformat(), row.headline])),
            at,
            day_uri(day),
            _cut("\n\n".join(notes)) or "There is no note of this day.",
            markdown_uri(day_uri(day)),
            category="note",
        )

    def _made(self, item: GenerationItem) -> str:
        """When a generation was committed first: it never changes."""
        states = self._atlas.revisions(item.generation.path)
        return _instant(states[-1].commit.at) if states else _midnight(item.generation.day)

    def _written(self, day: date) -> str:
        """When the notes of a day changed last."""
        paths: Iterable[PurePosixPath] = (item.note.path for item in self._atlas.notes.get(day, ()))
        times = [_instant(states[0].commit.at) for path in paths if (states := self._atlas.revisions(path))]
        return max(times, default=_midnight(day))

    def _id(self, kind: str, name: str) -> str:
        return uuid5(NAMESPACE_URL, f"memsite {self._memory} {kind} {printable(name)}").urn


def _said(commit: Commit) -> Iterator[str]:
    """The body of a message, and the files."""
    if body := commit.body.strip():
        yield _cut(body)
    yield from (f"- {printable(change.path)}" for change in commit.changes[:MAX_FILES])
    if len(commit.changes) > MAX_FILES:
        yield f"- {len(commit.changes) - MAX_FILES} more"


def _instant(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z".rjust(20, "0")


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"
