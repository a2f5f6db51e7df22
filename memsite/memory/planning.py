"""When a topic wants consolidation, from what, and the one commit that does it (FORMATS, "A generation")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import PurePosixPath
from typing import NoReturn

from memsite.config import Config
from memsite.counting import counted
from memsite.errors import RefusedError
from memsite.memory.appending import encode
from memsite.memory.body_checks import Fault, check_body
from memsite.memory.body_sources import check_sources, read_body
from memsite.memory.changeset import Change, Changeset, Write
from memsite.memory.covering import believed_covers, find_uncovered, names_note
from memsite.memory.daily import archive_append, archived_topic, fresh_text
from memsite.memory.generation import SOURCES, format_generation, later_by_a_day, split_sections
from memsite.memory.generation_body import Body, ordered_sections, parse_body
from memsite.memory.heeding import covered_days, find_bases, find_unheeded, unheeded_notes
from memsite.memory.index import no_topic_error, require_editable, require_readable
from memsite.memory.index_edit import add_generation
from memsite.memory.lost import find_lost, lost_error
from memsite.memory.model import DailyNote, Grade, Memory, Source, Topic
from memsite.memory.names import GenerationName, format_generation_name
from memsite.memory.source_refs import format_note_name
from memsite.values import dataclass


def last_covered(topic: Topic, today: date) -> date | None:
    """The last day that the topic's generations say they cover; one without **Covers**, half written, covers none, and
    so does one that says to cover days after `today`."""
    return max((covers[1] for one in topic.generations if (covers := believed_covers(one, today))), default=None)


def dates_since(topic: Topic, today: date) -> tuple[date, ...]:
    """The topic's dates after its last consolidation, up to today and today included."""
    end = last_covered(topic, today)
    return tuple(day for day in sorted(set(topic.dates)) if day <= today and (end is None or day > end))


def consolidation_grade(topic: Topic, today: date, threshold: int) -> Grade:
    """The seed's two rules: more than `threshold` dates before today are due, as many with today are suggested."""
    since = dates_since(topic, today)
    if len([day for day in since if day != today]) > threshold:
        return Grade.DUE
    return Grade.SUGGESTED if since and len(since) >= threshold else Grade.NONE


def turning_days(topic: Topic) -> Iterator[date]:
    """The days on which grade and sources of a topic may become others without anything being written."""
    for day in topic.dates:
        yield from (day, later_by_a_day(day))
    for covers in (generation.covers for generation in topic.generations):
        if covers:
            yield date.fromordinal(max(covers[1].toordinal() - 1, 1))


def sources_since(memory: Memory, topic: Topic, until: date) -> tuple[DailyNote, ...]:
    """The notes that the next generation is made from, by day, the day's own first; `until` is the last day.

    Those of the topic's dates that no generation holds, of whichever day, and those to which something was added below
    the topic's marker. A note that says nothing new for the topic is no source.
    """
    days = {day for day in topic.dates if day <= until}
    notes = [note for note in memory.notes if note.day in days]
    unheld = {note.path for note in find_uncovered(topic, notes, until)}
    new = (note for note in notes if (note.path in unheld or _has_marker(note, topic)) and fresh_text(note, topic.slug))
    return tuple(sorted(new, key=lambda note: (note.day, note.label)))


def sources_of_next(memory: Memory, topic: Topic, until: date) -> tuple[DailyNote, ...]:
    """`sources_since`, and the notes of generations that the newest one was made beside, by day."""
    since = sources_since(memory, topic, until)
    missed = unheeded_notes(topic, [note for note in memory.notes if note.day <= until])
    every = {note.path: note for note in (*since, *missed)}
    return tuple(sorted(every.values(), key=lambda note: (note.day, note.label)))


def require_sources(memory: Memory, topic: Topic, today: date) -> tuple[DailyNote, ...]:
    """`sources_of_next`; empty where the next generation only brings others together. Raises RefusedError when there is
    nothing new."""
    notes = sources_of_next(memory, topic, today)
    if not notes and not find_unheeded(topic):
        raise nothing_new(topic, today)
    return notes


def next_number(topic: Topic, known_numbers: Iterable[int] = ()) -> int:
    """One more than the highest number that INDEX.md, the folder or (`known_numbers`) git history has."""
    listed = topic.entry.consolidations if topic.entry else ()
    return 1 + max(
        [*known_numbers, *(ref.number for ref in listed), *(one.number for one in topic.generations)], default=0
    )


