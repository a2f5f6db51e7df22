"""Which notes name a topic, and on which lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsite.memory.mentions import TopicNames, read_passages
from memsite.memory.model import DailyNote
from memsite.memory.outline import plain_text

EXCERPT_LENGTH = 160
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


def find_mentions(note: DailyNote, names: TopicNames) -> dict[str, tuple[Mention, ...]]:
    """The lines of a note that name each topic, quotes and code aside; topics that are not named are absent."""
    if not names.occur_in(note.blob.text):
        return {}
    found: dict[str, dict[int, Mention]] = {}
    for slug, passage, start in names.iter_mentions(tuple(read_passages(note))):
        found.setdefault(slug, {}).setdefault(passage.line, Mention(passage.line, passage.text, start))
    return {slug: tuple(lines.values()) for slug, lines in found.items()}


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
