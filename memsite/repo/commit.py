"""Commits made in memory: drafts on top of HEAD become blobs, trees and commits before anything is moved."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import PurePosixPath

from memsite.errors import GitError, UnsafePathError
from memsite.repo.begun import ask_committer
from memsite.repo.filters import Filters
from memsite.repo.gitcmd import RunningGit, run_git
from memsite.repo.objects import (
    FILE_MODE,
    PROGRAM_MODE,
    TREE_MODE,
    GitObject,
    ObjectReader,
    TreeEntry,
    format_tree,
    object_id,
    parse_tree,
)
from memsite.repo.workspace import Repository
from memsite.values import dataclass, field, replace

OWN_IDENTITY = b"memsite <memsite@localhost>"
"""Who commits where the user has told git no name of theirs."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One commit to be: the whole new content of each file, None where it is deleted."""

    message: str
    files: Mapping[PurePosixPath, bytes | None]
    """By workspace-relative path."""


@dataclass(frozen=True, slots=True)
class Made:
    """A commit that is stored, or about to be."""

    id: str
    draft: Draft
    paths: tuple[PurePosixPath, ...]
    """The files that it really changes."""


@dataclass
class Branch:
    """HEAD's tree, and what is made on top of it."""

    repository: Repository
    reader: ObjectReader
    filters: Filters
    """Of the files that may be committed."""
    head: str | None = None
    """None: no commit yet."""
    objects: dict[str, GitObject] = field(default_factory=dict)
    _tip: str | None = None
    _tree: str | None = None
    _trees: dict[str, dict[bytes, TreeEntry]] = field(default_factory=dict)
    """Folders that were looked at, parsed."""

    def start(self) -> None:
        """Take HEAD as it is now; forget what was made on an earlier one."""
        commit = self.reader.find("HEAD")
        self.objects = {}
        self.head = self._tip = commit.id if commit else None
        self._tree = _tree_of(commit.data) if commit else None

    def entry(self, path: PurePosixPath) -> TreeEntry | None:
        """What the newest tree has at a workspace path; None for nothing, or a folder."""
        current = TreeEntry(TREE_MODE, self._tree) if self._tree else None
        for part in self._parts(path):
            if current is None or current.mode != TREE_MODE:
                return None
            current = self._tree_entries(current.id).get(part)
        return None if current is None or current.mode == TREE_MODE else current

    def content(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file in the newest tree, as the work tree has them. Raises FilterError."""
        entry = self.entry(path)
        return self.read(path, entry.id) if entry else None

    def read(self, path: PurePosixPath, blob: str) -> bytes:
        """A version of a file, as the work tree has it. Raises FilterError."""
        has_form = path in self.filters.names or self.filters.encoding(path)
        return self.filters.smudge(path, blob) if has_form else self._object(blob).data

    def add_blob(self, path: PurePosixPath, data: bytes) -> str:
        """Keep a version of a file to be stored, as git is to have it; its id. Raises FilterError."""
        return self.filters.clean(path, data) if self.filters.changes(path, data) else self._add("blob", data)

    def commit(self, draft: Draft, identity: bytes, now: datetime) -> Made | None:
        """Put a draft on top; None when it changes nothing. Raises GitError where a folder and a file collide."""
        edits = {path: self._edit(path, data) for path, data in draft.files.items()}
        changed = {path: edit for path, edit in edits.items() if edit != self.entry(path)}
        if not changed:
            return None
        tree = self._apply(self._tree, {self._parts(path): edit for path, edit in changed.items()})
        self._tree = tree or self._add("tree", b"")
        if changed.keys() & self.filters.names.keys():
            draft = replace(draft, message=_discreet(draft.message, changed))
        self._tip = self._add("commit", _format_commit(self._tree, self._tip, identity, now, draft.message))
        return Made(self._tip, draft, tuple(changed))

    def _parts(self, path: PurePosixPath) -> tuple[bytes, ...]:
        parts = tuple(self.repository.to_git(path).split(b"/"))
        if any(part in (b"", b".", b"..") or part.lower() == b".git" for part in parts):
            raise UnsafePathError("leads out of the work tree", where=ascii(str(path)), hint="use a path below it")
        return parts

    def _edit(self, path: PurePosixPath, data: bytes | None) -> TreeEntry | None:
        if data is None:
            return None
        old = self.entry(path)
        mode = self._mode(path, old.mode if old and old.mode in (FILE_MODE, PROGRAM_MODE) else FILE_MODE)
        is_same = old and path in self.filters.names and self.filters.is_form(path, old.id, data)
        return TreeEntry(mode, old.id if old and is_same else self.add_blob(path, data))

    def _mode(self, path: PurePosixPath, known: str) -> str:
        """The mode of a file: what it is on disk, unless the user's git is told not to believe that."""
        try:
            about = os.lstat(self.repository.root / os.fsdecode(self.repository.to_git(path)))
        except OSError:
            return known
        found = PROGRAM_MODE if about.st_mode & stat.S_IXUSR else FILE_MODE
        return found if stat.S_ISREG(about.st_mode) and found != known and self._has_modes else known

    @cached_property
    def _has_modes(self) -> bool:
        command = ["config", "--type=bool", "--get", "core.fileMode"]
        return run_git(command, cwd=self.repository.root, accept=(0, 1)).strip() != b"false"

    def _apply(self, tree: str | None, edits: Mapping[tuple[bytes, ...], TreeEntry | None]) -> str | None:
        """A tree with edits below it; None when nothing is left of it."""
        entries = dict(self._tree_entries(tree)) if tree else {}
        below: dict[bytes, dict[tuple[bytes, ...], TreeEntry | None]] = {}
        for (name, *rest), edit in edits.items():
            if rest:
                below.setdefault(name, {})[tuple(rest)] = edit
            else:
                _set(entries, name, edit)
        for name, inner in below.items():
            old = entries.get(name)
            if old and old.mode != TREE_MODE:
                raise GitError(f"{name.decode('utf-8', 'replace')!r} is a file in HEAD and a folder here")
            new = self._apply(old.id if old else None, inner)
            _set(entries, name, TreeEntry(TREE_MODE, new) if new else None)
        if not entries:
            return None
        made = self._add("tree", format_tree(entries))
        self._trees[made] = entries
        return made

    def _tree_entries(self, tree: str) -> dict[bytes, TreeEntry]:
        if tree not in self._trees:
            self._trees[tree] = parse_tree(self._object(tree).data, self.repository.object_format)
        return self._trees[tree]

    def _object(self, name: str) -> GitObject:
        return self.objects.get(name) or self.reader.read(name)

    def _add(self, kind: str, data: bytes) -> str:
        name = object_id(kind, data, self.repository.object_format)
        self.objects.setdefault(name, GitObject(name, kind, data))
        return name


def make_commits(branch: Branch, drafts: Sequence[Draft], identity: bytes, now: datetime) -> tuple[Made, ...]:
    """Drafts one on top of the other; those that change nothing are left out."""
    made = (branch.commit(draft, identity, now) for draft in drafts)
    return tuple(one for one in made if one is not None)


def read_identity(repository: Repository) -> bytes:
    """`Name <address>` of the user as git knows it, never one that git guesses from the machine; else memsite's own."""
    with ask_committer(repository) as git:
        return identity_of(git)


_SIGNALLED = 129
"""Exit codes below are git's own answers; others, and negative ones, say that it was ended."""


def identity_of(git: RunningGit) -> bytes:
    """What the git that `ask_committer` has started says; ours where nobody is named. Raises GitError where it died."""
    return git.answer(accept=range(_SIGNALLED)).rsplit(b" ", 2)[0] or OWN_IDENTITY


def _set(entries: dict[bytes, TreeEntry], name: bytes, edit: TreeEntry | None) -> None:
    if edit is None:
        entries.pop(name, None)
    elif edit.mode != TREE_MODE and name in entries and entries[name].mode == TREE_MODE:
        raise GitError(f"{name.decode('utf-8', 'replace')!r} is a folder in HEAD and a file here")
    else:
        entries[name] = edit


def _tree_of(commit: bytes) -> str:
    return commit[len(b"tree ") : commit.index(b"\n")].decode()


def _discreet(message: str, paths: Iterable[PurePosixPath]) -> str:
    """A message that tells no more than the names of the files: what is in them may be encrypted."""
    subject, *body = message.split("\n")
    if not subject.startswith("consolidate("):
        named = ", ".join(ascii(path.name)[1:-1] for path in sorted(paths))
        subject = f"{subject.partition(':')[0]}: {named}"
    return "\n".join([subject, *(line for line in body if not line or line.startswith(("day: ", "agent: ", "id: ")))])


def _format_commit(tree: str, parent: str | None, identity: bytes, now: datetime, message: str) -> bytes:
    moment = b"%d %s" % (int(now.timestamp()), now.strftime("%z")[:5].encode())
    text = message.strip("\n").replace("\0", " ").encode("utf-8", "replace")
    parents = [f"parent {parent}".encode()] if parent else []
    people = [b"author %s %s" % (identity, moment), b"committer %s %s" % (identity, moment)]
    return b"\n".join([f"tree {tree}".encode(), *parents, *people, b"", text, b""])
