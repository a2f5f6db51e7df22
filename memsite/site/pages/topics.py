"""The overview of all topics, and each topic with its lineage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import partial
from itertools import groupby

from memsite.memory.daily import archived_until
from memsite.memory.model import DailyNote
from memsite.site.links import day_uri, topic_uri
from memsite.site.pages.addresses import TOPICS, printable, step_uri
from memsite.site.pages.articles import Article, write_article
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import (
    NOT_INDEXED,
    DayRow,
    category_title,
    choose_link,
    day_row,
    generation_link,
    topic_card,
)
from memsite.site.pages.home import Category, categories
from memsite.site.pages.mentions import Mention, fresh_lines
from memsite.site.pages.note_anchors import line_anchor
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.points import PointStory, point_stories
from memsite.site.pages.problems import PRIVATE
from memsite.site.pages.timelines import Timeline, draw_timeline
from memsite.site.pages.views import Link, Notice, TopicCard
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass

MAX_NOTES = 15
"""Notes listed with their lines; of older ones only the days."""
MAX_LINES = 3
"""Lines quoted of one note."""
SECTION = PageLink("Topics", TOPICS)


@dataclass(frozen=True, slots=True)
class TopicsView:
    """All topics."""

    categories: tuple[Category, ...]


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """One generation in the list of all."""

    link: Link
    number: int
    day: date
    covers: tuple[date, date] | None
    points: int
    decisions: int
    current: bool
    deleted: bool
    compare: Link | None
    """With the one before."""
    number_before: int = 0
    """Of that one."""


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note that belongs to a topic or names it."""

    row: DayRow
    dated: bool
    """Whether the index lists its day for the topic."""
    lines: tuple[tuple[Link, str], ...]
    more: int


@dataclass(frozen=True, slots=True)
class OlderYear:
    """The days of a year, latest first, on which notes belong to a topic or name it."""

    year: int
    days: tuple[Link, ...]
    count: int


@dataclass(frozen=True, slots=True)
class TopicView:
    """One topic."""

    card: TopicCard
    category: str
    notices: tuple[Notice, ...]
    timeline: Timeline | None
    since: tuple[NoteRow, ...]
    """What came after the sources of the current generation, latest first."""
    current: GenerationRow | None
    gone: bool
    """INDEX.md names generations, and the file of none of them is there."""
    article: Article | None
    generations: tuple[GenerationRow, ...]
    """Newest first."""
    compare_any: Link | None
    points: tuple[PointStory, ...]
    decisions: tuple[PointStory, ...]
    notes: tuple[NoteRow, ...]
    """The latest that belong to it or name it."""
    older: tuple[OlderYear, ...]
    """The rest."""


def topics_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The overview."""
    place = Place(TOPICS, PageKind.TOPICS, "Topics", in_nav=True)
    yield make_page(atlas, place, partial(_topics, atlas))


def _topics(atlas: Atlas) -> TopicsView:
    return TopicsView(categories(atlas))


def topic_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each topic."""
    for line in atlas.lineages:
        last = max((day for day in line.days if day <= atlas.today), default=None)
        names = tuple(map(printable, line.topic.aliases))
        place = Place(topic_uri(line.topic.slug), PageKind.TOPIC, line.topic.slug, (SECTION,), day=last, names=names)
        yield make_page(atlas, place, partial(_topic, atlas, line))


def _topic(atlas: Atlas, line: Lineage) -> TopicView:
    rows = generation_rows(line)
    current = line.current
    notes = _note_days(atlas, line)
    since = _since(atlas, line)
    latest = [day for number, day in enumerate(notes) if number < MAX_NOTES or day in since]
    shown = {day: _note_row(atlas, line, day, notes[day]) for day in latest}
    return TopicView(
        topic_card(atlas, line),
        NOT_INDEXED if line.topic.entry is None else category_title(line.topic.category),
        tuple(_notices(atlas, line)),
        draw_timeline(atlas, line),
        tuple(_note_row(atlas, line, day, lines) for day, lines in since.items()),
        next((row for row in rows if row.current), None),
        not rows and bool(line.missing),
        write_article(atlas, line.items, current) if current else None,
        tuple(reversed(rows)),
        choose_link(line.items, len(line.items) - 1),
        point_stories(atlas, line, "key_points"),
        point_stories(atlas, line, "decisions"),
        tuple(shown[day] for day in latest[:MAX_NOTES]),
        _by_year([day for day in notes if day not in latest[:MAX_NOTES]]),
    )


