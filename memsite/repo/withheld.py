"""Files of the work tree with something in them that no commit may have yet: it breaks a rule of the memory, or names a
generation that is not committed. What `commit` holds back must not get into git with a command's own change.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set
from pathlib import PurePosixPath

from memsite.memory.names import find_mentions, parse_generation_name
from memsite.repo.delivery import Situation
from memsite.repo.objects import FILE_MODE, object_id
from memsite.repo.workspace import Workspace
from memsite.values import dataclass

# What only a file with changes of others needs is imported where it is used: `log` and `note` do not pay for it.


@dataclass(frozen=True, slots=True)
class Withheld:
    """Judges the files to which an operation writes."""

    workspace: Workspace

    def has(
        self, situation: Situation, path: PurePosixPath, before: bytes, data: bytes, written: Set[PurePosixPath]
    ) -> bool:
        """Whether a file has something that HEAD has not and must not be committed, when an operation is done.

        `before` is the file without the operation, `data` with it; `written` are the paths that it commits.
        """
        is_index = path == self.workspace.config.index_path
        is_large = len(data) > self.workspace.config.max_file_bytes
        if not (is_index or is_large or b"<<<<<<< " in data or b"ARCHIVED:" in data):
            return False
        head = situation.branch.content(path)
        return before != head and (
            self._breaks_a_rule(situation, path, data, head, is_index=is_index)
            or any(self._waits(situation, one) for one in self._named(data, head, is_index=is_index) - written)
        )

    def _breaks_a_rule(
        self, situation: Situation, path: PurePosixPath, data: bytes, head: bytes | None, *, is_index: bool
    ) -> bool:
        from memsite.memory.rules import check_content
        from memsite.repo.changes import RawChange
        from memsite.repo.guard import check_pending

        if any(check_content(path, data, self.workspace.config)):
            return True
        old = situation.heads[path]
        if not is_index or old is None or head is None:
            return False
        new = object_id("blob", data, self.workspace.object_format)
        change = RawChange(path, old.id, new, FILE_MODE)
        return any(check_pending(self.workspace, [change], {old.id: head, new: data}))

    def _named(self, data: bytes, head: bytes | None, *, is_index: bool) -> Set[PurePosixPath]:
        """The generations that a file names and HEAD's version of it does not."""
        config = self.workspace.config
        if is_index:
            there = self._generations()
            return {config.consolidated_path / name for name in _mentions(data, head, there)}
        from memsite.memory.daily import archived_names

        return {config.consolidated_path / name for name in archived_names(data) - archived_names(head or b"")}

    def _generations(self) -> Iterator[str]:
        """The file names of the generations in the work tree."""
        try:
            with os.scandir(self.workspace.root / self.workspace.config.consolidated_path) as entries:
                yield from [entry.name for entry in entries if parse_generation_name(entry.name)]
        except OSError:  # no such folder yet, or no right to it: there is no file in it that could be committed
            return

    def _waits(self, situation: Situation, generation: PurePosixPath) -> bool:
        """Whether a generation is in the work tree and not in HEAD."""
        return situation.branch.entry(generation) is None and (self.workspace.root / generation).is_file()


def _mentions(data: bytes, head: bytes | None, names: Iterable[str]) -> Set[str]:
    """The names that a file has and HEAD's version of it has not, wherever in its lines: no reader need find them."""
    known = frozenset((head or b"").splitlines())
    added = find_mentions(b"\n".join(line for line in data.splitlines() if line not in known), names)
    return added.keys() - find_mentions(head, added).keys()
