"""What a reader of the memory would stumble over: index, folder and history held against each other.

`load_memory` says what cannot be read or contradicts itself in INDEX.md and the generations; these are errors. Here is
what only the whole shows. An error is what loses memory (text marked as archived that no generation holds); all else is
a warning, since a generation that is committed cannot be corrected, only followed by a better one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from memsite.config import Config
from memsite.memory.covering import believed_covers
from memsite.memory.cues import telling_words
from memsite.memory.daily import archived_topic
from memsite.memory.generation import document_lines, find_covers, missing_sections
from memsite.memory.heeding import find_unheeded
from memsite.memory.model import DailyNote, Generation, MarkerKind, Memory, Point, Problem, SourceRef, Topic
from memsite.memory.query import is_cjk
from memsite.memory.source_refs import find_cited, format_note_name

_STEM = 5
"""Letters that two forms of a word share: `published` and `publishing`."""
_LEAST_SHARE = 0.34
"""Of a point without references: so much of it must be in the sources of its generation."""
_MOST_NAMED = 3

_Notes = Mapping[date, Sequence[DailyNote]]
"""The notes of each day."""


def examine(
    memory: Memory, today: date, config: Config, known_numbers: Mapping[str, Iterable[int]] | None = None
) -> tuple[Problem, ...]:
    """What is wrong with the whole, by path and line. `known_numbers` are the generations that git history has, by
    topic; `today` is the first day that may still get its note.
    """
    known = known_numbers or {}
    found = [
        *_markers(memory, config),
        *_late_notes(memory, today),
        *(problem for topic in memory.topics for one in topic.generations for problem in _structure(one, today)),
        *(problem for topic in memory.topics for problem in _gaps(memory, topic, known.get(topic.slug, ()))),
        *(problem for topic in memory.topics for problem in _unheeded(topic)),
        *(problem for topic in memory.topics for problem in _dates(memory, topic, today)),
        *(problem for topic in memory.topics if topic.current for problem in _points(memory, topic, topic.current)),
    ]
    return tuple(sorted(found, key=lambda one: (one.path, one.line or 0)))


def _markers(memory: Memory, config: Config) -> Iterator[Problem]:
    """ARCHIVED markers whose generation is not there: recall skips the text above them, and nothing else has it."""
    names = {one.path.name for topic in memory.topics for one in topic.generations}
    for note in memory.notes:
        for marker in note.markers:
            if marker.kind is not MarkerKind.ARCHIVED:
                continue
            if archived_topic(marker) is None:
                hint = f"write {config.consolidated_dir}/<topic>-gen<N>-<date>.md, or take it out"
                yield Problem(note.path, marker.line, f"the marker names no generation: {marker.target!r}", hint, True)
            elif marker.target.rpartition("/")[2] not in names:
                hint = "restore the generation from git, or take the marker out"
                message = f"is archived into {marker.target!r}, which does not exist"
                yield Problem(note.path, marker.line, message, hint)


def _structure(generation: Generation, today: date) -> Iterator[Problem]:
    """What a generation needs and lacks: the seed's sections, and Covers that can be, else no day counts as covered."""
    if generation.blob.cut:
        return  # what it lacks may stand where nobody has read
    lacks = [f"'## {name}'" for name in missing_sections(generation.blob.text)]
    line, fault = find_covers(generation)
    if not fault and generation.covers and believed_covers(generation, today) is None:
        fault = f"{generation.covers[1].isoformat()} is still to come"
    if fault:
        hint = "correct it if it is not committed yet; notes that no generation names stay new until then"
        yield Problem(generation.path, line, f"**Covers** does not count: {fault}", hint, True)
    lacks += [] if generation.covers or fault else ["**Covers**"]
    if lacks:
        hint = "finish it if it is not committed yet; else the next generation can be whole"
        yield Problem(generation.path, None, f"is no whole generation: there is no {', '.join(lacks)}", hint, True)


def _gaps(memory: Memory, topic: Topic, known: Iterable[int]) -> Iterator[Problem]:
    listed = topic.entry.consolidations if topic.entry else ()
    numbers = {*known, *(ref.number for ref in listed), *(one.number for one in topic.generations)}
    missing = sorted(set(range(1, max(numbers, default=0) + 1)) - numbers)
    if missing:
        named = _named([str(number) for number in missing])
        line = topic.entry.first_line if topic.entry else None
        message = f"generation {named} of {topic.slug} is nowhere: not in the folder, the index or the history"
        yield Problem(memory.index.path, line, message, "fetch the history that has it, if there is one", True)


