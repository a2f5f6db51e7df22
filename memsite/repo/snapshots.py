"""The memory as a Snapshot: of the work tree, of any commit, of the end of any day."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.errors import GitError, WorkspaceError
from memsite.memory.names import parse_date
from memsite.memory.snapshot import Blob, Snapshot, Unreadable
from memsite.repo.gitcmd import run_git
from memsite.repo.hidden import hidden_blobs, read_hidden
from memsite.repo.known_files import KnownFiles
from memsite.repo.membership import Membership, membership
from memsite.repo.objects import LINK_MODE, MODULE_MODE, ObjectReader, TreeEntry, object_id, object_reader
from memsite.repo.runner import open_repo
from memsite.repo.scan import LARGEST, TOO_LARGE, Content, Known, scan_files
from memsite.repo.workspace import Repository, Workspace

_MOST_LINKS = 8


def read_worktree(workspace: Workspace) -> Snapshot:
    """The memory as it is on disk. What cannot be read comes back as Unreadable; nothing raises but a lost folder."""
    return _snapshot(*_read_disk(workspace))


def read_current(workspace: Workspace) -> Snapshot:
    """The memory as it is now, as `read_worktree` has it, with the files that git keeps out of the work tree."""
    files, unreadable = _read_disk(workspace)
    for path, found in read_hidden(workspace).items():
        if isinstance(found, Blob):
            files.setdefault(path, found)
        else:
            unreadable.append(Unreadable(path, found))
    return _snapshot(files, unreadable)


def _read_disk(workspace: Workspace) -> tuple[dict[PurePosixPath, Blob], list[Unreadable]]:
    files: dict[PurePosixPath, Blob] = {}
    unreadable: list[Unreadable] = []
    for name, found in scan_files(workspace.root, membership(workspace.config)):
        if isinstance(found, Content):
            blob = object_id("blob", found.data, workspace.object_format)
            files[PurePosixPath(name)] = Blob(blob, found.data)
        elif isinstance(found, str):
            unreadable.append(Unreadable(PurePosixPath(name), found))
    return files, [*unreadable, *_index_folder(workspace)]


@dataclass(frozen=True, slots=True)
class CurrentIds:
    """The memory as it is now by names alone."""

    blobs: Mapping[str, str]
    """Blob ids by workspace path, names that are not UTF-8 included."""
    unreadable: tuple[Unreadable, ...]
    """As `read_current` has it."""


def identify_current(workspace: Workspace) -> CurrentIds:
    """What `read_current` would read, without reading what is known to be as it was. Raises as it does."""
    repository = workspace.require_repository()
    known = KnownFiles(repository, workspace.root)
    blobs: dict[str, str] = {}
    unreadable = [*_index_folder(workspace)]
    for name, found in scan_files(workspace.root, membership(workspace.config), known.find):
        match found:
            case Known(blob):
                blobs[name] = blob
            case Content(data, status):
                blobs[name] = object_id("blob", data, workspace.object_format)
                if status is not None:
                    known.add(name, status, blobs[name])
            case reason:
                unreadable.append(Unreadable(PurePosixPath(name), reason))
    known.save()
    blobs = {str(path): blob for path, blob in hidden_blobs(workspace).items()} | blobs
    return CurrentIds(blobs, _told(unreadable, (PurePosixPath(name) for name in blobs if not _is_utf8(name))))


def _index_folder(workspace: Workspace) -> Iterator[Unreadable]:
    """A folder in the place of the index, which a reader of files alone would take for no index."""
    path = workspace.config.index_path
    if (workspace.root / path).is_dir() and not (workspace.root / path).is_symlink():
        yield Unreadable(path, "is a folder")


def read_commit(workspace: Workspace, revision: str) -> Snapshot:
    """The memory as a commit has it. Raises GitError when there is no such commit, WorkspaceError: no repository."""
    repository = workspace.require_repository()
    commit = _commit_id(repository, revision)
    entries = read_entries(repository, membership(workspace.config), commit)
    with object_reader(repository.root) as objects:
        tree = _CommitTree(objects, entries, membership(workspace.config))
        files: dict[PurePosixPath, Blob] = {}
        unreadable: list[Unreadable] = []
        for path in sorted(entries):
            blob = tree.blob(path)
            if isinstance(blob, str):
                unreadable.append(Unreadable(path, blob))
            elif blob is not None:
                files[path] = blob
    return _snapshot(files, unreadable)


def resolve_revision(workspace: Workspace, text: str) -> str:
    """The id of a commit: of a revision as git understands it, or of the last one at the end of a day (`YYYY-MM-DD`,
    in the workspace's zone, along HEAD's own line). Raises GitError or WorkspaceError when there is none.
    """
    repository = workspace.require_repository()
    day = parse_date(text)
    if day is None:
        return _commit_id(repository, text)
    end = datetime.combine(day + timedelta(days=1), time(), workspace.config.zone())
    # `--min-age` takes seconds since 1970 as they are; git's date parser would guess.
    arguments = ["rev-list", "-1", "--first-parent", f"--min-age={int(end.timestamp()) - 1}", "HEAD", "--"]
    answer = run_git(arguments, cwd=repository.root).decode().strip()
    if not answer:
        problem = "this clone is too shallow for that day" if repository.is_shallow else "there was no commit by then"
        raise WorkspaceError(problem, where=text, hint="choose a later day")
    return answer


def read_blobs(workspace: Workspace, ids: Iterable[str]) -> dict[str, bytes]:
    """Contents of blobs by id. Ids that the repository lacks, or that name no blob, are left out."""
    with object_reader(workspace.require_repository().root) as objects:
        found = ((name, objects.find(name)) for name in dict.fromkeys(ids) if name.isalnum())
        return {name: one.data for name, one in found if one is not None and one.kind == "blob"}


def read_entries(repository: Repository, members: Membership, commit: str) -> dict[PurePosixPath, TreeEntry]:
    """What a commit's tree has for the memory: files and links by workspace path; submodules are left out."""
    arguments = ("-r", "-z", "--full-tree", commit, "--", *members.pathspecs(repository))
    with open_repo(repository) as repo:
        listing: bytes = repo.git.ls_tree(*arguments, stdout_as_string=False)
    return parse_listing(repository, members, listing)


