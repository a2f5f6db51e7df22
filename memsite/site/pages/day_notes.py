"""What pages say of the notes of a day, each as narrow as can be: a marker that a consolidation appends to a note
changes the note, but little of what others say of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

from memsite.memory.daily import archived_topic, fresh_text, note_length
from memsite.memory.model import DailyNote, SourceRef
from memsite.memory.source_refs import find_cited
from memsite.site.pages.documents import last_line_with_text
from memsite.site.pages.lookups import NoteItem
from memsite.site.pages.note_headings import note_names, note_prefix
from memsite.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Told:
    """What a list of days says of a day's notes."""

    count: int
    headline: str
    """What the first is about that says so; empty where none does."""
    deleted: bool
    """Whether all of them are deleted."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A note that a reference means, deleted ones too."""

    path: PurePosixPath
    top: str
    """The anchor of the note on the page of its day."""
    line: str
    """That of the first line that is cited; empty where none is, or the note has no such line."""
    has_lines: bool
    """Whether the note is as long as the reference says."""
    note: DailyNote = field(repr=False)
    """For what follows from the rest and from the lines that are cited."""


def tell_notes(items: Sequence[NoteItem], headline: Callable[[DailyNote], str]) -> Told:
    """What is told of some notes of one day."""
    first = next((text for item in items if (text := headline(item.note))), "")
    return Told(len(items), first, bool(items) and all(item.deletion for item in items))


def names_of(items: Sequence[NoteItem]) -> Mapping[PurePosixPath, str]:
    """What each note of a day, of which these are all, is called on its page."""
    notes = [item.note for item in items]
    return dict(zip((note.path for note in notes), note_names(notes), strict=True))


def find_notes(items: Sequence[NoteItem], ref: SourceRef) -> tuple[Cited, ...]:
    """The notes of a day that a reference means."""
    names = names_of(items)
    return tuple(_cited(note, names[note.path], ref) for note in find_cited((item.note for item in items), ref))


def _cited(note: DailyNote, name: str, ref: SourceRef) -> Cited:
    text, last = note.blob.text, ref.last_line or 0
    has_line = bool(ref.first_line) and 0 < (ref.first_line or 0) <= last_line_with_text(text)
    return Cited(
        note.path,
        f"on.{name}",
        f"{note_prefix(note, name)}L{ref.first_line}" if has_line else "",
        last <= text.count("\n") or last <= note_length(note),
        note,
    )


def what_is_cited(items: Sequence[NoteItem], ref: SourceRef) -> object:
    """What a reference finds on a day: the notes that it means, and the lines."""
    return [(one, _lines(one.note, ref)) for one in find_notes(items, ref)]


def _lines(note: DailyNote, ref: SourceRef) -> object:
    if not ref.first_line or note.blob.cut:
        return bool(note.blob.cut)
    lines = note.blob.text.split("\n")[ref.first_line - 1 : ref.last_line or ref.first_line]
    return [line.rstrip() for line in lines]


def what_is_said(items: Iterable[NoteItem], slug: str) -> object:
    """What the notes of a day have to say to a topic's next generation: their markers of the topic, and whether
    anything of them is new for it. What is new is the text below these markers; without any it is what names the topic,
    which is another fact.
    """
    return [_said(item.note, slug) for item in items if item.deletion is None]


def _said(note: DailyNote, slug: str) -> object:
    targets = [marker.target for marker in note.markers if archived_topic(marker) == slug]
    is_fresh = bool(fresh_text(note, slug))
    return str(note.path), targets, note.blob.id if is_fresh and targets else is_fresh


def key_of(ref: SourceRef) -> str:
    """A reference as a text."""
    return f"{json.dumps([ref.first_line, ref.last_line, ref.label])}\0{ref.day}"


def read_key(key: str) -> SourceRef:
    """The reference that `key_of` wrote."""
    about, _, day = key.partition("\0")
    return SourceRef(date.fromisoformat(day), *json.loads(about))
