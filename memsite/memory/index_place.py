"""Where a new topic goes in INDEX.md, and in which dialect."""

from __future__ import annotations

from memsite.errors import FormatError
from memsite.memory.index_fields import fold, format_dates
from memsite.memory.index_spans import EntrySpan, Section
from memsite.memory.index_splice import IndexSplices
from memsite.memory.lines import Kind
from memsite.memory.model import Dialect, Status, TopicEntry
from memsite.values import replace

NEW_FILE = "# Memory Index\n\n"
"""How the seed's file begins."""

_INLINE_CATEGORIES = frozenset({"major events", "decisions"})
"""The seed shows these in the inline dialect, the others nested."""


def place_topic(splices: IndexSplices, topic: TopicEntry) -> bytes:
    """Write a topic after the last of its category, in that one's dialect; else under its heading; else at the end.

    Raises FormatError where an open code block or comment would take it in.
    """
    sections = [part for part in splices.read.spans.sections if _is_category(part, topic.category)]
    last = next((part.entries[-1] for part in reversed(sections) if part.entries), None)
    inline = last.inline if last else fold(topic.category) in _INLINE_CATEGORIES
    topic = replace(topic, dialect=Dialect.INLINE if inline else Dialect.NESTED)
    lines = _format_topic(splices, topic, last)
    if last:
        gap = [""] if _is_spaced(splices, sections, last) else []
        splices.insert(last.item.last_line, gap + lines)
    elif sections:
        _fill_section(splices, sections[0], lines)
    else:
        _add_section(splices, [f"## {topic.category}", *lines])
    return splices.finish(topic)


def _is_category(part: Section, title: str) -> bool:
    return part.level == 2 and fold(part.title) == fold(title)


def _is_spaced(splices: IndexSplices, sections: list[Section], last: EntrySpan) -> bool:
    """Whether blank lines keep the topics of the category apart."""
    entries = next(part.entries for part in sections if last in part.entries)
    return len(entries) > 1 and splices.lines[last.item.line - 2].kind is Kind.BLANK


def _fill_section(splices: IndexSplices, section: Section, lines: list[str]) -> None:
    end = splices.lines[section.last_line - 1]
    _check_open(splices, section.last_line)
    splices.insert(section.last_line, lines if end.level or end.item else ["", *lines])


def _add_section(splices: IndexSplices, lines: list[str]) -> None:
    if not splices.lines:
        end = len(splices.text)
        splices.replace(end, end, NEW_FILE + "".join(f"{line}\n" for line in lines))
        return
    _check_open(splices, len(splices.lines))
    blank = splices.lines[-1].kind is Kind.BLANK
    splices.insert(len(splices.lines), lines if blank else ["", *lines])


def _check_open(splices: IndexSplices, number: int) -> None:
    """An open block of HTML ends at the blank line that is put before a new topic; these two do not."""
    line = splices.lines[number - 1]
    if line.unclosed and not line.item and (line.in_code or line.in_comment):
        what = "code block" if line.in_code else "comment"
        message = f"the {what} that begins here is never closed, so no topic can follow it"
        raise FormatError(message, where=splices.path, line=line.block, hint="close it")


def _format_topic(splices: IndexSplices, topic: TopicEntry, last: EntrySpan | None) -> list[str]:
    """The lines of a new entry, with indentation and bullets as another one has them."""
    every = (held for part in splices.read.spans.sections for held in part.entries)
    model = last or next((held for held in every if not held.item.prefix[0].isspace()), None)
    prefix, below = (model.item.prefix, splices.field_prefix(model)) if model else ("- ", "  - ")
    dates = f"[{format_dates(topic.dates)}]"
    nested = topic.dialect is Dialect.NESTED
    fields = [f"Dates: {dates}"] if nested else []
    fields += [f"Aliases: [{', '.join(topic.aliases)}]"] if topic.aliases else []
    fields += [f"Description: {topic.description}"] if topic.description else []
    fields += [f"Status: {Status.ACTIVE}"] if nested else []
    head = f"**{topic.slug}**" if nested else f"**{topic.slug}**: {dates}"
    return [prefix + head, *(below + field for field in fields)]
