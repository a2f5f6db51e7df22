"""OpenClaw's hooks, as its plugin hands them over: `{event, ctx, config}` on standard input."""

from __future__ import annotations

import json
from pathlib import Path

from memsite.capture.fields import read_table, read_text
from memsite.capture.message import Transcript
from memsite.capture.readers import read_transcript
from memsite.capture.session import summarize_session
from memsite.cli.agents import read_event, settle_later, text_of
from memsite.cli.claude_code_events import LOCK_WAIT
from memsite.cli.context import Context
from memsite.cli.recording import record_entry, safe_entry
from memsite.config import Config
from memsite.safety.terminal import json_for_terminal
from memsite.values import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SUMMARY_ROLE = "compactionSummary"
"""The role of the first message of a session that was compacted."""


def agent_end(context: Context, agent: str, _event: str) -> None:
    """A turn has ended: log the session, which comes whole each time, or after a compaction what is left of it."""
    payload = read_event(context)
    context = _with_settings(context, payload)
    try:
        if context.workspace.config.session_logging:
            _log_session(context, payload)
    finally:
        settle_later(context, agent)


def session_end(context: Context, agent: str, _event: str) -> None:
    """Its last turn is logged already."""
    settle_later(context, agent)


def before_prompt_build(context: Context, _agent: str, _event: str) -> None:
    """The first prompt after a compaction: give back the current state and the protected exchanges."""
    from memsite.agents.context import after_compaction

    payload = read_event(context)
    context = _with_settings(context, payload)
    count = context.workspace.config.tail_protect_count
    text = after_compaction(context.workspace, _whole_session(context, payload) or _from_event(payload), count)
    if text:
        context.output.stream.write(json_for_terminal({"prependContext": text}) + "\n")


def sessions(context: Context, _agent: str, _event: str) -> None:
    """`/mc sessions [DATE]`: the answer is plain text."""
    from memsite.cli.sessions import answer_sessions

    payload = read_event(context)
    words = text_of(payload, "args").split()
    answer_sessions(context, next((word for word in words if word[:1].isdigit()), None))


def _with_settings(context: Context, payload: dict[str, Any]) -> Context:
    """The workspace's settings, with those of the plugin (the seed's names) on top where they are set."""
    table = read_table(payload.get("config"))
    config = context.workspace.config
    logging, count, patterns = (table.get(key) for key in ("sessionLogging", "tailProtectCount", "ignorePatterns"))
    if isinstance(logging, bool):
        config = replace(config, session_logging=logging)
    if isinstance(count, int) and not isinstance(count, bool) and count >= 0:
        config = replace(config, tail_protect_count=count)
    if isinstance(patterns, list):
        config = replace(config, ignore_patterns=(*config.ignore_patterns, *filter(None, map(read_text, patterns))))
    return replace(context, opened=replace(context.workspace, config=config))


def _log_session(context: Context, payload: dict[str, Any]) -> None:
    config: Config = context.workspace.config
    is_part = _is_compacted(payload)
    whole = _whole_session(context, payload) if is_part else None
    transcript = whole or _from_event(payload)
    transcript.trigger = transcript.trigger or read_text(read_table(payload.get("ctx")).get("trigger"))
    summary = summarize_session(
        transcript,
        config=config,
        zone=config.zone(),
        fallback=context.now,
        session_id=_session_id(payload) or None,
    )
    if not summary.noise:
        entry = safe_entry(context, summary)
        record_entry(context, summary.day, entry, is_part=is_part, keeps_most=True, wait=LOCK_WAIT)
    for error in summary.pattern_errors[:1]:
        raise error


def _messages(payload: dict[str, Any]) -> list[object]:
    messages = read_table(payload.get("event")).get("messages")
    return messages if isinstance(messages, list) else []


def _is_compacted(payload: dict[str, Any]) -> bool:
    return any(read_table(message).get("role") == _SUMMARY_ROLE for message in _messages(payload))


def _session_id(payload: dict[str, Any]) -> str:
    return read_text(read_table(payload.get("ctx")).get("sessionId"))


def _from_event(payload: dict[str, Any]) -> Transcript:
    known = {"messages": _messages(payload), "ctx": payload.get("ctx"), "success": True}
    return read_transcript([json.dumps(known).encode()], "openclaw")


def _whole_session(context: Context, payload: dict[str, Any]) -> Transcript | None:
    """The session as OpenClaw keeps it, with what the compaction took away; None where it cannot be found."""
    from memsite.agents.transcripts import openclaw_session

    ctx = read_table(payload.get("ctx"))
    state = Path(read_text(payload.get("stateDir")) or context.environ.get("OPENCLAW_STATE_DIR", "") or _home(context))
    return openclaw_session(state, read_text(ctx.get("agentId")) or "main", _session_id(payload))


def _home(context: Context) -> Path:
    return Path(context.environ.get("HOME", "~")).expanduser() / ".openclaw"
