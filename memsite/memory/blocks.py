"""CommonMark's block structure, line by line: which containers are open, and what each line belongs to.

`lines.split_lines` is the way in. Where markdown-it differs from the specification (a line too little indented for
its list item that begins a block), this follows markdown-it, which renders the site.
"""

from __future__ import annotations

from enum import Enum

from memsite.memory.html_blocks import HtmlBlock, find_html_block
from memsite.patterns import late
from memsite.values import dataclass

MAX_NESTING = 64
"""Deeper list items and quotes are text: without a bound, one line of markers would cost every line after it."""

_FENCE = late(r"(`{3,})[^`]*$|(~{3,})")
_HEADING = late(r"(#{1,6})(?: |$)")
_UNDERLINE = late(r"(=+|-+) *$")
_BULLET = late(r"(?:[-+*]|([0-9]{1,9})[.)])(?= |$)")
_SPACES = late(r" *")
_CONTAINER_STARTS = frozenset(">-+*0123456789")
_LEAF_STARTS = frozenset("#`~<=-*_")


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


class Step:
    """The work on one line: where it stands, and what was found."""

    __slots__ = (
        "at",
        "blank",
        "block",
        "containers",
        "kind",
        "level",
        "matched",
        "number",
        "opens",
        "position",
        "source",
    )

    def __init__(self, number: int, source: str, position: int, matched: int) -> None:
        self.number = number
        self.source = source
        """The line with its tabs as columns."""
        self.matched = matched
        """How many containers hold it."""
        self.containers = 0
        """How many of them begin on it."""
        self.opens = 0
        """How many of those are list items."""
        self.kind, self.block, self.level = Kind.BLANK, number, 0
        self.move(position)

    def move(self, position: int) -> None:
        """Go on behind a container."""
        self.position = position
        self.at = _skip_spaces(self.source, position)
        """The first character that is no space."""
        self.blank = self.at == len(self.source)
        """Whether nothing is left of the line."""

    @property
    def indent(self) -> int:
        """Columns between the containers and the first character."""
        return self.at - self.position

    def found(self, kind: Kind, block: int = 0, level: int = 0) -> None:
        """Settle what the line is, and on which line its block begins (0: on this one)."""
        self.kind, self.block, self.level = kind, block or self.number, level


