"""Texts that are hard to compare, compared: what a test starts under limits of processor and memory.

    python -m tests.hostile.pairs SIZE [NUMBER]

SIZE is that of each text, in characters; NUMBER, that of the kinds of text.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator

from memsite.prose.blame import blame_lineage
from memsite.prose.blocks import split_blocks
from memsite.prose.diff import Op, ProseDiff, TooLargeError, diff_lines, diff_texts
from memsite.prose.sequences import iter_runs
from memsite.prose.spans import diff_spans, is_too_large, mirrored

Piece = Callable[[random.Random, int], str]
PIECES: dict[str, Piece] = {
    "signs": lambda rng, _: rng.choice(".!"),
    "bold sentences": lambda rng, _: f"**A{rng.randint(0, 1)}.** ",
    "items": lambda rng, _: f"- {rng.randint(0, 5)}\n",
    "characters": lambda rng, _: rng.choice("数据平台部署方案"),
    "words": lambda rng, _: rng.choice(["a ", "b ", "c "]),
    "distinct words": lambda rng, at: f"{at * rng.randint(1, 2)} ",
    "words that many share": lambda rng, at: f"w{at // 10} v{at // 9} u{rng.randint(0, 9)}\n\n",
    "rows": lambda rng, at: f"| r{at} | {rng.randint(0, 9)} |\n",
    "code": lambda rng, at: f"```\nx{rng.randint(0, 999)} = {at}\n```\n",
}


def text(piece: Piece, size: int, seed: int) -> str:
    rng = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        parts.append(piece(rng, len(parts)))
        length += len(parts[-1])
    return "".join(parts)[:size]


def sides(diff: ProseDiff) -> tuple[list[str], list[str]]:
    """The blocks of the old text and of the new one, as a comparison has them."""
    olds = sorted((one for one in diff.blocks if one.old_line is not None), key=lambda one: one.old_line or 0)
    news = [one for one in diff.blocks if one.new_line is not None]
    return (
        ["".join(span.text for span in one.spans if span.op is not Op.INSERT) for one in olds],
        ["".join(span.text for span in one.spans if span.op is not Op.DELETE) for one in news],
    )


def check(old: str, new: str) -> Iterator[str]:
    """Compare two texts in every way; gives what was too large."""
    by_lines = diff_lines(old, new)
    assert sides(by_lines) == (old.split("\n"), new.split("\n"))
    try:
        assert sides(diff_texts(old, new)) == tuple([one.text for one in split_blocks(text)] for text in (old, new))
    except TooLargeError:
        yield "blocks"
    if is_too_large(old, new):
        yield "words"
    spans = diff_spans(old, new)
    assert "".join(span.text for span in spans if span.op is not Op.INSERT) == old
    assert "".join(span.text for span in spans if span.op is not Op.DELETE) == new
    assert mirrored(spans) == diff_spans(new, old)
    for run in iter_runs(old, new):
        assert not run.equal or old[run.a : run.b] == new[run.c : run.d]
    blamed = blame_lineage([(1, old), (2, new)])
    assert {one.generation for one in blamed} <= {1, 2}


def main() -> None:
    """Say of each pair what of it was too large."""
    size, *number = map(int, sys.argv[1:])
    for name, piece in list(PIECES.items())[: number[0] if number else None]:
        old, new = (text(piece, size, seed) for seed in (1, 2))
        print(f"{name}:", *check(old, new), flush=True)


if __name__ == "__main__":
    main()
