"""What a note and its headings are called on the page that shows it, and what a link's fragment means there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsite.memory.model import DailyNote, OtherNote
from memsite.site.front_matter import split_front_matter
from memsite.site.markdown import heading_anchors
from memsite.site.pages.documents import last_line_with_text, without_title
from memsite.site.slugs import Anchors, slugify_heading
from memsite.values import dataclass

OWN = "note"
"""What the day's own note is called."""
_LINES = re.compile(r"L([0-9]{1,7})(?:-L?[0-9]{1,7})?")


def note_names(notes: Iterable[DailyNote]) -> tuple[str, ...]:
    """What each note of one day is called on the day's page, each name once."""
    anchors = Anchors()
    return tuple(anchors.unique(slugify_heading(note.label) if note.label else OWN) for note in notes)


def note_name(note: DailyNote, day: Iterable[DailyNote]) -> str:
    """What one of them is called; `day` has all of them."""
    notes = list(day)
    return dict(zip((one.path for one in notes), note_names(notes), strict=True)).get(note.path, OWN)


def note_prefix(note: DailyNote, name: str) -> str:
    """What goes before every id of a note's text."""
    return f"{name}." if note.label else ""


@dataclass(frozen=True, slots=True)
class NoteHeadings:
    """The places of a note that a link can lead to."""

    prefix: str
    """What goes before their ids."""
    top: str
    """The anchor of the note itself; empty where that is the page."""
    title: str
    """The id that its title would have had; the page has the title as its own."""
    anchors: frozenset[str]
    lines: int
    """The last line that has an anchor."""

    def find_anchor(self, fragment: str) -> str | None:
        """The anchor that a fragment means; None where the note has no such place.

        A heading may be given as its id or as GitHub's, which keeps `_`.
        """
        if match := _LINES.fullmatch(fragment):
            return f"{self.prefix}L{int(match[1])}" if 0 < int(match[1]) <= self.lines else None
        for anchor in (fragment, slugify_heading(fragment)):
            if anchor in self.anchors:
                return self.prefix + anchor
        return self.top if slugify_heading(fragment) == self.title else None


def read_note(note: DailyNote | OtherNote, day: Iterable[DailyNote] = ()) -> NoteHeadings | None:
    """The places of a note, `day` being all notes of its day; None of a text that is shown as it is, without any."""
    if note.blob.cut:
        return None
    name, prefix, titles = "", "", [note.title]
    if isinstance(note, DailyNote):
        name = note_name(note, day)
        prefix, titles = note_prefix(note, name), [note.day.isoformat(), *([note.title] if note.label else [])]
    _, text = split_front_matter(note.blob.text)
    bare = without_title(text, *titles)
    anchors = heading_anchors(bare)
    if anchors is None:
        return None
    title = slugify_heading(note.title) if bare != text else ""
    return NoteHeadings(prefix, f"on.{name}" if name else "", title, anchors, last_line_with_text(note.blob.text))
