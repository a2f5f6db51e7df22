"""One version of INDEX.md in a merge: its topics, and those that only it has, taken out and put in as lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from memsite.config import Config
from memsite.memory.index import read_index_once
from memsite.memory.index_fields import fold
from memsite.memory.index_spans import FIELD_ORDER, Section
from memsite.memory.lines import Kind, Line, encode_text
from memsite.memory.merging_topics import Held, Splice
from memsite.values import dataclass

Place = tuple[int, str]
"""Level and folded title of a heading."""


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """INDEX.md, read. Its last line is ended."""

    text: str
    lines: Sequence[Line]
    sections: Sequence[Section]
    topics: Mapping[str, Held]
    """Those that can be edited without guessing."""
    slugs: frozenset[str]
    """All of them."""

    @classmethod
    def parse(cls, text: str, config: Config) -> IndexVersion:
        """Read a text of tolerable size."""
        read = read_index_once(encode_text(text), config.index_path, config.consolidated_dir)
        topics = {held.entry.slug: Held(read.spans, held) for held in read.entries if not held.faults}
        slugs = frozenset(held.entry.slug for held in read.entries)
        return cls(read.spans.text, read.spans.lines, read.spans.sections, topics, slugs)

    def start(self, number: int) -> int:
        """Offset of a line's first character; of the end for the line after the last."""
        return self.lines[number - 1].start if number <= len(self.lines) else len(self.text)

    def is_blank(self, number: int) -> bool:
        """Whether a line is blank; what is outside the file is not."""
        return 0 < number <= len(self.lines) and self.lines[number - 1].kind is Kind.BLANK


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic that the base has not."""

    slug: str
    place: Place
    title: str
    """Of its heading, as written."""
    held: Held
    lines: str
    """As they are."""
    spaced: bool
    """Whether a blank line stands before it."""

    def others(self) -> Iterator[str]:
        """Its lines that memsite does not manage."""
        fields = [part.item for part in self.held.read.span.fields]
        owned = {number for item in fields for number in range(item.line, item.last_line + 1)}
        item = self.held.read.span.item
        for number in range(item.head_last_line + 1, item.last_line + 1):
            if number not in owned:
                yield self.held.lines(number, number)


def new_topics(base: IndexVersion, side: IndexVersion) -> dict[str, NewTopic]:
    """The topics at the margin that a side has added; those inside another list stay where they are."""
    found: dict[str, NewTopic] = {}
    starts = [section.first_line for section in side.sections]
    for slug, held in side.topics.items():
        item = held.read.span.item
        if slug not in base.slugs and not item.prefix[0].isspace():
            section = side.sections[bisect_right(starts, item.line) - 1]
            lines = held.lines(item.line, item.last_line)
            spaced = side.is_blank(item.line - 1)
            found[slug] = NewTopic(slug, _place(section), section.title, held, lines, spaced)
    return found


def join_topic(one: NewTopic | None, other: NewTopic | None) -> NewTopic | None:
    """A topic that one side added, or both: the longer version with a person's lines of the other.

    None where they contradict each other. Fields on which the sides agree are expected to be alike already.
    """
    if one is None or other is None:
        return one or other
    pairs = [(one.held.field(name), other.held.field(name)) for name in FIELD_ORDER]
    if any(mine and yours and mine.strip() != yours.strip() for mine, yours in pairs):
        return None
    less, more = sorted((one, other), key=lambda topic: (len(topic.lines), topic.lines, topic.place))
    known = {line.strip() for line in more.lines.splitlines()}
    left = [line for line in less.others() if line.strip() and line.strip() not in known]
    spaced = one.spaced or other.spaced
    return NewTopic(more.slug, more.place, more.title, more.held, more.lines + "".join(left), spaced)


def without_topics(base: IndexVersion, side: IndexVersion, topics: Iterable[NewTopic]) -> str:
    """A version without new topics, and without the headings that came with them."""
    gone = {number for topic in topics for number in _numbers(topic)}
    known = {_place(section) for section in base.sections}
    for section in side.sections:
        if section.level == 2 and _place(section) not in known and gone.intersection(_lines_of(section)):
            rest = [number for number in _lines_of(section) if number not in gone and not side.is_blank(number)]
            if all(_is_heading(side, section, number) for number in rest):
                gone.update(_lines_of(section))
    gone |= {number for run in _blank_runs(side, gone) for number in run}
    kept = (number for number in range(1, len(side.lines) + 1) if number not in gone)
    # What is before the first line is the byte-order mark.
    return side.text[: side.start(1)] + "".join(side.text[side.start(at) : side.start(at + 1)] for at in kept)


def insert_topics(text: str, topics: Sequence[NewTopic], config: Config) -> str:
    """A text with topics at the end of their categories, by slug; a missing heading is added at the end."""
    order = [fold(title) for title in config.categories]

    def rank(topic: NewTopic) -> tuple[int, Place]:
        title = topic.place[1]
        return (order.index(title) if title in order else len(order)), topic.place

    ordered = sorted(topics, key=lambda topic: (rank(topic), topic.slug))
    groups = {place: list(group) for place, group in groupby(ordered, key=lambda one: one.place)}
    version = IndexVersion.parse(text, config)
    known: dict[Place, list[Section]] = {}
    for section in version.sections:
        known.setdefault(_place(section), []).append(section)
    splices = [_in_category(version, known[place], group) for place, group in groups.items() if place in known]
    return spliced(text, splices) + _categories(
        version, {place: groups[place] for place in groups if place not in known}
    )


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """A text with parts of it replaced; they must not overlap."""
    parts: list[str] = []
    at = 0
    for start, end, new in sorted(splices, key=lambda splice: splice[:2]):
        parts += [text[at:start], new]
        at = end
    return "".join([*parts, text[at:]])


def _in_category(version: IndexVersion, sections: Sequence[Section], group: Sequence[NewTopic]) -> Splice:
    """Topics, put behind the last one of the sections with one heading."""
    newline = _newline(version)
    blocks = [(newline if topic.spaced else "") + topic.lines for topic in group]
    ends = [entry.item.last_line for section in sections for entry in section.entries if _at_margin(entry.item.prefix)]
    after = ends[-1] if ends else sections[0].last_line
    if not ends and after and not version.lines[after - 1].level and not group[0].spaced:
        blocks.insert(0, newline)
    at = version.start(after + 1)
    return at, at, "".join(blocks)


def _categories(version: IndexVersion, groups: Mapping[Place, Sequence[NewTopic]]) -> str:
    """Topics whose headings are missing, with those, for the end of the file."""
    newline = _newline(version)
    gap = newline if version.text and not version.is_blank(len(version.lines)) else ""
    parts: list[str] = []
    for place, group in groups.items():
        title = min(topic.title for topic in group)
        parts.append(f"{gap}{'#' * place[0]} {title}{newline}")
        parts += ((newline if topic.spaced else "") + topic.lines for topic in group)
        gap = newline
    return "".join(parts)


def _newline(version: IndexVersion) -> str:
    return next((line.ending for line in version.lines if line.ending), "\n")


def _place(section: Section) -> Place:
    return section.level, fold(section.title)


def _at_margin(prefix: str) -> bool:
    return not prefix[0].isspace()


def _numbers(topic: NewTopic) -> range:
    item = topic.held.read.span.item
    return range(item.line, item.last_line + 1)


def _lines_of(section: Section) -> range:
    return range(max(section.first_line, 1), section.last_line + 1)


def _is_heading(side: IndexVersion, section: Section, number: int) -> bool:
    return side.lines[number - 1].block == section.first_line


def _blank_runs(side: IndexVersion, gone: set[int]) -> Iterator[range]:
    """Blank lines before what is taken out, where other blank lines, or the end, follow it."""
    is_gone_to = _gone_runs(side, gone)
    for number in sorted(gone):
        if number - 1 in gone or not side.is_blank(number - 1):
            continue
        after = is_gone_to[number]
        before = number - 1
        while side.is_blank(before - 1):
            before -= 1
        if after > len(side.lines) or side.is_blank(after):
            yield range(before, number)


def _gone_runs(side: IndexVersion, gone: set[int]) -> dict[int, int]:
    """For each line that is taken out, the first one behind it that stays; blank lines between two do not count."""
    ends: dict[int, int] = {}
    for number in sorted(gone, reverse=True):
        after = number + 1
        while side.is_blank(after):
            after += 1
        ends[number] = ends[after] if after in gone else number + 1
    return ends
