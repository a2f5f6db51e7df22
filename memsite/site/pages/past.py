"""Time travel: the text of each file as each commit left it, on the page of the commit's day.

A revision's address is `history/<YYYY-MM-DD>/#<commit>.<n>`, n being the file's number among those of the commit: for
ever, because a commit never changes. What a page holds is bounded; what is not shown is named, with where to find it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import PurePosixPath

from memsite.memory.lineage import MARKDOWN
from memsite.memory.snapshot import Blob
from memsite.repo.history import Commit, Revision
from memsite.site.links import history_day_uri
from memsite.site.pages.addresses import printable, printable_text
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.changed_parts import changed_lines
from memsite.site.pages.dates import month_name
from memsite.site.pages.views import Link
from memsite.values import dataclass

MAX_SHOWN = 16_000
"""Characters of old texts on one page, besides the first texts of a month."""
MAX_FIRST = 150_000
"""Characters of the first text of a month, which is shown all the same: an index of ten years is longer than a page."""
MAX_FILES = 300
"""Files of one commit that have a place of their own; the others, of a large import, stand at the commit's."""
MAX_COMPARED = 1_000_000
"""Characters of the text before; of a longer one nobody is told which lines are new."""


@dataclass(frozen=True, slots=True)
class PastState:
    """One file as a commit left it."""

    anchor: str
    path: str
    blobs: tuple[str, str]
    """The text before, empty where there was none, and this one."""
    older: Link | None
    newer: Link | None
    current: bool
    """Whether the file's own page shows this very text: it is still the file's, or was its last."""
    monthly: Link | None
    """The file's first text of the month; None: this is it."""
    command: str
    """What prints the text in the workspace."""


@dataclass(frozen=True, slots=True)
class PastText:
    """The text of a state. Without `runs` it is not shown here, because it is too long."""

    length: int
    """Characters."""
    runs: tuple[tuple[bool, str], ...] = ()
    """Lines that this commit brought (true) and lines that were there, in order, each with its line end."""
    removed: int = 0
    """Lines that it took away."""
    cut: str = ""
    """How long a text is that is not even read as a whole."""


def revision_link(atlas: Atlas, commit: Commit, path: PurePosixPath, title: str) -> Link:
    """The place at which a file stands as a commit left it."""
    numbers = atlas.once(("numbers", commit.id), partial(_numbers, commit))
    anchor = f"{commit.id}.{numbers[path]}" if numbers[path] <= MAX_FILES else commit.id
    return Link(title, history_day_uri(atlas.commit_day(commit)), anchor)


def _numbers(commit: Commit) -> Mapping[PurePosixPath, int]:
    return {path: number for number, path in enumerate(sorted((one.path for one in commit.changes), key=str), start=1)}


def past_states(atlas: Atlas, commit: Commit) -> Iterator[PastState]:
    """The Markdown files that a commit wrote, each as it left them."""
    for change in sorted(commit.changes, key=lambda one: str(one.path))[:MAX_FILES]:
        if change.new_blob is not None and change.path.suffix.lower() in MARKDOWN:
            before = atlas.renamed_from(commit, change.path) or change
            blobs = (before.old_blob or "", change.new_blob)
            near = _Neighbours(atlas, commit, change.path)
            yield PastState(
                revision_link(atlas, commit, change.path, "").anchor,
                printable(change.path),
                blobs,
                near.older(),
                near.newer(),
                atlas.is_last(change.path, change.new_blob),
                near.monthly(),
                f"git show {commit.id[:10]}:{shlex.quote(f'./{printable(change.path)}')}",
            )


class _Neighbours:
    """The other revisions of a file, seen from one of them."""

    def __init__(self, atlas: Atlas, commit: Commit, path: PurePosixPath) -> None:
        self._atlas, self._path, self._commit = atlas, path, commit
        self._near = atlas.neighbours(commit, path)

    def older(self) -> Link | None:
        """The revision before; None where there is none."""
        return self._link(self._near.older, "older")

    def newer(self) -> Link | None:
        """The revision after; None where there is none."""
        return self._link(self._near.newer, "newer")

    def monthly(self) -> Link | None:
        """The first revision of the month, if it is another: it will still be the first when the month is over."""
        month = self._atlas.commit_day(self._commit)
        title = f"The text at the beginning of {month_name(month.month)} {month.year}"
        first = self._near.monthly
        return None if first and first.commit == self._commit else self._link(first, title)

    def _link(self, state: Revision | None, title: str) -> Link | None:
        return revision_link(self._atlas, state.commit, state.path, title) if state else None


def past_texts(states: Iterable[PastState], blobs: Mapping[str, Blob]) -> Mapping[str, PastText]:
    """The texts of states (newest first) by their anchors; those that the file's own page shows are left out.

    The page's room goes to what the day ended with first, then to the shorter texts.
    """
    wanted = [state for state in states if not state.current and state.blobs[1] in blobs]
    found = {state.anchor: PastText(0, cut=cut.words) for state in wanted if (cut := blobs[state.blobs[1]].cut)}
    wanted = [state for state in wanted if state.anchor not in found]
    texts = {state.anchor: blobs[state.blobs[1]].text for state in wanted}
    ended = {state.path: state.anchor for state in reversed(wanted)}
    ordered = sorted(wanted, key=lambda state: (ended[state.path] != state.anchor, len(texts[state.anchor])))
    room = MAX_SHOWN
    for state in ordered:
        text = texts[state.anchor]
        if len(text) > (room if state.monthly else max(room, MAX_FIRST)):
            found[state.anchor] = PastText(len(text))
            continue
        room = max(room - len(text), 0)
        before = blobs.get(state.blobs[0])
        found[state.anchor] = _compared(before.text if before and not before.cut else "", text)
    return found


def _compared(before: str, text: str) -> PastText:
    new = _lines(text)
    if not before or len(before) > MAX_COMPARED:
        return PastText(len(text), ((False, "\n".join(new)),))
    removed, added = changed_lines(_lines(before), new)
    marked = groupby(enumerate(new), key=lambda line: line[0] in added)
    runs = tuple((is_new, "".join(f"{line}\n" for _, line in lines)) for is_new, lines in marked)
    return PastText(len(text), runs, removed)


def _lines(text: str) -> list[str]:
    return printable_text(text.replace("\r\n", "\n")).removesuffix("\n").split("\n")
