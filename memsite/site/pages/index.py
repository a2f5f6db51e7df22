"""INDEX.md itself, as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from memsite.site.links import INDEX_URI
from memsite.site.pages.addresses import printable
from memsite.site.pages.atlas import Atlas
from memsite.site.pages.documents import naming_document
from memsite.site.pages.page import Place, make_page
from memsite.site.pages.problems import blob_notices, problem_notices
from memsite.site.pages.revisions import Revisions, revisions_of
from memsite.site.pages.views import Document, Notice
from memsite.site.spec import PageKind, PageSpec
from memsite.values import dataclass


@dataclass(frozen=True, slots=True)
class IndexView:
    """The file; `document` is None where there is none."""

    path: str
    notices: tuple[Notice, ...]
    document: Document | None
    revisions: Revisions


def index_pages(atlas: Atlas) -> Iterator[PageSpec]:
    """INDEX.md."""
    path = atlas.config.index_path
    source = path if atlas.index.blob else None
    place = Place(INDEX_URI, PageKind.INDEX, "Index", source=source, in_nav=True)
    yield make_page(atlas, place, partial(_index, atlas))


def _index(atlas: Atlas) -> IndexView:
    path, blob = atlas.config.index_path, atlas.index.blob
    notices = (*(blob_notices(blob) if blob else ()), *problem_notices(atlas.problems.get(path, ())))
    document = naming_document(atlas.resolver, path, blob) if blob else None
    return IndexView(printable(path), notices, document, revisions_of(atlas, path))
