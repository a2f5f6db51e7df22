"""The lines that a generation cites, as it found them: the note may have changed since."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memsite.memory.model import DailyNote, SourceRef
from memsite.memory.source_refs import Citation, parse_citations
from memsite.repo.history import Commit
from memsite.site.pages.atlas import Atlas, GenerationItem
from memsite.site.pages.day_notes import Cited
from memsite.site.pages.lookups import place_of
from memsite.site.pages.past import revision_link
from memsite.site.pages.views import Link


def past_lines(
    atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, ref: SourceRef, cited: Cited
) -> Link | None:
    """Where the note stands as the generation found it; None where the cited lines are still those that it found.

    Reading has no commit, so a generation is taken to have read what its own commit left, or the last one before.
    """
    note = cited.note
    commit = _first_citing(atlas, items, item, ref) if ref.first_line else None
    found = atlas.text_before(note.path, commit) if commit else None
    if found is None or found.blob is None or found.blob == note.blob.id:
        return None
    name = f"{found.blob}\0{note.blob.id}"
    changed = atlas.once(("changed lines", name), partial(_changed_lines, atlas, found.blob, note))
    last = ref.last_line or ref.first_line or 0
    differs = any((ref.first_line or 0) <= number <= last for number in changed)
    return revision_link(atlas, found.commit, found.path, "") if differs else None


def _first_citing(atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, ref: SourceRef) -> Commit | None:
    """The commit of the first generation in a row that carries the reference: points are handed on as they stand."""
    first = item
    for one in reversed(items[: place_of(item, items)]):
        if ref not in _citations(atlas, one):
            break
        first = one
    return atlas.first_commit(first.generation.path, first.generation.blob.id)


def _citations(atlas: Atlas, item: GenerationItem) -> frozenset[Citation]:
    blob = item.generation.blob
    return atlas.once(("citations", blob.id), lambda: frozenset(parse_citations(blob.text)))


def _changed_lines(atlas: Atlas, blob: str, note: DailyNote) -> frozenset[int]:
    """Numbers of the lines of an old text that the note has otherwise, or no longer; of texts that are cut, none."""
    old = atlas.blobs([blob]).get(blob)
    if old is None or old.cut or note.blob.cut:
        return frozenset()
    were, are = ([one.rstrip() for one in text.split("\n")] for text in (old.text, note.blob.text))
    return frozenset(number for number, one in enumerate(were, start=1) if are[number - 1 : number] != [one])
