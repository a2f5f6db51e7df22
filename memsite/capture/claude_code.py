"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memsite.capture.fields import read_table, read_text, read_texts, read_time
from memsite.capture.message import Message, Role, Transcript
from memsite.capture.messages import read_message
from memsite.patterns import late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import PurePath

AGENT = "claude-code"
PROJECTS = "projects"
"""In Claude Code's folder: the transcripts, in one folder for each folder that it works in."""
_UUID = late(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_CONVERSATION = frozenset({"user", "assistant"})
_OTHER_KINDS = frozenset(
    {"progress", "summary", "file-history-snapshot", "queue-operation", "attachment", "last-prompt"}
    | {"ai-title", "custom-title", "agent-name", "pr-link"}
)
_INSERTED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_SYNTHETIC_MODEL = "<synthetic>"
"""The model of messages that the program writes itself, such as an API error."""


def session_of_file(path: PurePath) -> str:
    """The id of the session whose transcript an absolute path is, as hooks are told it; empty for a copy.

    A UUID is such a name, and any name where Claude Code keeps transcripts. The lines of a session that was resumed
    keep its former id.
    """
    is_named = _UUID.fullmatch(path.stem) is not None or path.parent.parent.name == PROJECTS
    return path.stem if path.suffix == ".jsonl" and is_named else ""


def detects(record: dict[str, object]) -> bool:
    """Whether this line is Claude Code's."""
    kind = read_text(record.get("type"))
    if kind in _CONVERSATION:
        return "message" in record
    is_unknown = kind != "" and "sessionId" in record and "role" not in record  # kinds come with its versions
    return kind in _OTHER_KINDS or is_unknown


def read_records(records: Iterable[dict[str, object]], transcript: Transcript) -> Iterator[Message]:
    """The messages of the main conversation. Lines of a side chain are another agent's conversation; a file whose first
    line of conversation is one is a subagent's."""
    has_main = False
    for record in records:
        transcript.session_id = transcript.session_id or read_text(record.get("sessionId"))
        transcript.cwd = transcript.cwd or read_text(record.get("cwd"))
        if read_text(record.get("type")) in _CONVERSATION:
            is_side = record.get("isSidechain") is True
            has_main = has_main or not is_side
            transcript.is_subagent = not has_main
            yield from () if is_side else _read_conversation(record, transcript)
        del record


def _read_conversation(record: dict[str, object], transcript: Transcript) -> Iterator[Message]:
    body = read_table(record.get("message"))
    if not body:
        transcript.skipped += 1
        return
    at = read_time(record.get("timestamp"))
    message_id = read_text(body.get("id")) or read_text(record.get("uuid"))
    inserted = any(record.get(flag) is True for flag in _INSERTED) or body.get("model") == _SYNTHETIC_MODEL
    if inserted:
        yield Message(Role.SYSTEM, "\n".join(read_texts(body.get("content"))), at, message_id)
    else:
        yield from read_message({"role": record.get("type"), **body}, transcript, at=at, message_id=message_id)
