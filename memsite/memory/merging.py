"""Merge what two machines made of one file of the memory: base, ours and theirs in, one file out.

Every merge is symmetric (a clean result has the same bytes whichever machine merges), changes nothing when its result
is merged with either side again, and loses no entry. The plain three-way text merge is git's, and passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.merged import Merged, MergeText
from memsite.memory.merging_index import merge_indexes
from memsite.memory.merging_log import merge_logs
from memsite.memory.merging_notes import merge_notes
from memsite.memory.names import is_session_log, parse_day_name

__all__ = ["MergeText", "Merged", "merge_daily_note", "merge_index", "merge_memory_file", "merge_session_log"]


def merge_session_log(base: bytes, ours: bytes, theirs: bytes, *, merge_text: MergeText) -> Merged:
    """Merge two session logs entry by entry (FORMATS, "Session log"). `base` is empty where both sides made the file.

    Entries of one session id become one; those without an id are counted, so that equal ones added on both sides both
    stay. A conflict can only be in what stands above the first entry.
    """
    return _symmetric(lambda old, one, other: merge_logs(old, one, other, merge_text), base, ours, theirs)


def merge_daily_note(base: bytes, ours: bytes, theirs: bytes, *, merge_text: MergeText) -> Merged:
    """Merge two versions of a daily note: what both appended stays, equal blocks and markers once; edits by text."""
    return _symmetric(lambda old, one, other: merge_notes(old, one, other, merge_text), base, ours, theirs)


def merge_index(base: bytes, ours: bytes, theirs: bytes, *, merge_text: MergeText, config: Config) -> Merged:
    """Merge two versions of INDEX.md topic by topic (FORMATS, "INDEX.md").

    Dates, aliases and generations are united, `Current` is the newest. A status or a description that both sides
    changed differently is a conflict, between git's markers.
    """
    return _symmetric(lambda old, one, other: merge_indexes(old, one, other, merge_text, config), base, ours, theirs)


def merge_memory_file(
    path: PurePosixPath, base: bytes, ours: bytes, theirs: bytes, *, merge_text: MergeText, config: Config
) -> Merged:
    """Merge a file as its workspace-relative path asks for; a path of no known kind is merged as text."""
    if path == config.index_path:
        return merge_index(base, ours, theirs, merge_text=merge_text, config=config)
    if is_session_log(path, config.memory):
        return merge_session_log(base, ours, theirs, merge_text=merge_text)
    if path.parent == config.memory and parse_day_name(path.name):
        return merge_daily_note(base, ours, theirs, merge_text=merge_text)
    return Merged(*merge_text(base, ours, theirs))


def _symmetric(merge: Callable[[bytes, bytes, bytes], Merged], base: bytes, ours: bytes, theirs: bytes) -> Merged:
    """The merge of the sides in an order of their own. Only a conflict shows ours first, as git's users expect."""
    if theirs in (ours, base):
        return Merged(ours, conflict=False)
    if ours == base:
        return Merged(theirs, conflict=False)
    first, second = sorted((ours, theirs))
    merged = merge(base, first, second)
    return merge(base, ours, theirs) if merged.conflict and first != ours else merged
