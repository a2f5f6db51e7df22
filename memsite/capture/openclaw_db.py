"""OpenClaw's transcripts since 2026.8: rows of `agents/<agent>/agent/openclaw-agent.sqlite`, only ever read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsite.capture.lines import MAX_LINE_BYTES
from memsite.capture.message import Transcript
from memsite.capture.readers import read_transcript
from memsite.errors import FormatError

if TYPE_CHECKING:
    from sqlite3 import Connection

TABLE = "transcript_events"
_PARENTS = ("sessions", "session_windows")


def open_database(path: Path) -> Connection:
    """Open for reading: nothing is created, no journal is rolled back, OpenClaw may go on writing beside it.

    Raises FormatError when the file is none of its databases. The caller closes the connection.
    """
    import sqlite3  # needed for this one format alone

    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        raise FormatError(
            f"cannot be opened: {error}", where=path, hint="check the path and its permissions"
        ) from error
    connection.text_factory = bytes  # a broken text then costs one row, not the session
    try:
        connection.execute(f"SELECT session_id, seq, event_json FROM {TABLE} LIMIT 1")  # noqa: S608 - a constant
    except sqlite3.Error as error:
        connection.close()
        raise FormatError(
            f"is no OpenClaw transcript database: {error}", where=path, hint="look for openclaw-agent.sqlite"
        ) from error
    return connection


def session_ids(connection: Connection) -> tuple[str, ...]:
    """The sessions of the database, in the order in which they were first written."""
    rows = connection.execute(f"SELECT session_id FROM {TABLE} GROUP BY session_id ORDER BY MIN(rowid)")  # noqa: S608 - a constant
    return tuple(_decode(row[0]) for row in rows)


def read_session(connection: Connection, session_id: str) -> Transcript:
    """The transcript of one session, streamed row by row in the order of `seq`; its session key, where the database has
    it, is known from the start."""
    transcript = read_transcript(_events(connection, session_id), format="openclaw")
    transcript.session_id = session_id
    transcript.session_key = _session_key(connection, session_id)
    return transcript


def _events(connection: Connection, session_id: str) -> Iterator[bytes | None]:
    query = (
        f"SELECT CASE WHEN length(CAST(event_json AS BLOB)) <= ? THEN event_json END FROM {TABLE} "  # noqa: S608 - a constant
        "WHERE session_id = ? ORDER BY seq"
    )
    for (event,) in connection.execute(query, (MAX_LINE_BYTES, session_id)):
        yield event.encode("utf-8", "surrogatepass") if isinstance(event, str) else event


def _session_key(connection: Connection, session_id: str) -> str:
    for table in _PARENTS:
        columns = {_decode(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
        if {"session_id", "session_key"} <= columns:
            query = f"SELECT session_key FROM {table} WHERE session_id = ?"  # noqa: S608 - two constants
            row = connection.execute(query, (session_id,)).fetchone()
            if row and row[0]:
                return _decode(row[0])
    return ""


def _decode(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
