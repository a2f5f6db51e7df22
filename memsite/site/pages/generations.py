"""Each generation of a topic: the document, and its place in the lineage."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial

from memsite.memory.model import GenerationRef
from memsite.site.links import topic_uri
from memsite.site.pages.addresses import TOPICS, lineage_uri, printable, step_uri
from memsite.site.pages.ancestry import Ancestry, ancestries
from memsite.site.pages.articles import Article, write_article
from memsite.site.pages.atlas import Atlas, GenerationItem, Lineage
from memsite.site.pages.cards import choose_link, topic_link
from memsite.site.pages.origins import Origins, origins_of
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.permalinks import first_free
from memsite.site.pages.problems import blob_notices, private_notices, problem_notices
from memsite.site.pages.revisions import Revisions, deletion_notice, revisions_of
from memsite.site.pages.views import Link, Notice
from memsite.site.spec import PageKind, PageLink, PageSpec
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class GenerationView:
    """One generation. `article` is None where the file does not exist."""

    topic: Link
    number: int
    current: bool | None
    """Whether it is what is believed now; None where nothing of the topic is, all of it being deleted."""
    title: str
    """The document's own, where it says more than the page's."""
    day: date | None
    created: date | None
    covers: tuple[date, date] | None
    path: str
    notices: tuple[Notice, ...]
    article: Article | None
    origins: Origins | None
    compare_before: Link | None
    compare_after: Link | None
    compare_any: Link | None
    revisions: Revisions | None


def generation_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """Each generation of each topic, those that INDEX.md names and nobody has included."""
    for line in atlas.lineages:
        for ancestry in ancestries(line):
            yield _generation_page(atlas, line, ancestry)
        taken = {item.uri: (item.uri,) for item in line.items}
        missing = {ref: (lineage_uri(line.topic.slug, f"gen{ref.number}"),) for ref in line.missing}
        uris = first_free((*taken.items(), *missing.items()))
        for ref in line.missing:
            yield _missing_page(atlas, line, ref, uris[ref])


def lineage_crumbs(line: Lineage) -> tuple[PageLink, ...]:
    """The way from the section down to the topic."""
    return (PageLink("Topics", TOPICS), PageLink(line.topic.slug, topic_uri(line.topic.slug)))


def _generation_page(atlas: Atlas, line: Lineage, ancestry: Ancestry) -> PageSpec:
    item = ancestry.item
    place = Place(
        item.uri,
        PageKind.GENERATION,
        f"{line.topic.slug}, generation {item.generation.number}",
        lineage_crumbs(line),
        _page_link(ancestry.before),
        _page_link(ancestry.after),
        item.generation.day,
        item.generation.path,
        superseded=item is not line.current or item.deletion is not None,
    )
    return make_page(atlas, place, partial(_generation, atlas, place, ancestry, not line.there))


def _page_link(item: GenerationItem | None) -> PageLink | None:
    return PageLink(f"Generation {item.generation.number}", item.uri) if item else None


def _generation(atlas: Atlas, place: Place, ancestry: Ancestry, is_gone: bool) -> GenerationView:
    item, before, after = ancestry.item, ancestry.before, ancestry.after
    generation = item.generation
    usual = f"generation {generation.number} consolidation" in generation.title.casefold()
    return GenerationView(
        topic_link(generation.topic),
        generation.number,
        None if is_gone else not place.superseded,
        "" if usual else printable(generation.title),
        generation.day,
        generation.created,
        generation.covers,
        printable(generation.path),
        tuple(_notices(atlas, item)),
        write_article(atlas, ancestry.items, item),
        origins_of(atlas, ancestry),
        _compare(before, item) if before else None,
        _compare(item, after) if after else None,
        choose_link(ancestry.items, ancestry.position),
        revisions_of(atlas, generation.path),
    )


def _compare(older: GenerationItem, newer: GenerationItem) -> Link:
    title = f"Compare generations {older.generation.number} and {newer.generation.number}"
    return Link(title, step_uri(newer.generation.topic, older.segment, newer.segment))


def _notices(atlas: Atlas, item: GenerationItem) -> Iterator[Notice]:
    generation = item.generation
    if item.deletion:
        yield deletion_notice(atlas, item.deletion)
    elif not generation.indexed:
        yield Notice("warning", "INDEX.md does not name this generation.")
    yield from private_notices(atlas.privacy, generation.path)
    yield from blob_notices(generation.blob)
    yield from problem_notices(atlas.problems.get(generation.path, ()))


def _missing_page(atlas: Atlas, line: Lineage, ref: GenerationRef, uri: str) -> PageSpec:
    title = f"{line.topic.slug}, generation {ref.number}"
    place = Place(uri, PageKind.GENERATION, title, lineage_crumbs(line), day=ref.day, superseded=True)
    return make_page(atlas, place, partial(_missing, line, ref))


def _missing(line: Lineage, ref: GenerationRef) -> GenerationView:
    path = printable(ref.path)
    notice = Notice(
        "warning",
        "This generation is missing.",
        detail=f"INDEX.md names {path} on line {ref.line}, and neither the folder nor the history has that file.",
    )
    badge = topic_link(line.topic.slug)
    return GenerationView(badge, ref.number, None, "", ref.day, None, None, path, (notice,), *[None] * 6)
