"""The memory as a Snapshot: of the work tree, of any commit, of the end of any day."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, time, timedelta
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.errors import GitError, UnsafePathError, WorkspaceError
from memsite.memory.cutting import cut_file, cut_text
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
from memsite.safety.paths import read_below
from memsite.values import dataclass

_MOST_LINKS = 8


def read_worktree(workspace: Workspace, *, whole: bool = True) -> Snapshot:
    """The memory as it is on disk. What cannot be read comes back as Unreadable; nothing raises but a lost folder.

    Texts that are too long are cut (`cut_file`) unless they are wanted `whole`.
    """
    return _snapshot(*_read_disk(workspace, whole=whole))


def read_current(workspace: Workspace, *, whole: bool = True) -> Snapshot:
    """The memory as it is now, as `read_worktree` has it, with the files that git keeps out of the work tree."""
    files, unreadable = _read_disk(workspace, whole=whole)
    for path, found in read_hidden(workspace).items():
        if isinstance(found, Blob):
            files.setdefault(path, found if whole else cut_file(path, found, workspace.config))
        else:
            unreadable.append(Unreadable(path, found))
    return _snapshot(files, unreadable)


def _read_disk(workspace: Workspace, *, whole: bool) -> tuple[dict[PurePosixPath, Blob], list[Unreadable]]:
    files: dict[PurePosixPath, Blob] = {}
    unreadable: list[Unreadable] = []
    for name, found in scan_files(workspace.root, membership(workspace.config)):
        if isinstance(found, Content):
            path, blob = PurePosixPath(name), Blob(object_id("blob", found.data, workspace.object_format), found.data)
            files[path] = blob if whole else cut_file(path, blob, workspace.config)
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


def read_commit(workspace: Workspace, revision: str, *, whole: bool = True) -> Snapshot:
    """The memory as a commit has it, long texts as in `read_worktree`.

    Raises GitError when there is no such commit, WorkspaceError: no repository.
    """
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
            else:
                files[path] = blob if whole else cut_file(path, blob, workspace.config)
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
    """Contents of blobs by id. Ids that the repository lacks, that name no blob or one that no page can show (LARGEST),
    are left out."""
    return {blob.id: blob.data for blob in _iter_blobs(workspace, ids)}


def read_texts(workspace: Workspace, ids: Iterable[str]) -> dict[str, Blob]:
    """As `read_blobs`, as texts: those that are too long are cut."""
    return {blob.id: cut_text(blob) for blob in _iter_blobs(workspace, ids)}


class TextReader:
    """`read_texts`, with a git child for each call, or with one for all while it is `kept`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._open: ExitStack | None = None
        self._objects: ObjectReader | None = None

    def __call__(self, ids: Iterable[str]) -> dict[str, Blob]:
        """As `read_texts`."""
        if self._open is None:
            return read_texts(self._workspace, ids)
        try:
            if self._objects is None:
                root = self._workspace.require_repository().root
                self._objects = self._open.enter_context(object_reader(root))
            return {blob.id: cut_text(blob) for blob in _find_blobs(self._objects, ids)}
        except GitError:
            self._open = self._objects = None  # what has failed once answers nobody else
            raise

    @contextmanager
    def kept(self) -> Iterator[None]:
        """One git child for all that is read inside, begun by who reads first."""
        if self._workspace.git_root is None:
            yield
            return
        with ExitStack() as self._open:
            try:
                yield
            finally:
                self._open = self._objects = None


def read_whole(workspace: Workspace, snapshot: Snapshot, blob: str) -> bytes:
    """All of a text that is cut: from git, or of a file that is in no commit yet, from the work tree."""
    if workspace.git_root is not None and (found := read_blobs(workspace, [blob]).get(blob)) is not None:
        return found
    for path in (path for path, one in snapshot.files.items() if one.id == blob):
        with suppress(OSError, UnsafePathError):
            data = read_below(workspace.root, path)
            if object_id("blob", data, workspace.object_format) == blob:
                return data
    return b"This text has changed while the site was built.\n"


def _iter_blobs(workspace: Workspace, ids: Iterable[str]) -> Iterator[Blob]:
    with object_reader(workspace.require_repository().root) as objects:
        yield from _find_blobs(objects, ids)


def _find_blobs(objects: ObjectReader, ids: Iterable[str]) -> Iterator[Blob]:
    for name in dict.fromkeys(ids):
        found = objects.find(name, most=LARGEST) if name.isalnum() else None
        if found is not None and found.kind == "blob" and found.size <= LARGEST:
            yield Blob(name, found.data)


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
            found = self._objects.read(entry.id, most=LARGEST)
            if entry.mode != LINK_MODE:
                return Blob(entry.id, found.data) if found.size <= LARGEST else TOO_LARGE
            target = PurePosixPath(posixpath.normpath(path.parent / os.fsdecode(found.data)))
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
