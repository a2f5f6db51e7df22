"""One name for a memory, its work tree and its history: while that is the same, so is everything made from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from memsite.memory.snapshot import Snapshot, Unreadable
from memsite.repo.audience import purges_of, read_purges_text
from memsite.repo.history import History, head_commit, shallow_boundary
from memsite.repo.snapshots import identify_current
from memsite.repo.workspace import Workspace

if TYPE_CHECKING:  # a build that has nothing to do does without it
    from memsite.repo.veil import Veil


def current_state(workspace: Workspace) -> str:
    """The state as it is now, without reading what is known to be as it was; empty where nobody can tell.

    Raises GitError, and WorkspaceError without a repository.
    """
    found = identify_current(workspace)
    tip = head_commit(workspace.require_repository()) or ""
    return _name(workspace, found.blobs, found.unreadable, tip)


def state_of(workspace: Workspace, snapshot: Snapshot, history: History) -> str:
    """The state that a snapshot of the work tree and the history of HEAD were read from."""
    if workspace.git_root is None:
        return ""
    blobs = {str(path): blob.id for path, blob in {**snapshot.files, **snapshot.unnamed}.items()}
    return _name(workspace, blobs, snapshot.unreadable, history.tip)


def veiled_state(snapshot: Snapshot, history: History, veil: Veil) -> str:
    """A name for what others see of a memory: a text that is redacted has an id of its own, so that nothing else can
    differ where this does not, but for settings and program.
    """
    about = (snapshot.unreadable, sorted(veil.values.items()), history.shallow, history.commits)
    state = sha256(repr(about).encode("utf-8", "surrogatepass"))
    for path, blob in sorted(snapshot.files.items()):
        state.update(f"{path}\0{blob.id}\0".encode("utf-8", "surrogatepass"))
    return state.hexdigest()


def _name(workspace: Workspace, blobs: Mapping[str, str], unreadable: Iterable[Unreadable], tip: str) -> str:
    state = sha256()
    boundary = sorted(shallow_boundary(workspace.require_repository()))
    reasons = [(str(one.path), one.reason) for one in unreadable]
    purged = (read_purges_text(workspace.root), purges_of(workspace))
    about = (str(workspace.root), workspace.config, tip, boundary, reasons, purged)
    state.update(repr(about).encode("utf-8", "surrogatepass"))
    for path in sorted(blobs):
        state.update(f"{path}\0{blobs[path]}\0".encode("utf-8", "surrogatepass"))
    return state.hexdigest()
