"""Where a text may be cut without cutting what a reader sees as one character.

The rules of Unicode Standard Annex #29 over the character data of the interpreter, on the safe side: where the data
has no property for it (pictographs, Myanmar vowel signs), characters stay together rather than apart.
"""

from __future__ import annotations

import unicodedata

_ZWJ = "\u200d"
_NON_JOINER = "\u200c"
_SPACING_VOWELS = frozenset("\u0e33\u0eb3")
_OTHER_EXTENDERS = frozenset(f"{_NON_JOINER}\uff9e\uff9f") | _SPACING_VOWELS
"""No marks by category, yet never first: non-joiner, half-width voicing marks, the vowels AM of Thai and Lao."""
_JOINING_VOWELS = frozenset(
    "\u09be\u09d7\u0b3e\u0b57\u0bbe\u0bd7\u0cc0\u0cc2\u0cc7\u0cc8\u0cca\u0ccb\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf"
    "\u1715\u1734\u1b35\u1b3b\u1b3d\u1b43\u1b44\u1baa\u1bf2\u1bf3\u302e\u302f\ua953\ua9c0\U000111c0\U00011235"
    "\U0001133e\U0001134d\U00011357\U000113b8\U000113c2\U000113c5\U000113c7\U000113c8\U000113c9\U000113cf\U000114b0"
    "\U000114bd\U000115af\U000116b6\U00011930\U0001193d\U00011f41\U00016ff0\U00016ff1\U0001d165\U0001d166\U0001d16d"
    "\U0001d16e\U0001d16f\U0001d170\U0001d171\U0001d172"
)
"""Spacing marks that extend all the same (Other_Grapheme_Extend)."""
_PREPENDERS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
)
_LINKERS = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
"""The viramas that join two consonants into one cluster (GB9c)."""
_LINKED_BLOCKS = frozenset(ord(linker) // 0x80 for linker in _LINKERS)
_JOINS = {"L": "LVvS", "V": "VT", "T": "T", "v": "VT", "S": "T"}
"""Hangul: what may follow a leading consonant, a vowel, a trailing one, a syllable without (v) and with (S) one."""


def is_boundary(text: str, index: int) -> bool:
    """Whether a cut before `text[index]` leaves every grapheme whole. Both ends are boundaries."""
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < "\x7f" and after < "\x7f":
        return not (before == "\r" and after == "\n")
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return False  # two halves of one character that were never joined
    if _is_control(before) or _is_control(after):
        return True
    if _extends(after) or before in _PREPENDERS:
        return False
    return not (_joins_hangul(before, after) or _joins_backwards(text, index))


def grapheme_floor(text: str, index: int) -> int:
    """The last boundary at or before `index`, in code points."""
    index = min(max(index, 0), len(text))
    while not is_boundary(text, index):
        index -= 1
    return index


def _joins_backwards(text: str, index: int) -> bool:
    after = text[index]
    if _is_regional(after):
        return _is_regional(text[index - 1]) and _regional_run(text, index) % 2 == 1
    if text[index - 1] == _ZWJ and _is_pictograph(after):
        base = _base(text, index - 1)
        between = text[base + 1 : index - 1]
        return _is_pictograph(text[base]) and _ZWJ not in between and not any(map(_is_spacing, between))
    return _is_indic_consonant(after) and _is_linked(text, index)


def _is_linked(text: str, index: int) -> bool:
    base = _base(text, index)
    between = text[base + 1 : index]
    if not _is_indic_consonant(text[base]) or _NON_JOINER in between:
        return False
    return not (_LINKERS.isdisjoint(between) or any(map(_is_spacing, between)))


def _is_indic_consonant(char: str) -> bool:
    """Letters of the scripts of `_LINKERS`; each has a block of 128, its consonants at the same places in it."""
    block, place = divmod(ord(char), 0x80)
    return block in _LINKED_BLOCKS and (0x15 <= place <= 0x39 or 0x58 <= place <= 0x5F or place >= 0x70)


def _base(text: str, index: int) -> int:
    """The nearest character before `index` that does not extend another, or the first of the text."""
    index = max(index - 1, 0)
    while index > 0 and _extends(text[index]):
        index -= 1
    return index


def _regional_run(text: str, index: int) -> int:
    start = index
    while start > 0 and _is_regional(text[start - 1]):
        start -= 1
    return index - start


def _joins_hangul(before: str, after: str) -> bool:
    return _hangul(after) in _JOINS.get(_hangul(before), "") if _hangul(after) else False


def _hangul(char: str) -> str:
    if "\uac00" <= char <= "\ud7a3":
        return "v" if (ord(char) - 0xAC00) % 28 == 0 else "S"
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    return "T" if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb" else ""


def _extends(char: str) -> bool:
    return (
        char == _ZWJ
        or unicodedata.category(char)[0] == "M"
        or char in _OTHER_EXTENDERS
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= char <= "\U000e007f"  # tags: the flags of Scotland, Wales
    )


def _is_spacing(char: str) -> bool:
    """Whether it extends what is before it and ends what may be joined to that (SpacingMark)."""
    return char in _SPACING_VOWELS or (unicodedata.category(char) == "Mc" and char not in _JOINING_VOWELS)


def _is_control(char: str) -> bool:
    category = unicodedata.category(char)
    return category in {"Cc", "Zl", "Zp", "Cs"} or (category == "Cf" and not _extends(char) and char not in _PREPENDERS)


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_pictograph(char: str) -> bool:
    if "\U0001f000" <= char <= "\U0001fffd":
        return not (_is_regional(char) or _extends(char))
    return char in "\u00a9\u00ae" or ("\u203c" <= char <= "\u3299" and unicodedata.category(char)[0] in "SP")
