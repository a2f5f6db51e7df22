"""OpenClaw's transcripts that it has packed away: `sessions/cold/<hash>.jsonl.zst`, and archives with that suffix."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

from memsite.capture.fields import read_table, read_text
from memsite.capture.lines import iter_lines, parse_record

SUFFIX = ".zst"
_HEAD = 40
"""An envelope's `kind` stands at its beginning."""


def iter_packed_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The transcript's lines, as `iter_lines` gives those of a plain file.

    A cold archive holds rows of several tables, each in an envelope `{kind, row}`: only the events are taken out. What
    follows a broken place cannot be read, and counts as one line.
    """
    import zstandard  # needed for this one format alone; Python has it from 3.14 on

    with zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False) as packed:
        try:
            for line in iter_lines(cast("BinaryIO", io.BufferedReader(cast("io.RawIOBase", packed)))):
                yield from _events(line)
        except zstandard.ZstdError:
            yield None


def _events(line: bytes | None) -> Iterator[bytes | None]:
    record = parse_record(line) if line and b'"kind"' in line[:_HEAD] else None
    if record is None or "type" in record:
        yield line
    elif record.get("kind") == "event":
        yield read_text(read_table(record.get("row")).get("event_json")).encode() or None
