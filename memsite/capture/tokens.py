"""How many tokens a text costs, by the seed's rule, and the longest beginning that a budget allows.

The seed's rule (short-term memory layer, task 1): 1.5 tokens for each CJK character and one for each four other
UTF-16 units, each part rounded up. Its CJK ranges leave out kana, Hangul and the ideographs beyond the first plane;
those count here as well (FORMATS, "Session log"). Every other text has the seed's estimate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

from memsite.capture.graphemes import grapheme_floor

_SEED_RANGES = "\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u3000-\u303f\uff00-\uffef"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\U0001aff0-\U0001afff\U0001b000-\U0001b16f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_SUPPLEMENTARY_IDEOGRAPHS = "\U00020000-\U0002fffd\U00030000-\U0003fffd"
UNITS_PER_TOKEN = 4
_ASCII = bytes(range(128))


@cache
def _cjk() -> re.Pattern[str]:
    """Compiled when a text first needs it: it takes longer than everything else in this module."""
    return re.compile(f"[{_SEED_RANGES}{_KANA}{_HANGUL}{_SUPPLEMENTARY_IDEOGRAPHS}]+")


class TokenCounter:
    """The estimate of a concatenation without the concatenation: parts are counted as they come, rounded at the end."""

    __slots__ = ("_cjk", "_units")

    def __init__(self) -> None:
        self._cjk = 0
        self._units = 0

    def add(self, text: str) -> None:
        """Count one more part."""
        if text.isascii():
            self._units += len(text)
            return
        data = text.encode("utf-8", "surrogatepass")
        other = data.translate(None, _ASCII)  # most texts are mostly ASCII, and a pattern is slow to walk through it
        runs = _cjk().findall(other.decode("utf-8", "surrogatepass"))
        self._cjk += sum(map(len, runs))
        self._units += len(data) - len(other) + utf16_length(other.decode("utf-8", "surrogatepass"))
        self._units -= utf16_length("".join(runs))

    @property
    def total(self) -> int:
        """Tokens of everything counted so far."""
        return (3 * self._cjk + 1) // 2 + -(-self._units // UNITS_PER_TOKEN)


def estimate_tokens(text: str) -> int:
    """The seed's estimate, 0 for an empty text. Unpaired surrogates count as one UTF-16 unit."""
    counter = TokenCounter()
    counter.add(text)
    return counter.total


def truncate_tokens(text: str, budget: int) -> str:
    """The longest beginning of `text` whose estimate is at most `budget` tokens and that cuts no grapheme in two.

    Empty when not even the first grapheme fits. Nothing is appended: who prints it adds the seed's `...`.
    """
    if budget <= 0:
        return ""
    if estimate_tokens(text) <= budget:
        return text
    head = text[: UNITS_PER_TOKEN * budget]  # no character is cheaper than one UTF-16 unit
    fitting = bisect_right(range(len(head) + 1), budget, key=lambda end: estimate_tokens(head[:end])) - 1
    return text[: grapheme_floor(text, fitting)]


def utf16_length(text: str) -> int:
    """The length as the seed's JavaScript has it, in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def count_cjk_letters(text: str) -> int:
    """CJK characters that are letters or digits: their punctuation and full-width signs not."""
    return sum(char.isalnum() for run in _cjk().findall(text) for char in run)
