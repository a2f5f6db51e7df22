"""The first page: what the agent is working on, what happened of late, what wants attention."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial

from memsite.memory.model import Status
from memsite.site.pages.addresses import HOME, printable
from memsite.site.pages.atlas import Atlas, GenerationItem
from memsite.site.pages.calendars import YearCalendar, year_calendar
from memsite.site.pages.cards import (
    NOT_INDEXED,
    DayRow,
    category_title,
    day_row,
    days_so_far,
    generation_link,
    topic_card,
    topic_link,
    wanting,
)
from memsite.site.pages.commits import DayOfCommits, latest_commit_days
from memsite.site.pages.documents import text_document
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Document, Link, TopicCard
from memsite.site.spec import PageKind, PageSpec
from memsite.values import dataclass

LEAST_CARDS, MOST_CARDS = 3, 9
"""Of a category, on the home page; all that is active within these bounds."""
LATEST_DAYS = 7
LATEST_COMMITS = 15
"""Lines; one may stand for a burst."""
LATEST_DECISIONS = 8
MAX_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Category:
    """The topics of one category: those that are worked on and the latest of the others, and the rest."""

    title: str
    cards: tuple[TopicCard, ...]
    rest: tuple[TopicCard, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a current generation."""

    text: Document
    topic: Link
    day: date
    generation: Link


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """Something that a person should look at."""

    place: str
    message: str
    hint: str
    link: Link | None


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is."""

    topics: int
    days: int
    sessions: int
    generations: int
    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page."""

    today: date
    shown_at: str
    shallow: bool
    """Whether the clone holds only a part of the history."""
    totals: Totals
    categories: tuple[Category, ...]
    wanting: tuple[TopicCard, ...]
    year: YearCalendar | None
    days: tuple[DayRow, ...]
    changes: tuple[DayOfCommits, ...]
    decisions: tuple[Decision, ...]
    problems: tuple[ProblemLine, ...]
    more_problems: int


def home_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """The home page."""
    place = Place(HOME, PageKind.HOME, "Memory", in_nav=True)
    yield make_page(atlas, place, partial(_home, atlas))


def _home(atlas: Atlas) -> HomeView:
    cards = tuple(topic_card(atlas, line) for line in atlas.lineages)
    problems = [_problem(atlas, index) for index in range(min(len(atlas.all_problems), MAX_PROBLEMS))]
    return HomeView(
        atlas.today,
        atlas.shown_at,
        atlas.shallow,
        totals(atlas),
        categories(atlas),
        wanting(cards),
        year_calendar(atlas) if atlas.days else None,
        tuple(day_row(atlas, day) for day in reversed(days_so_far(atlas, atlas.days)[-LATEST_DAYS:])),
        latest_commit_days(atlas, atlas.history.commits, LATEST_COMMITS),
        _decisions(atlas),
        tuple(problems),
        len(atlas.all_problems) - len(problems),
    )


def totals(atlas: Atlas) -> Totals:
    """How much a memory has, what git has deleted left out."""
    so_far = days_so_far(atlas, atlas.days)
    return Totals(
        len(atlas.lineages),
        len(atlas.days),
        sum(len(item.log.entries) for item in atlas.logs.values() if item.deletion is None),
        sum(len(line.there) for line in atlas.lineages),
        min(so_far, default=None),
        max(so_far, default=None),
    )


def categories(atlas: Atlas) -> tuple[Category, ...]:
    """Topics by category in the order of INDEX.md, in each what is active, paused, ended; those without one last."""
    known = [line for line in atlas.lineages if line.topic.entry is not None]
    cards: dict[str, list[TopicCard]] = {title: [] for title in (*atlas.index.categories, "")}
    for line in known:
        cards.setdefault(line.topic.category, []).append(topic_card(atlas, line))
    unknown = [topic_card(atlas, line) for line in atlas.lineages if line.topic.entry is None]
    groups = [*((category_title(title), found) for title, found in cards.items()), (NOT_INDEXED, unknown)]
    return tuple(_category(title, found) for title, found in groups if found)


def _category(title: str, cards: list[TopicCard]) -> Category:
    ordered = tuple(sorted(cards, key=_nearness))
    active = sum(card.badge.status is Status.ACTIVE for card in cards)
    shown = min(max(active, LEAST_CARDS), MOST_CARDS)
    return Category(title, ordered[:shown], ordered[shown:])


def _nearness(card: TopicCard) -> tuple[int, int, str]:
    """What is active first, then what is paused, each the latest first."""
    rank = {Status.ACTIVE: 0, Status.PAUSED: 1}.get(card.badge.status, 2)
    return rank, -(card.last or date.min).toordinal(), card.badge.slug


def _decisions(atlas: Atlas) -> tuple[Decision, ...]:
    current = [item for line in atlas.lineages if (item := line.current) and item.deletion is None]
    current.sort(key=lambda item: (-item.generation.day.toordinal(), item.generation.topic))
    found = [decision for item in current[:LATEST_DECISIONS] for decision in _decisions_of(atlas, item)]
    return tuple(found[:LATEST_DECISIONS])


def _decisions_of(atlas: Atlas, item: GenerationItem) -> Iterator[Decision]:
    generation = item.generation
    line = atlas.lineage(generation.topic)
    if line is None:
        return
    for point in generation.decisions:
        text = text_document(
            atlas.resolver,
            generation.path,
            generation.blob.id,
            point.text,
            part=(point.line, point.line),
            prefix=f"decision-{generation.topic}-{point.line}.",
        )
        yield Decision(text, topic_link(line.topic.slug), generation.day, generation_link(item))


def _problem(atlas: Atlas, index: int) -> ProblemLine:
    problem = atlas.all_problems[index]
    place = printable(problem.path) + (f":{problem.line}" if problem.line is not None else "")
    uri = atlas.uri_of(problem.path)
    return ProblemLine(
        place, printable(problem.message), printable(problem.hint), Link(place, uri) if uri is not None else None
    )
