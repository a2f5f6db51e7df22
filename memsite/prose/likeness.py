"""How alike two blocks are, in percent: by their characters, by one standing within the other, by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.remembered import remembered
from memsite.prose.sequences import MAX_CELLS
from memsite.prose.tokens import is_word, tokenize

REWORDED = 50.0
"""Similarity in percent from which on a block in the same place is taken for the same one, changed."""
MOVED = 75.0
"""The same for a block elsewhere: the farther away, the surer it has to be."""
SAME = 100.0
LONG_ENOUGH = 20
"""Characters that a moved block must have, unless it is the same to the character and occurs once."""
_WHOLE = 6
"""Characters of a block from which on finding it within another is no chance."""
_SENTENCES = 8
"""Words that two sentences have."""
_STOPS = ".。!！ "
_LABEL = re.compile(r"([^:：|]{2,40})(?:[:：](?=\s|$)|：)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KEY = re.compile(r"""["']?([A-Za-z0-9_.-]{2,40})["']? ?[:=](?!=)""")


def likeness(one: SourceBlock, other: SourceBlock) -> float:
    """0, or from REWORDED to SAME. Blocks without text are alike where they are of one type; code is only like code."""
    from rapidfuzz.fuzz import ratio  # costs 30 ms that only a comparison pays

    if (one.type is BlockType.CODE) != (other.type is BlockType.CODE):
        return 0.0
    if (not one.text and one.type is not other.type) or _are_of_two_days(one, other):
        return 0.0
    if len(one.text) * len(other.text) > MAX_CELLS:
        return _shared_words(one.text, other.text)
    score = ratio(one.text, other.text, score_cutoff=REWORDED)
    if score < MOVED and not _shares_words(one.text, other.text):
        score = 0.0
    return max(score, _grown(one.text, other.text, alike=score > 0))


def _shared_words(one: str, other: str) -> float:
    """The likeness of texts that are too long to be compared by their characters: the share of words in both."""
    ones, others = _words(one), _words(other)
    share = SAME * 2 * (ones & others).total() / max(ones.total() + others.total(), 1)
    return share if share >= REWORDED else 0.0


def _shares_words(one: str, other: str) -> bool:
    """Whether a quarter of the words are in both: any two English sentences have half of their letters in common.

    A few words may all have been exchanged.
    """
    ones, others = _words(one), _words(other)
    total = ones.total() + others.total()
    return total < _SENTENCES or 8 * (ones & others).total() >= total


@lru_cache(maxsize=512)  # what is asked again is asked soon
def _words(text: str) -> Counter[str]:
    return Counter(token.rstrip() for token in tokenize(text) if is_word(token))


def _are_of_two_days(one: SourceBlock, other: SourceBlock) -> bool:
    """Whether both are named by a date, each by another: source references and rows of a day are told by it."""
    days = [_DATE.match(block_name(block)) for block in (one, other)]
    return days[0] is not None and days[1] is not None and days[0][0] != days[1][0]


def _grown(one: str, other: str, *, alike: bool) -> float:
    """A block that is wholly within a longer one was added to, or cut: beyond doubt where both are alike besides."""
    short, long = sorted((one, other), key=len)
    short = short.rstrip(_STOPS)
    if len(short) < _WHOLE or short not in long:
        return 0.0
    return MOVED if alike and len(short) >= LONG_ENOUGH else REWORDED


def find_names(blocks: Sequence[SourceBlock]) -> dict[tuple[str, str], int]:
    """The blocks that have a name which no other has, by type and name.

    Two blocks of one name are the same one, however much the rest was reworded.
    """
    names = [(block.key[0], block_name(block)) for block in blocks]
    counts = Counter(names)
    return {name: number for number, name in enumerate(names) if name[1] and counts[name] == 1}


def block_name(block: SourceBlock) -> str:
    """What stands before a colon (in a line of code: before `:` or `=`), of a row the first cell; empty for none."""
    if block.type is BlockType.HEADING:
        return ""
    if block.type is BlockType.CODE:
        key = _KEY.match(block.text)
        return key[1] if key and "\n" not in block.text else ""
    if block.type is BlockType.ROW:
        name = block.text.partition(" | ")[0]
        return name if len(name) >= _WHOLE or any(map(str.isalpha, name)) else ""
    return _label(block.text)


@remembered
def _label(text: str) -> str:
    label = _LABEL.match(text)
    return label[1] if label else ""
