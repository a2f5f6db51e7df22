"""`sync`: what other machines pushed comes here, what is here goes there; nothing of either side is lost.

The merge is made in git's object store first. Only a merge without conflicts reaches the branch and the work tree, in
one step: there is never a half-merged work tree, and a refusal leaves everything as it was.
"""

from __future__ import annotations

import os
import shlex
import time
from datetime import datetime
from pathlib import Path, PurePosixPath

from memsite.errors import GitError, RefusedError
from memsite.memory.renumbering import Renumbered
from memsite.repo.adopt import InTheWayError, StaleError, adopt, read_head, recover
from memsite.repo.commit import read_identity
from memsite.repo.delivery import Committed
from memsite.repo.gitcmd import run_git
from memsite.repo.guard import Violation, check_commits
from memsite.repo.membership import membership
from memsite.repo.pending import commit_pending
from memsite.repo.settle import settle_generations
from memsite.repo.state import blocked_reason
from memsite.repo.tree_merge import TreeMerge, merge_trees, shown_conflicts
from memsite.repo.upstream import Upstream, fetch, find_upstream, push
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass, field

_ATTEMPTS = 6
_PAUSE = 0.2
"""Seconds to wait, times the number of the attempt, when another was faster."""


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What a sync did."""

    head: str
    """The commit that the branch and the remote's branch are at now."""
    upstream: str
    """The remote's branch: `origin/main`."""
    committed: tuple[Committed, ...] = ()
    """What was pending before."""
    received: int = 0
    """Commits of others that are new here."""
    sent: int = 0
    """Commits that are new there, merges included."""
    renumbered: tuple[Renumbered, ...] = ()
    """Generations of ours that have another number now."""


def sync(workspace: Workspace, *, now: datetime, remote: str | None = None, program: Path | None = None) -> SyncResult:
    """Commit what is pending, fetch, merge, push; again when another machine pushed in between.

    `now` (aware) dates the commits; `remote` names another remote than the branch follows; `program` is the `memsite`
    command that merges files (None: the merge driver as it is installed). Raises RefusedError, with nothing half done,
    without a remote or upstream, for conflicts, for changes of the user's that are in the way, for what must not be
    pushed; PendingError when git is busy or in the middle of something; GitError when the remote cannot be reached.
    """
    repository = workspace.require_repository()
    recover(repository)
    committed = commit_pending(workspace, now=now)
    _check_state(repository)
    run = _Run(workspace, repository, find_upstream(repository, remote), now, program, committed)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            head = run.attempt()
        except (StaleError, InTheWayError) as error:
            if attempt == _ATTEMPTS or not run.may_pass(error):
                raise
            head = None
        if head is not None:
            return run.result(head)
        time.sleep(_PAUSE * attempt)
    raise RefusedError("other machines keep pushing", where=run.upstream.shown, hint="run `memsite sync` again")


def _check_state(repository: Repository) -> None:
    if reason := blocked_reason(repository, read_head(repository)):
        raise RefusedError(reason, where=repository.root, hint="run `memsite sync` after it")


