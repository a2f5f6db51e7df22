"""Which terms share a file: a tree over the characters of the terms, cut where a branch grows too large to load.

The root and every branch past `LIMIT` bytes is a *node*: its small branches share files ("pools") by a hash of their
next character, its large ones are nodes of their own. A term that is too large alone is *heavy*: one file tells which
documents have it and how often, and files by document hold its positions, of which a browser loads few or none. A
prefix with more below it than a browser should load has a *summary*: which documents, without positions.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, chain

from memsite.site.search.packing import MOST_COUNTED, unpack_id
from memsite.values import dataclass, field

LIMIT = 10_000
"""Bytes that a file of postings should not exceed."""
SUMMARY_LIMIT = 32_000
"""Bytes of postings below a prefix, past which it gets a summary."""
_OVERHEAD = 8
"""Bytes that a term costs beside its postings: its name, quotes, separators."""
_PAST_ANY = "\U0010ffff"
"""A character that sorts behind all that a term can hold."""
_ID = re.compile("[_-~]...")
_POSTING = re.compile("([_-~]...)([!-^]*)")
_WITHOUT_MORE = dict.fromkeys(range(ord("@"), ord("^") + 1))
"""Takes out of positions all but the last digit of each."""


@dataclass(slots=True)
class ShardPlan:
    """Where every term is to be found."""

    nodes: dict[str, int] = field(default_factory=dict)
    """Prefix of a node -> number of its pools, a power of two."""
    heavy: dict[str, int] = field(default_factory=dict)
    """Terms with files of their own -> number of the files that hold their positions, a power of two."""
    summaries: list[str] = field(default_factory=list)
    """Prefixes with a summary."""
    files: dict[str, list[str]] = field(default_factory=dict)
    """File name without `.js` -> the terms in it."""

    def file_of(self, term: str) -> str:
        """The file of a term that has none of its own."""
        prefix = ""
        while len(prefix) < len(term) and term[: len(prefix) + 1] in self.nodes:
            prefix = term[: len(prefix) + 1]
        return shard_name("t", prefix, pool_of(term[len(prefix) : len(prefix) + 1], self.nodes[prefix]))


def pool_of(character: str, pools: int) -> int:
    """The pool of a next character; none at all (the term ends here) counts as the code point 0."""
    return ((ord(character or "\0") * 2654435761) % 2**32 >> 12) % pools


def shard_name(letter: str, prefix: str, pool: int | None = None) -> str:
    """`t-3f`, `t-7468-3f` (prefix in hexadecimal UTF-8), `x-7468`, `p-7468-3`, `s-7468`."""
    parts = [letter, prefix.encode().hex(), "" if pool is None else f"{pool:x}"]
    return "-".join(part for part in parts if part)


def plan_shards(sizes: Mapping[str, int]) -> ShardPlan:
    """Divide the terms among files; depends on the bytes of each one's postings alone."""
    plan = ShardPlan()
    tree = _Terms({term: sizes[term] + _OVERHEAD for term in sorted(sizes)})
    plan.heavy = {term: _files_for(size) for term, size in tree.sizes.items() if size > LIMIT}
    light = _Terms({term: size for term, size in tree.sizes.items() if size <= LIMIT})
    _split(plan, light, "", 0, len(light.names))
    plan.summaries = [prefix for prefix in _large_prefixes(tree, "", 0, len(tree.names)) if prefix]
    return plan


class _Terms:
    """Sorted terms with the sizes of their postings; a branch of the tree is a stretch of them."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.sizes = sizes
        self.names = list(sizes)
        self._sums = list(accumulate(sizes.values(), initial=0))

    def size(self, first: int, last: int) -> int:
        """Bytes of the terms from `first` up to, without, `last`."""
        return self._sums[last] - self._sums[first]

    def branches(self, depth: int, first: int, last: int) -> Iterator[tuple[str, int, int]]:
        """Each next character ("" for the term that ends here), and where its terms begin and end."""
        while first < last:
            name = self.names[first]
            past = name[: depth + 1] + _PAST_ANY
            end = bisect_left(self.names, past, first, last) if len(name) > depth else first + 1
            yield name[depth : depth + 1], first, end
            first = end


def _split(plan: ShardPlan, terms: _Terms, prefix: str, first: int, last: int) -> None:
    light: dict[str, tuple[int, int]] = {}
    for character, start, end in terms.branches(len(prefix), first, last):
        if terms.size(start, end) > LIMIT:
            _split(plan, terms, prefix + character, start, end)
        else:
            light[character] = (start, end)
    sizes = {character: terms.size(start, end) for character, (start, end) in light.items()}
    plan.nodes[prefix] = pools = _pool_count(sizes)
    # Empty pools are files too: a browser must not ask for one that is missing.
    plan.files.update({shard_name("t", prefix, pool): [] for pool in range(pools)})
    for character, (start, end) in light.items():
        plan.files[shard_name("t", prefix, pool_of(character, pools))] += terms.names[start:end]


def _files_for(size: int) -> int:
    """How many files, a power of two, keep their average below the limit."""
    needed = 1
    while needed * LIMIT < size:
        needed *= 2
    return needed


def _pool_count(sizes: Mapping[str, int]) -> int:
    """As few pools as keep their average below the limit; twice as many if one would exceed three times of it."""
    needed = _files_for(sum(sizes.values()))
    filled: Counter[int] = Counter()
    for character, size in sizes.items():
        filled[pool_of(character, needed)] += size
    return needed if max(filled.values(), default=0) <= 3 * LIMIT else 2 * needed


def _large_prefixes(terms: _Terms, prefix: str, first: int, last: int) -> Iterator[str]:
    """Prefixes of more than one term with more than `SUMMARY_LIMIT` below them."""
    if last - first < 2 or terms.size(first, last) <= SUMMARY_LIMIT:
        return
    yield prefix
    for character, start, end in terms.branches(len(prefix), first, last):
        if character:
            yield from _large_prefixes(terms, prefix + character, start, end)


def summarize(packed: Iterable[str], places: Mapping[str, int]) -> bytearray:
    """Of the postings of several terms: the number of terms that each document has, by its place."""
    found = Counter(chain.from_iterable(_ID.findall(postings) for postings in packed))
    return _counts(found.items(), places)


def count_positions(postings: Mapping[str, str], places: Mapping[str, int]) -> bytearray:
    """Of the postings of one term by document: the number of positions in each, by its place."""
    ends = "\n".join(postings.values()).translate(_WITHOUT_MORE).split("\n")
    return _counts(zip(postings, map(len, ends), strict=False), places)


def positions_in(positions: str) -> int:
    """How many positions there are."""
    return len(positions.translate(_WITHOUT_MORE))


def _counts(found: Iterable[tuple[str, int]], places: Mapping[str, int]) -> bytearray:
    counts = bytearray(len(places))
    for number, count in found:
        counts[places[number]] = count if count < MOST_COUNTED else MOST_COUNTED
    return counts


def split_postings(packed: str) -> dict[str, str]:
    """The postings of one term by document: the positions."""
    return dict(_POSTING.findall(packed))


def divide_postings(postings: Mapping[str, str], files: int) -> list[str]:
    """The postings of one term by document, as they stand in its files: a document's in that of its id modulo
    `files`.
    """
    divided: list[list[str]] = [[] for _ in range(files)]
    for number, positions in postings.items():
        divided[unpack_id(number) % files].append(number + positions)
    return ["".join(part) for part in divided]
