"""Code spans of a line: between them a date or a marker means something, inside it is only text."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")


def without_code_spans(text: str) -> str:
    """A text without its code spans. A span ends on its line. Linear in the length, whatever the ticks are."""
    return "\n".join(map(_bare, text.split("\n"))) if "`" in text else text


def _bare(line: str) -> str:
    runs = list(_TICKS.finditer(line))
    closers = _closers([run.end() - run.start() for run in runs])
    kept: list[str] = []
    at = index = 0
    while index < len(runs):
        closer = closers[index]
        if closer is not None:
            kept.append(line[at : runs[index].start()])
            at, index = runs[closer].end(), closer
        index += 1
    return "".join([*kept, line[at:]])


def _closers(lengths: list[int]) -> list[int | None]:
    """For each run of ticks, the next one that is as long."""
    found: list[int | None] = [None] * len(lengths)
    nearest: dict[int, int] = {}
    for index in range(len(lengths) - 1, -1, -1):
        found[index] = nearest.get(lengths[index])
        nearest[lengths[index]] = index
    return found
