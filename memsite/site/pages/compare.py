"""What changed from one generation of a topic to the next."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial

from memsite.memory.generation_parts import bare_title, split_references
from memsite.memory.source_refs import Citation, parse_citations
from memsite.site.pages.addresses import compare_any_uri, pair_anchor, printable, step_uri
from memsite.site.pages.ancestry import Ancestry, ancestries
from memsite.site.pages.articles import source_link
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import generation_link, topic_link
from memsite.site.pages.differences import TOO_LONG, UNKNOWN, Difference, compare_texts
from memsite.site.pages.documents import cut_words
from memsite.site.pages.generations import lineage_crumbs
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link, SourceLink
from memsite.site.passages import describe_change
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass, field


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
    cut: str = ""
    """How long the text is of which only the beginning is read."""


@dataclass(frozen=True, slots=True)
class CompareView:
    """Two consecutive generations. The comparison itself is made when the page is."""

    topic: Link
    older: Side
    newer: Side
    retitled: tuple[str, str] | None
    """Both titles, where more than the number in them changed."""
    others: Link
    """The comparison of any two, with these picked."""
    previous: Link | None
    following: Link | None
    supports: tuple[tuple[Citation, SourceLink], ...]
    """Where the source references of both lead."""

    def differences(self) -> tuple[Difference, Difference]:
        """What changed in the text, and what in the source references."""
        if self.cut:
            return TOO_LONG, UNKNOWN
        old, new = split_references(self.older.text), split_references(self.newer.text)
        supports = dict(self.supports)
        return compare_texts(old[0], new[0], supports), compare_texts(old[1], new[1], supports)

    @property
    def cut(self) -> bool:
        """Whether one of them is too long to be read as a whole."""
        return bool(self.older.cut or self.newer.cut)

    @staticmethod
    def lead(text: Difference, references: Difference) -> str:
        """What changed, in a line."""
        return describe_change(text.summary, text=text.changed, references=references.changed)


def compare_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each pair of consecutive generations, and each that was one until another came between them."""
    for line in atlas.lineages:
        places = {item.generation.path: number for number, item in enumerate(line.items)}
        known = tuple(ancestries(line))
        for one, other in atlas.segments.steps(tuple(places)):
            before, after = places[one], places[other]
            older, newer = line.items[before], line.items[after]
            place = Place(
                step_uri(line.topic.slug, older.segment, newer.segment),
                PageKind.COMPARE,
                f"{line.topic.slug}, generations {older.generation.number} and {newer.generation.number} compared",
                lineage_crumbs(line),
                _step(line, before),
                _step(line, after + 1),
                newer.generation.day,
            )
            yield make_page(atlas, place, partial(_compare, atlas, place, older, known[after]))


def _step(line: Lineage, position: int) -> PageLink | None:
    """The comparison that leads to the generation at a position."""
    if not 1 <= position < len(line.items):
        return None
    older, newer = line.items[position - 1 : position + 1]
    title = f"Generations {older.generation.number} and {newer.generation.number}"
    return PageLink(title, step_uri(line.topic.slug, older.segment, newer.segment))


def _compare(atlas: Atlas, place: Place, older: GenerationItem, ancestry: Ancestry) -> CompareView:
    newer, slug = ancestry.item, ancestry.item.generation.topic
    one, other = older.generation, newer.generation
    citing = {ref: item for item in (older, newer) for ref in parse_citations(item.generation.blob.text)}
    retitled = bare_title(one.title) != bare_title(other.title)
    return CompareView(
        topic_link(slug),
        _side(older),
        _side(newer),
        (printable(one.title), printable(other.title)) if retitled else None,
        Link("Compare others", compare_any_uri(slug), pair_anchor(older.segment, newer.segment)),
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
        tuple((ref, source_link(atlas, ancestry.items, item, ref)) for ref, item in citing.items()),
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
        cut_words(generation.blob),
    )
