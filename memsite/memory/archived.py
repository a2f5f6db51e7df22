"""What of a note a search without a topic may find: a marker archives the text above it for its own topic alone.

A paragraph is the topics' that it names, else those' that its headings name. Else it is anybody's who has the day, or
has archived it, and has no section of its own in the note. It is archived when it is for all whose it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from pathlib import PurePosixPath

from memsite.memory.daily import archived_topic, archived_until, numbered_lines, text_without
from memsite.memory.lines import Kind, Line, split_lines
from memsite.memory.mentions import TopicNames, find_heading_topics, read_passages
from memsite.memory.model import DailyNote, MarkerKind, Memory
from memsite.values import dataclass

_NO_WORDS = frozenset({Kind.BLANK, Kind.COMMENT, Kind.FRONT_MATTER, Kind.RULE})


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, a bullet, a table, a fence or a heading."""

    lines: Sequence[Line]
    above: tuple[_Block, ...]
    """The headings that it stands under, the outermost first."""

    @property
    def level(self) -> int:
        """Of a heading; 0 for what is none."""
        return max(line.level for line in self.lines)

    @property
    def numbers(self) -> range:
        """Of its lines."""
        return range(self.lines[0].number, self.lines[-1].number + 1)

    @property
    def words(self) -> str:
        """Of a heading, with its marks."""
        return " ".join(line.text for line in self.lines)


class PlainView:
    """The notes of a memory without what is archived for all whose it is."""

    def __init__(self, memory: Memory) -> None:
        self._memory, self._names = memory, TopicNames(memory.topics)
        self._topics = {topic.slug: topic for topic in memory.topics}
        self._called: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self._archived: dict[PurePosixPath, Set[int]] = {}
        self._on: dict[date, set[str]] = defaultdict(set)
        for topic in memory.topics:
            for day in topic.dates:
                self._on[day].add(topic.slug)

    def text_of(self, note: DailyNote) -> str:
        """A note with what is archived as blank lines, so that every line keeps its number."""
        hidden = self._hidden(note)
        text = note.blob.text
        return "".join("\n" if at in hidden else line for at, line in numbered_lines(note)) if hidden else text

    def shown_text(self, note: DailyNote) -> str:
        """A note without what is archived, its markers and outer blank lines."""
        return text_without(note, self._hidden(note))

    def _hidden(self, note: DailyNote) -> Set[int]:
        if note.path not in self._archived:
            self._archived[note.path] = self._archived_lines(note)
        return self._archived[note.path]

    def _archived_lines(self, note: DailyNote) -> Set[int]:
        last = archived_until(note)
        if not last:
            return frozenset()
        slugs = {archived_topic(one) or "" for one in note.markers if one.kind is MarkerKind.ARCHIVED}
        until = {slug: archived_until(note, slug or None) for slug in slugs}
        lines = split_lines(note.blob.data)
        blocks = [one for one in _blocks(lines) if one.lines[0].number <= last]
        shown = {number for one in self._shown(note, blocks, until) for number in one.numbers}
        for line in lines[:last]:
            if line.kind is Kind.BLANK and line.number - 1 in shown:
                shown.add(line.number)  # what keeps paragraphs apart
        return frozenset(range(1, last + 1)) - shown

    def _shown(self, note: DailyNote, blocks: Sequence[_Block], until: Mapping[str, int]) -> Iterator[_Block]:
        """The blocks that are not archived for all whose they are, with the headings above them."""
        named = self._named_lines(note)
        near = frozenset({*until, *self._on[note.day]})
        called = {id(one): self._heading_topics(one, near) for one in blocks if one.level}
        loose = near - {slug for slugs in called.values() for slug in slugs}
        for one in blocks:
            if one.level:
                continue
            own = {slug for number in one.numbers for slug in named.get(number, ())}
            under = {slug for heading in one.above for slug in called[id(heading)]}
            owners = own or under or loose
            if not owners or any(one.lines[-1].number > until.get(slug, 0) for slug in owners):
                yield one
                yield from one.above

    def _named_lines(self, note: DailyNote) -> dict[int, set[str]]:
        named: dict[int, set[str]] = defaultdict(set)
        if occurring := self._names.occurring_in(note.blob.text):
            for slug, passage, _ in self._names.iter_mentions(tuple(read_passages(note)), occurring):
                named[passage.line].add(slug)
        return named

    def _heading_topics(self, heading: _Block, near: frozenset[str]) -> frozenset[str]:
        key = heading.words, near
        if key not in self._called:
            likely = [self._topics[slug] for slug in sorted(near & self._topics.keys())]
            self._called[key] = find_heading_topics(self._memory, heading.words, likely)
        return self._called[key]


def _blocks(lines: Iterable[Line]) -> Iterator[_Block]:
    """What has words, in order."""
    groups: dict[int, list[Line]] = {}
    for line in lines:
        if line.kind not in _NO_WORDS:
            groups.setdefault(line.block, []).append(line)
    above: tuple[_Block, ...] = ()
    for group in groups.values():
        block = _Block(group, above)
        yield block
        if level := block.level:
            above = (*(one for one in above if one.level < level), block)
