"""Which block of one text became which block of another: the same, reworded in its place, or moved."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from memsite.prose.blocks import SourceBlock
from memsite.prose.likeness import LONG_ENOUGH, MOVED, SAME, find_names, likeness
from memsite.prose.sequences import MAX_CELLS, common_pairs
from memsite.prose.tokens import is_wide, tokenize
from memsite.values import dataclass

Pair = tuple[int, int]
"""Index of a block in the old text, index of a block in the new one."""

_COMMON = 12
"""Blocks that may share a word for it to still say which of them is meant."""
_FEW = 64
"""Pairs of blocks up to which all are compared, without looking for shared words first."""
_MOST_WORK = 2_000_000_000
"""Characters of one block times characters of the other, for all pairs that are compared: a second at most."""
_PAIR = 50_000
"""What a pair costs however short it is."""


class TooLargeError(Exception):
    """Texts that are not compared word by word: there is too much of them, or too much that may be alike.

    Counted, not timed: the same texts are compared, or are not, on every machine.
    """


@dataclass(frozen=True, slots=True)
class Alignment:
    """The pairs of blocks that belong together; all others went or came."""

    kept: tuple[Pair, ...]
    """In the same order in both texts: the same or reworded."""
    moved: tuple[Pair, ...]
    """Crossing those."""


def align_blocks(old: Sequence[SourceBlock], new: Sequence[SourceBlock]) -> Alignment:
    """Pair blocks: first those that are the same, then similar ones between these, then similar ones anywhere.

    Raises TooLargeError where too many of them may be alike.
    """
    anchors = common_pairs([block.key for block in old], [block.key for block in new])
    alike = _similarities(old, new, anchors)
    if not alike:
        return Alignment(tuple(anchors), ())
    scores = alike | dict.fromkeys(anchors, SAME)
    kept = _kept(anchors, alike, scores)
    moved = _moved(old, new, kept, scores)
    return Alignment(tuple(kept), tuple(sorted(moved, key=lambda pair: pair[1])))


def _kept(anchors: Sequence[Pair], alike: Iterable[Pair], scores: dict[Pair, float]) -> list[Pair]:
    """The heaviest chain of all pairs. Anchors before and behind all that is only `alike` are in it in any case."""
    first, last = min(min(pair) for pair in alike), max(max(pair) for pair in alike)
    head = [pair for pair in anchors if max(pair) < first]
    tail = [pair for pair in anchors if min(pair) > last]
    between = [*anchors[len(head) : len(anchors) - len(tail)], *alike]
    return [*head, *_heaviest_chain(sorted(between, key=lambda pair: (pair[0], -pair[1])), scores), *tail]


def _similarities(old: Sequence[SourceBlock], new: Sequence[SourceBlock], anchors: Sequence[Pair]) -> dict[Pair, float]:
    """Similarity, in percent, of the pairs of left-over blocks that are worth comparing and alike."""
    same_old, same_new = {i for i, _ in anchors}, {j for _, j in anchors}
    olds = [i for i in range(len(old)) if i not in same_old]
    news = [j for j in range(len(new)) if j not in same_new]
    if not olds or not news:
        return {}
    scores = {(i, j): MOVED for i, j in _namesakes(old, new) if i not in same_old and j not in same_new}
    left = _MOST_WORK
    for i, j in dict.fromkeys([*scores, *_candidates(old, new, olds, news), *_opposite(olds, news, anchors)]):
        left -= _PAIR + min(len(old[i].text) * len(new[j].text), MAX_CELLS)
        if left < 0:
            raise TooLargeError
        score = max(likeness(old[i], new[j]), scores.get((i, j), 0.0))
        if score:
            scores[i, j] = score
    return scores


def _namesakes(old: Sequence[SourceBlock], new: Sequence[SourceBlock]) -> Iterator[Pair]:
    others = find_names(new)
    return ((i, others[name]) for name, i in find_names(old).items() if name in others)


def _candidates(
    old: Sequence[SourceBlock], new: Sequence[SourceBlock], olds: Sequence[int], news: Sequence[int]
) -> Iterable[Pair]:
    if len(olds) * len(news) <= _FEW:
        return [(i, j) for i in olds for j in news]
    holders: dict[str, list[int]] = defaultdict(list)
    for i in olds:
        for feature in _features(old[i]):
            holders[feature].append(i)
    return [(i, j) for j in news for i in _nearest(_features(new[j]), holders)]


def _nearest(features: Iterable[str], holders: dict[str, list[int]]) -> Iterator[int]:
    """The few blocks that share the most telling words."""
    shared = Counter(
        i for feature in features if len(holders.get(feature, ())) <= _COMMON for i in holders.get(feature, ())
    )
    yield from sorted(shared, key=lambda i: (-shared[i], i))[:_COMMON]


def _features(block: SourceBlock) -> set[str]:
    """Its words, its pairs of Han or kana characters, and its whole text, by which even short blocks are found."""
    tokens = [token.rstrip() for token in tokenize(block.text)]
    pairs = {one + other for one, other in pairwise(tokens) if is_wide(one[:1] or " ")}
    return {token for token in tokens if len(token) > 1} | pairs | {"\n" + block.text}


def _opposite(olds: Sequence[int], news: Sequence[int], anchors: Sequence[Pair]) -> Iterator[Pair]:
    """Blocks at the same distance from an anchor: rows that are all made of the same few words are found so."""
    firsts, seconds = [i for i, _ in anchors], [j for _, j in anchors]
    gaps: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for i in olds:
        gaps[bisect_right(firsts, i)][0].append(i)
    for j in news:
        gaps[bisect_right(seconds, j)][1].append(j)
    for one, other in gaps.values():
        yield from zip(one, other, strict=False)
        yield from zip(reversed(one), reversed(other), strict=False)


def _heaviest_chain(pairs: Sequence[Pair], scores: dict[Pair, float]) -> list[Pair]:
    """The heaviest chain increasing in both indices, in O(n log n): `pairs` by rising first, falling second index.

    A pair weighs the square of its similarity, so that few blocks that are the same outweigh some that are only alike.
    Of several chains of one weight it is that of the first pairs.
    """
    columns = {j: place for place, j in enumerate(sorted({j for _, j in pairs}), start=1)}
    tree: list[tuple[float, int]] = [(0.0, 1)] * (len(columns) + 1)
    previous: list[int] = []
    best = (0.0, 1)
    for number, (i, j) in enumerate(pairs):
        place = columns[j] - 1
        weight, last = 0.0, 1
        while place > 0:
            weight, last = max((weight, last), tree[place])
            place -= place & -place
        previous.append(-last)
        entry = (weight + scores[i, j] ** 2, -number)
        best = max(best, entry)
        place = columns[j]
        while place < len(tree):
            tree[place] = max(tree[place], entry)
            place += place & -place
    chain = []
    at = -best[1]
    while at >= 0:
        chain.append(pairs[at])
        at = previous[at]
    return chain[::-1]


def _moved(
    old: Sequence[SourceBlock], new: Sequence[SourceBlock], kept: Sequence[Pair], scores: dict[Pair, float]
) -> list[Pair]:
    """Pairs of blocks that are alike though others stand between: the most similar first, each block once."""
    taken_old, taken_new = {i for i, _ in kept}, {j for _, j in kept}
    texts = Counter(
        block.text
        for side, taken in ((old, taken_old), (new, taken_new))
        for k, block in enumerate(side)
        if k not in taken
    )
    moved = []
    for i, j in sorted(scores, key=lambda pair: (-scores[pair], abs(pair[0] - pair[1]), pair)):
        if i in taken_old or j in taken_new or scores[i, j] < MOVED:
            continue
        once = old[i].text == new[j].text and texts[old[i].text] == 2
        if once or min(len(old[i].text), len(new[j].text)) >= LONG_ENOUGH:
            moved.append((i, j))
            taken_old.add(i)
            taken_new.add(j)
    return moved
