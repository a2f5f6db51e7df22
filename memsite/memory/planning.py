"""When a topic wants consolidation, from what, and the one commit that does it (FORMATS, "A generation")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.appending import encode
from memsite.memory.changeset import Change, Changeset, Write
from memsite.memory.daily import archive_append, archived_topic, fresh_text
from memsite.memory.generation import SOURCES, document_lines, format_generation, parse_generation, split_sections
from memsite.memory.generation_body import BODY, Body, check_body, ordered_sections, parse_body
from memsite.memory.index import require_readable
from memsite.memory.index_edit import add_generation
from memsite.memory.model import DailyNote, Generation, Grade, Memory, Source, SourceRef, Topic
from memsite.memory.names import GenerationName, format_generation_name
from memsite.memory.snapshot import Blob
from memsite.memory.source_refs import find_cited, format_note_name, is_named


def last_covered(topic: Topic) -> date | None:
    """The last day that the topic's generations say they cover; one without **Covers**, half written, covers none."""
    return max((one.covers[1] for one in topic.generations if one.covers), default=None)


def dates_since(topic: Topic, today: date) -> tuple[date, ...]:
    """The topic's dates after its last consolidation, up to today and today included."""
    end = last_covered(topic)
    return tuple(day for day in sorted(set(topic.dates)) if day <= today and (end is None or day > end))


def consolidation_grade(topic: Topic, today: date, threshold: int) -> Grade:
    """The seed's two rules: more than `threshold` dates before today are due, as many with today are suggested."""
    since = dates_since(topic, today)
    if len([day for day in since if day != today]) > threshold:
        return Grade.DUE
    return Grade.SUGGESTED if since and len(since) >= threshold else Grade.NONE


def sources_since(memory: Memory, topic: Topic, until: date) -> tuple[DailyNote, ...]:
    """The notes that the next generation is made from, by day, the day's own first; `until` is the last day.

    Those of the topic's dates since the last consolidation, and those of older dates to which something was added
    below the topic's marker. A note that says nothing new for the topic is no source.
    """
    since = set(dates_since(topic, until))
    days = {day for day in topic.dates if day <= until}
    notes = (note for note in memory.notes if note.day in days)
    new = (note for note in notes if (note.day in since or _has_marker(note, topic)) and fresh_text(note, topic.slug))
    return tuple(sorted(new, key=lambda note: (note.day, note.label)))


def next_number(topic: Topic, known_numbers: Iterable[int] = ()) -> int:
    """One more than the highest number that INDEX.md, the folder or (`known_numbers`) git history has."""
    listed = topic.entry.consolidations if topic.entry else ()
    return 1 + max(
        [*known_numbers, *(ref.number for ref in listed), *(one.number for one in topic.generations)], default=0
    )


def plan_consolidation(
    memory: Memory, slug: str, body: str, today: date, config: Config, *, known_numbers: Iterable[int]
) -> Changeset:
    """The next generation of a topic from a written body: its file, the markers in its sources, INDEX.md.

    `body` is a whole generation or its sections alone; title, Created, Covers and Previous are set here, and what
    Source References lacks is added. Raises RefusedError, with the body's line, for a body that is not whole or names
    sources that do not exist, for a topic that is not in INDEX.md, and when there is nothing new; FormatError when
    INDEX.md cannot be edited.
    """
    topic = find_topic(memory, slug, config)
    notes = sources_since(memory, topic, today)
    if not notes:
        raise nothing_new(topic, today)
    name = GenerationName(slug, next_number(topic, known_numbers), today)
    inner = config.consolidated_dir / format_generation_name(name)
    draft = _Draft(memory, topic, notes, inner, _checked(body))
    document = draft.write(name.number, today, config)
    index = memory.index.blob.data if memory.index.blob else b""
    changes: tuple[Change, ...] = (
        Write(config.memory / inner, None, encode(document)),
        *(archive_append(note, inner) for note in notes),
        Write(config.index_path, index, add_generation(index, slug, name, inner, config=config)),
    )
    return Changeset(changes, f"consolidate({slug}): gen{name.number}")


def _has_marker(note: DailyNote, topic: Topic) -> bool:
    return any(archived_topic(marker) == topic.slug for marker in note.markers)


def find_topic(memory: Memory, slug: str, config: Config) -> Topic:
    """The topic to consolidate. Raises RefusedError where INDEX.md does not have it, FormatError: it is too large."""
    require_readable(memory.index)
    topic = memory.topic(slug)
    if topic is None or topic.entry is None:
        hint = (
            f"add it: memsite index add {slug} --category {config.categories[0] if config.categories else 'Projects'}"
        )
        raise RefusedError(f"there is no topic {slug!r}", where=config.index_path, hint=hint)
    return topic


