"""How a text reads once it is rendered and decoded: marks of emphasis, tags, comments, entities and percent codes gone.

A secret that they part is whole again for whoever reads the page. So is one that a hard line break parts: it was meant
to go on there. Only lines in which one of them stands inside of a word are worth the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsite.patterns import late
from memsite.values import dataclass

_INSIDE = r"[\w/+.:@=-]"
_GONE = (
    r"<!--.{0,300}?-->|</?[A-Za-z][^<>\n]{0,200}>|\*{1,3}|`{1,2}|~~|\\(?=[!-/:-@\[-`{-~])"
    r"|[\u00ad\u200b-\u200f\u2060\ufeff]|(?:\\| {2,100})\r?\n[ \t>]{0,100}"
)
_CODED = r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});|(?:%[0-9A-Fa-f]{2})+|\\u[0-9A-Fa-f]{4}"
_FIRST = r"(?=[<*`~\\&%\u00ad\u200b-\u200f\u2060\ufeff]|  )"
"""What any sign begins with: most characters are none, and told so five times faster."""
_SIGN = late(rf"{_FIRST}(?:(?<={_INSIDE})(?:{_GONE})+(?={_INSIDE})|{_CODED})")
_UNIT = late(rf"({_GONE})|({_CODED})|(.)", re.DOTALL)
_SIGNS = frozenset("*`~\\<&%\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
_LONGEST = 20_000
"""Characters of a line that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """Lines of a text as they read, and where each of their characters comes from."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a part of it stands in the whole text."""
        return self.starts[start], self.ends[end - 1]

    def is_changed(self, start: int, end: int) -> bool:
        """Whether a part of one line reads otherwise than it is written."""
        first, last = self.place(start, end)
        return last - first != end - start and "\n" not in self.text[start:end]


def read_hidden(text: str) -> ReadText | None:
    """The lines that read otherwise than they are written, within their words; None where there is no such line."""
    if _SIGNS.isdisjoint(text) and "  \n" not in text and "  \r\n" not in text:
        return None
    places: list[tuple[int, int]] = []
    for sign in _SIGN.finditer(text):
        start = text.rfind("\n", 0, sign.start()) + 1
        end = text.find("\n", sign.end()) + 1 or len(text)
        if places and start < places[-1][1]:
            start = places.pop()[0] if end - places[-1][0] <= _LONGEST else places[-1][1]
        if start < end <= start + _LONGEST:
            places.append((start, end))
    return _read(text, places) if places else None


def as_read(text: str) -> str:
    """A piece of a text as it reads."""
    return _read(text, [(0, len(text))]).text


def _read(text: str, places: Iterable[tuple[int, int]]) -> ReadText:
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in places:
        for unit in _UNIT.finditer(text, start, end):
            _gone, coded, plain = unit.groups()
            for character in plain or (decode(coded) if coded else ""):
                shown.append(character)
                starts.append(unit.start())
                ends.append(unit.end())
    return ReadText("".join(shown), tuple(starts), tuple(ends))


def decode(text: str) -> str:
    """Entities, percent codes and JSON's escapes decoded, once."""
    if "&" in text:
        from html import unescape  # here: its table of entities is slow to load and seldom needed

        text = unescape(text)
    if "%" in text:
        from urllib.parse import unquote

        text = unquote(text, errors="replace")
    if "\\u" in text:
        text = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), text)
    return text
