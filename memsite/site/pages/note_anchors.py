"""Where a note of a day stands on the day's page, and its lines: `#L3` in the day's own, `#standup.L3` in another."""

from __future__ import annotations

from collections.abc import Iterable

from memsite.memory.model import DailyNote, SourceRef
from memsite.memory.source_refs import find_cited
from memsite.site.pages.atlas import Atlas, NoteItem
from memsite.site.pages.documents import last_line_with_text
from memsite.site.slugs import Anchors, slugify_heading

OWN = "note"
"""What the day's own note is called."""


def note_names(items: Iterable[NoteItem]) -> tuple[str, ...]:
    """What each note of one day is called on the day's page, each name once."""
    anchors = Anchors()
    return tuple(anchors.unique(slugify_heading(item.note.label) if item.note.label else OWN) for item in items)


def note_prefix(note: DailyNote, name: str) -> str:
    """What goes before every id of a note's text."""
    return f"{name}." if note.label else ""


def note_anchor(atlas: Atlas, note: DailyNote) -> str:
    """Where a note begins on its day's page."""
    return f"on.{_name(atlas, note)}"


def line_anchor(atlas: Atlas, note: DailyNote, line: int) -> str:
    """The anchor of a line on the page of its day; empty where the note has no such line."""
    if not 0 < line <= last_line_with_text(note.blob.text):
        return ""
    return f"{note_prefix(note, _name(atlas, note))}L{line}"


def cited_notes(atlas: Atlas, ref: SourceRef) -> tuple[DailyNote, ...]:
    """The notes that a reference means, deleted ones too."""
    return find_cited((item.note for item in atlas.notes.get(ref.day, ())), ref)


def _name(atlas: Atlas, note: DailyNote) -> str:
    items = atlas.notes.get(note.day, ())
    return dict(zip((item.note.path for item in items), note_names(items), strict=True)).get(note.path, OWN)
