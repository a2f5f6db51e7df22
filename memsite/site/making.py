"""Files of the site made and written, one after the other, with all that the next ones need to know of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import Template
from mkdocs.plugins import get_plugin_logger

from memsite.site.files import PartFile, SpecFile, SpecPage, settle_key
from memsite.site.log import deferred_warnings
from memsite.site.output import write_file
from memsite.site.search.documents import SearchDocument, plain_text
from memsite.site.search.pieces import index_document
from memsite.site.spec import PageKind
from memsite.site.time_limit import TEXT_SECONDS, StoppedError, time_limit
from memsite.values import dataclass, replace

SEARCHED = {
    PageKind.TOPIC,
    PageKind.GENERATION,
    PageKind.DAY,
    PageKind.SESSION_DAY,
    PageKind.HISTORY_DAY,
    PageKind.INDEX,
    PageKind.NOTE,
}
"""Kinds of pages that search finds; the others only list or compare what stands on these."""
Context = Mapping[str, Any]
"""What a template is given."""
log = get_plugin_logger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left of a file that is made, besides its bytes."""

    key: str
    """By which it was made; empty where the next build must try again."""
    piece: bytes | None
    """The page's part of the search index, as JSON."""
    warnings: tuple[str, ...]
    stays: bool = False
    """Whether nothing was made, because the file that is there was made by this key."""


class Maker:
    """Makes stale files, told apart by their number. Any process can make any of them."""

    def __init__(
        self,
        stale: Sequence[SpecFile | PartFile],
        pages: Mapping[str, SpecPage],
        template: Template,
        context: Callable[[SpecPage], Context],
    ) -> None:
        self._stale = stale
        self._pages = pages
        self._template = template
        self._context = context

    def make(self, number: int) -> Outcome:
        """Make and write one file, unless the key, where it is only made here, shows that it may stay."""
        file = self._stale[number]
        piece = None
        with deferred_warnings() as warnings:
            stays = settle_key(file)
            if isinstance(file, SpecFile):
                piece = None if stays else self._write_page(file)
            elif not stays:
                file.write()
        return Outcome(file.key, piece, tuple(warnings), stays)

    def _write_page(self, file: SpecFile) -> bytes | None:
        page = self._pages[file.spec.uri]
        page.make()
        page.active = True
        try:
            piece = read_piece(page, page.content or "")
            html = self._template.render(self._context(page))
            write_file(file.abs_dest_path, html.encode("utf-8", "xmlcharrefreplace"))
        finally:
            page.active = False
            page.forget()  # of thousands of pages one at a time has its article
        return piece


def read_piece(page: SpecPage, html: str) -> bytes | None:
    """What search takes from a page, as JSON: nothing of a kind that it does not find, of one that takes too long the
    title.
    """
    spec = page.spec
    if spec.kind not in SEARCHED:
        return None
    document = SearchDocument(spec.uri, spec.title, spec.kind.value, spec.day, "", spec.names, spec.superseded)
    try:
        with time_limit(TEXT_SECONDS):
            piece = index_document(replace(document, text=plain_text(html)))
    except StoppedError:
        log.warning(f"{spec.uri}: search finds its title alone: its text takes too long to be read")
        piece = index_document(document)
    return json.dumps(piece.as_json(), ensure_ascii=False).encode()
