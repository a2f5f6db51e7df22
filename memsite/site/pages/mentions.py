"""Which notes name a topic, and on which lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memsite.memory.model import Topic
from memsite.memory.outline import plain_text

EXCERPT_LENGTH = 160
_LATIN = re.compile(r"[0-9a-z_\u00c0-\u024f]")
_MARKER = re.compile(r"^\s*<!--.*-->\s*$")
_MARKUP = re.compile(r"^\s*(?:[-*+>]|#{1,6}|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Mention:
    """A line that names a topic."""

    line: int
    text: str
    start: int
    """Where in `text` the name stands."""

    @property
    def excerpt(self) -> str:
        """Plain text: the line without its Markdown bullet or heading mark, shortened around the name."""
        return excerpt(self.text, self.start)


def topic_names(topic: Topic) -> tuple[str, ...]:
    """What a note may call a topic, casefolded: slug, slug in words, aliases. One-letter names would be everywhere."""
    names = {topic.slug, topic.slug.replace("-", " "), *topic.aliases}
    return tuple(sorted({name.casefold() for name in names if len(name.strip()) > 1}))


def find_mentions(text: str, names: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[Mention, ...]]:
    """The lines of a note that name each topic; `names` by slug, from `topic_names`. Topics not named are absent."""
    folded = text.casefold()
    near = {slug: own for slug, own in names.items() if any(name in folded for name in own)}
    if not near:
        return {}
    lines = [
        (number, line, line.casefold())
        for number, line in enumerate(text.splitlines(), start=1)
        if not _MARKER.match(line)
    ]
    found = {slug: tuple(_mentions(lines, own)) for slug, own in near.items()}
    return {slug: mentions for slug, mentions in found.items() if mentions}


def _mentions(lines: Iterable[tuple[int, str, str]], names: tuple[str, ...]) -> Iterator[Mention]:
    for number, line, folded in lines:
        starts = [start for name in names if (start := find_name(folded, name)) >= 0]
        if starts:
            yield Mention(number, line, min(starts))


def find_name(folded: str, name: str) -> int:
    """Where `name` stands as a name in a casefolded line; -1 where it does not. `blog` is not in `weblogs`."""
    start = folded.find(name)
    while start >= 0:
        end = start + len(name)
        if not (_joined(folded[max(start - 1, 0) : start + 1]) or _joined(folded[end - 1 : end + 1])):
            return start
        start = folded.find(name, start + 1)
    return -1


def _joined(edge: str) -> bool:
    return len(edge) == 2 and bool(_LATIN.match(edge[0]) and _LATIN.match(edge[1]))


def excerpt(line: str, around: int = 0) -> str:
    """A line as plain text of at most EXCERPT_LENGTH characters, with what stands at `around` in it."""
    mark = _MARKUP.match(line)
    skipped = mark.end() if mark else 0
    window = line[skipped : max(around, skipped) + 2 * EXCERPT_LENGTH]
    start = max(0, around - skipped - EXCERPT_LENGTH // 2)
    text = plain_text(window) if len(window) <= 2 * EXCERPT_LENGTH else window.strip()
    if start + EXCERPT_LENGTH >= len(text):
        start = max(0, len(text) - EXCERPT_LENGTH)
    shown = text[start : start + EXCERPT_LENGTH]
    return ("…" if start else "") + shown + ("…" if start + EXCERPT_LENGTH < len(text) else "")
