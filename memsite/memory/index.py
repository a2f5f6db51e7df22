"""INDEX.md as values: categories and topics in both dialects of the seed, and what is wrong with them.

Reading is lenient and never fails; what cannot be read is a `Problem` with its line. `index_edit` refuses to touch
an entry that has a problem which makes an edit ambiguous (`ReadEntry.faults`).
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from pathlib import PurePosixPath
from unicodedata import normalize

from memsite.config import Config
from memsite.counting import counted
from memsite.errors import FormatError, MemsiteError, RefusedError
from memsite.memory.conflicts import conflict_problem
from memsite.memory.cutting import MAX_INDEX_BYTES, MAX_INDEX_LINES, count_lines
from memsite.memory.index_halves import HalfEntry, find_halves
from memsite.memory.index_spans import (
    EntrySpan,
    FieldSpan,
    IndexSpans,
    Item,
    Section,
    Span,
    find_spans,
    readable,
    split_parts,
)
from memsite.memory.model import Dialect, GenerationRef, Index, Problem, Status, TopicEntry
from memsite.memory.names import is_slug, parse_date, parse_inner_path, slugify
from memsite.memory.outline import plain_text
from memsite.memory.snapshot import Blob
from memsite.values import dataclass

_GENERATION = re.compile(
    r"gen\s?(?P<number>[1-9][0-9]{0,5})\s*(?:[(（](?P<day>[^()（）]*)[)）])?\s*[:：]\s*(?P<path>.*)",
    re.IGNORECASE | re.DOTALL,
)
_STATUS = re.compile(r"[*_`]*(?P<word>[a-z]+)", re.IGNORECASE)
_NOTHING = frozenset({"", "-", "–", "—", "none", "n/a", "null"})
_QUOTES = "\"'`“”‘’"


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """One topic, where it stands, and why it must not be edited."""

    entry: TopicEntry
    span: EntrySpan
    faults: tuple[Problem, ...]
    """What makes any edit of it ambiguous."""


@dataclass(frozen=True, slots=True)
class ReadIndex:
    """INDEX.md as read, for `index_edit`."""

    spans: IndexSpans
    entries: tuple[ReadEntry, ...]
    """In the order of the file; a slug that occurs twice is in it twice, each with that fault."""
    problems: tuple[Problem, ...]
    """All of them, faults included, by line."""
    halves: tuple[HalfEntry, ...] = ()
    """What was meant as a topic and is none; no edit may write one of these names beside it."""

    def find_half(self, slug: str) -> Problem | None:
        """Why a topic that is not there, though it was meant to be, cannot be read."""
        return next((half.problem for half in self.halves if half.slug == slug), None)


def parse_index(blob: Blob | None, path: PurePosixPath, config: Config) -> Index:
    """Read INDEX.md (FORMATS, "INDEX.md"). `path` is workspace-relative and goes into the problems.

    Never raises: no file is an empty index, one that cannot be read an empty index with a problem. Of a slug that
    occurs twice the first entry counts.
    """
    if blob is None:
        return Index(path, None)
    if problem := _why_unread(blob, path):
        return Index(path, blob, problems=(problem,))
    read = read_index_kept(blob.data, path, config.consolidated_dir)
    titles = dict.fromkeys(section.title for section in read.spans.sections if section.level == 2 and section.title)
    entries = {held.entry.slug: held.entry for held in reversed(read.entries)}
    kept = tuple(held.entry for held in read.entries if entries[held.entry.slug] is held.entry)
    left_out = sum(half.is_certain for half in read.halves)
    return Index(path, blob, tuple(titles), kept, read.problems, left_out)


def find_obstacle(data: bytes, path: PurePosixPath) -> Problem | None:
    """Why a file cannot be read as an index: it is too large, or no UTF-8 from its first byte on."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Problem(path, 1, "is UTF-16", "save it as UTF-8")
    lines = count_lines(data)
    fits = len(data) <= MAX_INDEX_BYTES and lines <= MAX_INDEX_LINES
    return None if fits else _too_large(path, len(data), lines)


def _why_unread(blob: Blob, path: PurePosixPath) -> Problem | None:
    return _too_large(path, blob.cut.size, blob.cut.lines) if blob.cut else find_obstacle(blob.data, path)


