"""Splices into INDEX.md, and the proof that they changed one entry only.

A wrong guess about Markdown must not cost a person's words. So the neighbourhood of every edit is read again
afterwards, and the edit is refused unless the one entry became what was wanted and all others stayed what they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from memsite.config import Config
from memsite.errors import FormatError
from memsite.memory.conflicts import conflict_problem
from memsite.memory.index import find_obstacle, format_error, read_index_kept, read_index_once
from memsite.memory.index_spans import EntrySpan, Span
from memsite.memory.lines import Kind, Line, encode_text
from memsite.memory.model import Problem, TopicEntry
from memsite.values import replace


class IndexSplices:
    """INDEX.md with the splices of one edit. Offsets are those of the text before the edit."""

    def __init__(self, data: bytes, config: Config) -> None:
        """Raises FormatError for a file that is too large to be an index."""
        self.data, self.path, self.consolidated = data, config.index_path, config.consolidated_dir
        if problem := find_obstacle(data, self.path):
            refuse(problem)
        if problem := conflict_problem(data, self.path):
            refuse(problem)
        self.read = read_index_kept(data, self.path, self.consolidated)
        self.text, self.lines = self.read.spans.text, self.read.spans.lines
        self.splices: list[Span] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Put text in the place of other text of the same line or lines."""
        self.splices.append(Span(start, end, text))

    def insert(self, number: int, lines: Sequence[str]) -> None:
        """Put whole lines after a line, with that line's ending; a file without a last line end stays so."""
        line = self.lines[number - 1]
        if line.ending:
            at, text = line.end + len(line.ending), "".join(new + line.ending for new in lines)
        else:
            ending = (number > 1 and self.lines[number - 2].ending) or "\n"
            at, text = line.end, "".join(ending + new for new in lines)
        self.splices.append(Span(at, at, text))

    def field_prefix(self, entry: EntrySpan) -> str:
        """Indentation and bullet of the entry's fields, or as a similar entry has them."""
        if entry.fields:
            return entry.fields[0].item.prefix
        every = (other for section in self.read.spans.sections for other in section.entries)
        alike = (other for other in every if other.item.prefix == entry.item.prefix and other.fields)
        return next((other.fields[0].item.prefix for other in alike), nested_prefix(entry.item.prefix))

    def finish(self, expected: TopicEntry) -> bytes:
        """The edited file; the same bytes when there was nothing to do.

        Raises FormatError when the topic would not become `expected`, or anything else would change.
        """
        if not self.splices:
            return self.data
        self.splices.sort(key=lambda splice: splice.start)
        self._prove(expected)
        return encode_text(self._spliced(0, len(self.text)))

    def _spliced(self, start: int, end: int) -> str:
        """The text between two offsets as it will be."""
        parts: list[str] = []
        for splice in self.splices:
            parts += [self.text[start : splice.start], splice.text]
            start = splice.end
        return "".join([*parts, self.text[start:end]])

    def _prove(self, expected: TopicEntry) -> None:
        first, last = self._line_at(self.splices[0].start), self._line_at(self.splices[-1].end)
        head = next((line for line in reversed(self.lines[: max(first - 1, 0)]) if resets(line)), None)
        tail = next((line for line in self.lines[last:] if resets(line)), None)
        start, end = head.start if head else 0, tail.end + len(tail.ending) if tail else len(self.text)
        before = read_index_once(encode_text(self.text[start:end]), self.path, self.consolidated)
        after = read_index_once(encode_text(self._spliced(start, end)), self.path, self.consolidated)
        behind = (tail.number if tail else len(self.lines)) - last
        shapes = [[_shape(line) for line in read.spans.lines[-behind:] if behind] for read in (before, after)]
        others = [
            [_content(held.entry) for held in read.entries if held.entry.slug != expected.slug]
            for read in (before, after)
        ]
        mine = [_content(held.entry) for held in after.entries if held.entry.slug == expected.slug and not held.faults]
        if shapes[0] != shapes[1] or others[0] != others[1] or mine != [_content(expected)]:
            message = f"{expected.slug!r} cannot be written here without changing what is around it"
            raise FormatError(message, where=self.path, line=first or None, hint="put blank lines around the list")

    def _line_at(self, offset: int) -> int:
        """The number of the line in which, or at whose end, an offset is; 0 in a file without lines."""
        low, high = 0, len(self.lines)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.lines[middle].start < offset else (low, middle)
        return low


def nested_prefix(prefix: str) -> str:
    """Indentation and bullet one level below a bullet."""
    bullet = prefix.strip()
    indent = prefix[: prefix.index(bullet)]
    below = f"{indent}\t" if "\t" in indent else " " * len(prefix.expandtabs(4))
    return f"{below}{bullet} "


def refuse(problem: Problem) -> NoReturn:
    """Raise what a reader only notes."""
    raise format_error(problem)


def resets(line: Line) -> bool:
    """Whether the line means the same whatever stands above it: a heading or an outermost bullet at the margin."""
    if line.level:
        return line.block == line.number and line.content == 0
    return line.opens == 1 and line.parent == 0 and line.kind is Kind.TEXT and line.text[0] in "-*+"


def _shape(line: Line) -> tuple[Kind, int, int, bool]:
    return line.kind, line.level, line.opens, line.parent > 0


def _content(entry: TopicEntry) -> TopicEntry:
    """An entry without the places of its parts."""
    listed = tuple(replace(ref, line=0) for ref in entry.consolidations)
    return replace(entry, category="", first_line=0, last_line=0, consolidations=listed)
