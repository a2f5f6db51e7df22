"""Addresses for ever (DESIGN, decision 11): given out once over all files that ever were, first come, first served.

Neither a file that is deleted nor one that is added changes the address of another. Only where a merge brings two files
of one address together must one of them yield: the one that was committed later.
"""

from __future__ import annotations

import unicodedata
from bisect import insort
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TypeVar

from memsite.config import Config
from memsite.memory.lineage import MARKDOWN, is_named, iter_site_paths
from memsite.memory.names import GenerationName, parse_generation_name
from memsite.repo.history import History
from memsite.site.pages.addresses import safe_note_uri

K = TypeVar("K", bound=Hashable)
Arrivals = Callable[[PurePosixPath], int]
"""When a file came: the number of its first commit, the oldest being 0. What is not committed comes last."""
_BEFORE_ALL = -1


def arrivals(history: History) -> Arrivals:
    """When each file came. What a shallow clone does not tell came before all that it tells."""
    first: dict[PurePosixPath, int] = {}
    for number, commit in enumerate(reversed(history.commits)):
        for change in commit.changes:
            first.setdefault(change.path, number if change.old_blob is None else _BEFORE_ALL)
    unknown = _BEFORE_ALL if history.shallow else len(history.commits)
    return lambda path: first.get(path, unknown)


def first_free(claims: Iterable[tuple[K, Iterable[str]]]) -> dict[K, str]:
    """Each claim's first option that no claim before it has; when none is left, its first one with a number.

    Options that a file system may take for equal (letter case, composed and decomposed letters) are one.
    """
    taken: set[str] = set()
    found: dict[K, str] = {}
    for key, options in claims:
        uri = next(option for option in _with_numbers(options) if _folded(option) not in taken)
        taken.add(_folded(uri))
        found[key] = uri
    return found


def _with_numbers(options: Iterable[str]) -> Iterator[str]:
    first, number = "", 1
    for option in options:
        first = first or option
        yield option
    while True:
        number += 1
        yield f"{first.removesuffix('/')}-{number}" + ("/" if first.endswith("/") else "")


def _folded(uri: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", uri).casefold())


def note_uris(paths: Iterable[PurePosixPath], history: History, config: Config) -> dict[PurePosixPath, str]:
    """The address of every other note: of those that exist (`paths`, unreadable files too) and those that did."""
    came = arrivals(history)
    once = (path for path in _past(history) if path != config.index_path and not is_named(path, config))

    def turn(path: PurePosixPath) -> tuple[int, bool, PurePosixPath]:
        return came(path), not path.is_relative_to(config.memory), path

    ordered = sorted({*paths, *once}, key=turn)
    return first_free((path, _note_options(path, config)) for path in ordered)


def _past(history: History) -> Iterator[PurePosixPath]:
    """Every Markdown file that the history knows."""
    paths = dict.fromkeys(change.path for commit in history.commits for change in commit.changes)
    return (path for path in paths if path.suffix.lower() in MARKDOWN)


def _note_options(path: PurePosixPath, config: Config) -> Iterator[str]:
    if path.suffix.lower() in MARKDOWN:
        yield from map(safe_note_uri, iter_site_paths(path, config))
    else:  # an unreadable file of any kind
        yield safe_note_uri(path.relative_to(config.memory) if path.is_relative_to(config.memory) else path)


class Segments:
    """The last part of each generation's address: `gen2`, and `gen2-2025-04-05` for a second file of that number."""

    def __init__(self, paths: Iterable[PurePosixPath], history: History, config: Config) -> None:
        self._came = arrivals(history)
        past = (path for path in _past(history) if path.parent == config.consolidated_path)
        named = {path: name for path in (*paths, *past) if (name := parse_generation_name(path.name))}
        self._names: Mapping[PurePosixPath, GenerationName] = named
        self._uris = first_free((path, _generation_options(named[path])) for path in sorted(named, key=self._turn))

    def __getitem__(self, path: PurePosixPath) -> str:
        """The segment of a generation that exists or did."""
        return self._uris[path].rpartition("/")[2]

    @property
    def order(self) -> list[tuple[str, str]]:
        """All that is known here: each path and its address, in the order in which they came."""
        return [(str(path), uri) for path, uri in self._uris.items()]

    def _turn(self, path: PurePosixPath) -> tuple[int, int, object, PurePosixPath]:
        name = self._names[path]
        return self._came(path), name.number, name.day, path

    def steps(self, lineage: Sequence[PurePosixPath]) -> tuple[tuple[PurePosixPath, PurePosixPath], ...]:
        """All pairs of a lineage (in its order) that are neighbours or were before a later one came between them."""
        place = {path: number for number, path in enumerate(lineage)}
        there: list[int] = []
        pairs: dict[tuple[int, int], None] = {}
        for path in sorted(lineage, key=self._turn):
            insort(there, place[path])
            at = there.index(place[path])
            pairs.update(dict.fromkeys(pairwise(there[max(at - 1, 0) : at + 2])))
        return tuple((lineage[one], lineage[other]) for one, other in sorted(pairs))


def _generation_options(name: GenerationName) -> Iterator[str]:
    yield f"{name.topic}/gen{name.number}"
    yield f"{name.topic}/gen{name.number}-{name.day.isoformat()}"
