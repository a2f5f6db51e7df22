"""Text as the pieces that a reader would call changed: words, single Chinese and Japanese characters, signs."""

from __future__ import annotations

import re
from unicodedata import category

from memsite.prose.remembered import remembered

HAN_AND_KANA = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b\u3041-\u3096\u309d-\u30fa\u30fc-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
"""Characters of scripts that are written without spaces, as the inside of a character class."""
_SIGNS = (
    "!-/:-@\\[-\\^`{-~\u00a1-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u2010-\u2027\u2030-\u205e"
    "\u2190-\u23ff\u2500-\u25ff\u3001-\u3004\u3008-\u3020\u3030\u303d\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    "\uff5b-\uff65"
)
_WORD = f"[^\\s{_SIGNS}{HAN_AND_KANA}]"
# Every character is in exactly one of: white space, signs, Han and kana, the rest. So joining gives the text back.
_TOKEN = re.compile(
    f"{_WORD}+(?:[.'’\\-]{_WORD}+|(?<=[0-9]),(?=[0-9]){_WORD}+)*\\s*|[{HAN_AND_KANA}]\\s*|([{_SIGNS}])\\1*\\s*|\\s+"
)
_WIDE_CHARACTER = f"[{HAN_AND_KANA}\u3001-\u3003\u3008-\u3011\u3014-\u301f\u30fb\uff01-\uff65]"
_WIDE = re.compile(_WIDE_CHARACTER)
_EITHER = "[\u201c\u201d\u2018\u2019\u2026\u2014\u00b7*_~]{0,8}"
"""Signs of any script, and marks of emphasis: what stands beyond them says of which one they are."""
_BEHIND_WIDE = re.compile(f"{_WIDE_CHARACTER}{_EITHER}$")
_BEFORE_WIDE = re.compile(f"{_EITHER}{_WIDE_CHARACTER}")
AROUND = 9
"""Characters on each side of white space that say whether it is loose."""
_LOOSE = re.compile(
    f"(`[^`]*`)|(?<={_WIDE_CHARACTER})({_EITHER}(?:\\]\\([^\\s()]{{0,200}}\\){_EITHER})?) "
    f"| (?={_EITHER}(?:\\[{_EITHER})?{_WIDE_CHARACTER})"
)
"""A code span as it is, or a space beside a wide character, with what may stand between."""
_JOINERS = "\u200d\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff\uff9e\uff9f"


def is_wide(character: str) -> bool:
    """Whether lines that meet at this character are joined without a space: Han, kana and their punctuation."""
    return _WIDE.match(character) is not None


def is_loose(before: str, after: str) -> bool:
    """Whether white space between two texts tells no words apart: Chinese and Japanese stand on one side of it.

    There a line may end anywhere, and whether a space is set beside a Latin word is a matter of typesetting.
    """
    return bool(_BEHIND_WIDE.search(before[-AROUND:]) or _BEFORE_WIDE.match(after))


@remembered
def without_loose_spaces(text: str) -> str:
    """A line of Markdown with single spaces, without those that are loose; code spans are left as they are."""
    return text if text.isascii() or " " not in text else _LOOSE.sub(r"\1\2", text)


def tokenize(text: str) -> list[str]:
    """The tokens of a text; joined, they are the text again.

    A word with the white space behind it, a single Han or kana character, a run of one sign. Korean goes by words.
    `Next.js`, `don't`, `2025-03-20` and `1,000` are one word. No token begins inside of what a reader sees as one
    character (combining marks, variation selectors, joined emoji).
    """
    if text.isascii():
        return [match[0] for match in _TOKEN.finditer(text)]
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if tokens and _continues(token[0], tokens[-1][-1]):
            tokens[-1] += token
        else:
            tokens.append(token)
    return tokens


def _continues(first: str, last: str) -> bool:
    if last == "\u200d":
        return True
    return first >= "\u0300" and (first in _JOINERS or category(first)[0] == "M")


def is_word(token: str) -> bool:
    """Whether the token counts as a word: it has a letter or a digit of any script."""
    return any(map(str.isalnum, token))


def count_words(text: str) -> int:
    """Words of the text; each Han or kana character counts as one."""
    return sum(map(is_word, tokenize(text)))
