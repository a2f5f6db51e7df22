"""Topics and days as other pages name them: badges, cards, rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial

from memsite.memory.generation import later_by_a_day
from memsite.memory.model import Grade, Status, Topic
from memsite.memory.planning import consolidation_grade, turning_days
from memsite.site.links import day_uri, topic_uri
from memsite.site.pages.addresses import compare_any_uri, printable, since_anchor
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.calendars import spark_bars, spark_turns
from memsite.site.pages.views import Link, TopicBadge, TopicCard
from memsite.values import dataclass

NOT_INDEXED = "Not in the index"
"""What topics that INDEX.md does not know stand under."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day in a list."""

    day: date
    link: Link
    headline: str
    """What its note is about, in a line; empty without a note."""
    notes: int
    sessions: int
    topics: tuple[Link, ...]
    generations: tuple[Link, ...]
    deleted: bool
    """Whether all of its notes are deleted."""


def topic_link(slug: str) -> Link:
    """A topic by its name alone: what pages show that must not change whenever its status or its grade does."""
    return Link(slug, topic_uri(slug))


def topic_badge(atlas: Atlas, topic: Topic) -> TopicBadge:
    """A topic's name, status and grade."""
    return atlas.once(("badge", topic.slug), partial(_topic_badge, atlas, topic))


def _topic_badge(atlas: Atlas, topic: Topic) -> TopicBadge:
    made_of = (topic.dates, [(str(one.path), one.blob.id) for one in topic.generations])
    grade = Grade(atlas.key(f"grade {topic.slug}", made_of, partial(_grade, atlas, topic)))
    return TopicBadge(topic.slug, topic_link(topic.slug), topic.status, grade, topic.slug in atlas.privacy.topics)


def _grade(atlas: Atlas, topic: Topic) -> str:
    """Kept, since it takes the text of each generation, and overviews have the badges of all topics."""
    today = atlas.today_among(lambda _today: turning_days(topic))
    return consolidation_grade(topic, today, atlas.config.consolidation_threshold).value


def topic_card(atlas: Atlas, line: Lineage) -> TopicCard:
    """What the overviews say of a topic."""
    topic, current = line.topic, line.current
    days = days_so_far(atlas, sorted(line.days))
    return TopicCard(
        topic_badge(atlas, topic),
        topic.description,
        topic.aliases,
        days[0] if days else None,
        days[-1] if days else None,
        len(topic.dates),
        len(line.there),
        generation_link(current) if current else None,
        spark_bars(topic.dates, atlas.today_among(partial(spark_turns, topic.dates))),
    )


def category_title(category: str) -> str:
    """What the topics of a category, or those below no heading of INDEX.md, stand under."""
    return printable(category) or "Without a category"


def days_so_far(atlas: Atlas, days: Sequence[date]) -> list[date]:
    """Days in order, without those to come on which nothing is written: a slip in a date is the last of nothing."""
    at = _reached(days, atlas.today_among(partial(_turns, days)))
    return [*days[:at], *(day for day in days[at:] if day in atlas.notes or day in atlas.logs)]


def _reached(days: Sequence[date], today: date) -> int:
    """How many of some days in order have come, or will have tomorrow."""
    return bisect_right(days, later_by_a_day(today))


def _turns(days: Sequence[date], today: date) -> Iterator[date]:
    """The days on which that becomes another number, as of `Atlas.today_among`."""
    at = _reached(days, today)
    return (date.fromordinal(max(day.toordinal() - 1, 1)) for day in days[max(at - 1, 0) : at + 1])


def generation_link(item: GenerationItem) -> Link:
    """A generation by its number."""
    return Link(f"Generation {item.generation.number}", item.uri)


def choose_link(items: Sequence[GenerationItem], position: int) -> Link | None:
    """From a generation to the comparison of any two: with the newest picked, for the newest itself the first.

    None where there is no other. The newest is not named: a new one would remake the pages of all before it.
    """
    newest = len(items) - 1
    if newest < 1:
        return None
    one = items[0 if position == newest else position]
    anchor = since_anchor(one.segment)
    return Link("Compare with any other generation", compare_any_uri(one.generation.topic), anchor)


def day_row(atlas: Atlas, day: date) -> DayRow:
    """What a list of days says of one."""
    return atlas.once(("row", day.isoformat()), partial(_day_row, atlas, day))


def _day_row(atlas: Atlas, day: date) -> DayRow:
    told = atlas.told(day)
    made = atlas.generations_on.get(day, ())
    return DayRow(
        day,
        Link(day.isoformat(), day_uri(day)),
        told.headline,
        told.count,
        len(atlas.logs[day].log.entries) if day in atlas.logs else 0,
        tuple(map(topic_link, atlas.topics_on.get(day, ()))),
        tuple(Link(f"{item.generation.topic} gen {item.generation.number}", item.uri) for item in made),
        told.deleted,
    )


def wanting(cards: tuple[TopicCard, ...]) -> tuple[TopicCard, ...]:
    """The topics that want consolidation: those that are due first, of these the running ones, the latest first."""
    found = [card for card in cards if card.badge.grade is not Grade.NONE]
    return tuple(sorted(found, key=_urgency))


def _urgency(card: TopicCard) -> tuple[bool, bool, int]:
    ended = card.badge.status not in (Status.ACTIVE, Status.PAUSED)
    return card.badge.grade is not Grade.DUE, ended, -(card.last or date.min).toordinal()
