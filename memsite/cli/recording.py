"""A session's entry on its way into the log, for every command that has one: `log`, `agent`, `import`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memsite.capture.session import SessionSummary
from memsite.cli.context import Context
from memsite.memory.changeset import Changeset
from memsite.memory.names import session_log_path
from memsite.memory.session_entry import SessionEntry
from memsite.memory.session_log import parse_session_log, plan_session_entry, quote_id
from memsite.memory.snapshot import Blob

if TYPE_CHECKING:
    from memsite.repo.transaction import Committed, Reader

FOLLOWED_DAYS = 7
"""How far back a session that goes on is looked for."""


def safe_entry(context: Context, summary: SessionSummary, *, with_project: bool = False) -> SessionEntry:
    """The entry as it may be written: secrets out; with the project's name when the agent worked elsewhere."""
    project = ""
    if with_project and summary.cwd and not is_inside(summary.cwd, str(context.workspace.root)):
        project = context.redact(summary.project)
    topic, session_id = context.redact(summary.entry.topic), context.redact(summary.entry.session_id)
    return replace(summary.entry, topic=topic, session_id=session_id, project=project)


def is_inside(folder: str, root: str) -> bool:
    """Whether an agent's working folder is the workspace or below it."""
    return folder == root or folder.startswith(root.rstrip("/") + "/")


def record_entry(
    context: Context, day: date, entry: SessionEntry, *, is_part: bool = False, wait: float | None = None
) -> tuple[Committed, ...]:
    """Log one session, committed. Raises PendingError when it is recorded but not committed yet.

    `is_part`: the transcript has lost its beginning, so what the entry has already is not made less. `wait`: seconds to
    wait for other writers.
    """
    from memsite.repo.lock import WAIT
    from memsite.repo.transaction import transact  # reading commands do not pay for it

    memory = context.workspace.config.memory

    def plan(reader: Reader) -> Iterator[Changeset]:
        path, logged, known = _find_logged(reader, memory, day, entry.session_id)
        wanted = _united(known, entry) if known and is_part else entry
        yield plan_session_entry(reader.read(path), path, logged, wanted)

    return transact(
        context.workspace, lambda reader: tuple(plan(reader)), now=context.now, wait=WAIT if wait is None else wait
    )


def _find_logged(
    reader: Reader, memory: PurePosixPath, day: date, session_id: str
) -> tuple[PurePosixPath, date, SessionEntry | None]:
    """The log that has the session already; a transcript without timestamps would move to the next day at midnight."""
    for past in map(date.fromordinal, range(day.toordinal(), max(0, day.toordinal() - FOLLOWED_DAYS - 1), -1)):
        path = session_log_path(memory, past)
        data = reader.read(path) if session_id else None
        if data and quote_id(session_id).encode() in data:
            entries = parse_session_log(path, past, Blob("", data)).entries
            if known := next((one for one in entries if one.session_id == session_id), None):
                return path, past, known
    return session_log_path(memory, day), day, None


def _united(known: SessionEntry, part: SessionEntry) -> SessionEntry:
    return replace(
        part,
        topic=known.topic or part.topic,
        user_messages=max(known.user_messages, part.user_messages),
        assistant_messages=max(known.assistant_messages, part.assistant_messages),
        tokens=max(known.tokens, part.tokens),
    )
