"""Private sentences where they stand again: a generation that quotes them, an older note, a commit's message.

Lines and sentences are compared by their letters and digits alone, however a paragraph is wrapped. Short ones, headings
and other frames of a file are no sentences: they stand in public files by right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from memsite.memory.private_names import PRIVATE

_FRAME = re.compile(r"\s{0,3}(?:#|>?\s*<!--|\*\*(?:Created|Covers|Previous)|[|`~=-]{3}|\|)")
_REFERENCES = re.compile(r"(?:\s*\[[^\[\]]*\d{4}-\d\d-\d\d[^\[\]]*\])+\s*$")
_BULLET = re.compile(r"^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:\d{4}-\d\d-\d\d(?:[\w.-]*)?:\s+)?")
_ENTRY = re.compile(r"[\s>]*(?:[-*+]|\d{1,3}[.)])\s")
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]*")
_LEAD = re.compile('[:：—–“”"„‟«»「」『』]')
"""Ends the words that lead to what is quoted."""
_MOST_LEADS = 16
"""In a sentence; each takes another look at its rest."""
_FEWEST_WORDS, _FEWEST_LETTERS, _FEWEST_CJK = 4, 20, 8
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def private_units(text: str) -> Iterator[str]:
    """The lines and sentences of a private text that can be told from ordinary ones, as they are compared."""
    lines = text.splitlines()
    for line in lines:
        if _FRAME.match(line):
            continue
        for unit in dict.fromkeys([_bare(line), *_SENTENCE.findall(_bare(line))]):
            if _is_telling(unit):
                yield _letters(unit)
    for paragraph in _paragraphs(lines):
        for sentence in _SENTENCE.findall(" ".join(_bare(lines[number]) for number in paragraph)):
            if _is_telling(sentence):
                yield _letters(sentence)


def _paragraphs(lines: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the lines of each paragraph that has more than one; an entry of a list begins another."""
    found: list[int] = []
    for number, line in enumerate(lines):
        is_text = bool(line.strip(" \t>\r\n")) and not _FRAME.match(line)
        if found and (not is_text or _ENTRY.match(line)):
            yield from [found] if len(found) > 1 else []
            found = []
        if is_text:
            found.append(number)
    yield from [found] if len(found) > 1 else []


class Copies:
    """Private units, found again in other texts."""

    def __init__(self, units: frozenset[str]) -> None:
        self._units = units

    def __bool__(self) -> bool:
        return bool(self._units)

    def mask(self, text: str) -> str:
        """The text with `[private]` for each line or sentence that is private elsewhere."""
        if not self._units:
            return text
        lines = text.splitlines(keepends=True)
        for paragraph in _paragraphs(lines):
            self._mask_wrapped(lines, paragraph)
        return "".join(map(self._line, lines))

    def _mask_wrapped(self, lines: list[str], paragraph: Sequence[int]) -> None:
        """Take private sentences that go over several lines out of these, and leave the lines."""
        bares = [_bare(lines[number]) for number in paragraph]
        joined = " ".join(bares)
        starts = [0, *accumulate(len(bare) + 1 for bare in bares)]
        for match in reversed(list(_SENTENCE.finditer(joined))):
            found = self._private_end(match.group())
            if not found:
                continue
            first = match.end() - len(found.lstrip())
            for place in reversed(range(len(bares))):
                begin, end = max(first - starts[place], 0), max(match.end() - starts[place], 0)
                piece = bares[place][begin:end].strip()
                if piece:
                    is_first = first >= starts[place]
                    line = lines[paragraph[place]]
                    at = line.rfind(piece)
                    shown = PRIVATE if is_first else ""
                    lines[paragraph[place]] = line[:at] + shown + line[at + len(piece) :]

    def _line(self, line: str) -> str:
        bare = _bare(line)
        if not _is_telling(bare):
            return line
        if _letters(bare) in self._units:
            return line.replace(bare, PRIVATE)
        for sentence in _SENTENCE.findall(bare):
            if found := self._private_end(sentence):
                line = line.replace(found.strip(), PRIVATE)
        return line

    def _private_end(self, sentence: str) -> str:
        """The sentence, or what stands in it behind words that lead there, if that is private; else nothing."""
        starts = [0, *(match.end() for match in islice(_LEAD.finditer(sentence), _MOST_LEADS))]
        ends = (sentence[start:] for start in starts)
        return next((one for one in ends if _is_telling(one) and _letters(one) in self._units), "")


def _bare(line: str) -> str:
    """A line without its bullet, the name of its source and its references."""
    words = line.rstrip("\r\n")
    start = match.end() if (match := _BULLET.match(words)) else 0
    return _REFERENCES.sub("", words[start:]).strip()


def _is_telling(unit: str) -> bool:
    if len(_CJK.findall(unit)) >= _FEWEST_CJK:
        return True
    return len(_letters(unit)) >= _FEWEST_LETTERS and len(unit.split()) >= _FEWEST_WORDS


def _letters(unit: str) -> str:
    return "".join(filter(str.isalnum, unit)).casefold()