def plan_consolidation(
    memory: Memory,
    slug: str,
    body: str,
    today: date,
    config: Config,
    *,
    known_numbers: Iterable[int],
    where: str = "body",
) -> Changeset:
    """The next generation of a topic from a written body: its file, the markers in its sources, INDEX.md.

    `body` is a whole generation or its sections alone; title, Created, Covers and Previous are set here, and what
    Source References lacks is added. Raises RefusedError, with the line in `where` (the body's name for its writer),
    for a body that is not whole or names sources that do not exist, for a topic that is not in INDEX.md, and when there
    is nothing new; FormatError when INDEX.md cannot be edited.
    """
    topic = find_topic(memory, slug, config)
    notes = require_sources(memory, topic, today)
    name = GenerationName(slug, next_number(topic, known_numbers), today)
    inner = config.consolidated_dir / format_generation_name(name)
    draft = _Draft(memory, topic, notes, inner, _checked(body, where), where)
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
    """The topic to consolidate. Raises RefusedError where INDEX.md does not have it, or names a newer generation of it
    than the folder has; FormatError where it is too large, or has it so that no generation can be entered.
    """
    require_readable(memory.index)
    topic = memory.topic(slug)
    if topic is None or topic.entry is None:
        hint = (
            f"add it: memsite index add {slug} --category {config.categories[0] if config.categories else 'Projects'}"
        )
        raise no_topic_error(memory.index, slug, config, hint)
    require_editable(memory.index, slug, config)
    if lost := find_lost(topic):
        raise lost_error(topic, lost, config)
    return topic


def nothing_new(topic: Topic, today: date) -> RefusedError:
    """What is said to who would consolidate what has been consolidated."""
    end = last_covered(topic, today)
    covering = [one.number for one in topic.generations if one.covers and one.covers[1] == end]
    since = f"after {end.isoformat()}, which generation {covering[-1]} covers" if end else "to begin with"
    hint = f"write a daily note, then: memsite index touch {topic.slug} {today.isoformat()}"
    return RefusedError(f"{topic.slug!r} has no note {since}: nothing to consolidate", hint=hint)


def _checked(text: str, where: str) -> Body:
    if faults := check_body(text):
        _refuse(faults, where)
    return parse_body(text)


def _refuse(faults: Sequence[Fault], where: str) -> NoReturn:
    first, more = faults[0], len(faults) - 1
    message = f"{first.message} (and {counted(more, 'more fault')})" if more else first.message
    raise RefusedError(message, where=where, line=first.line, hint=first.hint)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A generation to be: what it is made from."""

    memory: Memory
    topic: Topic
    notes: tuple[DailyNote, ...]
    inner: PurePosixPath
    """Its path, relative to the memory folder."""
    body: Body
    where: str

    def write(self, number: int, today: date, config: Config) -> str:
        """The whole document; raises RefusedError where a source does not exist."""
        if faults := check_sources(self.body, self.inner, self.memory, self.topic, config):
            _refuse(faults, self.where)
        read = read_body(self.body, self.inner)
        references = "\n".join([self.body.text_of(SOURCES), *self._missing_references(read.sources, config)]).strip(
            "\n"
        )
        sections = ordered_sections(self.body.sections, references)
        covers, previous = covered_days(self.topic, self.notes), self._previous(config)
        written = [(one.heading, one.text) for one in sections]
        document = format_generation(self.topic.slug, number, today, covers, previous, written)
        if [one.name for one in split_sections(document)] != [one.name for one in sections]:
            message, hint = "something in it swallows a section", "close it before the heading"
            raise RefusedError(message, where=self.where, line=self.body.last_line, hint=hint)
        return document

    def _previous(self, config: Config) -> PurePosixPath | None:
        return _below(self.topic.current.path, config) if self.topic.current else None

    def _missing_references(self, written: Iterable[Source], config: Config) -> Iterator[str]:
        """One line for each source that the writer does not name."""
        listed = tuple(written)
        named = {source.generation for source in listed}
        for base in find_bases(self.topic):
            if base.number not in named:
                yield f"- gen{base.number}: {_below(base.path, config)}"
        for note in self.notes:
            if not any(names_note(source, note) for source in listed):
                yield f"- {format_note_name(note.day, note.label)}: {_below(note.path, config)}"


def _below(path: PurePosixPath, config: Config) -> PurePosixPath:
    return path.relative_to(config.memory)
