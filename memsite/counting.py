"""Counts in words."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 note`, `2 notes`, `1,200 notes`; `plural` where it is not the noun with an `s`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
