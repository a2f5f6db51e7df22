"""The one way to write: plan under the lock, change the work tree, commit; or write down what git cannot take yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime
from errno import EAGAIN, EMFILE, ENFILE
from pathlib import PurePosixPath
from types import MappingProxyType

from memsite.errors import ConflictError, GitError, PendingError, WorkspaceError
from memsite.memory.changeset import Changeset
from memsite.memory.cutting import cut_file
from memsite.memory.snapshot import Blob, Snapshot
from memsite.repo.begun import Begun
from memsite.repo.delivery import Committed, Delivery, HalfDoneError, look
from memsite.repo.files import read_file, remove_leftovers
from memsite.repo.filters import FilterError
from memsite.repo.gitcmd import run_git
from memsite.repo.home_branch import strange_branch
from memsite.repo.lock import WAIT, repository_lock
from memsite.repo.objects import ObjectReader, TreeEntry, object_id, object_reader
from memsite.repo.replay import replay_in
from memsite.repo.resolving import View
from memsite.repo.sparse import SparseError, refuse_sparse, sparse_files
from memsite.repo.spool import Operation, Spool, new_operation
from memsite.repo.stage import StageCopy, read_stage, release_dead_lock, stage_lock
from memsite.repo.state import blocked_reason, is_interrupted
from memsite.repo.withheld import Withheld
from memsite.repo.work import ChangesetWork, work_out
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass, field, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memsite.repo.delivery import Work

__all__ = ["Committed", "Reader", "Writer", "open_writer", "pending_operations", "transact"]

_REPLANS = 8


class Reader:
    """What a plan may read: the work tree, with the operations that git could not take yet already in it."""

    def __init__(self, workspace: Workspace, view: View) -> None:
        self._workspace = workspace
        self._view = view

    def read(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file by its workspace path, None when there is none. Raises UnsafePathError on links."""
        return self._view.get(path)

    def snapshot(self) -> Snapshot:
        """The whole memory, long texts cut. Raises SparseError where git keeps a part of it out of the work tree."""
        from memsite.repo.snapshots import read_worktree  # a `log` reads one file and does not pay for it

        config = self._workspace.config
        missing = sparse_files(self._workspace, (config.memory, *map(PurePosixPath, config.include)))
        if missing:
            raise refuse_sparse(self._workspace, min(missing))
        snapshot = read_worktree(self._workspace, whole=False)
        names = {
            path: cut_file(path, Blob(object_id("blob", data, self._workspace.object_format), data), config)
            for path, data in self._view.after.items()
            if data is not None and data != self._view.before[path]
        }
        return replace(snapshot, files=MappingProxyType({**snapshot.files, **names})) if names else snapshot


_LIMITS = {
    EAGAIN: "end some or raise the limit",
    **dict.fromkeys((EMFILE, ENFILE), "raise the limit of open files (`ulimit -n`)"),
}
"""What helps where no room and no access is wanting, by the number of the error."""
Plan = Callable[[Reader], Sequence[Changeset]]


def transact(
    workspace: Workspace,
    plan: Plan,
    *,
    now: datetime,
    allow_unborn: bool = False,
    wait: float = WAIT,
    begun: Begun | None = None,
) -> tuple[Committed, ...]:
    """Let `plan` read the memory and return changesets; apply and commit each exactly. Returns the commits made.

    `now` (aware) dates the commits. What earlier runs could not commit is delivered first, and is in the result too.
    A plan may be called more than once: when a file changes between planning and writing. `allow_unborn` lets the
    repository's first commit be ours, or the first of a branch without a memory while another one has it. `begun` is
    what `begin_writing` has started.

    Raises PendingError when the entry is written down but in no commit yet (a rebase is under way, the index is locked;
    the next `transact` or `commit_pending` delivers it), WorkspaceError without a repository, GitError, RefusedError
    and what the plan raises; then nothing has changed.
    """
    with open_writer(workspace, now=now, allow_unborn=allow_unborn, wait=wait, begun=begun) as writer:
        return writer.write(plan)


def pending_operations(workspace: Workspace) -> tuple[Operation, ...]:
    """What is written down and in no commit yet, oldest first."""
    return Spool(workspace.require_repository(), workspace.root).pending()


