"""Files of the memory that git has and keeps out of the work tree: who reads the memory reads them from the stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath

from memsite.errors import GitError
from memsite.memory.snapshot import Blob
from memsite.repo.files import read_file
from memsite.repo.filters import Texts
from memsite.repo.membership import membership
from memsite.repo.objects import FILE_MODE, PROGRAM_MODE, object_reader
from memsite.repo.scan import LARGEST, TOO_LARGE
from memsite.repo.sparse import sparse_files
from memsite.repo.stage import read_stage
from memsite.repo.workspace import Workspace


def hidden_blobs(workspace: Workspace, among: Sequence[PurePosixPath] = ()) -> dict[PurePosixPath, str]:
    """Blob ids by workspace path: `among` these paths and folders, else of the whole memory. None without git."""
    if workspace.git_root is None or workspace.git_problem is not None:
        return {}
    members = membership(workspace.config)
    with suppress(GitError):  # what is on disk can be read all the same
        paths = sparse_files(workspace, among or (members.memory, *sorted(members.include)))
        staged = read_stage(workspace.require_repository(), sorted(filter(members.has, paths)))
        entries = {path: one.entry for path, one in staged.items()}
        return {path: one.id for path, one in entries.items() if one and one.mode in (FILE_MODE, PROGRAM_MODE)}
    return {}


def read_hidden(workspace: Workspace, among: Sequence[PurePosixPath] = ()) -> Mapping[PurePosixPath, Blob | str]:
    """As `hidden_blobs`, with what is in them, or why that cannot be had."""
    blobs = hidden_blobs(workspace, among)
    if not blobs:
        return {}
    repository = workspace.require_repository()
    with object_reader(repository.root) as objects:
        texts = Texts(repository, objects)
        return {path: _read(texts, path, blob) for path, blob in blobs.items()}


def current_names(workspace: Workspace, folder: PurePosixPath) -> frozenset[str]:
    """The names in one folder, those of hidden files too."""
    place = workspace.root / folder
    there = (file.name for file in place.iterdir()) if place.is_dir() else ()
    return frozenset((*there, *(path.name for path in hidden_blobs(workspace, (folder,)) if path.parent == folder)))


def read_current_file(workspace: Workspace, path: PurePosixPath) -> bytes | None:
    """The bytes of one file, on disk or hidden; None where there is none. Raises UnsafePathError on links."""
    data = read_file(workspace.root, path)
    if data is None:
        found = read_hidden(workspace, (path,)).get(path)
        return found.data if isinstance(found, Blob) else None
    return data


def _read(texts: Texts, path: PurePosixPath, blob: str) -> Blob | str:
    try:
        data = texts.read(path, blob)
    except GitError as error:
        return f"is kept out of the work tree, and git does not have it: {error.problem}"
    return Blob(blob, data) if len(data) <= LARGEST else TOO_LARGE
