"""Bullets of INDEX.md that were meant as topics and cannot be read as ones.

Readers of the index pass them by, so they are looked for on purpose: `check` names them, and no edit writes a second
entry beside one of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath

from memsite.memory.index_spans import (
    BOLD,
    BULLETS,
    FIELD_ORDER,
    FieldSpan,
    IndexSpans,
    Item,
    is_nearly_date,
    read_dates,
    read_field,
    readable,
)
from memsite.memory.lines import Kind, Line
from memsite.memory.model import Problem
from memsite.memory.names import is_slug, plain_form, slugify
from memsite.memory.outline import plain_text
from memsite.memory.placeholders import is_placeholder
from memsite.values import dataclass

_PLAIN = re.compile(
    r"(?P<tick>`?)(?P<name>[^\[\]`*_:：\r\n]*[^\[\]`*_:：\s])(?P=tick)\s*(?:(?P<colon>[:：])\s*(?P<rest>.*))?",
    re.DOTALL,
)
_LOOKS_ALIKE = re.compile(
    r"(?P<mark>(?:[-*+•‣◦▪·]|[0-9]{1,9}[.)])?)(?P<gap>[^\S\r\n]*)(?:\*{2,3}|__)(?P<name>[^*\[\]]{1,300}?)(?:\*{2,3}|__)"
    r"(?P<rest>[\s:：]*\[[^\[\]]*\]?)"
)
"""A line that looks like an entry to a reader, whatever it is to a parser."""
_MARKED = re.compile(r"[*_~]{1,5}(?P<name>[^*_~\[\]\r\n:：]*[^*_~\[\]\r\n:：\s])\s*(?P<marks>[*_~]{0,5})\s*[:：]?\s*")
"""A name in marks that are not the bold ones of an entry, or that are not closed."""
_BOX = re.compile(r"\[[ xX]?\]\s+")
_REMARK = re.compile(r"(?:(?<=[0-9日])\s*|(?<=\])\s+)[(（][^()（）]*[)）]")
_WORDS = re.compile(
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?|y{2,4}[-/.]?m{1,2}[-/.]?d{1,2}"
    r"|(?:to|yester)day|tomorrow|now|(?:start|add|insert|the|a|no|first)?dates?|soon|unknown|none|n/a|[0-9]{1,2}(?:st|nd|rd|th)|[0-9]+"
    r"|[0-9]{1,2}月(?:[0-9]{1,2}[日号])?|今天|昨天|明天|日期|未知|星期.|周.",
    re.IGNORECASE,
)
"""What somebody writes in the place of a date who has none at hand, or writes it in words."""
_DATES = re.compile(r"[0-9]{4}[-/.年][0-9][0-9./月日-]*")
_GAPS = re.compile(r"[,，、;；\s]+")
_DATES_LINE = re.compile(r"^\s*(?:[-*+•]\s*)?(?:\*\*)?dates(?:\*\*)?\s*[:：]", re.IGNORECASE | re.MULTILINE)
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_TELLING = frozenset({"consolidations", "current"})
"""Fields that nothing but a topic has."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class HalfEntry:
    """A bullet that was meant as a topic."""

    name: str
    """As written; empty for dates that no name belongs to."""
    problem: Problem
    is_certain: bool = True
    """Whether `check` names it; else it may be prose, and only forbids a second entry of its name."""

    @property
    def slug(self) -> str:
        """The topic that was meant."""
        return slugify(plain_text(readable(self.name)))


def find_halves(spans: IndexSpans, path: PurePosixPath) -> Iterator[HalfEntry]:
    """Every half-written topic; nothing below one that can be read is looked at."""
    entries = [entry.item for part in spans.sections for entry in part.entries]
    yield from _find_in_items(spans.items, {item.line for item in entries}, path)
    inside = {number for item in entries for number in range(item.line, item.last_line + 1)}
    for line in spans.lines:
        if line.kind is Kind.TEXT and line.number not in inside and ("**" in line.text or "__" in line.text):
            yield from _find_in_line(line, path)


def _find_in_items(items: Iterable[Item], entries: Collection[int], path: PurePosixPath) -> Iterator[HalfEntry]:
    for item in items:
        if item.line not in entries:
            found = _read_half(item, path) if item.prefix.strip() in BULLETS else None
            if found:
                yield found
            if not found or not found.is_certain:
                yield from _find_in_items(item.children, entries, path)


def _find_in_line(line: Line, path: PurePosixPath) -> Iterator[HalfEntry]:
    """What looks like an entry and is no bullet to Markdown: another mark, or a space that is none, behind it."""
    prefix = line.text[: line.content].strip()
    match = _LOOKS_ALIKE.match(plain_form(line.text[line.content :]).strip())
    if not match or prefix in BULLETS or ">" in prefix or not _are_meant_as_dates(match["rest"].strip(" :：")):
        return
    odd = bool(match["mark"]) and not match["mark"][0].isdigit()
    hint = f"write '- **{match['name']}**: [2025-03-20]'"
    problem = Problem(
        path, line.number, f"{_shown(match['name'])} is no topic, for no bullet begins its line", hint, odd
    )
    yield HalfEntry(match["name"], problem, is_certain=odd)


def _read_half(item: Item, path: PurePosixPath) -> HalfEntry | None:
    fields = [part for child in item.children if (part := read_field(child))]
    head = plain_form(item.head.text)
    head = _BOX.sub("", head, count=1)
    if bold := BOLD.match(head):
        name = (bold["stars"] or bold["lines"]).rstrip(":： ")
        return _read_bold(name, head[bold.end() :], item, fields, path)
    if marked := _MARKED.match(head):
        return _read_marked(marked["name"], head[marked.end() :], item, path)
    plain = _PLAIN.fullmatch(head)
    return _read_plain(plain, item, fields, path) if plain else None