def _too_large(path: PurePosixPath, size: int, lines: int) -> Problem:
    limit = f"the limit is {MAX_INDEX_BYTES // 1024 // 1024} MB, {counted(MAX_INDEX_LINES, 'line')}"
    said = f"{size / 1024 / 1024:.1f} MB, {counted(lines, 'line')}; {limit}"
    return Problem(path, None, f"is too large for an index ({said})", "move prose to other notes")


def obstacle_error(index: Index) -> FormatError | None:
    """What to raise, or to warn of, where an index that cannot be read would pass for an empty one."""
    if index.unreadable:
        return FormatError(f"cannot be read: {index.unreadable}", where=index.path, hint="put a file in its place")
    problem = _why_unread(index.blob, index.path) if index.blob and not index.entries else None
    return format_error(problem) if problem else None


def require_readable(index: Index) -> None:
    """Raises FormatError for an index that is too large to be read, no UTF-8, or no file."""
    if error := obstacle_error(index):
        raise error


def no_topic_error(index: Index, slug: str, config: Config, hint: str) -> MemsiteError:
    """What to raise where a topic is asked for that the index does not have: perhaps it is half-written."""
    problem = _read_again(index, config).find_half(slug)
    return (
        format_error(problem) if problem else RefusedError(f"there is no topic {slug!r}", where=index.path, hint=hint)
    )


def require_editable(index: Index, slug: str, config: Config) -> None:
    """Raises FormatError for a topic that no edit can change without guessing."""
    for held in _read_again(index, config).entries:
        if held.entry.slug == slug and held.faults:
            raise format_error(held.faults[0])


def _read_again(index: Index, config: Config) -> ReadIndex:
    return read_index_kept(index.blob.data if index.blob else b"", index.path, config.consolidated_dir)


def format_error(problem: Problem) -> FormatError:
    """What a reader only notes, to be raised."""
    return FormatError(problem.message, where=problem.path, line=problem.line, hint=problem.hint)


@lru_cache(maxsize=2)
def read_index_kept(data: bytes, path: PurePosixPath, consolidated: PurePosixPath) -> ReadIndex:
    """`read_index_once`, kept, because edits of one file follow each other."""
    return read_index_once(data, path, consolidated)


def read_index_once(data: bytes, path: PurePosixPath, consolidated: PurePosixPath) -> ReadIndex:
    """Read an index of tolerable size with the places of everything in it."""
    spans = find_spans(data)
    halves: list[HalfEntry] = []
    problems: list[Problem] = []
    read: list[ReadEntry] = []
    for section in spans.sections:
        for span in section.entries:
            if is_slug(normalize("NFC", span.name)):
                reader = _EntryReader(spans, section, span, path, consolidated)
                read.append(reader.read())
                problems += [*read[-1].faults, *reader.remarks]
            else:
                halves.append(HalfEntry(span.name, _bad_name(span, path)))
    halves += find_halves(spans, path)
    problems += [half.problem for half in halves if half.is_certain]
    problems += [conflict] if (conflict := conflict_problem(data, path)) else []
    twice = _find_twice(read, path)
    entries = tuple(ReadEntry(held.entry, held.span, (*held.faults, *twice.get(held.entry.slug, ()))) for held in read)
    problems += [problem for found in twice.values() for problem in found]
    return ReadIndex(spans, entries, tuple(sorted(problems, key=lambda problem: problem.line or 0)), tuple(halves))


def _bad_name(span: EntrySpan, path: PurePosixPath) -> Problem:
    proposal = slugify(plain_text(readable(span.name)))
    hint = f"write {proposal!r}" if proposal else "use letters and digits with '-' between them"
    return Problem(path, span.item.line, f"{_shown(span.name)} is no topic name", hint)


def _find_twice(read: list[ReadEntry], path: PurePosixPath) -> dict[str, list[Problem]]:
    first: dict[str, int] = {}
    twice: dict[str, list[Problem]] = {}
    for held in read:
        slug, line = held.entry.slug, held.entry.first_line
        if slug in first:
            message = f"the topic {slug!r} is there twice; the other is on line {first[slug]}"
            twice.setdefault(slug, []).append(Problem(path, line, message, "join the two entries"))
        first.setdefault(slug, line)
    return twice


def _shown(text: str) -> str:
    """A piece of the file in a message: quoted, one line, short."""
    text = readable(text)
    return repr(text if len(text) <= 80 else text[:79] + "…")


