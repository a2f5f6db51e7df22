"""OpenClaw's database of transcripts, made as OpenClaw makes it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard

from memsite.capture.openclaw_db import count_archives, open_database, read_archive, read_session, session_ids
from memsite.capture.session import summarize_session
from memsite.config import Config
from memsite.errors import FormatError

HEADER = {
    "type": "session",
    "version": 3,
    "id": "o1",
    "timestamp": "2026-04-09T06:48:00Z",
    "cwd": "/home/ada/workspace",
}


def line(role: str, text: str) -> dict[str, Any]:
    return {"type": "message", "id": text, "message": {"role": role, "content": [{"type": "text", "text": text}]}}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A database in WAL mode that its writer still holds open, under a name that a URI must quote."""
    path = tmp_path / "an agent?#%41" / "openclaw-agent.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(
            "CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)"
        )
        connection.execute("CREATE TABLE sessions (session_id TEXT, session_key TEXT)")
        rows = [
            ("o1", 1, line("user", "Which framework for the blog?")),
            ("o1", 0, HEADER),
            ("o2", 0, line("user", "Write the morning report")),
            ("o1", 2, line("assistant", "Next.js")),
        ]
        connection.executemany(
            "INSERT INTO transcript_events VALUES (?, ?, ?, 0)",
            [(key, seq, json.dumps(event)) for key, seq, event in rows],
        )
        connection.executemany(
            "INSERT INTO sessions VALUES (?, ?)", [("o1", "agent:main:main"), ("o2", "agent:main:cron:1")]
        )
        connection.commit()
        yield path


def test_sessions_of_a_database(database: Path) -> None:
    with closing(open_database(database)) as connection:
        assert session_ids(connection) == ("o1", "o2")
        transcript = read_session(connection, "o1")
        assert [message.text for message in transcript] == ["Which framework for the blog?", "Next.js"]
        assert (transcript.session_id, transcript.cwd, transcript.agent) == ("o1", "/home/ada/workspace", "openclaw")


def test_noise_by_the_session_key_of_the_parent_table(database: Path) -> None:
    fallback = datetime(2026, 4, 9, tzinfo=UTC)
    with closing(open_database(database)) as connection:
        noise = [
            summarize_session(read_session(connection, key), config=Config(), zone=UTC, fallback=fallback).noise
            for key in session_ids(connection)
        ]
    assert noise == [None, "cron"]


@pytest.mark.parametrize("event", ["{broken", None, b"\xff\xfe", "", 7, "x" * (16 * 1024 * 1024 + 1)])
def test_a_broken_row_costs_only_itself(event: Any, database: Path) -> None:
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("INSERT INTO transcript_events VALUES ('o1', 9, ?, 0)", (event,))
        writer.commit()
    with closing(open_database(database)) as connection:
        transcript = read_session(connection, "o1")
        assert sum(1 for _ in transcript) == 2
        assert transcript.skipped == (0 if event == "" else 1)


def test_a_database_without_the_parent_table(database: Path) -> None:
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("DROP TABLE sessions")
        writer.execute("CREATE TABLE session_windows (session_id TEXT, session_key TEXT)")
        writer.execute("INSERT INTO session_windows VALUES ('o1', 'agent:main:subagent:1')")
        writer.commit()
    with closing(open_database(database)) as connection:
        assert read_session(connection, "o1").session_key == "agent:main:subagent:1"
        assert read_session(connection, "unknown").session_key == ""


def test_the_database_is_opened_for_reading_only(database: Path) -> None:
    with closing(open_database(database)) as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM transcript_events")


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    missing, text, other = tmp_path / "missing.sqlite", tmp_path / "text.sqlite", tmp_path / "other.sqlite"
    text.write_text("not a database, but long enough to look like one\n" * 50, encoding="utf-8")
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()
    for path in (missing, text, other):
        with pytest.raises(FormatError, match=path.name):
            open_database(path)
    assert not missing.exists()


def test_events_that_are_kept_compressed_are_read(database: Path) -> None:
    """OpenClaw 2026.9 stores every event of some length as a zstd frame: a prompt of 2,700 bytes was missing."""
    prompt = "Please think about the blog project. " * 80
    frame = zstandard.ZstdCompressor().compress(json.dumps(line("user", prompt)).encode())
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("ALTER TABLE transcript_events ADD COLUMN event_zstd BLOB")
        connection.executemany(
            "INSERT INTO transcript_events VALUES ('o3', ?, NULL, 0, ?)",
            [(0, frame), (1, b"no frame"), (2, frame[:40])],
        )
        connection.commit()
    with closing(open_database(database)) as connection:
        transcript = read_session(connection, "o3")
        assert [message.text for message in transcript] == [prompt]
        assert transcript.skipped == 2
        assert [message.text for message in read_session(connection, "o1")][1:] == ["Next.js"]


def test_sessions_that_were_reset_or_deleted_are_read_from_their_archive(database: Path) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in (HEADER, line("user", "Which framework?"))).encode()
    packed = zstandard.ZstdCompressor().compress(lines)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(
            "CREATE TABLE session_transcript_archives "
            "(session_id TEXT, session_key TEXT, encoding TEXT, archive_blob BLOB)"
        )
        connection.executemany(
            "INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?)",
            [("a1", "agent:main:main", "zstd", packed), ("a2", "k", "identity", lines), ("a3", "k", "zstd", b"broken")],
        )
        connection.commit()
    with closing(open_database(database)) as connection:
        read = [read_archive(connection, position) for position in range(count_archives(connection))]
        found = [(one.session_id, one.session_key, [message.text for message in one], one.skipped) for one in read]
        with pytest.raises(FormatError, match="no archived session 3"):
            read_archive(connection, 3)
    assert found == [
        ("a1", "agent:main:main", ["Which framework?"], 0),
        ("a2", "k", ["Which framework?"], 0),
        ("a3", "k", [], 1),
    ]


def test_a_database_of_an_older_version_has_no_archives(database: Path) -> None:
    with closing(open_database(database)) as connection:
        assert count_archives(connection) == 0
