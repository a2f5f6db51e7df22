"""From a view to a page: its key, and its article when it is asked for. What fails on one page stays on that page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Generic, TypeVar

from markupsafe import Markup

from memsite.memory.model import GenerationRef
from memsite.memory.source_refs import Citation
from memsite.site.facts import EVERYTHING, name_of
from memsite.site.links import LinkResolver, markdown_uri, raw_uri, relative_url
from memsite.site.markdown import HEAD, RenderedMarkdown, SentenceMark, plain_html, render_markdown
from memsite.site.markdown_citations import CitationMark
from memsite.site.pages import dates
from memsite.site.pages.addresses import printable
from memsite.site.pages.ancestry import Ancestry
from memsite.site.pages.atlas import (
    Atlas,
    GenerationItem,
    Lineage,
    LogItem,
    NoteItem,
    PageItem,
)
from memsite.site.pages.fact_values import item_name, lineage_name
from memsite.site.pages.views import Document, Link, SourceLink
from memsite.site.spec import Content, Heading, LateKey, PageKind, PageLink, PagePart, PageSpec, SiteIdentity
from memsite.site.templating import render_template
from memsite.site.time_limit import PAGE_SECONDS, TEXT_SECONDS, StoppedError, time_limit
from memsite.values import dataclass, field, replace

FAULTS = (Exception, StoppedError)
"""Whatever it is, one page never stops the others."""
TOO_SLOW = "This text takes too long to be rendered: its beginning, as it is."
V = TypeVar("V")
View = object
"""A frozen dataclass of plain values, different for each kind of page."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The view of a page that could not be made."""

    title: str
    reason: str
    path: str
    text: str = field(default="", repr=False)
    """The beginning of what it would have shown."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands; everything of a PageSpec but its article and its key."""

    uri: str
    kind: PageKind
    title: str
    crumbs: tuple[PageLink, ...] = ()
    previous: PageLink | None = None
    following: PageLink | None = None
    day: date | None = None
    source: PurePosixPath | None = None
    in_nav: bool = False
    names: tuple[str, ...] = ()
    superseded: bool = False


class Sheet:
    """What a template draws on: makes hrefs for its page and collects headings and anchors in their order."""

    def __init__(self, uri: str, resolver: LinkResolver) -> None:
        self.uri = uri
        self._resolver = resolver
        self._headings: list[Heading] = []
        self._anchors: set[str] = set()
        self._steps: dict[str, int] = {}
        self._stopped = ""
        self.last: Document | None = None
        """The document that was begun last."""
        self._cited: frozenset[Citation] = frozenset()
        """What it shows as links of its source references."""

    def href(self, link: Link) -> str:
        """The relative address of a link."""
        return self.to(link.uri, link.anchor)

    def to(self, uri: str, anchor: str = "") -> str:
        """The relative address of a page and a place on it."""
        return relative_url(f"{uri}#{anchor}" if anchor else uri, self.uri)

    def section(self, anchor: str, title: str, level: int = 2) -> str:
        """Enter a heading into the table of contents; returns the anchor to put on it."""
        self._headings.append(Heading(level, self.anchor(anchor), title))
        return anchor

    def anchor(self, anchor: str) -> str:
        """Make an id a place that links may point at."""
        self._anchors.add(anchor)
        return anchor

    def document(self, document: Document, offset: int = 1, marks: Sequence[SentenceMark] = ()) -> Markup:
        """A document as HTML, its headings `offset` levels deeper, entered into the table of contents.

        `marks` go behind its sentences.
        """
        return self.halves(document, offset, marks)[1]

    def halves(self, document: Document, offset: int = 1, marks: Sequence[SentenceMark] = ()) -> tuple[Markup, Markup]:
        """The same in two parts: before the line at which it is parted, and after it."""
        self._cited = frozenset()
        if document.cut:
            return Markup(), self._beginning(document)
        self.last = document
        try:
            with time_limit(TEXT_SECONDS):
                rendered = self._rendered(document, offset, marks)
        except StoppedError:
            self._stopped = (
                f"{printable(document.path)} takes longer than {TEXT_SECONDS:.0f} s to render, and was stopped"
            )
            return Markup(), beginning(document.text, TOO_SLOW, self._whole())
        self._steps[document.blob] = rendered.steps
        self._cited = rendered.cited
        self._headings += rendered.headings
        self._anchors |= rendered.anchors
        return Markup(rendered.above), Markup(rendered.html)  # noqa: S704 - cleaned by render_markdown, its contract

    def beside(self, sources: Iterable[tuple[Citation, SourceLink]]) -> list[SourceLink]:
        """Those of a point's sources that its text, the document begun last, does not show where it cites them."""
        return [link for ref, link in sources if ref not in self._cited]

    def _rendered(self, document: Document, offset: int, marks: Sequence[SentenceMark]) -> RenderedMarkdown:
        return render_markdown(
            document.text,
            resolve=self._resolver.for_page(document.path, self.uri),
            line_anchors=document.anchored,
            heading_prefix=document.prefix,
            heading_offset=offset,
            first_line=max(document.part[0], 1),
            split=document.split,
            marks=marks,
            cited={ref: self._citation(source) for ref, source in document.cited},
            names=document.names,
            whole=self._whole(),
            steps=self._steps.get(document.blob, 0),
        )

    def _citation(self, source: SourceLink) -> CitationMark:
        href = self.href(source.link) if source.link else ""
        return CitationMark(source.text, href, source.classes, source.title)

    def _whole(self) -> str:
        """Where the text of the page is as Markdown."""
        return relative_url(markdown_uri(self.uri), self.uri)

    def _beginning(self, document: Document) -> Markup:
        """What is shown of a text that is too long to be read as a whole."""
        reason = f"This text is too long to be rendered ({document.cut}): its beginning, as it is."
        return beginning(document.text, reason, relative_url(raw_uri(document.blob), self.uri))

    def failed(self, failure: Failure) -> Markup:
        """The beginning of the text of a page that could not be made."""
        return beginning(failure.text, "The beginning of its text, as it is.", self._whole())

    def content(self, html: str) -> Content:
        """The finished article."""
        return Content(html, tuple(self._headings), frozenset(self._anchors), self._stopped)


