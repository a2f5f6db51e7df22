"""Our pages and files in MkDocs' own terms: `File`s without a file behind them, `Page`s that render themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from markupsafe import escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from memsite.errors import UnsafePathError
from memsite.site.output import has_bytes, write_file
from memsite.site.spec import Heading, PagePart, PageSpec

OURS = "memsite"
log = get_plugin_logger(__name__)


class SpecFile(File):
    """The file of a page that exists as a PageSpec only. Whether it is modified is decided by keys, not by times."""

    def __init__(
        self, spec: PageSpec, config: MkDocsConfig, *, in_nav: bool = False, heads_section: bool = True
    ) -> None:
        if {".", "..", ""} & set(spec.uri.split("/")[:-1]) or spec.uri[-1:] not in ("", "/"):
            raise UnsafePathError("is no address of a page", where=spec.uri)
        super().__init__(
            f"{spec.uri}index.md",
            src_dir=None,
            dest_dir=config.site_dir,
            use_directory_urls=True,
            dest_uri=f"{spec.uri}index.html",
            inclusion=InclusionLevel.INCLUDED if in_nav else InclusionLevel.NOT_IN_NAV,
        )
        if not heads_section:
            self.name = "page"  # MkDocs takes every `index` for the head of the section that it stands in
        self.generated_by = OURS
        self.content_string = ""
        self.spec = spec
        self.key = ""
        self.late_key: Callable[[], str] | None = None
        """Makes the key where it is not known yet."""
        self.held_key = ""
        """By which the file that is there was made, if it may stay: when `late_key` makes this one."""
        self.stale = True

    def is_modified(self) -> bool:
        """Whether the page must be rendered; MkDocs asks in an incremental build only."""
        return self.stale


FIRST_DAY, LAST_DAY = date(1970, 1, 2), date(2099, 12, 31)
"""What a site map may say: MkDocs packs it with this as a 32-bit time. A note's own date may be any."""


_NO_TOC, _NO_ANCHORS = get_toc([]), set[str]()
"""Of all pages that are forgotten."""


class SpecPage(Page):
    """The page of a SpecFile. Its title is known from the start, escaped: Material writes titles as they are."""

    def __init__(self, file: SpecFile, config: MkDocsConfig, today: date) -> None:
        super().__init__(escape(file.spec.title), file, config)
        self.spec = file.spec
        self.spec_file = file
        self.update_date = min(max(self.spec.day or today, FIRST_DAY), LAST_DAY).isoformat()
        self.canonical_url = _escaped(self.canonical_url)
        self.abs_url = _escaped(self.abs_url)
        self.is_late = False
        """Whether the article is made when the page is written and then forgotten, not when MkDocs reads all pages."""

    def render(self, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002 - MkDocs' signature
        """Make the article: instead of Python-Markdown, the spec's own content."""
        self._title_from_render = self.title
        if self.is_late:
            self.forget()
        else:
            self.make()

    def make(self) -> None:
        """Make the article, and the key where that is not known yet."""
        settle_key(self.spec_file)
        content = self.spec.content()
        if content.failure:
            log.warning(f"{self.spec.uri or 'home'}: {content.failure}")
            self.spec_file.key = ""  # not done: the next build tries again
        self.content = content.html
        self.toc = get_toc(nest_headings(content.headings))
        self.present_anchor_ids = set(content.anchors)

    def forget(self) -> None:
        """Be a page without its article: of thousands of pages one at a time has it."""
        self.content, self.toc, self.present_anchor_ids = "", _NO_TOC, _NO_ANCHORS


def part_src(uri: str) -> str:
    """What MkDocs calls a part: a page has the name `index.md`."""
    return f"{uri}.part"


class PartFile(File):
    """The file of a PagePart: made when it is written, which keys decide."""

    def __init__(self, part: PagePart, key: str, config: MkDocsConfig) -> None:
        super().__init__(
            part_src(part.uri),
            src_dir=None,
            dest_dir=config.site_dir,
            use_directory_urls=True,
            dest_uri=part.uri,
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        self.generated_by = OURS
        self.content_bytes = b""
        self.part = part
        self.key = key
        self.late_key: Callable[[], str] | None = None
        """As of a page."""
        self.held_key = ""
        """As of a page."""
        self.stale = True

    def copy_file(self, dirty: bool = False) -> None:
        """Make and write it, unless an incremental build has it already."""
        if not dirty or self.is_modified():
            self.write()

    def write(self) -> None:
        """Make and write it, and its key where that is not known yet; nothing else of it is kept."""
        settle_key(self)
        write_file(self.abs_dest_path, self.part.content())

    def is_documentation_page(self) -> bool:
        """Never, whatever its suffix."""
        return False

    def is_modified(self) -> bool:
        """Whether it must be written; MkDocs asks in an incremental build only."""
        return self.stale


def settle_key(file: SpecFile | PartFile) -> bool:
    """Make the key of a file where it is not known yet; whether the file that is there was made by it and stays."""
    if file.late_key is None:
        return False
    file.key, file.late_key = file.late_key(), None
    return bool(file.key) and file.key == file.held_key


class BytesFile(File):
    """A file of the site whose bytes are known: style sheets, scripts, images of the memory."""

    def __init__(self, uri: str, data: bytes, config: MkDocsConfig) -> None:
        super().__init__(
            uri,
            src_dir=None,
            dest_dir=config.site_dir,
            use_directory_urls=True,
            dest_uri=uri,
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        self.generated_by = OURS
        self.content_bytes = data

    def copy_file(self, dirty: bool = False) -> None:
        """Write it, unless an incremental build has it already."""
        if not dirty or self.is_modified():
            write_file(self.abs_dest_path, self.content_bytes)

    def is_documentation_page(self) -> bool:
        """Never, whatever its suffix."""
        return False

    def is_modified(self) -> bool:
        """Whether the site has other bytes."""
        return not has_bytes(self.abs_dest_path, self.content_bytes)


def _escaped(url: str | None) -> str | None:
    return None if url is None else escape(url)


def nest_headings(headings: Iterable[Heading]) -> list[Any]:
    """A flat table of contents as MkDocs' nested tokens. Titles become HTML."""
    top: list[Any] = []
    path: list[Any] = []
    for heading in headings:
        token = {
            "level": heading.level,
            "id": str(escape(heading.anchor)),
            "name": str(escape(heading.title)),
            "children": [],
        }
        while path and path[-1]["level"] >= heading.level:
            path.pop()
        (path[-1]["children"] if path else top).append(token)
        path.append(token)
    return top
