"""What two versions of a file both begin and end with, left out before either of them is decoded."""

from __future__ import annotations

import re
from functools import lru_cache

from memsite.memory.snapshot import Blob

_BOM = b"\xef\xbb\xbf"
_SIGNS = (b"<", b"```", b"~~~")
_LONG_BLOCK = re.compile(rb"(?m)```|~~~|\A(?:\xef\xbb\xbf)?---|^ {0,3}<(?!!--[^\n]*-->[ \t]*$)")
"""As in `changed_parts`, where blocks may have empty lines in them. It matches within a line, or at the beginning."""
_EDGE = re.compile(rb"\n(?=[-*+] |#)|\n\n(?!\n|[ \t]|(?:\xef\xbb\xbf)?---)")
"""Line breaks in front of what can be read without what stands above, and is nothing else at a text's beginning."""
_AT_ONCE = 1024
"""Bytes that are compared first; then twice as many, and so on."""


def trimmed_texts(old: Blob, new: Blob) -> tuple[str, str] | None:
    """Two texts without most of what both begin and end with: `changed_part` is that of the whole ones.

    None where all of them must be read: blocks that have empty lines in them, other line ends, bytes that are no text.
    """
    before, after = old.data.removeprefix(_BOM), new.data.removeprefix(_BOM)
    if b"\r" in before or b"\r" in after:
        return None
    head = _same_head(before, after)
    tail = _same_tail(before, after, min(len(before), len(after)) - head)
    start, end = _first_edge(before, after, head), _last_edge(before, tail)
    parts = before[start : len(before) - end], after[start : len(after) - end]
    if _have_long_blocks((old.id, new.id), before, parts):
        return None
    try:  # what is no UTF-8 may be another text by its bytes alone
        return parts[0].decode(), parts[1].decode()
    except UnicodeDecodeError:
        return None


def _same_head(old: bytes, new: bytes) -> int:
    """How many bytes both begin with."""
    most = min(len(old), len(new))
    same, step = 0, _AT_ONCE
    while same < most and old[same : same + step] == new[same : same + step]:
        same, step = same + step, 2 * step
    while same < most and step > 1:  # they differ in the next `step`
        step //= 2
        same += step if old[same : same + step] == new[same : same + step] else 0
    return min(same, most)


def _same_tail(old: bytes, new: bytes, most: int) -> int:
    """How many bytes, up to `most`, both end with."""
    same, step = 0, _AT_ONCE
    while same < most and _before_tail(old, same, step) == _before_tail(new, same, step):
        same, step = same + step, 2 * step
    while same < most and step > 1:
        step //= 2
        same += step if _before_tail(old, same, step) == _before_tail(new, same, step) else 0
    return min(same, most)


def _before_tail(data: bytes, tail: int, length: int) -> bytes:
    end = len(data) - tail
    return data[max(end - length, 0) : end]


def _first_edge(old: bytes, new: bytes, head: int) -> int:
    """Where what is read of both begins, as near as can be to the end of the `head` that they share."""
    at = old.rfind(b"\n", 0, head)
    while at >= 0:
        edge, other = _EDGE.match(old, at), _EDGE.match(new, at)
        if edge and other and edge.end() == other.end() <= head:
            return edge.end()
        at = old.rfind(b"\n", 0, at)
    return 0


def _last_edge(data: bytes, tail: int) -> int:
    """How many bytes of the `tail`, and the line break before them, are not read."""
    edge = _EDGE.search(data, len(data) - tail)
    return len(data) - edge.end() + 1 if edge else 0


def _have_long_blocks(names: tuple[str, str], old: bytes, parts: tuple[bytes, bytes]) -> bool:
    """Whether one of two texts has such blocks, in the `parts` in which they differ or elsewhere."""
    notes = [_note(name) for name in names]
    if True in (*notes[0], *notes[1]):
        return True
    if not notes[0] and not notes[1]:
        notes[0].append(_has_long_block(old))
        return notes[0][0] or _have_long_blocks(names, old, parts)
    for note, part in zip(notes, parts, strict=True):
        if not note:  # the other text has none, so that this one can have one in its own part only
            note.append(_has_long_block(part))
    return notes[0][0] or notes[1][0]


@lru_cache(maxsize=64)
def _note(_name: str) -> list[bool]:
    """Whether the file of this blob id has such blocks, when that is known: it is compared with several others."""
    return []


def _has_long_block(data: bytes) -> bool:
    may_have = data.startswith((b"---", _BOM)) or any(sign[:1] in data and sign in data for sign in _SIGNS)
    return may_have and _LONG_BLOCK.search(data) is not None
