"""Topics and days as other pages name them: badges, cards, rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import partial

from memsite.memory.model import DailyNote, Grade, Status, Topic
from memsite.memory.planning import consolidation_grade
from memsite.site.front_matter import split_front_matter
from memsite.site.links import day_uri, topic_uri
from memsite.site.pages.addresses import compare_any_uri, pair_anchor, printable
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.calendars import spark_bars
from memsite.site.pages.dates import MONTHS, WEEKDAYS
from memsite.site.pages.mentions import excerpt
from memsite.site.pages.views import Link, TopicBadge, TopicCard

_FIRST_CHARACTERS = 4096
"""Of a note, in which its headline is looked for."""
_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in (*MONTHS, *WEEKDAYS)).casefold()
_DATE_WORDS = re.compile(
    rf"[0-9]+(?:st|nd|rd|th)?|\b(?:{_NAMES})\b"
    r"|(?:星期|周|週)[一二三四五六日天]|[年月日号號]|[日月火水木金土]曜日?"
)
_NO_WORDS = ("<!--", "---", "***", "```", "~~~", "|")


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


def topic_link(topic: Topic) -> Link:
    """A topic by its name alone: what pages show that must not change whenever its status or its grade does."""
    return Link(topic.slug, topic_uri(topic.slug))


def topic_badge(atlas: Atlas, topic: Topic) -> TopicBadge:
    """A topic's name, status and grade."""
    return atlas.once(("badge", topic.slug), partial(_topic_badge, atlas, topic))


def _topic_badge(atlas: Atlas, topic: Topic) -> TopicBadge:
    grade = consolidation_grade(topic, atlas.today, atlas.source.config.consolidation_threshold)
    return TopicBadge(topic.slug, topic_link(topic), topic.status, grade, topic.slug in atlas.privacy.topics)


def topic_card(atlas: Atlas, line: Lineage) -> TopicCard:
    """What the overviews say of a topic."""
    topic, current = line.topic, line.current
    days = sorted({*topic.dates, *(item.generation.day for item in line.items)})
    return TopicCard(
        topic_badge(atlas, topic),
        topic.description,
        topic.aliases,
        days[0] if days else None,
        days[-1] if days else None,
        len(topic.dates),
        len(line.items),
        generation_link(current) if current else None,
        spark_bars(topic.dates, atlas.today),
    )


def generation_link(item: GenerationItem) -> Link:
    """A generation by its number."""
    return Link(f"Generation {item.generation.number}", item.uri)


def choose_link(line: Lineage, position: int) -> Link | None:
    """From a generation to the comparison of any two: with the newest picked, for the newest itself the first.

    None where there is no other.
    """
    newest = len(line.items) - 1
    if newest < 1:
        return None
    one, other = (0, newest) if position == newest else (position, newest)
    anchor = pair_anchor(line.items[one].segment, line.items[other].segment)
    return Link("Compare with any other generation", compare_any_uri(line.topic.slug), anchor)


def day_row(atlas: Atlas, day: date) -> DayRow:
    """What a list of days says of one."""
    return atlas.once(("row", day.isoformat()), partial(_day_row, atlas, day))


def _day_row(atlas: Atlas, day: date) -> DayRow:
    notes = atlas.notes.get(day, ())
    made = atlas.generations_on.get(day, ())
    return DayRow(
        day,
        Link(day.isoformat(), day_uri(day)),
        next((text for item in notes if (text := headline(item.note))), ""),
        len(notes),
        len(atlas.logs[day].log.entries) if day in atlas.logs else 0,
        tuple(topic_link(topic) for topic in atlas.topics_on.get(day, ())),
        tuple(Link(f"{item.generation.topic} gen {item.generation.number}", item.uri) for item in made),
        bool(notes) and all(item.deletion for item in notes),
    )


def headline(note: DailyNote) -> str:
    """What a note is about: its title unless that is only the date, else its first line of text, else a heading."""
    day = note.day.isoformat()
    _, text = split_front_matter(note.blob.text[:_FIRST_CHARACTERS])
    lines = [line.strip() for line in text.splitlines()]
    titled = note.label or any(line.startswith("# ") for line in lines)
    if titled and day not in note.title and note.title != note.path.stem and not _is_date(note.title):
        return excerpt(printable(note.title))
    words = [line for line in lines if line and not line.startswith(_NO_WORDS)]
    plain = [line for line in words if not line.startswith("#")]
    shown = (excerpt(printable(line)) for line in (*plain, *words))
    return next((line for line in shown if line and day not in line[:24] and not _is_date(line)), "")


def _is_date(title: str) -> bool:
    """Whether a title says nothing but a day, in numbers or in words; an empty one says nothing at all."""
    return not any(char.isalnum() for char in _DATE_WORDS.sub("", title.casefold()))


def wanting(cards: tuple[TopicCard, ...]) -> tuple[TopicCard, ...]:
    """The topics that want consolidation: those that are due first, of these the running ones, the latest first."""
    found = [card for card in cards if card.badge.grade is not Grade.NONE]
    return tuple(sorted(found, key=_urgency))


def _urgency(card: TopicCard) -> tuple[bool, bool, int]:
    ended = card.badge.status not in (Status.ACTIVE, Status.PAUSED)
    return card.badge.grade is not Grade.DUE, ended, -(card.last or date.min).toordinal()
