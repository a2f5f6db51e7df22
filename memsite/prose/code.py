"""What changed in code: line by line first, then word by word within the lines that were edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from memsite.prose.align import align_blocks
from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.spans import Op, Span, diff_spans, join_spans


def diff_code(old: str, new: str) -> tuple[Span, ...]:
    """The spans from `old` to `new`. Of both texts they give back what those of `diff_spans` do."""
    if "\n" not in old + new or not old or not new:
        return diff_spans(old, new)
    return _without_first(join_spans(_spans(_lines(old), _lines(new))))


def _lines(text: str) -> list[str]:
    """The lines, each with the line end before it: so a line that came stands behind the line that it follows."""
    return ["\n" + line for line in text.split("\n")]


def _spans(old: list[str], new: list[str]) -> Iterator[Span]:
    kept = _kept(old, new) if old <= new else [(i, j) for j, i in _kept(new, old)]
    for (i, j), (k, m) in pairwise([(-1, -1), *kept, (len(old), len(new))]):
        yield Span(Op.DELETE, "".join(old[i + 1 : k]))
        yield Span(Op.INSERT, "".join(new[j + 1 : m]))
        if k < len(old):
            yield from diff_spans(old[k], new[m])


def _kept(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[int, int]]:
    """The lines that stayed or were edited in their place; indentation does not tell lines apart."""
    olds, news = ([SourceBlock(BlockType.CODE, "", line.strip(), ((0, 0),)) for line in side] for side in (old, new))
    return align_blocks(olds, news).kept


def _without_first(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Both texts without the line end that was set before their first line.

    Where the first lines came (or went), it moves behind them: `\\na` before `\\nb` is `a\\n` before `b`.
    """
    leading = next(number for number, span in enumerate((*spans, Span(Op.EQUAL, ""))) if span.op is Op.EQUAL)
    texts = [span.text for span in spans]
    for number in range(max(leading, 1)):
        texts[number] = texts[number][1:]
    if leading == 1:
        texts[0] += "\n"
        texts[1] = texts[1][1:]
    return join_spans(Span(span.op, text) for span, text in zip(spans, texts, strict=True))
