"""Where in INDEX.md each heading, topic and field stands, in offsets of the decoded text.

`index` makes values of this, `index_edit` splices it. What is no topic (prose bullets, tables, code, comments, quotes)
is not looked at, so nothing of it can change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memsite.memory.lines import Kind, Line, decode_text, split_lines
from memsite.memory.names import plain_form
from memsite.values import dataclass, field

FIELD_ORDER = ("dates", "aliases", "description", "consolidations", "current", "status")
"""The fields of an entry, in the order in which the seed and FORMATS write them."""

BULLETS = frozenset("-*+")
BOLD = re.compile(r"(?:\*\*(?P<stars>[^*\r\n]+)\*\*|__(?P<lines>[^\r\n]+?)__)(?P<colon>\s*[:：])?")
_INLINE_DATES = re.compile(r"\s*\[(?P<dates>[^\[\]]*)\](?![\[(])")
_FIELD = re.compile(rf"(?:\*\*|__)?(?P<name>{'|'.join(FIELD_ORDER)})(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*", re.IGNORECASE)
_BRACKETS = re.compile(r"\[(?P<inner>[^\[\]]*)\](?![\[(])")
_SEPARATOR = re.compile(r"[,，、]")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_NEARLY_DATE = re.compile(r"[0-9]{4} ?[-/.年] ?[0-9]|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the decoded text, and what it says."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class Item:
    """One bullet with what is nested below it."""

    line: int
    last_line: int
    """Its last line that is not blank."""
    prefix: str
    """Indentation and bullet, as written."""
    head: Span
    """Its first paragraph."""
    head_last_line: int
    children: list[Item] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FieldSpan:
    """One `Name: value` bullet of an entry."""

    name: str
    """In lower case."""
    item: Item
    value: Span
    """Without comments and white space around it."""


@dataclass(frozen=True, slots=True)
class EntrySpan:
    """One topic: a bold bullet with a list of dates."""

    name: str
    """As written; perhaps no slug."""
    item: Item
    inline: bool
    dates: Span
    """What is between the brackets, or the value without brackets."""
    bracketed: bool
    fields: tuple[FieldSpan, ...]

    def field(self, name: str) -> FieldSpan | None:
        """The first field of that name."""
        return next((part for part in self.fields if part.name == name), None)


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading of the first or second level; under none, the title is empty."""

    title: str
    level: int
    first_line: int
    """Its heading's first line."""
    last_line: int
    """Its last line that is not blank, the heading included."""
    entries: tuple[EntrySpan, ...]


@dataclass(frozen=True, slots=True)
class IndexSpans:
    """INDEX.md, taken apart."""

    text: str
    lines: list[Line]
    sections: tuple[Section, ...]
    items: tuple[Item, ...]
    """The outermost bullets."""


def find_spans(data: bytes) -> IndexSpans:
    """Find every topic. Never fails: what is not understood is prose."""
    text, lines = decode_text(data), split_lines(data)
    roots = _find_items(text, lines)
    entries = sorted(_find_entries(roots), key=lambda entry: entry.item.line)
    return IndexSpans(text, lines, tuple(_find_sections(text, lines, entries)), tuple(roots))


