"""What changed of a block besides its words, in words: a heading's level, a list, a quotation, white space in code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsite.prose.blocks import BlockType, SourceBlock
from memsite.prose.spans import Op, Span

_QUOTE = "> "
_FENCE = "```"
_NOW = {
    BlockType.HEADING: "now a heading",
    BlockType.PARAGRAPH: "now a paragraph",
    BlockType.ITEM: "now a list item",
    BlockType.CODE: "now code",
    BlockType.ROW: "now a table row",
    BlockType.RULE: "now a rule",
}


def structure_notes(old: SourceBlock, new: SourceBlock, spans: Sequence[Span]) -> tuple[str, ...]:
    """What a reader is told of a block whose structure, or whose white space as code, is no longer what it was."""
    return tuple(_notes(old, new, spans))


def _notes(old: SourceBlock, new: SourceBlock, spans: Sequence[Span]) -> Iterator[str]:
    (before, outer), (after, inner) = (_unquoted(block.key[1]) for block in (old, new))
    if old.type is not new.type:
        yield _NOW[new.type]
    elif before != after:
        yield _changed(new.type, before, after)
    if outer != inner:
        yield "quote depth changed" if outer and inner else "now quoted" if inner else "no longer quoted"
    changes = [span.text for span in spans if span.op is not Op.EQUAL]
    if changes and old.type is new.type is BlockType.CODE and all(map(str.isspace, changes)):
        yield "white space changed"


def _changed(type_: BlockType, before: str, after: str) -> str:
    if type_ is BlockType.HEADING:
        return "heading level changed"
    if type_ is not BlockType.CODE:
        return "nesting changed"
    fenced = before.startswith(_FENCE) and after.startswith(_FENCE)
    return "code language changed" if fenced else _NOW[type_] if after.startswith(_FENCE) else "now front matter"


def _unquoted(prefix: str) -> tuple[str, int]:
    """A prefix without the quotations that it stands in, and how many they are."""
    depth = 0
    while prefix.startswith(_QUOTE):
        prefix, depth = prefix[len(_QUOTE) :], depth + 1
    return prefix, depth
