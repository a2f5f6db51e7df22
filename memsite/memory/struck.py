"""Text that is struck out (`~~so~~`): it is still to be read, but nobody says it any more."""

from __future__ import annotations

import re

_STRUCK = re.compile(r"~~(?!~)(?P<said>(?:(?!~~).)+)~~(?!~)", re.DOTALL)
_FAR = 80
"""Characters around it that are looked at."""
_ENDS = (".", "!", "?", "。", "！", "？", ":", "：")


def without_struck(text: str) -> str:
    """Text without all that is struck out; its lines stay."""
    return _STRUCK.sub(_blank, text) if "~~" in text else text


def without_struck_sentences(text: str) -> str:
    """Text without whole sentences that are struck out; its lines stay, and a sentence in which a word is."""
    if "~~" not in text:
        return text
    return _STRUCK.sub(lambda match: _blank(match) if _is_whole(text, match) else match[0], text)


def _blank(struck: re.Match[str]) -> str:
    return "\n" * struck[0].count("\n") or " "


def _is_whole(text: str, struck: re.Match[str]) -> bool:
    """Whether a sentence ends before what is struck out, and with it or behind it."""
    before = text[max(struck.start() - _FAR, 0) : struck.start()].rstrip(" \t")
    after = text[struck.end() : struck.end() + _FAR].lstrip(" \t")
    begins = not before or before.endswith(("\n", *_ENDS))
    return begins and (not after or after.startswith(("\n", *_ENDS)) or struck["said"].rstrip().endswith(_ENDS))
