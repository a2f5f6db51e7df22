"""Which line of a Markdown file is what: code, comment, heading, list item. No parser, no tree, every byte kept.

`split_lines` walks CommonMark's block structure once, line by line: fences, indented code, HTML blocks, headings,
block quotes and nested list items, as markdown-it sees them (a property test compares the two). It does not look
inside a line. Readers of the memory use it to tell a marker from the same text in a code block; `index` and
`index_edit` to find the spans that they own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from memsite.memory.html_blocks import HtmlBlock, find_html_block

BOM = "\ufeff"
MAX_NESTING = 64
"""Deeper list items and quotes are text: without a bound, one line of markers would cost every line after it."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n)|([^\r\n]+)")
_SPACES = re.compile(r" *")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_HEADING = re.compile(r"(#{1,6})(?: |$)")
_UNDERLINE = re.compile(r"(=+|-+) *$")
_BULLET = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?= |$)")
_FIELD = re.compile(r"[\w.-]+\s*:(?:\s|$)")


class Kind(Enum):
    """What a line is part of."""

    BLANK = "blank"
    TEXT = "text"
    HEADING = "heading"
    CODE = "code"
    COMMENT = "comment"
    HTML = "html"
    RULE = "rule"
    FRONT_MATTER = "front matter"


@dataclass(frozen=True, slots=True)
class Line:
    """One line and its place in the document. `decode_text(data)[start:start + len(text)]` is `text`."""

    number: int
    """1-based."""
    start: int
    """Offset of its first character in the decoded text (`decode_text`)."""
    text: str
    """Without its ending and without the file's byte-order mark; bytes that are no UTF-8 are surrogate escapes."""
    ending: str
    r"""`\n`, `\r\n`, `\r`, or empty at the end of the file."""
    kind: Kind
    block: int
    """The line on which its paragraph, fence, comment … begins; an HTML comment of one line begins on itself."""
    level: int = 0
    """Of a heading: 1 to 6; an underlined heading has it on the underline, and its words from `block` on."""
    item: int = 0
    """The line that opens the innermost list item which it is in; 0: in none."""
    opens: int = 0
    """How many list items begin on it."""
    parent: int = 0
    """Where it opens an item: the line that opens the item around that; 0: none."""
    content: int = 0
    """Index in `text` behind indentation, `>` and bullets."""
    unclosed: bool = False
    """It is in a fence or an HTML block that goes on after it: what is appended here belongs to that block."""

    @property
    def in_code(self) -> bool:
        """In a fenced or indented code block, the fences included (blank lines of indented code are BLANK)."""
        return self.kind is Kind.CODE

    @property
    def in_comment(self) -> bool:
        """In an HTML comment that stands as a block of its own. Comments inside a line of text do not count."""
        return self.kind is Kind.COMMENT

    @property
    def end(self) -> int:
        """Offset behind its last character, before its ending."""
        return self.start + len(self.text)