def generation_rows(line: Lineage) -> tuple[GenerationRow, ...]:
    """The generations of a lineage, oldest first."""
    before: list[GenerationItem | None] = [None, *line.items]
    return tuple(_generation_row(line, older, item) for older, item in zip(before, line.items, strict=False))


def _generation_row(line: Lineage, older: GenerationItem | None, item: GenerationItem) -> GenerationRow:
    generation = item.generation
    compare = None
    if older:
        title = f"Compare {older.generation.number} and {generation.number}"
        compare = Link(title, step_uri(line.topic.slug, older.segment, item.segment))
    return GenerationRow(
        generation_link(item),
        generation.number,
        generation.day,
        generation.covers,
        len(generation.key_points),
        len(generation.decisions),
        item is line.current,
        item.deletion is not None,
        compare,
        older.generation.number if older else 0,
    )


def _notices(atlas: Atlas, line: Lineage) -> Iterator[Notice]:
    if line.topic.slug in atlas.privacy.topics:
        yield PRIVATE
    if line.topic.entry is None:
        yield Notice("warning", "INDEX.md does not know this topic.", detail="Its generations are shown all the same.")
    for ref in line.missing:
        detail = f"It names {printable(ref.path)}, line {ref.line}."
        yield Notice("warning", f"Generation {ref.number} is in INDEX.md, but its file does not exist.", detail=detail)
    numbers = [item.generation.number for item in line.items]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield Notice("warning", f"Generation {number} exists more than once: two machines may have made it.")


def _note_days(atlas: Atlas, line: Lineage) -> dict[date, list[tuple[DailyNote, Mention]]]:
    """The days that the index lists and those whose notes name the topic, latest first, with the lines that do."""
    found: dict[date, list[tuple[DailyNote, Mention]]] = {day: [] for day in line.topic.dates}
    for note, mentions in atlas.mentions.get(line.topic.slug, ()):
        found.setdefault(note.day, []).extend((note, mention) for mention in mentions)
    return dict(sorted(found.items(), reverse=True))


def _note_row(atlas: Atlas, line: Lineage, day: date, lines: list[tuple[DailyNote, Mention]]) -> NoteRow:
    shown = tuple(_quoted(atlas, note, mention) for note, mention in lines[:MAX_LINES])
    return NoteRow(day_row(atlas, day), day in line.topic.dates, shown, max(len(lines) - MAX_LINES, 0))


def _quoted(atlas: Atlas, note: DailyNote, mention: Mention) -> tuple[Link, str]:
    anchor = line_anchor(atlas, note, mention.line)
    return Link(f"Line {mention.line}", day_uri(note.day), anchor), printable(mention.excerpt)


def _by_year(days: Iterable[date]) -> tuple[OlderYear, ...]:
    years = groupby(days, key=lambda day: day.year)
    linked = ((year, tuple(Link(day.isoformat(), day_uri(day)) for day in group)) for year, group in years)
    return tuple(OlderYear(year, links, len(links)) for year, links in linked)


def _since(atlas: Atlas, line: Lineage) -> dict[date, list[tuple[DailyNote, Mention]]]:
    """The days whose notes say what the current generation does not hold, latest first, with the lines that do."""
    found: dict[date, list[tuple[DailyNote, Mention]]] = {}
    if not line.items:
        return found
    slug = line.topic.slug
    named = {note.path: mentions for note, mentions in atlas.mentions.get(slug, ())}
    for note in atlas.sources_since(line.topic):
        lines = fresh_lines(note, slug, named.get(note.path, ()))
        if lines or not archived_until(note, slug):
            found.setdefault(note.day, []).extend((note, mention) for mention in lines)
    return dict(sorted(found.items(), reverse=True))
