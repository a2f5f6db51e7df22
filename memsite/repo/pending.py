"""Commit what agents and people have written in the memory by themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from datetime import datetime
from pathlib import PurePosixPath
from shlex import quote as quote_word

from memsite.errors import PendingError
from memsite.memory.model import Problem
from memsite.memory.names import MARKDOWN
from memsite.memory.snapshot import Blob, Snapshot
from memsite.repo.changes import RawChange
from memsite.repo.commit import Draft
from memsite.repo.delivery import Committed, Situation, look
from memsite.repo.files import Edit
from memsite.repo.filters import FilterError, Filters, KnownForms, find_filters
from memsite.repo.gitcmd import run_git
from memsite.repo.guard import check_pending
from memsite.repo.membership import Membership, membership
from memsite.repo.nested import nested_folders
from memsite.repo.objects import FILE_MODE, LINK_MODE, TreeEntry, object_reader
from memsite.repo.pending_plan import Pending, plan_pending
from memsite.repo.snapshots import identify_current, parse_listing, read_worktree
from memsite.repo.sparse import sparse_files, unseen_files
from memsite.repo.spool import new_operation
from memsite.repo.state import is_interrupted, is_squashing
from memsite.repo.transaction import Writer, open_writer
from memsite.repo.workspace import Repository, Workspace
from memsite.values import dataclass

__all__ = ["commit_pending", "uncommitted"]

_LOOK = "`git update-index --no-assume-unchanged {0}` and `--no-skip-worktree {0}` have it committed"
_MOST_NAMED = 500
"""So many names fit a command line."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Files of the work tree that are not what HEAD has."""

    changed: Mapping[PurePosixPath, bytes]
    deleted: frozenset[PurePosixPath]
    notes: Mapping[PurePosixPath, bytes]
    """All Markdown of the memory: images are committed when one of these uses them."""
    blobs: Mapping[PurePosixPath, str]
    """By what id git would have each changed file."""
    unfit: tuple[Problem, ...] = ()
    """Files that git is to have in another form, which cannot be made."""
    unseen: frozenset[PurePosixPath] = frozenset()
    """Changed files that git is told not to look at."""
    ignored: frozenset[PurePosixPath] = frozenset()
    """New files that the user's .gitignore names."""
    nested: frozenset[PurePosixPath] = frozenset()
    """Folders that are repositories of their own, with files that this one does not have."""

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """In order."""
        return tuple(sorted({*self.changed, *self.deleted}))

    def __bool__(self) -> bool:
        """Whether there is anything to commit, or to say of what is not committed."""
        return bool(self.changed or self.deleted or self.unfit or self.unseen or self.ignored or self.nested)


@dataclass(frozen=True, slots=True)
class PendingWork:
    """The commits of one `commit_pending`: nothing happens in the work tree, which already has it all."""

    workspace: Workspace
    candidates: Candidates

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """Every file that may be committed."""
        return self.candidates.paths

    def edits(self) -> Mapping[PurePosixPath, Edit]:
        """None."""
        return {}

    def sizes(self) -> Mapping[PurePosixPath, int]:
        """None."""
        return {}

    def drafts(self, situation: Situation) -> Sequence[Draft]:
        """Files that the user has staged in another state than they have on disk are theirs to commit."""
        return self.plan(situation).drafts

    def restage(self, situation: Situation, path: PurePosixPath) -> bytes | None:  # noqa: ARG002 - Work's signature
        """What is staged of these files is what they have on disk."""
        return self.candidates.changed.get(path)

    def plan(self, situation: Situation) -> Pending:
        """The drafts, and what must not be committed."""
        free = {path: data for path, data in self.candidates.changed.items() if self._is_free(situation, path)}
        gone = {path for path in self.candidates.deleted if self._is_free(situation, path)}
        before: dict[PurePosixPath, bytes | None] = {}
        unfit = list(self.candidates.unfit)
        for path in (*free, *gone):
            try:
                before[path] = situation.branch.content(path)
            except FilterError as error:
                unfit.append(_unfit(path, error))
        free = {path: data for path, data in free.items() if path in before}
        held = [*unfit, *self._find_lost(situation, before)]
        return plan_pending(free, gone & before.keys(), before, self.candidates.notes, self.workspace.config, held)

    def _find_lost(self, situation: Situation, before: Mapping[PurePosixPath, bytes | None]) -> Iterator[Problem]:
        """Generations and index entries that these changes would lose."""
        new = {path: self.candidates.blobs[path] for path in before if path in self.candidates.changed}
        old = {path: entry.id for path in before if (entry := situation.heads[path])}
        changes = [RawChange(path, old.get(path), new.get(path), FILE_MODE) for path in sorted(before)]
        contents = {blob: before[path] or b"" for path, blob in old.items()}
        contents |= {blob: self.candidates.changed[path] for path, blob in new.items()}
        return check_pending(self.workspace, changes, contents)

    def left_to_user(self, situation: Situation) -> Iterator[Problem]:
        """What is in no commit by the user's own doing."""
        by_squash = is_squashing(situation.branch.repository)
        reason = "a squash has staged it" if by_squash else "you have staged another version of it"
        for path in self.paths if by_squash else self.candidates.changed:
            if not self._is_free(situation, path):
                yield Problem(path, None, reason, "commit it yourself")
        for path in sorted(self.candidates.unseen):
            yield Problem(path, None, "git is told not to look at it", _LOOK.format(quote_word(str(path))))
        for path in sorted(self.candidates.ignored):
            yield Problem(path, None, "git ignores it", "take it out of .gitignore, or `git add -f` it")
        for path in sorted(self.candidates.nested):
            yield Problem(path, None, "is a repository of its own", "commit its files there")

    def _is_free(self, situation: Situation, path: PurePosixPath) -> bool:
        staged = situation.staged[path]
        if not situation.is_users(path):
            return True
        if is_squashing(situation.branch.repository):
            return False
        blob = self.candidates.blobs.get(path)
        return not staged.conflicted and (staged.entry.id if staged.entry else None) == blob


