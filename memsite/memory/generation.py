"""Consolidation generations: the seed's structure, read tolerantly and written exactly (FORMATS, "A generation").

People and agents edit files by hand, so a section or a line that is missing reads as empty, headings match without
regard to case, and bullets may be wrapped, nested or grouped under `###`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath

from memsite.memory.later import read_later
from memsite.memory.lines import BOM
from memsite.memory.model import Generation, Point, Source, SourceRef
from memsite.memory.names import parse_date, parse_day_name, parse_generation_name
from memsite.memory.outline import find_title, iter_lines, plain_text
from memsite.memory.snapshot import Blob
from memsite.memory.source_refs import parse_citations, parse_label, without_source_refs
from memsite.values import dataclass

SUMMARY = "Summary"
KEY_POINTS = "Key Points"
DECISIONS = "Decisions Made"
STATUS = "Current Status"
SOURCES = "Source References"
SECTIONS = (SUMMARY, KEY_POINTS, DECISIONS, STATUS, SOURCES)
"""The seed's sections, in its order."""

_NAMES = {
    **{name.casefold(): name for name in SECTIONS},
    "decisions": DECISIONS,
    "status": STATUS,
    "sources": SOURCES,
    "references": SOURCES,
}
_SECTION = re.compile(r" {0,3}##(?:[ \t]|$)")
_OUTLINE = re.compile(r" {0,3}(?:#{1,6}(?:[ \t]|$)|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$))")
_BULLET = re.compile(r"( {0,3})(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
_FIELD = re.compile(r"\s*(?:[-*+] )?\*{0,2}(Created|Covers|Previous)\*{0,2}\s*:\*{0,2}\s*(.*)", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINK = re.compile(r"\[[^\[\]]*\]\(([^()]*)\)")
_NOTHING = {"", "-", "—", "none", "n/a"}

_SOURCE_LABEL = re.compile(r"(?P<label>[^:：]*?)(?::(?=\s|$)|：)\s*(?P<text>.*)", re.DOTALL)
_BARE_LABEL = re.compile(rf"(?P<label>gen[0-9]+|{_DATE.pattern}\S*)(?:\s+(?:[-–—]+\s+)?|$)(?P<text>.*)", re.DOTALL)
_GENERATION_LABEL = re.compile(r"gen(?:eration)?\s*([0-9]{1,6})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """One `## ` section of a generation or of the body for one."""

    name: str
    """One of `SECTIONS`, else the heading as plain text."""
    heading: str
    """As written, behind its marks; one of `SECTIONS` for those."""
    line: int
    """Of its heading, 1-based."""
    text: str
    """What follows the heading, without blank lines around it."""


def parse_generation(path: PurePosixPath, blob: Blob) -> Generation | None:
    """A file of `consolidated/`; None when its name is that of no generation."""
    name = parse_generation_name(path.name)
    if name is None:
        return None
    known = {"topic": name.topic, "number": name.number, "day": name.day, "path": path, "blob": blob, "indexed": True}
    return read_later(Generation, known, partial(_read_generation, path, name.day, blob))


def _read_generation(path: PurePosixPath, day: date, blob: Blob) -> Mapping[str, object]:
    """The fields of a generation that its text says."""
    lines = document_lines(blob.text)
    outline = list(iter_lines(blob.data, _OUTLINE))
    spans = _spans(lines, outline)
    fields = _parse_fields(lines[: spans[0].start if spans else len(lines)])
    covered = fields.get("covers", "")
    covers = [] if _covers_fault(covered, day) else _find_dates(covered)
    created = _find_dates(fields.get("created", ""))
    return {
        "title": find_title(blob.data, path.stem),
        "created": created[0] if created else None,
        "covers": (min(covers), max(covers)) if covers else None,
        "previous": _clean_previous(fields.get("previous", "")),
        "summary": _join(lines, spans, SUMMARY),
        "key_points": tuple(_iter_points(lines, outline, spans, KEY_POINTS)),
        "decisions": tuple(_iter_points(lines, outline, spans, DECISIONS)),
        "current_status": _join(lines, spans, STATUS),
        "sources": tuple(map(_parse_source, _iter_bullets(lines, outline, spans, SOURCES))),
    }


def find_covers(generation: Generation) -> tuple[int | None, str]:
    """The line on which a generation says what it covers, and why that cannot be and so does not count, if so."""
    lines = document_lines(generation.blob.text)
    spans = _spans(lines, iter_lines(generation.blob.data, _OUTLINE))
    found: tuple[int | None, str] = (None, "")
    for number, line in enumerate(lines[: spans[0].start if spans else len(lines)], start=1):
        if written := _parse_fields([line]).get("covers"):
            found = (number, _covers_fault(written, generation.day))
    return found


def _covers_fault(written: str, made: date) -> str:
    """`made` is the generation's day: no later note can be in it, but of tomorrow, which has begun elsewhere."""
    if wrong := next((text for text in _DATE.findall(written) if parse_date(text) is None), ""):
        return f"{wrong} is no date"
    days = _find_dates(written)
    if days != sorted(days):
        return "ends before it begins"
    if days and days[-1] > later_by_a_day(made):
        return f"{days[-1].isoformat()} is later than the generation, which is of {made.isoformat()}"
    return ""


def later_by_a_day(day: date) -> date:
    """Tomorrow, which has begun in other places; the last day of the calendar stays."""
    return date.fromordinal(min(day.toordinal() + 1, date.max.toordinal()))


def format_generation(
    topic: str,
    number: int,
    created: date,
    covers: tuple[date, date],
    previous: PurePosixPath | None,
    sections: Iterable[tuple[str, str]],
) -> str:
    """A whole generation in the seed's form. `previous` is relative to the memory folder, None in generation 1."""
    head = [
        f"# {topic_title(topic)} - Generation {number} Consolidation",
        "",
        f"**Created**: {created.isoformat()}",
        f"**Covers**: {covers[0].isoformat()} to {covers[1].isoformat()}",
    ]
    head += [f"**Previous**: {previous}"] if previous else []
    parts = ["\n".join(head), *(f"## {name}\n{text}".rstrip() for name, text in sections)]
    return "\n\n".join(parts) + "\n"


def topic_title(slug: str) -> str:
    """`personal-blog` -> `Personal Blog`; scripts without Latin letters stay as they are."""
    return " ".join(word[0].upper() + word[1:] if word[0].isascii() else word for word in slug.split("-"))


def split_sections(text: str) -> tuple[Section, ...]:
    """The `## ` sections of a document, in its order; a heading inside code is none."""
    lines = document_lines(text)
    outline = iter_lines("\n".join(lines).encode("utf-8", "surrogatepass"), _SECTION)
    return tuple(
        Section(span.name, _heading(span.name, lines[span.start]), span.start + 1, span.text(lines))
        for span in _spans(lines, outline)
    )


def _heading(name: str, line: str) -> str:
    return name if name in SECTIONS else line.strip().removeprefix("##").strip()


def missing_sections(text: str) -> tuple[str, ...]:
    """The seed's sections that a generation lacks, in its order; Source References may be left out."""
    there = {section.name for section in split_sections(text)}
    return tuple(name for name in SECTIONS if name != SOURCES and name not in there)


def document_lines(text: str) -> list[str]:
    """The lines of a text without line ends and byte-order mark; their numbers are those of `iter_lines`."""
    return text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n").split("\n")


@dataclass(frozen=True, slots=True)
class _Span:
    name: str
    start: int
    """Index of the heading line."""
    end: int

    def text(self, lines: Sequence[str]) -> str:
        return "\n".join(lines[self.start + 1 : self.end]).strip("\n").rstrip()


def _spans(lines: Sequence[str], outline: Iterable[tuple[int, str]]) -> list[_Span]:
    heads = [(number - 1, line) for number, line in outline if _SECTION.match(line)]
    ends = [index for index, _ in heads[1:]] + [len(lines)] * bool(heads)
    return [_Span(_section_name(line), index, end) for (index, line), end in zip(heads, ends, strict=True)]


def _section_name(heading: str) -> str:
    name = plain_text(heading.strip().strip("#")).rstrip(":： ")
    return _NAMES.get(name.casefold(), name)


def _join(lines: Sequence[str], spans: Iterable[_Span], name: str) -> str:
    return "\n\n".join(text for span in spans if span.name == name and (text := span.text(lines).strip()))


def _parse_fields(lines: Iterable[str]) -> dict[str, str]:
    matches = (_FIELD.match(line) for line in lines)
    return {match[1].casefold(): match[2].strip() for match in matches if match}


def _find_dates(text: str) -> list[date]:
    return [day for found in _DATE.findall(text) if (day := parse_date(found))]


def _clean_previous(text: str) -> str:
    link = _LINK.search(text)
    bare = (link[1] if link else text).strip("` ")
    return "" if bare.casefold() in _NOTHING else bare


def _iter_bullets(
    lines: Sequence[str], outline: Sequence[tuple[int, str]], spans: Iterable[_Span], name: str
) -> Iterator[tuple[str, int]]:
    """Text and line number of each outermost bullet of a section; its wrapped lines and inner bullets belong to it."""
    for span in spans:
        if span.name != name:
            continue
        inside = [(number - 1, line) for number, line in outline if span.start < number - 1 < span.end]
        starts = _outermost(inside)
        for position, (index, line) in enumerate(starts):
            stop = starts[position + 1][0] if position + 1 < len(starts) else span.end
            if match := _BULLET.match(line):
                yield _bullet_text(lines[index:stop], match), index + 1


def _outermost(outline: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Headings, and the bullets that are indented no further than the first of their list."""
    kept: list[tuple[int, str]] = []
    indent: int | None = None
    for index, line in outline:
        match = _BULLET.match(line)
        if match is None:
            indent = None
        elif indent is None or len(match[1]) < indent + 2:
            indent = len(match[1]) if indent is None else min(indent, len(match[1]))
        else:
            continue
        kept.append((index, line))
    return kept


def _bullet_text(block: Sequence[str], bullet: re.Match[str]) -> str:
    """A bullet's own lines, without its mark and the indentation that it gives to the lines after it."""
    width = bullet.end()
    kept = [block[0][width:].rstrip()]
    for before, line in pairwise(block):
        if line.strip() and not before.strip() and not line.startswith((" ", "\t")):
            break
        indent = len(line) - len(line.lstrip())
        kept.append(line[min(indent, width) :].rstrip())
    return "\n".join(kept).strip()


def _iter_points(
    lines: Sequence[str], outline: Sequence[tuple[int, str]], spans: Iterable[_Span], name: str
) -> Iterator[Point]:
    for text, line in _iter_bullets(lines, outline, spans, name):
        cited = parse_citations(text)
        refs = tuple(ref for ref in cited if isinstance(ref, SourceRef))
        yield Point(_without_refs(text), line, refs, tuple(ref for ref in cited if isinstance(ref, str)))


def _without_refs(text: str) -> str:
    return "\n".join(map(without_source_refs, text.split("\n"))).strip()


def point_text(lines: Sequence[str]) -> str:
    """The text of a point that stands on these lines alone: what of it is in its list item, say."""
    bullet = _BULLET.match(lines[0])
    return _without_refs(_bullet_text(lines, bullet)) if bullet else ""


def source_text(lines: Sequence[str]) -> str:
    """The same of a line of the source references, behind its label."""
    bullet = _BULLET.match(lines[0])
    return _parse_source((_bullet_text(lines, bullet), 0)).text if bullet else ""


def _parse_source(bullet: tuple[str, int]) -> Source:
    text, line = bullet
    match = _SOURCE_LABEL.match(text) or _BARE_LABEL.match(text)
    label = plain_text(match["label"] if match else text)
    name = PurePosixPath(label.partition("#")[0]).name
    day = parse_day_name(name) or parse_day_name(f"{name}.md")
    number = _GENERATION_LABEL.fullmatch(label)
    generation = parse_generation_name(name) or parse_generation_name(f"{name}.md")
    return Source(
        label=label,
        text=match["text"].strip() if match else "",
        line=line,
        day=day[0] if day else None,
        note=parse_label(day[1]) if day else "",
        generation=int(number[1]) if number else generation.number if generation else None,
    )
