"""Which generation brought each sentence: what Wikipedia answers for an article, for the lineage of a topic."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memsite.prose.blocks import BlockType, split_blocks
from memsite.prose.sequences import common_pairs

# A Latin sentence ends at `.!?` before white space and what can begin another; a CJK one needs no white space.
_SENTENCE_END = re.compile(
    r"[。！？｡]++[」』”’）】》]*+\s*+"
    r"|(?<!\b[A-Z])(?<!\b[A-Za-z]\.[A-Za-z])(?<!\bvs)(?<!\bcf)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<![.!?…])"
    r"[.!?…]++[\"')\]”’*_`]*+\s++(?=[^a-z])"
)
_EMPHASIS = re.compile(r"[*_`~]+")


@dataclass(frozen=True, slots=True)
class BlamedSentence:
    """A sentence of the newest text (a heading, an item, a table row or a line of code counts as one)."""

    text: str
    """As it stands in the text, on one line, without the structure in front of it."""
    line: int
    """1-based line at which it begins in the newest text."""
    generation: int
    """The number given with the text in which it first had these words, without a gap up to the newest."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    line: int

    @property
    def key(self) -> str:
        """What makes two sentences the same: their words, not their emphasis, wrapping or place."""
        return " ".join(_EMPHASIS.sub("", self.text).split())


def split_sentences(text: str) -> list[tuple[str, int]]:
    """The sentences of a Markdown text and the 1-based lines at which they begin, in order.

    Sentences end at `。！？` and at `.!?` before white space, not within `v1.2`, `e.g. this` or `Dr. Lovelace`; none
    goes beyond its block.
    """
    return [(sentence.text, sentence.line) for sentence in _sentences(text)]


def _sentences(text: str) -> Iterator[_Sentence]:
    for block in split_blocks(text):
        for start, end in _pieces(block.text, whole_lines=block.type in {BlockType.CODE, BlockType.ROW}):
            piece = block.text[start:end]
            if piece.strip():
                yield _Sentence(piece.strip(), block.line_at(start + len(piece) - len(piece.lstrip())))


def _pieces(text: str, *, whole_lines: bool) -> Iterator[tuple[int, int]]:
    pattern = re.compile("\n") if whole_lines else _SENTENCE_END
    start = 0
    for match in pattern.finditer(text):
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def blame_lineage(texts: Sequence[tuple[int, str]]) -> tuple[BlamedSentence, ...]:
    """Each sentence of the last text with the generation that it came from.

    `texts` are (generation number, Markdown), oldest first. A sentence belongs to the earliest generation that has
    it in an unbroken chain up to the last one; one that was reworded, to the generation that reworded it; one that
    went and came back, to the generation that brought it back.
    """
    sentences: list[_Sentence] = []
    origins: list[int] = []
    for number, text in texts:
        following = list(_sentences(text))
        carried = _carried([one.key for one in sentences], [one.key for one in following])
        origins = [origins[carried[k]] if k in carried else number for k in range(len(following))]
        sentences = following
    return tuple(BlamedSentence(one.text, one.line, origin) for one, origin in zip(sentences, origins, strict=True))


def _carried(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Index in `new` -> index in `old` of the same sentence: those in order first, then those that moved."""
    carried = {j: i for i, j in common_pairs(old, new)}
    left = defaultdict(list)
    for i in sorted(set(range(len(old))) - set(carried.values()), reverse=True):
        left[old[i]].append(i)
    for j in sorted(set(range(len(new))) - set(carried)):
        if left[new[j]]:
            carried[j] = left[new[j]].pop()
    return carried
