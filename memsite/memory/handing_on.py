"""What a generation hands on to the next one that is made without a writer: its points, decisions and status lines.

A point keeps its nested lines and tables below it, as they were written. Words without a source get the line of the
generation's sources that says the same, where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby

from memsite.memory.body_checks import statement_fault
from memsite.memory.cues import Sort, sort_of, telling_words
from memsite.memory.ending import about
from memsite.memory.generation import document_lines
from memsite.memory.heeding import find_bases
from memsite.memory.lines import Kind, Line, encode_text, split_lines
from memsite.memory.model import Generation, Memory, Point, SourceRef, Topic
from memsite.memory.sentences import glue
from memsite.memory.source_refs import find_cited, format_source_ref, parse_source_refs
from memsite.memory.statements import SPEAKER, Relevance
from memsite.memory.tables import table_rows
from memsite.values import dataclass

_UNFIT = re.compile(r"^[<`~$#]|^\[[^\[\]]+\]:|<!--|\[[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""What would open a block where it is put, or read as a reference of ours."""
_SUFFIX_REFS = re.compile(r"(?:\s*\[[0-9]{4}-[0-9]{2}-[0-9]{2}[^\[\]]*\])+\s*$")
_KEPT = frozenset({Kind.TEXT, Kind.BLANK, Kind.CODE})
"""Lines that may stand below a point: no heading, no HTML."""


@dataclass(frozen=True, slots=True)
class Item:
    """A statement on its way into the generation."""

    text: str
    reference: str
    sort: Sort
    day: date
    line: int
    label: str = ""
    """Of the note that says it."""
    relevance: Relevance = Relevance.SECTION
    base: int = 0
    """The number of the earlier generation that has it; 0: it is from the notes."""
    more: str = ""
    """Further lines of a point, as written: nested items, tables."""
    is_status: bool = False
    """Whether the generation before says it of how things stand."""

    @property
    def is_new(self) -> bool:
        """Whether it is from the notes; else an earlier generation has it."""
        return not self.base

    @property
    def order(self) -> tuple[date, str, int]:
        """When it was said."""
        return self.day, self.label, self.line

    @property
    def written(self) -> str:
        """With its source."""
        return f"{self.text} {self.reference}".strip()

    @property
    def bullet(self) -> str:
        """As a list item, with the lines below it."""
        below = (f"  {line}".rstrip() for line in self.more.split("\n")) if self.more else ()
        return "\n".join([f"- {self.written}", *below])


def is_fit(text: str) -> bool:
    """Whether a text can stand in a generation as a statement of its own."""
    return not _UNFIT.search(text) and statement_fault(text) is None


def bare_text(text: str) -> str:
    """Without the references at its end, and without who speaks."""
    return SPEAKER.sub("", _SUFFIX_REFS.sub("", text), count=1) if SPEAKER.match(text) else _SUFFIX_REFS.sub("", text)


def earlier_items(memory: Memory, topic: Topic) -> Iterator[Item]:
    """What the newest generation and those that it was made beside have, with their own references, or with the line of
    their sources that says the same."""
    for base in find_bases(topic):
        yield from _items_of(memory, topic, base)


def _items_of(memory: Memory, topic: Topic, generation: Generation) -> Iterator[Item]:
    names = (topic.slug, *topic.aliases)
    for sort, points in ((Sort.FACT, generation.key_points), (Sort.DECISION, generation.decisions)):
        for point in points:
            text, more = _split_point(point)
            if any(map(str.isalnum, text)) and is_fit(text):
                said = sort_of(text)
                kept = sort if sort is Sort.DECISION or said is Sort.DECISION else said
                yield _known(
                    text, point.sources or find_support(memory, generation, text, names), kept, generation, more
                )
    for text in _status_texts(generation.current_status):
        bare = bare_text(text)
        if any(map(str.isalnum, bare)) and is_fit(bare):
            refs = parse_source_refs(text) or find_support(memory, generation, bare, names)
            sort = Sort.OPEN if sort_of(bare) is Sort.OPEN else Sort.PROGRESS
            yield _known(bare, refs, sort, generation, is_status=True)


def _split_point(point: Point) -> tuple[str, str]:
    """What a point says in its first paragraph, in one line, and its further lines, as far as they can be kept."""
    lines = split_lines(encode_text(point.text))
    rows = table_rows(lines)
    first = [line for line in lines if line.block == 1 and line.number not in rows]
    end = next((index for index, line in enumerate(lines) if line not in first), len(lines))
    rest: list[Line] = []
    for line in lines[end:]:
        if not _can_stay(line):
            break
        rest.append(line)
    if rest and rest[-1].unclosed:
        rest = []
    return _in_one_line(lines[:end]), "\n".join(line.text for line in rest).rstrip()


def _can_stay(line: Line) -> bool:
    said = line.text.strip().replace("\t", " ")
    if line.kind not in _KEPT or "<!--" in said or not said.isprintable():
        return False
    if any(map(str.isalnum, said)):
        return statement_fault(line.text[line.content :].strip() or said) is None
    return not said or line.kind is Kind.CODE or said.startswith("|")


def _in_one_line(lines: Sequence[Line]) -> str:
    text = ""
    for line in lines:
        said = " ".join(line.text[line.content :].split())
        text += (glue(text, said) if text and said else "") + said
    return text


def _status_texts(status: str) -> Iterator[str]:
    """Each list item and paragraph of a section in one line."""
    lines = split_lines(encode_text(status))
    rows = table_rows(lines)
    said = (line for line in lines if line.kind is Kind.TEXT and line.number not in rows)
    yield from (_in_one_line(list(group)) for _, group in groupby(said, key=lambda line: line.block))


def find_support(memory: Memory, generation: Generation, text: str, names: Sequence[str]) -> tuple[SourceRef, ...]:
    """The line of a generation's sources that says most of a point, and at least half of its telling words; the
    topic's own `names` tell nothing."""
    words = about(text, names)
    cited = {SourceRef(one.day, label=one.note) for one in generation.sources if one.day}
    named = {note.path: note for ref in cited for note in find_cited(memory.notes, ref)}
    best: tuple[float, SourceRef | None] = (0.5, None)
    for note in sorted(named.values(), key=lambda note: (note.day, note.label)) if words else ():
        for number, line in enumerate(document_lines(note.blob.text), start=1):
            share = len(words & telling_words(line)) / len(words)
            if share > best[0] or (share == best[0] and best[1] is None):
                best = share, SourceRef(note.day, number, number, note.label)
    return (best[1],) if best[1] else ()


def _known(
    text: str, refs: Sequence[SourceRef], sort: Sort, generation: Generation, more: str = "", *, is_status: bool = False
) -> Item:
    """Without a source a status is of the last day that the generation covers, and a point of the first one."""
    covers = generation.covers or (generation.day, generation.day)
    day = refs[0].day if refs else covers[is_status]
    line, label = (refs[0].first_line or 0, refs[0].label) if refs else (0, "")
    written = " ".join(map(format_source_ref, refs))
    return Item(text, written, sort, day, line, label, base=generation.number, more=more, is_status=is_status)
