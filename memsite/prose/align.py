"""Which block of one text became which block of another: the same, reworded in its place, or moved."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.sequences import common_pairs
from memsite.prose.tokens import is_wide, tokenize

Pair = tuple[int, int]
"""Index of a block in the old text, index of a block in the new one."""

REWORDED = 50.0
"""Similarity in percent from which on a block in the same place is taken for the same one, changed."""
MOVED = 75.0
"""The same for a block elsewhere: the farther away, the surer it has to be."""
_LONG_ENOUGH = 20
"""Characters that a moved block must have, unless it is the same to the character and occurs once."""
_WHOLE = 6
"""Characters of a block from which on finding it within another is no chance."""
_COMMON = 12
"""Blocks that may share a word for it to still say which of them is meant."""
_FEW = 64
"""Pairs of blocks up to which all are compared, without looking for shared words first."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The pairs of blocks that belong together; all others went or came."""

    kept: tuple[Pair, ...]
    """In the same order in both texts: the same or reworded."""
    moved: tuple[Pair, ...]
    """Crossing those."""


def align_blocks(old: Sequence[SourceBlock], new: Sequence[SourceBlock]) -> Alignment:
    """Pair blocks: first those that are the same, then similar ones between these, then similar ones anywhere."""
    anchors = common_pairs([block.key for block in old], [block.key for block in new])
    scores = _similarities(old, new, anchors)
    kept = sorted([*anchors, *_best_chains(scores, anchors)])
    moved = _moved(old, new, kept, scores)
    return Alignment(tuple(kept), tuple(sorted(moved, key=lambda pair: pair[1])))


def _similarities(old: Sequence[SourceBlock], new: Sequence[SourceBlock], anchors: Sequence[Pair]) -> dict[Pair, float]:
    """Similarity, in percent, of the pairs of left-over blocks that are worth comparing and alike."""
    from rapidfuzz.fuzz import ratio

    olds = sorted(set(range(len(old))) - {i for i, _ in anchors})
    news = sorted(set(range(len(new))) - {j for _, j in anchors})
    scores = {}
    for i, j in dict.fromkeys([*_candidates(old, new, olds, news), *_opposite(olds, news, anchors)]):
        if (old[i].type is BlockType.CODE) == (new[j].type is BlockType.CODE):
            score = ratio(old[i].text, new[j].text, score_cutoff=REWORDED) or _grown(old[i].text, new[j].text)
            if score >= REWORDED and (old[i].text or old[i].type is new[j].type):
                scores[i, j] = score
    return scores


def _grown(one: str, other: str) -> float:
    """A block that is wholly within a much longer one was added to, or cut."""
    short, long = sorted((one, other), key=len)
    short = short.rstrip(".。!！ ")
    return REWORDED if len(short) >= _WHOLE and short in long else 0.0


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


def _best_chains(scores: dict[Pair, float], anchors: Sequence[Pair]) -> Iterator[Pair]:
    """Between two anchors, the pairs in order whose similarities add up to the most."""
    gaps: dict[tuple[int, int], list[Pair]] = defaultdict(list)
    firsts, seconds = [i for i, _ in anchors], [j for _, j in anchors]
    for i, j in scores:
        gaps[bisect_right(firsts, i), bisect_right(seconds, j)].append((i, j))
    for (before, behind), pairs in gaps.items():
        if before == behind:
            yield from _heaviest_chain(sorted(pairs, key=lambda pair: (pair[0], -pair[1])), scores)


def _heaviest_chain(pairs: Sequence[Pair], scores: dict[Pair, float]) -> list[Pair]:
    """The heaviest chain increasing in both indices, in O(n log n): `pairs` by rising first, falling second index."""
    columns = {j: place for place, j in enumerate(sorted({j for _, j in pairs}), start=1)}
    tree: list[tuple[float, int]] = [(0.0, -1)] * (len(columns) + 1)
    previous: list[int] = []
    best = (0.0, -1)
    for number, (i, j) in enumerate(pairs):
        place = columns[j] - 1
        weight, last = 0.0, -1
        while place > 0:
            weight, last = max((weight, last), tree[place])
            place -= place & -place
        previous.append(last)
        entry = (weight + scores[i, j], number)
        best = max(best, entry)
        place = columns[j]
        while place < len(tree):
            tree[place] = max(tree[place], entry)
            place += place & -place
    chain = []
    at = best[1]
    while at >= 0:
        chain.append(pairs[at])
        at = previous[at]
    return chain


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
        if once or min(len(old[i].text), len(new[j].text)) >= _LONG_ENOUGH:
            moved.append((i, j))
            taken_old.add(i)
            taken_new.add(j)
    return moved
