"""What a memory's settings call private: topics, files and folders. It is in no published site, old versions included.

An entry of `private` with a `/` or a `.md` is a path, in the memory folder or the workspace. Any other is the name of a
topic, and of a file or folder that is called so: a name that could be either hides both.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.memory.index_spans import split_parts
from memsite.memory.names import parse_generation_name, slugify
from memsite.memory.private_marks import find_marks
from memsite.values import dataclass

_MARKDOWN = (".md", ".markdown")
_ENTRY = re.compile(
    r"^(?P<indent>[ \t]*)[-*+][ \t]+(?:\*\*(?P<name>[^*\r\n]+)\*\*|__(?P<lined>[^\r\n]+?)__)[^\n]*(?:\n|\Z)",
    re.MULTILINE,
)
_ALIASES = re.compile(r"\baliases\b\W{0,6}?[:：][\s*_]*\[?(?P<names>[^\]\r\n]*)", re.IGNORECASE)
_ADDED = re.compile(r"^\d{4}-\d\d-\d\d[ _-]+|[ _-]+(?:gen)?\d+$")


@dataclass(frozen=True)
class Privacy:
    """What is private, by name. Letter case and composition of letters make no difference."""

    config: Config

    @cached_property
    def topics(self) -> frozenset[str]:
        """Slugs."""
        named = (slugify(entry) for entry in self.config.private if not _is_path(entry))
        return frozenset(filter(None, named))

    @cached_property
    def _paths(self) -> frozenset[PurePosixPath]:
        places = (PurePosixPath(), self.config.memory)
        return frozenset(folded(place / entry.strip("/")) for entry in self.config.private for place in places)

    @cached_property
    def _bare(self) -> frozenset[PurePosixPath]:
        """Names that may be those of files without their suffix: not what ends in a `/`."""
        names = [entry for entry in self.config.private if not entry.endswith("/")]
        return frozenset(folded(place / entry) for entry in names for place in (PurePosixPath(), self.config.memory))

    def hides_path(self, path: PurePosixPath) -> bool:
        """Whether a file of the workspace is private as a whole: by its path, or because it is called like a topic.

        A date before the name and a number after it make no difference.
        """
        if not self.config.private or not path.parts or path == self.config.index_path:
            return False
        whole = folded(path)
        if not self._paths.isdisjoint({whole, *whole.parents}) or whole.with_suffix("") in self._bare:
            return True
        if generation := parse_generation_name(path.name):
            return generation.topic in self.topics
        return any(slugify(_called(part)) in self.topics for part in (*whole.parent.parts, whole.stem))

    def unmatched(self, paths: Iterable[PurePosixPath], slugs: Iterable[str]) -> Iterator[str]:
        """Entries that name nothing that there is or was: perhaps a slip of the pen, which would hide nothing."""
        whole = {one for path in map(folded, paths) for one in (path, path.with_suffix(""), *path.parents)}
        known = frozenset(slugs)
        for entry in self.config.private:
            places = {folded(place / entry.strip("/")) for place in (PurePosixPath(), self.config.memory)}
            if places.isdisjoint(whole) and (_is_path(entry) or slugify(entry) not in known):
                yield entry

    def entries(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where private topics have entries in a text of INDEX.md: the bullet with its bold name, and what is below it.

        Found line by line: a history has a thousand versions of an index.
        """
        found: list[tuple[int, int]] = []
        for match in _ENTRY.finditer(text) if self.topics else ():
            if slugify((match["name"] or match["lined"]).rstrip(":： ")) in self.topics:
                indent = len(match["indent"].expandtabs(4))
                found.append((match.start(), _end_of_item(text, match.end(), indent)))
        return united(found)

    def aliases(self, text: str) -> Iterator[str]:
        """What the entries of private topics in a text of INDEX.md call them besides."""
        for start, end in self.entries(text):
            for match in _ALIASES.finditer(text, start, end):
                yield from filter(None, (name.strip(" \t\"'`“”‘’") for name in split_parts(match["names"])))

    def hidden(self, path: PurePosixPath, text: str) -> tuple[tuple[int, int], ...]:
        """What of a file is private by its own marks and by the settings: disjoint places of its text, in order."""
        if self.hides_path(path):
            return ((0, len(text)),) if text else ()
        places = [(block.start, block.end) for block in find_marks(text).blocks]
        if path == self.config.index_path:
            places += self.entries(text)
        return united(places)


def _end_of_item(text: str, start: int, indent: int) -> int:
    """Where a list item ends whose first line ends at `start`: before the next line that is not indented deeper."""
    end = position = start
    while position < len(text):
        stop = text.find("\n", position) + 1 or len(text)
        line = text[position:stop]
        if line.strip():
            margin = line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4)
            if len(margin) <= indent:
                break
            end = stop
        position = stop
    return end


def _is_path(entry: str) -> bool:
    return "/" in entry or entry.lower().endswith(_MARKDOWN)


def _called(name: str) -> str:
    """What a file or folder is called, without a date before it and a number after it."""
    return _ADDED.sub("", name)


def folded(path: PurePosixPath) -> PurePosixPath:
    """A path as it is compared."""
    return PurePosixPath(unicodedata.normalize("NFC", unicodedata.normalize("NFC", str(path)).casefold()))


def united(places: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Places as disjoint ones, in order."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