@dataclass(slots=True)
class _Run:
    """One `sync`, over all its attempts."""

    workspace: Workspace
    repository: Repository
    upstream: Upstream
    now: datetime
    program: Path | None
    committed: tuple[Committed, ...]
    received: int = 0
    sent: int = 0
    renumbered: tuple[Renumbered, ...] = ()
    made: set[str] = field(default_factory=set)
    """Merges of this very run."""

    def attempt(self) -> str | None:
        """One round; the commit that both sides have at its end, None when another machine pushed meanwhile."""
        theirs = fetch(self.repository, self.upstream)
        ours = self._head()
        if theirs is not None and not self._has(ours, theirs):
            ours = self._merge(ours, theirs)
        if ours == theirs:
            return ours
        self._check(ours, theirs)
        count = self._count(ours, theirs)
        if not push(self.repository, self.upstream, ours):
            return None
        self.sent += count
        return ours

    def may_pass(self, error: StaleError | InTheWayError) -> bool:
        """Whether another attempt may do: an agent wrote a note just now, which can be committed first."""
        if isinstance(error, InTheWayError):
            path = self.repository.from_git((error.where or "").encode("utf-8", "surrogateescape"))
            if path is None or not membership(self.workspace.config).has(path):
                return False
        made = commit_pending(self.workspace, now=self.now)
        self.committed += made
        return bool(made) or isinstance(error, StaleError)

    def result(self, head: str) -> SyncResult:
        """What was done."""
        return SyncResult(head, self.upstream.shown, self.committed, self.received, self.sent, self.renumbered)

    def _merge(self, ours: str, theirs: str) -> str:
        """Bring their commits here; the new HEAD."""
        settled = settle_generations(self.workspace, ours, theirs)
        message = f"sync: merge {self.upstream.shown}"
        new = theirs
        if not self._has(theirs, settled.tip):
            merged = self._merged(settled.tip, theirs)
            if merged.conflicts:
                self._adopt(ours, settled.tip, "sync: renumber generations")
                raise self._conflict(merged.conflicts)
            new = self._commit(merged.tree, (settled.tip, theirs), message)
            self.made.add(new)
        self._adopt(ours, new, message)
        self.renumbered += settled.renumbered
        self.received += self._count(theirs, ours)
        return new

    def _merged(self, ours: str, theirs: str) -> TreeMerge:
        try:
            return merge_trees(self.workspace, ours, theirs, self.program)
        except GitError as error:
            if "unrelated histories" not in error.problem:
                raise
            problem = "the memory here and the one there were begun apart: they have no commit in common"
            command = f"git merge --allow-unrelated-histories {self.upstream.shown}"
            hint = f"to make them one: {command}, then `memsite sync`"
            raise RefusedError(problem, where=self.upstream.shown, hint=hint) from error

    def _adopt(self, ours: str, new: str, message: str) -> None:
        if new != ours:
            adopt(self.repository, ours, new, message)

    def _conflict(self, paths: tuple[PurePosixPath, ...]) -> RefusedError:
        hint = f"nothing was merged; do it by hand: git merge {self.upstream.shown}, then `memsite sync` again"
        return RefusedError(f"both sides changed {shown_conflicts(paths)}", where=self.upstream.shown, hint=hint)

    def _check(self, ours: str, theirs: str | None) -> None:
        """Hold all that is to be pushed against the rules of the memory, as the pre-push hook does.

        Only the merges just made are not looked at: they bring what the remote has already.
        """
        remotes = run_git(["for-each-ref", "--format=^%(objectname)", "refs/remotes/"], cwd=self.repository.root)
        known = [f"^{theirs}"] if theirs else remotes.decode().split()
        found = check_commits(self.workspace, [ours, *known], without=self.made)
        errors = [one for one in found if not one.warning]
        if errors:
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            raise RefusedError(f"nothing was pushed: {errors[0]}{more}", hint=self._way_out(errors[0], theirs))

    def _way_out(self, error: Violation, theirs: str | None) -> str:
        """The commands that make the unpushed commits again, as one, without what must not leave this machine."""
        path = shlex.quote(os.fsdecode(self.repository.to_git(error.path)))
        add = f"git add {path} && git commit --amend --no-edit"
        if theirs is None:
            return f"mend {path}, then rewrite the commit: git rebase -i {error.commit[:10]}^ (mark it `edit`), {add}"
        again = f"git reset --soft {self.upstream.shown} && git add {path} && git commit -m 'memory: unpushed work'"
        return f"mend {path}, then make the unpushed commits one: {again}; then `memsite sync`"

    def _head(self) -> str:
        head = read_head(self.repository)
        if head is None:
            raise StaleError("HEAD moved", where=self.repository.root)
        return head.id

    def _has(self, commit: str, other: str) -> bool:
        """Whether a commit contains another."""
        missing = run_git(["rev-list", "-1", other, f"^{commit}"], cwd=self.repository.root)
        return not missing.strip()

    def _count(self, commit: str, known: str | None) -> int:
        without = [f"^{known}"] if known else ["--not", f"--remotes={self.upstream.remote}"]
        return int(run_git(["rev-list", "--count", commit, *without], cwd=self.repository.root))

    def _commit(self, tree: str, parents: tuple[str, str], message: str) -> str:
        identity = read_identity(self.repository)
        moment = b"%d %s" % (int(self.now.timestamp()), self.now.strftime("%z")[:5].encode())
        lines = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
        lines += [b"author %s %s" % (identity, moment), b"committer %s %s" % (identity, moment), b""]
        data = b"\n".join([*lines, message.encode(), b""])
        command = ["hash-object", "-t", "commit", "-w", "--stdin"]
        return run_git(command, cwd=self.repository.root, stdin=data).decode().strip()
