"""What is known of commits, kept in a file below git's folder: a commit never changes."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from memsite.repo.commits import Commit, FileChange
from memsite.repo.files import write_atomic
from memsite.repo.log_format import parse_moment
from memsite.repo.membership import Membership
from memsite.repo.workspace import Repository

_VERSION = 1


class HistoryCache:
    """The commits of one memory. Another folder, another `include`, another depth of a shallow clone: another file."""

    def __init__(self, repository: Repository, members: Membership, boundary: frozenset[str]) -> None:
        self._folder = repository.own_dir
        about = [
            _VERSION,
            str(repository.prefix),
            str(members.memory),
            sorted(map(str, members.include)),
            sorted(boundary),
        ]
        self._name = f"history-{sha256(json.dumps(about).encode()).hexdigest()[:16]}.json"
        self.tip = ""
        """The HEAD that it was read for."""
        self._paths: dict[PurePosixPath, int] = {}
        self._rows: dict[str, list[Any]] = {}

    def load(self) -> tuple[Commit, ...]:
        """What is kept, and sets `tip`. A file that is missing, cut off or of another make is nothing."""
        try:
            with _no_collector():
                table = json.loads((self._folder / self._name).read_bytes())
                paths = [PurePosixPath(path) for path in table["paths"]]
                commits = tuple([_from_row(row, paths) for row in table["commits"]])
            if table["digest"] != _digest(table["tip"], len(commits)):
                return ()
            self.tip = str(table["tip"])
            self._paths = {path: number for number, path in enumerate(paths)}
            self._rows = {row[0]: row for row in table["commits"]}
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return ()
        return commits

    def save(self, tip: str, commits: Iterable[Commit]) -> None:
        """Keep commits. Where git's folder cannot be written nothing is kept, and the next run reads them again."""
        commits = tuple(commits)
        # Of commits that are gone not even the names of files stay.
        grown = self._rows.keys() <= {commit.id for commit in commits}
        known, paths = (self._rows, dict(self._paths)) if grown else ({}, {})
        rows = [known.get(commit.id) or _to_row(commit, paths) for commit in commits]
        names = [str(path) for path in paths]
        table = {"tip": tip, "digest": _digest(tip, len(rows)), "paths": names, "commits": rows}
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            data = json.dumps(table, separators=(",", ":")).encode()
            write_atomic(self._folder, self._name, data, temporary=f"{self._name}.{os.getpid()}", durable=False)
        self.tip = tip


@contextmanager
def _no_collector() -> Iterator[None]:
    """Without Python's cycle collector, which would look through all the fresh values again and again for garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _digest(tip: str, count: int) -> str:
    return f"{_VERSION}:{tip}:{count}"


def _to_row(commit: Commit, paths: dict[PurePosixPath, int]) -> list[Any]:
    changes = [
        [paths.setdefault(change.path, len(paths)), change.status, change.old_blob, change.new_blob]
        for change in commit.changes
    ]
    moment = f"{int(commit.at.timestamp())} {commit.at:%z}"
    return [commit.id, list(commit.parents), commit.author, moment, commit.subject, commit.body, changes]


def _from_row(row: list[Any], paths: list[PurePosixPath]) -> Commit:
    name, parents, author, moment, subject, body, changes = row
    return Commit(
        name,
        tuple(parents),
        author,
        parse_moment(moment),
        subject,
        body,
        tuple([FileChange(paths[index], status, old, new) for index, status, old, new in changes]),
    )