def readable(text: str) -> str:
    """Text as it is shown: white space collapsed, bytes that are no UTF-8 replaced."""
    return " ".join(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").split())


def split_parts(text: str) -> list[str]:
    """The parts of a list, separated by commas of any width; empty ones left out."""
    return [part.strip() for part in _SEPARATOR.split(text) if part.strip()]


def _find_items(text: str, lines: list[Line]) -> list[Item]:
    """The outermost items, each with its children; numbered and quoted ones hold children too."""
    items: dict[int, Item] = {}
    parents: dict[int, int] = {}
    roots: list[Item] = []
    for line in lines:
        if line.opens:
            items[line.number] = item = _read_item(text, lines, line)
            parents[line.number] = line.parent
            (items[line.parent].children if line.parent else roots).append(item)
        elif line.item and line.kind is not Kind.BLANK:
            items[line.item].last_line = line.number
    for number in reversed(items):
        if around := items.get(parents[number]):
            around.last_line = max(around.last_line, items[number].last_line)
    return roots


def _read_item(text: str, lines: list[Line], line: Line) -> Item:
    last, start = line, line.start + line.content
    if line.kind is not Kind.TEXT:
        start = line.end
    else:
        while last.number < len(lines) and _goes_on(lines[last.number], line):
            last = lines[last.number]
    return Item(line.number, last.number, line.text[: line.content], _span(text, start, last.end), last.number)


def _goes_on(line: Line, first: Line) -> bool:
    return line.kind is Kind.TEXT and line.block == first.block


def _span(text: str, start: int, end: int) -> Span:
    return Span(start, end, text[start:end])


def _find_entries(items: list[Item]) -> Iterator[EntrySpan]:
    """Topics at any depth; nothing below a topic is one."""
    for item in items:
        bold = BOLD.match(item.head.text) if item.prefix.strip() in BULLETS else None
        entry = _read_entry(item, bold) if bold else None
        if entry:
            yield entry
        else:
            yield from _find_entries(item.children)


def _read_entry(item: Item, bold: re.Match[str]) -> EntrySpan | None:
    name = bold["stars"] or bold["lines"]
    fields = tuple(part for child in item.children if (part := read_field(child)))
    colon = bold["colon"] or name.endswith((":", "："))
    name = name.rstrip(":： ")
    inline = _INLINE_DATES.match(item.head.text, bold.end()) if colon else None
    if inline and _lists_dates(inline["dates"]):
        start = item.head.start + inline.start("dates")
        return EntrySpan(name, item, True, Span(start, start + len(inline["dates"]), inline["dates"]), True, fields)
    listed = next((part for part in fields if part.name == "dates"), None)
    found = read_dates(listed) if listed else None
    return EntrySpan(name, item, False, found[0], found[1], fields) if found else None


def _lists_dates(text: str) -> bool:
    """Whether brackets behind a bold name hold dates, right or wrong, rather than words."""
    return not text.strip() or any(is_nearly_date(part) for part in split_parts(text))


def is_nearly_date(text: str) -> bool:
    """Whether a text begins like a date, however it is written: `2025-3-19`, `19.03.2025`, `2025年3月19日`."""
    return _NEARLY_DATE.match(plain_form(text)) is not None


def read_dates(part: FieldSpan) -> tuple[Span, bool] | None:
    """The list of a `Dates:` field, and whether it has brackets; None where it is prose."""
    if brackets := _BRACKETS.match(part.value.text):
        start = part.value.start + brackets.start("inner")
        return Span(start, start + len(brackets["inner"]), brackets["inner"]), True
    if part.value.text:
        bare = all(_DATE.fullmatch(date) for date in split_parts(part.value.text))
        return (part.value, False) if bare else None
    return None if part.item.children else (part.value, False)


def read_field(item: Item) -> FieldSpan | None:
    """A bullet as a field of the topic above it; None for any other."""
    match = _FIELD.match(item.head.text) if item.prefix.strip() in BULLETS else None
    if not match:
        return None
    rest = item.head.text[match.end() :]
    value = rest.split("<!--", 1)[0].rstrip() if "-->" in rest.partition("<!--")[2] else rest.rstrip()
    start = item.head.start + match.end()
    return FieldSpan(match["name"].lower(), item, Span(start, start + len(value), value))


def _find_sections(text: str, lines: list[Line], entries: list[EntrySpan]) -> Iterator[Section]:
    headings = [line for line in lines if 0 < line.level < 3 and not line.item and _stands_alone(line)]
    starts = [0, *(line.block for line in headings), len(lines) + 1]
    rest = iter([*entries, None])
    entry = next(rest)
    for index, first in enumerate(starts[:-1]):
        line = headings[index - 1] if index else None
        last = max(_last_filled(lines, first, starts[index + 1] - 1), line.number if line else 0)
        held: list[EntrySpan] = []
        while entry and entry.item.line < starts[index + 1]:
            held.append(entry)
            entry = next(rest)
        if line:
            yield Section(_title(text, lines, line), line.level, first, last, tuple(held))
        else:
            yield Section("", 1, 0, last, tuple(held))


def _stands_alone(line: Line) -> bool:
    return not line.text[: line.content].strip()


def _last_filled(lines: list[Line], first: int, last: int) -> int:
    while last > first and lines[last - 1].kind is Kind.BLANK:
        last -= 1
    return last


def _title(text: str, lines: list[Line], line: Line) -> str:
    if line.block < line.number:
        words = text[lines[line.block - 1].start : lines[line.number - 2].end]
    else:
        words = _without_closing_marks(line.text[line.content + line.level :])
    words = readable(_without_comments(words))
    return words[2:-2] if len(words) > 4 and words[:2] == words[-2:] == "**" else words


def _without_closing_marks(text: str) -> str:
    """`Projects ##` is the heading `Projects`; `C#` is `C#`."""
    bare = text.rstrip(" \t").rstrip("#")
    return bare if not bare or bare[-1] in " \t" else text


def _without_comments(text: str) -> str:
    head, *parts = text.split("<!--")
    return head + "".join(part.partition("-->")[2] if "-->" in part else "<!--" + part for part in parts)
