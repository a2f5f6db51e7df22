"""Where a note of a day stands on the day's page, and its lines: `#L3` in the day's own, `#standup.L3` in another."""

from __future__ import annotations

from memsite.memory.model import DailyNote, SourceRef
from memsite.memory.source_refs import find_cited
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.documents import last_line_with_text
from memsite.site.pages.note_headings import note_name, note_prefix


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
    return note_name(note, (item.note for item in atlas.notes.get(note.day, ())))
