"""A comparison of two texts as rows of a page: unchanged stretches folded, each row for one column or for two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from memsite.memory.source_refs import Citation
from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.diff import Block, BlockKind, Op, Span, TooLargeError, as_diff
from memsite.site.inline import Inline, Run
from memsite.site.pages.addresses import printable, printable_text
from memsite.site.pages.changed_parts import CONTEXT, MIN_FOLD
from memsite.site.pages.views import SourceLink
from memsite.site.passages import Compared, Passage, compare_passages
from memsite.values import dataclass, field

_DEEPEST = 4
_BULLETS = ("-", "*", "+")


Supports = Mapping[Citation, SourceLink]
"""Where the source references of a generation lead."""


@dataclass(frozen=True, slots=True)
class Word:
    """A run of text: `equal`, `insert` or `delete`."""

    op: str
    text: str
    marks: tuple[str, ...] = ()
    """Of `strong`, `em`, `s`, `link`, `code`, the outermost first."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a block is shown: as the `type`, `prefix` and `level` of a Row say it."""

    type: str
    prefix: str
    level: int


@dataclass(frozen=True)
class Row:
    """One block of the comparison. What a page does not show of it is not made."""

    compared: Compared = field(repr=False)
    supports: Supports = field(repr=False)

    @property
    def same(self) -> bool:
        """Whether the block is the same in both texts, its Markdown included."""
        return self.compared.pairing is BlockKind.EQUAL

    @property
    def kind(self) -> str:
        """`equal`, `insert`, `delete`, `change`, `moved`."""
        return BlockKind.EQUAL.value if self.same else self._block.kind.value

    @property
    def type(self) -> str:
        """`heading`, `paragraph`, `item`, `code`, `row`, `rule`."""
        shown = self.compared.new or self.compared.old
        return shown.block.type.value if shown else ""

    @property
    def is_heading(self) -> bool:
        """Whether others stand under it."""
        shown = self.compared.new or self.compared.old
        return shown is not None and shown.block.type is BlockType.HEADING

    @property
    def prefix(self) -> str:
        """What stands before the text: a bullet, a number, a quotation mark; empty for headings and code."""
        return self._structure[0]

    @property
    def level(self) -> int:
        """Of a heading: 1 to 6. Of a list item: how deep, 0 to 4."""
        return self._structure[1]

    @property
    def old_shape(self) -> Shape | None:
        """What it was in the old text; None: it is not there."""
        old = self.compared.old
        return None if old is None else Shape(old.block.type.value, *shown_structure(old.block))

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Both texts in one."""
        return tuple(_both(self._block.spans, *self._lines))

    @cached_property
    def before(self) -> tuple[Word, ...]:
        """The old text of the block; empty for a new one."""
        return tuple(_one(self._block.spans, self._lines[0], Op.INSERT))

    @cached_property
    def after(self) -> tuple[Word, ...]:
        """The new text of the block; empty for a removed one."""
        return tuple(_one(self._block.spans, self._lines[1], Op.DELETE))

    @property
    def old_line(self) -> int | None:
        """Its line in the old text."""
        return self.compared.old.block.line if self.compared.old else None

    @property
    def new_line(self) -> int | None:
        """Its line in the new text."""
        return self.compared.new.block.line if self.compared.new else None

    @cached_property
    def old_sources(self) -> tuple[SourceLink, ...]:
        """What supported it, in the old text."""
        return self._sources_of(self.compared.old)

    @cached_property
    def sources(self) -> tuple[SourceLink, ...]:
        """What supports it, in the new text."""
        return self._sources_of(self.compared.new)

    @property
    def notes(self) -> tuple[str, ...]:
        """What changed besides its words, each said once and quietly: `sources changed`, `link changed`."""
        return () if self.same else self._block.notes

    @property
    def changed(self) -> bool:
        """Whether a reader would see any difference."""
        return not self.same and self._block.changed

    @property
    def _block(self) -> Block:
        return self.compared.block

    @cached_property
    def _structure(self) -> tuple[str, int]:
        return shown_structure(self._block)

    @property
    def _lines(self) -> tuple[Inline, Inline]:
        old, new = self.compared.old, self.compared.new
        return old.line if old else _NOTHING, new.line if new else _NOTHING

    def _sources_of(self, passage: Passage | None) -> tuple[SourceLink, ...]:
        return tuple(self.supports[ref] for ref in passage.refs if ref in self.supports) if passage else ()


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
    found = as_diff(one.block for one in compared if one.pairing is not BlockKind.EQUAL)
    return Difference(found.summary, found.changed, tuple(_stretches([Row(one, supports or {}) for one in compared])))


_NOTHING = Inline(())


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
        if span.loose and span.op is Op.DELETE:
            runs = iter(())
        before += 0 if span.op is Op.INSERT else length
        after += 0 if span.op is Op.DELETE else length
        yield from _words(span, runs)


def _one(spans: Iterable[Span], line: Inline, without: Op) -> Iterator[Word]:
    """One of the two texts: the spans but those of one kind."""
    at = 0
    for span in spans:
        if span.op is not without:
            yield from _words(span, line.part(at, at + len(span.text)))
            at += len(span.text)


def _words(span: Span, runs: Iterable[Run]) -> Iterator[Word]:
    op = Op.EQUAL if span.loose else span.op
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
        if row.is_heading:
            heading = number
        if row.same:
            continue
        if row.changed:
            near.add(number)
            near.update(() if heading is None else (heading,))
        if row.kind != BlockKind.EQUAL.value:
            near.update(range(max(number - CONTEXT, 0), min(number + CONTEXT + 1, len(rows))))
    return frozenset(near)
