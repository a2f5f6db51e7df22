"""Days, lineages, commits, addresses: what more than one page asks of a site's source, looked up once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import TypeVar

from memsite.memory.model import (
    DailyNote,
    Generation,
    GenerationRef,
    OtherNote,
    Problem,
    SessionLog,
    Topic,
)
from memsite.memory.private import Privacy
from memsite.memory.snapshot import Blob
from memsite.repo.history import Commit
from memsite.site.links import LinkResolver, day_uri, session_day_uri, site_addresses
from memsite.site.pages.addresses import lineage_uri
from memsite.site.pages.deleted import Deleted, Deletion, find_deleted
from memsite.site.pages.file_states import FileStates
from memsite.site.pages.note_headings import NoteHeadings, read_note
from memsite.site.pages.permalinks import Segments, note_uris
from memsite.site.pages.problems import day_of_problem
from memsite.site.spec import SiteSource
from memsite.values import dataclass

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class NoteItem:
    """A note of a day, there or deleted."""

    note: DailyNote
    deletion: Deletion | None = None


@dataclass(frozen=True, slots=True)
class LogItem:
    """A session log, there or deleted."""

    log: SessionLog
    deletion: Deletion | None = None


@dataclass(frozen=True, slots=True)
class GenerationItem:
    """A generation of a lineage, there or deleted, with its address."""

    generation: Generation
    segment: str
    uri: str
    deletion: Deletion | None = None


@dataclass(frozen=True, slots=True)
class PageItem:
    """Any other note, there or deleted, with its address."""

    note: OtherNote
    uri: str
    deletion: Deletion | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """A topic with all generations that ever were."""

    topic: Topic
    items: tuple[GenerationItem, ...]
    missing: tuple[GenerationRef, ...]
    """Named by INDEX.md, in the folder and the history not to be found."""

    @property
    def days(self) -> frozenset[date]:
        """The days of the topic's entry, and those on which a generation was made."""
        return frozenset({*self.topic.dates, *(item.generation.day for item in self.items)})

    @property
    def there(self) -> tuple[GenerationItem, ...]:
        """The generations that are in the folder."""
        return tuple(item for item in self.items if item.deletion is None)

    @property
    def current(self) -> GenerationItem | None:
        """The newest generation that is in the folder, else the newest that was."""
        return self.there[-1] if self.there else self.items[-1] if self.items else None


def place_of(item: GenerationItem, items: Iterable[GenerationItem]) -> int:
    """Where one of the items stands; found by itself, since comparing two of them reads their texts."""
    return next(at for at, one in enumerate(items) if one is item)


