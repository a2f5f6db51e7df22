"""Codex's transcripts: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime

from memsite.capture.fields import read_table, read_text, read_texts, read_time
from memsite.capture.message import Message, Role, Transcript
from memsite.capture.messages import read_message
from memsite.patterns import late

AGENT = "codex"
_KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_SPOKEN_EVENTS = {"user_message": "user", "agent_message": "assistant"}
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"})
_PICTURE_TAG = late(r"<image[^>\n]{0,200}>|</image>")
_TWIN_WINDOW = 64
"""How many messages apart the two appearances of one may be; they are neighbours in every real file."""


def detects(record: dict[str, object]) -> bool:
    """Whether this line is Codex's."""
    return read_text(record.get("type")) in _KINDS and isinstance(record.get("payload"), dict)


def read_records(records: Iterable[dict[str, object]], transcript: Transcript) -> Iterator[Message]:
    """The messages of a rollout. What appears as `response_item` and as `event_msg` comes once, at its first place."""
    twins = _Twins()
    for record in records:
        kind = read_text(record.get("type"))
        if kind in _KINDS:
            yield from (
                message for message in _read_line(kind, record, transcript) if not twins.has_come(kind, message)
            )
        del record


def _read_line(kind: str, record: dict[str, object], transcript: Transcript) -> Iterator[Message]:
    payload = record.get("payload")
    if isinstance(payload, dict):
        yield from _read_payload(kind, payload, read_time(record.get("timestamp")), transcript)
    else:
        transcript.skipped += 1


def _read_payload(
    kind: str, payload: dict[str, object], at: datetime | None, transcript: Transcript
) -> Iterator[Message]:
    inner = read_text(payload.get("type"))
    if kind in {"session_meta", "turn_context"}:
        _read_header(payload, transcript)
    elif kind == "compacted":
        yield Message(Role.SYSTEM, read_text(payload.get("message")), at)
    elif kind == "event_msg" and inner in _SPOKEN_EVENTS:
        body: dict[str, object] = {"role": _SPOKEN_EVENTS[inner], "content": payload.get("message")}
        yield from read_message(body, transcript, at=at, message_id="")
    elif kind == "response_item" and inner == "message":
        yield from read_message(payload, transcript, at=at, message_id=read_text(payload.get("id")))
    elif kind == "response_item" and inner in _OUTPUTS:
        yield Message(Role.TOOL, _output(payload.get("output")), at, read_text(payload.get("call_id")))


def _read_header(payload: dict[str, object], transcript: Transcript) -> None:
    transcript.session_id = transcript.session_id or read_text(payload.get("id"))
    transcript.cwd = transcript.cwd or read_text(payload.get("cwd"))
    transcript.started = transcript.started or read_time(payload.get("timestamp"))
    if "subagent" in read_table(payload.get("source")):
        transcript.is_subagent = True


def _output(value: object) -> str:
    return "\n".join(read_texts(value)) or read_text(read_table(value).get("content"))


class _Twins:
    """Remembers the last messages of each kind of line until their counterpart of the other kind has come."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Role, int]] = deque(maxlen=_TWIN_WINDOW)

    def has_come(self, kind: str, message: Message) -> bool:
        """Whether the same words came in a line of the other kind. The same kind twice is a person who repeats it."""
        if kind not in {"response_item", "event_msg"} or message.role is Role.TOOL:
            return False
        words = hash(_PICTURE_TAG.sub("", message.text).strip())
        other = "event_msg" if kind == "response_item" else "response_item"
        if (other, message.role, words) in self._waiting:
            self._waiting.remove((other, message.role, words))
            return True
        self._waiting.append((kind, message.role, words))
        return False
