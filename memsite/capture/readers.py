"""Any agent's transcript as one stream of messages; the format is chosen by what is in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain

from memsite.capture.documents import Document
from memsite.capture.lines import is_blank, parse_record, starts_document
from memsite.capture.message import Message, Transcript
from memsite.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_Records = Iterable[dict[str, object]]
FORMATS = ("auto", "messages", "claude-code", "openclaw", "codex")
"""What `--format` may say."""
_DETECTED = ("codex", "openclaw", "claude-code", "messages")
"""In this order: the bare form is the least that a record can have."""


def read_transcript(lines: Iterable[bytes | None], format: str = "auto") -> Transcript:
    """Read a transcript in one pass, holding one line at a time.

    `lines` are lines with or without their ends, or the pieces of one JSON document, as `iter_lines` gives them; None
    is a line that was too long. `format` is one of `FORMATS`; `auto` goes by the first line that any agent would have
    written. Nothing in the lines raises: what cannot be read is counted in `skipped`. Raises FormatError for another
    format.
    """
    if format not in FORMATS:
        raise FormatError(f"unknown transcript format {format!r}", hint=f"use one of: {', '.join(FORMATS)}")
    transcript = Transcript(iter(()))
    transcript.messages = _read(lines, format, transcript)
    return transcript


def _read(lines: Iterable[bytes | None], name: str, transcript: Transcript) -> Iterator[Message]:
    rest = iter(lines)
    first = next((line for line in rest if line is None or not is_blank(line)), b"")
    is_document = first is not None and starts_document(first)
    everything = chain([first], rest) if first != b"" else rest
    del first
    records: _Records = (_document_records if is_document else _line_records)(everything, transcript)
    if name == "auto":
        name, records = _detect(records, transcript)
    if name != "messages":
        transcript.agent = name
    yield from _reader(name).read_records(_watched(records, name, transcript), transcript)


def _watched(records: _Records, name: str, transcript: Transcript) -> Iterator[dict[str, object]]:
    """The records; says on the way whether one of them is of the format. Agents' own take bare messages, too."""
    rest = iter(records)
    known = (_reader(name).detects, _reader("messages").detects)
    for record in rest:
        transcript.is_foreign = not any(detects(record) for detects in known)
        yield record
        if not transcript.is_foreign:
            break
        del record
    yield from rest


def _reader(name: str) -> Any:
    """The module that reads a format: a hook knows its agent, and loads no other's."""
    return import_module(f"memsite.capture.{name.replace('-', '_')}")


def _detect(records: _Records, transcript: Transcript) -> tuple[str, _Records]:
    """The format of the first record that has one. Those before it carry no message in any format."""
    rest = iter(records)
    for record in rest:
        transcript.is_foreign = True
        for name in _DETECTED:
            if _reader(name).detects(record):
                return name, chain([record], rest)
    return "messages", ()


def _line_records(lines: Iterable[bytes | None], transcript: Transcript) -> Iterator[dict[str, object]]:
    for line in lines:
        if line is None or not is_blank(line):
            yield from _record(line, transcript)


def _document_records(pieces: Iterable[bytes | None], transcript: Transcript) -> Iterator[dict[str, object]]:
    document = Document()
    for element in document.elements(pieces):
        yield from _record(element, transcript)
    shell = parse_record(bytes(document.shell))
    if shell is not None and document.found_list:
        _reader("openclaw").read_event_fields(shell, transcript)
    elif not document.found_list:
        yield from _record(bytes(document.shell), transcript)


def _record(line: bytes | None, transcript: Transcript) -> Iterator[dict[str, object]]:
    record = parse_record(line)
    if record is None:
        transcript.skipped += 1
    else:
        yield record