def commit_pending(workspace: Workspace, *, now: datetime) -> tuple[Committed, ...]:
    """One commit for each session log, note, generation with its markers and index entry, and the index that is changed
    or new in the work tree; and what earlier runs could not commit. Run again, it does nothing.

    `now` (aware) dates the commits. What the user has staged in another state is left to them. What breaks a rule of
    the memory (a changed generation, a lost index entry, conflict markers, size) is not committed: `uncommitted` tells.
    Raises PendingError when git cannot take commits now and something waits for one, WorkspaceError without a
    repository, GitError.
    """
    return _commit_pending(workspace, now)[0]


def settle_pending(workspace: Workspace, *, now: datetime) -> tuple[tuple[Committed, ...], Uncommitted]:
    """As `commit_pending`, with what it leaves. Raises as it does."""
    commits, is_clean = _commit_pending(workspace, now)
    return commits, Uncommitted((), ()) if is_clean else uncommitted(workspace)


def _commit_pending(workspace: Workspace, now: datetime) -> tuple[tuple[Committed, ...], bool]:
    """The commits, and whether it is known that nothing is left."""
    with open_writer(workspace, now=now) as writer:
        reason = writer.blocked()
        if reason:
            _refuse(writer, reason)
            return (), False
        delivered = writer.deliver_spooled()
        work = PendingWork(workspace, _candidates(writer.repository, workspace))
        if not work.paths:
            return delivered, not work.candidates
        return delivered + writer.deliver_once(new_operation(workspace.root, now, ()), work), False


@dataclass(frozen=True, slots=True)
class Uncommitted:
    """What `commit_pending` leaves in the work tree, and why."""

    held_back: tuple[Problem, ...]
    """It breaks a rule of the memory."""
    left_to_user: tuple[Problem, ...]
    """It is so by the user's own doing: ignored, hidden from git, or staged in another state."""


def uncommitted(workspace: Workspace) -> Uncommitted:
    """What `commit_pending` will not commit. Changes nothing and takes no lock."""
    repository = workspace.require_repository()
    work = PendingWork(workspace, _candidates(repository, workspace))
    if not work.candidates:
        return Uncommitted((), ())
    with object_reader(repository.root) as objects:
        situation = look(repository, objects, work.paths)
        return Uncommitted(work.plan(situation).held_back, tuple(work.left_to_user(situation)))


def _refuse(writer: Writer, reason: str) -> None:
    waits = writer.spool.pending() or is_interrupted(writer.repository)
    if waits or (not writer.busy and _candidates(writer.repository, writer.workspace).paths):
        raise PendingError(reason, where=writer.workspace.root, hint="run `memsite commit` after it")


def _candidates(repository: Repository, workspace: Workspace) -> Candidates:
    members = membership(workspace.config)
    listing = _head_listing(repository, members)
    if _is_as_committed(repository, members, listing, identify_current(workspace).blobs):
        return Candidates({}, frozenset(), {}, {})
    snapshot = read_worktree(workspace)
    files = {**snapshot.files, **snapshot.unnamed}
    heads = parse_listing(repository, members, listing)
    differing = [
        path
        for path, blob in files.items()
        if (path not in heads or heads[path].id != blob.id) and not (workspace.root / path).is_symlink()
    ]
    nested = nested_folders(workspace, [path for path in differing if path not in heads])
    differing = [path for path in differing if path in heads or not nested.intersection(path.parents)]
    filters = find_filters(repository, differing)
    ignored = _ignored(repository, [path for path in differing if path not in heads])
    unseen = _unseen(workspace, [path for path in differing if path in heads])
    kept = [path for path in differing if path not in ignored | unseen]
    other = [path for path in kept if filters.changes(path, files[path].data)]
    same = _same_to_git(repository, [path for path in other if path in heads and path not in filters.names], heads)
    filtered, unfit = _filtered(filters, {path: files[path] for path in other if path not in same}, heads)
    blobs = {path: files[path].id for path in kept if path not in {*other}} | filtered
    own = (path for path in files if path in heads or not nested.intersection(path.parents))
    notes = {path: files[path].data for path in own if path.suffix in MARKDOWN}
    return Candidates(
        {path: files[path].data for path in sorted(blobs)},
        _deleted(workspace, snapshot, files.keys(), heads),
        notes,
        blobs,
        unfit,
        unseen,
        ignored,
        nested,
    )


