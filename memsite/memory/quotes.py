"""Whose words a line says: a quotation is somebody else's, a callout looks like one and is the author's own.

A callout is a quotation that begins with `[!warning] Title`, as Obsidian and GitHub have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsite.memory.lines import Kind, Line
from memsite.patterns import late
from memsite.values import replace

CALLOUT_HEAD = late(r"\[!([A-Za-z][A-Za-z0-9_-]{0,39})(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+([^\n]*))?(?:\n|\Z)")
"""What a quotation begins with that is a callout: its kind, whether it folds, its title."""
QUOTING_KINDS = ("quote", "cite")
"""Kinds of callouts that say themselves that they quote."""


def own_lines(lines: Sequence[Line]) -> list[Line]:
    """Lines of a file without those of quotations; those of callouts without `>` and `[!kind]`.

    They are what `split_lines` finds, all of them. A line of a callout begins (`text`, `start`) behind its marks; the
    title is a block of its own, and is left out where there is none.
    """
    if not any(line.quotes for line in lines):
        return list(lines)
    heads = _callout_heads(lines)
    callouts = {opened for opened, _ in heads.values()}
    own = (line for line in lines if callouts.issuperset(_quotations(line)))
    return [line for one in own for line in _said(one, heads)]


def _callout_heads(lines: Sequence[Line]) -> dict[int, tuple[tuple[int, int], int]]:
    """The line of each callout's title -> its quotation, and where in the line the title begins."""
    underlined = {line.block for line in lines if line.level}
    seen: set[tuple[int, int]] = set()
    heads: dict[int, tuple[tuple[int, int], int]] = {}
    for line in lines:
        first = [one for one in _quotations(line) if one not in seen] if line.kind is not Kind.BLANK else []
        seen.update(first)
        if first and line.kind is Kind.TEXT and line.number not in underlined and _is_directly_quoted(line):
            match = CALLOUT_HEAD.match(line.text, line.content)
            if match and match[1].lower() not in QUOTING_KINDS:
                heads[line.number] = first[-1], match.start(3) if match[3] else len(line.text)
    return heads


def _quotations(line: Line) -> Iterator[tuple[int, int]]:
    """Those that a line is in, each by its depth and the line that opens it."""
    return enumerate(line.quotes)


def _is_directly_quoted(line: Line) -> bool:
    return line.text[: line.content].rstrip().endswith(">")


def _said(line: Line, heads: dict[int, tuple[tuple[int, int], int]]) -> Iterator[Line]:
    """A line of a callout without its marks; any other as it is."""
    if line.number in heads:
        start = heads[line.number][1]
        if start < len(line.text):
            yield _from(line, start)
        return
    if not line.quotes:
        yield line
        return
    start = line.text.rfind(">", 0, line.content) + 1
    start += start > 0 and line.text.startswith(" ", start)
    said = _from(line, start)
    yield replace(said, block=line.block + 1) if line.block in heads else said


def _from(line: Line, start: int) -> Line:
    return replace(line, text=line.text[start:], start=line.start + start, content=max(line.content - start, 0))
