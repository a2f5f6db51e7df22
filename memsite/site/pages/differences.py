"""A comparison of two texts as rows of a page: unchanged stretches folded, each row for one column or for two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memsite.prose.blocks import BlockType
from memsite.prose.diff import Block, BlockKind, Op, Span, describe_stats, diff_texts
from memsite.site.pages.addresses import printable

CONTEXT = 1
"""Unchanged blocks that stay visible beside a change."""
MIN_FOLD = 3
"""Fewer blocks than this are not worth a fold."""
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A run of text: `equal`, `insert` or `delete`."""

    op: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One block of the comparison."""

    kind: str
    """`equal`, `insert`, `delete`, `change`, `moved`."""
    type: str
    """`heading`, `paragraph`, `item`, `code`, `row`, `rule`."""
    prefix: str
    """What stands before the text: a bullet, a number, a quotation mark; empty for headings and code."""
    level: int
    """Of a heading: 1 to 6. Of a list item: how deep, 0 to 4."""
    words: tuple[Word, ...]
    old_line: int | None
    new_line: int | None

    @property
    def before(self) -> tuple[Word, ...]:
        """The old text of the block; empty for a new one."""
        return tuple(word for word in self.words if word.op != Op.INSERT.value)

    @property
    def after(self) -> tuple[Word, ...]:
        """The new text of the block; empty for a removed one."""
        return tuple(word for word in self.words if word.op != Op.DELETE.value)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows that are shown, or unchanged ones that are folded."""

    rows: tuple[Row, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A comparison."""

    summary: str
    """One line of numbers."""
    changed: bool
    stretches: tuple[Stretch, ...]


def compare_texts(old: str, new: str) -> Difference:
    """What changed between two Markdown texts."""
    found = diff_texts(old, new)
    rows = [_row(block) for block in found.blocks]
    return Difference(describe_stats(found.stats), found.changed, tuple(_stretches(rows)))


def changed_part(old: str, new: str) -> tuple[str, str]:
    """Both texts without the paragraphs with which both begin and end: most commits only add to a long note."""
    before, after = _lines(old), _lines(new)
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    return "\n".join(before[head : len(before) - tail]), "\n".join(after[head : len(after) - tail])


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with, up to the last blank one."""
    count = next((index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), -1)
    count = min(len(one), len(other)) if count < 0 else count
    while count and one[count - 1].strip():
        count -= 1
    return count


def _row(block: Block) -> Row:
    prefix, level = block.prefix, 0
    if block.type is BlockType.HEADING:
        prefix, level = "", min(max(block.prefix.count("#"), 1), 6)
    elif block.type is BlockType.CODE:
        prefix = ""
    elif block.type is BlockType.ITEM:
        level = min((len(block.prefix) - len(block.prefix.lstrip())) // 2, _DEEPEST)
    words = tuple(_word(span) for span in block.spans)
    return Row(
        block.kind.value, block.type.value, printable(prefix.strip()), level, words, block.old_line, block.new_line
    )


def _word(span: Span) -> Word:
    # Line ends stay: code has them.
    return Word(span.op.value, "\n".join(printable(line) for line in span.text.split("\n")))


def _stretches(rows: Sequence[Row]) -> Iterator[Stretch]:
    """Changed rows with their surroundings, and between them what is folded."""
    shown = _near_changes(rows)
    groups = [
        (near, [row for _, row in group]) for near, group in groupby(enumerate(rows), key=lambda item: item[0] in shown)
    ]
    pending: list[Row] = []
    for near, group in groups:
        if near or len(group) < MIN_FOLD:
            pending += group
            continue
        if pending:
            yield Stretch(tuple(pending), folded=False)
        pending = []
        yield Stretch(tuple(group), folded=True)
    if pending:
        yield Stretch(tuple(pending), folded=False)


def _near_changes(rows: Sequence[Row]) -> frozenset[int]:
    """Changed rows, those beside them, and the headings that they stand under."""
    near: set[int] = set()
    heading: int | None = None
    for number, row in enumerate(rows):
        if row.type == BlockType.HEADING.value:
            heading = number
        if row.kind != BlockKind.EQUAL.value:
            near.update(range(max(number - CONTEXT, 0), min(number + CONTEXT + 1, len(rows))))
            near.update(() if heading is None else (heading,))
    return frozenset(near)
