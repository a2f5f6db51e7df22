"""The longest common subsequence of two sequences of anything that can be compared and hashed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple


class Run(NamedTuple):
    """Items `a` to `b` of the old sequence against items `c` to `d` of the new one."""

    equal: bool
    a: int
    b: int
    c: int
    d: int


def iter_runs(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[Run]:
    """Cut both sequences into runs that are equal and runs that are not, in order, nothing left out."""
    from rapidfuzz.distance import Indel  # costs 30 ms that only a comparison pays

    for code in Indel.opcodes(old, new):
        yield Run(code.tag == "equal", code.src_start, code.src_end, code.dest_start, code.dest_end)


def common_pairs(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The indices, in the old and in the new sequence, of the items that are in both, in order."""
    return [(run.a + step, run.c + step) for run in iter_runs(old, new) if run.equal for step in range(run.b - run.a)]