def _unseen(workspace: Workspace, paths: Sequence[PurePosixPath]) -> frozenset[PurePosixPath]:
    """Files that git is told not to look at: whatever they have on this machine stays on it."""
    named = paths if len(paths) <= _MOST_NAMED else ()
    return frozenset(unseen_files(workspace, named)).intersection(paths) if paths else frozenset()


def _filtered(
    filters: Filters, files: Mapping[PurePosixPath, Blob], heads: Mapping[PurePosixPath, TreeEntry]
) -> tuple[dict[PurePosixPath, str], tuple[Problem, ...]]:
    """The blobs that git is to have of filtered files, those apart that it has already; and what cannot be filtered."""
    forms = KnownForms(filters.repository)
    blobs: dict[PurePosixPath, str] = {}
    unfit: list[Problem] = []
    for path, file in files.items():
        old = heads[path].id if path in heads else ""
        if forms.is_known(path, file.id, old):
            continue
        try:
            blob = filters.clean(path, file.data)
        except FilterError as error:
            unfit.append(_unfit(path, error))
            continue
        if blob == old or (old and filters.is_form(path, old, file.data)):
            forms.add(path, file.id, old)
        else:
            blobs[path] = blob
    forms.save()
    return blobs, tuple(unfit)


def _unfit(path: PurePosixPath, error: FilterError) -> Problem:
    return Problem(path, None, error.problem, error.hint)


def _head_listing(repository: Repository, members: Membership) -> bytes:
    """What HEAD has in the memory and beside it, as `ls-tree -r -z` writes it; nothing before the first commit."""
    arguments = ["ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", *members.pathspecs(repository)]
    if run_git(["rev-parse", "-q", "--verify", "HEAD"], cwd=repository.root, accept=(0, 1)) == b"":
        return b""
    return run_git(arguments, cwd=repository.root)


def _is_as_committed(repository: Repository, members: Membership, listing: bytes, blobs: Mapping[str, str]) -> bool:
    """Whether the files of the memory are those of HEAD, to the byte; in doubt they are not."""
    above = b"".join(os.fsencode(part) + b"/" for part in repository.prefix.parts)
    count = 0
    for record in listing.split(b"\0")[:-1]:
        about, _, name = record.partition(b"\t")
        blob = blobs.get(os.fsdecode(name.removeprefix(above))) if name.startswith(above) else None
        if blob is not None and about.endswith(blob.encode()):
            count += 1
        elif blob is not None or ((path := repository.from_git(name)) is not None and members.has(path)):
            return False
    return count == len(blobs)


def _deleted(
    workspace: Workspace, snapshot: Snapshot, there: Set[PurePosixPath], heads: Mapping[PurePosixPath, TreeEntry]
) -> frozenset[PurePosixPath]:
    unreadable = {one.path for one in snapshot.unreadable}
    missing = frozenset(
        path
        for path, entry in heads.items()
        if entry.mode != LINK_MODE
        and path not in there
        and not unreadable.intersection((path, *path.parents))
        and not (workspace.root / path).exists()
    )
    return missing - sparse_files(workspace) if missing else missing


def _same_to_git(
    repository: Repository, paths: Sequence[PurePosixPath], heads: Mapping[PurePosixPath, TreeEntry]
) -> frozenset[PurePosixPath]:
    """Files whose bytes differ and which git calls unchanged: all at once, where one by one would be slow."""
    asked = [path for path in paths if "\n" not in str(path)]
    if not asked:
        return frozenset()
    names = b"".join(repository.to_git(path) + b"\n" for path in asked)
    arguments = ["-c", "core.safecrlf=false", "hash-object", "--stdin-paths"]
    answer = run_git(arguments, cwd=repository.root, stdin=names).decode().split()
    return frozenset(path for path, name in zip(asked, answer, strict=True) if heads[path].id == name)


def _ignored(repository: Repository, paths: Sequence[PurePosixPath]) -> frozenset[PurePosixPath]:
    """New files that the user's .gitignore names."""
    if not paths:
        return frozenset()
    # check-ignore refuses to take paths literally; `./` keeps a name like `:(top)x` from being read as magic.
    names = b"\0".join(b"./" + repository.to_git(path) for path in paths)
    literal = {"GIT_LITERAL_PATHSPECS": "0"}
    answer = run_git(["check-ignore", "-z", "--stdin"], cwd=repository.root, stdin=names, env=literal, accept=(0, 1))
    found = (repository.from_git(name.removeprefix(b"./")) for name in answer.split(b"\0") if name)
    return frozenset(path for path in found if path is not None)
