"""Texts that are too long to be read as a whole: where they are cut."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.names import MARKDOWN
from memsite.memory.snapshot import Blob, Cut

MAX_BYTES = 1_000_000
MAX_LINES = 10_000
"""A text is read as a whole up to both; of a longer one, which is no note that anybody reads, the beginning."""
HEAD_BYTES = 100_000
HEAD_LINES = 5_000
TAIL_BYTES = 10_000
"""At the end of a daily note stand the markers of what memsite did with it."""


MAX_INDEX_BYTES = 2 * 1024 * 1024
MAX_INDEX_LINES = 50_000
"""Some fifty years of a busy memory. Beyond, reading it at every session's end would cost seconds."""


def cut_file(path: PurePosixPath, blob: Blob, config: Config) -> Blob:
    """The blob of a file as a memory is read from it: of a text that is too long, its beginning."""
    if path == config.index_path:
        return cut_text(blob, most_bytes=MAX_INDEX_BYTES, most_lines=MAX_INDEX_LINES)
    return cut_text(blob) if path.suffix.lower() in MARKDOWN else blob


def cut_text(blob: Blob, *, most_bytes: int = MAX_BYTES, most_lines: int = MAX_LINES) -> Blob:
    """The blob of a text as it is read: with its beginning alone, where it is too long."""
    data = blob.data
    lines = count_lines(data)
    if blob.cut is not None or (len(data) <= most_bytes and lines <= most_lines):
        return blob
    last = data[-TAIL_BYTES:]
    return Blob(blob.id, _head(data), Cut(len(data), lines, last[last.find(b"\n") + 1 :] if b"\n" in last else b""))


def count_lines(data: bytes) -> int:
    """How many lines a text has, the last one included where nothing ends it; none has both kinds of line ends."""
    return max(data.count(b"\n"), data.count(b"\r")) + (not data.endswith((b"\n", b"\r")))


def _head(data: bytes) -> bytes:
    """The first whole lines; of a line that is too long for that, the first whole characters."""
    ends = list(islice(re.finditer(rb"\r\n?|\n", data[:HEAD_BYTES]), HEAD_LINES))
    if ends and (len(ends) == HEAD_LINES or ends[-1].end() > HEAD_BYTES // 2):
        return data[: ends[-1].end()]
    end = HEAD_BYTES
    while end and data[end] & 0xC0 == 0x80:  # the inside of a character
        end -= 1
    return data[:end]
