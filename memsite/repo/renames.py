"""Files that a commit took away and brought again under another name.

git keeps no renames, it finds them: among what a commit deletes and adds, files of the same or of a similar text. So
does this, in the texts that are shown: what others do not see decides nothing for them, nor does a version of git.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import product
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.names import is_session_log, parse_day_name, parse_generation_name
from memsite.memory.rules import is_markdown
from memsite.memory.snapshot import Blob
from memsite.repo.commits import Commit, FileChange
from memsite.repo.history import History, Revision
from memsite.values import dataclass

LEAST_ALIKE = 0.5
"""Share of the longer text that both must have: git's own."""
MOST_PAIRS = 1_000
"""Of texts of one commit that are compared; where there are more, only equal ones are found. git has a limit, too."""
Read = Callable[[Iterable[str]], Mapping[str, Blob]]


@dataclass(frozen=True, slots=True)
class Renames:
    """The renames of a history."""

    sources: Mapping[tuple[str, PurePosixPath], FileChange]
    """By commit and the later name: the deletion of the file of the earlier name."""
    targets: Mapping[tuple[str, PurePosixPath], PurePosixPath]
    """By commit and the earlier name: the later one."""

    def revisions(self, history: History, path: PurePosixPath) -> tuple[Revision, ...]:
        """The states of a file, newest first, with those that it had under earlier names."""
        states = history.revisions(path)
        if not self.sources:
            return states
        found: list[Revision] = []
        while states:
            last = next((at for at, one in enumerate(states) if (one.commit.id, one.path) in self.sources), None)
            if last is None:
                return (*found, *states)
            found += states[: last + 1]
            commit = states[last].commit.id
            earlier = history.revisions(self.sources[commit, states[last].path].path)
            at = next((at for at, one in enumerate(earlier) if one.commit.id == commit), len(earlier))
            states = earlier[at + 1 :]
        return tuple(found)


def find_renames(history: History, config: Config, read: Read) -> Renames:
    """The renames of Markdown files whose name no rule gives (FORMATS): notes, and labels within a day.

    `read` gives old texts by the ids that the history has.
    """
    commits = [(commit.id, *found) for commit in history.commits if (found := _candidates(commit, config))]
    equal = {commit: list(_equal_pairs(gone, came, config)) for commit, gone, came in commits}
    left = [(commit, *_left(gone, came, equal[commit])) for commit, gone, came in commits]
    left = [(commit, gone, came) for commit, gone, came in left if gone and came and _are_few(gone, came)]
    texts = read(sorted({_blob(one) for _, gone, came in left for one in (*gone, *came)})) if left else {}
    alike = {commit: list(_pairs(gone, came, _Likeness(texts), config)) for commit, gone, came in left}
    pairs = [(commit, *pair) for found in (equal, alike) for commit, some in found.items() for pair in some]
    return Renames(
        {(commit, new.path): old for commit, old, new in pairs},
        {(commit, old.path): new.path for commit, old, new in pairs},
    )


def _candidates(commit: Commit, config: Config) -> tuple[Sequence[FileChange], Sequence[FileChange]] | None:
    gone = [one for one in commit.changes if one.new_blob is None and one.old_blob is not None]
    came = [one for one in commit.changes if one.old_blob is None and one.new_blob is not None] if gone else []
    free = [[one for one in some if _may_change(one.path, config)] for some in (gone, came)] if came else [[]]
    return (free[0], free[1]) if all(free) else None


def _may_change(path: PurePosixPath, config: Config) -> bool:
    """Whether a file's name says no more than what it is called."""
    is_generation = path.parent == config.consolidated_path and parse_generation_name(path.name)
    is_ruled = is_generation or is_session_log(path, config.memory) or path == config.index_path
    return is_markdown(path) and not is_ruled


def _day(path: PurePosixPath, config: Config) -> date | None:
    found = parse_day_name(path.name) if path.parent == config.memory else None
    return found[0] if found else None


def _pairs(
    gone: Iterable[FileChange], came: Iterable[FileChange], likeness: Callable[[str, str], float], config: Config
) -> Iterator[tuple[FileChange, FileChange]]:
    """What was renamed to what: the most alike first, of those the same name in another folder, then by path."""
    ranked = []
    for old, new in product(gone, came):
        if len({_day(old.path, config), _day(new.path, config)} - {None}) < 2:
            share = likeness(_blob(old), _blob(new))
            ranked += [(-share, old.path.name != new.path.name, old.path, new.path, old, new)] * (share >= LEAST_ALIKE)
    taken: set[PurePosixPath] = set()
    for *_, old, new in sorted(ranked, key=lambda one: one[:4]):
        if taken.isdisjoint((old.path, new.path)):
            taken |= {old.path, new.path}
            yield old, new


def _left(
    gone: Sequence[FileChange], came: Sequence[FileChange], pairs: Iterable[tuple[FileChange, FileChange]]
) -> tuple[Sequence[FileChange], Sequence[FileChange]]:
    found = {one.path for pair in pairs for one in pair}
    return [one for one in gone if one.path not in found], [one for one in came if one.path not in found]


def _blob(change: FileChange) -> str:
    return change.old_blob or change.new_blob or ""


def _equal_pairs(
    gone: Iterable[FileChange], came: Iterable[FileChange], config: Config
) -> Iterator[tuple[FileChange, FileChange]]:
    of_blob: dict[str, tuple[list[FileChange], list[FileChange]]] = {}
    for side, changes in enumerate((gone, came)):
        for one in changes:
            of_blob.setdefault(_blob(one), ([], []))[side].append(one)
    for olds, news in of_blob.values():
        if _are_few(olds, news):
            yield from _pairs(olds, news, lambda _old, _new: 1.0, config)


def _are_few(gone: Sequence[FileChange], came: Sequence[FileChange]) -> bool:
    return len(gone) * len(came) <= MOST_PAIRS


class _Likeness:
    """How alike two texts are: the share of the longer one, in bytes of whole lines, that both have."""

    def __init__(self, texts: Mapping[str, Blob]) -> None:
        self._texts = texts
        self._lines: dict[str, Counter[bytes]] = {}

    def __call__(self, old: str, new: str) -> float:
        """From 0 to 1; 0 where one of them is not there."""
        if old not in self._texts or new not in self._texts:
            return 0.0
        shorter, longer = sorted(len(self._texts[one].data) for one in (old, new))
        if shorter < LEAST_ALIKE * longer or not longer:
            return 0.0
        shared = self._counted(old) & self._counted(new)
        return sum(len(line) * count for line, count in shared.items()) / longer

    def _counted(self, name: str) -> Counter[bytes]:
        if name not in self._lines:
            self._lines[name] = Counter(self._texts[name].data.splitlines(keepends=True))
        return self._lines[name]