class _EntryReader:
    """Reads the fields of one topic, and keeps what is wrong with them."""

    def __init__(
        self, spans: IndexSpans, section: Section, span: EntrySpan, path: PurePosixPath, consolidated: PurePosixPath
    ) -> None:
        self.spans, self.section, self.span = spans, section, span
        self.path, self.consolidated = path, consolidated
        self.faults: list[Problem] = []
        self.remarks: list[Problem] = []

    def read(self) -> ReadEntry:
        span = self.span
        self._check_fields()
        entry = TopicEntry(
            slug=normalize("NFC", span.name),
            category=self.section.title if self.section.level == 2 else "",
            dialect=Dialect.INLINE if span.inline else Dialect.NESTED,
            first_line=span.item.line,
            last_line=span.item.last_line,
            dates=tuple(sorted(set(self._dates()))),
            status=self._status(span.field("status")),
            consolidations=tuple(self._consolidations(span.field("consolidations"))),
            current=self._current(span.field("current")),
            aliases=tuple(read_aliases(span.field("aliases"))),
            description=readable(described.value.text) if (described := span.field("description")) else "",
        )
        return ReadEntry(entry, span, tuple(self.faults))

    def _check_fields(self) -> None:
        seen = {"dates"} if self.span.inline else set()
        for part in self.span.fields:
            if part.name in seen:
                self._fault(part.item, f"the topic {self.span.name!r} has {part.name.title()!r} twice", "join the two")
            seen.add(part.name)

    def _dates(self) -> list[date]:
        found: list[date] = []
        listed = None if self.span.inline else self.span.field("dates")
        for part in split_parts(self.span.dates.text):
            if day := parse_date(part):
                found.append(day)
            else:
                self._fault(listed.item if listed else self.span.item, f"{_shown(part)} is no date", "write YYYY-MM-DD")
        return found

    def _status(self, part: FieldSpan | None) -> Status:
        status, word = read_status(part)
        if part and part.value.text and not word and "|" not in part.value.text:
            self._remark(part.item, f"{_shown(part.value.text)} is no status", f"write one of {', '.join(Status)}")
        return status

    def _consolidations(self, part: FieldSpan | None) -> list[GenerationRef]:
        found: list[GenerationRef] = []
        for item in part.item.children if part else ():
            match = _GENERATION.match(item.head.text)
            path = self._inner_path(match["path"], item) if match else None
            if not match or path is None:
                continue
            day = parse_date((match["day"] or "").strip())
            if match["day"] and day is None:
                self._fault(item, f"{_shown(match['day'])} is no date", "write YYYY-MM-DD")
            found.append(GenerationRef(int(match["number"]), day, path, item.line))
        return found

    def _current(self, part: FieldSpan | None) -> PurePosixPath | None:
        if part is None or part.value.text.lower() in _NOTHING:
            return None
        return self._inner_path(part.value.text, part.item)

    def _inner_path(self, text: str, item: Item) -> PurePosixPath | None:
        path = parse_inner_path(text.split("<!--", 1)[0].strip(" \t`<>"))
        if path is None:
            self._fault(item, f"{_shown(text)} is no path below the memory folder", f"write {self.consolidated}/…")
        elif path.parts[: len(self.consolidated.parts)] != self.consolidated.parts:
            self._remark(
                item, f"{_shown(text)} is not below {self.consolidated}/", "write it from the memory folder on"
            )
        return path

    def _fault(self, item: Item, message: str, hint: str) -> None:
        self.faults.append(Problem(self.path, item.line, message, hint))

    def _remark(self, item: Item, message: str, hint: str) -> None:
        self.remarks.append(Problem(self.path, item.line, message, hint))


def read_status(part: FieldSpan | None) -> tuple[Status, Span | None]:
    """A `Status:` value and the place of its word; None where no status is chosen.

    The seed's own template line, `active | completed | …`, chooses none, and no status is active.
    """
    match = _STATUS.match(part.value.text) if part else None
    word = match["word"].lower() if match else ""
    if part is None or match is None or "|" in part.value.text or word not in set(Status):
        return Status.ACTIVE, None
    start, end = part.value.start + match.start("word"), part.value.start + match.end("word")
    return Status(word), Span(start, end, match["word"])


def read_aliases(part: FieldSpan | None) -> list[str]:
    """The names of an `Aliases:` list, with or without brackets, each once."""
    text = part.value.text if part else ""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    names = (readable(name).strip(_QUOTES) for name in split_parts(text))
    return list(dict.fromkeys(name for name in names if name))
