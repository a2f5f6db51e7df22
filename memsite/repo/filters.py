"""Files that git keeps in another form than the work tree has them: what their `filter` attribute asks for.

Encrypted files (git-crypt) and large ones (LFS). Committed as they lie on disk, they would be in git for ever as what
the user wanted to keep out of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import PurePosixPath

from memsite.errors import GitError, PendingError
from memsite.repo.conversions import Attributes, Conversions, read_attributes, unseen_attributes
from memsite.repo.files import write_atomic
from memsite.repo.gitcmd import run_git
from memsite.repo.objects import ObjectReader
from memsite.repo.workspace import Repository
from memsite.values import dataclass, field

_NO_NAME = {"unspecified", "unset", "set", ""}
_KEPT = "filtered.json"


class FilterError(PendingError):
    """A file cannot be brought into the form that git is to have of it, or out of it."""


@dataclass
class Filters:
    """The filters of some files."""

    repository: Repository
    names: Mapping[PurePosixPath, str] = field(default_factory=dict)
    """The driver of each file that has one."""
    unseen: frozenset[PurePosixPath] = frozenset()
    """Files with a filter whose attributes stand in a `.gitattributes` that only the stage has."""
    conversions: Conversions | None = None
    """What else git does to contents."""

    def changes(self, path: PurePosixPath, data: bytes) -> bool:
        """Whether git is to have another content than this of a path. Raises GitError."""
        return path in self.names or (self.conversions is not None and self.conversions.changes(path, data))

    def encoding(self, path: PurePosixPath) -> str:
        """The encoding of a path in the work tree; empty for UTF-8."""
        about = self.conversions.attributes.get(path) if self.conversions else None
        return about.other_encoding if about else ""

    def clean(self, path: PurePosixPath, data: bytes) -> str:
        """Store a content as git is to have it; the blob's id. Raises FilterError."""
        command = ["-c", "core.safecrlf=false", "hash-object", "-w", "--stdin"]
        return self._run(path, "clean", [*command, b"--path=" + self.repository.to_git(path)], data).decode().strip()

    def smudge(self, path: PurePosixPath, blob: str) -> bytes:
        """A stored content as the work tree has it. Raises FilterError."""
        return self._run(path, "smudge", ["cat-file", "--filters", b"--path=" + self.repository.to_git(path), blob])

    def clean_bytes(self, path: PurePosixPath, data: bytes) -> bytes:
        """A content as git is to have it. Raises FilterError."""
        return run_git(["cat-file", "blob", self.clean(path, data)], cwd=self.repository.root)

    def smudge_bytes(self, path: PurePosixPath, form: bytes) -> bytes:
        """The content whose form this is; of nothing, nothing. Raises FilterError."""
        command = ["hash-object", "-w", "--no-filters", "--stdin"]
        return (
            self.smudge(path, run_git(command, cwd=self.repository.root, stdin=form).decode().strip()) if form else b""
        )

    def is_form(self, path: PurePosixPath, blob: str, data: bytes) -> bool:
        """Whether a blob is a content's own: a filter may make another one of the same content each time."""
        with suppress(FilterError):
            return self.smudge(path, blob) == data
        return False

    def is_set_up(self, path: PurePosixPath) -> bool:
        """Whether this clone knows the filter of a path."""
        return bool(self._drivers.get(self.names[path]))

    def _run(self, path: PurePosixPath, what: str, command: Sequence[str | bytes], data: bytes = b"") -> bytes:
        if path not in self.names:
            return self._convert(path, command, data)
        driver = self.names[path]
        if not self.is_set_up(path):
            problem = f"git is to filter it through {driver!r}, which is not set up in this clone"
            raise FilterError(problem, where=path, hint="set the filter up, or take the attribute away")
        if path in self.unseen:
            problem = f"git is to filter it through {driver!r}, by a .gitattributes that is not in the work tree"
            raise FilterError(problem, where=path, hint="bring it back: git restore .gitattributes")
        environment: dict[str, str] = {}
        if self._drivers[driver] & {what, "process"}:
            # Else git takes a content as it is when the filter fails.
            key = f"filter.{driver}.required"
            environment = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": key, "GIT_CONFIG_VALUE_0": "true"}
        try:
            return run_git(command, cwd=self.repository.root, stdin=data, env=environment)
        except GitError as error:
            problem = f"its filter {driver!r} failed: {error.problem}"
            raise FilterError(problem, where=path, hint="the next run tries again") from error

    def _convert(self, path: PurePosixPath, command: Sequence[str | bytes], data: bytes) -> bytes:
        if self.conversions and unseen_attributes(self.repository, [path], self.conversions.attributes):
            problem = "git is to convert it, by a .gitattributes that is not in the work tree"
            raise FilterError(problem, where=path, hint="bring it back: git restore .gitattributes")
        try:
            return run_git(command, cwd=self.repository.root, stdin=data)
        except GitError as error:
            hint = "save it so, or mend its attributes: git check-attr -a PATH"
            raise FilterError(f"git cannot convert it: {error.problem}", where=path, hint=hint) from error

    @cached_property
    def _drivers(self) -> Mapping[str, set[str]]:
        """What each driver of the user's configuration can do: `clean`, `smudge`, `process`."""
        command = ["config", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$"]
        found: dict[str, set[str]] = {}
        for record in os.fsdecode(run_git(command, cwd=self.repository.root, accept=(0, 1))).split("\0"):
            key, _, value = record.partition("\n")
            if value:
                found.setdefault(key.partition(".")[2].rpartition(".")[0], set()).add(key.rpartition(".")[2])
        return found


def find_filters(repository: Repository, paths: Iterable[PurePosixPath]) -> Filters:
    """Ask git which workspace paths have a filter, and which other attributes that change what git stores."""
    return filters_of(repository, read_attributes(repository, paths))


def filters_of(repository: Repository, known: Mapping[PurePosixPath, Attributes]) -> Filters:
    """The filters of paths whose attributes are known."""
    attributes = {path: one for path, one in known.items() if one != Attributes()}
    names = {path: one.filter for path, one in attributes.items() if one.filter not in _NO_NAME}
    return Filters(
        repository, names, unseen_attributes(repository, names, attributes), Conversions(repository, attributes)
    )


@dataclass
class Texts:
    """What is in the blobs of paths, also of those that git has in another form; each path is asked about once."""

    repository: Repository
    objects: ObjectReader
    known: Mapping[str, bytes] = field(default_factory=dict)
    """Contents by their blobs: those that git does not have yet."""
    _filters: dict[PurePosixPath, Filters] = field(default_factory=dict)

    def raw(self, blob: str) -> bytes:
        """The form that git has."""
        return self.known[blob] if blob in self.known else self.objects.read(blob).data

    def read(self, path: PurePosixPath, blob: str) -> bytes:
        """The content; the form where its filter is missing or fails."""
        if blob in self.known:
            return self.known[blob]
        if self.is_filtered(path):
            with suppress(FilterError):
                return self._filters[path].smudge(path, blob)
        return self.raw(blob)

    def is_filtered(self, path: PurePosixPath) -> bool:
        """Whether git has the file in another form."""
        if path not in self._filters:
            self._filters[path] = find_filters(self.repository, [path])
        return path in self._filters[path].names


class KnownForms:
    """What a filter made of which content before: else every file that has one would be filtered at every commit."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._forms: dict[str, list[str]] = {}
        with suppress(OSError, ValueError, AttributeError, TypeError):
            kept = json.loads((repository.own_dir / _KEPT).read_bytes())
            self._forms = {path: list(pair) for path, pair in kept.items()}
        self._before = dict(self._forms)

    def is_known(self, path: PurePosixPath, content: str, blob: str) -> bool:
        """Whether a content, by its own id, was filtered into a blob."""
        return self._forms.get(str(path)) == [content, blob]

    def add(self, path: PurePosixPath, content: str, blob: str) -> None:
        """Remember it."""
        self._forms[str(path)] = [content, blob]

    def save(self) -> None:
        """Keep what is new. Where git's folder cannot be written nothing is kept."""
        if self._forms != self._before:
            folder, temporary = self._repository.own_dir, f"{_KEPT}.{os.getpid()}"
            with suppress(OSError):
                folder.mkdir(exist_ok=True)
                write_atomic(folder, _KEPT, json.dumps(self._forms).encode(), temporary=temporary)
