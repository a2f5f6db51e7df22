"""What is found out of a line, once: versions of a file have most of their lines in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

_LINES = 1024
"""Lines that are remembered, those that were asked for last."""
_LONGEST = 2_000
"""Characters of a line that is remembered; so a few megabytes are the most that it takes."""
R = TypeVar("R")


def remembered(look: Callable[..., R]) -> Callable[..., R]:
    """A pure function of a line (and of small values behind it) that is not asked twice in a row of texts."""
    ask = lru_cache(maxsize=_LINES)(look)

    @wraps(look)
    def remembering(line: str, *others: bool) -> R:
        return ask(line, *others) if len(line) <= _LONGEST else look(line, *others)

    return remembering