@contextmanager
def open_writer(
    workspace: Workspace,
    *,
    now: datetime,
    allow_unborn: bool = False,
    wait: float = WAIT,
    begun: Begun | None = None,
) -> Iterator[Writer]:
    """The writer of a workspace, holding the repository's lock. Disk errors come out as WorkspaceError."""
    repository = workspace.require_repository()
    try:
        reader = nullcontext(begun.objects) if begun else object_reader(repository.root)
        with repository_lock(repository, wait=wait) as held, reader as objects:
            spool = Spool(repository, workspace.root, locked=held is not None)
            busy = "another memsite is writing" if held is None else ""
            if held is not None:
                release_dead_lock(repository)
                spool.clean()
                busy = _recover(repository, held)
            delivery = Delivery(repository, workspace.root, objects, spool, -1 if held is None else held, allow_unborn)
            delivery.committer = begun.committer if begun else None
            yield Writer(workspace, repository, delivery, spool, objects, now, busy)
    except OSError as error:
        said = error.strerror or str(error)
        raise WorkspaceError(
            said if error.errno in _LIMITS else f"cannot be written: {said}",
            where=error.filename or workspace.root,
            hint=f"nothing was changed; {_LIMITS.get(error.errno or 0, 'make room or give access')}, then run it again",
        ) from error


def _recover(repository: Repository, lock: int) -> str:
    """Complete a killed `sync`, whose half in the work tree is nobody's to commit; why that cannot be done now."""
    if not is_interrupted(repository):
        return ""
    from memsite.repo.adopt import recover_locked  # only after a `sync`

    try:
        recover_locked(repository, lock)
    except (PendingError, GitError) as error:
        return f"a `sync` that was killed cannot be completed now: {error.problem}"
    return ""


