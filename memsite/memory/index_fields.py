"""The fields of one topic in INDEX.md: each setter splices the lines of that entry and notes what it should become."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import PurePosixPath

from memsite.config import Config
from memsite.errors import RefusedError
from memsite.memory.index import ReadEntry, read_status
from memsite.memory.index_spans import FIELD_ORDER, FieldSpan, Span
from memsite.memory.index_splice import IndexSplices, nested_prefix, refuse
from memsite.memory.model import GenerationRef, Status
from memsite.values import replace


def open_topic(data: bytes | None, slug: str, config: Config) -> TopicEdit:
    """Begin an edit of a topic. Raises RefusedError for no such topic, FormatError for one that is ambiguous."""
    splices = IndexSplices(data or b"", config)
    if held := find_topic(splices, slug):
        return TopicEdit(splices, held)
    raise RefusedError(f"there is no topic {slug!r}", where=config.index_path, hint="see `memsite index list`")


def find_topic(splices: IndexSplices, slug: str) -> ReadEntry | None:
    """The topic, or None. Raises FormatError when it, or what was meant as it, cannot be edited without guessing."""
    found = [held for held in splices.read.entries if held.entry.slug == slug]
    if not found and (problem := splices.read.find_half(slug)):
        refuse(problem)
    for fault in (fault for held in found for fault in held.faults):
        refuse(fault)
    return found[0] if found else None


class TopicEdit:
    """One edit of one topic. Nothing to do leaves the bytes as they are."""

    def __init__(self, splices: IndexSplices, held: ReadEntry) -> None:
        self.splices, self.span, self.entry = splices, held.span, held.entry
        self.expected = held.entry

    def finish(self) -> bytes:
        """The edited file. Raises FormatError where the entry cannot be edited alone."""
        return self.splices.finish(self.expected)

    def unite_dates(self, dates: Iterable[date]) -> None:
        """Add the dates that are missing; the list is then sorted and unique, and stays without brackets if it was."""
        days = tuple(sorted({*self.entry.dates, *dates}))
        if set(days) == set(self.entry.dates):
            return
        text, span, listed = format_dates(days), self.span.dates, self.span.field("dates")
        if self.span.bracketed or span.text or not listed:
            self.splices.replace(span.start, span.end, text)
        else:
            self._set_value(listed, f"[{text}]")
        self.expected = replace(self.expected, dates=days)

    def set_status(self, status: Status) -> None:
        """Replace the chosen word and keep what follows it, or the whole value where no status is chosen."""
        part = self.span.field("status")
        current, word = read_status(part)
        if word and current is not status:
            self.splices.replace(word.start, word.end, status.value)
        elif not word and (part or status is not Status.ACTIVE):
            self._set_field("status", status.value)
        self.expected = replace(self.expected, status=status)

    def set_description(self, words: str) -> None:
        """Replace the description, or add its line."""
        if words != self.entry.description:
            self._set_field("description", words)
            self.expected = replace(self.expected, description=words)

    def unite_aliases(self, names: Iterable[str]) -> None:
        """Add the names that are missing at the end of the list, which stays as it is."""
        known = {fold(name) for name in self.entry.aliases}
        new = [name for name in names if fold(name) not in known]
        part = self.span.field("aliases")
        if new and part and part.value.text:
            self._extend(part, ", ".join(new))
        elif new:
            self._set_field("aliases", f"[{', '.join(new)}]")
        self.expected = replace(self.expected, aliases=(*self.entry.aliases, *new))

    def add_generation(self, ref: GenerationRef, line: str) -> None:
        """Add a line at the end of `Consolidations:`."""
        part = self.span.field("consolidations")
        if not part:
            prefix = self.splices.field_prefix(self.span)
            lines = [f"{prefix}Consolidations:", nested_prefix(prefix) + line]
            self.splices.insert(self._place("consolidations"), lines)
        else:
            last = part.item.children[-1] if part.item.children else None
            prefix = last.prefix if last else nested_prefix(part.item.prefix)
            self.splices.insert(part.item.last_line, [prefix + line])
        self.expected = replace(self.expected, consolidations=(*self.entry.consolidations, ref))

    def set_current(self, path: PurePosixPath) -> None:
        """Point `Current:` to a generation."""
        if path != self.entry.current:
            self._set_field("current", str(path))
            self.expected = replace(self.expected, current=path)

    def move(self, old: PurePosixPath, new: PurePosixPath) -> None:
        """Write another path wherever the entry names a generation by `old`; what is around a path stays."""
        listed, current = self.span.field("consolidations"), self.span.field("current")
        for item in listed.item.children if listed else ():
            self._replace_path(item.head, old, new)
        if current:
            self._replace_path(current.value, old, new)
        refs = (replace(ref, path=new if ref.path == old else ref.path) for ref in self.expected.consolidations)
        moved = new if self.expected.current == old else self.expected.current
        self.expected = replace(self.expected, consolidations=tuple(refs), current=moved)

    def _replace_path(self, span: Span, old: PurePosixPath, new: PurePosixPath) -> None:
        at = span.text.find(str(old))
        if at >= 0:
            self.splices.replace(span.start + at, span.start + at + len(str(old)), str(new))

    def _set_field(self, name: str, text: str) -> None:
        if part := self.span.field(name):
            self._set_value(part, text)
        else:
            self.splices.insert(self._place(name), [f"{self.splices.field_prefix(self.span)}{name.title()}: {text}"])

    def _set_value(self, part: FieldSpan, text: str) -> None:
        value = part.value
        pad = "" if value.text or self.splices.text[value.start - 1] in " \t：" else " "
        self.splices.replace(value.start, value.end, pad + text)

    def _extend(self, part: FieldSpan, text: str) -> None:
        closing = part.value.text.find("]")
        known = (part.value.text[:closing] if closing > 0 else part.value.text).rstrip()
        comma = "" if known == "[" else " " if known.endswith((",", "，", "、")) else ", "
        end = part.value.start + len(known)
        self.splices.replace(end, end, comma + text)

    def _place(self, name: str) -> int:
        """The line after which a new field goes: the fields have one order."""
        before = FIELD_ORDER[: FIELD_ORDER.index(name)]
        ends = [part.item.last_line for part in self.span.fields if part.name in before]
        return max(ends, default=self.span.item.head_last_line)


def format_dates(dates: Iterable[date]) -> str:
    """A list as the seed writes it, without its brackets."""
    return ", ".join(day.isoformat() for day in sorted(set(dates)))


def fold(text: str) -> str:
    """Text for comparing names: case and white space do not count."""
    return " ".join(text.casefold().split())
