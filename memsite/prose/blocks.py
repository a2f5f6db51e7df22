"""Markdown as a row of blocks, made comparable: line ends, wrapping, padding and list bullets do not matter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum

from memsite.prose.lines import (
    FENCES,
    HEADING,
    LABEL,
    QUOTE,
    RULE,
    RULES,
    UNDERLINE,
    fence_of,
    indent_of,
    interrupts,
    is_delimiter_row,
    item_of,
    plain_item,
    squeeze,
    title_of,
    without_margin,
)
from memsite.prose.tokens import is_wide, without_loose_spaces
from memsite.values import dataclass, field, replace

_CELL_END = re.compile(r"(?<!\\)\|")
_DEEPEST_QUOTE = 8
_CODE_INDENT = 4
_LONGEST_FRONT_MATTER = 400


class BlockType(StrEnum):
    """What a block is in Markdown."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    ROW = "row"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """One block of a text, normalised."""

    type: BlockType
    prefix: str
    """Its structure in Markdown, as the text has it: `## `, `- `, `  1. `, `> `, "```python"; empty for a paragraph."""
    text: str
    """On one line, single spaces; code keeps its lines and its indentation."""
    starts: tuple[tuple[int, int], ...]
    """(offset in `text`, 1-based line of the source) for each line that went into it."""
    key: tuple[str, str, str] = field(default=("", "", ""), compare=False)
    """Equal for blocks that a reader would call the same: bullets and numbers of lists do not matter,
    nor do spaces beside Chinese and Japanese: where a line was broken, nobody knows whether one stood there."""

    def __post_init__(self) -> None:
        same = self.prefix
        if self.type is BlockType.ITEM and same[-2:] != "- ":
            same = re.sub(r"[*+]|\d+[.)]", "-", same)
        text = self.text if self.type is BlockType.CODE else without_loose_spaces(self.text)
        object.__setattr__(self, "key", (self.type._value_, same, text))

    @property
    def line(self) -> int:
        """1-based line of the source at which its text begins: of fenced code, the line after the fence."""
        return self.starts[0][1]

    def line_at(self, offset: int) -> int:
        """The line of the source that the character at `offset` of `text` came from."""
        return self.starts[max(bisect_right(self.starts, offset, key=_offset) - 1, 0)][1]


def _offset(start: tuple[int, int]) -> int:
    return start[0]


def split_blocks(text: str) -> list[SourceBlock]:
    """The blocks of a Markdown text: headings, paragraphs, list items, fenced code, table rows, rules.

    Never fails: what is no other block is a paragraph. A fence that is never closed reaches to the end. Lines
    that begin with `**Label**:` or a comment are blocks of their own, as in a generation's head.
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(_Scanner(list(enumerate(lines, start=1))).scan())


Line = tuple[int, str]


