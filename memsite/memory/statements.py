"""What the notes of a topic state: list items and sentences with their lines, and how much each is about the topic.

Material for a topic's next generation: for its writer (`briefing`), and for the extraction without one (`extracting`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum
from pathlib import PurePosixPath

from memsite.memory.daily import archived_topic
from memsite.memory.lines import Kind, Line, split_lines
from memsite.memory.mentions import Passage, find_likely, find_mentions
from memsite.memory.model import DailyNote, Memory, SourceRef, Topic
from memsite.memory.source_refs import format_source_ref

LONG = 240
"""Characters from which a paragraph is taken apart into sentences."""

_COMMENT = re.compile(r"<!--.*?-->")
_BOX = re.compile(r"\[[ xX]\]\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_a-z]|[0-9\"'“‘(（《])|(?<=[。！？])\s*")


class Relevance(IntEnum):
    """How much a statement is about the topic."""

    OTHER = 0
    """About something else: under another topic's heading, or beside a section of the topic's own."""
    GENERAL = 1
    """In a note that belongs to the topic and says nothing of what it is about."""
    SECTION = 2
    """Under a heading that names the topic."""
    NAMED = 3
    """It names the topic."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One list item, paragraph or sentence of a note, in its own words."""

    day: date
    path: PurePosixPath
    first_line: int
    last_line: int
    text: str
    """In one line, without its bullet and comments."""
    headings: tuple[str, ...] = ()
    """Those that it stands under, the outermost first."""
    relevance: Relevance = Relevance.GENERAL
    label: str = ""
    """Of its note (`DailyNote.label`)."""

    @property
    def reference(self) -> str:
        """`[2025-03-22#L5]`, as a point carries it."""
        return format_source_ref(SourceRef(self.day, self.first_line, self.last_line, self.label))


def find_statements(memory: Memory, topic: Topic, notes: Sequence[DailyNote]) -> tuple[Statement, ...]:
    """What the notes state that is new for the topic, in their order, each with its relevance.

    Code, tables, quotes, front matter and what is archived for the topic state nothing.
    """
    return tuple(_with_relevance(memory, topic, [one for note in notes for one in _iter_note(note, topic)]))


def _iter_note(note: DailyNote, topic: Topic) -> Iterator[Statement]:
    archived = max((marker.line for marker in note.markers if archived_topic(marker) == topic.slug), default=0)
    lines = split_lines(note.blob.data)
    headings: dict[int, str] = {}
    group: list[Line] = []
    for line in lines:
        if line.level and group and line.block == group[0].block:
            group = []  # what is underlined is a heading
        if group and not (line.kind is Kind.TEXT and line.block == group[0].block and not line.opens):
            yield from _iter_group(note, group, headings)
            group = []
        if line.level:
            headings = {level: text for level, text in headings.items() if level < line.level}
            headings[line.level] = _plain(line.text).strip("#= -\t") or _plain(lines[line.block - 1].text)
        elif line.number > archived and line.kind is Kind.TEXT and not _is_quote(line, lines):
            group.append(line)
    yield from _iter_group(note, group, headings)


def _is_quote(line: Line, lines: Sequence[Line]) -> bool:
    return ">" in line.text[: line.content] or ">" in lines[line.block - 1].text[: lines[line.block - 1].content]


def _plain(text: str) -> str:
    """What a line says: no comment, no bytes that are no text."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "\ufffd")
    return " ".join(_COMMENT.sub(" ", shown).split())


def _iter_group(note: DailyNote, group: Sequence[Line], headings: dict[int, str]) -> Iterator[Statement]:
    """The statements of one list item or paragraph: itself, or its sentences when it is long."""
    texts = [_plain(line.text[line.content :] if index == 0 else line.text) for index, line in enumerate(group)]
    if not group or texts[0].startswith("|"):
        return
    under = tuple(headings[level] for level in sorted(headings))
    whole = " ".join(texts)
    box = _BOX.match(whole)
    start = box.end() if box else 0
    for begin, end in _sentences(whole, start):
        text = whole[begin:end].strip()
        if any(map(str.isalnum, text)):
            first, last = _line_at(texts, begin), _line_at(texts, max(begin, end - 1))
            yield Statement(note.day, note.path, group[first].number, group[last].number, text, under, label=note.label)


def _sentences(text: str, start: int) -> Iterator[tuple[int, int]]:
    if len(text) - start <= LONG:
        yield start, len(text)
        return
    for match in _SENTENCE_END.finditer(text, start):
        if match.start() > start:
            yield start, match.start()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def _line_at(texts: Iterable[str], position: int) -> int:
    """Which of the lines, joined by spaces, has the character at a position."""
    end, index = 0, 0
    for index, text in enumerate(texts):
        end += len(text) + 1
        if position < end:
            return index
    return index


def _with_relevance(memory: Memory, topic: Topic, statements: Sequence[Statement]) -> Iterator[Statement]:
    names = dict.fromkeys(heading for one in statements for heading in one.headings)
    headings = {name: _Named.of(memory, topic, [Passage(PurePosixPath(), 1, name, 1)]) for name in names}
    sections = {one.path for one in statements if any(headings[name].topic for name in one.headings)}
    for one in statements:
        own = find_mentions(memory, [Passage(one.path, one.first_line, one.text)])
        yield replace(one, relevance=_relevance(topic, one, own, headings, one.path in sections))


def _relevance(
    topic: Topic, one: Statement, own: dict[str, Passage], headings: dict[str, _Named], has_section: bool
) -> Relevance:
    if topic.slug in own:
        return Relevance.NAMED
    if any(headings[name].topic for name in one.headings):
        return Relevance.SECTION
    if own or has_section or any(headings[name].others for name in one.headings):
        return Relevance.OTHER
    return Relevance.GENERAL


@dataclass(frozen=True, slots=True)
class _Named:
    """Whom a heading names."""

    topic: bool
    others: bool

    @classmethod
    def of(cls, memory: Memory, topic: Topic, passages: Sequence[Passage]) -> _Named:
        found = find_mentions(memory, passages)
        likely = not found and find_likely(replace(memory, topics=(topic,)), passages, ())
        return cls(topic.slug in found or bool(likely), bool(found.keys() - {topic.slug}))
