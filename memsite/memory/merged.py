"""What a merge of one file comes to, and the three-way rule for a single value."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from memsite.values import dataclass

T = TypeVar("T")

MergeText = Callable[[bytes, bytes, bytes], tuple[bytes, bool]]
"""`(base, ours, theirs)` -> the text, and whether it has conflict markers."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged file."""

    data: bytes
    conflict: bool
    """It has conflict markers; a person must settle them."""


def settled(base: T, one: T, other: T) -> tuple[T] | None:
    """The value that stands when at most one side changed it, or both alike; None when they disagree."""
    if one == other or other == base:
        return (one,)
    return (other,) if one == base else None
