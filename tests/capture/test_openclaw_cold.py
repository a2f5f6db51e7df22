"""Transcripts that OpenClaw has packed away."""

from __future__ import annotations

import io
import json

import zstandard

from memsite.capture.openclaw_cold import iter_packed_lines
from memsite.capture.readers import read_transcript

EVENTS: list[dict[str, object]] = [
    {"type": "session", "version": 4, "id": "o1", "timestamp": "2026-04-09T06:48:00Z", "cwd": "/home/ada/w"},
    {"type": "message", "id": "1", "message": {"role": "user", "content": "Which framework for the blog?"}},
    {"type": "message", "id": "2", "message": {"role": "assistant", "content": "Next.js"}},
]
ROWS: list[dict[str, object]] = [
    {"kind": "event", "row": {"seq": seq, "event_json": json.dumps(one)}} for seq, one in enumerate(EVENTS)
]
COLD: list[dict[str, object]] = [
    {"kind": "header", "version": 1, "sessionId": "o1"},
    *ROWS,
    {"kind": "identity", "row": {"event_id": "1", "seq": 1}},
    {"kind": "fts", "row": {"text": "Which framework for the blog?"}},
]


def packed(records: list[dict[str, object]]) -> bytes:
    return zstandard.ZstdCompressor().compress("".join(json.dumps(one) + "\n" for one in records).encode())


def texts(data: bytes) -> tuple[list[str], int, str]:
    transcript = read_transcript(iter_packed_lines(io.BytesIO(data)), "openclaw")
    return [message.text for message in transcript], transcript.skipped, transcript.session_id


def test_a_cold_archive_gives_its_events_alone() -> None:
    assert texts(packed(COLD)) == (["Which framework for the blog?", "Next.js"], 0, "o1")


def test_a_packed_transcript_is_read_as_it_was() -> None:
    assert texts(packed(EVENTS)) == (["Which framework for the blog?", "Next.js"], 0, "o1")


def test_what_is_broken_is_counted() -> None:
    assert texts(b"no frame at all") == ([], 1, "")
    assert texts(packed([{"kind": "event", "row": {"event_json": None}}, *EVENTS]))[1] == 1
    whole = packed([{"type": "message", "message": {"role": "user", "content": str(at)}} for at in range(50_000)])
    read, skipped, _ = texts(whole[: len(whole) // 2])
    assert 0 < len(read) < 50_000
    assert skipped <= 2
