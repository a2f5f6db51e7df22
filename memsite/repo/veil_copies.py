"""What of private texts stands elsewhere: pictures that they alone speak of, sentences that public texts had first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from pathlib import PurePosixPath
from urllib.parse import unquote

from memsite.memory.lineage import MARKDOWN
from memsite.memory.private_copies import private_units
from memsite.memory.snapshot import Snapshot
from memsite.repo.history import Commit, History

ReadBlobs = Callable[[Iterable[str]], Iterable[tuple[str, bytes]]]
"""Blobs with their bytes; those that are not there are left out."""
_AT_ONCE = 200
"""Commits whose files are in memory together."""
Places = tuple[tuple[int, int], ...]
"""Parts of a text, disjoint, in order."""


def read_text(data: bytes) -> str:
    """A file as text, surrogates for bytes that are no UTF-8. Without NULs: a page shows none, and letters that they
    part (UTF-16) would be read, but neither searched nor told from marks.
    """
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")


def without(text: str, places: Places) -> str:
    """A text without some of its places."""
    parts, position = [], 0
    for start, end in places:
        parts.append(text[position:start])
        position = end
    return "".join([*parts, text[position:]])


def public_texts(
    current: Snapshot, private: set[PurePosixPath], hidden: Mapping[str, Places]
) -> Mapping[PurePosixPath, str]:
    """The notes of today without what is private in them."""
    notes = (
        (path, blob) for path, blob in current.files.items() if path.suffix.lower() in MARKDOWN and path not in private
    )
    return {path: without(read_text(blob.data), hidden.get(blob.id, ())) for path, blob in notes}


def find_attached(
    versions: Iterable[PurePosixPath], private: set[PurePosixPath], parts: Sequence[str], public: Iterable[str]
) -> Iterator[PurePosixPath]:
    """Files that are no notes and whose names stand in private texts alone."""
    files = [path for path in versions if path.suffix.lower() not in MARKDOWN and path not in private]
    if not files or not parts:
        return
    said, shown = unquote("\n".join(parts)).casefold(), unquote("\n".join(public)).casefold()
    for path in files:
        if path.name.casefold() in said and path.name.casefold() not in shown:
            yield path


def public_first(
    units: Set[str],
    public: Mapping[PurePosixPath, str],
    private: Set[PurePosixPath],
    hidden: Mapping[str, Places],
    history: History,
    read: ReadBlobs,
) -> frozenset[str]:
    """Those sentences of private texts that were public before and are so today: there the private text is the copy.

    What a commit brings in on both sides may be a copy of what is private; so may what commits of one moment do, into
    which `commit` puts what was pending together.
    """
    shown = units & {unit for text in public.values() for unit in private_units(text)} if units else set()
    first: dict[str, tuple[bool, datetime]] = {}
    commits = history.commits[::-1] if shown else ()
    for start in range(0, len(commits), _AT_ONCE):
        some = commits[start : start + _AT_ONCE]
        contents = dict(read({change.new_blob for commit in some for change in commit.changes if change.new_blob}))
        for commit in some:
            seen: set[str] = set()
            kept: set[str] = set()
            for path, text, bare in _sides(commit, contents, private, hidden):
                seen |= shown & set(private_units(bare))
                kept |= (shown & set(private_units(text))) - (set() if path in private else set(private_units(bare)))
            for unit in seen | kept:
                was_public, at = first.get(unit, (True, commit.at))
                if at == commit.at:
                    first[unit] = (was_public and unit not in kept, at)
    return frozenset(unit for unit, (was_public, _) in first.items() if was_public)


def _sides(
    commit: Commit, contents: Mapping[str, bytes], private: Set[PurePosixPath], hidden: Mapping[str, Places]
) -> Iterator[tuple[PurePosixPath, str, str]]:
    """The notes that a commit writes: path, text, and what of it is public."""
    for change in commit.changes:
        data = contents.get(change.new_blob or "")
        if data is not None and change.new_blob and change.path.suffix.lower() in MARKDOWN:
            text = read_text(data)
            yield change.path, text, "" if change.path in private else without(text, hidden.get(change.new_blob, ()))
