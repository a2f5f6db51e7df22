"""Private blocks: what stands between `<!-- private -->` and `<!-- /private -->`, to the end of the file without it.

Inside a fence that is closed, and in a code span, a mark is text: that is how one writes about it. A fence that is left
open does not count, so that a forgotten one publishes nothing. Blocks nest; a mark may say why: `<!-- private: … -->`.
Every comment that begins with the word is a mark (`<!-- private family -->`, `<!-- private` alone in its line): it may
have been meant to hide, and what is hidden by mistake can be shown later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsite.memory.lines import Kind, Line, encode_text, split_lines
from memsite.values import dataclass

_BEFORE = r"<!--[-\s\u200b-\u200f\u2060\ufeff]*(?P<closes>/?)\s*private(?![A-Za-z0-9])"
_MARK = re.compile(
    rf"{_BEFORE}(?:\s*-*->|[ \t]*(?=[\r\n]|\Z)|(?:(?!-->).)*(?:-->|\Z))",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = re.compile(r"<!--\s*private\s*(?::.*)?-->", re.IGNORECASE | re.DOTALL)
"""As the manual has it; any other opening mark may have been meant as a mere remark."""
_QUICK = re.compile(_BEFORE, re.IGNORECASE)
_FENCE = re.compile(r"`{3}|~{3}")
_CODE_SPAN = re.compile(r"(?<![`\\])(`+)(?!`)(.*?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class PrivateBlock:
    """One block, its marks included; offsets and lines of the text that was given."""

    start: int
    end: int
    first_line: int
    """1-based."""
    last_line: int
    closed: bool
    """False for one that is left open."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The private blocks of a text, and the marks in code, which hide nothing."""

    blocks: tuple[PrivateBlock, ...] = ()
    in_code: tuple[int, ...] = ()
    """Lines with an opening mark that is text."""
    unusual: tuple[int, ...] = ()
    """Lines with an opening mark that counts, though it is not written as one is."""


def may_have_marks(data: bytes) -> bool:
    """Whether the bytes of a file are worth a look."""
    data = data.replace(b"\0", b"")
    return b"<!--" in data and b"private" in data.lower()


def read_mark(comment: str) -> str:
    """What a comment does: `open`, `close`, or nothing."""
    match = _MARK.fullmatch(comment)
    return "" if match is None else "close" if match["closes"] else "open"


def find_marks(text: str) -> Marks:
    """The private blocks of a text, in order; a block that fills whole lines takes their ends with it."""
    if not _QUICK.search(text):
        return Marks()
    code = _code(text)
    marks = [(match, any(start <= match.start() < end for start, end in code)) for match in _MARK.finditer(text)]
    in_code = tuple(_line_of(text, match.start()) for match, is_text in marks if is_text and not match["closes"])
    counted = [match for match, is_text in marks if not is_text]
    unusual = (match.start() for match in counted if not (match["closes"] or _PLAIN.fullmatch(match[0])))
    return Marks(tuple(_iter_blocks(text, counted)), in_code, tuple(_line_of(text, start) for start in unusual))


def _iter_blocks(text: str, marks: list[re.Match[str]]) -> Iterator[PrivateBlock]:
    depth, start = 0, 0
    for mark in marks:
        if not mark["closes"]:
            start = start if depth else mark.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield _block(text, start, mark.end(), closed=True)
    if depth:
        yield _block(text, start, len(text), closed=False)


def _block(text: str, start: int, end: int, *, closed: bool) -> PrivateBlock:
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    if not text[line_start:start].strip() and not text[end:line_end].strip():
        start, end = line_start, line_end
    last = max(start, end - 1)
    return PrivateBlock(start, end, _line_of(text, start), _line_of(text, last), closed)


def _line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _code(text: str) -> list[tuple[int, int]]:
    """Where a mark is text: closed fences, and code spans of one line."""
    lines = split_lines(encode_text(text))
    places = [(line.start, line.end) for line in lines if line.kind is Kind.CODE and _is_fenced(lines, line)]
    for line in lines:
        if line.kind is not Kind.CODE and "`" in line.text:
            places += [(line.start + m.start(), line.start + m.end()) for m in _CODE_SPAN.finditer(line.text)]
    return places


def _is_fenced(lines: list[Line], line: Line) -> bool:
    opener = lines[line.block - 1]
    last = next((one for one in reversed(lines) if one.block == line.block), line)
    return bool(_FENCE.match(opener.text, opener.content)) and not last.unclosed
