"""OpenClaw's transcripts since 2026.8: rows of `agents/<agent>/agent/openclaw-agent.sqlite`, only ever read.

Since 2026.9 a long event is kept compressed beside the short ones, and a session that was reset or deleted as a whole
file in a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsite.capture.lines import MAX_LINE_BYTES, iter_lines
from memsite.capture.message import Transcript
from memsite.capture.readers import read_transcript
from memsite.errors import FormatError

if TYPE_CHECKING:
    from sqlite3 import Connection

TABLE = "transcript_events"
ARCHIVES = "session_transcript_archives"
_COMPRESSED = "event_zstd"
_MOST_ARCHIVE_BYTES = 256 * 1024 * 1024
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


def count_archives(connection: Connection) -> int:
    """How many sessions were reset or deleted, and are kept as a whole."""
    if not {"session_id", "session_key", "encoding", "archive_blob"} <= _columns(connection, ARCHIVES):
        return 0
    (number,) = connection.execute(f"SELECT COUNT(*) FROM {ARCHIVES}").fetchone()  # noqa: S608 - a constant
    return int(number)


def read_archive(connection: Connection, position: int) -> Transcript:
    """One of them, in the order in which they were written. One that cannot be expanded has no message, and is counted
    as skipped. Raises FormatError when there is none of that position."""
    query = f"SELECT session_id, session_key, encoding, archive_blob FROM {ARCHIVES} ORDER BY rowid LIMIT 1 OFFSET ?"  # noqa: S608 - a constant
    row = connection.execute(query, (position,)).fetchone()
    if row is None:
        raise FormatError(f"there is no archived session {position}", hint="run it again")
    session_id, session_key, encoding, blob = row
    data = _expand(blob, _MOST_ARCHIVE_BYTES) if _decode(encoding) == "zstd" else blob
    lines: Iterator[bytes | None] = iter_lines(BytesIO(data)) if isinstance(data, bytes) else iter([None])
    transcript = read_transcript(lines, format="openclaw")
    transcript.session_id, transcript.session_key = _decode(session_id), _decode(session_key)
    return transcript


def _events(connection: Connection, session_id: str) -> Iterator[bytes | None]:
    compressed = _COMPRESSED if _COMPRESSED in _columns(connection, TABLE) else "NULL"
    query = (
        f"SELECT CASE WHEN length(CAST(event_json AS BLOB)) <= ? THEN event_json END, {compressed} "  # noqa: S608 - constants
        f"FROM {TABLE} WHERE session_id = ? ORDER BY seq"
    )
    for event, packed in connection.execute(query, (MAX_LINE_BYTES, session_id)):
        if event is None and isinstance(packed, bytes):
            yield _expand(packed, MAX_LINE_BYTES)
        else:
            yield event.encode("utf-8", "surrogatepass") if isinstance(event, str) else event


def _expand(packed: object, most: int) -> bytes | None:
    """What a zstd frame holds; None when it is broken, or larger than `most` bytes."""
    import zstandard  # needed for this one format alone; Python has it from 3.14 on

    if not isinstance(packed, bytes):
        return None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            data: bytes = stream.read(most + 1)
    except zstandard.ZstdError:
        return None
    return data if 0 < len(data) <= most else None  # a frame that was cut off gives nothing


def _columns(connection: Connection, table: str) -> set[str]:
    return {_decode(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}


def _session_key(connection: Connection, session_id: str) -> str:
    for table in _PARENTS:
        if {"session_id", "session_key"} <= _columns(connection, table):
            query = f"SELECT session_key FROM {table} WHERE session_id = ?"  # noqa: S608 - two constants
            row = connection.execute(query, (session_id,)).fetchone()
            if row and row[0]:
                return _decode(row[0])
    return ""


def _decode(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
