"""Blocks of Markdown as their reader sees them, and what changed in them: words without marks, sources beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from memsite.memory.generation_parts import split_references
from memsite.memory.source_refs import Citation, format_source_ref, parse_citations, without_source_refs
from memsite.prose.blocks import BlockType, SourceBlock, split_blocks
from memsite.prose.diff import (
    TOO_LARGE,
    Block,
    BlockKind,
    Op,
    ProseDiff,
    Span,
    TooLargeError,
    as_diff,
    check_size,
    diff_block,
    diff_lines,
    make_block,
    pair_blocks,
)
from memsite.prose.spans import diff_spans, is_same, is_too_large
from memsite.prose.structure import structure_notes
from memsite.site.inline import Inline, Run, read_inline
from memsite.values import dataclass

_BOX = re.compile(r"\[([ xX])\] ")


@dataclass(frozen=True)
class Passage:
    """One block. What a reader sees of it is read when it is asked for: of most nobody does."""

    block: SourceBlock
    sourced: bool
    """Whether its source references are no words."""

    @property
    def _has_words(self) -> bool:
        return self.block.type not in (BlockType.CODE, BlockType.RULE)

    @cached_property
    def line(self) -> Inline:
        """Its text as a reader sees it."""
        text = self.block.text
        if not self._has_words:
            return Inline((Run(text),) if text else ())
        if self.sourced:
            text = without_source_refs(text)
        if self.block.type is BlockType.ITEM and (box := _BOX.match(text)):
            text = ("☐ " if box[1] == " " else "☑ ") + text[box.end() :]
        return read_inline(text)

    @cached_property
    def refs(self) -> tuple[Citation, ...]:
        """What supports it, where that is no part of `line`."""
        return parse_citations(self.block.text) if self.sourced and self._has_words else ()


@dataclass(frozen=True)
class Compared:
    """What became of a passage."""

    pairing: BlockKind
    """As the two texts' blocks were paired: EQUAL where the passage is the same in both."""
    old: Passage | None
    new: Passage | None

    @cached_property
    def block(self) -> Block:
        """With the spans of both passages' `line`."""
        return _compared(self.pairing, self.old, self.new)


@dataclass(frozen=True, slots=True)
class GenerationDiff:
    """What changed between two generations. Its title and facts, when it was created and covers what, are no part."""

    text: ProseDiff
    references: ProseDiff
    by_lines: bool = False
    """Whether they were too large to be compared word by word."""

    @property
    def summary(self) -> str:
        """One line."""
        return describe_change(self.text.summary, text=self.text.changed, references=self.references.changed)


def describe_change(summary: str, *, text: bool, references: bool) -> str:
    """The summary of the text, where that changed, else what did."""
    if text:
        return summary
    return "only the source references changed" if references else "no change that a reader would see"


def compare_generations(old: str, new: str) -> GenerationDiff:
    """Compare two generations: their text and their source references; very large ones line by line."""
    text, references = zip(split_references(old), split_references(new), strict=True)
    try:
        return GenerationDiff(_compare(*text), _compare(*references))
    except TooLargeError:
        return GenerationDiff(diff_lines(*text), diff_lines(*references), by_lines=True)


def _compare(old: str, new: str) -> ProseDiff:
    return as_diff(compared.block for compared in compare_passages(old, new, sourced=True))


def read_passages(text: str, *, sourced: bool) -> tuple[Passage, ...]:
    """The blocks of a Markdown text. Where it is `sourced`, the source references of points are no words."""
    return tuple(Passage(block, sourced) for block in split_blocks(text))


def compare_passages(old: str, new: str, *, sourced: bool) -> Iterator[Compared]:
    """What became of each passage (`read_passages`) of two texts, in the order in which a comparison shows them.

    Raises TooLargeError.
    """
    check_size(old, new)
    olds, news = (read_passages(text, sourced=sourced) for text in (old, new))
    for kind, i, j in pair_blocks([one.block for one in olds], [one.block for one in news]):
        yield Compared(kind, None if i is None else olds[i], None if j is None else news[j])


def _compared(kind: BlockKind, old: Passage | None, new: Passage | None) -> Block:
    before, after = old.block if old else None, new.block if new else None
    spans = diff_block(before, old.line.text if old else "", after, new.line.text if new else "")
    notes: tuple[str, ...] = ()
    if old and new and kind is not BlockKind.EQUAL:
        kind, notes = _judged(kind, spans, old, new)
    return make_block(kind, before, after, spans, notes, _aside(old, new))


def _judged(kind: BlockKind, spans: Sequence[Span], old: Passage, new: Passage) -> tuple[BlockKind, tuple[str, ...]]:
    """A block of the same words in the same structure has not changed, whatever its source text; all else is noted."""
    same_words = is_same(spans)
    marks = same_words and _marks(old.line) != _marks(new.line)
    gone, came = _strikes(old.line, new.line) if same_words else (False, False)
    notes = {
        "sources changed": old.refs != new.refs,
        "link changed": old.line.targets != new.line.targets,
        "struck out": came,
        "no longer struck out": gone and not came,
        "emphasis changed": marks,
        "spaces in code changed": same_words and not marks and _code(old.line) != _code(new.line),
        TOO_LARGE: is_too_large(old.line.text, new.line.text),
    }
    noted = tuple(note for note, holds in notes.items() if holds)
    structure = structure_notes(old.block, new.block, spans)
    same = same_words and not structure and kind is BlockKind.CHANGE
    return BlockKind.EQUAL if same else kind, noted + structure


def _marks(line: Inline) -> list[tuple[str, tuple[str, ...]]]:
    """The characters of a line with their marks; of white space, none is told from another."""
    marked = [(run.text, tuple(mark for mark in run.marks if mark != "s")) for run in line.runs]
    return [(character, marks) for text, marks in marked for character in text if not character.isspace()]


def _strikes(old: Inline, new: Inline) -> tuple[bool, bool]:
    """Whether words that were struck out no longer are, and whether others are now: of two lines of the same words."""
    before, after = (
        ["s" in run.marks for run in line.runs for character in run.text if not character.isspace()]
        for line in (old, new)
    )
    pairs = set(zip(before, after, strict=True))
    return (True, False) in pairs, (False, True) in pairs


def _code(line: Inline) -> list[str]:
    return [run.text for run in line.runs if "code" in run.marks]


def _aside(old: Passage | None, new: Passage | None) -> tuple[Span, ...]:
    """The sources of a passage that came or went, or the change of those of one that stayed."""
    before, after = (
        ", ".join(format_source_ref(ref)[1:-1] for ref in passage.refs) if passage else "" for passage in (old, new)
    )
    if old and new:
        return diff_spans(before, after) if before != after else ()
    return (Span(Op.EQUAL, before + after),) if before + after else ()