class BlockScanner:
    """The open blocks, from line to line."""

    def __init__(self) -> None:
        self.stack: list[_Container] = []
        self.leaf: _Leaf | None = None

    def scan(self, number: int, text: str) -> Step:
        """Take the next line, without its ending."""
        source = text.expandtabs(4) if "\t" in text else text
        step = self._match(number, source)
        if step.matched < len(self.stack) and self.leaf and self.leaf.kind is not Kind.TEXT:
            self.leaf = None
        if self.leaf is None or self.leaf.kind is Kind.TEXT or not self._continue(step, self.leaf):
            self._open(step)
        return step

    @property
    def swallows(self) -> bool:
        """Whether a fence or raw HTML is open: a line added here would be part of it."""
        return self.leaf is not None and (bool(self.leaf.fence) or self.leaf.html is not None)

    def item(self, without: int = 0) -> int:
        """The line that opened the innermost list item, leaving out the last containers; 0: none."""
        for index in range(len(self.stack) - without - 1, -1, -1):
            if self.stack[index].width:
                return self.stack[index].line
        return 0

    def quotes(self) -> tuple[int, ...]:
        """The lines that opened the open quotes, the outermost first."""
        return tuple([one.line for one in self.stack if not one.width]) if self.stack else ()

    def _match(self, number: int, source: str) -> Step:
        """How far the line goes on with the open containers."""
        position = 0
        for index, container in enumerate(self.stack):
            at = _skip_spaces(source, position)
            blank = at == len(source)
            if container.width == 0:
                if blank or source[at] != ">":
                    return Step(number, source, position, index)
                position = _after_quote(source, at)
            elif blank:
                if container.empty and number == container.line + 1:
                    return Step(number, source, position, index)
            elif at - position >= container.width:
                position += container.width
            else:
                return Step(number, source, position, index)
        return Step(number, source, position, len(self.stack))

    def _continue(self, step: Step, leaf: _Leaf) -> bool:
        """Whether the line belongs to the open code or HTML block."""
        rest = step.source[step.at :]
        if leaf.fence:
            over = step.indent < 4 and _closes(rest, leaf.fence)
        elif leaf.html:
            if leaf.html.ends_before(rest):
                self.leaf = None
                return False
            over = leaf.html.ends_on(rest)
        elif step.blank or step.indent < 4:
            self.leaf = leaf if step.blank else None
            return False
        else:
            over = False
        step.found(leaf.kind, leaf.line)
        self.leaf = None if over else leaf
        return True

    def _open(self, step: Step) -> None:
        """Open the containers and the block that begin on the line, or go on with the paragraph."""
        paragraph = self.leaf is not None and self.leaf.kind is Kind.TEXT
        while not step.blank and len(self.stack) < MAX_NESTING and self._open_container(step, paragraph):
            paragraph = False
        if paragraph and not step.blank and step.indent >= 4 and self._ends_item(step):
            self.leaf, paragraph = None, False
        if step.blank:
            del self.stack[step.matched :]
            self.leaf = None if paragraph else self.leaf
        elif step.indent >= 4 and not paragraph:
            self._begin(step, _Leaf(Kind.CODE, self.leaf.line if self.leaf else step.number))
        elif step.indent >= 4 or not self._open_leaf(step, paragraph):
            self._add_text(step, paragraph)

    def _add_text(self, step: Step, paragraph: bool) -> None:
        if paragraph and self.leaf:
            step.found(Kind.TEXT, self.leaf.line)
        else:
            self._begin(step, _Leaf(Kind.TEXT, step.number))

    def _ends_item(self, step: Step) -> bool:
        """Whether a line that is not indented enough for its list item ends its paragraph (markdown-it's rule)."""
        if step.matched == len(self.stack) or self.stack[step.matched].width == 0:
            return False
        widths = [container.width for container in self.stack[step.matched :] if container.width]
        nested = step.indent < 4 + sum(widths[:-1]) and _BULLET.match(step.source, step.at)
        return bool(nested) or _interrupts(step.source[step.at :])

    def _open_leaf(self, step: Step, paragraph: bool) -> bool:
        """A heading, rule, fence or HTML block that begins on the line."""
        if step.source[step.at] not in _LEAF_STARTS:
            return False
        rest = step.source[step.at :]
        if match := _HEADING.match(rest):
            self._end(step, Kind.HEADING, level=len(match[1]))
        elif match := _FENCE.match(rest):
            self._begin(step, _Leaf(Kind.CODE, step.number, fence=match[1] or match[2]))
        elif html := find_html_block(rest, in_paragraph=paragraph):
            self._begin(step, _Leaf(Kind.COMMENT if html.is_comment else Kind.HTML, step.number, html=html))
            self.leaf = None if html.ends_on(rest) else self.leaf
        elif self.leaf and paragraph and step.matched == len(self.stack) and _UNDERLINE.match(rest):
            self._end(step, Kind.HEADING, self.leaf.line, 1 if rest[0] == "=" else 2)
        elif _is_rule(rest):
            self._end(step, Kind.RULE)
        else:
            return False
        return True

    def _open_container(self, step: Step, paragraph: bool) -> bool:
        """A block quote or a list item that begins where the step stands."""
        at, source = step.at, step.source
        if source[at] not in _CONTAINER_STARTS or step.indent > 3:
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
        content = match.end() + 1 if blank or after - match.end() > 4 else after
        self._push(step, _Container(step.number, content - step.position, blank), min(content, len(source)))
        step.opens += 1
        return True

    def _push(self, step: Step, container: _Container, position: int) -> None:
        del self.stack[step.matched :]
        self.leaf = None
        self.stack.append(container)
        step.matched = len(self.stack)
        step.containers += 1
        step.move(position)

    def _begin(self, step: Step, leaf: _Leaf) -> None:
        del self.stack[step.matched :]
        self.leaf = leaf
        step.found(leaf.kind, leaf.line)

    def _end(self, step: Step, kind: Kind, block: int = 0, level: int = 0) -> None:
        del self.stack[step.matched :]
        self.leaf = None
        step.found(kind, block, level)


def _skip_spaces(source: str, position: int) -> int:
    if position < len(source) and source[position] != " ":
        return position
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