def parse_listing(repository: Repository, members: Membership, listing: bytes) -> dict[PurePosixPath, TreeEntry]:
    """The records of `ls-tree -r -z` that belong to the memory."""
    entries: dict[PurePosixPath, TreeEntry] = {}
    for record in listing.split(b"\0"):
        about, _, name = record.partition(b"\t")
        path = repository.from_git(name) if name else None
        if path is not None and members.has(path):
            mode, _, blob = about.decode().split(" ")
            if mode != MODULE_MODE:
                entries[path] = TreeEntry(mode, blob)
    return entries


class _CommitTree:
    """The files of one commit, links followed inside of it."""

    def __init__(
        self,
        objects: ObjectReader,
        entries: Mapping[PurePosixPath, TreeEntry],
        members: Membership,
    ) -> None:
        self._objects = objects
        self._entries = entries
        self._members = members
        self._folders = {parent for path in entries for parent in path.parents}

    def blob(self, path: PurePosixPath) -> Blob | str:
        """The file at a path, or why there is none to show."""
        for _ in range(_MOST_LINKS):
            entry = self._entries[path]
            data = self._objects.read(entry.id).data
            if entry.mode != LINK_MODE:
                return Blob(entry.id, data) if len(data) <= LARGEST else TOO_LARGE
            target = PurePosixPath(posixpath.normpath(path.parent / os.fsdecode(data)))
            reason = self._why_not(target)
            if reason:
                return reason
            path = target
        return "is a symbolic link in a circle"

    def _why_not(self, target: PurePosixPath) -> str:
        if target.is_absolute() or ".." in target.parts or not self._members.has(target):
            return "is a symbolic link out of the memory"
        if target in self._folders:
            return "is a symbolic link to a folder"
        return "" if target in self._entries else "is a symbolic link to nothing"


def _commit_id(repository: Repository, revision: str) -> str:
    try:
        arguments = ["rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{commit}}"]
        return run_git(arguments, cwd=repository.root).decode().strip()
    except (GitError, ValueError) as error:
        # ValueError: a NUL in it, which no command line can carry.
        shown = ascii(revision) if not revision.isprintable() else revision
        raise GitError(f"{shown!r} names no commit", where=repository.root, hint="see `git log`") from error


def _snapshot(files: Mapping[PurePosixPath, Blob], unreadable: Iterable[Unreadable]) -> Snapshot:
    ordered = sorted(files)
    unnamed = {path: files[path] for path in ordered if not _is_utf8(str(path))}
    return Snapshot(
        MappingProxyType({path: files[path] for path in ordered if path not in unnamed}),
        _told(unreadable, unnamed),
        MappingProxyType(unnamed),
    )


def _told(unreadable: Iterable[Unreadable], unnamed: Iterable[PurePosixPath]) -> tuple[Unreadable, ...]:
    told = [*unreadable, *(Unreadable(path, "git has it, no page can") for path in unnamed)]
    return tuple(sorted(map(_named, told), key=lambda one: (one.path, one.reason)))


def _is_utf8(name: str) -> bool:
    return name.isascii() or not any("\ud800" <= char <= "\udfff" for char in name)


def _named(one: Unreadable) -> Unreadable:
    """With a name that every text can hold, and the real one in words."""
    if _is_utf8(str(one.path)):
        return one
    name = os.fsencode(one.path)
    escaped = name.decode("utf-8", "backslashreplace")
    reason = f"the name {escaped} is not UTF-8 ({one.reason}); rename it"
    return Unreadable(PurePosixPath(name.decode("utf-8", "replace")), reason)