def _unheeded(topic: Topic) -> Iterator[Problem]:
    """Another machine made them, and then took the number before."""
    for one in find_unheeded(topic):
        message = f"gen{one.number} of {topic.slug} was made beside it: what only that says is not in it"
        hint = f"bring both together: memsite consolidate {topic.slug} --brief (or --auto)"
        yield Problem(topic.generations[-1].path, None, message, hint, True)


def _late_notes(memory: Memory, today: date) -> Iterator[Problem]:
    """Notes of days that have begun nowhere yet: what they say came up on another day."""
    for note in memory.notes:
        if note.day > today + timedelta(days=1):
            message, hint = "is the note of a day that is still to come", "give it the day on which it was written"
            yield Problem(note.path, None, message, hint, True)


def _dates(memory: Memory, topic: Topic, today: date) -> Iterator[Problem]:
    """Dates with nothing to recall: neither a note nor a session of that day. Tomorrow has begun elsewhere."""
    late = sorted(day.isoformat() for day in set(topic.dates) if day > today + timedelta(days=1))
    if late and topic.entry:
        message = f"{topic.slug} has dates that are still to come: {_named(late)}"
        yield Problem(memory.index.path, topic.entry.first_line, message, "correct the date, if it is a slip", True)
    there = {note.day for note in memory.notes} | {log.day for log in memory.session_logs}
    empty = sorted(day for day in set(topic.dates) - there if day < today)
    if empty and topic.entry:
        named = _named([day.isoformat() for day in empty])
        message = f"{topic.slug} has dates without a note: {named}"
        yield Problem(memory.index.path, topic.entry.first_line, message, "write the note, or correct the date", True)


def _points(memory: Memory, topic: Topic, generation: Generation) -> Iterator[Problem]:
    """Points of the newest generation that their sources do not support."""
    notes: dict[date, list[DailyNote]] = {}
    for note in memory.notes:
        notes.setdefault(note.day, []).append(note)
    for point in (*generation.key_points, *generation.decisions):
        reason = _unsupported(point, notes) if point.sources else _unfounded(point, generation, topic, notes)
        if reason:
            hint = "the next generation can cite better"
            yield Problem(generation.path, point.line, f"{reason}: {_short(point.text)}", hint, True)


def _unsupported(point: Point, notes: _Notes) -> str:
    cited: list[str] = []
    for ref in point.sources:
        meant = find_cited(notes.get(ref.day, ()), ref)
        found = [part for note in meant if (part := _cited(note.blob.text, ref)) is not None]
        if not found and any(note.blob.cut for note in meant):
            return ""  # nobody has read that far
        if not found:
            return f"cites {_what_is_gone(ref, notes, meant)}, {format_note_name(ref.day, ref.label)}"
        cited += found
    return "" if _share(point.text, "\n".join(cited)) > 0 else "the lines that it cites say nothing of it"


def _what_is_gone(ref: SourceRef, notes: _Notes, meant: Iterable[DailyNote]) -> str:
    if ref.day not in notes:
        return "a day without a note"
    return "lines that the note does not have" if meant else "a note that is not there"


def _cited(text: str, ref: SourceRef) -> str | None:
    lines = document_lines(text.rstrip("\r\n"))
    if ref.first_line is None:
        return text
    last = ref.last_line or ref.first_line
    return "\n".join(lines[ref.first_line - 1 : last]) if last <= len(lines) else None


def _unfounded(point: Point, generation: Generation, topic: Topic, notes: _Notes) -> str:
    """A point without references stands on all sources of its generation, and on the generations before."""
    days = {source.day for source in generation.sources if source.day}
    sources = [note.blob.text for day in days for note in notes.get(day, ())]
    before = [one.blob.text for one in topic.generations if one.number < generation.number]
    return "" if _share(point.text, "\n".join([*sources, *before])) >= _LEAST_SHARE else "no source says it"


def _share(claim: str, source: str) -> float:
    """How many of a claim's telling words a source has, 0 to 1. Words of a script that the source does not use say
    nothing (a Chinese note may be summed up in English); a claim without telling words is never wrong."""
    said, there = _stems(claim), _stems(source)
    comparable = {word for word in said if any(is_cjk(other) == is_cjk(word) for other in there)}
    if not comparable:
        return 1.0
    return len(comparable & there) / len(comparable)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word if is_cjk(word) else word[:_STEM] for word in telling_words(text))


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= 60 else flat[:59] + "…")
