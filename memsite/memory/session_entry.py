"""A session in its log. Apart from the rest of the model: logging one, after each turn of an agent, needs no more."""

from __future__ import annotations

from datetime import date, time
from pathlib import PurePosixPath

from memsite.memory.later import Later
from memsite.memory.snapshot import Blob
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """One session in a session log."""

    time: time
    topic: str
    user_messages: int = 0
    assistant_messages: int = 0
    tokens: int = 0
    """Estimated, by the seed's rule."""
    session_id: str = ""
    """Empty in logs of the seed's plugin."""
    agent: str = ""
    project: str = ""
    has_messages: bool = True
    """Whether its messages are known: a person's entry may not say how many there were."""
    has_tokens: bool = True
    first_line: int = 0
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class SessionLog(Later):
    """`sessions/YYYY-MM-DD.md`."""

    day: date
    path: PurePosixPath
    blob: Blob
    entries: tuple[SessionEntry, ...] = ()