def _read_marked(name: str, rest: str, item: Item, path: PurePosixPath) -> HalfEntry | None:
    rest = _behind_colon(rest)
    if not is_slug(name) or not rest.startswith("[") or not _stand_for_dates(rest):
        return None
    reason, hint = (
        "its name is not between '**' and '**'",
        f"write '- **{name}**: {rest if rest.endswith(']') else '[2025-03-20]'}'",
    )
    return HalfEntry(name, _problem(path, item, name, reason, hint, warning=True))


def _read_bold(name: str, rest: str, item: Item, fields: list[FieldSpan], path: PurePosixPath) -> HalfEntry | None:
    rest = _behind_colon(rest)
    names = {part.name for part in fields}
    if listed := next((part for part in fields if part.name == "dates"), None):
        return HalfEntry(name, _unreadable(name, listed, path))
    if _DATES_LINE.search(rest):
        reason, hint = "its dates are no bullet of their own", "write '  - Dates: [2025-03-20]' below it"
        return HalfEntry(name, _problem(path, item, name, reason, hint))
    if is_slug(name) and _stand_for_dates(rest):
        hint = f"write '- **{name}**: [2025-03-20]'"
        return HalfEntry(name, _problem(path, item, name, f"{_shown(rest)} is no list of dates", hint, warning=True))
    if is_slug(name) and not rest and _lists_days(item):
        reason, hint = "its dates are bullets of their own", "write them in one line: 'Dates: [2025-03-20, 2025-03-22]'"
        return HalfEntry(name, _problem(path, item, name, reason, hint, warning=True))
    lacking = _problem(path, item, name, "it has no dates", "add '  - Dates: [2025-03-20]' below it", warning=True)
    if names & _TELLING or (names and is_slug(name)):
        return HalfEntry(name, lacking)
    return HalfEntry(name, lacking, is_certain=False) if not rest or _BRACKETED.fullmatch(rest) else None


def _read_plain(plain: re.Match[str], item: Item, fields: list[FieldSpan], path: PurePosixPath) -> HalfEntry | None:
    name, rest = plain["name"], plain["rest"] or ""
    bracketed = rest.startswith("[") and _are_meant_as_dates(rest)
    if name.lower() in FIELD_ORDER:
        message, hint = "these dates belong to no topic", "indent them below its name"
        orphan = Problem(path, item.line, message, hint, warning=True)
        return HalfEntry("", orphan) if name.lower() == "dates" and bracketed else None
    hint, below = "see `memsite migrate`", True
    if any(_lists_days(one) for one in (item, *(part.item for part in fields if part.name == "dates"))):
        hint = f"write '- **{name}**: [2025-03-20]', with its dates in one line"
    elif not any(part.name == "dates" and read_dates(part) for part in fields):
        below = False
    if not below and not bracketed:
        return None
    # A list of days below a month, or behind any word, may be prose.
    is_certain = below and is_slug(name) and not is_nearly_date(name)
    problem = Problem(path, item.line, f"{_shown(name)} is no topic without bold marks", hint, is_certain)
    return HalfEntry(name, problem, is_certain)


def _unreadable(name: str, listed: FieldSpan, path: PurePosixPath) -> Problem:
    if listed.value.text:
        reason, hint = f"{_shown(listed.value.text)} is no list of dates", "write 'Dates: [2025-03-20]'"
    else:
        reason, hint = "its dates are bullets of their own", "write them in one line: 'Dates: [2025-03-20, 2025-03-22]'"
    return _problem(path, listed.item, name, reason, hint)


def _problem(path: PurePosixPath, item: Item, name: str, reason: str, hint: str, *, warning: bool = False) -> Problem:
    return Problem(path, item.line, f"the topic {_shown(name)} is half-written: {reason}", hint, warning)


def _behind_colon(text: str) -> str:
    """What follows a name, without the colon or the dash between them, and without comments."""
    return text.split("<!--", 1)[0].strip(" \t\r\n:：").lstrip("-=> ")


def _lists_days(item: Item) -> bool:
    """Whether the bullets below are days and nothing else."""
    return bool(item.children) and all(_are_meant_as_dates(child.head.text) for child in item.children)


def _stand_for_dates(text: str) -> bool:
    """Dates, or in brackets what somebody writes in their place: `[20 March 2025]`, `[today]`, `[TODO]`."""
    inner = text[1:-1] if _BRACKETED.fullmatch(text) else ""
    parts = _parts(inner)
    told = bool(parts) and all(_DATES.fullmatch(part) or _WORDS.fullmatch(part) for part in parts)
    return told or _are_meant_as_dates(text) or (bool(inner.strip()) and is_placeholder(inner))


def _are_meant_as_dates(text: str) -> bool:
    """Dates, perhaps with remarks, whatever is around them: `[2025-03-20`, `(2025/3/20; 2025/3/22)`."""
    parts = _parts(text)
    return bool(parts) and not text.startswith("[[") and all(map(_DATES.fullmatch, parts))


def _parts(text: str) -> list[str]:
    bare = _REMARK.sub("", plain_form(text)).strip("[](){}（）【】 \t")
    return [part for part in _GAPS.split(bare) if part]


def _shown(text: str) -> str:
    text = readable(text)
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
