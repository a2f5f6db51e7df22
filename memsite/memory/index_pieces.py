"""Topics and dates of many versions of one index: from one to the next most pieces stay, and each is read once.

A piece begins at a heading or an outermost bullet, which mean the same whatever stands above them, unless something
that is open there takes them in: then the piece goes on. A property test holds this reading to that of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import PurePosixPath

from memsite.memory.index import read_index_once
from memsite.memory.index_splice import resets
from memsite.memory.lines import decode_text

_BEGIN = re.compile(rb"^(?:[-*+][ \t]|#)", re.MULTILINE)
_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?---")
"""Its end decides whether it is some: that is read as a whole."""

_Topics = tuple[tuple[str, frozenset[date]], ...]


def read_topic_dates(data: bytes, path: PurePosixPath, consolidated: PurePosixPath) -> dict[str, frozenset[date]]:
    """The dates of each topic of an index of tolerable size; of one that is there twice, those of both entries."""
    found: dict[str, frozenset[date]] = {}
    for topics in _iter_pieces(data, path, consolidated):
        for slug, dates in topics:
            found[slug] = found.get(slug, frozenset()) | dates
    return found


def _iter_pieces(data: bytes, path: PurePosixPath, consolidated: PurePosixPath) -> Iterator[_Topics]:
    begins = () if _FRONT_MATTER.match(data) else _BEGIN.finditer(data)
    starts = [0, *(match.start() for match in begins if match.start()), len(data)]
    at, last = 0, len(starts) - 1
    while at < last:
        # What an open fence takes in is read again as it grows: each time it is twice as long.
        for size in (1 << power for power in range(last.bit_length() + 1)):
            end = min(at + size, last)
            after = data[starts[end] : data.find(b"\n", starts[end]) + 1 or len(data)]
            topics = _read_piece(data[starts[at] : starts[end]], after, path, consolidated)
            if topics is not None:
                yield topics
                break
        at = end


@lru_cache(maxsize=8192)
def _read_piece(piece: bytes, after: bytes, path: PurePosixPath, consolidated: PurePosixPath) -> _Topics | None:
    """The topics of a piece; None where the line after it belongs to what the piece leaves open."""
    read = read_index_once(piece + after, path, consolidated)
    size = len(decode_text(piece))
    follower = next((line for line in read.spans.lines if line.start >= size), None)
    if follower is not None and not resets(follower):
        return None
    entries = (held.entry for held in read.entries if follower is None or held.entry.first_line < follower.number)
    return tuple((entry.slug, frozenset(entry.dates)) for entry in entries)
