"""A stream of bytes as the lines of a transcript, in bounded memory: one line at a time, and none without a limit."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memsite.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line is an embedded image or a fault. It is passed over, and counted."""
_PIECE_BYTES = 64 * 1024
_DECODER = json.JSONDecoder(strict=False)
"""Lets control characters inside of strings through."""
_BLANK = b" \t\r\n\0"
_BOM = b"\xef\xbb\xbf"
_EVENT_LIST = late(rb'[{,]\s*"messages"\s*:\s*\[')
_LINE_KEYS = (b'"parentUuid"', b'"uuid"', b'"payload"')
"""Keys of a transcript's line; no event has them before its messages."""


def iter_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a transcript, each at most `MAX_LINE_BYTES`; None stands for a longer one.

    A single JSON document (a list of messages, an event) comes as pieces of any size instead, which need not be lines:
    `read_transcript` takes both.
    """
    first = stream.readline(_PIECE_BYTES)
    while first and is_blank(first):
        first = stream.readline(_PIECE_BYTES)
    if starts_document(first):
        yield first
        yield from iter(lambda: stream.read(_PIECE_BYTES), b"")
        return
    while first:
        yield _complete(stream, first)
        first = stream.readline(_PIECE_BYTES)


def _complete(stream: BinaryIO, start: bytes) -> bytes | None:
    """The whole line that begins with `start`; None, and the stream behind it, when it is too long."""
    if start.endswith(b"\n"):
        return start
    line = start + stream.readline(MAX_LINE_BYTES - len(start))
    if line.endswith(b"\n") or len(line) < MAX_LINE_BYTES:
        return line
    while (rest := stream.readline(_PIECE_BYTES)) and not rest.endswith(b"\n"):
        pass
    return None


def is_blank(line: bytes) -> bool:
    """Whether nothing is in the line but white space and the zeros that a crash leaves behind."""
    return not line.strip(_BLANK)


def starts_document(head: bytes) -> bool:
    """Whether a transcript that begins like this is one JSON document: a list, an object laid out over several lines,
    or an event with its list of messages."""
    head = head[:_PIECE_BYTES].removeprefix(_BOM).strip(_BLANK)
    if head.startswith(b"["):
        return True
    found = _EVENT_LIST.search(head) if head.startswith(b"{") else None
    return head == b"{" or (found is not None and not any(key in head[: found.start()] for key in _LINE_KEYS))


def parse_record(line: bytes | None) -> dict[str, object] | None:
    """The JSON object in a line; None when there is none: truncated, malformed, too long, another kind of value.

    Bytes that are no UTF-8 become U+FFFD, and control characters inside of strings are let through.
    """
    if line is None or len(line) > MAX_LINE_BYTES:
        return None
    line = line.removeprefix(_BOM)
    if b"\0" in line[:1] + line[-3:]:
        line = line.strip(_BLANK)  # the decoder passes over white space by itself, without a copy of 16 MB
    try:
        value = _DECODER.decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # a number of 5,000 digits is a ValueError, 100,000 brackets are the other
        return None
    return value if isinstance(value, dict) else None
