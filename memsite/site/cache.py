"""What an incremental build must know of the one before: which files it made, by which key, and the search pieces.

Kept in a database below the git directory, one for each output folder. It can be deleted at any time: the next build is
a clean one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

FORMAT = 1
T = TypeVar("T")
PATIENCE = 5.0
"""Seconds to wait for another build of the same folder; it holds the database for moments only."""
_DELETE = "DELETE FROM files WHERE dest = ?"
_TABLES = """
CREATE TABLE IF NOT EXISTS environment (key TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    dest TEXT PRIMARY KEY, key TEXT NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL, piece TEXT
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Made:
    """One file that a build has made."""

    key: str
    """The page's key; empty for files that are no pages."""
    size: int
    """Bytes."""
    time: int
    """Modification time, nanoseconds."""
    piece: str | None = None
    """The page's part of the search index, as JSON."""


class BuildCache:
    """The memory of one output folder. Raises nothing: a database that is damaged is an empty one, and one that cannot
    be written, because git's folder is read-only or another build holds it, is none.
    """

    def __init__(self, folder: Path, site: Path) -> None:
        name = sha256(str(site).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._path = folder / f"{name}.sqlite"
        self.problem = ""
        """Why nothing can be kept; empty while it can."""

    def load(self) -> tuple[str, dict[str, Made]]:
        """The environment key and the files of the last build, by `dest_uri`; empty ones when there was none."""
        return self._within(_read) or ("", {})

    def begin(self, stale: Iterable[str]) -> None:
        """Forget the files that are about to be written: a build that is killed leaves no key that is not true.

        Where they cannot be forgotten, their sizes and times tell the next build the same.
        """
        rows = [(dest,) for dest in stale]
        self._within(lambda database: database.executemany(_DELETE, rows))

    def finish(self, environment: str, files: Mapping[str, Made], before: Mapping[str, Made]) -> None:
        """Record a finished build; `before` is what `load` gave, so that only changes are written."""
        gone = [(dest,) for dest in before if dest not in files]
        new = [(dest, *_row(made)) for dest, made in files.items() if before.get(dest) != made]

        def write(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM environment")
            database.execute("INSERT INTO environment VALUES (?)", (environment,))
            database.executemany(_DELETE, gone)
            database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", new)

        self._within(write)

    def _within(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        """Do something in a transaction that may write, unless that has failed before; None when it fails."""
        if self.problem:
            return None
        try:
            with closing(self._open()) as database, database:
                database.execute("BEGIN IMMEDIATE")
                return act(database)
        except (sqlite3.OperationalError, OSError) as error:
            self.problem = str(error)
        except sqlite3.Error:
            self._forget()
        return None

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, timeout=PATIENCE)
        try:
            if database.execute("PRAGMA user_version").fetchone()[0] not in (0, FORMAT):
                database.executescript("DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS environment;")
            database.executescript(f"{_TABLES} PRAGMA user_version = {FORMAT};")
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _forget(self) -> None:
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _read(database: sqlite3.Connection) -> tuple[str, dict[str, Made]]:
    environment = database.execute("SELECT key FROM environment").fetchone()
    rows = database.execute("SELECT dest, key, size, time, piece FROM files")
    return (environment or ("",))[0], {dest: Made(*values) for dest, *values in rows}


def _row(made: Made) -> tuple[str, int, int, str | None]:
    return made.key, made.size, made.time, made.piece


def stat_made(path: Path, key: str = "", piece: str | None = None) -> Made | None:
    """A file as it is now; None when it is not there."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return Made(key, status.st_size, status.st_mtime_ns, piece)