def decode_text(data: bytes) -> str:
    """The bytes as text that `encode_text` turns back into the same bytes, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def encode_text(text: str) -> bytes:
    """The inverse of `decode_text`."""
    return text.encode("utf-8", "surrogateescape")


def split_lines(data: bytes) -> list[Line]:
    r"""Every line of a file, in order. Lines end at `\n`, `\r\n` and `\r`, never at other Unicode separators.

    A marker counts when `not line.in_code`; one on a line of its own is a comment (`line.in_comment`), and starts
    there (`line.block == line.number`) unless an older comment is still open.
    """
    text = decode_text(data)
    begin = 1 if text.startswith(BOM) else 0
    scanner = _Scanner(_front_matter_end(text, begin))
    lines: list[Line] = []
    for match in _LINE.finditer(text, begin):
        words, ending, last = match.groups()
        lines.append(scanner.scan(len(lines) + 1, match.start(), last or words or "", ending or ""))
    return lines


def _front_matter_end(text: str, begin: int) -> int:
    """The line that closes YAML front matter; 0 without. A rule at the top of a file opens none."""
    for number, match in enumerate(_LINE.finditer(text, begin), start=1):
        words = (match[1] or match[3] or "").rstrip()
        if (number == 1 and words != "---") or (number == 2 and not _FIELD.match(words)):
            return 0
        if number > 2 and words == "---":
            return number
    return 0


@dataclass(slots=True)
class _Container:
    """An open block quote (width 0), or a list item."""

    line: int
    width: int
    """Columns from the parent's content to the item's."""
    empty: bool = False


@dataclass(slots=True)
class _Leaf:
    """The open paragraph, code or HTML block."""

    kind: Kind
    line: int
    fence: str = ""
    html: HtmlBlock | None = None


class _Scanner:
    """CommonMark's open blocks, from line to line."""

    def __init__(self, front_matter_end: int) -> None:
        self.front_matter_end = front_matter_end
        self.stack: list[_Container] = []
        self.leaf: _Leaf | None = None

    def scan(self, number: int, start: int, text: str, ending: str) -> Line:
        if number <= self.front_matter_end:
            return Line(number, start, text, ending, Kind.FRONT_MATTER, 1)
        source = text.expandtabs(4) if "\t" in text else text
        position, matched = self._match(source, number)
        if matched < len(self.stack) and self.leaf and self.leaf.kind is not Kind.TEXT:
            self.leaf = None
        step = _Step(number, source, position, matched)
        if self.leaf is None or not self._continue(step):
            self._open(step)
        return self._line(step, start, text, ending)

    def _line(self, step: _Step, start: int, text: str, ending: str) -> Line:
        outer = self.stack[: len(self.stack) - step.containers] if step.opens else []
        return Line(
            step.number,
            start,
            text,
            ending,
            step.kind,
            step.block or step.number,
            step.level,
            item=_innermost(self.stack),
            opens=step.opens,
            parent=_innermost(outer),
            content=_raw_index(text, step.source, step.position),
            unclosed=self.leaf is not None and (bool(self.leaf.fence) or self.leaf.html is not None),
        )

    def _match(self, source: str, number: int) -> tuple[int, int]:
        """How far the line goes on with the open containers: the column behind them, and how many."""
        position = 0
        for index, container in enumerate(self.stack):
            at = _skip_spaces(source, position)
            blank = at == len(source)
            if container.width == 0:
                if blank or source[at] != ">":
                    return position, index
                position = _after_quote(source, at)
            elif blank:
                if container.empty and number == container.line + 1:
                    return position, index
            elif at - position >= container.width:
                position += container.width
            else:
                return position, index
        return position, len(self.stack)

    def _continue(self, step: _Step) -> bool:
        """Whether the line belongs to the open code or HTML block."""
        leaf, at = self.leaf, step.at
        assert leaf is not None  # noqa: S101 - asked only while a block is open
        if leaf.kind is Kind.TEXT:
            return False
        if leaf.fence:
            step.found(Kind.CODE, leaf.line)
            if at - step.position < 4 and _closes(step.source[at:], leaf.fence):
                self.leaf = None
        elif leaf.html:
            if leaf.html.ends_before(step.source[at:]):
                self.leaf = None
                return False
            step.found(leaf.kind, leaf.line)
            if leaf.html.ends_on(step.source[at:]):
                self.leaf = None
        elif step.blank or at - step.position < 4:
            self.leaf = self.leaf if step.blank else None
            return False
        else:
            step.found(Kind.CODE, leaf.line)
        step.position = at
        return True

    def _open(self, step: _Step) -> None:
        """Open the containers and the block that begin on the line, or go on with the paragraph."""
        paragraph = self.leaf is not None and self.leaf.kind is Kind.TEXT
        while not step.blank and len(self.stack) < MAX_NESTING and self._open_container(step, paragraph):
            paragraph = False
        at, leaf = step.at, self.leaf
        if paragraph and at - step.position >= 4 and self._ends_item(step):
            paragraph, leaf = False, None
        if step.blank:
            del self.stack[step.matched :]
            self.leaf = None if paragraph or step.containers else leaf
            step.found(Kind.BLANK)
        elif at - step.position >= 4 and not paragraph:
            self._begin(step, _Leaf(Kind.CODE, leaf.line if leaf else step.number))
        elif at - step.position >= 4 or not self._open_leaf(step, paragraph):
            if not paragraph:
                self._begin(step, _Leaf(Kind.TEXT, step.number))
            step.found(Kind.TEXT, self.leaf.line if self.leaf else step.number)
        step.position = at

    def _ends_item(self, step: _Step) -> bool:
        """Whether a line that is not indented enough for its list item ends its paragraph (markdown-it's rule)."""
        if step.matched == len(self.stack) or self.stack[step.matched].width == 0:
            return False
        widths = [container.width for container in self.stack[step.matched :] if container.width]
        between = sum(widths[:-1])
        nested = step.at - step.position < 4 + between and _BULLET.match(step.source, step.at)
        return bool(nested) or _interrupts(step.source[step.at :])

    def _open_leaf(self, step: _Step, paragraph: bool) -> bool:
        """A heading, rule, fence or HTML block that begins on the line."""
        rest = step.source[step.at :]
        if match := _HEADING.match(rest):
            self._end(step, Kind.HEADING, level=len(match[1]))
        elif match := _FENCE.match(rest):
            self._begin(step, _Leaf(Kind.CODE, step.number, fence=match[1] or match[2]))
        elif html := find_html_block(rest, in_paragraph=paragraph):
            kind = Kind.COMMENT if html.is_comment else Kind.HTML
            self._begin(step, _Leaf(kind, step.number, html=html))
            if html.ends_on(rest):
                self.leaf = None
        elif self.leaf and paragraph and step.matched == len(self.stack) and (match := _UNDERLINE.match(rest)):
            self._end(step, Kind.HEADING, self.leaf.line, 1 if rest[0] == "=" else 2)
        elif _is_rule(rest):
            self._end(step, Kind.RULE)
        else:
            return False
        return True

    def _open_container(self, step: _Step, paragraph: bool) -> bool:
        """A block quote or a list item that begins at the step's position."""
        at, source = step.at, step.source
        if at - step.position > 3:
            return False
        if source[at] == ">":
            self._push(step, _Container(step.number, 0), _after_quote(source, at))
            return True
        match = _BULLET.match(source, at)
        interrupts = paragraph and step.matched == len(self.stack)
        if not match or _is_rule(source[at:]) or (interrupts and _UNDERLINE.match(source, at)):
            return False
        after = _skip_spaces(source, match.end())
        blank = after == len(source)
        if interrupts and (blank or (match[1] and int(match[1]) != 1)):
            return False
        padding = 1 if blank or after - match.end() > 4 else after - match.end()
        width = match.end() + padding - step.position
        self._push(step, _Container(step.number, width, blank), min(match.end() + padding, len(source)))
        step.opens += 1
        return True

    def _push(self, step: _Step, container: _Container, position: int) -> None:
        del self.stack[step.matched :]
        self.leaf = None
        self.stack.append(container)
        step.matched, step.position = len(self.stack), position
        step.containers += 1

    def _begin(self, step: _Step, leaf: _Leaf) -> None:
        del self.stack[step.matched :]
        self.leaf = leaf
        step.found(leaf.kind, leaf.line)

    def _end(self, step: _Step, kind: Kind, block: int = 0, level: int = 0) -> None:
        del self.stack[step.matched :]
        self.leaf = None
        step.found(kind, block, level)


