"""A value once found is taken out everywhere: as it is, in base64, in codes, parted by marks, over several lines.

Text and values are compared folded: decoded, tags gone, nothing left but letters and digits, small for capital ones
(an index of words, a slug and a careless copy have those). All values are looked for at once (RE2, one pass). Where one
is found the text as it stands is searched first, then word by word, so that as little as possible goes with it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from memsite.safety.reading import decode

SHORTEST = 6
"""Folded bytes below which a value cannot be told from a word."""
_WHOLE_LINE = 16
"""Folded bytes from which a line of a longer value counts alone."""
_BASE64_FROM = 12
"""Bytes from which a value is looked for in base64: less gives runs that are in any text."""
_TAG = re.compile(r"<[^<>]{0,300}>")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DROPPED = bytes(code for code in range(128) if not chr(code).isalnum())
_SMALL = bytes(range(256)).lower()
_WORD = re.compile(r"\S+")
_DEPTH = 3
"""How often codes within codes are decoded."""
_MEMORY = 256 << 20
"""Bytes that RE2 may use for thousands of values; with less it falls back to a slower way."""


def fold(text: str) -> bytes:
    """The text as it is compared: decoded, small letters and digits alone, in UTF-8."""
    return _letters(_decoded(text))


def folds(text: str) -> tuple[bytes, ...]:
    """The text folded as it is, since what looks coded need not be; decoded; and without its tags."""
    decoded = _decoded(text)
    readings = (text, decoded, _TAG.sub("", decoded) if "<" in decoded else decoded)
    return tuple(dict.fromkeys(_letters(one) for one in dict.fromkeys(readings)))


def _decoded(text: str) -> str:
    for _ in range(_DEPTH):
        decoded = decode(text)
        if decoded == text:
            break
        text = decoded
    return text if text.isascii() else _INVISIBLE.sub("", text)


def _letters(text: str) -> bytes:
    return text.encode("utf-8", "replace").translate(_SMALL, _DROPPED)


def forms(value: str) -> Iterator[bytes]:
    """A value's folded forms: itself, each long line of it, and what base64 makes of it at any offset."""
    lines = [line for line in value.split("\n") if not line.strip().startswith("-----")]
    for piece in dict.fromkeys([value, *lines]) if len(lines) > 1 else (value,):
        folded = _letters(piece)
        if len(folded) >= (_WHOLE_LINE if piece is not value else SHORTEST):
            yield folded
            yield from _base64(piece.encode("utf-8", "replace"))


def _base64(data: bytes) -> Iterator[bytes]:
    if len(data) < _BASE64_FROM:
        return
    for before in range(3):
        coded = b64encode(b"\0" * before + data)
        # The first and last characters hold bits of the neighbours, too.
        start = 0 if before == 0 else before + 1
        rest = (before + len(data)) % 3
        yield coded[start : len(coded) - (0 if rest == 0 else 4 - rest + 1)].translate(_SMALL, _DROPPED)


class Suppressor:
    """Values, each with what is shown in its place."""

    def __init__(self, shown: Mapping[str, str]) -> None:
        self._values: dict[bytes, str] = {}
        for value in sorted(shown, key=len, reverse=True):
            for form in forms(value):
                self._values.setdefault(form, value)
        self._shown = dict(shown)

    @cached_property
    def _pattern(self) -> Any:
        import re2  # loaded by those alone who publish

        options = re2.Options()
        options.max_mem = _MEMORY
        options.encoding = re2.Options.Encoding.LATIN1
        longest_first = sorted(self._values, key=lambda form: (-len(form), form))
        return re2.compile(b"|".join(map(re2.escape, longest_first)), options)

    @property
    def values(self) -> Mapping[str, str]:
        """The values, each with what stands in its place."""
        return self._shown

    def shown(self, value: str) -> str:
        """What stands in the place of a value."""
        return self._shown[value]

    def find(self, text: str) -> tuple[str, ...]:
        """The values that the text has in any form."""
        return tuple(dict.fromkeys(self._values[form] for folded in folds(text) for form in self._forms_in(folded)))

    def _forms_in(self, folded: bytes) -> Sequence[bytes]:
        if not self._values or not folded:
            return ()
        return list(dict.fromkeys(match.group() for match in self._pattern.finditer(folded)))

    def apply(self, text: str) -> str:
        """The text without any of them, its lines kept in number."""
        found = self.find(text)
        if not found:
            return text
        for value in found:
            text = _without(text, value, self.shown(value))
        text = "".join(self._by_words(line) for line in text.splitlines(keepends=True))
        return self._by_lines(text)

    def _by_words(self, line: str) -> str:
        """A line without the words that a value is in."""
        for _ in range(len(line)):
            found = self.find(line)
            if not found:
                break
            words = [match.span() for match in _WORD.finditer(line)]
            first, last = self._narrowed([line[start:end] for start, end in words], " ")
            line = line[: words[first][0]] + self.shown(found[0]) + line[words[last][1] :]
        return line

    def _by_lines(self, text: str) -> str:
        """A text without the lines over which a value goes."""
        lines = text.splitlines(keepends=True)
        for _ in range(len(lines)):
            found = self.find("".join(lines))
            if not found:
                break
            first, last = self._narrowed(lines, "")
            for number in range(first, last + 1):
                ending = lines[number][len(lines[number].rstrip("\r\n")) :]
                lines[number] = self.shown(found[0]) + ending
        return "".join(lines)

    def _narrowed(self, parts: Sequence[str], between: str) -> tuple[int, int]:
        """The shortest run of parts that still has a value in it."""
        first, last = 0, len(parts) - 1
        last = _least(lambda end: bool(self.find(between.join(parts[: end + 1]))), 0, last)
        first = -_least(lambda start: bool(self.find(between.join(parts[-start : last + 1]))), -last, 0)
        return first, last


def _least(holds: Any, low: int, high: int) -> int:
    """The least number of a range for which something holds that then holds for all above it; `high` if for none."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _without(text: str, value: str, shown: str) -> str:
    if "\n" not in value:
        return text.replace(value, shown)
    # Line by line, so that every later line keeps its number.
    return text.replace(value, re.sub(r"[^\r\n]+", lambda _: shown, value))
