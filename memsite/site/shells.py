"""What stands around an article: the theme's page, rendered once for all pages that share it.

Pages of one kind in one folder differ in few places. These are slots: plain texts and pieces of HTML that the theme's
templates write and never look into, but for whether they are empty. A shell is the template with a mark in each slot,
cut at the marks; a page is a shell with its slots filled. That takes a tenth of the time, and gives the same bytes: a
test compares every page of a site with the whole template.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from jinja2 import Template
from markupsafe import Markup, escape
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink, TableOfContents

from memsite.site.files import SpecPage
from memsite.site.links import relative_url
from memsite.site.nav import parents
from memsite.site.spec import PageLink, PageSpec
from memsite.site.templating import environment
from memsite.values import dataclass, field

Slots = Mapping[str, str]
"""By name, as HTML: `title`, `heading`, `canonical`, `previous_url`, `previous_title`, `following_url`,
`following_title`, `feeds`, `markdown`, `crumbs`, `toc`."""
_MARK = re.compile("\0(?:<h1)?([a-z_]+)\0")
_BREAKS = re.compile(r"\s*\n\s*")
_KEPT_AS_IT_IS = ("<pre", "<textarea")


def page_slots(page: SpecPage | None, feeds: Iterable[PageLink] = (), markdown: str = "") -> Slots:
    """What is a page's own around its article. `markdown` is the version of its Markdown; empty where it has none."""
    if page is None:
        return dict.fromkeys(("title", "heading", "canonical", "previous_url", "following_url", "markdown"), "")
    spec = page.spec
    pieces = environment().get_template("shell.html").module
    found = {
        "title": "" if page.is_homepage else escape(Markup(page.title).striptags()),  # noqa: S704 - escaped before
        "heading": escape(page.title or ""),
        "canonical": escape(page.canonical_url or ""),
        "feeds": pieces.feeds([_link(feed, spec) for feed in feeds]),  # type: ignore[attr-defined]  # a template's macro
        "markdown": escape(markdown),
        "crumbs": pieces.crumbs([_link(link, spec) for link in spec.crumbs]),  # type: ignore[attr-defined]  # as above
        "toc": pieces.toc(_entries(page.toc)),  # type: ignore[attr-defined]  # as above
    }
    for name, link in (("previous", spec.previous), ("following", spec.following)):
        found[f"{name}_url"] = escape(relative_url(link.uri, spec.uri)) if link else ""
        found[f"{name}_title"] = escape(link.title) if link else ""
    return found


class _ShellLink(NamedTuple):
    title: str
    url: str


class _TocEntry(NamedTuple):
    anchor: Markup
    title: Markup
    label: str
    children: Sequence[_TocEntry]


def _link(link: PageLink, page: PageSpec) -> _ShellLink:
    return _ShellLink(link.title, relative_url(link.uri, page.uri))


def _entries(toc: Iterable[AnchorLink]) -> list[_TocEntry]:
    """The entries of a table of contents, whose titles and anchors MkDocs has as HTML."""
    items = list(toc)
    if items and items[0].level == 1:
        items = items[0].children
    return [
        _TocEntry(
            Markup(item.id),  # noqa: S704 - escaped by `nest_headings`
            Markup(item.title),  # noqa: S704 - as above
            Markup(item.title).striptags(),  # noqa: S704 - as above
            _entries(item.children),
        )
        for item in items
    ]


@dataclass(frozen=True, slots=True)
class Shell:
    """A page without what is its own: text, the name of a slot, text, and so on."""

    parts: tuple[str, ...]

    @staticmethod
    def cut(html: str) -> Shell:
        """The shell of a page whose slots hold marks. Its white space is that of HTML: a break is as good as five."""
        parts = _MARK.split(html)
        if not any(tag in text for text in parts[::2] for tag in _KEPT_AS_IT_IS):
            parts[::2] = [_BREAKS.sub("\n", text) for text in parts[::2]]
        return Shell(tuple(parts))

    def fill(self, slots: Slots) -> str:
        """The page."""
        found = list(self.parts)
        found[1::2] = [slots[name] for name in found[1::2]]
        return "".join(found)


@dataclass
class Shells:
    """The theme's template for pages, in the place of that template itself: MkDocs calls `render` for every page."""

    template: Template
    _kept: dict[tuple[object, ...], Shell] = field(default_factory=dict)
    _apart: frozenset[str] | None = None

    def render(self, context: Mapping[str, Any]) -> str:
        """The page of a context in which `memsite.slots` are those of `page_slots`."""
        page, memsite = context["page"], context["memsite"]
        if not isinstance(page, SpecPage):
            return self.template.render(context)
        content = page.content or ""
        place = _place(page, self._apart_in(context["nav"]))
        key = (place, memsite["kind"], "<h1" in content, _filled(page, memsite["slots"]))
        shell = self._kept.get(key) or self._make(context, page, memsite)
        if place != page.spec.uri:  # else no other page has it
            self._kept[key] = shell
        return shell.fill({**memsite["slots"], "content": content, "skip": _first_anchor(page)})

    def _apart_in(self, nav: Navigation) -> frozenset[str]:
        """The addresses of the pages in the navigation, and of all above them: each sees it in its own way."""
        if self._apart is None:
            uris = {page.spec.uri for page in nav.pages if isinstance(page, SpecPage)}
            self._apart = frozenset(uris.union(*map(parents, uris)))
        return self._apart

    def _make(self, context: Mapping[str, Any], page: SpecPage, memsite: Mapping[str, Any]) -> Shell:
        """The shell of a page that is the first of its kind."""
        marks = {name: Markup(f"\0{name}\0") if value else "" for name, value in memsite["slots"].items()}  # noqa: S704
        content, toc = page.content or "", page.toc
        page.content = "\0<h1content\0" if "<h1" in content else "\0content\0"
        page.toc = TableOfContents([AnchorLink("", "\0skip\0", 2)] if len(toc) else [])
        try:
            return Shell.cut(self.template.render({**context, "memsite": {**memsite, "slots": marks}}))
        finally:
            page.content, page.toc = content, toc


def _first_anchor(page: Page) -> str:
    return next((item.id for item in page.toc), "")


def _filled(page: Page, slots: Slots) -> frozenset[str]:
    """The names of the slots that are not empty."""
    return frozenset({name for name, value in slots.items() if value} | ({"skip"} if len(page.toc) else set()))


def _place(page: SpecPage, apart: Container[str]) -> object:
    """What the navigation and all relative addresses of a page depend on: its folder, or itself."""
    uri = page.spec.uri
    return uri if uri in apart else (next(parents(uri), ""), id(page.parent))
