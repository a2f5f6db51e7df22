"""What a line of Markdown is, looked at alone."""

from __future__ import annotations

import re

from memsite.prose.remembered import remembered

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})([^`]*)$|(\s*)(~{3,})(.*)$")
HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
UNDERLINE = re.compile(r" {0,3}(=+|-+)\s*$")
RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_ITEM = re.compile(r"(\s*)([-*+]|\d{1,9}[.)])(?:\s+(.*)|$)")
QUOTE = re.compile(r" {0,3}> ?")
_TABLE_LINE = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
LABEL = re.compile(r"\s*(?:\*\*[^*]{1,80}\*\*\s*[:：]|\*\*[^*]{1,80}[:：]\*\*|<!--)")
FENCES, RULES, _OPENERS = "`~", "-*_", "`~#>*<-_="
"""The first signs of a line that can be a fence; a rule; anything of these, a heading, a quotation, a label, an
underline. Every line is looked at, and most begin with none."""


@remembered
def interrupts(line: str, in_list: bool) -> bool:
    """Whether a line ends the paragraph or the item above it, whatever comes next: the head of a table may, too."""
    first = line.lstrip()[:1]
    if not first or (first in _OPENERS and _opens(line, in_list=in_list)):
        return True
    # In running text only `1.` begins a list: a wrapped line may well begin with `2025. `.
    item = item_of(line)
    return item is not None and (in_list or item[1] in {"-", "*", "+", "1.", "1)"})


def _opens(line: str, *, in_list: bool) -> bool:
    """Whether a line whose first sign may begin another block does."""
    if fence_of(line) or HEADING.match(line) or QUOTE.match(line) or LABEL.match(line) or RULE.match(line):
        return True
    return not in_list and UNDERLINE.match(line) is not None


@remembered
def item_of(line: str) -> tuple[int, str, str] | None:
    """Of a line that begins an item of a list: the columns before its bullet or number, that, and its text."""
    item = _ITEM.match(line)
    return (indent_of(item[1]), item[2], squeeze(item[3] or "")) if item else None


@remembered
def plain_item(line: str) -> tuple[int, str, str] | None:
    """The same of a line that can be nothing else, but indented code where it is indented."""
    is_rule = line.lstrip()[:1] in RULES and RULE.match(line) is not None
    return None if "|" in line or is_rule else item_of(line)


def indent_of(line: str) -> int:
    """The columns before its text."""
    margin = line[: len(line) - len(line.lstrip())]
    return len(margin.expandtabs(4))


def without_margin(line: str, margin: int) -> str:
    """A line of indented code without the columns that make it one; of a tab that goes beyond them, spaces stay."""
    column = 0
    for at, sign in enumerate(line):
        if column >= margin or not sign.isspace():
            return " " * (column - margin) + line[at:]
        column += 4 - column % 4 if sign == "\t" else 1
    return ""


def fence_of(line: str) -> tuple[int, str, str] | None:
    """Of a line that begins or ends fenced code: the characters before the fence, the fence, and what stands behind."""
    match = _FENCE.match(line)
    if not match:
        return None
    indent, fence, info = match.group(1, 2, 3) if match[2] else match.group(4, 5, 6)
    return len(indent), fence, info


def is_delimiter_row(line: str) -> bool:
    """Whether it is the row of dashes below a table's head."""
    return "|" in line and _TABLE_LINE.match(line.strip()) is not None


def title_of(text: str) -> str:
    """The text of a heading without the closing `##`, which count only behind white space."""
    title = squeeze(text)
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare.endswith(" ") else title


def squeeze(text: str) -> str:
    """The text without white space at its ends, single spaces inside."""
    return " ".join(text.split())
