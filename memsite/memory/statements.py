"""What the notes of a topic state: list items and sentences with their lines, and how much each is about the topic.

Material for a topic's next generation: for its writer (`briefing`), and for the extraction without one (`extracting`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import date
from enum import IntEnum
from pathlib import PurePosixPath

from memsite.memory.cues import Sort, is_open_task, is_question, joined_sort, sort_of, without_box
from memsite.memory.daily import archived_topic
from memsite.memory.lines import Kind, Line, decode_text, split_lines
from memsite.memory.mentions import Passage, TopicNames, find_heading_topics
from memsite.memory.model import DailyNote, Memory, SourceRef, Topic
from memsite.memory.private_marks import find_marks
from memsite.memory.query import is_cjk
from memsite.memory.quotes import own_lines
from memsite.memory.sentences import Sentence, is_ended, split_sentences
from memsite.memory.source_refs import format_source_ref
from memsite.memory.struck import without_struck_sentences
from memsite.memory.tables import table_rows
from memsite.values import dataclass, replace

LONG = 240
"""Characters to which sentences that belong together make one statement."""

_COMMENT = re.compile(r"<!--.*?-->")
SPEAKER = re.compile(r"(?:user|assistant|human|agent|ai|system)\s*[:：]\s*", re.IGNORECASE)
"""Who speaks, in a note that keeps a conversation (OpenClaw's session-memory notes)."""
_METADATA = re.compile(r"\*\*(?:Session Key|Session ID|Source)\*\*\s*:")
_HARD_BREAK = re.compile(r"(?: {2,}|\\)$")
_LEANING = re.compile(
    r"(?:it|its|this|that|these|those|they|he|she|so|because|since|therefore|thus|hence|which|but|however|both|also|then"
    r"|reason|otherwise|es|sie|er|das|dies|weil|deshalb|aber|denn)\b"
    r"|它|这|那|他|她|因此|所以|因为|原因|理由|但|不过|否则|其中|于是|这样|同时|それ|これ|そのため|しかし|だから",
    re.IGNORECASE,
)
"""How a sentence begins that says nothing without the one before."""


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
    """In one line, without its bullet and comments; a task has its box (`[ ] write the post`)."""
    headings: tuple[str, ...] = ()
    """Those that it stands under, the outermost first."""
    relevance: Relevance = Relevance.GENERAL
    label: str = ""
    """Of its note (`DailyNote.label`)."""
    flows: bool = False
    """Whether it follows the statement before in the same flow of sentences."""
    spoken: bool = False
    """Whether it is a part of a conversation that the note keeps (`user: …`)."""

    @property
    def reference(self) -> str:
        """`[2025-03-22#L5]`, as a point carries it."""
        return format_source_ref(SourceRef(self.day, self.first_line, self.last_line, self.label))


def find_statements(memory: Memory, topic: Topic, notes: Sequence[DailyNote]) -> tuple[Statement, ...]:
    """What the notes state that is new for the topic, in their order, each with its relevance.

    Code, tables, quotes, front matter and what is archived for the topic state nothing; nor does what stands between
    private marks, since a generation does not take them over.
    """
    return tuple(_with_relevance(memory, topic, [one for note in notes for one in _iter_note(note, topic)]))


def _iter_note(note: DailyNote, topic: Topic) -> Iterator[Statement]:
    archived = max((marker.line for marker in note.markers if archived_topic(marker) == topic.slug), default=0)
    lines = split_lines(note.blob.data)
    own = own_lines(lines)
    unsaid = table_rows(own) | _private_lines(note, lines)
    headings: dict[int, str] = {}
    group: list[Line] = []
    for line in own:
        if line.level and group and line.block == group[0].block:
            group = []  # what is underlined is a heading
        if group and not (line.kind is Kind.TEXT and line.block == group[0].block and not line.opens):
            yield from _iter_group(note, group, headings)
            group = []
        if line.level:
            headings = {level: text for level, text in headings.items() if level < line.level}
            headings[line.level] = _plain(line.text).strip("#= -\t") or _shown(lines[line.block - 1], first=True)
        elif line.number > archived and line.kind is Kind.TEXT:
            group += [line] if line.number not in unsaid else []
    yield from _iter_group(note, group, headings)


def _private_lines(note: DailyNote, lines: Sequence[Line]) -> frozenset[int]:
    """The lines that a private block touches."""
    blocks = find_marks(decode_text(note.blob.data)).blocks
    return frozenset(
        line.number for line in lines if any(line.start < one.end and one.start < line.end for one in blocks)
    )


def _plain(text: str) -> str:
    """What a line says: no comment, no bytes that are no text."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "\ufffd")
    return " ".join(_COMMENT.sub(" ", shown).split())


def _iter_group(note: DailyNote, group: Sequence[Line], headings: dict[int, str]) -> Iterator[Statement]:
    """The statements of one list item or paragraph: its sentences, those together that belong together."""
    shown = [_shown(line, first=index == 0) for index, line in enumerate(group)]
    if not group:
        return
    task = without_box(shown[0])
    texts = without_struck_sentences("\n".join([task, *shown[1:]])).split("\n")
    texts[0] = shown[0].removesuffix(task) + texts[0] if texts[0].strip() else ""
    under = tuple(headings[level] for level in sorted(headings))
    broken = [_HARD_BREAK.search(line.text) is not None for line in group]
    attached = [bool(line.item) and (index == 0 or line.text[:1] in " \t") for index, line in enumerate(group)]
    spoken = False
    for one in _joined(split_sentences(texts, broken), attached):
        spoken = spoken or SPEAKER.match(one.text) is not None
        if any(map(str.isalnum, without_box(one.text))) and not _METADATA.match(one.text):
            lines = group[one.first].number, group[one.last].number
            yield Statement(
                note.day, note.path, *lines, one.text, under, label=note.label, flows=one.follows, spoken=spoken
            )


def _shown(line: Line, *, first: bool) -> str:
    return _plain(line.text[line.content :] if first else line.text).removesuffix("\\")


def _joined(sentences: Iterable[Sentence], attached: Sequence[bool]) -> Iterator[Sentence]:
    """Sentences with those that lean on the one before; in a list item, with all that say nothing of their own kind.

    `attached` are the lines that are a list item's own: not those that only follow it without indentation.
    """
    kept: Sentence | None = None
    said = Sort.FACT
    for one in sentences:
        sort, in_item = sort_of(one.text), attached[one.first]
        together = (
            kept and (one.follows or (in_item and is_ended(kept.text))) and len(kept.text) + len(one.text) <= LONG
        )
        is_answer = kept is not None and sort is not Sort.OPEN and is_question(kept.text)
        is_task = kept is not None and in_item and is_open_task(kept.text)
        if kept and together and (is_task or is_answer or _belongs(said, one.text, sort, in_item=in_item)):
            kept, said = kept.joined(one), sort if is_answer else joined_sort(said, sort)
            continue
        if kept:
            yield kept
        kept, said = one, sort
    if kept:
        yield kept


def _belongs(said: Sort, text: str, sort: Sort, *, in_item: bool) -> bool:
    """Whether a sentence of some sort is one statement with what was said before it."""
    if _is_tag(text, sort):
        return True
    if sort is not said and (sort is Sort.OPEN or not {sort, said} & {Sort.FACT, Sort.REASON}):
        return False
    return bool(_LEANING.match(text)) or (in_item and sort in {said, Sort.FACT, Sort.REASON})


def _is_tag(text: str, sort: Sort) -> bool:
    """`Undecided.`, 未定。: a word on what was said before."""
    size, least = (len(text.rstrip("。！？")), 2) if is_cjk(text) else (len(text.split()), 1)
    short = size <= least or (size <= 2 * least and sort in {Sort.OPEN, Sort.PROGRESS})
    return short and not is_question(text)


def _with_relevance(memory: Memory, topic: Topic, statements: Sequence[Statement]) -> Iterator[Statement]:
    names = TopicNames(memory.topics)
    called = dict.fromkeys(heading for one in statements for heading in one.headings)
    headings = {name: find_heading_topics(memory, name, (topic,)) for name in called}
    sections = {one.path for one in statements if any(topic.slug in headings[name] for name in one.headings)}
    before = Relevance.OTHER
    for one in statements:
        own = {slug for slug, *_ in names.iter_mentions([Passage(one.path, one.first_line, one.text)])}
        found = _relevance(topic, one, own, headings, one.path in sections)
        if one.flows and not own and before in {Relevance.NAMED, Relevance.OTHER}:
            found = before  # what follows in the same flow goes on about it
        before = found
        yield replace(one, relevance=found)


def _relevance(
    topic: Topic, one: Statement, own: Set[str], headings: Mapping[str, Set[str]], has_section: bool
) -> Relevance:
    if topic.slug in own:
        return Relevance.NAMED
    if any(topic.slug in headings[name] for name in one.headings):
        return Relevance.SECTION
    if own or has_section or any(headings[name] for name in one.headings):
        return Relevance.OTHER
    return Relevance.GENERAL
