"""What paths have been before: generations and indexes, by the settings that each commit of the past had itself.

All is read when a change raises the question, which hardly any does: settings that never moved the memory ask nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath

from memsite.config import CONFIG_NAME, Config, parse_config
from memsite.memory.rules import is_generation_path
from memsite.repo.changes import RawCommit, read_commits
from memsite.repo.commits import Commit
from memsite.repo.history import kept_commits, read_history
from memsite.repo.membership import membership
from memsite.repo.objects import ObjectReader
from memsite.repo.version_points import is_past
from memsite.repo.workspace import Workspace
from memsite.values import dataclass, field

SETTINGS = PurePosixPath(CONFIG_NAME)
_MOST_NAMED = 500
"""Paths that git is asked about by name; of more than these, by their folders."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """A content that a path had in a commit."""

    commit: str
    blob: str


@dataclass
class Past:
    """The commits before those that are looked at."""

    workspace: Workspace
    """Its settings are the present ones, committed or not."""
    reader: ObjectReader
    tips: tuple[str, ...]
    """The commits whose settings count, with all before them."""
    before: tuple[str, ...]
    """Revisions, as `git rev-list` takes them, of what is not looked at itself."""
    base: str = "HEAD"
    """The commit that changes without one of their own are made to."""
    _configs: dict[str, Config] = field(default_factory=dict)
    _is_before: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.repository, self.config = self.workspace.require_repository(), self.workspace.config

    def config_at(self, revision: str) -> Config:
        """The settings that a commit has. A wrong one has its default."""
        if revision not in self._configs:
            self._configs[revision] = self._parse(self.content(revision, SETTINGS))
        return self._configs[revision]

    @cached_property
    def present(self) -> tuple[Config, ...]:
        """Settings of the work tree that HEAD does not have: they count beside the committed ones."""
        return () if place_of(self.config) == place_of(self.config_at("HEAD")) else (self.config,)

    @cached_property
    def configs(self) -> tuple[Config, ...]:
        """All settings that ever said where the memory is; each place once."""
        changes = (change for commit in self._settings for change in commit.changes)
        found = [self._parse(blob) for change in changes for blob in (change.new, change.old)] or [Config()]
        return tuple({place_of(config): config for config in (self.config, *found)}.values())

    def owners(self, path: PurePosixPath) -> tuple[Config, ...]:
        """Settings of any time under which a path is a generation."""
        return tuple(config for config in self.configs if is_generation_path(path, config))

    def in_force(self, commit: RawCommit) -> tuple[Config, ...]:
        """The settings before a commit, or the stage."""
        if not commit.id:
            return (*self.present, self.config_at(self.base))
        if len(self.configs) == 1:
            return self.configs
        return (*self.present, *(self.config_at(parent) for parent in commit.parents))

    def config_after(self, commit: RawCommit) -> Config:
        """The settings after a commit, or the stage."""
        changed = [change for change in commit.changes if change.path == SETTINGS]
        if changed and not commit.id:
            return self._parse(changed[0].new)
        if len(self.configs) == 1:
            return self.configs[0]
        return self.config_at(commit.id or self.base)

    def generations(self, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, list[Appearance]]:
        """What each path was as a generation in the commits before, oldest first.

        Commits of other lines may be among them: `is_before` tells.
        """
        asked = tuple(sorted(set(paths)))
        found: dict[PurePosixPath, list[Appearance]] = {path: [] for path in asked}
        for path, one in (*self._touched(asked), *self._moved(asked)):
            if self.was_generation(path, one.commit):
                found[path].append(one)
        return found

    def was_generation(self, path: PurePosixPath, commit: str) -> bool:
        """Whether a path of a commit was a generation, by the settings of that commit."""
        return len(self.configs) == 1 or is_generation_path(path, self.config_at(commit))

    def was_index(self, path: PurePosixPath, commit: str) -> bool:
        """Whether a path was the index in a commit before."""
        states = (state for state in self._states if self.config_at(state).index_path == path)
        return any(self.content(state, path) and self.is_before(state, commit) for state in states)

    def is_before(self, commit: str, other: str) -> bool:
        """Whether a commit is part of the history of another one; of the stage's, where `other` is empty."""
        key = (commit, other)
        if key not in self._is_before:
            line = (other,) if other else self.tips
            self._is_before[key] = commit != other and any(self._contains(one, commit) for one in line)
        return self._is_before[key]

    def content(self, revision: str, path: PurePosixPath) -> str | None:
        """The id of the blob that a commit has at a path."""
        name = f"{revision}:{os.fsdecode(self.repository.to_git(path))}"
        found = self.reader.find(name) if "\n" not in name else None
        return found.id if found and found.kind == "blob" else None

    def _contains(self, commit: str, other: str) -> bool:
        return is_past(self.repository, other, commit)  # one that is gone, from a kept history, is in no line

    @cached_property
    def _settings(self) -> tuple[RawCommit, ...]:
        """Commits that change the settings."""
        return read_commits(self.repository, self.tips, paths=[SETTINGS]) if self.tips else ()

    @cached_property
    def _states(self) -> tuple[str, ...]:
        """Commits after which, and before which, other settings were in force."""
        return tuple(dict.fromkeys(name for commit in self._settings for name in (*commit.parents, commit.id)))

    def _parse(self, blob: str | None) -> Config:
        data = self.reader.read(blob).data if blob else b""
        return parse_config(data.decode("utf-8-sig", "replace"))[0]

    def _moved(self, paths: Sequence[PurePosixPath]) -> Iterator[tuple[PurePosixPath, Appearance]]:
        """What was a generation when the settings came or went, whenever it was written."""
        for state in self._states if len(self.configs) > 1 else ():
            for path in paths:
                if is_generation_path(path, self.config_at(state)) and (blob := self.content(state, path)):
                    yield path, Appearance(state, blob)

    def _touched(self, paths: tuple[PurePosixPath, ...]) -> Iterator[tuple[PurePosixPath, Appearance]]:
        """Contents that commits gave to paths: those of the kept history, then those that it does not know."""
        if not (paths and self.before):
            return
        tip, commits = self._kept()
        members = membership(self.config)
        inside = {path for path in paths if tip and members.has(path)}
        for commit in reversed(commits):
            for change in commit.changes:
                if change.path in inside and change.new_blob:
                    yield change.path, Appearance(commit.id, change.new_blob)
        yield from self._walk(inside, (*self.before, f"^{tip}"))
        yield from self._walk(set(paths) - inside, self.before)

    def _kept(self) -> tuple[str, tuple[Commit, ...]]:
        """Some commit of this clone, and its history; empty where there is none."""
        tip, commits = kept_commits(self.workspace)
        if tip and self.reader.find(tip):
            return tip, commits
        # Without a HEAD nothing is kept; else it is by now, and all of the past is asked for once.
        read_history(self.workspace)
        return kept_commits(self.workspace)

    def _walk(
        self, paths: Set[PurePosixPath], revisions: tuple[str, ...]
    ) -> Iterator[tuple[PurePosixPath, Appearance]]:
        asked = paths if len(paths) <= _MOST_NAMED else {path.parent for path in paths}
        commits = read_commits(self.repository, revisions, paths=sorted(asked)) if paths else ()
        for commit in reversed(commits):
            for change in commit.changes:
                if change.path in paths and change.new:
                    yield change.path, Appearance(commit.id, change.new)


def place_of(config: Config) -> tuple[PurePosixPath, PurePosixPath]:
    """What settings say of where the memory keeps what must never change."""
    return config.consolidated_path, config.index_path


def place_under(path: PurePosixPath, before: Config, after: Config) -> PurePosixPath:
    """Where a generation or the index of earlier settings lies under later ones."""
    if path == before.index_path:
        return after.index_path
    return after.consolidated_path / path.name if is_generation_path(path, before) else path
