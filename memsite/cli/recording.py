"""A session's entry on its way into the log, for every command that has one: `log`, `agent`, `import`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path, PurePosixPath

from memsite.capture.session import SessionSummary
from memsite.cli.context import Context
from memsite.errors import FormatError
from memsite.memory.changeset import Changeset
from memsite.memory.names import parse_day_name, session_log_path
from memsite.memory.session_entry import SessionEntry
from memsite.memory.session_log import parse_session_log, plan_session_entry, quote_id
from memsite.memory.snapshot import Blob
from memsite.values import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memsite.capture.message import Transcript
    from memsite.repo.transaction import Committed, Reader
    from memsite.repo.workspace import Workspace

FOLLOWED_DAYS = 7
"""How far back a session that goes on is looked for first."""
SEARCHED_LOGS = 400
"""So many logs, newest first, are searched for a session that is in none of these days: 10 ms for all of them."""


def under_hooks_id(summary: SessionSummary, claude_id: str) -> SessionSummary:
    """A session of Claude Code under the id that its file's name says, which is the one that hooks are told."""
    if not claude_id:
        return summary
    from memsite.capture.claude_code import AGENT  # only the name of a file says one

    if summary.agent != AGENT:
        return summary
    return replace(summary, entry=replace(summary.entry, session_id=claude_id))


def refuse_unread(transcript: Transcript, where: str, format: str) -> None:
    """Raise FormatError where a transcript without a message, read to its end, is broken or none of the `format`."""
    if transcript.skipped or transcript.is_foreign:
        forms = "a transcript of Claude Code, OpenClaw or Codex, or a JSON list of {role, content}"
        hint = f"give {forms}" if format == "auto" else f"it is not {format}: leave out --format, or give {forms}"
        raise FormatError("no message could be read", where=where, hint=hint)


def safe_entry(context: Context, summary: SessionSummary) -> SessionEntry:
    """The entry as it may be written: secrets out; with the project's name when the agent worked elsewhere."""
    elsewhere = summary.cwd and not is_inside(summary.cwd, str(context.workspace.root))
    project = context.redact(summary.project) if elsewhere else ""
    topic, session_id = context.redact(summary.entry.topic), context.redact(summary.entry.session_id)
    return replace(summary.entry, topic=topic, session_id=session_id, project=project)


def expanded(text: str) -> Path:
    """A path with its `~`; as it stands when it names a user that this machine does not have."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_inside(folder: str, root: str) -> bool:
    """Whether an agent's working folder is the workspace or below it."""
    return folder == root or folder.startswith(root.rstrip("/") + "/")


def record_entry(
    context: Context,
    day: date,
    entry: SessionEntry,
    *,
    is_part: bool = False,
    keeps_most: bool = False,
    wait: float | None = None,
) -> tuple[Committed, ...]:
    """Log one session, committed. Raises PendingError when it is recorded but not committed yet.

    `is_part`: the transcript has lost its beginning, so what the entry has already is not made less. `keeps_most`: it
    may have (what agents tell), which shows in counts that would go down. `wait`: seconds to wait for other writers.
    """

    def plan(reader: Reader) -> Iterator[Changeset]:
        path, logged, known = _find_logged(reader, context.workspace, day, entry.session_id)
        wanted = united(known, entry, is_part=is_part) if known and (is_part or keeps_most) else entry
        yield plan_session_entry(reader.read(path), path, logged, wanted)

    return context.write(lambda reader: tuple(plan(reader)), wait=wait)


def united(known: SessionEntry, entry: SessionEntry, *, is_part: bool = False) -> SessionEntry:
    """The entry with no count below that of the one which is known; from a transcript that has lost its beginning, the
    topic is the known one too."""
    is_part = is_part or _size(entry) < _size(known)
    return replace(
        entry,
        topic=known.topic if is_part and known.topic else entry.topic,
        user_messages=max(known.user_messages, entry.user_messages),
        assistant_messages=max(known.assistant_messages, entry.assistant_messages),
        tokens=max(known.tokens, entry.tokens),
    )


def _size(entry: SessionEntry) -> int:
    return entry.user_messages + entry.assistant_messages


def _find_logged(
    reader: Reader, workspace: Workspace, day: date, session_id: str
) -> tuple[PurePosixPath, date, SessionEntry | None]:
    """The log that has the session already.

    A transcript without timestamps would move to the next day at midnight, and one whose beginning is lost later still;
    one day ahead, the session was logged in another time zone or before an earlier message of it was known.
    """
    memory = workspace.config.memory
    for other in _candidates(workspace, day, session_id) if session_id else ():
        path = session_log_path(memory, other)
        data = reader.read(path)
        if data and quote_id(session_id).encode() in data:
            entries = parse_session_log(path, other, Blob("", data)).entries
            if known := next((one for one in entries if one.session_id == session_id), None):
                return path, other, known
    return session_log_path(memory, day), day, None


def _candidates(workspace: Workspace, day: date, session_id: str) -> Iterator[date]:
    first = day.toordinal()
    near = [number for number in (first, first + 1, *range(first - 1, first - FOLLOWED_DAYS - 1, -1)) if number > 0]
    yield from map(date.fromordinal, near)
    for other in _days_with(workspace.root / workspace.config.memory / "sessions", quote_id(session_id).encode()):
        if other.toordinal() not in near:
            yield other


def _days_with(folder: Path, wanted: bytes) -> Iterator[date]:
    """The days whose logs have these bytes, newest first; links are passed over."""
    with suppress(OSError):
        for name in sorted(os.listdir(folder), reverse=True)[:SEARCHED_LOGS]:  # noqa: PTH208 - names alone are faster
            parsed = parse_day_name(name)
            if parsed and not parsed[1] and wanted in _peek(folder / name):
                yield parsed[0]


def _peek(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            return stream.read()
    except OSError:
        return b""
