"""A generation as an article: its own sections in their order, every point with what supports it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from memsite.memory.generation import point_text, source_text
from memsite.memory.generation_parts import FACT
from memsite.memory.lines import Kind, Line, split_lines
from memsite.memory.model import Point, Source, SourceRef
from memsite.memory.source_refs import Citation, parse_citations
from memsite.site.links import day_uri
from memsite.site.pages.addresses import printable
from memsite.site.pages.atlas import Atlas, GenerationItem
from memsite.site.pages.cited_lines import past_lines
from memsite.site.pages.day_notes import Cited
from memsite.site.pages.documents import text_document, whole_document
from memsite.site.pages.views import Document, Link, SourceLink
from memsite.site.slugs import Anchors, slugify_heading
from memsite.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class PointView:
    """One bullet: a key point, a decision, or a line of the source references."""

    body: Document
    sources: tuple[tuple[Citation, SourceLink], ...]
    """What supports it, each as it is cited."""
    unsupported: bool = False
    label: SourceLink | None = None
    """Of a line of the source references: what it begins with."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a section: text, or points."""

    text: Document | None
    points: tuple[PointView, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """One `## ` section; the first may have no title."""

    title: str
    anchor: str
    runs: tuple[Run, ...]
    labelled: bool = False
    """Whether its points begin with their source."""


@dataclass(frozen=True, slots=True)
class Article:
    """A generation, whole: nothing of the file is left out but its title and the facts that the page's head shows."""

    sections: tuple[Section, ...]
    unsupported: int
    """Points without a source; 0 when none of the generation's points names any."""
    unsourced: bool
    """Whether it has points and none of them names a source."""


class _Writer:
    """The parts of one generation's text."""

    def __init__(self, atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, prefix: str) -> None:
        generation = item.generation
        self.atlas = atlas
        self.items = items
        self.item = item
        self.generation = generation
        self.prefix = prefix
        points = (*generation.key_points, *generation.decisions)
        self.sourced = any(map(_cited, points))
        self.points: Mapping[int, Point] = {point.line: point for point in points}
        self.sources: Mapping[int, Source] = {source.line: source for source in generation.sources}

    def runs(self, lines: Sequence[Line]) -> Iterator[Run]:
        """Text and points in their order."""
        points: list[PointView] = []
        for chunk in _chunks(lines, {*self.points, *self.sources}):
            view = self._point(chunk)
            if view:
                points.append(view)
                continue
            if points:
                yield Run(None, tuple(points))
                points = []
            text = "\n".join(line.text for line in chunk).strip("\n")
            if text.strip():
                yield Run(self._document(text, chunk))
        if points:
            yield Run(None, tuple(points))

    def _document(self, text: str, lines: Sequence[Line]) -> Document:
        part = (lines[0].number, lines[-1].number)
        return cited_document(self.atlas, self.items, self.item, text, part, f"{self.prefix}l{part[0]}.")

    def _point(self, chunk: Sequence[Line]) -> PointView | None:
        number = chunk[0].number
        if number in self.points:
            return self._supported(self.points[number], chunk)
        return self._labelled(self.sources[number], chunk) if number in self.sources else None

    def _supported(self, point: Point, chunk: Sequence[Line]) -> PointView:
        refs = _cited(point)
        body = self._document(point_text([line.text for line in chunk]), chunk)
        sources = tuple((ref, source_link(self.atlas, self.items, self.item, ref)) for ref in refs)
        return PointView(body, sources, self.sourced and not refs)

    def _labelled(self, source: Source, chunk: Sequence[Line]) -> PointView:
        link = self._target(source)
        named = source.day is not None or source.generation is not None or bool(_is_impossible(source.label))
        mark = SourceLink(printable(source.label), link, missing=named and link is None)
        return PointView(self._document(source_text([line.text for line in chunk]), chunk), (), label=mark)

    def _target(self, source: Source) -> Link | None:
        if source.day and self.atlas.has_day(source.day):
            notes = self.atlas.cited(SourceRef(source.day, label=source.note)) if source.note else ()
            return Link(source.label, day_uri(source.day), notes[0].top if notes else "")
        for item in () if source.generation is None else self._known(source.generation):
            if item.generation.number == source.generation:
                return Link(source.label, item.uri)
        uri = self.atlas.resolver.find(self.generation.path, source.label)
        return Link(source.label, uri) if uri is not None else None

    def _known(self, number: int) -> Sequence[GenerationItem]:
        """The generations of which a number is looked for; a later one than ours only among all there are."""
        line = self.atlas.lineage(self.generation.topic) if number > self.generation.number else None
        return line.items if line else self.items


def write_article(atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, prefix: str = "") -> Article:
    """The article of a generation, one of these of its lineage, which are all before it at least. `prefix` goes before
    every id, where it is not alone on its page.
    """
    generation = item.generation
    if generation.blob.cut:
        whole = whole_document(atlas.resolver, generation.path, generation.blob)
        return Article((Section("", "", (Run(whole),)),), 0, unsourced=False)
    writer = _Writer(atlas, items, item, prefix)
    anchors = Anchors(prefix)
    sections = []
    for title, lines in _sections(split_lines(generation.blob.text.encode("utf-8", "replace"))):
        runs = tuple(writer.runs(lines))
        if title or runs:
            labelled = any(number.number in writer.sources for number in lines)
            sections.append(Section(title, anchors.unique(slugify_heading(title)), runs, labelled))
    points = writer.points.values()
    unsupported = sum(not _cited(point) for point in points) if writer.sourced else 0
    return Article(tuple(sections), unsupported, bool(points) and not writer.sourced)


def cited_document(
    atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, text: str, part: tuple[int, int], prefix: str
) -> Document:
    """A part of a generation's text, in which source references are links where they lead somewhere."""
    path, blob = item.generation.path, item.generation.blob.id
    document = text_document(atlas.resolver, path, blob, text, part=part, prefix=prefix)
    links = ((ref, source_link(atlas, items, item, ref)) for ref in parse_citations(text))
    return replace(document, cited=tuple((ref, link) for ref, link in links if link.link))


def _cited(point: Point) -> tuple[Citation, ...]:
    return (*point.sources, *point.impossible)


def source_link(atlas: Atlas, items: Sequence[GenerationItem], item: GenerationItem, ref: Citation) -> SourceLink:
    """The note, and if the note has it the line, that supports a point of a generation; `items` as of the article."""
    if isinstance(ref, str):
        return SourceLink(printable(ref), None, missing=True)
    text = _words(ref)
    notes = atlas.cited(ref)
    past = past_lines(atlas, items, item, ref, notes[0]) if len(notes) == 1 else None
    if past:
        return SourceLink(f"{text} {'as it was' if ref.last_line in (None, ref.first_line) else 'as they were'}", past)
    if not atlas.has_day(ref.day) or (ref.label and not notes):
        return SourceLink(text, None, missing=True)
    lacking = bool(notes) and not any(note.has_lines for note in notes)
    return SourceLink(text, Link(text, day_uri(ref.day), _anchor(ref, notes)), missing=lacking)


def _words(ref: SourceRef) -> str:
    text = printable(f"{ref.day.isoformat()}-{ref.label}" if ref.label else ref.day.isoformat())
    if ref.first_line is None:
        return text
    single = ref.last_line in (None, ref.first_line)
    return f"{text}, line {ref.first_line}" if single else f"{text}, lines {ref.first_line}–{ref.last_line}"


def _is_impossible(label: str) -> bool:
    return any(isinstance(ref, str) for ref in parse_citations(f"[{label}]"))


def _anchor(ref: SourceRef, notes: Sequence[Cited]) -> str:
    """Of the first line that is cited, else of the note that is named; of several notes none is meant."""
    if len(notes) == 1 and notes[0].line:
        return notes[0].line
    return notes[0].top if ref.label else ""


def _sections(lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """Title and lines of each section; the document's title and facts are left out."""
    title, headed = "", False
    body: list[Line] = []
    for line in lines:
        top = line.kind is Kind.HEADING and not line.item and line.text.lstrip().startswith("#")
        if top and line.level == 2:
            yield title, body
            title, body = _heading_text(line), []
        elif top and line.level == 1 and not headed and not title:
            headed = True
        elif title or not FACT.fullmatch(line.text.strip()):
            body.append(line)
    yield title, body


def _heading_text(line: Line) -> str:
    return re.sub(r"[ \t]+#+[ \t]*$", "", line.text.strip().lstrip("#").strip()) or "Untitled"


def _chunks(lines: Sequence[Line], starts: set[int]) -> Iterator[Sequence[Line]]:
    """The lines cut at each point, and where text that is in no list follows a point."""
    chunk: list[Line] = []
    for line in lines:
        loose = line.kind is not Kind.BLANK and not line.item
        ends = line.number in starts or (loose and bool(chunk) and chunk[0].number in starts)
        if ends and chunk:
            yield chunk
            chunk = []
        chunk.append(line)
    if chunk:
        yield chunk
