"""Any two generations of a topic, compared in the browser: the page, and the scripts that it loads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from hashlib import sha256

from memsite.memory.source_refs import Citation, parse_citations
from memsite.prose.diff import MAX_LENGTH
from memsite.site.facts import name_of
from memsite.site.pages.addresses import compare_any_uri, pair_anchor, since_anchor, step_uri
from memsite.site.pages.articles import source_link
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import choose_link, generation_link, topic_link
from memsite.site.pages.compare_data import generation_script
from memsite.site.pages.fact_values import item_name
from memsite.site.pages.generations import lineage_crumbs
from memsite.site.pages.lookups import place_of
from memsite.site.pages.page import Once, Place, make_page
from memsite.site.pages.views import Link, SourceLink
from memsite.site.spec import LateKey, PageKind, PagePart, PageSpec
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One generation that can be picked."""

    name: str
    """As the address has it: `2`."""
    number: int
    link: Link
    day: date
    covers: tuple[date, date] | None
    deleted: bool
    script: str
    """The address of its text."""
    version: str
    """Changes with what the script holds, so that no old copy of it is read."""
    step: Link | None
    """What it changed, as a page of its own."""
    since: Link | None
    """What became of it: the comparison with the newest; None for the newest and the one before."""


@dataclass(frozen=True, slots=True)
class CompareAnyView:
    """The generations of a topic, oldest first."""

    topic: Link
    choices: tuple[Choice, ...]
    anchors: tuple[str, ...]
    """The pairs that other pages lead to."""
    most: int = MAX_LENGTH
    """Characters of two texts that are compared."""


def compare_any_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """One page for each topic that has two generations."""
    for line in atlas.lineages:
        if len(line.items) > 1:
            uri = compare_any_uri(line.topic.slug)
            title = f"{line.topic.slug}, any two generations compared"
            place = Place(uri, PageKind.COMPARE_ANY, title, lineage_crumbs(line))
            parts = tuple(_part(atlas, line, item, uri) for item in line.items)
            steps = tuple(_step_anchors(atlas, line))
            yield make_page(atlas, place, partial(_view, line, parts, steps), parts)


def _part(atlas: Atlas, line: Lineage, item: GenerationItem, page: str) -> PagePart:
    generation = item.generation
    before = [one.generation.blob.id for one in line.items[: place_of(item, line.items)]]
    uri = f"{page}{item.segment}.js"
    supports = Once(partial(_supports, atlas, line, item))

    def key() -> tuple[str, ...]:
        cited = atlas.key(f"part {uri}", (item_name(item), before), lambda: name_of(list(supports().items())))
        return item.segment, generation.blob.id, generation.path.name, cited  # its title is made of the first and third

    return PagePart(uri, LateKey(key), lambda: generation_script(_name(item), generation, supports(), page))


def _supports(atlas: Atlas, line: Lineage, item: GenerationItem) -> dict[Citation, SourceLink]:
    return {ref: source_link(atlas, line.items, item, ref) for ref in parse_citations(item.generation.blob.text)}


def _name(item: GenerationItem) -> str:
    return item.segment.removeprefix("gen")


def _step_anchors(atlas: Atlas, line: Lineage) -> Iterator[str]:
    """What other pages call the steps; looked up where no view is made, which would be one of all topics' then."""
    segments = {item.generation.path: item.segment for item in line.items}
    return (pair_anchor(segments[one], segments[other]) for one, other in atlas.segments.steps(tuple(segments)))


def _view(line: Lineage, parts: tuple[PagePart, ...], steps: tuple[str, ...]) -> CompareAnyView:
    before: list[GenerationItem | None] = [None, *line.items]
    choices = tuple(
        _choice(line, number, older, part) for number, (older, part) in enumerate(zip(before, parts, strict=False))
    )
    anchors = sorted({*steps, *(since_anchor(item.segment) for item in line.items[:-1])})
    return CompareAnyView(topic_link(line.topic.slug), choices, tuple(anchors))


def _choice(line: Lineage, number: int, older: GenerationItem | None, part: PagePart) -> Choice:
    item, newest = line.items[number], len(line.items) - 1
    generation = item.generation
    step = None if older is None else Link("what it changed", step_uri(line.topic.slug, older.segment, item.segment))
    return Choice(
        _name(item),
        generation.number,
        generation_link(item),
        generation.day,
        generation.covers,
        item.deletion is not None,
        part.uri,
        sha256(repr(part.key).encode("utf-8", "backslashreplace")).hexdigest()[:12],
        step,
        choose_link(line.items, number) if number < newest - 1 else None,
    )
