"""What changed between two Markdown texts, for readers: block by block, word by word, moves recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

from memsite.counting import counted
from memsite.prose.align import Alignment, Pair, TooLargeError, align_blocks
from memsite.prose.blocks import BlockType, SourceBlock, split_blocks
from memsite.prose.code import diff_code
from memsite.prose.sequences import common_pairs
from memsite.prose.spans import Op, Span, diff_spans, is_same, is_too_large, mark_loose, shown_spans
from memsite.prose.structure import structure_notes
from memsite.prose.tokens import count_words
from memsite.values import dataclass

__all__ = [
    "Block",
    "BlockKind",
    "Op",
    "ProseDiff",
    "Span",
    "Stats",
    "TooLargeError",
    "block_mark",
    "changed_blocks",
    "describe_stats",
    "diff_lines",
    "diff_texts",
    "format_diff_lines",
]


MAX_LENGTH = 200_000
"""Characters of two texts that are compared word by word, which takes a second at most."""
MAX_LINES = 6_000
"""Lines of both."""
TOO_LARGE = "too large to compare word by word"
"""The note of a block whose words are all shown as exchanged."""


class BlockKind(StrEnum):
    """What became of a block."""

    EQUAL = "equal"
    INSERT = "insert"
    DELETE = "delete"
    CHANGE = "change"
    MOVED = "moved"
    """Elsewhere in the other text; its spans tell whether it was also reworded."""


@dataclass(frozen=True, slots=True)
class Block:
    """One heading, paragraph, list item, code block or table row of the comparison."""

    kind: BlockKind
    spans: tuple[Span, ...]
    """Its text without `prefix`. A change without insertions and deletions is one of the structure alone."""
    old_line: int | None
    """1-based line at which it begins in the old text; None: it is not there."""
    new_line: int | None
    prefix: str = ""
    """Its structure in Markdown, of the new text where it is there: `## `, `- `, `> `, `| `, "```python"."""
    type: BlockType = BlockType.PARAGRAPH
    notes: tuple[str, ...] = ()
    """What changed besides its words, each said once: `link changed`, `now a list item`."""
    aside: tuple[Span, ...] = ()
    """What stands beside it and changed, such as its sources."""

    @property
    def changed(self) -> bool:
        """Whether a reader would see any difference."""
        return self.kind is not BlockKind.EQUAL or bool(self.notes)


@dataclass(frozen=True, slots=True)
class Stats:
    """How much changed. Words of moved text that stayed as it was count as neither added nor removed."""

    words_added: int = 0
    """Chinese and Japanese count by the character."""
    words_removed: int = 0
    blocks_changed: int = 0
    """Blocks that were added, removed or changed."""
    blocks_moved: int = 0


@dataclass(frozen=True, slots=True)
class ProseDiff:
    """A comparison, in the order of the new text; what went stands where it was."""

    blocks: tuple[Block, ...]
    stats: Stats

    @property
    def changed(self) -> bool:
        """Whether a reader would see any difference."""
        return any(block.changed for block in self.blocks)

    @property
    def summary(self) -> str:
        """One line: the numbers, or the notes where no word changed."""
        notes = dict.fromkeys(note for block in self.blocks for note in block.notes)
        counted = self.stats.words_added or self.stats.words_removed or self.stats.blocks_moved
        told = all(block.notes for block in self.blocks if block.kind is not BlockKind.EQUAL)
        return ", ".join(notes) if notes and told and not counted else describe_stats(self.stats)


Step = tuple[BlockKind, int | None, int | None]
"""What became of a block: its index in the old text and in the new one, None where it is not there."""


def diff_texts(old: str, new: str) -> ProseDiff:
    """Compare two Markdown texts as a reader would.

    Line ends, wrapping, the padding of tables and the bullets of lists are no difference. Without its insertions
    the comparison is the old text's blocks (in the order of `old_line`), without its deletions the new one's.
    Raises TooLargeError for texts that are compared by `diff_lines` alone.
    """
    check_size(old, new)
    olds, news = split_blocks(old), split_blocks(new)
    return as_diff(_block(kind, olds, i, news, j) for kind, i, j in pair_blocks(olds, news))


def check_size(old: str, new: str) -> None:
    """Raise TooLargeError for texts that are not compared word by word."""
    if len(old) + len(new) > MAX_LENGTH or old.count("\n") + new.count("\n") > MAX_LINES:
        raise TooLargeError


def diff_lines(old: str, new: str) -> ProseDiff:
    """Compare two texts of any size line by line: each line is a block that stayed, came or went."""
    olds, news = old.split("\n"), new.split("\n")
    return as_diff(_line_blocks(olds, news))


def _line_blocks(olds: Sequence[str], news: Sequence[str]) -> Iterator[Block]:
    at, to = 0, 0
    for i, j in (*common_pairs(olds, news), (len(olds), len(news))):
        yield from (Block(BlockKind.DELETE, _whole(Op.DELETE, olds[k]), k + 1, None) for k in range(at, i))
        yield from (Block(BlockKind.INSERT, _whole(Op.INSERT, news[k]), None, k + 1) for k in range(to, j))
        if i < len(olds):
            yield Block(BlockKind.EQUAL, _whole(Op.EQUAL, news[j]), i + 1, j + 1)
        at, to = i + 1, j + 1


def _whole(op: Op, text: str) -> tuple[Span, ...]:
    return (Span(op, text),) if text else ()


def as_diff(blocks: Iterable[Block]) -> ProseDiff:
    """Blocks as a comparison, with its figures."""
    found = tuple(blocks)
    return ProseDiff(found, _stats(found))


def pair_blocks(olds: Sequence[SourceBlock], news: Sequence[SourceBlock]) -> Iterator[Step]:
    """What became of each block of two texts, in the order in which a comparison shows them. Raises TooLargeError."""
    if [block.key for block in olds] > [block.key for block in news]:
        # Aligned in one direction only, so that the comparison the other way round is its mirror image.
        back = align_blocks(news, olds)
        alignment = Alignment(_turned(back.kept), tuple(sorted(_turned(back.moved), key=lambda pair: pair[1])))
    else:
        alignment = align_blocks(olds, news)
    return _laid_out(olds, news, alignment)


def _turned(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple((j, i) for i, j in pairs)


def _laid_out(olds: Sequence[SourceBlock], news: Sequence[SourceBlock], alignment: Alignment) -> Iterator[Step]:
    sources = {j: i for i, j in alignment.moved}
    moved = set(sources.values())
    at, to = 0, 0
    for i, j in (*alignment.kept, (len(olds), len(news))):
        yield from ((BlockKind.DELETE, k, None) for k in range(at, i) if k not in moved)
        for k in range(to, j):
            yield (BlockKind.MOVED, sources[k], k) if k in sources else (BlockKind.INSERT, None, k)
        if j < len(news):
            yield BlockKind.EQUAL if olds[i].key == news[j].key else BlockKind.CHANGE, i, j
        at, to = i + 1, j + 1


def _block(
    kind: BlockKind, olds: Sequence[SourceBlock], i: int | None, news: Sequence[SourceBlock], j: int | None
) -> Block:
    old, new = None if i is None else olds[i], None if j is None else news[j]
    before, after = old.text if old else "", new.text if new else ""
    notes: tuple[str, ...] = (TOO_LARGE,) if is_too_large(before, after) else ()
    spans = diff_block(old, before, new, after)
    if old and new:
        structure = structure_notes(old, new, spans)
        kind = BlockKind.EQUAL if kind is BlockKind.CHANGE and not structure and is_same(spans) else kind
        notes += structure
    return make_block(kind, old, new, spans, notes)


def make_block(
    kind: BlockKind,
    old: SourceBlock | None,
    new: SourceBlock | None,
    spans: tuple[Span, ...],
    notes: tuple[str, ...] = (),
    aside: tuple[Span, ...] = (),
) -> Block:
    """A block of the comparison from the blocks of both texts, of which one may be missing."""
    shown = new or old
    if shown is None:
        raise ValueError("a block is in one of the texts")
    return Block(
        kind, spans, old.line if old else None, new.line if new else None, shown.prefix, shown.type, notes, aside
    )


def diff_block(old: SourceBlock | None, before: str, new: SourceBlock | None, after: str) -> tuple[Span, ...]:
    """The spans of a block from `before` to `after`, which may be its text or what a reader sees of it."""
    if old is None or new is None:
        return _whole(Op.DELETE if new is None else Op.INSERT, before + after)
    if old.type is BlockType.CODE and new.type is BlockType.CODE:
        return diff_code(before, after)
    return mark_loose(diff_spans(before, after), before, after)


def _stats(blocks: Iterable[Block]) -> Stats:
    added = removed = changed = moved = 0
    for block in blocks:
        added += sum(count_words(span.text) for span in block.spans if span.op is Op.INSERT)
        removed += sum(count_words(span.text) for span in block.spans if span.op is Op.DELETE)
        changed += block.kind in {BlockKind.INSERT, BlockKind.DELETE, BlockKind.CHANGE}
        moved += block.kind is BlockKind.MOVED
    return Stats(added, removed, changed, moved)


def describe_stats(stats: Stats) -> str:
    """One line in words: `12 words added, 3 removed, in 4 blocks; 1 block moved`, or `no change`."""
    parts = []
    if stats.blocks_changed or stats.words_added or stats.words_removed:
        words = f"{counted(stats.words_added, 'word')} added, {stats.words_removed:,} removed"
        parts.append(f"{words}, in {counted(stats.blocks_changed, 'block')}" if stats.blocks_changed else words)
    if stats.blocks_moved:
        parts.append(f"{counted(stats.blocks_moved, 'block')} moved")
    return "; ".join(parts) or "no change"


_MARKS = {
    BlockKind.EQUAL: " ",
    BlockKind.INSERT: "+",
    BlockKind.DELETE: "-",
    BlockKind.CHANGE: "~",
    BlockKind.MOVED: ">",
}
_BRACKETS = {Op.EQUAL: ("", ""), Op.DELETE: ("[-", "-]"), Op.INSERT: ("{+", "+}")}
_COLOURS = {Op.DELETE: "\x1b[31m", Op.INSERT: "\x1b[32m"}
_PLAIN = "\x1b[0m"


def format_diff_lines(
    diff: ProseDiff, *, coloured: bool = False, escape: Callable[[str], str] = str
) -> tuple[str, ...]:
    """The changed blocks as lines for a terminal, below the heading that they stand under.

    `~ ` a changed block with `[-old-]{+new+}`, `+ ` and `- ` new and removed ones, `> ` moved ones. Every piece of
    text goes through `escape` before it is marked up; no colour is written unless `coloured`.
    """
    blocks = changed_blocks(diff)
    return tuple(line for block in blocks for line in _block_lines(block, coloured=coloured, escape=escape))


def changed_blocks(diff: ProseDiff) -> Iterator[Block]:
    """The changed blocks, the first below each heading after it."""
    heading: Block | None = None
    for block in diff.blocks:
        if block.changed:
            if heading:
                yield heading
            heading = None
            yield block
        elif block.type is BlockType.HEADING:
            heading = block


def block_mark(block: Block) -> str:
    """The sign before a block: `+`, `-`, `~`, `>`, or a space."""
    return _MARKS[BlockKind.CHANGE if block.notes and block.kind is BlockKind.EQUAL else block.kind]


def _block_lines(block: Block, *, coloured: bool, escape: Callable[[str], str]) -> Iterator[str]:
    mark = block_mark(block)
    # A block of one kind says so in front; brackets around all of it would say it twice.
    bare = block.kind in {BlockKind.INSERT, BlockKind.DELETE}
    text = "".join(_marked(span, coloured=coloured, bare=bare, escape=escape) for span in shown_spans(block.spans))
    beside = "".join(_marked(span, coloured=coloured, bare=False, escape=escape) for span in block.aside)
    said = "; ".join(filter(None, (beside, *block.notes)))
    text += f" ({said})" if said else ""
    prefix = escape(block.prefix)
    whole = f"{prefix}\n{text}" if block.type is BlockType.CODE else prefix + text
    for line in whole.split("\n"):
        yield f"{mark} {line}".rstrip()


def _marked(span: Span, *, coloured: bool, bare: bool, escape: Callable[[str], str]) -> str:
    start, end = ("", "") if bare else _BRACKETS[span.op]
    if coloured and span.op in _COLOURS:
        start, end = _COLOURS[span.op] + start, end + _PLAIN
    # Each line carries its own marks: a colour or a bracket that runs over the end of a line is lost on the reader.
    return "\n".join(start + escape(line) + end if line else "" for line in span.text.split("\n"))
