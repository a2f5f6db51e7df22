"""What a range of commits changes in the memory, as others may see it: both ends as snapshots behind one veil."""

from __future__ import annotations

from collections.abc import Sequence

from memsite.counting import counted
from memsite.errors import RefusedError
from memsite.memory.cutting import cut_file
from memsite.memory.snapshot import Snapshot
from memsite.repo.audience import Audience
from memsite.repo.changes import commits_in, range_ends
from memsite.repo.commits import Commit
from memsite.repo.gitcmd import run_git
from memsite.repo.history import History, head_commit, read_history
from memsite.repo.snapshots import read_commit
from memsite.repo.veil import Veil, draw_veil
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass, replace

SHALLOW_HINT = (
    "git fetch --unshallow; in CI fetch the whole history: `fetch-depth: 0` for GitHub's and Forgejo's checkout, "
    '`GIT_DEPTH: "0"` on GitLab'
)


@dataclass(frozen=True)
class MemoryRange:
    """Both ends of a range of commits, without what the public must not see."""

    old: Snapshot
    """The memory where the range branches off."""
    new: Snapshot
    """The memory at its end."""
    commits: tuple[Commit, ...]
    """Those of the range that change the memory, newest first."""
    withheld: bool
    """Whether the range also changes what is left out."""
    veil: Veil


def require_full_history(workspace: Workspace) -> Repository:
    """The repository. Raises RefusedError for a clone that was cut off: what was found in the past is hidden in every
    version, and nobody could tell what was found in a past that is not there."""
    repository = workspace.require_repository()
    if repository.is_shallow:
        raise RefusedError("is a shallow clone, without the history", where=workspace.root, hint=SHALLOW_HINT)
    return repository


def read_range(workspace: Workspace, revisions: str) -> MemoryRange:
    """What a range (`A..B`, or `B` for all that leads to it) changes, by today's settings, marks and purges.

    What the commits between changed and changed back is no difference; B is compared with where it branched off from
    A. Raises RefusedError for a shallow clone and for a range with several ends, GitError for what git does not know.
    """
    repository = require_full_history(workspace)
    ids = commits_in(repository, revisions)
    tips, known = range_ends(repository, [revisions])
    if len(tips) != 1:
        ends = counted(len(tips), "end") if tips else "no end"
        raise RefusedError(f"{revisions!r} has {ends}", hint="name one: A..B")
    tip, base = tips[0], _branched_off(repository, tips[0], known)
    raw_old = read_commit(workspace, base) if base else Snapshot()
    raw_new = read_commit(workspace, tip)
    current, history = _known_today(workspace, repository, tip, raw_new)
    veil = draw_veil(workspace, Audience.PUBLIC, current, history)
    shown = veil.history(history).commits
    return MemoryRange(
        _shown(workspace, veil, raw_old),
        _shown(workspace, veil, raw_new),
        tuple(commit for commit in shown if commit.id in ids),
        _withholds(veil, raw_old, raw_new),
        veil,
    )


def _branched_off(repository: Repository, tip: str, known: Sequence[str]) -> str | None:
    if not known:
        return None
    answer = run_git(["merge-base", "--end-of-options", tip, *known], cwd=repository.root, accept=(0, 1))
    return answer.decode().strip() or None


def _known_today(
    workspace: Workspace, repository: Repository, tip: str, snapshot: Snapshot
) -> tuple[Snapshot, History]:
    """The memory as it is today, and all that is known of its past: what is hidden there is hidden in the range.

    A range of a branch that is not merged is the newest; its own past and HEAD's are both looked at.
    """
    of_head, of_tip = read_history(workspace), read_history(workspace, tip)
    head = head_commit(repository)
    if (
        head is not None
        and run_git(["merge-base", tip, head], cwd=repository.root, accept=(0, 1)).decode().strip() == tip
    ):
        return read_commit(workspace, head), of_head
    seen = {commit.id for commit in of_tip.commits}
    elsewhere = tuple(commit for commit in of_head.commits if commit.id not in seen)
    return snapshot, replace(of_tip, commits=(*elsewhere, *of_tip.commits))


def _shown(workspace: Workspace, veil: Veil, snapshot: Snapshot) -> Snapshot:
    shown = veil.snapshot(snapshot)
    return replace(shown, files={path: cut_file(path, blob, workspace.config) for path, blob in shown.files.items()})


def _withholds(veil: Veil, old: Snapshot, new: Snapshot) -> bool:
    """Whether a difference between both ends is hidden: something came that others do not see, or went."""
    for path in {*old.files, *new.files}:
        before, after = (one.files[path].id if path in one.files else None for one in (old, new))
        if veil.hides_change(path, before, after) or veil.hides_change(path, after, before):
            return True
    return False
