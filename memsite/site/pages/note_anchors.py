"""Where the lines of a note stand on the page of its day: `#L3` in the day's own, `#standup.L3` in another."""

from __future__ import annotations

from memsite.memory.model import DailyNote
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.documents import last_line_with_text
from memsite.site.pages.note_headings import note_prefix


def line_anchor(atlas: Atlas, note: DailyNote, line: int) -> str:
    """The anchor of a line on the page of its day; empty where the note has no such line."""
    if not 0 < line <= last_line_with_text(note.blob.text):
        return ""
    return f"{note_prefix(note, atlas.name_of_note(note))}L{line}"
