"""The parsed memory: frozen values that every other room reads. No IO, no clock, no behaviour beyond look-ups."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from pathlib import PurePosixPath

from memsite.memory.later import Later
from memsite.memory.session_entry import SessionEntry as SessionEntry
from memsite.memory.session_entry import SessionLog as SessionLog
from memsite.memory.snapshot import Blob
from memsite.values import dataclass, field


class Status(StrEnum):
    """What a topic's `Status:` may say (FORMATS, "INDEX.md"). Entries are marked, never removed."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    ABANDONED = "abandoned"
    DEPRECATED = "deprecated"


class Dialect(StrEnum):
    """The two forms of an index entry that the seed shows."""

    NESTED = "nested"
    """`- **slug**` with `  - Dates: [...]` below it."""
    INLINE = "inline"
    """`- **slug**: [dates]`."""


class Grade(StrEnum):
    """How much a topic wants consolidation (FORMATS, "When a topic wants consolidation")."""

    NONE = "none"
    SUGGESTED = "suggested"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the memory that a person should look at. It never stops a reader."""

    path: PurePosixPath
    """Relative to the workspace."""
    line: int | None
    """1-based, None where the whole file is meant."""
    message: str
    hint: str = ""
    warning: bool = False
    """Only worth a word: nothing is lost or contradicts itself."""


@dataclass(frozen=True, slots=True)
class GenerationRef:
    """One line `gen1 (2025-03-25): consolidated/…` of an index entry."""

    number: int
    day: date | None
    path: PurePosixPath
    """As written: relative to the memory folder."""
    line: int


@dataclass(frozen=True, slots=True)
class TopicEntry:
    """One topic as INDEX.md has it."""

    slug: str
    category: str
    dialect: Dialect
    first_line: int
    """1-based line of its bullet."""
    last_line: int
    """1-based last line of the entry, blank lines after it excluded."""
    dates: tuple[date, ...] = ()
    """Each once, in order, however they are written."""
    status: Status = Status.ACTIVE
    consolidations: tuple[GenerationRef, ...] = ()
    current: PurePosixPath | None = None
    """As written: relative to the memory folder."""
    aliases: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class SourceRef:
    """`[2025-03-22]`, `[2025-03-22#L10-L14]` or `[2025-03-22-standup#L3]` at the end of a point: the note, and lines in
    it, that support it."""

    day: date
    first_line: int | None = None
    last_line: int | None = None
    label: str = ""
    """Of another note of that day than its own (`DailyNote.label`, NFC); empty: the day's own, or without lines any."""


@dataclass(frozen=True, slots=True)
class Point:
    """One bullet of a generation's key points or decisions."""

    text: str
    """Without its bullet and its source references."""
    line: int
    sources: tuple[SourceRef, ...] = ()
    impossible: tuple[str, ...] = ()
    """What stands where sources do and can be none, as it is written: `2025-02-30`."""


@dataclass(frozen=True, slots=True)
class Source:
    """One line of `## Source References`."""

    label: str
    """What precedes the colon: `gen1`, `2025-04-01`, or a file name."""
    text: str
    line: int
    day: date | None = None
    generation: int | None = None
    note: str = ""
    """The label of another note of that day than its own (`DailyNote.label`, NFC)."""


@dataclass(frozen=True, slots=True)
class Generation(Later):
    """One consolidation file. Immutable once committed."""

    topic: str
    number: int
    day: date
    """From the file name."""
    path: PurePosixPath
    blob: Blob
    title: str
    created: date | None = None
    covers: tuple[date, date] | None = None
    """First and last source date."""
    previous: str = ""
    """As written, relative to the memory folder; empty in generation 1."""
    summary: str = ""
    key_points: tuple[Point, ...] = ()
    decisions: tuple[Point, ...] = ()
    current_status: str = ""
    sources: tuple[Source, ...] = ()
    indexed: bool = True
    """False when INDEX.md does not know the file."""


class MarkerKind(StrEnum):
    """The HTML comments that the seeds put into daily notes."""

    ARCHIVED = "archived"
    DAILY_FLUSH = "daily_flush"
    NATIVE_FLUSH = "native_flush"


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker comment, outside code."""

    kind: MarkerKind
    line: int
    target: str = ""
    """For ARCHIVED: the generation's file, as written."""


@dataclass(frozen=True, slots=True)
class DailyNote(Later):
    """`YYYY-MM-DD.md`, or another note of that day (`YYYY-MM-DD-<slug|HHMM>.md`, OpenClaw's session-memory hook)."""

    day: date
    path: PurePosixPath
    blob: Blob
    title: str
    """Its first heading as plain text, else the file's stem."""
    label: str = ""
    """What follows the date in the file name; empty for the day's own note."""
    markers: tuple[Marker, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherNote:
    """Any other Markdown of the memory: CURRENT_STATE.md, MEMORY.md, nested folders."""

    path: PurePosixPath
    blob: Blob
    title: str
    site_path: PurePosixPath
    """The part of its permalink below `notes/`: relative to the memory folder, without the suffix."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic with its lineage: what INDEX.md says, and the generation files that exist."""

    slug: str
    category: str
    status: Status = Status.ACTIVE
    dates: tuple[date, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""
    generations: tuple[Generation, ...] = ()
    """By number, then date. A number can occur twice: two machines made it, and `check` says so."""
    missing: tuple[GenerationRef, ...] = ()
    """Generations that INDEX.md names and the folder has not."""
    entry: TopicEntry | None = None
    """None for a lineage that INDEX.md does not know."""

    @property
    def current(self) -> Generation | None:
        """The newest generation that exists."""
        return self.generations[-1] if self.generations else None


@dataclass(frozen=True, slots=True)
class Index:
    """INDEX.md as read. Editing is done on the bytes (`index_edit`), never by writing this back."""

    path: PurePosixPath
    blob: Blob | None
    categories: tuple[str, ...] = ()
    """In the order of their headings."""
    entries: tuple[TopicEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
    left_out: int = 0
    """How many bullets were meant as topics and cannot be read; each has its problem."""
    unreadable: str = ""
    """Why there is no blob, where something else has the file's name: a folder, a link to nothing."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The whole folder, parsed. Sequences are sorted: topics as INDEX.md has them, then unknown ones by slug; notes
    and logs by date, then path; pages and assets by path."""

    index: Index
    topics: tuple[Topic, ...] = ()
    notes: tuple[DailyNote, ...] = ()
    session_logs: tuple[SessionLog, ...] = ()
    pages: tuple[OtherNote, ...] = ()
    assets: Mapping[PurePosixPath, Blob] = field(default_factory=dict)
    """Files that are no Markdown, by workspace-relative path."""
    problems: tuple[Problem, ...] = ()

    def topic(self, slug: str) -> Topic | None:
        """The topic of that slug, or None."""
        return next((topic for topic in self.topics if topic.slug == slug), None)

    def notes_on(self, day: date) -> tuple[DailyNote, ...]:
        """The notes of a day, the day's own first."""
        return tuple(sorted((note for note in self.notes if note.day == day), key=lambda note: note.label))

    def session_log(self, day: date) -> SessionLog | None:
        """The session log of a day, or None."""
        return next((log for log in self.session_logs if log.day == day), None)
