"""The longest common subsequence of two sequences of anything that can be compared and hashed, in bounded memory."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

MAX_CELLS = 200_000_000
"""Items of one sequence times items of the other that are searched for their longest common subsequence: each costs a
bit of memory, all of them 25 MB and a tenth of a second."""

_AT_ONCE = 64
"""Items that are compared in one step, where two sequences may be the same for long."""


class Run(NamedTuple):
    """Items `a` to `b` of the old sequence against items `c` to `d` of the new one."""

    equal: bool
    a: int
    b: int
    c: int
    d: int


def iter_runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Run]:
    """Cut both sequences into runs that are equal and runs that are not, in order, nothing left out.

    Of sequences of more than MAX_CELLS the equal runs are common, but no longer the longest that there are.
    """
    if len(old) * len(new) <= MAX_CELLS:
        yield from _shortest(old, new)
        return
    at, to = 0, 0
    for i, j in (*_anchors(old, new), (len(old), len(new))):
        yield from _moved(_gap(old[at:i], new[to:j]), at, to)
        if i < len(old):
            yield Run(True, i, i + 1, j, j + 1)
        at, to = i + 1, j + 1


def common_pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The indices, in the old and in the new sequence, of the items that are in both, in order."""
    return [(run.a + step, run.c + step) for run in iter_runs(old, new) if run.equal for step in range(run.b - run.a)]


def common_ends(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[int, int]:
    """How many items both begin with, and how many of the others both end with."""
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head : head + _AT_ONCE] == new[head : head + _AT_ONCE]:
        head += _AT_ONCE
    head = next((at for at in range(head, most) if old[at] != new[at]), most)
    most -= head
    tail = 0
    while tail < most and _behind(old, tail) == _behind(new, tail):
        tail += _AT_ONCE
    tail = next((at for at in range(tail, most) if old[-1 - at] != new[-1 - at]), most)
    return head, tail


def _behind(items: Sequence[Hashable], tail: int) -> Sequence[Hashable]:
    """The last items before the `tail`."""
    end = len(items) - tail
    return items[max(end - _AT_ONCE, 0) : end]


def _shortest(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Run]:
    from rapidfuzz.distance import Indel  # costs 30 ms that only a comparison pays

    for code in Indel.opcodes(old, new):
        yield Run(code.tag == "equal", code.src_start, code.src_end, code.dest_start, code.dest_end)


def _gap(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Run]:
    """Between two anchors: what is still too large has only its ends in common."""
    if len(old) * len(new) <= MAX_CELLS:
        yield from _shortest(old, new)
        return
    head, tail = common_ends(old, new)
    i, j = len(old) - tail, len(new) - tail
    if head:
        yield Run(True, 0, head, 0, head)
    if (i - head) * (j - head) <= MAX_CELLS:
        yield from _moved(_shortest(old[head:i], new[head:j]), head, head)
    else:
        yield Run(False, head, i, head, j)
    if tail:
        yield Run(True, i, len(old), j, len(new))


def _moved(runs: Iterable[Run], at: int, to: int) -> Iterator[Run]:
    """Runs of parts that begin at `at` in the old sequence and at `to` in the new one."""
    return (Run(run.equal, run.a + at, run.b + at, run.c + to, run.d + to) for run in runs)


def _anchors(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest chain of items that each sequence has once, in order in both (Bram Cohen's patience diff)."""
    counts, others = Counter(old), Counter(new)
    places = {item: at for at, item in enumerate(new) if others[item] == 1}
    pairs = [(at, places[item]) for at, item in enumerate(old) if counts[item] == 1 and item in places]
    lasts: list[int] = []
    """By the length of a chain: the smallest place in `new` that one ends with, and the number of its pair."""
    numbers: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(lasts, place)
        before.append(numbers[length - 1] if length else -1)
        if length == len(lasts):
            lasts.append(place)
            numbers.append(number)
        else:
            lasts[length], numbers[length] = place, number
    chain: list[tuple[int, int]] = []
    at = numbers[-1] if numbers else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]
