"""What every agent's transcript is read into: messages, and what the transcript says about its session."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum

from memsite.values import dataclass


class Role(StrEnum):
    """Who speaks. What a harness puts into the user's mouth (reminders, metadata, summaries) is `system`."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Message:
    """One message, or one part of one: parts of the same message carry the same id."""

    role: Role
    text: str
    """As in the transcript, without unpaired surrogates; the texts of several blocks are joined by line ends."""
    at: datetime | None = None
    """Aware, UTC; None where the transcript gives no time."""
    id: str = ""
    """The agent's own; empty where there is none."""
    is_prompt: bool = False
    """A person wrote it. A user message that is none opened a turn by itself: cron, heartbeat, a system event."""


@dataclass(slots=True)
class Transcript:
    """A transcript being read. Its messages come once, in order, and everything else is complete only after the last
    of them: not frozen, because a transcript larger than the memory can be described only while it passes by."""

    messages: Iterator[Message]
    agent: str = ""
    """`claude-code`, `openclaw`, `codex`; empty for a bare list of messages."""
    session_id: str = ""
    session_key: str = ""
    """OpenClaw's `agent:<id>:…`; set by the caller where only `sessions.json` knows it."""
    trigger: str = ""
    """OpenClaw's word for what started the turn: user, heartbeat, cron, memory…"""
    cwd: str = ""
    """The agent's working folder, as the transcript has it."""
    started: datetime | None = None
    """The time in the session's header, for transcripts whose messages have none."""
    is_subagent: bool = False
    """The whole file is the conversation of an agent with its subagent."""
    skipped: int = 0
    """Lines and messages that could not be read. Unknown kinds of lines are not among them."""
    is_foreign: bool = False
    """It has records, and none that an agent would have written: it is no transcript."""

    def __iter__(self) -> Iterator[Message]:
        return self.messages


# Readers end the body of their loops with `del`: a record may be 16 MB, as text four times that, and a loop's variable
# would keep it while the next one is read.
