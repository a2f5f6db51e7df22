"""The navigation: index pages and topics, nested by their addresses, bounded; and what of it a page shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from markupsafe import escape
from mkdocs.structure import StructureItem
from mkdocs.structure.nav import Navigation, Section

from memsite.site.files import SpecPage
from memsite.site.program import digest
from memsite.site.spec import PageKind, PageSpec
from memsite.values import dataclass, field

MAX_CHILDREN = 60
"""Entries of one section. What is beyond stands on the section's own page; each entry costs time on every page."""


@dataclass(slots=True)
class NavItem:
    """An index page and the index pages below it."""

    spec: PageSpec
    children: list[NavItem] = field(default_factory=list)


def nav_tree(pages: Iterable[PageSpec]) -> list[NavItem]:
    """Index pages and topics, each below the nearest one whose address its own begins with; home is above none."""
    items = {spec.uri: NavItem(spec) for spec in pages if spec.in_nav or spec.kind is PageKind.TOPIC}
    top: list[NavItem] = []
    for uri, item in items.items():
        parent = next((items[above] for above in parents(uri) if above in items), None)
        siblings = top if parent is None else parent.children
        if parent is None or len(siblings) < MAX_CHILDREN:
            siblings.append(item)
    return top


def parents(uri: str) -> Iterator[str]:
    """The addresses above one, nearest first, home left out: `daily/2025/03/` -> `daily/2025/`, `daily/`."""
    parts = uri.split("/")[:-1]
    for length in range(len(parts) - 1, 0, -1):
        yield "/".join(parts[:length]) + "/"


def nav_uris(tree: Iterable[NavItem]) -> Iterator[str]:
    """The addresses in a tree."""
    for item in tree:
        yield item.spec.uri
        yield from nav_uris(item.children)


def nav_config(tree: Iterable[NavItem]) -> list[dict[str, Any]]:
    """The tree as MkDocs' `nav` setting. A section's own page comes first in it, which makes it the section's link."""
    return [_entry(item) for item in tree]


def _entry(item: NavItem) -> dict[str, Any]:
    title, source = escape(item.spec.title), f"{item.spec.uri}index.md"
    return {title: [source, *nav_config(item.children)] if item.children else source}


def place_pages(nav: Navigation, pages: Iterable[SpecPage]) -> None:
    """Give each page outside the navigation the section that it belongs to, and all their own neighbours."""
    pages = list(pages)
    by_uri = {page.spec.uri: page for page in pages}
    sections = Sections(nav)
    in_nav = {id(page) for page in nav.pages}
    for page in pages:
        if id(page) not in in_nav:
            page.parent = sections.above(page.spec.uri)
        page.previous_page = by_uri.get(page.spec.previous.uri) if page.spec.previous else None
        page.next_page = by_uri.get(page.spec.following.uri) if page.spec.following else None


class Sections:
    """The section that a page outside the navigation belongs to: that of the nearest page above it that is in it."""

    def __init__(self, nav: Navigation) -> None:
        self._known = dict(_sections(nav.items))
        for page in nav.pages:
            if isinstance(page, SpecPage) and isinstance(page.parent, Section):
                self._known.setdefault(page.spec.uri, page.parent)

    def above(self, uri: str) -> Section | None:
        """The section of the page at a site URI, or None."""
        return next((self._known[above] for above in parents(uri) if above in self._known), None)


def _sections(items: Iterable[StructureItem]) -> Iterator[tuple[str, Section]]:
    for item in items:
        if isinstance(item, Section):
            first = item.children[0]
            if isinstance(first, SpecPage):
                yield first.spec.uri, item
            yield from _sections(item.children)


class VisibleNav:
    """What the sidebar of a page shows with `navigation.prune`: the top, and the sections that the page is in."""

    def __init__(self, nav: Navigation, *, pruned: bool) -> None:
        self._nav = nav
        self._pruned = pruned
        self._known: dict[int, str] = {}
        self._whole = digest(list(_shown(nav.items, deep=True)))

    def of(self, parent: StructureItem | None) -> str:
        """A name for what pages of a section show of items: titles, addresses, if more is below; in their order."""
        if not self._pruned:
            return self._whole
        if id(parent) not in self._known:
            levels: list[Iterable[StructureItem]] = [self._nav.items]
            above = parent
            while isinstance(above, Section):
                levels.append(above.children)
                above = above.parent
            self._known[id(parent)] = digest([entry for items in levels for entry in _shown(items, deep=False)])
        return self._known[id(parent)]


def _shown(items: Iterable[StructureItem], *, deep: bool) -> Iterator[tuple[str, str, bool]]:
    for item in items:
        is_section = isinstance(item, Section)
        first = item.children[0] if isinstance(item, Section) else item
        yield str(item.title), str(getattr(first, "url", "")), is_section
        if deep and isinstance(item, Section):
            yield from _shown(item.children, deep=True)
