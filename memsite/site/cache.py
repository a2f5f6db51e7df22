"""What an incremental build must know of the one before: which files it made, by which key, and what search took of
each page.

Kept in a database below the git directory, one for each output folder. It can be deleted at any time: the next build is
a clean one. Where all of them are gone nobody knows what builds have made, and a person has to name the folder once.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from memsite.repo.workspace import Workspace

FORMAT = 5
_NAMES = ("environment", "built", "files", "pieces", "found")
T = TypeVar("T")
PATIENCE = 5.0
"""Seconds to wait for another build of the same folder; it holds the database for moments only."""
_DAMAGED = "no such "
"""How SQLite begins to say that a table or a column is gone."""
_DELETE = "DELETE FROM files WHERE dest = ?"
_INSERT = "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)"
_TABLES = """
CREATE TABLE IF NOT EXISTS environment (key TEXT NOT NULL, builds INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS built (inputs TEXT NOT NULL, result TEXT NOT NULL, files INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    dest TEXT PRIMARY KEY, key TEXT NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pieces (dest TEXT PRIMARY KEY, piece BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS found (state TEXT NOT NULL);
"""


class Made(NamedTuple):
    """One file that a build has made."""

    key: str
    """The page's key; empty for files that are no pages."""
    size: int
    """Bytes."""
    time: int
    """Modification time, nanoseconds."""


BEGUN = Made("", -1, 0)
"""A file that a build began to write, and perhaps did."""


class BuildCache:
    """The memory of one output folder. Raises nothing: a database that is damaged is an empty one, and one that cannot
    be written, because git's folder is read-only or another build holds it, is none.
    """

    def __init__(self, folder: Path, site: Path) -> None:
        name = sha256(str(site).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._path = folder / f"{name}.sqlite"
        self.problem = ""
        """Why nothing can be kept; empty while it can."""
        self._builds = -1
        self._has_begun = False

    @classmethod
    def at(cls, path: Path) -> BuildCache:
        """That of some output folder, by the file that it is kept in."""
        cache = cls(path.parent, path)
        cache._path = path
        return cache

    def load(self, *, keys: bool = True) -> tuple[str, dict[str, Made]]:
        """The environment key and the files of the last build, by `dest_uri`; empty ones when there was none. Without
        `keys` their names alone: all are BEGUN.
        """
        environment, self._builds, files = self._within(_read if keys else _read_names) or ("", -1, {})
        return environment, files

    def names(self) -> frozenset[str]:
        """The files of the last build, and those that one under way has begun, by `dest_uri`."""
        rows = self._within(lambda database: database.execute("SELECT dest FROM files").fetchall())
        return frozenset(dest for (dest,) in rows or ())

    def pieces(self, dests: Iterable[str] | None = None) -> dict[str, bytes]:
        """What search took of pages, by `dest_uri`, as JSON: of some of them, or of all."""
        query = "SELECT dest, piece FROM pieces"
        wanted = None if dests is None else list(dests)

        def read(database: sqlite3.Connection) -> dict[str, bytes]:
            if wanted is None:
                return dict(database.execute(query))
            return dict(row for dest in wanted for row in database.execute(f"{query} WHERE dest = ?", (dest,)))

        return self._within(read) or {}

    def index_state(self) -> str:
        """What the last build knew of its search index; empty where that is not known."""
        found: tuple[str] | None = self._within(lambda database: database.execute("SELECT state FROM found").fetchone())
        return found[0] if found else ""

    def begin(self, stale: Iterable[str]) -> None:
        """Note the files that are about to be written as begun: a build that is killed leaves no key that is not true,
        and no file that the next one would not know of.

        Where that cannot be noted, their sizes and times tell the next build the same.
        """
        rows = [(dest, *BEGUN) for dest in stale]
        if self._has_begun and not rows:
            return
        self._has_begun = True

        def note(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM built")
            database.executemany(_INSERT, rows)

        self._within(note)

    def finish(
        self,
        environment: str,
        files: Mapping[str, Made],
        before: Mapping[str, Made],
        pieces: Mapping[str, bytes],
        index_state: str,
    ) -> None:
        """Record a finished build; `before` is what `load` gave, so that only changes are written. `pieces` are those
        of the pages that were made, `index_state` is empty where it is as it was.

        Where another build has finished since, its pieces stand beside our index: that is not known any more.
        """
        gone = [(dest,) for dest in before if dest not in files]

        def write(database: sqlite3.Connection) -> None:
            there = {dest for (dest,) in database.execute("SELECT dest FROM files")}  # less, where it was damaged since
            changed = (item for item in files.items() if before.get(item[0]) != item[1] or item[0] not in there)
            new = ((dest, *made) for dest, made in changed)
            (builds,) = database.execute("SELECT builds FROM environment").fetchone() or (-1,)
            database.execute("DELETE FROM environment")
            database.execute("DELETE FROM built")  # by another build, of other files than are there now
            database.execute("INSERT INTO environment VALUES (?, ?)", (environment, builds + 1))
            database.executemany(_DELETE, gone)
            database.executemany(_INSERT, new)
            database.executemany("DELETE FROM pieces WHERE dest = ?", gone)
            database.executemany("INSERT OR REPLACE INTO pieces VALUES (?, ?)", pieces.items())
            if index_state or builds != self._builds:
                database.execute("DELETE FROM found")
            if index_state and builds == self._builds:
                database.execute("INSERT INTO found VALUES (?)", (index_state,))

        self._within(write, durable=False)

    def record(self, inputs: str, result: str) -> None:
        """Record what the build that has just finished was made from, by name, and what it gave."""

        def write(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM built")
            database.execute("INSERT INTO built SELECT ?, ?, COUNT(*) FROM files", (inputs, result))

        self._within(write, durable=False)

    def built(self) -> tuple[str, str]:
        """What `record` recorded last; empty where another build has begun since, or is under way."""
        return (self._within(_read_built) if self.exists else None) or ("", "")

    def built_files(self, inputs: str) -> list[tuple[str, int, int]]:
        """The files of the site that was made from these inputs, with their sizes and times; none where it is another
        one by now.
        """

        def read(database: sqlite3.Connection) -> list[tuple[str, int, int]]:
            found = database.execute("SELECT files FROM built WHERE inputs = ?", (inputs,)).fetchone()
            rows = database.execute("SELECT dest, size, time FROM files").fetchall() if found else []
            return rows if found == (len(rows),) else []

        return self._within(read) or []

    @property
    def exists(self) -> bool:
        """Whether a build of the folder has begun once. What it kept may be lost: damaged, purged, or of another
        version.
        """
        return self._path.exists()

    def _within(self, act: Callable[[sqlite3.Connection], T], *, durable: bool = True) -> T | None:
        """Do something in a transaction that may write, unless that has failed before; None when it fails.

        What is not `durable` may be lost when the power fails: then sizes and times tell that files are others. The
        names of files must not: a file that no build is known to have made is somebody's.
        """
        if self.problem:
            return None
        try:
            with closing(self._open()) as database, database:
                if not durable:
                    database.execute("PRAGMA synchronous = OFF")
                database.execute("BEGIN IMMEDIATE")
                return act(database)
        except (sqlite3.OperationalError, OSError) as error:
            if str(error).startswith(_DAMAGED):
                self._forget()
            else:
                self.problem = str(error)
        except sqlite3.Error:
            self._forget()
        return None

    def _open(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._path, timeout=PATIENCE)
        try:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version not in (0, FORMAT):
                database.executescript("".join(f"DROP TABLE IF EXISTS {name};" for name in _NAMES))
            if version != FORMAT:
                database.executescript(f"{_TABLES} PRAGMA user_version = {FORMAT};")
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _forget(self) -> None:
        with suppress(OSError):
            self._path.write_bytes(b"")


def cache_folder(workspace: Workspace) -> Path | None:
    """Where builds keep what they know, below memsite's folder in git's; None without a repository."""
    return None if workspace.common_dir is None else workspace.common_dir / "memsite" / "site"


def made_files(folder: Path | None, site: Path) -> frozenset[str]:
    """What the last build of an output folder has made, by `dest_uri`; nothing where nothing is kept."""
    cache = None if folder is None else BuildCache(folder, site)
    return cache.names() if cache and cache.exists else frozenset()


class KnownFiles:
    """What builds of a repository are known to have made in an output folder, also before it was moved to its place."""

    def __init__(self, folder: Path | None, site: Path) -> None:
        own = None if folder is None else BuildCache(folder, site)
        is_known = own is not None and own.exists
        self._names = own.names() if own and is_known else frozenset()
        self.is_complete = bool(self._names) if is_known else folder is not None and _keeps_all(folder)
        """Whether what is not among them is no build's.

        Nothing is kept without a repository or in a folder that cannot be written; and what was kept may be lost.
        """
        self._folder = folder

    def has(self, name: str, path: str) -> bool:
        """Whether a build has made the file at `path`, called so in the output folder."""
        return name in self._names or stat_made(path) in self._elsewhere.get(name, ())

    @cached_property
    def _elsewhere(self) -> Mapping[str, set[Made]]:
        """What was made in any output folder, as it was then: a workspace that is moved takes its site with it."""
        found: dict[str, set[Made]] = {}
        for path in sorted(self._folder.glob("*.sqlite")) if self._folder else ():
            for name, made in BuildCache.at(path).load()[1].items():
                found.setdefault(name, set()).add(made._replace(key=""))
        return found


def forget_contents(folder: Path) -> None:
    """Of what builds have kept in a cache folder, leave the names of the files that they made: a build replaces none
    but those. Words of pages, keys and templates go; the next build is a clean one.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.suffix != ".sqlite":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            continue
        try:
            _forget_words(path)
        except sqlite3.Error:
            path.unlink(missing_ok=True)


def _forget_words(path: Path) -> None:
    with closing(sqlite3.connect(path, timeout=PATIENCE)) as database:
        with database:
            database.execute("UPDATE files SET key = ''")
            database.execute("DELETE FROM environment")
            database.execute("DELETE FROM built")
            database.execute("DELETE FROM pieces")
            database.execute("DELETE FROM found")
        database.execute("VACUUM")  # else the words would still be in the file


def _keeps_all(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return os.access(folder, os.W_OK) and all(path.stat().st_size for path in folder.glob("*.sqlite"))
    except OSError:
        return False


def _read(database: sqlite3.Connection) -> tuple[str, int, dict[str, Made]]:
    rows = database.execute("SELECT dest, key, size, time FROM files")
    return *_read_environment(database), {dest: Made(*values) for dest, *values in rows}


def _read_names(database: sqlite3.Connection) -> tuple[str, int, dict[str, Made]]:
    rows = database.execute("SELECT dest FROM files")
    return *_read_environment(database), {dest: BEGUN for (dest,) in rows}


def _read_environment(database: sqlite3.Connection) -> tuple[str, int]:
    return database.execute("SELECT key, builds FROM environment").fetchone() or ("", -1)


def _read_built(database: sqlite3.Connection) -> tuple[str, str]:
    return database.execute("SELECT inputs, result FROM built").fetchone() or ("", "")


def stat_made(path: str, key: str = "") -> Made | None:
    """A file as it is now; None when it is not there."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return Made(key, status.st_size, status.st_mtime_ns)
