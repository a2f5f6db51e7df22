"""The sentences of a paragraph or a list item, and where lines are one sentence that a line break only wraps.

Two lines are one sentence where the first one cannot end there, or where it is full and what follows ends as a sentence
does; what nobody has punctuated are lines. A line end between CJK characters is no space.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from memsite.values import dataclass

FULL = 70
"""Columns from which a line is taken for a full one: nobody wraps text at less."""

_ENDED = re.compile(r"[.!?。！？｡…;；]['\"’”»›」』）)\]*_`~]*$")
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|ca|no|nr|dr|mr|mrs|ms|st|bzw|z\.b|d\.h)\.$", re.IGNORECASE
)
_UNFINISHED = re.compile(
    r"(?:[,:，、：(（\[{「『《“–—&+/=]|\s-|(?:^|\s)(?:an|the|and|or|but|nor|of|to|in|on|at|by|for|from|with|into|than|as|is|are"
    r"|was|were|be|because|that|which|who|if|when|our|my|und|oder|der|die|das|den|dem|ein|eine|mit|von|zu|für))$"
)
"""Ends after which a sentence goes on."""
_LABELLED = re.compile(r"\W*[^\W\d_][\w ]{0,20}(?::\s|：)")
"""How a line begins that says something new: `assistant: …`, 状态：…"""
_SENTENCE_END = re.compile(
    r"(?<=[.!?])[\"'’”»)\]*_`]*\s+(?=[^\W\d_a-z]|[0-9\"'“‘(（《*_`\[])|(?<=[。！？｡])[」』”’）)\]*_`]*\s*(?=\S)"
)
_WIDE = frozenset("WF")
_PUNCTUATION = "\u3000-\u303f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_SPACELESS = re.compile(rf"[{_PUNCTUATION}\u2e80-\u30ff\u31c0-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]")
"""Characters of scripts that put no space between words, and their punctuation; Korean does put one."""
_WIDE_MARK = re.compile(f"[{_PUNCTUATION}]")
_SHARED_MARKS = "“”‘’…—"
"""Punctuation that these scripts share with others."""
_LONGEST_ABBREVIATION = 12
_FIRST_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and the lines (0-based) that it stands on."""

    text: str
    first: int
    last: int
    follows: bool
    """Whether it goes on in the flow of the sentence before, rather than on a line of its own."""
    gap: str = ""
    """What is between it and the sentence before it in that flow: nothing, or a space."""

    def joined(self, after: Sentence) -> Sentence:
        """It and a sentence after it as one."""
        gap = after.gap if after.follows else glue(self.text, after.text)
        return Sentence(self.text + gap + after.text, self.first, after.last, self.follows, self.gap)


def split_sentences(lines: Sequence[str], broken: Sequence[bool] = ()) -> Iterator[Sentence]:
    """The sentences of a block, given as its lines without indentation; `broken` are those with a hard line break."""
    block = _Block.of(lines)
    first = 0
    for index in range(len(lines)):
        hard = index < len(broken) and broken[index]
        if hard or not block.goes_on(index):
            yield from _sentences(lines, first, index)
            first = index + 1


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of a block, and what the whole of it says about where its sentences end."""

    lines: Sequence[str]
    room: int
    """Columns of its longest line, `FULL` at least."""
    last_end: int
    """The index of the last line in which a sentence ends; -1 for none."""

    @classmethod
    def of(cls, lines: Sequence[str]) -> _Block:
        last = next((index for index in range(len(lines) - 1, -1, -1) if _has_end(lines[index])), -1)
        return cls(lines, max(FULL, *map(_columns, lines)) if lines else FULL, last)

    def goes_on(self, index: int) -> bool:
        """Whether the sentence with which a line ends goes on in the next one."""
        line, following = self.lines[index], self.lines[index + 1] if index + 1 < len(self.lines) else ""
        if not line or not following or is_ended(line):
            return False
        if _LABELLED.match(following):
            return False
        if _UNFINISHED.search(line):
            return True
        first = following[0]
        if first.islower() and self._is_full(index):
            return True
        caseless = (first.isalpha() and not first.isupper()) or _SPACELESS.match(line[-1])
        return self.last_end > index and (bool(caseless) or self._is_full(index))

    def _is_full(self, index: int) -> bool:
        """Whether the next line's first word had no room on a line."""
        word = _FIRST_WORD.match(self.lines[index + 1])
        return _columns(self.lines[index]) + 1 + _columns(word[0] if word else "") > self.room


def is_ended(line: str) -> bool:
    """Whether a text ends as a sentence does."""
    return _ENDED.search(line) is not None and _ABBREVIATED.search(line) is None


def _has_end(line: str) -> bool:
    return is_ended(line) or _SENTENCE_END.search(line) is not None


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in _WIDE else 1 for char in text)


def glue(before: str, after: str) -> str:
    """What a line end between two texts stands for: a space, nothing in scripts that have none."""
    last, first = before.rstrip(_SHARED_MARKS)[-1:], after.lstrip(_SHARED_MARKS)[:1]
    if _WIDE_MARK.match(before[-1:]) or _WIDE_MARK.match(after[:1]):
        return ""
    return "" if _SPACELESS.match(last) and _SPACELESS.match(first) else " "


def _sentences(lines: Sequence[str], first: int, last: int) -> Iterator[Sentence]:
    text, starts = "", []
    for line in lines[first : last + 1]:
        text += glue(text, line) if text and line else ""
        starts.append(len(text))
        text += line
    begin, gap = 0, ""
    for end in [*_ends(text), len(text)]:
        said = text[begin:end].strip()
        if said:
            lines_of = first + _line_at(starts, begin), first + _line_at(starts, end - 1)
            yield Sentence(said, *lines_of, begin > 0, gap)
            begin, gap = end, " " if text[end - 1] == " " else ""


def _ends(text: str) -> Iterator[int]:
    for match in _SENTENCE_END.finditer(text):
        if not _ABBREVIATED.search(text[max(match.end() - _LONGEST_ABBREVIATION, 0) : match.end()].rstrip()):
            yield match.end()


def _line_at(starts: Sequence[int], position: int) -> int:
    return bisect_right(starts, max(position, 0)) - 1
