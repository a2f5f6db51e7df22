"""Private lines in older versions of a file: what stood where a block is private now was private then, too.

A mark that is set today means the block, not the moment. So a block is followed back from version to version: between
the last public line before it and the first one after it, an older version says what the block said then.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rapidfuzz.distance import Indel

from memsite.memory.private import united

Ranges = tuple[tuple[int, int], ...]
"""Lines, first and behind the last, 0-based, disjoint, in order."""


def carry_back(newer: Sequence[str], private: Ranges, older: Sequence[str]) -> Ranges:
    """Where the private lines of a version stood in an older one."""
    if not private:
        return ()
    hidden = {line for start, end in private for line in range(start, end)}
    pairs = [
        (code.src_start + step, code.dest_start + step)
        for code in Indel.opcodes(list(newer), list(older))
        if code.tag == "equal"
        for step in range(code.src_end - code.src_start)
    ]
    public = [(new, old) for new, old in pairs if new not in hidden]
    found = [_between(public, start, end, len(older)) for start, end in private]
    # What says only there what it says is private wherever it stood.
    said = {newer[line].strip() for line in hidden} - {one.strip() for at, one in enumerate(newer) if at not in hidden}
    found += [(at, at + 1) for at, line in enumerate(older) if line.strip() in said and any(map(str.isalnum, line))]
    return united(span for span in found if span[0] < span[1])


def _between(public: Sequence[tuple[int, int]], start: int, end: int, length: int) -> tuple[int, int]:
    """What lies in the older version between the public lines around a block."""
    at = bisect_left(public, (start, 0))
    first = public[at - 1][1] + 1 if at else 0
    after = bisect_left(public, (end, 0))
    return first, public[after][1] if after < len(public) else length