@dataclass(slots=True)
class Writer:
    """Writes into one workspace while its lock is held."""

    workspace: Workspace
    repository: Repository
    delivery: Delivery
    spool: Spool
    objects: ObjectReader
    now: datetime
    busy: str = ""
    """Why nothing can be committed, when that is known from the start."""
    stuck: list[Operation] = field(default_factory=list)
    """Earlier operations that contradict the files as they are now, or whose files cannot be had."""

    def blocked(self) -> str:
        """Why git cannot take a commit now; empty when it can."""
        head = self.objects.find("HEAD")
        may_begin = self.delivery.allow_unborn
        reason = self.busy or blocked_reason(self.repository, head, allow_unborn=may_begin)
        return reason or ("" if may_begin else strange_branch(self.workspace, self.objects))

    def write(self, plan: Plan) -> tuple[Committed, ...]:
        """See `transact`."""
        reason = self.blocked()
        if reason:
            self._spool(plan, reason)
            return ()
        earlier: tuple[Committed, ...] = ()
        try:
            earlier = self.deliver_spooled()
        except PendingError as error:
            self._spool(plan, error.problem)
        return earlier + self._replanned(plan)

    def deliver_spooled(self) -> tuple[Committed, ...]:
        """Commit what earlier runs wrote down; what must wait for a person stays, in `stuck`."""
        made: list[Committed] = []
        for operation in self.spool.pending():
            try:
                made += self._deliver_earlier(operation)
            except (ConflictError, FilterError, SparseError):
                self.stuck.append(operation)
            else:
                self._done(operation)
        return tuple(made)

    def read(self, path: PurePosixPath) -> bytes | None:
        """A file of the work tree. Raises SparseError for one that git has and keeps out of it."""
        data = read_file(self.workspace.root, path)
        if data is None and path in sparse_files(self.workspace, (path,)):
            raise refuse_sparse(self.workspace, path)
        return data

    @property
    def _withheld(self) -> Withheld:
        return Withheld(self.workspace)

    def _replanned(self, plan: Plan) -> tuple[Committed, ...]:
        for attempt in range(_REPLANS):
            view = View(self.read)
            changesets = tuple(plan(Reader(self.workspace, view)))
            operation = new_operation(self.workspace.root, self.now, changesets)
            try:
                return self._deliver_new(operation)
            except ConflictError:
                if attempt == _REPLANS - 1:
                    raise
        return ()

    def _deliver_new(self, operation: Operation) -> tuple[Committed, ...]:
        work = work_out(operation.changesets, self.read, replay_in(self.workspace), withheld=self._withheld)
        if not work.changesets:
            return ()
        return self.deliver_once(operation, work)

    def deliver_once(self, operation: Operation, work: Work) -> tuple[Committed, ...]:
        """Deliver a new operation. When git cannot take it, it is written down; when it fails, it is not."""
        try:
            made = self.delivery.deliver(operation, work)
        except HalfDoneError:
            raise
        except PendingError as error:
            if operation.changesets:
                self._keep(operation, error)
            else:
                self.spool.remove(operation)
            raise
        except Exception as error:  # whatever it was, what failed must not be delivered later; it goes on its way
            self._forget(operation, error)
            raise
        self._done(operation)
        return made

    def _done(self, operation: Operation) -> None:
        # A record that stays names a commit that is in HEAD: the next run sees that, tidies up and removes it.
        if not self.delivery.untidy:
            with suppress(OSError):
                self.spool.remove(operation)

    def _keep(self, operation: Operation, cause: PendingError) -> None:
        """Write down what git cannot take now. Raises OSError where it is not, and then it is nowhere."""
        try:
            self.spool.write(operation)
        except OSError as error:
            if self.spool.keeps(operation):  # as it was when it was begun: that the next run finishes, too
                raise cause from error
            self._forget(operation, error)
            raise

    def _forget(self, operation: Operation, cause: Exception) -> None:
        """Remove the record of what was taken back. Where that fails, the next run will do it: then it is pending."""
        if not self.spool.touched(operation):
            return
        try:
            self.spool.remove(operation)
        except OSError as error:
            raise HalfDoneError(str(cause), where=self.workspace.root, hint="the next run completes it") from error

    def _deliver_earlier(self, operation: Operation) -> tuple[Committed, ...]:
        self.delivery.untidy = False
        paths = frozenset(path for one in operation.changesets for path in one.paths)
        remove_leftovers(self.workspace.root, operation.id, paths)
        if operation.commit and self._is_in_head(operation.commit):
            self._restage(operation)
            return ()
        self._unstage(operation)
        replay, sizes = replay_in(self.workspace), operation.sizes or {}
        work = work_out(operation.changesets, self.read, replay, sizes, withheld=self._withheld)
        return self.delivery.deliver(operation, work) if work.changesets else ()

    def _is_in_head(self, commit: str) -> bool:
        head = self.objects.find("HEAD")
        if head is None or self.objects.find(commit) is None:
            return False
        if head.id == commit:
            return True
        with suppress(GitError):
            run_git(["merge-base", "--is-ancestor", commit, "HEAD"], cwd=self.repository.root)
            return True
        return False

    def _restage(self, operation: Operation) -> None:
        """Its commit is in HEAD: what the stage has from before at its paths would take it out again."""
        head = look(self.repository, self.objects, tuple(operation.stage)).heads
        self._set_stage(operation, {path: one.new for path, one in operation.stage.items() if head[path] == one.new})

    def _unstage(self, operation: Operation) -> None:
        """A run was killed after the stage took our paths and before the ref moved."""
        self._set_stage(operation, {path: one.old for path, one in operation.stage.items()})

    def _set_stage(self, operation: Operation, wanted: dict[PurePosixPath, TreeEntry | None]) -> None:
        """Where the stage has exactly what the operation left there, let it have what it should."""
        staged = read_stage(self.repository, wanted)
        wrong: dict[PurePosixPath, TreeEntry | None] = {}
        for path, entry in wanted.items():
            moved = operation.stage[path]
            is_ours = staged[path].entry in (moved.old, moved.new) and not staged[path].conflicted
            if is_ours and staged[path].entry != entry:
                wrong[path] = entry
        if wrong:
            copy = StageCopy(self.repository, self.delivery.lock)
            with stage_lock(self.repository):
                copy.prepare(wrong)
                copy.replace_real()
                copy.discard()

    def _spool(self, plan: Plan, reason: str) -> None:
        """Write down what a plan wants. Raises PendingError, always."""
        view = self._overlay()
        changesets = tuple(one for one in plan(Reader(self.workspace, view)) if one)
        if changesets:
            work_out(changesets, view.get, replay_in(self.workspace))
            self.spool.write(new_operation(self.workspace.root, self.now, changesets))
        elif not self.spool.pending():
            return
        raise PendingError(
            reason, where=self.workspace.root, hint="the entry is kept; the next run after it commits it"
        )

    def _overlay(self) -> View:
        view = View(self.read)
        for operation in self.spool.pending():
            with suppress(ConflictError, SparseError):
                overlaid: ChangesetWork = work_out(
                    operation.changesets, view.get, replay_in(self.workspace), operation.sizes or {}
                )
                for path, data in overlaid.view.after.items():
                    if data is not None:
                        view.set(path, data, append=False)
        return view
