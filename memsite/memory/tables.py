"""Which lines of a file are rows of a table: a row says what its columns mean, not what somebody says."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memsite.memory.lines import Kind, Line

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")


def table_rows(lines: Iterable[Line]) -> frozenset[int]:
    """The numbers of the lines that stand in tables, heads and rules included."""
    found: set[int] = set()
    before: Line | None = None
    for line in lines:
        text = line.text[line.content :]
        if line.kind is not Kind.TEXT:
            before = None
            continue
        goes_on = before is not None and before.number in found and before.block == line.block and not line.opens
        is_rule = before is not None and "|" in text and "|" in before.text and _RULE.fullmatch(text) is not None
        if before is not None and is_rule:
            found.add(before.number)
        if goes_on or is_rule or text.startswith("|"):
            found.add(line.number)
        before = line
    return frozenset(found)
