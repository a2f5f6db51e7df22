"""Which notes a topic's generations hold already; all others of its dates are new, whenever they were written.

A day is no measure: a second note of a covered day, or a date that the topic gets later, was part of no generation.
So a generation is asked for the notes that its Source References name. Where it has none, the markers that name it tell
which notes went into it, and where nobody marked any, its **Covers** is believed for whole days.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from memsite.memory.daily import archived_topic
from memsite.memory.generation import later_by_a_day
from memsite.memory.model import DailyNote, Generation, Marker, Source, Topic
from memsite.memory.names import parse_date
from memsite.memory.source_refs import is_named
from memsite.values import dataclass

_DAY = re.compile(r"(?<!\w)[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")
_RANGE = re.compile(rf"\W*({_DAY.pattern})(?:\s*(?:[-–—~～至到]+|to|until|through|bis)\s*)({_DAY.pattern})\W*")


def believed_covers(generation: Generation, today: date) -> tuple[date, date] | None:
    """The first and the last day that a generation covers; None where it does not say, or that day is still to come."""
    covers = generation.covers
    return covers if covers and covers[1] <= later_by_a_day(today) else None


def find_uncovered(topic: Topic, notes: Sequence[DailyNote], today: date) -> tuple[DailyNote, ...]:
    """Those of some notes that went into none of the topic's generations; one with a marker of the topic did."""
    own = {note.path: [marker for marker in note.markers if _is_of(marker, topic)] for note in notes}
    marked = {marker.target.rpartition("/")[2] for markers in own.values() for marker in markers}
    holdings = [_Holding.of(one, today, has_markers=one.path.name in marked) for one in topic.generations]
    return tuple(note for note in notes if not own[note.path] and not any(one.holds(note) for one in holdings))


def names_note(source: Source, note: DailyNote) -> bool:
    """Whether a line of Source References names a note: by its day and label, its file, or a list or a span of days."""
    if note.label and _has_word(f"{source.label} {source.text}", note.path.stem):
        return True
    if source.day is not None:
        return is_named(note, source.day, source.note)
    return not note.label and _is_among(note.day, source.label)


def _is_of(marker: Marker, topic: Topic) -> bool:
    return archived_topic(marker) == topic.slug


@dataclass(frozen=True, slots=True)
class _Holding:
    """What a generation says of what it was made from; read once, and asked for hundreds of notes."""

    last: date
    """A later day may be named as a plan; its note came later."""
    named: tuple[Source, ...]
    first: date | None
    """From here on it holds whole days; None where the sources or markers say what it holds."""

    @staticmethod
    def of(generation: Generation, today: date, *, has_markers: bool) -> _Holding:
        covers = believed_covers(generation, today)
        named = tuple(source for source in generation.sources if source.day is not None or _days(source.label))
        first = covers[0] if covers and not has_markers and not named else None
        return _Holding(covers[1] if covers else generation.day, named, first)

    def holds(self, note: DailyNote) -> bool:
        if note.day > self.last:
            return False
        if self.named:
            return any(names_note(source, note) for source in self.named)
        return self.first is not None and self.first <= note.day


def _is_among(day: date, label: str) -> bool:
    if span := _RANGE.fullmatch(label):
        first, last = (parse_date(text) for text in span.groups())
        return first is not None and last is not None and first <= day <= last
    return day in _days(label)


def _days(label: str) -> set[date]:
    return {day for text in _DAY.findall(label) if (day := parse_date(text))}


def _has_word(text: str, word: str) -> bool:
    """Whether a text has a file's stem, not only as a part of a longer one."""
    return word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
