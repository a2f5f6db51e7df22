"""What changed from one generation of a topic to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from memsite.site.pages.addresses import step_uri
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import generation_link, topic_badge
from memsite.site.pages.differences import Difference, compare_texts
from memsite.site.pages.generations import lineage_crumbs
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.views import Link, TopicBadge
from memsite.site.spec import PageKind, PageLink, PageSpec


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two generations."""

    link: Link
    number: int
    day: date
    deleted: bool
    blob: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CompareView:
    """Two consecutive generations. The comparison itself is made when the page is."""

    topic: TopicBadge
    older: Side
    newer: Side
    previous: Link | None
    following: Link | None

    def difference(self) -> Difference:
        """What changed, block by block."""
        return compare_texts(self.older.text, self.newer.text)


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
    return CompareView(
        topic_badge(atlas, line.topic),
        _side(older),
        _side(newer),
        Link(place.previous.title, place.previous.uri) if place.previous else None,
        Link(place.following.title, place.following.uri) if place.following else None,
    )


def _side(item: GenerationItem) -> Side:
    generation = item.generation
    return Side(
        generation_link(item),
        generation.number,
        generation.day,
        item.deletion is not None,
        generation.blob.id,
        generation.blob.text,
    )
