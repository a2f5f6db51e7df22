"""The database of what was found in blobs (`blob_findings`): below git's directory, shared by processes, disposable."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

_PATIENCE = 2.0
"""Seconds to wait for another process; without an answer the blob is looked at again."""
_PREFIX, _SUFFIX = "secrets-", ".sqlite"
_TABLE = "CREATE TABLE IF NOT EXISTS findings (blob TEXT PRIMARY KEY, places TEXT NOT NULL) WITHOUT ROWID"


class FindingsStore:
    """Texts by blob id, for one set of rules. Raises nothing: what cannot be read is not there, and what cannot be
    written is found again.
    """

    def __init__(self, folder: Path, rules: str) -> None:
        self._path = folder / f"{_PREFIX}{rules}{_SUFFIX}"
        self._database = self._open()

    def find(self, blob: str) -> str | None:
        """What is kept of a blob."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("SELECT places FROM findings WHERE blob = ?", (blob,)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return None if row is None else str(row[0])

    def close(self, new: Mapping[str, str]) -> None:
        """Write down what is new, and end."""
        if self._database is None:
            return
        try:
            with closing(self._database), self._database:
                self._database.executemany("INSERT OR REPLACE INTO findings VALUES (?, ?)", new.items())
        except sqlite3.Error as error:
            self._give_up(error)
        self._database = None

    def _open(self) -> sqlite3.Connection | None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if not self._path.exists():
                self._remove_others()
            database = sqlite3.connect(self._path, timeout=_PATIENCE)
        except (sqlite3.Error, OSError):
            return None
        try:
            with database:
                database.execute(_TABLE)
        except sqlite3.Error as error:
            database.close()
            self._give_up(error)
            return None
        return database

    def _give_up(self, error: sqlite3.Error) -> None:
        """Do without it; a damaged one goes, so that the next run begins a new one."""
        if not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):
                self._path.unlink()
        database = getattr(self, "_database", None)
        if database is not None:
            with suppress(sqlite3.Error):
                database.close()
        self._database = None

    def _remove_others(self) -> None:
        """What other rules found says nothing any more."""
        for other in self._path.parent.glob(f"{_PREFIX}*{_SUFFIX}"):
            with suppress(OSError):
                other.unlink()
