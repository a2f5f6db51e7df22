"""What the topics' own notes and generations talk about: 番茄 finds `garden` when nobody else's notes speak of it.

A note belongs to the topics that have its day. What it says in a line that names one of them is that one's; of the
rest nobody knows whose it is, unless only one topic of the day is named nowhere: then the day is its own for that.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import date

from memsite.memory.mentions import Passage, find_likely, find_mentions, read_passages
from memsite.memory.model import DailyNote, Memory, Topic
from memsite.memory.query import Query
from memsite.memory.search import count, inverse_frequency, term_pattern
from memsite.memory.statements import Relevance, Statement, find_statements
from memsite.values import dataclass, field, replace

_SHARE_OF_MENTIONS = 0.34
"""A topic is about a word when at least this part of its mentions in the memory is the topic's."""
_SHARE_OF_TEXTS = 0.15
"""And when at least this part of the topic's texts mention it."""
_MOST_READ = 32
"""Of the notes of one topic that have a word, so many are read sentence by sentence, evenly spread."""


@dataclass(frozen=True, slots=True)
class _Text:
    """One note or generation, or what a topic is called, and the topics that it belongs to."""

    lowered: str
    slugs: tuple[str, ...]
    note: DailyNote | None = None
    is_name: bool = False


def find_subjects(memory: Memory, query: Query) -> Iterator[tuple[str, float]]:
    """The topics whose own texts talk about what was asked for, with the share, 0 to 1, of it that is theirs."""
    owners = _Owners.of(memory)
    texts = tuple(_iter_texts(memory, owners.topics_on))
    sizes = Counter(slug for text in texts for slug in text.slugs if not text.is_name)
    about: dict[str, float] = defaultdict(float)
    total = 0.0
    for term in query.terms:
        pattern = term_pattern(term)
        having = [text for text in texts if count(text.lowered, term, pattern)]
        rarity = inverse_frequency(len(texts), len(having))
        total += rarity
        for slug, share in _shares(having, sizes, owners, pattern).items():
            about[slug] += rarity * share
    for slug, value in about.items():
        if total and value / total >= _SHARE_OF_MENTIONS:
            yield slug, value / total


def _iter_texts(memory: Memory, topics_on: Mapping[date, tuple[str, ...]]) -> Iterator[_Text]:
    yield from (_Text(note.blob.text.lower(), topics_on.get(note.day, ()), note) for note in memory.notes)
    for topic in memory.topics:
        yield from (_Text(one.blob.text.lower(), (topic.slug,)) for one in topic.generations)
        called = " ".join((topic.slug, *topic.aliases, topic.description))
        yield _Text(called.lower(), (topic.slug,), is_name=True)


def _shares(
    having: list[_Text], sizes: Mapping[str, int], owners: _Owners, pattern: re.Pattern[str]
) -> dict[str, float]:
    """Which part of a word's mentions is each topic's, for the topics that mention it often enough.

    A text that says it for several topics counts for each of them in part.
    """
    most = Counter(slug for text in having for slug in text.slugs)
    wanted = [slug for slug, number in most.items() if number >= _SHARE_OF_MENTIONS * len(having)]
    own = {slug: _own_parts(having, slug, owners, pattern) for slug in wanted}
    weights: dict[str, float] = defaultdict(float)
    numbers: dict[str, float] = defaultdict(float)
    for at, text in enumerate(having):
        parts = {slug: own[slug][at] for slug in text.slugs if slug in own}
        for slug, part in parts.items():
            numbers[slug] += part
            weights[slug] += part / max(sum(parts.values()), 1)
    often = [slug for slug, number in numbers.items() if number / max(sizes[slug], 1) >= _SHARE_OF_TEXTS]
    return {slug: weights[slug] / len(having) for slug in often}


def _own_parts(having: list[_Text], slug: str, owners: _Owners, pattern: re.Pattern[str]) -> dict[int, float]:
    """By position, how much of a word in each text of a topic is the topic's: 0 or 1, or in many notes their mean.

    What a topic's name or its generations say is its subject, wherever its notes say it.
    """
    places = [at for at, text in enumerate(having) if slug in text.slugs]
    notes = [(at, note) for at in places if (note := having[at].note)]
    if len(notes) < len(places):
        return dict.fromkeys(places, 1.0)
    read = notes[:: -(-len(notes) // _MOST_READ)]
    found = {at: float(owners.is_own(note, slug, pattern)) for at, note in read}
    return dict.fromkeys(places, sum(found.values()) / len(found)) | found


@dataclass(slots=True)
class _Owners:
    """Whose words are in the notes."""

    memory: Memory
    topics: Mapping[str, Topic]
    topics_on: Mapping[date, tuple[str, ...]]
    _unnamed: dict[date, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, memory: Memory) -> _Owners:
        topics: dict[date, list[str]] = defaultdict(list)
        for topic in memory.topics:
            for day in set(topic.dates):
                topics[day].append(topic.slug)
        by_day = {day: tuple(slugs) for day, slugs in topics.items()}
        return cls(memory, {topic.slug: topic for topic in memory.topics}, by_day)

    def is_own(self, note: DailyNote, slug: str, pattern: re.Pattern[str]) -> bool:
        """Whether a note says a word of a topic that has its day."""
        stated = find_statements(self.memory, self.topics[slug], [replace(note, markers=())])
        said = [one for one in stated if pattern.search(" ".join((*one.headings, one.text)).lower())]
        if any(one.relevance > Relevance.GENERAL for one in said):
            return True
        loose = [one for one in said if one.relevance is Relevance.GENERAL]
        if said and not loose:
            return False
        return self._unnamed_on(note.day) == {slug} or any(self._speaks_of(slug, one) for one in loose)

    def _unnamed_on(self, day: date) -> frozenset[str]:
        """The topics of a day that no line of its notes seems to name."""
        if day not in self._unnamed:
            passages = [one for note in self.memory.notes_on(day) for one in read_passages(note)]
            self._unnamed[day] = frozenset(self.topics_on[day]) - self._named_in(passages, day)
        return self._unnamed[day]

    def _speaks_of(self, slug: str, one: Statement) -> bool:
        return slug in self._named_in([Passage(one.path, one.first_line, one.text)], one.day)

    def _named_in(self, passages: list[Passage], day: date) -> frozenset[str]:
        of_day = replace(self.memory, topics=tuple(self.topics[slug] for slug in self.topics_on[day]))
        named = find_mentions(of_day, passages)
        return frozenset((*named, *find_likely(of_day, passages, named)))
