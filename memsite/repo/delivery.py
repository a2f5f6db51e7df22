"""Bring one operation into the work tree, HEAD and the user's stage: all of it, or none.

The order is what makes it safe (ARCHITECTURE, "A commit"): objects, the record of the operation, the copy of the stage
and the new files are prepared first. Then, while git's own `index.lock` is held: HEAD is checked, the work tree
changes, the stage takes our paths, the ref moves. A run killed anywhere leaves a record, and the next one goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath

from memsite.errors import GitError, PendingError
from memsite.repo.begun import ask_committer
from memsite.repo.commit import OWN_IDENTITY, Branch, Draft, Made, identity_of, make_commits
from memsite.repo.conversions import ask_attributes
from memsite.repo.files import Edit, WorkTreeEdit
from memsite.repo.filters import Filters, filters_of
from memsite.repo.gitcmd import RunningGit
from memsite.repo.objects import ObjectReader, Store, TreeEntry
from memsite.repo.ref_locks import ref_locks
from memsite.repo.spool import Moved, Operation, Spool
from memsite.repo.stage import HeadMove, StageCopy, Staged, ask_stage, read_stage, stage_lock
from memsite.repo.state import blocked_reason
from memsite.repo.workspace import Repository
from memsite.values import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Work(Protocol):
        """What an operation does, worked out anew for each attempt."""

        @property
        def paths(self) -> tuple[PurePosixPath, ...]:
            """Every file it may touch."""

        def edits(self) -> Mapping[PurePosixPath, Edit]:
            """What happens in the work tree."""

        def sizes(self) -> Mapping[PurePosixPath, int]:
            """How long its files are before; -1 where there is none."""

        def drafts(self, situation: Situation) -> Sequence[Draft]:
            """The commits to make. Raises PendingError when the user's stage stands against them."""

        def restage(self, situation: Situation, path: PurePosixPath) -> bytes | None:
            """The user's own staged version of a file with our change in it; None when it must stay as it is."""


_ATTEMPTS = 6
_COMPLETES = "the next run completes it"
_PATIENT_ATTEMPTS = 2
"""So often all is prepared without holding `index.lock`; a user who commits in a loop must not starve us."""


class HalfDoneError(PendingError):
    """The record of the operation must stay as it is: the next run has to complete it."""


class HeadMovedError(GitError):
    """HEAD or the user's stage is not the one that was prepared for: prepare again."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A commit that memsite made."""

    commit: str
    """Its id."""
    message: str
    paths: tuple[PurePosixPath, ...]
    """Workspace-relative."""
    left_staged: tuple[PurePosixPath, ...] = ()
    """Files whose staged version is the user's own and could not take our change: their next commit lacks it."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What git has before: HEAD's tree and the user's stage."""

    branch: Branch
    heads: Mapping[PurePosixPath, TreeEntry | None]
    staged: Mapping[PurePosixPath, Staged]

    def is_users(self, path: PurePosixPath) -> bool:
        """Whether the user has staged something of their own at a path."""
        return self.staged[path].conflicted or self.staged[path].entry != self.heads[path]


