"""Which generation brought each sentence: what Wikipedia answers for an article, for the lineage of a topic."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import unescape

from memsite.patterns import late
from memsite.prose.blocks import BlockType, split_blocks
from memsite.prose.emphasis import words_of
from memsite.prose.sequences import common_pairs
from memsite.prose.tokens import HAN_AND_KANA, is_wide, without_loose_spaces
from memsite.values import dataclass

# A Latin sentence ends at `.!?` before white space and what can begin another; a CJK one needs no white space.
_SENTENCE_END = late(
    r"[。！？｡]++[」』”’）】》]*+\s*+"
    r"|(?<!\b[A-Z])(?<!\b[A-Za-z]\.[A-Za-z])(?<!\bvs)(?<!\bcf)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<![.!?…])"
    rf"[.!?…]++[\"')\]”’*_`]*+(?:\s++(?=[^a-z])|(?=[{HAN_AND_KANA}]))"
)
_LINE_END = late("\n")
_ENDED = late(r"[.!?…。！？｡][\s\"')\]”’」』）》】*_`~]*\Z")
_GOING_ON = frozenset("，、：；（［「『《“‘–—,:;([-&+/=")
"""Behind these a sentence goes on in the next line."""
_FULL = 68
"""Columns from which on a line may be one that was wrapped."""
_EMPHASIS = late(r"[*_`~]+")
"""Behind the end of a sentence."""
_LONGEST_MARK = 4
"""Characters of `***`, or of `**` and a code span's; a longer run is a line or a fence."""


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
    key: str
    """Equal for sentences that are the same."""


def split_sentences(text: str) -> list[tuple[str, int]]:
    """The sentences of a Markdown text and the 1-based lines at which they begin, in order.

    Sentences end at `。！？` and at `.!?` before white space, not within `v1.2`, `e.g. this` or `Dr. Lovelace`; none
    goes beyond its block. Of Chinese and Japanese that nobody has punctuated, each short line is one.
    """
    return [(sentence.text, sentence.line) for sentence in _sentences(text)]


def sentence_spans(text: str, *, whole_lines: bool = False, lines: Sequence[int] = ()) -> list[tuple[int, int]]:
    """Where the sentences of one block of running text begin and end, white space around them left out.

    With `whole_lines`, for code and table rows, each line that is not blank is one. `lines` are the places at which
    its lines in the file began: lines of Chinese or Japanese that nobody has punctuated are sentences, too.
    """
    pattern = _LINE_END if whole_lines else _SENTENCE_END
    ends = list(_behind_emphasis(text, (match.end() for match in pattern.finditer(text))))
    if len(lines) > 1 and not whole_lines:
        ends = sorted({*ends, *_unended_lines(text, lines, ends)})
    pieces = zip([0, *ends], [*ends, len(text)], strict=True)
    return [_without_space(text, start, end) for start, end in pieces if text[start:end].strip()]


def _unended_lines(text: str, lines: Sequence[int], ends: Sequence[int]) -> Iterator[int]:
    """Where lines end that are no part of a longer sentence: shorter than anybody wraps, and no sentence ends later."""
    last = len(text) if _ENDED.search(text) else max(ends, default=0)
    for begin, end, after in zip(lines, lines[1:], [*lines[2:], len(text)], strict=False):
        line, following = text[begin:end].rstrip(), text[end:after]
        if end < last or not line or not following or line[-1] in _GOING_ON:
            continue
        beside = is_wide(line[-1]) or is_wide(following[0])
        if beside and all(any(map(is_wide, one)) for one in (line, following)) and _columns(line) < _FULL:
            yield end


def _columns(line: str) -> int:
    return sum(2 if is_wide(character) else 1 for character in line)


def _behind_emphasis(text: str, ends: Iterable[int]) -> Iterator[int]:
    """Where emphasis that ends with a sentence is closed: nothing else says whether `。**` closes or opens."""
    counted: dict[str, tuple[int, int]] = {}
    """By mark: how often the text has it, up to where. No mark goes beyond the end of a sentence."""
    for end in ends:
        found = _EMPHASIS.match(text, end)
        if not found or len(found[0]) > _LONGEST_MARK:
            yield end
            continue
        count, place = counted.get(found[0], (0, 0))
        counted[found[0]] = count + text.count(found[0], place, end), end
        yield found.end() if counted[found[0]][0] % 2 else end


def _without_space(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _sentences(text: str) -> Iterator[_Sentence]:
    for block in split_blocks(text):
        text = block.text
        is_code = block.type is BlockType.CODE
        lines = [offset for offset, _ in block.starts]
        spans = sentence_spans(text, whole_lines=is_code or block.type is BlockType.ROW, lines=lines)
        keys = (_line(text, end) for _, end in spans) if is_code else map(_key, map(unescape, words_of(text, spans)))
        for (start, end), key in zip(spans, keys, strict=True):
            yield _Sentence(text[start:end], block.line_at(start), key)


def _line(text: str, end: int) -> str:
    """The line of code that ends there, with its indentation."""
    return text[text.rfind("\n", 0, end) + 1 : end]


def blame_lineage(texts: Sequence[tuple[int, str]]) -> tuple[BlamedSentence, ...]:
    """Each sentence of the last text with the generation that it came from, as `trace_origins` has it.

    `texts` are (generation number, Markdown), oldest first.
    """
    lineage = [(number, list(_sentences(text))) for number, text in texts]
    origins = _trace([[one.key for one in sentences] for _, sentences in lineage])
    last = lineage[-1][1] if lineage else []
    return tuple(
        BlamedSentence(one.text, one.line, lineage[origin][0]) for one, origin in zip(last, origins, strict=True)
    )


def trace_origins(lineage: Sequence[Sequence[str]]) -> list[int]:
    """For each sentence of the last of several texts, oldest first, the index of the text that it came from.

    That is the earliest one that has it in an unbroken chain up to the last; of one that was reworded, the text that
    reworded it; of one that went and came back, the text that brought it back. Emphasis and white space are no words,
    but that words are struck out, or no longer are, is a change of them.
    """
    return trace_words([["".join(words_of(sentence)) for sentence in sentences] for sentences in lineage])


def trace_words(lineage: Sequence[Sequence[str]]) -> list[int]:
    """The same of sentences that have no Markdown in them, but `~~` around what is struck out; lines are code's."""
    return _trace([list(map(_key, sentences)) for sentences in lineage])


def _trace(lineage: Sequence[Sequence[str]]) -> list[int]:
    before: Sequence[str] = ()
    origins: list[int] = []
    for number, keys in enumerate(lineage):
        carried = _carried(before, keys)
        origins = [origins[carried[k]] if k in carried else number for k in range(len(keys))]
        before = keys
    return origins


def _key(sentence: str) -> str:
    """What makes two sentences the same: their words, not their wrapping or place; of code also its white space."""
    if "\n" in sentence:
        return sentence
    return without_loose_spaces(" ".join(sentence.split()))


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
