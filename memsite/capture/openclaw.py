"""OpenClaw's transcripts: `~/.openclaw/agents/<agent>/sessions/<session>.jsonl`, the same events as rows of its
database (`openclaw_db`), and the `agent_end` event of its plugins, which carries the whole session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memsite.capture.fields import read_table, read_text, read_time
from memsite.capture.message import Message, Transcript
from memsite.capture.messages import read_message, read_role

AGENT = "openclaw"
_KINDS = frozenset({"session", "model_change", "thinking_level_change", "custom", "compaction"})
_MIRROR = ("openclaw", "delivery-mirror")
"""Provider and model of rows that repeat the preceding assistant text."""
_EVENT_KEYS = frozenset({"event", "ctx", "context", "success", "runId", "sessionKey", "sessionId", "agentId"})


def detects(record: dict[str, object]) -> bool:
    """Whether this line is OpenClaw's."""
    kind = read_text(record.get("type"))
    return kind in _KINDS or (kind == "message" and isinstance(record.get("message"), dict))


def read_records(records: Iterable[dict[str, object]], transcript: Transcript) -> Iterator[Message]:
    """The messages of transcript lines, or of the bare messages of an event."""
    for record in records:
        kind = read_text(record.get("type"))
        if kind == "session":
            _read_header(record, transcript)
        elif kind == "message":
            yield from _read_line(record, transcript)
        elif read_role(record):
            yield from _read_body(record, record, transcript)
        del record


def _read_header(record: dict[str, object], transcript: Transcript) -> None:
    transcript.session_id = transcript.session_id or read_text(record.get("id"))
    transcript.cwd = transcript.cwd or read_text(record.get("cwd"))
    transcript.started = transcript.started or read_time(record.get("timestamp"))


def _read_line(record: dict[str, object], transcript: Transcript) -> Iterator[Message]:
    body = record.get("message")
    if isinstance(body, dict):
        yield from _read_body(body, record, transcript)
    else:
        transcript.skipped += 1


def _read_body(body: dict[str, object], record: dict[str, object], transcript: Transcript) -> Iterator[Message]:
    if (body.get("provider"), body.get("model")) == _MIRROR:
        return
    at = read_time(record.get("timestamp")) or read_time(body.get("timestamp"))
    yield from read_message(body, transcript, at=at, message_id=read_text(record.get("id")))


def read_event_fields(shell: dict[str, object], transcript: Transcript) -> None:
    """What an event says beside its messages: `{messages, success, …}` with the context flat, under `ctx` or `context`,
    and both possibly one level down (`{event, ctx}`). An object with messages that has none of it is no event."""
    if not _EVENT_KEYS.isdisjoint(shell):
        transcript.agent = AGENT
    tables = [shell, *(read_table(shell.get(key)) for key in ("ctx", "context", "event"))]

    def first(key: str) -> str:
        return next((text for table in tables if (text := read_text(table.get(key)))), "")

    transcript.session_id = transcript.session_id or first("sessionId")
    transcript.session_key = transcript.session_key or first("sessionKey")
    transcript.cwd = transcript.cwd or first("workspaceDir")
    transcript.trigger = transcript.trigger or first("trigger") or ("cron" if first("jobId") else "")
