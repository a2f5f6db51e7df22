"""Which signs of a line of Markdown are mark-up, and which are only signs: `2*3`, `~5 EUR`, `max_file_mb`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby

from memsite.prose.tokens import is_wide
from memsite.values import dataclass, field

_SIGNS = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|~~+")
_TICKS = re.compile("`+")
STRIKE = "~~"
"""Stands around words that are struck out: what is no longer so is said otherwise, not only written otherwise."""

Range = tuple[int, int]


@dataclass(slots=True)
class _Run:
    """Signs of one kind that may open emphasis; those at its end are used first."""

    start: int
    end: int
    closes: bool
    length: int


@dataclass(slots=True)
class _Found:
    marks: list[Range] = field(default_factory=list)
    """Signs that no reader sees."""
    struck: list[Range] = field(default_factory=list)
    open_: dict[str, list[_Run]] = field(default_factory=lambda: defaultdict(list))

    def close(self, sign: str, run: _Run, *, opens: bool) -> None:
        """Pair a run with those of its sign that are open, the last ones first; what is left of it may open others."""
        waiting = self.open_[sign]
        while waiting and run.start < run.end:
            last = waiting[-1]
            used = min(2, last.end - last.start, run.end - run.start)
            if used < 2 and (sign == "~" or _is_odd(last, run, either=last.closes or opens)):
                return
            self.marks += [(last.end - used, last.end), (run.start, run.start + used)]
            if sign == "~":
                self.struck.append((last.end, run.start))
            last.end -= used
            run.start += used
            for others in self.open_.values():
                while others and others[-1].start > last.start:
                    others.pop()
            if last.start == last.end:
                waiting.pop()


def _is_odd(one: _Run, other: _Run, *, either: bool) -> bool:
    """CommonMark's rule for `*one**two*`; that `**one****two**` is two is what its writer meant."""
    return either and (one.length + other.length) % 3 == 0 and (one.length % 3 != 0 or other.length % 3 != 0)


def words_of(text: str, spans: Sequence[Range] | None = None) -> Iterator[str]:
    """The words in each span of a line, without its emphasis and the marks of code; struck ones between `~~`.

    Emphasis is told by the whole line: `**One. Two.**` is two sentences. Without spans, all of it.
    """
    parts = [(0, len(text))] if spans is None else spans
    found = _find(text) if _SIGNS.search(text) else _Found()
    if not found.marks:
        yield from (text[start:end] for start, end in parts)
        return
    signs, struck = list(text), bytearray(len(text))
    for start, end in found.marks:
        signs[start:end] = [""] * (end - start)
    for start, end in found.struck:
        struck[start:end] = b"\1" * (end - start)
    for start, end in parts:
        yield "".join(with_strikes(signs[start:end], struck[start:end]))


def with_strikes(signs: Sequence[str], struck: bytearray) -> Iterator[str]:
    """Characters in parts that stand and parts, between `~~`, that are struck out: those with a 1 in `struck`."""
    if not any(struck):
        yield "".join(signs)
        return
    for is_struck, group in groupby(zip(signs, struck, strict=True), key=lambda one: one[1]):
        words = "".join(sign for sign, _ in group)
        yield f"{STRIKE}{words}{STRIKE}" if is_struck and words else words


def _find(text: str) -> _Found:
    """As CommonMark has it, and as the site has it beside Chinese, Japanese and Korean."""
    found = _Found()
    ticks: dict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(text):
        ticks[len(run[0])].append(run.start())
    at = 0
    while match := _SIGNS.search(text, at):
        start, at = match.span()
        sign, length = match[0][0], at - start
        if sign == "\\":
            found.marks.append((start, start + 1))
        elif sign == "`":
            ends = ticks[length]
            number = bisect_right(ends, start)
            if number < len(ends):
                at = ends[number] + length
                found.marks += [(start, start + length), (at - length, at)]
        else:
            opens, closes = _flanks(sign, text[start - 1 : start] or " ", text[at : at + 1] or " ")
            one = _Run(start, at, closes, length)
            if closes:
                found.close(sign, one, opens=opens)
            if opens and one.start < one.end:
                found.open_[sign].append(one)
    return found


def _flanks(sign: str, before: str, behind: str) -> tuple[bool, bool]:
    """Whether a run between two characters can open emphasis, and whether it can close it."""
    if sign == "*" and (_is_east_asian(before) or _is_east_asian(behind)):
        return not behind.isspace(), not before.isspace()
    opens = not behind.isspace() and (behind.isalnum() or not before.isalnum())
    closes = not before.isspace() and (before.isalnum() or not behind.isalnum())
    if sign == "_":
        return opens and not (closes and before.isalnum()), closes and not (opens and behind.isalnum())
    return opens, closes


def _is_east_asian(character: str) -> bool:
    return is_wide(character) or "\uac00" <= character <= "\ud7a3"
