"""Changesets as a delivery does them: what they do to the work tree, to HEAD and to what the user has staged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import PurePosixPath

from memsite.errors import ConflictError, PendingError
from memsite.memory.changeset import Changeset, Write
from memsite.repo.commit import Draft
from memsite.repo.delivery import Situation
from memsite.repo.files import Edit
from memsite.repo.filters import FilterError
from memsite.repo.resolving import ReadFile, Replay, Step, View, resolve
from memsite.repo.withheld import Withheld
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class ChangesetWork:
    """Changesets worked out on the files as they are."""

    changesets: tuple[Changeset, ...]
    view: View
    steps: tuple[Step, ...]
    replay: Replay
    begun: Mapping[PurePosixPath, int]
    """How long the files were when an attempt that was killed began; empty for a new one."""
    withheld: Withheld | None = None

    @property
    def paths(self) -> tuple[PurePosixPath, ...]:
        """The files of all changes, each once."""
        return tuple(dict.fromkeys(path for one in self.changesets for path in one.paths))

    def edits(self) -> Mapping[PurePosixPath, Edit]:
        """What happens in the work tree."""
        return self.view.edits()

    def sizes(self) -> Mapping[PurePosixPath, int]:
        """How long the files are; -1 where there is none."""
        return {path: -1 if data is None else len(data) for path, data in self.view.before.items()}

    def drafts(self, situation: Situation) -> Sequence[Draft]:
        """One a changeset, with the files as they are in the work tree.

        Of a file that the user has staged in a state of their own, only our change goes in: the rest of it is theirs to
        commit. So it is where the rest must not be committed yet. Raises PendingError when that cannot be told apart.
        """
        for path in self.paths:
            if encoding := situation.branch.filters.encoding(path):
                problem = f"git is to find it in {encoding}, and memsite writes UTF-8"
                raise FilterError(problem, where=path, hint="take the working-tree-encoding away from it")
        users = frozenset(path for path in self.paths if situation.is_users(path))
        waiting = frozenset(path for path in self.paths if self._is_withheld(situation, path))
        own = self._on(lambda path: self._committed(situation, path, is_new=path in waiting), users | waiting)
        if own is None:
            raise _overlap_error(users, waiting)
        return [Draft(step.message, {**step.files, **files}) for step, files in zip(self.steps, own, strict=True)]

    def restage(self, situation: Situation, path: PurePosixPath) -> bytes | None:
        """The user's staged version with our change; None when it contradicts."""
        entry = situation.staged[path].entry
        content = situation.branch.read(path, entry.id) if entry else None
        own = self._on(lambda _: content, frozenset({path}))
        return own[-1].get(path) if own else None

    def _is_withheld(self, situation: Situation, path: PurePosixPath) -> bool:
        before, after = self.view.before[path], self.view.after[path]
        if self.withheld is None or before is None or after is None:
            return False
        return self.withheld.has(situation, path, before, after, frozenset(self.paths))

    def _committed(self, situation: Situation, path: PurePosixPath, *, is_new: bool) -> bytes | None:
        """HEAD's file. One that HEAD has not is an empty one where what the work tree has must not be committed."""
        data = situation.branch.content(path)
        changes = (change for one in self.changesets for change in one.changes if change.path == path)
        return b"" if data is None and is_new and isinstance(next(changes), Write) else data

    def _on(self, read: ReadFile, paths: frozenset[PurePosixPath]) -> list[dict[PurePosixPath, bytes]] | None:
        """Per changeset, what it makes of these files as `read` has them."""
        view = View(read)
        files: list[dict[PurePosixPath, bytes]] = []
        for one in self.changesets:
            ours = Changeset(tuple(change for change in one.changes if change.path in paths), one.message)
            try:
                steps = resolve([ours], view, replay=self.replay, sizes=self.begun)
            except ConflictError:
                return None
            files.append(dict(steps[0].files) if steps else {})
        return files


def _overlap_error(users: Set[PurePosixPath], waiting: Set[PurePosixPath]) -> PendingError:
    if users:
        message, hint = "you have staged changes that overlap with this entry", "commit or unstage them"
    else:
        message = "has changes that must not be committed yet, and they overlap with this entry"
        hint = "`memsite check` tells why; correct that"
    return PendingError(message, where=min(users or waiting), hint=f"{hint}; the next run commits the entry")


def work_out(
    changesets: Sequence[Changeset],
    read: ReadFile,
    replay: Replay,
    begun: Mapping[PurePosixPath, int] | None = None,
    *,
    withheld: Withheld | None = None,
) -> ChangesetWork:
    """Changesets on the files as `read` has them.

    New ones must fit exactly; those of an earlier run (`begun` given) are carried over. Raises ConflictError.
    """
    kept = tuple(one for one in changesets if one)
    view = View(read)
    steps = resolve(kept, view, replay=None if begun is None else replay, sizes=begun)
    return ChangesetWork(kept, view, steps, replay, begun or {}, withheld)
