"""A snapshot as a Memory: every path classified, every topic with its generations (FORMATS, "The folder").

Nothing that a file says can stop this: what is wrong becomes a `Problem`, what cannot be read stays out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.config import Config
from memsite.memory.daily import parse_daily_note
from memsite.memory.generation import parse_generation
from memsite.memory.index import obstacle_error, parse_index
from memsite.memory.model import (
    DailyNote,
    Generation,
    GenerationRef,
    Index,
    Memory,
    OtherNote,
    Problem,
    SessionLog,
    Topic,
    TopicEntry,
)
from memsite.memory.names import MARKDOWN as MARKDOWN
from memsite.memory.names import is_session_log, parse_date, parse_day_name, parse_generation_name
from memsite.memory.outline import find_title
from memsite.memory.session_log import parse_session_log
from memsite.memory.snapshot import Blob, Cut, Snapshot
from memsite.values import dataclass, field, replace

WORKSPACE = PurePosixPath("workspace")
"""Where a file of the workspace root has its page when the memory folder has one of the same name."""


Read = dict[PurePosixPath, DailyNote | SessionLog | Generation]
"""Files as they were read before, for who reads a memory again and again: what is as it was is taken from here."""


def load_memory(snapshot: Snapshot, config: Config, read: Read | None = None) -> Memory:
    """Parse a whole memory folder. Never raises for what is in it.

    Problems are those of INDEX.md, then: names that cannot be read, bytes that are no UTF-8, texts that are too long,
    generations that INDEX.md does not know or that are gone, numbers that occur twice, a `Current` that is not the
    newest. What is `read` before is brought up to date; it must have been read with the same settings.
    """
    index = parse_index(snapshot.files.get(config.index_path), config.index_path, config)
    index = replace(index, unreadable=_why_unreadable(snapshot, config.index_path))
    found = _classify(snapshot, config, read or {})
    if read is not None:
        read.clear()
        for group in (found.notes, found.logs, found.generations):
            read.update({one.path: one for one in group})
    topics = tuple(_iter_topics(index, found.generations, config))
    problems = [
        *index.problems,
        *(Problem(one.path, None, f"cannot be read: {one.reason}") for one in snapshot.unreadable),
        *(Problem(path, None, "is not UTF-8", "save it as UTF-8") for path in found.undecodable),
        *(_cut_problem(path, cut) for path, cut in found.cut.items()),
        *(problem for topic in topics for problem in _iter_problems(topic, index, config)),
    ]
    return Memory(
        index,
        topics,
        tuple(sorted(found.notes, key=lambda note: (note.day, note.path))),
        tuple(sorted(found.logs, key=lambda log: (log.day, log.path))),
        tuple(sorted(_iter_pages(found.pages, config), key=lambda page: page.path)),
        MappingProxyType(dict(sorted(found.assets.items()))),
        tuple(sorted(problems, key=lambda problem: (problem.path, problem.line or 0))),
    )


def _cut_problem(path: PurePosixPath, cut: Cut) -> Problem:
    message = f"is too long to be read as a whole ({cut.words}): its beginning is"
    return Problem(path, None, message, "split it, or keep it out of the memory", warning=True)


def _why_unreadable(snapshot: Snapshot, path: PurePosixPath) -> str:
    """Why a file of the snapshot cannot be had; empty where it can, or nothing is there."""
    return next((one.reason for one in snapshot.unreadable if one.path == path), "")


@dataclass(slots=True)
class _Found:
    """The files of a snapshot by what they are."""

    notes: list[DailyNote] = field(default_factory=list)
    logs: list[SessionLog] = field(default_factory=list)
    generations: list[Generation] = field(default_factory=list)
    pages: list[tuple[PurePosixPath, Blob]] = field(default_factory=list)
    assets: dict[PurePosixPath, Blob] = field(default_factory=dict)
    undecodable: list[PurePosixPath] = field(default_factory=list)
    cut: dict[PurePosixPath, Cut] = field(default_factory=dict)


def _classify(snapshot: Snapshot, config: Config, read: Read) -> _Found:
    found = _Found()
    for path, blob in snapshot.files.items():
        if path.suffix.lower() not in MARKDOWN:
            found.assets[path] = blob
            continue
        if not blob.is_utf8:
            found.undecodable.append(path)
        if path == config.index_path:
            continue
        if blob.cut:
            found.cut[path] = blob.cut
        known = read.get(path)
        _add(found, path, blob, known if known and known.blob == blob else parse_file(path, blob, config))
    return found


def _add(found: _Found, path: PurePosixPath, blob: Blob, parsed: DailyNote | SessionLog | Generation | None) -> None:
    """Put a Markdown file where its place and name say that it belongs."""
    match parsed:
        case Generation() as generation:
            found.generations.append(generation)
        case DailyNote() as note:
            found.notes.append(note)
        case SessionLog() as log:
            found.logs.append(log)
        case None:
            found.pages.append((path, blob))


def parse_file(path: PurePosixPath, blob: Blob, config: Config) -> DailyNote | SessionLog | Generation | None:
    """A Markdown file as what its place and name say that it is, its text has no part in that; None: another page."""
    folder = path.parts[:-1]  # compared as they are: paths of their own take longer to make
    if folder == config.consolidated_path.parts and (generation := parse_generation(path, blob)):
        return generation
    if folder == config.memory.parts and (name := parse_day_name(path.name)):
        return parse_daily_note(path, name[0], name[1], blob)
    if is_session_log(path, config.memory) and (day := parse_date(path.stem)):
        return parse_session_log(path, day, blob)
    return None


def is_named(path: PurePosixPath, config: Config) -> bool:
    """Whether a Markdown file is a note, a session log or a generation by its place and name, as `parse_file` says."""
    folder = path.parts[:-1]
    return bool(
        (folder == config.consolidated_path.parts and parse_generation_name(path.name))
        or (folder == config.memory.parts and parse_day_name(path.name))
        or (is_session_log(path, config.memory) and parse_date(path.stem))
    )


def _iter_pages(files: Iterable[tuple[PurePosixPath, Blob]], config: Config) -> Iterator[OtherNote]:
    """Pages with the part of their permalink that is theirs alone; those of the memory folder choose first.

    That is all that a folder knows. The site knows its history too: there whoever came first chooses first.
    """
    taken: set[PurePosixPath] = set()
    for path, blob in sorted(files, key=lambda file: (not file[0].is_relative_to(config.memory), file[0])):
        site_path = next(option for option in iter_site_paths(path, config) if option not in taken)
        taken.add(site_path)
        yield OtherNote(path, blob, find_title(blob.data, path.stem), site_path)


def iter_site_paths(path: PurePosixPath, config: Config) -> Iterator[PurePosixPath]:
    """What a page may be called below `notes/`, the name that it would like best first."""
    inner = path.relative_to(config.memory) if path.is_relative_to(config.memory) else path
    yield inner.with_suffix("")
    if inner is path:
        yield WORKSPACE / inner.with_suffix("")
    yield inner  # `plan.md` and `plan.markdown` side by side
    yield WORKSPACE / "files" / path


def _iter_topics(index: Index, generations: Iterable[Generation], config: Config) -> Iterator[Topic]:
    """Topics as INDEX.md has them, then lineages that it does not know, by slug."""
    lineages: dict[str, list[Generation]] = defaultdict(list)
    for generation in sorted(generations, key=lambda one: (one.number, one.day, one.path)):
        lineages[generation.topic].append(generation)
    for entry in index.entries:
        yield _join_topic(entry, lineages.pop(entry.slug, []), config)
    for slug in sorted(lineages):
        yield Topic(slug, "", generations=tuple(replace(one, indexed=False) for one in lineages[slug]))


def _join_topic(entry: TopicEntry, generations: Iterable[Generation], config: Config) -> Topic:
    existing = {generation.path: generation for generation in generations}
    named = {_resolve(ref.path, config, existing): ref for ref in entry.consolidations}
    return Topic(
        entry.slug,
        entry.category,
        entry.status,
        entry.dates,
        entry.aliases,
        entry.description,
        tuple(one if path in named else replace(one, indexed=False) for path, one in existing.items()),
        tuple(ref for path, ref in named.items() if path not in existing),
        entry,
    )


def _resolve(written: PurePosixPath, config: Config, existing: Mapping[PurePosixPath, Generation]) -> PurePosixPath:
    """What INDEX.md names, workspace-relative; some agents write it relative to the workspace already."""
    inner = config.memory / written
    return written if inner not in existing and written in existing else inner


def _iter_problems(topic: Topic, index: Index, config: Config) -> Iterator[Problem]:
    for one in topic.generations if obstacle_error(index) is None else ():
        if not one.indexed:
            hint = f"list it under '{topic.slug}', or add that topic" if topic.entry is None else "list it there"
            yield Problem(one.path, None, f"{index.path} does not know this generation of {topic.slug}", hint)
    for before, after in pairwise(topic.generations):
        if before.number == after.number:
            message = f"generation {after.number} of {topic.slug} exists twice, also as {before.path.name}"
            yield Problem(after.path, None, message, "both stay; the next generation takes a new number")
    for ref in topic.missing:
        yield Problem(
            index.path, ref.line, f"{_quoted(ref)} does not exist", "restore it from git, or correct the path"
        )
    if problem := _check_current(topic, index, config):
        yield problem


def _quoted(ref: GenerationRef) -> str:
    return f"'{ref.path}'"


def _check_current(topic: Topic, index: Index, config: Config) -> Problem | None:
    """`Current` names the newest generation that INDEX.md knows and the folder has."""
    listed = [one for one in topic.generations if one.indexed]
    if topic.entry is None or not (listed or topic.entry.current):
        return None
    existing = {one.path: one for one in topic.generations}
    current = _resolve(topic.entry.current, config, existing) if topic.entry.current else None
    if listed and current in {one.path for one in listed if one.number == listed[-1].number}:
        return None
    if current in {config.memory / ref.path for ref in topic.missing}:
        return None  # said already, as missing
    said = f"'{topic.entry.current}'" if topic.entry.current else "nothing"
    newest = f"the newest generation is {listed[-1].path.name}" if listed else "no generation of it exists"
    return Problem(index.path, topic.entry.first_line, f"Current of {topic.slug} is {said}, but {newest}", "correct it")
