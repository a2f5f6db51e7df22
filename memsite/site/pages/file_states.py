"""The states of each file of the memory: all that it ever was, and what each of them stands between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath

from memsite.repo.history import Commit, Revision
from memsite.repo.renames import Renames, find_renames
from memsite.site.spec import SiteSource
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What a revision of a file stands between."""

    older: Revision | None = None
    newer: Revision | None = None
    monthly: Revision | None = None
    """The first revision of the month."""


class FileStates:
    """What pages ask of the history of one file. Every answer is a value and is computed at most once."""

    def __init__(self, source: SiteSource) -> None:
        self._source = source
        self._zone = source.config.zone()
        self._revisions: dict[PurePosixPath, tuple[Revision, ...]] = {}
        self._places: dict[PurePosixPath, dict[str, int]] = {}
        self._months: dict[PurePosixPath, Mapping[date, tuple[Revision, int]]] = {}

    @cached_property
    def renames(self) -> Renames:
        """Which files got another name."""
        return find_renames(self._source.history, self._source.config, self._source.blobs)

    def revisions(self, path: PurePosixPath) -> tuple[Revision, ...]:
        """The states of a file, newest first, with those under its earlier names."""
        found = self._revisions.get(path)
        if found is None:
            found = self.renames.revisions(self._source.history, path)
            self._revisions[path] = found
        return found

    def first_commit(self, path: PurePosixPath, blob: str) -> Commit | None:
        """The commit that brought a file's text, or None."""
        states = reversed(self.revisions(path))
        return next((state.commit for state in states if state.blob == blob), None)

    def text_before(self, path: PurePosixPath, commit: Commit) -> Revision | None:
        """A file as a commit left it; of one that it did not touch, as the last one by its date had left it."""
        states = self.revisions(path)
        own = (state for state in states if state.commit.id == commit.id)
        return next(own, None) or next((state for state in states if state.commit.at <= commit.at), None)

    def neighbours(self, commit: str, path: PurePosixPath) -> Neighbours:
        """What a revision of a file, by its commit's id, stands between; nothing where it is none of the file."""
        states = self.revisions(path)
        if path not in self._places:
            self._places[path] = {one.commit.id: at for at, one in enumerate(states)}
        at = self._places[path].get(commit)
        if at is None:
            return Neighbours()
        older = states[at + 1] if at + 1 < len(states) else None
        first, _ = self.months(path)[self._month(states[at].commit)]
        return Neighbours(older, self._renamed(states[at - 1]) if at else None, first)

    def _renamed(self, state: Revision) -> Revision:
        """Of a deletion that is a rename, the state under the later name."""
        path = self.renames.targets.get((state.commit.id, state.path))
        return state if path is None else Revision(state.commit, state.blob, path)

    def months(self, path: PurePosixPath) -> Mapping[date, tuple[Revision, int]]:
        """By the first day of each month, latest first: a file's first revision, and how many it has in that month."""
        if path not in self._months:
            states = self.revisions(path)
            counts = Counter(self._month(state.commit) for state in states)
            # The oldest of each month stays.
            firsts = {self._month(state.commit): state for state in states}
            self._months[path] = {month: (firsts[month], counts[month]) for month in sorted(firsts, reverse=True)}
        return self._months[path]

    def _month(self, commit: Commit) -> date:
        """The first day of a commit's month."""
        return commit.at.astimezone(self._zone).date().replace(day=1)
