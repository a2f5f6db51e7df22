"""A topic through the years: when it is worked on, what is held of it, what has been consolidated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import PurePosixPath
from random import Random

from bench.memories.lexicon import Lexicon, Subject
from memsite.memory.generation import topic_title

STEADY = {"personal-blog", "invoice-parser", "部署方案", "数据平台"}
"""Worked on for years: these have dozens of generations."""
PATIENCE = 7
"""Dates that gather, most often, before a topic is consolidated."""


@dataclass(frozen=True, slots=True)
class Held:
    """A statement of a topic with the line of the note that it stands in."""

    text: str
    day: date
    line: int
    decided: bool

    @property
    def cited(self) -> str:
        """With its source, as a generation has it."""
        return f"- {self.text} [{self.day.isoformat()}#L{self.line}]"


@dataclass(frozen=True, slots=True)
class Consolidated:
    """A generation that was written."""

    number: int
    day: date
    path: PurePosixPath
    """Relative to the memory folder."""
    points: tuple[str, ...]
    """Lines that the next generation may keep."""


@dataclass(slots=True)
class Track:
    """A topic as it goes on."""

    subject: Subject
    """Its slug is the topic's own."""
    first: date
    phases: tuple[tuple[date, date, float], ...]
    """From, to, and the chance that a day within is about it."""
    status: str = "active"
    dates: list[date] = field(default_factory=list)
    held: dict[int, Held] = field(default_factory=dict)
    """By aspect."""
    remarks: list[Held] = field(default_factory=list)
    """Since the last generation."""
    generations: list[Consolidated] = field(default_factory=list)

    @property
    def title(self) -> str:
        """As headings name it."""
        return topic_title(self.subject.slug)

    @property
    def open_dates(self) -> list[date]:
        """Dates that no generation covers."""
        since = self.generations[-1].day if self.generations else date.min
        return [day for day in self.dates if day > since]

    def chance(self, day: date) -> float:
        """How likely the day is about it."""
        return next((share for start, end, share in self.phases if start <= day <= end), 0.0)


def plan_tracks(lexicon: Lexicon, random: Random, first: date, days: int) -> list[Track]:
    """The topics that begin in the time, at their days; the steady ones early."""
    order = sorted(lexicon.subjects, key=lambda subject: (subject.slug not in STEADY, random.random()))
    tracks: list[Track] = []
    for number in range(max(days * len(order) // 1000, min(12, days // 5 + 2))):
        subject = order[number % len(order)]
        begins = first + timedelta(days=min(number * 30 + random.randint(0, 20), days - 1) if number >= 4 else number)
        if number >= len(order):
            if subject.slug in STEADY:
                continue
            # A topic that comes back is another one: the garden of another year.
            subject = replace(subject, slug=f"{subject.slug}-{begins.year}", aliases=())
        if all(track.subject.slug != subject.slug for track in tracks):
            tracks.append(Track(subject, begins, _phases(random, begins, first + timedelta(days=days), subject)))
    return sorted(tracks, key=lambda track: (track.first, track.subject.slug))


def _phases(random: Random, begins: date, end: date, subject: Subject) -> tuple[tuple[date, date, float], ...]:
    """Weeks of work with pauses between them, some of them long."""
    steady = subject.slug in STEADY
    count = 400 if steady else random.randint(1, 4) if subject.category == "Projects" else random.randint(1, 2)
    phases = []
    day = begins
    for _ in range(count):
        last = day + timedelta(days=random.randint(20, 70))
        phases.append((day, last, random.uniform(0.2, 0.45) if steady else random.uniform(0.08, 0.4)))
        day = last + timedelta(days=random.choice((6, 15, 30, 45) if steady else (10, 25, 60, 120, 240)))
        if day > end:
            break
    return tuple(phases)
