"""What a change must never lose, held against all that was committed before: generations, and entries of the index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.model import Problem
from memsite.memory.names import parse_generation_name
from memsite.memory.rules import (
    changed_generation,
    check_index,
    is_generation_path,
    is_markdown,
    returned_generation,
    undo_hint,
)
from memsite.repo.changes import RawChange, RawCommit
from memsite.repo.filters import Texts
from memsite.repo.objects import FILE_MODE
from memsite.repo.past import Appearance, Past, place_under
from memsite.repo.settled import Settled
from memsite.values import dataclass, field

_BOLD_BULLET = re.compile(rb"^[ \t]*[-*+][ \t]+\*\*", re.MULTILINE)

Found = tuple[Problem, str]
"""What is wrong, and the commit that did it; empty: the stage."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A change of a generation that the past decides on."""

    commit: str
    change: RawChange
    in_force: bool
    """It was one by the settings just before."""


@dataclass(slots=True)
class Immutable:
    """One walk over changes, newest commit first."""

    past: Past
    texts: Texts
    after: Config | None = None
    """The settings after the change, where it does not say so itself."""
    settled: Settled = field(default_factory=Settled)
    forgives: bool = False
    """What the index of HEAD has again is no error for ever."""
    _open: list[_Open] = field(default_factory=list)
    _lost: list[Found] = field(default_factory=list)
    _met: defaultdict[PurePosixPath, list[Appearance]] = field(default_factory=lambda: defaultdict(list))
    """Contents that the commits looked at so far give to generations."""

    def look_at(self, commit: RawCommit) -> None:
        """The changes of one commit, or of the stage."""
        for change in commit.changes:
            if parse_generation_name(change.path.name):
                self._look_at_generation(commit, change)
            elif change.old and change.old != change.new:
                self._lost += ((problem, commit.id) for problem in self._index_losses(commit, change, change.old))

    def found(self) -> Iterator[Found]:
        """What is wrong, once all is looked at."""
        yield from self._lost
        before = self.past.generations({one.change.path for one in self._open if one.change.new or not one.in_force})
        seen: set[RawChange] = set()
        for one in self._open:
            # A merge shows again what its side did.
            if one.change not in seen and (problem := self._judge(one, before.get(one.change.path, ()))):
                seen.add(one.change)
                yield problem, one.commit

    def _look_at_generation(self, commit: RawCommit, change: RawChange) -> None:
        if change.new:
            self._met[change.path].append(Appearance(commit.id, change.new))
        owners = self.past.owners(change.path)
        if owners and not self._is_elsewhere(commit, change, owners):
            in_force = any(is_generation_path(change.path, config) for config in self.past.in_force(commit))
            self._open.append(_Open(commit.id, change, in_force and change.old is not None))

    def _is_elsewhere(self, commit: RawCommit, change: RawChange, owners: Sequence[Config]) -> bool:
        """Whether what is deleted is, byte for byte, where the settings have it after the commit."""
        if change.new is not None:
            return False
        after = self._after(commit)
        targets = {place_under(change.path, config, after) for config in owners} - {change.path}
        return any(self._blob_after(commit, target) == change.old for target in targets)

    def _after(self, commit: RawCommit) -> Config:
        return self.after or self.past.config_after(commit)

    def _blob_after(self, commit: RawCommit, path: PurePosixPath) -> str | None:
        changes = [change for change in commit.changes if change.path == path]
        return changes[0].new if changes and not commit.id else self.past.content(commit.id or self.past.base, path)

    def _judge(self, one: _Open, before: Sequence[Appearance]) -> Problem | None:
        change, path = one.change, one.change.path
        met = (each for each in reversed(self._met[path]) if self.past.was_generation(path, each.commit))
        known = [*before, *met]
        if change.old is None and all(each.blob == change.new for each in known):
            return None
        earlier = [each for each in known if self.past.is_before(each.commit, one.commit)]
        if one.in_force and change.new is None:
            return changed_generation(path, is_gone=True, undo=self._undo(one, earlier))
        if not earlier:
            return changed_generation(path, is_gone=False, undo=self._undo(one, earlier)) if one.in_force else None
        allowed = {each.blob for each in (earlier[:1] if one.in_force else earlier)}
        if change.new in allowed and (change.mode == FILE_MODE or not change.mode_changed):
            return None
        if change.old is None:
            return returned_generation(path, self._undo(one, earlier))
        return changed_generation(path, is_gone=change.new is None, undo=self._undo(one, earlier))

    def _undo(self, one: _Open, earlier: Sequence[Appearance]) -> str:
        """From which commit the first content comes back: what HEAD has may be the change itself."""
        path = one.change.path
        first = earlier[0].blob if earlier else one.change.old or ""
        places = [f"{one.commit}^" if one.commit else self.past.base, *(each.commit for each in earlier)]
        place = next((each for each in places if self.past.content(each, path) == first), "")
        return undo_hint(path, first, place.removesuffix("^")[:10] + "^" * place.endswith("^"))

    def _index_losses(self, commit: RawCommit, change: RawChange, old: str) -> Iterator[Problem]:
        path = change.path
        in_force = any(config.index_path == path for config in self.past.in_force(commit))
        if not in_force and not is_markdown(path):
            return
        if not in_force and not self._was_index(path, old, commit.id):
            return
        target = self._after(commit).index_path
        key = f"index {old} {change.new}"
        may_be_known = target == path and not self.texts.is_filtered(path)
        if may_be_known and self.settled.has(key):
            return
        before = self.texts.read(path, old)
        after = self._index_after(commit, change, target)
        problems = tuple(check_index(path, before, after, self.past.config))
        if may_be_known and not problems:
            self.settled.add(key)
        if problems and self.forgives:
            yield from check_index(path, before, after, self.past.config, self._index_now())
        else:
            yield from problems

    def _index_now(self) -> bytes | None:
        path = self.past.config_at("HEAD").index_path
        blob = self.past.content("HEAD", path)
        return self.texts.read(path, blob) if blob else None

    def _was_index(self, path: PurePosixPath, blob: str, commit: str) -> bool:
        """Whether what is no index by the settings before the commit was one in a commit before."""
        never = len(self.past.configs) == 1
        return not never and bool(_BOLD_BULLET.search(self.texts.raw(blob))) and self.past.was_index(path, commit)

    def _index_after(self, commit: RawCommit, change: RawChange, target: PurePosixPath) -> bytes | None:
        """The index after a commit; with what settings that move it to `target` put there."""
        blobs = {change.path: change.new}
        if target != change.path:
            blobs[target] = self._blob_after(commit, target)
        contents = [self.texts.read(path, blob) for path, blob in blobs.items() if blob]
        return b"\n".join(contents) if contents else None