class Lookups:
    """What pages ask of one source. Made once per build; every answer is a value and is computed at most once."""

    def __init__(self, source: SiteSource) -> None:
        self.source = source
        self.memory = source.memory
        self.today = source.today
        self.zone = source.config.zone()
        self.files = FileStates(source)
        self._read_headings: dict[PurePosixPath, NoteHeadings | None] = {}

    @cached_property
    def privacy(self) -> Privacy:
        """What no publication shows. In one nothing of it is left."""
        return Privacy(self.source.config)

    @cached_property
    def deleted(self) -> Deleted:
        """What the history knows and the folder has no longer."""
        return find_deleted(self.source, self.files.renames)

    @cached_property
    def notes(self) -> Mapping[date, tuple[NoteItem, ...]]:
        """The notes of each day, the day's own first."""
        items = [NoteItem(note) for note in self.memory.notes]
        items += [NoteItem(note, deletion) for note, deletion in self.deleted.notes]
        items.sort(key=lambda item: (item.note.day, item.note.label, str(item.note.path)))
        return _grouped((item.note.day, item) for item in items)

    @cached_property
    def logs(self) -> Mapping[date, LogItem]:
        """The session log of each day."""
        gone = {log.day: LogItem(log, deletion) for log, deletion in self.deleted.logs}
        found = gone | {log.day: LogItem(log) for log in self.memory.session_logs}
        return dict(sorted(found.items()))

    @cached_property
    def lineages(self) -> tuple[Lineage, ...]:
        """Every topic, in the memory's order, then those of which only deleted generations are left."""
        gone = defaultdict(list)
        for generation, deletion in self.deleted.generations:
            gone[generation.topic].append((generation, deletion))
        known = [self._lineage(topic, gone.pop(topic.slug, [])) for topic in self.memory.topics]
        lost = [self._lineage(Topic(slug, ""), gone[slug]) for slug in sorted(gone)]
        return tuple(known + lost)

    @cached_property
    def segments(self) -> Segments:
        """The addresses of all generations that ever were."""
        there = [one.path for topic in self.memory.topics for one in topic.generations]
        gone = [one.path for one, _ in self.deleted.generations]
        return Segments([*there, *gone], self.source.history, self.source.config)

    def _lineage(self, topic: Topic, gone: Iterable[tuple[Generation, Deletion]]) -> Lineage:
        found: list[tuple[Generation, Deletion | None]] = [(one, None) for one in topic.generations]
        items = [
            GenerationItem(one, segment, lineage_uri(topic.slug, segment), deletion)
            for one, deletion in (*found, *gone)
            for segment in (self.segments[one.path],)
        ]
        items.sort(key=lambda item: (item.generation.number, item.generation.day, item.segment))
        names = {item.generation.path.name for item in items}
        return Lineage(topic, tuple(items), tuple(ref for ref in topic.missing if ref.path.name not in names))

    @cached_property
    def pages(self) -> tuple[PageItem, ...]:
        """Every other note, by path."""
        found: list[tuple[OtherNote, Deletion | None]] = [(note, None) for note in self.memory.pages]
        items = [
            PageItem(note, self._note_uris[note.path], deletion) for note, deletion in (*found, *self.deleted.pages)
        ]
        return tuple(sorted(items, key=lambda item: str(item.note.path)))

    @cached_property
    def unreadable(self) -> Mapping[PurePosixPath, str]:
        """Files that the memory reports and that have no page of their own, by path, with their addresses."""
        return {path: self._note_uris[path] for path in self._unreadable_paths}

    @cached_property
    def _note_uris(self) -> Mapping[PurePosixPath, str]:
        paths = [note.path for note in (*self.memory.pages, *(note for note, _ in self.deleted.pages))]
        return note_uris([*paths, *self._unreadable_paths], self.source.history, self.source.config)

    @cached_property
    def _unreadable_paths(self) -> tuple[PurePosixPath, ...]:
        config = self.source.config
        shown = {config.index_path, *site_addresses(self.memory, config), *self.deleted.paths}
        silent = (path for path, problems in self.problems.items() if not day_of_problem(problems[0], config))
        return tuple(path for path in silent if path not in shown)

    @cached_property
    def commits(self) -> Mapping[date, tuple[Commit, ...]]:
        """The commits of each day in the memory's zone, newest first."""
        return _grouped((self.commit_day(commit), commit) for commit in self.source.history.commits)

    @cached_property
    def index_commits(self) -> tuple[Commit, ...]:
        """The commits that say that they are of the index, newest first."""
        return tuple(commit for commit in self.source.history.commits if commit.subject.startswith("index: "))

    @cached_property
    def days_in(self) -> Mapping[str, tuple[date, ...]]:
        """The days that have a page by year and by month: `2025`, `2025-03`."""
        return _grouped((f"{day}"[:length], day) for length in (4, 7) for day in self.days)

    @cached_property
    def logs_in(self) -> Mapping[int, tuple[LogItem, ...]]:
        """The session logs of each year, earliest first."""
        return _grouped((day.year, item) for day, item in self.logs.items())

    @cached_property
    def commits_in(self) -> Mapping[int, Mapping[date, tuple[Commit, ...]]]:
        """By year: the commits of each of its days, as `commits` has them; latest day first."""
        days = _grouped((day.year, day) for day in sorted(self.commits, reverse=True))
        return {year: {day: self.commits[day] for day in found} for year, found in days.items()}

    @cached_property
    def topics_on(self) -> Mapping[date, tuple[str, ...]]:
        """The slugs of the topics whose entry has a day, or that got a generation on it."""
        pairs = [(day, line.topic.slug) for line in self.lineages for day in sorted(line.days)]
        return _grouped(pairs)

    @cached_property
    def generations_on(self) -> Mapping[date, tuple[GenerationItem, ...]]:
        """The generations made on each day."""
        return _grouped((item.generation.day, item) for line in self.lineages for item in line.items)

    @cached_property
    def days(self) -> tuple[date, ...]:
        """The days that have a page: with a note, a session, a topic's date or a generation; earliest first."""
        return tuple(sorted({*self.notes, *self.logs, *self.topics_on, *self.problem_days}))

    @cached_property
    def problem_days(self) -> frozenset[date]:
        """Days whose note or session log cannot be read."""
        days = (day_of_problem(problem, self.source.config) for problem in self.memory.problems)
        return frozenset(day for day in days if day)

    @cached_property
    def problems(self) -> Mapping[PurePosixPath, tuple[Problem, ...]]:
        """The memory's problems by file."""
        return _grouped((problem.path, problem) for problem in self.memory.problems)

    @cached_property
    def resolver(self) -> LinkResolver:
        """What links in memory files mean; deleted files and second generations included."""
        resolver = LinkResolver(self.memory, self.source.config)
        resolver.addresses = {**self._gone_addresses(), **resolver.addresses, **self._own_addresses()}
        resolver.find_anchor = self._find_anchor
        return resolver

    def _find_anchor(self, path: PurePosixPath, fragment: str) -> str | None:
        headings = self._headings(path)
        return fragment if headings is None else headings.find_anchor(fragment)

    def _headings(self, path: PurePosixPath) -> NoteHeadings | None:
        if path not in self._read_headings:
            item = self._items.get(path)
            day = [one.note for one in self.notes[item.note.day]] if isinstance(item, NoteItem) else []
            self._read_headings[path] = read_note(item.note, day) if item else None
        return self._read_headings[path]

    @cached_property
    def _items(self) -> Mapping[PurePosixPath, NoteItem | PageItem]:
        of_days: Mapping[PurePosixPath, NoteItem] = {one.note.path: one for some in self.notes.values() for one in some}
        return {**of_days, **{one.note.path: one for one in self.pages}}

    def commit_day(self, commit: Commit) -> date:
        """The day of a commit in the memory's time zone."""
        return commit.at.astimezone(self.zone).date()

    @cached_property
    def last_blobs(self) -> Mapping[PurePosixPath, Blob]:
        """The text that each file's own page shows: as it is, of a deleted file the last one."""
        index = self.memory.index.blob
        found = {} if index is None else {self.source.config.index_path: index}
        found |= {item.note.path: item.note.blob for group in self.notes.values() for item in group}
        found |= {item.log.path: item.log.blob for item in self.logs.values()}
        found |= {item.generation.path: item.generation.blob for line in self.lineages for item in line.items}
        return found | {item.note.path: item.note.blob for item in self.pages}

    @cached_property
    def day_set(self) -> frozenset[date]:
        """The same days, to be looked up."""
        return frozenset(self.days)

    @cached_property
    def day_problems(self) -> Mapping[date, tuple[tuple[PurePosixPath, tuple[Problem, ...]], ...]]:
        """By day: the files that belong to it and have problems."""
        config = self.source.config
        pairs = [(day_of_problem(problems[0], config), (path, problems)) for path, problems in self.problems.items()]
        return _grouped((day, found) for day, found in pairs if day is not None)

    def _own_addresses(self) -> dict[PurePosixPath, str]:
        found = {item.generation.path: item.uri for line in self.lineages for item in line.items}
        return found | {item.note.path: item.uri for item in self.pages}

    def _gone_addresses(self) -> dict[PurePosixPath, str]:
        found = {note.path: day_uri(note.day) for note, _ in self.deleted.notes}
        return found | {log.path: session_day_uri(log.day) for log, _ in self.deleted.logs}


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}
