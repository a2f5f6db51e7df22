"""Whether the sources that a body names exist: notes and lines of them, generations, files of the memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.counting import counted
from memsite.memory.body_checks import NOTHING, Fault
from memsite.memory.daily import note_length
from memsite.memory.generation import parse_generation
from memsite.memory.generation_body import Body
from memsite.memory.lines import Kind, split_lines
from memsite.memory.model import DailyNote, Generation, Memory, Source, SourceRef, Topic
from memsite.memory.names import parse_date
from memsite.memory.snapshot import Blob
from memsite.memory.source_refs import find_cited, format_note_name, parse_source_refs
from memsite.values import dataclass, replace

_DATE = re.compile(r"(?<![\w-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")
_HINT = "cite a note that is there, or leave it out"
_FORM = "write '- 2025-03-22: what happened', one line for each source"


@dataclass(frozen=True, slots=True)
class Sources:
    """What a topic's next generation may cite. What an older generation of it cites may be gone by now."""

    slug: str
    notes: Mapping[date, tuple[DailyNote, ...]]
    numbers: frozenset[int]
    """The topic's generations."""
    cited: frozenset[SourceRef]
    """What they cite."""
    files: frozenset[str]
    """Everything that the memory has, by its path from the workspace and from the memory folder on, and by name."""

    def missing(self, ref: SourceRef) -> str:
        """Why a reference leads nowhere; empty where it leads to a note."""
        if ref in self.cited:
            return ""
        notes, name = find_cited(self.notes.get(ref.day, ()), ref), format_note_name(ref.day, ref.label)
        if not notes:
            return f"there is no note {name}" if ref.label else f"there is no note of {name}"
        length = max(map(note_length, notes))
        lines = counted(length, "line")
        return f"the note of {name} has {lines}, not {ref.last_line}" if (ref.last_line or 0) > length else ""


def check_sources(body: Body, path: PurePosixPath, memory: Memory, topic: Topic, config: Config) -> tuple[Fault, ...]:
    """What a body cites and the memory has not, by line. `path` is the generation's."""
    known = _find_sources(memory, topic, config)
    return tuple(sorted({*_check_references(body, known), *_check_labels(read_body(body, path), known)}))


def read_body(body: Body, path: PurePosixPath) -> Generation:
    """A body as the generation that it will be; `path` gives its name."""
    read = parse_generation(path, Blob("", body.text.encode("utf-8", "replace")))
    assert read is not None  # noqa: S101 - the name is one that we made
    return read


def _find_sources(memory: Memory, topic: Topic, config: Config) -> Sources:
    notes: dict[date, tuple[DailyNote, ...]] = {}
    for note in memory.notes:
        notes[note.day] = (*notes.get(note.day, ()), note)
    numbers = {one.number for one in topic.generations} | {ref.number for ref in topic.missing}
    cited, files = frozenset(_cited_before(topic)), frozenset(_files(memory, config))
    return Sources(topic.slug, notes, frozenset(numbers), cited, files)


def _cited_before(topic: Topic) -> set[SourceRef]:
    points = [point for one in topic.generations for point in (*one.key_points, *one.decisions)]
    refs = {ref for point in points for ref in point.sources}
    refs |= {ref for one in topic.generations for ref in parse_source_refs(f"{one.summary}\n{one.current_status}")}
    refs |= {SourceRef(one.day, label=one.note) for two in topic.generations for one in two.sources if one.day}
    whole = {replace(ref, first_line=None, last_line=None) for ref in refs}
    return refs | whole | {SourceRef(ref.day) for ref in refs}


def _files(memory: Memory, config: Config) -> Iterator[str]:
    paths = [note.path for note in memory.notes] + [log.path for log in memory.session_logs]
    paths += [page.path for page in memory.pages] + [one.path for topic in memory.topics for one in topic.generations]
    for path in [*paths, *memory.assets]:
        yield str(path)
        yield path.name
        if path.is_relative_to(config.memory):
            yield str(path.relative_to(config.memory))


def _check_references(body: Body, known: Sources) -> Iterator[Fault]:
    reasons = cache(known.missing)
    for line in split_lines(body.text.encode("utf-8", "replace")):
        if line.kind not in {Kind.CODE, Kind.COMMENT}:
            for reason in filter(None, map(reasons, parse_source_refs(line.text))):
                yield Fault(line.number, reason, _HINT)


def _check_labels(read: Generation, known: Sources) -> Iterator[Fault]:
    """Source References: what stands before each colon."""
    for source in read.sources:
        if reason := _missing_label(source, known):
            yield Fault(source.line, *reason)


def _missing_label(source: Source, known: Sources) -> tuple[str, str] | None:
    name = source.label.partition("#")[0].strip(" []`")
    if source.label.casefold() in NOTHING or known.files & {name, f"{name}.md"}:
        return None
    if source.generation is not None and not name.endswith(".md"):
        reason = f"there is no generation {source.generation} of {known.slug!r}"
        return None if source.generation in known.numbers else (reason, _HINT)
    refs = [SourceRef(source.day, label=source.note)] if source.day else list(map(SourceRef, _days(name)))
    if refs:
        reason = next(filter(None, map(known.missing, refs)), "")
        return (reason, _HINT) if reason else None
    if name.endswith(".md"):
        return f"there is no {name}", _HINT
    return f"{source.label[:60]!r} names no source", _FORM


def _days(label: str) -> Iterator[date]:
    """The days of a label that names several."""
    return filter(None, map(parse_date, _DATE.findall(label)))
