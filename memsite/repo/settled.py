"""What was found in order once and need not be looked at again: no blob changes, nor what leads from one to another."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Protocol


class Keeper(Protocol):
    """Keeps words by key (`blob_findings`)."""

    def recall(self, key: str) -> str | None:
        """What is kept."""

    def keep(self, key: str, words: str) -> None:
        """Keep it."""


class Settled:
    """What was found in order; without a keeper, nothing."""

    def __init__(self, keeper: Keeper | None = None) -> None:
        self._keeper = keeper

    def has(self, key: str) -> bool:
        """Whether it was found in order."""
        return self._keeper is not None and self._keeper.recall(f"{judges()} {key}") is not None

    def add(self, key: str) -> None:
        """It was."""
        if self._keeper is not None:
            self._keeper.keep(f"{judges()} {key}", "")


@cache
def judges() -> str:
    """A name for the code that decides: another one, and what was in order before says nothing."""
    here = Path(__file__).parent
    state = sha256()
    for file in sorted((*here.parent.glob("memory/*.py"), here / "immutable.py", here / "guard.py")):
        state.update(file.read_bytes())
    return state.hexdigest()[:16]
