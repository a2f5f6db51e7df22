"""Claude Code's hooks: SessionStart, Stop, PreCompact, SessionEnd. The event is JSON on standard input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

from memsite.capture.lines import iter_lines
from memsite.capture.message import Message, Role
from memsite.capture.readers import read_transcript
from memsite.capture.session import summarize_session
from memsite.cli.agents import read_event, settle_later, text_of
from memsite.cli.context import Context
from memsite.cli.recording import expanded, record_entry, safe_entry
from memsite.errors import MemsiteError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOCK_WAIT = 5.0
"""Seconds that a hook waits for another memsite before it leaves the entry to the next run."""
TRANSCRIPT_WAIT = 1.0
"""Seconds. Claude Code writes a session's transcript only while its first Stop hooks run already: measured, 35 to 44 ms
after ours looks for it."""
_PAUSE = 0.01
_ENDED = frozenset({"SessionEnd", "PreCompact"})
"""Hooks that also run for a session in which nothing was said, and which has no transcript."""


def session_goes_on(context: Context, agent: str, _event: str) -> None:
    """Log the session from its transcript: committed when this returns. The rest follows in a detached process."""
    event = read_event(context)
    try:
        if context.workspace.config.session_logging:
            _log_session(context, event)
    finally:
        settle_later(context, agent)


def _log_session(context: Context, event: dict[str, Any]) -> None:
    path = _transcript_path(event)
    may_come = text_of(event, "hook_event_name") not in _ENDED
    if path is None or not (path.is_file() or (may_come and _comes(path))):
        if path and may_come:
            raise MemsiteError("there is no such transcript", where=path)
        return
    config = context.workspace.config
    with path.open("rb") as stream:
        transcript = read_transcript(iter_lines(stream), "claude-code")
        transcript.cwd = text_of(event, "cwd")
        transcript.messages = _with_last_reply(transcript.messages, text_of(event, "last_assistant_message"))
        summary = summarize_session(
            transcript,
            config=config,
            zone=config.zone(),
            fallback=context.now,
            session_id=text_of(event, "session_id") or None,
        )
    if not summary.noise:
        entry = safe_entry(context, summary)
        record_entry(context, summary.day, entry, keeps_most=True, wait=LOCK_WAIT)
    for error in summary.pattern_errors[:1]:
        raise error


def _comes(path: Path) -> bool:
    end = monotonic() + TRANSCRIPT_WAIT
    while monotonic() < end:
        sleep(_PAUSE)
        if path.is_file():
            return True
    return False


def _with_last_reply(messages: Iterator[Message], reply: str) -> Iterator[Message]:
    """The transcript may lag: at Stop, the reply that was just given comes with the event."""
    last = ""
    for message in messages:
        if message.role is Role.ASSISTANT:
            last = message.text or last
        elif message.is_prompt:
            last = ""
        yield message
        del message
    if reply.strip() and last.strip() != reply.strip():
        yield Message(Role.ASSISTANT, reply)


def session_start(context: Context, _agent: str, _event: str) -> None:
    """What the session begins with: after a compaction what must survive it, else what the last review proposes."""
    event = read_event(context)
    if text_of(event, "source") == "compact":
        _tell_what_survives(context, event)
    else:
        _tell_proposals(context)


def _tell_what_survives(context: Context, event: dict[str, Any]) -> None:
    from memsite.agents.context import after_compaction

    path = _transcript_path(event)
    count = context.workspace.config.tail_protect_count
    if path is None or not path.is_file():
        text = after_compaction(context.workspace, None, count)
    else:
        with path.open("rb") as stream:
            text = after_compaction(context.workspace, read_transcript(iter_lines(stream), "claude-code"), count)
    if text:
        context.output.line(text)


def _tell_proposals(context: Context) -> None:
    from memsite.agents.kept_review import describe, open_items, read_kept_review
    from memsite.memory.index import parse_index
    from memsite.memory.snapshot import Blob
    from memsite.repo.hidden import read_current_file

    workspace = context.workspace
    kept = read_kept_review(workspace.require_repository())
    if kept is None:
        return
    data = read_current_file(workspace, workspace.config.index_path)
    index = parse_index(None if data is None else Blob("", data), workspace.config.index_path, workspace.config)
    for line in describe(kept, open_items(kept, index.entries), command_for(context)):
        context.output.line(line)


def command_for(context: Context) -> str:
    """How an agent calls memsite for this memory, from whatever folder it works in."""
    import shlex

    from memsite.cli.program import program_path

    return shlex.join([str(program_path()), "-C", str(context.workspace.root)])


def _transcript_path(event: dict[str, Any]) -> Path | None:
    text = text_of(event, "transcript_path")
    return expanded(text) if text and "\0" not in text else None
