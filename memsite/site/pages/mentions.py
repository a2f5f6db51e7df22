"""Which notes name a topic, and on which lines."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice, takewhile

from memsite.memory.daily import archived_until
from memsite.memory.lines import Kind, split_lines
from memsite.memory.mentions import Passage, TopicNames, read_passages
from memsite.memory.model import DailyNote
from memsite.memory.outline import plain_text
from memsite.site.pages.documents import last_line_with_text
from memsite.values import dataclass

EXCERPT_LENGTH = 160
LONGEST_WORD = 20
BELOW_HEADING = 2
"""Lines that stand for a heading."""
_REFERENCE = re.compile(r"\[([^\[\]^][^\[\]]*)\]\[[^\[\]]*\]|\[\^[^\[\]\s]+\]")
"""A link by its definition, or the mark of a footnote: both mean nothing without what stands elsewhere."""
_MARKUP = re.compile(r"^\s*(?:[-*+>]|#{1,6}|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Mention:
    """A line that says something of a topic."""

    line: int
    text: str
    start: int
    """Where in `text` the name stands; 0 for a line below a heading that has it."""
    is_anchored: bool = True
    """Whether an anchor stands on it: with that, a note that says the same of a topic may otherwise be another."""

    @property
    def excerpt(self) -> str:
        """Plain text: the line without its Markdown bullet or heading mark, shortened around the name."""
        return excerpt(self.text, self.start)


def find_mentions(note: DailyNote, names: TopicNames) -> dict[str, tuple[Mention, ...]]:
    """The lines of a note that say something of each topic, in their order; topics that are not named are absent.

    These are the lines that name it, quotes and code aside. Of a heading that does, the first lines below it: the
    heading itself says nothing but the name.
    """
    if not (occurring := names.occurring_in(note.blob.text)):
        return {}
    passages, last = tuple(read_passages(note)), last_line_with_text(note.blob.text)
    found: dict[str, dict[int, Mention]] = {}
    for slug, passage, start in names.iter_mentions(passages, occurring):
        lines = found.setdefault(slug, {})
        below = _first_below(passages, passage) if passage.level else ()
        for said, at in [(one, 0) for one in below] or [(passage, start)]:
            lines.setdefault(said.line, Mention(said.line, said.text, at, said.line <= last))
    return {slug: tuple(lines[number] for number in sorted(lines)) for slug, lines in found.items()}


def read_mentions(note: DailyNote, names: TopicNames) -> str:
    """`find_mentions` as a text that can be kept."""
    found = find_mentions(note, names)
    return json.dumps({slug: [_values(one) for one in lines] for slug, lines in found.items()})


def _values(one: Mention) -> tuple[int, str, int, bool]:
    return one.line, one.text, one.start, one.is_anchored


def mentions_of(text: str) -> dict[str, tuple[Mention, ...]]:
    """What `read_mentions` wrote."""
    return {slug: tuple(Mention(*one) for one in lines) for slug, lines in json.loads(text).items()}


def fresh_lines(note: DailyNote, slug: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """What a note says to a topic that none of its generations holds: all below the topic's own marker, headings aside;
    without that marker the lines that say something of it, which are `mentions`."""
    start = archived_until(note, slug)
    if not start:
        return tuple(mentions)
    below = [passage for passage in read_passages(note) if passage.line > start]
    said = [passage for passage in below if not passage.level] or below
    return tuple(Mention(passage.line, passage.text, 0) for passage in said) or _any_line(note, start)


def _any_line(note: DailyNote, start: int) -> tuple[Mention, ...]:
    """The first line with words, of a text that is all code and quotes."""
    lines = (line for line in split_lines(note.blob.data)[start:] if line.kind is not Kind.COMMENT)
    words = (line for line in lines if any(map(str.isalnum, line.text)))
    return tuple(Mention(line.number, line.text, 0) for line in islice(words, 1))


def _first_below(passages: Sequence[Passage], heading: Passage) -> tuple[Passage, ...]:
    position = bisect_left(passages, heading.line, key=lambda passage: passage.line) + 1
    below = takewhile(lambda passage: not passage.level, islice(passages, position, None))
    return tuple(islice(below, BELOW_HEADING))


def excerpt(line: str, around: int = 0) -> str:
    """A line as plain text of at most EXCERPT_LENGTH characters, with what stands at `around` in it."""
    mark = _MARKUP.match(line)
    skipped = mark.end() if mark else 0
    window = line[skipped : max(around, skipped) + 2 * EXCERPT_LENGTH]
    start = max(0, around - skipped - EXCERPT_LENGTH // 2)
    window = _REFERENCE.sub(r"\1", window)
    text = plain_text(window) if len(window) <= 2 * EXCERPT_LENGTH else window.strip()
    if start + EXCERPT_LENGTH >= len(text):
        start = max(0, len(text) - EXCERPT_LENGTH)
    end = start + EXCERPT_LENGTH
    shown = text[start:end]
    # Words stay whole, where there are words: other scripts have no space near.
    if start:
        shown = shown[shown.find(" ", 0, LONGEST_WORD) + 1 :]
    if end < len(text) and (space := shown.rfind(" ", len(shown) - LONGEST_WORD)) > 0:
        shown = shown[:space]
    return ("…" if start else "") + shown + ("…" if end < len(text) else "")
