"""A comparison of two texts as rows of a page: unchanged stretches folded, each row for one column or for two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from memsite.memory.model import SourceRef
from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.diff import Block, BlockKind, Op, Span, TooLargeError, as_diff
from memsite.site.inline import Inline, Run
from memsite.site.pages.addresses import printable, printable_text
from memsite.site.pages.articles import SourceLink
from memsite.site.passages import Compared, compare_passages

CONTEXT = 1
"""Unchanged blocks that stay visible beside a change."""
MIN_FOLD = 3
"""Fewer blocks than this are not worth a fold."""
_DEEPEST = 4
_BULLETS = ("-", "*", "+")


Supports = Mapping[SourceRef, SourceLink]
"""Where the source references of a generation lead."""


@dataclass(frozen=True, slots=True)
class Word:
    """A run of text: `equal`, `insert` or `delete`."""

    op: str
    text: str
    marks: tuple[str, ...] = ()
    """Of `strong`, `em`, `s`, `link`, `code`, the outermost first."""


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
    """Both texts in one."""
    before: tuple[Word, ...]
    """The old text of the block; empty for a new one."""
    after: tuple[Word, ...]
    """The new text of the block; empty for a removed one."""
    old_line: int | None
    new_line: int | None
    old_sources: tuple[SourceLink, ...] = ()
    sources: tuple[SourceLink, ...] = ()
    """What supports it, in the new text."""
    notes: tuple[str, ...] = ()
    """What changed besides its words, each said once and quietly: `sources changed`, `link changed`."""

    @property
    def changed(self) -> bool:
        """Whether a reader would see any difference."""
        return self.kind != BlockKind.EQUAL.value or bool(self.notes)


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
    too_long: bool = False
    """The texts are longer than what one page compares: there are no stretches."""


TOO_LONG = Difference("too long to be compared here", changed=True, stretches=(), too_long=True)
UNKNOWN = Difference("", changed=False, stretches=())
"""Of source references that are in the part of a text that is not read."""


def compare_texts(old: str, new: str, supports: Supports | None = None) -> Difference:
    """What changed between two Markdown texts, as the words that a reader sees.

    With `supports`, source references of points are no words: they stand beside their point, and a change of them is
    a note of its row. Texts that are too large for that are TOO_LONG.
    """
    try:
        compared = tuple(compare_passages(old, new, sourced=supports is not None))
    except TooLargeError:
        return TOO_LONG
    found = as_diff(one.block for one in compared)
    return Difference(found.summary, found.changed, tuple(_stretches([_row(one, supports or {}) for one in compared])))


def changed_part(old: str, new: str) -> tuple[str, str]:
    """Both texts without the paragraphs, and items of a list, with which both begin and end.

    Most commits only add to a long note, or change an entry of a long index.
    """
    before, after = _lines(old), _lines(new)
    head = _shared(before, after)
    while head and not (_begins_block(before, head) and _begins_block(after, head)):
        head -= 1
    before, after = before[head:], after[head:]
    tail = _shared(before[::-1], after[::-1])
    while tail and not (_begins_block(before, len(before) - tail) and _begins_block(after, len(after) - tail)):
        tail -= 1
    return "\n".join(before[: len(before) - tail]), "\n".join(after[: len(after) - tail])


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _begins_block(lines: Sequence[str], at: int) -> bool:
    """Whether what begins at a line can be read without what stands above it."""
    if at == 0 or not lines[at - 1].strip():
        return True
    return at < len(lines) and lines[at].startswith(("- ", "* ", "+ ", "#"))


_NOTHING = Inline(())


def _row(compared: Compared, supports: Supports) -> Row:
    block, old, new = compared.block, compared.old, compared.new
    before, after = old.line if old else _NOTHING, new.line if new else _NOTHING
    prefix, level = shown_structure(block)
    return Row(
        block.kind.value,
        block.type.value,
        prefix,
        level,
        tuple(_both(block.spans, before, after)),
        tuple(_one(block.spans, before, Op.INSERT)),
        tuple(_one(block.spans, after, Op.DELETE)),
        block.old_line,
        block.new_line,
        tuple(supports[ref] for ref in old.refs if ref in supports) if old else (),
        tuple(supports[ref] for ref in new.refs if ref in supports) if new else (),
        block.notes,
    )


def shown_structure(block: Block | SourceBlock) -> tuple[str, int]:
    """The prefix that is shown, and the level."""
    prefix = block.prefix.strip()
    if block.type is BlockType.HEADING:
        return "", min(max(block.prefix.count("#"), 1), 6)
    if block.type is BlockType.CODE:
        return "", 0
    if block.type is BlockType.ITEM:
        level = min((len(block.prefix) - len(block.prefix.lstrip())) // 2, _DEEPEST)
        return "•" if prefix in _BULLETS else printable(prefix), level
    return printable(prefix), 0


def _both(spans: Iterable[Span], old: Inline, new: Inline) -> Iterator[Word]:
    """Both texts in one; what was deleted has the old text's marks, all else the new one's."""
    before, after = 0, 0
    for span in spans:
        length = len(span.text)
        runs = old.part(before, before + length) if span.op is Op.DELETE else new.part(after, after + length)
        before += 0 if span.op is Op.INSERT else length
        after += 0 if span.op is Op.DELETE else length
        yield from _words(span.op, runs)


def _one(spans: Iterable[Span], line: Inline, without: Op) -> Iterator[Word]:
    """One of the two texts: the spans but those of one kind."""
    at = 0
    for span in spans:
        if span.op is not without:
            yield from _words(span.op, line.part(at, at + len(span.text)))
            at += len(span.text)


def _words(op: Op, runs: Iterable[Run]) -> Iterator[Word]:
    return (Word(op.value, printable_text(run.text), run.marks) for run in runs)


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
        if row.changed:
            near.add(number)
            near.update(() if heading is None else (heading,))
        if row.kind != BlockKind.EQUAL.value:
            near.update(range(max(number - CONTEXT, 0), min(number + CONTEXT + 1, len(rows))))
    return frozenset(near)
