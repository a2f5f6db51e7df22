"""What is about to be committed or pushed, held against the rules of the memory: the work of the git hooks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import PurePosixPath

from memsite.config import CONFIG_NAME, Config, parse_config
from memsite.memory.model import Problem
from memsite.memory.rules import MEGABYTE, check_change, check_kept, is_generation_path
from memsite.repo.gitcmd import run_git
from memsite.repo.membership import membership
from memsite.repo.objects import MODULE_MODE, ObjectReader, object_reader
from memsite.repo.workspace import Repository, Workspace
from memsite.safety.secrets import Finding as Secret
from memsite.safety.secrets import scan

_NOT_A_FILE = {"0" * 6, MODULE_MODE}
"""A gitlink in the place of a file of the memory is a deletion of it."""
_SETTINGS = PurePosixPath(CONFIG_NAME)
_SCANNED_TOO = {_SETTINGS, PurePosixPath("mkdocs.yml")}
"""No memory, but committed with it: secrets alone are looked for."""


@dataclass(frozen=True, slots=True)
class RawChange:
    """One path that a commit, or the stage, changes."""

    path: PurePosixPath
    old: str | None
    """Blob id; None: there was no file."""
    new: str | None
    mode_changed: bool
    commit: str = ""
    """Empty for what is staged."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that must not be committed or pushed."""

    path: PurePosixPath
    line: int | None
    message: str
    hint: str
    commit: str = ""
    warning: bool = False
    """Only worth a word: a rule that is often wrong."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        where = f"{self.commit[:10]} {place}" if self.commit else place
        return f"{where}: {self.message}" + (f"; {self.hint}" if self.hint else "")


def check_staged(workspace: Workspace, index_file: str = "") -> tuple[Violation, ...]:
    """What is wrong with the stage.

    `index_file` is git's GIT_INDEX_FILE: under `commit -a` or `commit PATH` the stage is a temporary file, and the real
    one says something else.
    """
    repository = workspace.require_repository()
    base = _head_tree(repository) or run_git(["hash-object", "-t", "tree", "--stdin"], cwd=repository.root).decode()
    environment = {"GIT_INDEX_FILE": index_file} if index_file else None
    command = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", base.strip()]
    changes = _parse_raw(repository, run_git(command, cwd=repository.root, env=environment))
    return _check(workspace, changes, _settings_of(repository, "HEAD"))


def check_commits(
    workspace: Workspace, revisions: Sequence[str], *, walk: bool = True, without: Collection[str] = ()
) -> tuple[Violation, ...]:
    """What is wrong with commits, named as `git rev-list` takes them (`main..topic`, `^origin/main`, ids).

    A merge is held against each of its parents. Without `walk` only the commits that are named are looked at; `without`
    are ids of commits that are passed over. Raises GitError for what git does not know.
    """
    repository = workspace.require_repository()
    walking = [] if walk else ["--no-walk"]
    command = [
        "-c",
        "log.showRoot=true",
        "log",
        "--format=%x00%H",
        "--raw",
        "-z",
        "-m",
        "--no-renames",
        "--no-abbrev",
        "--no-ext-diff",
    ]
    output = run_git([*command, *walking, "--stdin"], cwd=repository.root, stdin=("\n".join(revisions) + "\n").encode())
    changes = (change for change in _parse_raw(repository, output) if change.commit not in without)
    return _check(workspace, changes)


def check_history(workspace: Workspace) -> tuple[Violation, ...]:
    """What is wrong with the commits that HEAD is made of; nothing where there is none."""
    return check_commits(workspace, ["HEAD"]) if _head_tree(workspace.require_repository()) else ()


def _head_tree(repository: Repository) -> str:
    return run_git(["rev-parse", "--verify", "-q", "HEAD^{tree}"], cwd=repository.root, accept=(0, 1)).decode()


def _parse_raw(repository: Repository, output: bytes) -> Iterator[RawChange]:
    commit = ""
    records = iter(output.split(b"\0"))
    for record in records:
        head = record.strip(b"\n")
        if not head.startswith(b":"):
            commit = head.decode() or commit
            continue
        old_mode, new_mode, old, new, _status = head[1:].decode().split(" ")
        path = repository.from_git(next(records))
        was, is_now = old_mode not in _NOT_A_FILE, new_mode not in _NOT_A_FILE
        if path is None or not (was or is_now):
            continue
        mode_changed = old_mode != new_mode and was and is_now
        yield RawChange(path, old if was else None, new if is_now else None, mode_changed, commit)


def _settings_of(repository: Repository, revision: str) -> Config | None:
    name = f"{revision}:{os.fsdecode(repository.to_git(_SETTINGS))}"
    with object_reader(repository.root) as reader:
        found = reader.find(name) if "\n" not in name else None
    return _parse_settings(found.data) if found and found.kind == "blob" else None


def _parse_settings(data: bytes) -> Config:
    return parse_config(data.decode("utf-8-sig", "replace"))[0]


def _check(workspace: Workspace, changes: Iterable[RawChange], earlier: Config | None = None) -> tuple[Violation, ...]:
    """Hold changes, newest commit first, against the rules; `earlier` are settings that count beside the present."""
    with object_reader(workspace.require_repository().root) as reader:
        check = _Check(reader, workspace.config, earlier)
        for _, commit in groupby(changes, key=lambda change: change.commit):
            check.look_at(tuple(commit))
    return tuple(dict.fromkeys(check.violations))


@dataclass(slots=True)
class _Check:
    """One walk over changes."""

    reader: ObjectReader
    config: Config
    earlier: Config | None
    violations: list[Violation] = field(default_factory=list)
    _seen: set[tuple[PurePosixPath, str | None, str | None, bool]] = field(default_factory=set)
    _added: dict[PurePosixPath, list[RawChange]] = field(default_factory=dict)
    """Generations that the commits looked at so far add."""

    def look_at(self, changes: tuple[RawChange, ...]) -> None:
        """The changes of one commit, or of the stage."""
        before, after = self._settings(changes)
        for config in dict.fromkeys((before, after)):
            if config != self.config:
                self._look_for_losses(changes, config, after)
        members = membership(self.config)
        for change in changes:
            key = (change.path, change.old, change.new, change.mode_changed)
            if key in self._seen or not (members.has(change.path) or change.path in _SCANNED_TOO):
                continue
            self._seen.add(key)
            old, new = self._contents(change)
            if members.has(change.path):
                self._keep(change, check_change(change.path, old, new, self.config))
            self.violations += _secrets(change, old, new, self.config)
            self._look_for_returns(change)

    def _settings(self, changes: tuple[RawChange, ...]) -> tuple[Config, Config]:
        """The settings before and after: a commit that changes them must not hide from the rules by that."""
        now = self.earlier or self.config
        changed = next((one for one in changes if one.path == _SETTINGS), None)
        if changed is None:
            return now, now
        old, new = self._contents(changed)
        return _parse_settings(old or b""), _parse_settings(new or b"")

    def _look_for_losses(self, changes: tuple[RawChange, ...], config: Config, after: Config) -> None:
        """Hold against other settings; what moves with them, byte for byte, is not lost."""
        added = {change.path: change.new for change in changes if change.new}
        for change in changes:
            old, new = self._contents(change)
            moved = added.get(_place_under(change.path, config, after)) if new is None else None
            if moved is not None:
                new = self.reader.read(moved).data
            self._keep(change, check_kept(change.path, old, new, config))

    def _look_for_returns(self, change: RawChange) -> None:
        """A generation that was deleted and, in a later commit, added with other bytes."""
        if not is_generation_path(change.path, self.config):
            return
        if change.old is None:
            self._added.setdefault(change.path, []).append(change)
        elif change.new is None:
            for later in self._added.get(change.path, ()):
                if later.new != change.old:
                    message = "a generation that was deleted is added with other bytes; generations are immutable"
                    hint = f"put the first back: git cat-file blob {change.old} > '{change.path}'"
                    self.violations.append(Violation(change.path, None, message, hint, later.commit))

    def _contents(self, change: RawChange) -> tuple[bytes | None, bytes | None]:
        old = self.reader.read(change.old).data if change.old else None
        new = self.reader.read(change.new).data if change.new else None
        # A link or a program with the same bytes is another thing all the same.
        return old, (new or b"") + b"\0" if change.mode_changed and old == new else new

    def _keep(self, change: RawChange, problems: Iterable[Problem]) -> None:
        self.violations += (Violation(one.path, one.line, one.message, one.hint, change.commit) for one in problems)


def _place_under(path: PurePosixPath, before: Config, after: Config) -> PurePosixPath:
    """Where a generation or the index of earlier settings lies under later ones."""
    if path == before.index_path:
        return after.index_path
    return after.consolidated_path / path.name if is_generation_path(path, before) else path


def _secrets(change: RawChange, old: bytes | None, new: bytes | None, config: Config) -> Iterator[Violation]:
    """Whatever the name says: text is what holds no NUL."""
    if new is None or b"\0" in new or len(new) > config.max_file_mb * MEGABYTE:
        return
    # Lines as the scanner counts them: at `\n` alone.
    known = set((old or b"").split(b"\n"))
    lines = new.split(b"\n")
    for secret in scan(new.decode("utf-8", errors="replace")):
        if secret.line > len(lines) or lines[secret.line - 1] not in known:
            yield _secret(change, secret)


def _secret(change: RawChange, secret: Secret) -> Violation:
    hint = "take it out and rotate it; it is not shown here" if secret.certain else ""
    message = f"looks like a secret ({secret.rule})"
    return Violation(change.path, secret.line, message, hint, change.commit, warning=not secret.certain)