@dataclass(slots=True)
class _Step:
    """The work on one line: where it stands, and what was found."""

    number: int
    source: str
    """The line with its tabs as columns."""
    position: int
    """Behind the containers found so far."""
    matched: int
    """How many containers hold the line."""
    containers: int = 0
    """How many of them begin on it."""
    opens: int = 0
    kind: Kind = Kind.BLANK
    block: int = 0
    level: int = 0

    @property
    def at(self) -> int:
        """The first character that is no space."""
        return _skip_spaces(self.source, self.position)

    @property
    def blank(self) -> bool:
        return self.at == len(self.source)

    def found(self, kind: Kind, block: int = 0, level: int = 0) -> None:
        self.kind, self.block, self.level = kind, block, level


def _innermost(stack: list[_Container]) -> int:
    return next((container.line for container in reversed(stack) if container.width), 0)


def _skip_spaces(source: str, position: int) -> int:
    match = _SPACES.match(source, position)
    return match.end() if match else position


def _after_quote(source: str, at: int) -> int:
    return at + 2 if source.startswith(" ", at + 1) else at + 1


def _interrupts(rest: str) -> bool:
    """Whether a line begins something other than text, a list item or code."""
    starts = rest.startswith(">") or _is_rule(rest) or _HEADING.match(rest) or _FENCE.match(rest)
    return bool(starts or find_html_block(rest, in_paragraph=True))


def _closes(rest: str, fence: str) -> bool:
    return rest.startswith(fence) and not rest.strip(" ").strip(fence[0])


def _is_rule(rest: str) -> bool:
    return rest[:1] in {"-", "*", "_"} and rest.count(rest[0]) > 2 and not rest.strip(rest[0] + " ")


def _raw_index(text: str, source: str, position: int) -> int:
    """The index in the line as written of a character of the line with its tabs as columns."""
    if text is source:
        return position
    before = len(source[:position].replace(" ", ""))
    for index, char in enumerate(text):
        if char not in " \t":
            if before == 0:
                return index
            before -= 1
    return len(text)
