"""What changed from one generation of a topic to the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from itertools import pairwise

from memsite.memory.generation import SOURCES, document_lines, split_sections
from memsite.memory.model import SourceRef
from memsite.memory.source_refs import parse_source_refs
from memsite.site.pages.addresses import printable, step_uri
from memsite.site.pages.articles import FACT, SourceLink, source_link
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import generation_link, topic_badge
from memsite.site.pages.differences import Difference, compare_texts
from memsite.site.pages.generations import lineage_crumbs
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link, TopicBadge
from memsite.site.spec import PageKind, PageLink, PageSpec

_NUMBERS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two generations."""

    link: Link
    number: int
    day: date
    covers: tuple[date, date] | None
    deleted: bool
    blob: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CompareView:
    """Two consecutive generations. The comparison itself is made when the page is."""

    topic: TopicBadge
    older: Side
    newer: Side
    retitled: tuple[str, str] | None
    """Both titles, where more than the number in them changed."""
    previous: Link | None
    following: Link | None
    supports: tuple[tuple[SourceRef, SourceLink], ...]
    """Where the source references of both lead."""

    def differences(self) -> tuple[Difference, Difference]:
        """What changed in the text, and what in the source references."""
        old, new = split_references(self.older.text), split_references(self.newer.text)
        supports = dict(self.supports)
        return compare_texts(old[0], new[0], supports), compare_texts(old[1], new[1], supports)


def split_references(text: str) -> tuple[str, str]:
    """The text of a generation without its title and facts, which a page's head says, and its source references."""
    lines = document_lines(text)
    starts = [(section.line - 1, section.name) for section in split_sections(text)] + [(len(lines), "")]
    body, references = _without_facts(lines[: starts[0][0]]), list[str]()
    for (start, name), (end, _) in pairwise(starts):
        if name == SOURCES:
            references += lines[start + 1 : end]
        else:
            body += lines[start:end]
    return "\n".join(body), "\n".join(references)


def _without_facts(lines: Sequence[str]) -> list[str]:
    title = next((number for number, line in enumerate(lines) if line.startswith("# ")), -1)
    return [line for number, line in enumerate(lines) if number != title and not FACT.fullmatch(line.strip())]


def compare_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each pair of consecutive generations, and each that was one until another came between them."""
    for line in atlas.lineages:
        items = {item.generation.path: item for item in line.items}
        for one, other in atlas.segments.steps(tuple(items)):
            older, newer = items[one], items[other]
            before, after = line.items.index(older), line.items.index(newer)
            place = Place(
                step_uri(line.topic.slug, older.segment, newer.segment),
                PageKind.COMPARE,
                f"{line.topic.slug}, generations {older.generation.number} and {newer.generation.number} compared",
                lineage_crumbs(line),
                _step(line, before),
                _step(line, after + 1),
                newer.generation.day,
            )
            yield make_page(atlas, place, partial(_compare, atlas, line, place, older, newer))


def _step(line: Lineage, position: int) -> PageLink | None:
    """The comparison that leads to the generation at a position."""
    if not 1 <= position < len(line.items):
        return None
    older, newer = line.items[position - 1 : position + 1]
    title = f"Generations {older.generation.number} and {newer.generation.number}"
    return PageLink(title, step_uri(line.topic.slug, older.segment, newer.segment))


def _compare(atlas: Atlas, line: Lineage, place: Place, older: GenerationItem, newer: GenerationItem) -> CompareView:
    one, other = older.generation, newer.generation
    refs = dict.fromkeys(parse_source_refs(one.blob.text) + parse_source_refs(other.blob.text))
    retitled = _NUMBERS.sub("", one.title) != _NUMBERS.sub("", other.title)
    return CompareView(
        topic_badge(atlas, line.topic),
        _side(older),
        _side(newer),
        (printable(one.title), printable(other.title)) if retitled else None,
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
        tuple((ref, source_link(atlas, ref)) for ref in refs),
    )


def _side(item: GenerationItem) -> Side:
    generation = item.generation
    return Side(
        generation_link(item),
        generation.number,
        generation.day,
        generation.covers,
        item.deletion is not None,
        generation.blob.id,
        generation.blob.text,
    )