def beginning(text: str, reason: str, whole: str) -> Markup:
    """The beginning of a text that is not rendered, why, and a link to `whole`."""
    return Markup(plain_html(text, reason, whole))  # noqa: S704 - made by a template that escapes


def make_page(atlas: Atlas, place: Place, view: Callable[[], View], parts: Iterable[PagePart] = ()) -> PageSpec:
    """A page from its place, its view and its parts. A view that cannot be made becomes a page that says why."""
    shown = Once(partial(_try, atlas, place, view))

    def about() -> object:
        return place, given(atlas, view)

    return PageSpec(
        uri=place.uri,
        kind=place.kind,
        title=printable(place.title),
        key=late_key(atlas, f"page {place.uri}", about, lambda: _key_of(place, shown()), place.kind.value),
        content=lambda: draw(atlas.resolver, place, shown.take()),
        crumbs=place.crumbs,
        previous=place.previous,
        following=place.following,
        day=place.day,
        names=place.names,
        superseded=place.superseded,
        source=place.source,
        in_nav=place.in_nav,
        parts=tuple(parts),
    )


def late_key(atlas: Atlas, name: str, about: Callable[[], object], make: Callable[[], str], *before: str) -> LateKey:
    """The key of a file that is made of what is read in the atlas, and of what it is `about`; `before` stands in front
    of it."""

    def find() -> tuple[str, ...] | None:
        found = atlas.find_key(name, about())
        return None if found is None else (*before, found)

    return LateKey(lambda: (*before, atlas.key(name, about(), make)), find if atlas.is_keeping else None)


def _source_text(atlas: Atlas, place: Place) -> str:
    blob = atlas.last_blobs.get(place.source) if place.source else None
    return blob.text if blob else ""


class Once(Generic[V]):
    """What a function returns, called when it is first wanted."""

    def __init__(self, make: Callable[[], V]) -> None:
        self._make = make
        self._made: list[V] = []

    def __call__(self) -> V:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]

    def take(self) -> V:
        """The same for the last time: it is not kept."""
        self()
        return self._made.pop()


def _try(atlas: Atlas, place: Place, view: Callable[[], View]) -> View:
    try:
        with time_limit(PAGE_SECONDS):
            return view()
    except FAULTS as error:
        return _failure(place, error, _source_text(atlas, place))


def _key_of(place: Place, shown: View) -> str:
    return sha256(repr((place, shown)).encode("utf-8", "backslashreplace")).hexdigest()


def given(atlas: Atlas, view: Callable[[], View]) -> object:
    """A name for what a view is given besides the atlas. What has none is everything, to be on the safe side."""
    if isinstance(view, partial) and not view.keywords:
        return [_given(atlas, value) for value in view.args if value is not atlas]
    return atlas.fact(EVERYTHING)


def _given(atlas: Atlas, value: object) -> object:
    match value:
        case Place() | SiteIdentity() | GenerationRef() | date() | str() | int() | None | PurePosixPath():
            return value
        case tuple() if all(isinstance(one, str | int) for one in value):
            return value
        case tuple() if all(isinstance(one, PagePart) for one in value):
            return [(one.uri, one.key) for one in value]
        case NoteItem() | LogItem() | GenerationItem() | PageItem():
            return item_name(value)
        case Ancestry():
            return value.name
        case Lineage():
            return atlas.once(("lineage", value.topic.slug), lambda: name_of(lineage_name(value)))
    return atlas.fact(EVERYTHING)


def draw(resolver: LinkResolver, place: Place, view: View) -> Content:
    """The article of a page; a failure within it becomes an article that says so."""
    if isinstance(view, Failure):
        return _draw_failure(resolver, place, view)
    sheet = Sheet(place.uri, resolver)
    try:
        with time_limit(PAGE_SECONDS):
            return _draw(sheet, view, place.kind.value)
    except FAULTS as error:
        return _draw_failure(resolver, place, _failure(place, error, sheet.last.text if sheet.last else ""))


def _draw_failure(resolver: LinkResolver, place: Place, failure: Failure) -> Content:
    article = _draw(Sheet(place.uri, resolver), failure, "failure")
    return replace(article, failure=f"this page could not be made: {failure.reason}")


def _draw(sheet: Sheet, view: View, template: str) -> Content:
    html = render_template(f"pages/{template}.html", view=view, sheet=sheet, dates=dates)
    return sheet.content(html)


def _failure(place: Place, error: BaseException, text: str) -> Failure:
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:400]
    if isinstance(error, StoppedError):
        reason = f"it takes longer than {PAGE_SECONDS:.0f} s, and was stopped"
    return Failure(printable(place.title), printable(reason), printable(place.source or ""), text[:HEAD])
