"""llms.txt: what the site is and where everything stands, in Markdown, for a reader with a bounded context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial

from memsite.memory.model import Status
from memsite.site.links import INDEX_URI, day_uri, markdown_uri, topic_uri
from memsite.site.machines.addresses import API, CHANGES_FEED, GENERATIONS_FEED, LLMS
from memsite.site.machines.api import SCHEMA
from memsite.site.machines.texts import destination, render_text
from memsite.site.pages.atlas import Atlas, Lineage
from memsite.site.pages.cards import day_row, days_so_far
from memsite.site.spec import PagePart, SiteIdentity
from memsite.values import dataclass

MAX_DAYS, MAX_TOPICS, MAX_NOTES = 30, 200, 100
"""Of each, the latest; the lists of the API have all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One link of a section."""

    title: str
    address: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its links."""

    title: str
    entries: tuple[Entry, ...]


def llms_file(atlas: Atlas, site: SiteIdentity) -> PagePart:
    """The file; its links are absolute where the site's address is known, else relative to it."""
    counts = (len(atlas.lineages), len(atlas.days), len(atlas.pages))
    values = {"site": site, "today": atlas.today, "shown_at": atlas.shown_at, "counts": counts}
    sections = tuple(_sections(atlas, site))
    text = partial(render_text, "llms.txt", sections=sections, **values)
    return PagePart(LLMS, (repr((values, sections)),), lambda: text().encode())


def _sections(atlas: Atlas, site: SiteIdentity) -> Iterator[Section]:
    topics = sorted(atlas.lineages, key=partial(_recency, atlas), reverse=True)
    yield Section("Topics", _bounded(site, "topics", [_topic(site, line) for line in topics], MAX_TOPICS))
    days = [day for day in reversed(atlas.days) if day <= atlas.today]
    shown = [_day(atlas, site, day) for day in days[:MAX_DAYS]]
    yield Section("Latest days", _bounded(site, "days", shown, MAX_DAYS, len(days)))
    index = (Entry("Index of topics", _to(site, INDEX_URI)),) if atlas.index.blob else ()
    notes = [item for item in atlas.pages if item.deletion is None]
    entries = [Entry(item.note.title, _to(site, item.uri), str(item.note.path)) for item in notes]
    yield Section("Notes", (*index, *_bounded(site, "notes", entries, MAX_NOTES)))
    yield Section("Optional", tuple(_rest(site)))


def _bounded(site: SiteIdentity, name: str, entries: Sequence[Entry], most: int, count: int = 0) -> tuple[Entry, ...]:
    """At most so many of them, then where all are listed."""
    left = max(count, len(entries)) - most
    more = (Entry(f"{left} more", destination(site.address(f"{API}{name}.json"))),) if left > 0 else ()
    return (*entries[:most], *more)


def _recency(atlas: Atlas, line: Lineage) -> tuple[bool, date]:
    """What is worked on, the latest first."""
    days = days_so_far(atlas, sorted(line.days))
    return line.topic.status in (Status.ACTIVE, Status.PAUSED), days[-1] if days else date.min


def _to(site: SiteIdentity, page: str) -> str:
    return destination(site.address(markdown_uri(page)))


def _topic(site: SiteIdentity, line: Lineage) -> Entry:
    topic = line.topic
    dates = f"{topic.dates[0]} to {topic.dates[-1]}" if topic.dates else ""
    made = f"generation {line.current.generation.number}" if line.current else "no generation yet"
    facts = ", ".join(fact for fact in (topic.status.value, dates, made) if fact)
    return Entry(topic.slug, _to(site, topic_uri(topic.slug)), f"{topic.description} ({facts})".lstrip())


def _day(atlas: Atlas, site: SiteIdentity, day: date) -> Entry:
    row = day_row(atlas, day)
    return Entry(day.isoformat(), _to(site, day_uri(day)), row.headline)


def _rest(site: SiteIdentity) -> Iterator[Entry]:
    yield Entry(
        "JSON API", destination(site.address(f"{API}index.json")), "lists of all topics, generations, days, notes"
    )
    yield Entry("JSON Schema", destination(site.address(SCHEMA)), "what the files of the API have in them")
    yield Entry("Changes", destination(site.address(CHANGES_FEED)), "Atom feed of the latest commits")
    yield Entry("Generations", destination(site.address(GENERATIONS_FEED)), "Atom feed of the latest consolidations")
