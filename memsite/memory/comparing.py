"""What one memory has otherwise than an earlier one: generations, topics, sessions, notes. Values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from pathlib import PurePosixPath

from memsite.memory.model import Generation, Memory, SessionEntry, SessionLog, Topic
from memsite.memory.snapshot import Blob
from memsite.values import dataclass, replace


class ChangeKind(StrEnum):
    """What became of something."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class GenerationChange:
    """A generation that came, or one that is not what it was: against the rules, which `check` names."""

    kind: ChangeKind
    generation: Generation
    before: Generation | None
    """What it is compared with: the one before it in its lineage, or itself as it was; None for the first."""


@dataclass(frozen=True, slots=True)
class TopicChange:
    """A topic that the index has otherwise."""

    kind: ChangeKind
    slug: str
    dates: tuple[date, ...] = ()
    """Those that came."""
    notes: tuple[str, ...] = ()
    """What else, in words: `status active → paused`."""


@dataclass(frozen=True, slots=True)
class SessionChange:
    """The sessions of one day."""

    day: date
    added: int = 0
    changed: int = 0
    """Known before, and gone on since."""
    removed: int = 0


@dataclass(frozen=True, slots=True)
class NoteChange:
    """A note or another file."""

    kind: ChangeKind
    path: PurePosixPath
    before: Blob | None
    after: Blob | None


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """Everything, each in its order: by topic, day or path."""

    generations: tuple[GenerationChange, ...] = ()
    topics: tuple[TopicChange, ...] = ()
    sessions: tuple[SessionChange, ...] = ()
    notes: tuple[NoteChange, ...] = ()
    """Daily notes and other pages."""
    files: tuple[NoteChange, ...] = ()
    """What is no Markdown."""


def compare_memories(old: Memory, new: Memory) -> MemoryChange:
    """What `new` has otherwise than `old`."""
    return MemoryChange(
        tuple(_generations(old, new)),
        tuple(_topics(old, new)),
        tuple(_sessions(old, new)),
        tuple(_files(_notes(old), _notes(new))),
        tuple(_files(old.assets, new.assets)),
    )


def _kind(before: object | None, after: object | None) -> ChangeKind:
    return ChangeKind.ADDED if before is None else ChangeKind.REMOVED if after is None else ChangeKind.CHANGED


def _generations(old: Memory, new: Memory) -> Iterator[GenerationChange]:
    known = {one.path: one for topic in old.topics for one in topic.generations}
    kept: set[PurePosixPath] = set()
    for topic in new.topics:
        before: Generation | None = None
        for one in topic.generations:
            kept.add(one.path)
            was = known.get(one.path)
            if was is None:
                yield GenerationChange(ChangeKind.ADDED, one, before)
            elif was.blob.id != one.blob.id:
                yield GenerationChange(ChangeKind.CHANGED, one, was)
            before = one
    yield from (GenerationChange(ChangeKind.REMOVED, one, one) for path, one in known.items() if path not in kept)


def _topics(old: Memory, new: Memory) -> Iterator[TopicChange]:
    befores, afters = _entries(old), _entries(new)
    for slug in dict.fromkeys((*afters, *befores)):
        before, after = befores.get(slug), afters.get(slug)
        known = before.dates if before else ()
        dates = tuple(day for day in after.dates if day not in known) if after else ()
        notes = tuple(_differences(before, after)) if before and after else ()
        if dates or notes or not (before and after):
            yield TopicChange(_kind(before, after), slug, dates, notes)


def _entries(memory: Memory) -> Mapping[str, Topic]:
    return {topic.slug: topic for topic in memory.topics if topic.entry is not None}


def _differences(before: Topic, after: Topic) -> Iterator[str]:
    if gone := [day.isoformat() for day in before.dates if day not in after.dates]:
        yield f"without {', '.join(gone)}"
    for what, was, is_now in (
        ("status", before.status.value, after.status.value),
        ("category", before.category, after.category),
        ("description", before.description, after.description),
        ("aliases", ", ".join(before.aliases), ", ".join(after.aliases)),
    ):
        if was != is_now:
            yield f"{what} {was or '(none)'} → {is_now or '(none)'}"


def _sessions(old: Memory, new: Memory) -> Iterator[SessionChange]:
    befores = {log.day: _by_session(log) for log in old.session_logs}
    afters = {log.day: _by_session(log) for log in new.session_logs}
    for day in sorted({*befores, *afters}):
        before, after = befores.get(day, {}), afters.get(day, {})
        kinds = [
            _kind(before.get(key), after.get(key)) for key in {*before, *after} if before.get(key) != after.get(key)
        ]
        if kinds:
            yield SessionChange(day, *(kinds.count(kind) for kind in ChangeKind))


def _by_session(log: SessionLog) -> dict[tuple[object, ...], SessionEntry]:
    """Sessions by what they are known by; where they stand in the file is no difference."""
    found: dict[tuple[object, ...], SessionEntry] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for entry in log.entries:
        name = (entry.session_id,) if entry.session_id else (entry.time, entry.topic)
        found[*name, seen[name]] = replace(entry, first_line=0, last_line=0)
        seen[name] += 1
    return found


def _notes(memory: Memory) -> Mapping[PurePosixPath, Blob]:
    return {one.path: one.blob for one in memory.notes} | {one.path: one.blob for one in memory.pages}


def _files(befores: Mapping[PurePosixPath, Blob], afters: Mapping[PurePosixPath, Blob]) -> Iterator[NoteChange]:
    for path in sorted({*befores, *afters}):
        before, after = befores.get(path), afters.get(path)
        if _id(before) != _id(after):
            yield NoteChange(_kind(before, after), path, before, after)


def _id(blob: Blob | None) -> str | None:
    return blob.id if blob else None