class _Scanner:
    """Walks over numbered lines once; the only state is where it is and which lists are open."""

    def __init__(self, lines: Sequence[Line], depth: int = 0) -> None:
        self.lines = lines
        self.at = 0
        self.depth = depth
        self.indents: list[int] = []
        self.contents: list[int] = []
        """Of each open list: where its bullets stand, and where the text behind the last one of them does."""
        self.in_text = False
        """Whether a paragraph or an item ends with the line before."""

    def scan(self) -> Iterator[SourceBlock]:
        if self.lines and self.depth == 0:
            yield from self._front_matter()
        while self.at < len(self.lines):
            line = self.lines[self.at][1]
            if (self.in_text or not line[:1].isspace()) and (item := plain_item(line)):
                yield self._item(*item)
                continue
            first = line.lstrip()[:1]
            in_text, self.in_text = self.in_text, False
            if not first:
                self.at += 1
            elif not in_text and (margin := self._code_margin(line)):
                yield self._indented(margin)
            elif first in FENCES and (fence := fence_of(line)):
                yield self._code(*fence)
            elif first == "#" and (heading := HEADING.match(line)):
                yield self._single(BlockType.HEADING, heading[1] + " ", title_of(line[heading.end() :]))
            elif first in RULES and RULE.match(line):
                yield self._single(BlockType.RULE, "---", "")
            elif first == ">" and QUOTE.match(line) and self.depth < _DEEPEST_QUOTE:
                yield from self._quote()
            elif self._begins_table():
                yield from self._table()
            elif item := item_of(line):
                yield self._item(*item)
            else:
                yield self._paragraph()

    def _front_matter(self) -> Iterator[SourceBlock]:
        head = [line.rstrip() for _, line in self.lines[:_LONGEST_FRONT_MATTER]]
        if head[0] == "---" and "---" in head[2:] and ":" in head[1]:
            end = head.index("---", 2)
            yield _joined(BlockType.CODE, "---", self.lines[1:end], "\n")
            self.at = end + 1

    def _close_lists(self) -> None:
        self.indents.clear()
        self.contents.clear()

    def _single(self, type_: BlockType, prefix: str, text: str) -> SourceBlock:
        number = self.lines[self.at][0]
        self.at += 1
        self._close_lists()
        return SourceBlock(type_, prefix, text, ((0, number),))

    def _code(self, indent: int, fence: str, info: str) -> SourceBlock:
        first, inner = self.lines[self.at][0], []
        close = re.compile(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        self.at += 1
        while self.at < len(self.lines) and not close.match(self.lines[self.at][1]):
            number, line = self.lines[self.at]
            inner.append((number, line[min(indent, len(line) - len(line.lstrip())) :].rstrip()))
            self.at += 1
        self.at += 1
        return _joined(BlockType.CODE, "```" + info.strip(), inner or [(first, "")], "\n")

    def _code_margin(self, line: str) -> int:
        """The columns that a line of indented code has before its text; 0 for any other line."""
        if not line[0].isspace():
            return 0
        indent = indent_of(line)
        margin = next((column for column in reversed(self.contents) if column <= indent), 0) + _CODE_INDENT
        return margin if indent >= margin else 0

    def _indented(self, margin: int) -> SourceBlock:
        inner: list[Line] = []
        while self.at < len(self.lines):
            number, line = self.lines[self.at]
            if line.strip() and indent_of(line) < margin:
                break
            inner.append((number, without_margin(line, margin)))
            self.at += 1
        while not inner[-1][1].strip():
            inner.pop()
        return _joined(BlockType.CODE, "```", inner, "\n")

    def _quote(self) -> Iterator[SourceBlock]:
        inner = []
        while self.at < len(self.lines) and (mark := QUOTE.match(self.lines[self.at][1])):
            number, line = self.lines[self.at]
            inner.append((number, line[mark.end() :]))
            self.at += 1
        for block in _Scanner(inner, self.depth + 1).scan():
            yield replace(block, prefix="> " + block.prefix)

    def _begins_table(self) -> bool:
        line = self.lines[self.at][1]
        if "|" not in line:
            return False
        if line.lstrip().startswith("|"):
            return True
        following = self.lines[self.at + 1][1] if self.at + 1 < len(self.lines) else ""
        return is_delimiter_row(following)

    def _table(self) -> Iterator[SourceBlock]:
        while self.at < len(self.lines) and "|" in self.lines[self.at][1]:
            number, line = self.lines[self.at]
            self.at += 1
            if not is_delimiter_row(line):
                cells = _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))
                yield SourceBlock(BlockType.ROW, "| ", " | ".join(map(squeeze, cells)), ((0, number),))

    def _item(self, indent: int, sign: str, text: str) -> SourceBlock:
        while self.indents and self.indents[-1] >= indent:
            self.indents.pop()
        prefix = "  " * len(self.indents) + sign + " "
        del self.contents[len(self.indents) :]
        self.indents.append(indent)
        self.contents.append(indent + len(sign) + 1)
        self.in_text = True
        number = self.lines[self.at][0]
        self.at += 1
        if more := self._more_lines(in_list=True):
            return _joined(BlockType.ITEM, prefix, [(number, text), *more], " ")
        return SourceBlock(BlockType.ITEM, prefix, text, ((0, number),))

    def _paragraph(self) -> SourceBlock:
        number, line = self.lines[self.at]
        self.at += 1
        if not line[0].isspace():
            self._close_lists()
        self.in_text = True
        prefix = "  " * len(self.indents)
        lines = [(number, line), *self._more_lines(in_list=bool(self.indents))]
        under = UNDERLINE.match(self.lines[self.at][1]) if self.at < len(self.lines) else None
        if under and not self.indents and not LABEL.match(line):
            self.at += 1
            return _joined(BlockType.HEADING, "# " if under[1][0] == "=" else "## ", lines, " ")
        return _joined(BlockType.PARAGRAPH, prefix, lines, " ")

    def _more_lines(self, *, in_list: bool) -> Sequence[Line]:
        """The lines that go on with a paragraph or an item."""
        start = self.at
        while self.at < len(self.lines):
            if interrupts(self.lines[self.at][1], in_list) or self._begins_table():
                break
            self.at += 1
        return self.lines[start : self.at]


def _joined(type_: BlockType, prefix: str, lines: Sequence[Line], glue: str) -> SourceBlock:
    """Lines as one block; wrapped lines that meet at Han or kana are joined without a space."""
    if len(lines) == 1:
        number, line = lines[0]
        return SourceBlock(type_, prefix, line.rstrip() if glue == "\n" else squeeze(line), ((0, number),))
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length, last = 0, ""
    for number, line in lines:
        part = line.rstrip() if glue == "\n" else squeeze(line)
        tight = glue == " " and (not last or not part or (is_wide(last) and is_wide(part[0])))
        between = "" if not starts or tight else glue
        starts.append((length + len(between), number))
        parts += [between, part]
        length += len(between) + len(part)
        last = part[-1:] or last
    return SourceBlock(type_, prefix, "".join(parts), tuple(starts))