def nothing_new(topic: Topic, today: date) -> RefusedError:
    """What is said to who would consolidate what has been consolidated."""
    end = last_covered(topic)
    since = (
        f"after {end.isoformat()}, which generation {topic.generations[-1].number} covers" if end else "to begin with"
    )
    hint = f"write a daily note, then: memsite index touch {topic.slug} {today.isoformat()}"
    return RefusedError(f"{topic.slug!r} has no note {since}: nothing to consolidate", hint=hint)


def _checked(text: str) -> Body:
    problems = check_body(text)
    if problems:
        first, more = problems[0], len(problems) - 1
        message = f"{first.message} (and {more} more)" if more else first.message
        raise RefusedError(message, where=first.path, line=first.line, hint=first.hint)
    return parse_body(text)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A generation to be: what it is made from."""

    memory: Memory
    topic: Topic
    notes: tuple[DailyNote, ...]
    inner: PurePosixPath
    """Its path, relative to the memory folder."""
    body: Body

    def write(self, number: int, today: date, config: Config) -> str:
        """The whole document; raises RefusedError where a source does not exist."""
        read = parse_generation(self.inner, Blob("", self.body.text.encode()))
        assert read is not None  # noqa: S101 - the name is one that we made
        for line, message in sorted(_check_sources(read, self.memory, self.topic)):
            raise RefusedError(message, where=BODY, line=line, hint="cite a note that is there, or leave it out")
        references = "\n".join([self.body.text_of(SOURCES), *self._missing_references(read.sources, config)]).strip(
            "\n"
        )
        sections = ordered_sections(self.body.sections, references)
        covers = (self.notes[0].day, self.notes[-1].day)
        document = format_generation(self.topic.slug, number, today, covers, self._previous(config), sections)
        if [section.name for section in split_sections(document)] != [name for name, _ in sections]:
            raise RefusedError(
                "raw HTML or a comment swallows a section", where=BODY, hint="close it before the heading"
            )
        return document

    def _previous(self, config: Config) -> PurePosixPath | None:
        if current := self.topic.current:
            return _below(current.path, config)
        return self.topic.missing[-1].path if self.topic.missing else None

    def _missing_references(self, written: Iterable[Source], config: Config) -> Iterator[str]:
        """One line for each source that the writer does not name."""
        listed = tuple(written)
        current = self.topic.current
        if current and current.number not in {source.generation for source in listed}:
            yield f"- gen{current.number}: {_below(current.path, config)}"
        for note in self.notes:
            if not any(_names(source, note) for source in listed):
                yield f"- {format_note_name(note.day, note.label)}: {_below(note.path, config)}"


def _below(path: PurePosixPath, config: Config) -> PurePosixPath:
    return path.relative_to(config.memory)


def _names(source: Source, note: DailyNote) -> bool:
    if note.label and note.path.stem in f"{source.label} {source.text}":
        return True
    return source.day is not None and is_named(note, source.day, source.note)


def _check_sources(read: Generation, memory: Memory, topic: Topic) -> Iterator[tuple[int, str]]:
    """Line and reason of every source that does not exist. What an older generation cites may be gone by now."""
    days = {note.day for note in memory.notes}
    cited = _cited_before(topic)
    numbers = {one.number for one in topic.generations} | {ref.number for ref in topic.missing}
    for source in read.sources:
        if source.generation is not None and source.generation not in numbers:
            yield source.line, f"there is no generation {source.generation} of {topic.slug!r}"
        if source.day and source.day not in days and SourceRef(source.day) not in cited:
            yield source.line, f"there is no note of {source.day.isoformat()}"
    for point in (*read.key_points, *read.decisions):
        for ref in point.sources:
            if ref not in cited and (reason := _check_ref(ref, memory)):
                yield point.line, reason


def _check_ref(ref: SourceRef, memory: Memory) -> str:
    notes, name = find_cited(memory.notes, ref), format_note_name(ref.day, ref.label)
    if not notes:
        return f"there is no note {name}" if ref.label else f"there is no note of {name}"
    length = max(len(document_lines(note.blob.text.rstrip("\r\n"))) for note in notes)
    lines = f"{length} line{'s' * (length != 1)}"
    return f"the note of {name} has {lines}, not {ref.last_line}" if (ref.last_line or 0) > length else ""


def _cited_before(topic: Topic) -> set[SourceRef]:
    points = [point for one in topic.generations for point in (*one.key_points, *one.decisions)]
    refs = {ref for point in points for ref in point.sources}
    days = {source.day for one in topic.generations for source in one.sources if source.day}
    whole = {replace(ref, first_line=None, last_line=None) for ref in refs}
    return refs | whole | {SourceRef(ref.day) for ref in refs} | {SourceRef(day) for day in days}