def look(repository: Repository, objects: ObjectReader, paths: Sequence[PurePosixPath]) -> Situation:
    """HEAD and the stage as they are now: HEAD is read first, so that a commit meanwhile is seen as one."""
    with ExitStack() as asked:
        attributes = ask_attributes(repository, paths, asked)
        branch = Branch(repository, objects, Filters(repository))
        branch.start()
        staged = ask_stage(repository, paths, asked)
        heads = {path: branch.entry(path) for path in paths}
        branch.filters = filters_of(repository, attributes())
        return Situation(branch, heads, staged())


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is ready before the lock is taken."""

    situation: Situation
    made: tuple[Made, ...]
    entries: Mapping[PurePosixPath, TreeEntry | None]
    """What the stage is to have at the paths that change in it."""
    left: tuple[PurePosixPath, ...]
    edit: WorkTreeEdit
    stage: StageCopy
    move: HeadMove | None
    """None where HEAD stays."""

    @property
    def tip(self) -> str | None:
        """What HEAD becomes."""
        return self.made[-1].id if self.made else self.situation.branch.head


@dataclass(slots=True)
class Delivery:
    """Delivers operations into one repository, whose lock the caller holds."""

    repository: Repository
    root: Path
    """The workspace."""
    objects: ObjectReader
    spool: Spool
    lock: int
    """The descriptor of the repository's lock."""
    allow_unborn: bool = False
    untidy: bool = False
    """The last delivery could not remove its temporary files: its record must stay, so that the next run does."""
    committer: RunningGit | None = None
    """One that was asked already who commits."""
    _identity: bytes = field(default=b"")

    def deliver(self, operation: Operation, work: Work) -> tuple[Committed, ...]:
        """Do it. When it fails, the work tree is as before and the record of it has the state of a later retry.

        Raises PendingError when git cannot take it now, ConflictError when a file changed meanwhile, GitError, OSError.
        """
        for attempt in range(_ATTEMPTS):
            try:
                return self._attempt(operation, work, patient=attempt < _PATIENT_ATTEMPTS)
            except HeadMovedError:
                continue
        raise PendingError("other programs keep moving HEAD", where=self.root, hint="the next run commits it")

    def _attempt(self, operation: Operation, work: Work, *, patient: bool) -> tuple[Committed, ...]:
        with ExitStack() as held:
            if not patient:
                held.enter_context(stage_lock(self.repository))
            prepared = self._prepare(operation, work, held)
            try:
                if not prepared.made and not prepared.edit.edits and not prepared.entries:
                    return ()
                if patient:
                    held.enter_context(stage_lock(self.repository))
                self._check(prepared)
                self._swap(prepared)
            finally:
                # The commit is made or taken back by now: rubbish that cannot be removed must not say otherwise.
                with suppress(OSError):
                    prepared.stage.discard()
                self.untidy = not prepared.edit.clean()
        return tuple(Committed(one.id, one.draft.message, one.paths, prepared.left) for one in prepared.made)

    def _prepare(self, operation: Operation, work: Work, started: ExitStack) -> Prepared:
        with ExitStack() as asked:
            who = self._ask_who(asked)
            store = Store(self.repository.root, self.repository.objects_dir, self.repository.object_format, started)
            situation = look(self.repository, self.objects, work.paths)
            branch = situation.branch
            drafts = work.drafts(situation)
            made = make_commits(branch, drafts, who(), operation.at)
        entries, left = self._restaged(situation, work)
        store.give(branch.objects.values())
        edit = WorkTreeEdit(self.root, operation.id, work.edits())
        move = HeadMove(self.repository, made[-1].draft.message, self.lock, started) if made else None
        prepared = Prepared(situation, made, entries, left, edit, StageCopy(self.repository, self.lock), move)
        try:
            self._write_down(prepared, operation, work)
            store.finish()
        except BaseException:  # an interrupt, too, must leave no file of ours; it goes on its way
            prepared.stage.discard()
            edit.clean()
            raise
        return prepared

    def _write_down(self, prepared: Prepared, operation: Operation, work: Work) -> None:
        situation = prepared.situation
        # git stores and stages while the disk takes our record. In which order they end does not matter: nothing that
        # anybody looks at has changed yet.
        with prepared.stage.preparing(prepared.entries):
            if prepared.made or prepared.edit.edits:
                moves = {path: Moved(situation.staged[path].entry, entry) for path, entry in prepared.entries.items()}
                self.spool.write(operation.begun(work.sizes(), prepared.tip or "", moves))
            prepared.edit.prepare()

    def _restaged(
        self, situation: Situation, work: Work
    ) -> tuple[dict[PurePosixPath, TreeEntry | None], tuple[PurePosixPath, ...]]:
        entries: dict[PurePosixPath, TreeEntry | None] = {}
        left: list[PurePosixPath] = []
        for path in work.paths:
            old, new = situation.staged[path].entry, situation.branch.entry(path)
            if old == new and not situation.staged[path].conflicted:
                continue
            if not situation.is_users(path):
                entries[path] = new
            elif situation.heads[path] != new:
                data = None if situation.staged[path].conflicted or old is None else work.restage(situation, path)
                if data is None or old is None:
                    left.append(path)
                else:
                    entries[path] = TreeEntry(old.mode, situation.branch.add_blob(path, data))
        return entries, tuple(left)

    def _check(self, prepared: Prepared) -> None:
        situation = prepared.situation
        head = self.objects.find("HEAD")
        if (head.id if head else None) != situation.branch.head:
            raise HeadMovedError("HEAD moved")
        reason = blocked_reason(self.repository, head, allow_unborn=self.allow_unborn)
        if reason:
            raise PendingError(reason, where=self.root, hint="the next run after it commits the entry")
        if not prepared.stage.is_current():
            if read_stage(self.repository, situation.staged) != situation.staged:
                raise HeadMovedError("the user staged something")
            prepared.stage.prepare(prepared.entries)

    def _swap(self, prepared: Prepared) -> None:
        branch = prepared.situation.branch
        try:
            prepared.edit.apply()
            if prepared.entries:
                prepared.stage.replace_real()
            if prepared.move and prepared.tip:
                self._move(prepared.move, branch.head, prepared.tip)
        except BaseException as error:  # an interrupt, too, must leave all or nothing; it goes on its way
            # An interrupted `update-ref` may have moved it all the same: then it is done.
            if not prepared.made or self._head() != prepared.tip:
                self._take_back(prepared, error)
            raise

    def _take_back(self, prepared: Prepared, error: BaseException) -> None:
        try:
            prepared.stage.restore()
            whole = prepared.edit.undo()
        except OSError:
            whole = False
        if not whole:
            raise HalfDoneError("a part could not be taken back", where=self.root, hint=_COMPLETES) from error

    def _head(self) -> str | None:
        head = self.objects.find("HEAD")
        return head.id if head else None

    def _move(self, head: HeadMove, old: str | None, new: str) -> None:
        try:
            head.move(old, new)
        except GitError as error:
            now = self._head()
            if now == new:
                return
            if now != old:
                raise HeadMovedError("HEAD moved") from error
            if "File exists" in error.problem:
                raise self._locked(error) from error
            raise

    def _locked(self, error: GitError) -> PendingError:
        found = ref_locks(self.repository)
        name = found[0] if found else error.problem.partition("Unable to create '")[2].partition("'")[0]
        hint = "the next run commits it; if no git runs any more, delete that file"
        return PendingError("git is busy: the branch is locked", where=name or self.root, hint=hint)

    def _ask_who(self, asked: ExitStack) -> Callable[[], bytes]:
        """Who commits; git is asked once."""
        git = self.committer
        if git is None and not self._identity:
            git = asked.enter_context(ask_committer(self.repository))

        def who() -> bytes:
            self._identity = self._identity or (identity_of(git) if git else OWN_IDENTITY)
            return self._identity

        return who
