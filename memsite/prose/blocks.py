"""Markdown as a row of blocks, made comparable: line ends, wrapping, padding and list bullets do not matter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache

from memsite.prose.tokens import is_wide, without_loose_spaces
from memsite.values import dataclass, field, replace

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})([^`]*)$|(\s*)(~{3,})(.*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])(?:\s+(.*)|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_TABLE_LINE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_CELL_END = re.compile(r"(?<!\\)\|")
_LABEL = re.compile(r"\s*(?:\*\*[^*]{1,80}\*\*\s*[:：]|\*\*[^*]{1,80}[:：]\*\*|<!--)")
_FENCES, _RULES, _OPENERS = "`~", "-*_", "`~#>*<-_="
"""The first signs of a line that can be a fence; a rule; anything of these, a heading, a quotation, a label, an
underline. Every line is looked at, and most begin with none."""
_DEEPEST_QUOTE = 8
_CODE_INDENT = 4
_LONGEST_FRONT_MATTER = 400
_REMEMBERED = 4096
"""Lines of which it is remembered what they are: versions of a file have most of them in common."""


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
        text = self.text if self.type is BlockType.CODE else _comparable(self.text)
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
            if (self.in_text or not line[:1].isspace()) and (item := _plain_item(line)):
                yield self._item(*item)
                continue
            first = line.lstrip()[:1]
            in_text, self.in_text = self.in_text, False
            if not first:
                self.at += 1
            elif not in_text and (margin := self._code_margin(line)):
                yield self._indented(margin)
            elif first in _FENCES and (fence := _fence_of(line)):
                yield self._code(*fence)
            elif first == "#" and (heading := _HEADING.match(line)):
                yield self._single(BlockType.HEADING, heading[1] + " ", _title(line[heading.end() :]))
            elif first in _RULES and _RULE.match(line):
                yield self._single(BlockType.RULE, "---", "")
            elif first == ">" and _QUOTE.match(line) and self.depth < _DEEPEST_QUOTE:
                yield from self._quote()
            elif self._begins_table():
                yield from self._table()
            elif item := _item_of(line):
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
        indent = _indent(line)
        margin = next((column for column in reversed(self.contents) if column <= indent), 0) + _CODE_INDENT
        return margin if indent >= margin else 0

    def _indented(self, margin: int) -> SourceBlock:
        inner: list[Line] = []
        while self.at < len(self.lines):
            number, line = self.lines[self.at]
            if line.strip() and _indent(line) < margin:
                break
            inner.append((number, _without_margin(line, margin)))
            self.at += 1
        while not inner[-1][1].strip():
            inner.pop()
        return _joined(BlockType.CODE, "```", inner, "\n")

    def _quote(self) -> Iterator[SourceBlock]:
        inner = []
        while self.at < len(self.lines) and (mark := _QUOTE.match(self.lines[self.at][1])):
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
        return _is_delimiter_row(following)

    def _table(self) -> Iterator[SourceBlock]:
        while self.at < len(self.lines) and "|" in self.lines[self.at][1]:
            number, line = self.lines[self.at]
            self.at += 1
            if not _is_delimiter_row(line):
                cells = _CELL_END.split(line.strip().removeprefix("|").removesuffix("|"))
                yield SourceBlock(BlockType.ROW, "| ", " | ".join(map(_squeeze, cells)), ((0, number),))

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
        under = _UNDERLINE.match(self.lines[self.at][1]) if self.at < len(self.lines) else None
        if under and not self.indents and not _LABEL.match(line):
            self.at += 1
            return _joined(BlockType.HEADING, "# " if under[1][0] == "=" else "## ", lines, " ")
        return _joined(BlockType.PARAGRAPH, prefix, lines, " ")

    def _more_lines(self, *, in_list: bool) -> Sequence[Line]:
        """The lines that go on with a paragraph or an item."""
        start = self.at
        while self.at < len(self.lines):
            if _interrupts(self.lines[self.at][1], in_list) or self._begins_table():
                break
            self.at += 1
        return self.lines[start : self.at]


@lru_cache(maxsize=_REMEMBERED)
def _interrupts(line: str, in_list: bool) -> bool:
    """Whether a line ends the paragraph or the item above it; that of a table's head, which depends on the next, not."""
    first = line.lstrip()[:1]
    if not first or (first in _OPENERS and _opens(line, in_list=in_list)):
        return True
    # In running text only `1.` begins a list: a wrapped line may well begin with `2025. `.
    item = _item_of(line)
    return item is not None and (in_list or item[1] in {"-", "*", "+", "1.", "1)"})


def _opens(line: str, *, in_list: bool) -> bool:
    """Whether a line whose first sign may begin another block does."""
    if _fence_of(line) or _HEADING.match(line) or _QUOTE.match(line) or _LABEL.match(line) or _RULE.match(line):
        return True
    return not in_list and _UNDERLINE.match(line) is not None


@lru_cache(maxsize=_REMEMBERED)
def _item_of(line: str) -> tuple[int, str, str] | None:
    """Of a line that begins an item of a list: the columns before its bullet or number, that, and its text."""
    item = _ITEM.match(line)
    return (_indent(item[1]), item[2], _squeeze(item[3] or "")) if item else None


@lru_cache(maxsize=_REMEMBERED)
def _plain_item(line: str) -> tuple[int, str, str] | None:
    """The same of a line that can be nothing else, but indented code where it is indented."""
    is_rule = line.lstrip()[:1] in _RULES and _RULE.match(line) is not None
    return None if "|" in line or is_rule else _item_of(line)


def _indent(line: str) -> int:
    """The columns before its text."""
    margin = line[: len(line) - len(line.lstrip())]
    return len(margin.expandtabs(4))


def _without_margin(line: str, margin: int) -> str:
    """A line of indented code without the columns that make it one; of a tab that goes beyond them, spaces stay."""
    column = 0
    for at, sign in enumerate(line):
        if column >= margin or not sign.isspace():
            return " " * (column - margin) + line[at:]
        column += 4 - column % 4 if sign == "\t" else 1
    return ""


def _fence_of(line: str) -> tuple[int, str, str] | None:
    match = _FENCE.match(line)
    if not match:
        return None
    indent, fence, info = match.group(1, 2, 3) if match[2] else match.group(4, 5, 6)
    return len(indent), fence, info


def _is_delimiter_row(line: str) -> bool:
    return "|" in line and _TABLE_LINE.match(line.strip()) is not None


def _title(text: str) -> str:
    """The text of a heading without the closing `##`, which count only behind white space."""
    title = _squeeze(text)
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare.endswith(" ") else title


@lru_cache(maxsize=_REMEMBERED)
def _comparable(text: str) -> str:
    return without_loose_spaces(text)


def _squeeze(text: str) -> str:
    return " ".join(text.split())


def _joined(type_: BlockType, prefix: str, lines: Sequence[Line], glue: str) -> SourceBlock:
    """Lines as one block; wrapped lines that meet at Han or kana are joined without a space."""
    if len(lines) == 1:
        number, line = lines[0]
        return SourceBlock(type_, prefix, line.rstrip() if glue == "\n" else _squeeze(line), ((0, number),))
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length, last = 0, ""
    for number, line in lines:
        part = line.rstrip() if glue == "\n" else _squeeze(line)
        tight = glue == " " and (not last or not part or (is_wide(last) and is_wide(part[0])))
        between = "" if not starts or tight else glue
        starts.append((length + len(between), number))
        parts += [between, part]
        length += len(between) + len(part)
        last = part[-1:] or last
    return SourceBlock(type_, prefix, "".join(parts), tuple(starts))
