"""What the user's own `nav` adds to the navigation: pages of the memory, links to elsewhere, sections of both."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from markupsafe import escape
from mkdocs.plugins import get_plugin_logger

from memsite.safety.html import is_safe_link
from memsite.site.spec import PageSpec
from memsite.values import dataclass, field

MAX_ENTRIES = 60
"""Each entry costs time and room on every page."""
MAX_DEPTH = 4
"""Sections within sections."""
OUTSIDE = ("http://", "https://", "mailto:")
log = get_plugin_logger(__name__)

FindPage = Callable[[str], str | None]
"""A path as `nav` has it -> the address of our page, or None."""


@dataclass
class OwnNav:
    """The user's entries, in MkDocs' form, to stand after ours."""

    entries: list[Any] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    """By address: what the user calls a page that is not in the navigation by itself; empty: its own title."""


def page_finder(pages: Mapping[str, PageSpec], memory: PurePosixPath) -> FindPage:
    """Pages by their file, relative to the memory folder as in MkDocs (`../MEMORY.md` for one above), or address."""
    sources = {str(spec.source): uri for uri, spec in pages.items() if spec.source is not None}

    def find(path: str) -> str | None:
        uri = sources.get(posixpath.normpath(posixpath.join(str(memory), path)))
        address = path.strip("/") + "/"
        return uri if uri is not None else address if address in pages else None

    return find


def read_own_nav(nav: Any, find: FindPage, placed: Container[str], known: Container[str]) -> OwnNav:
    """Read a `nav` as MkDocs has checked it.

    `placed` are the addresses that the navigation has by itself, `known` the files of other plugins. What leads nowhere
    is left out, with a warning.
    """
    reader = _Reader(find, placed, known)
    reader.own.entries = list(reader.entries(nav))
    return reader.own


class _Reader:
    def __init__(self, find: FindPage, placed: Container[str], known: Container[str]) -> None:
        self._find, self._placed, self._known = find, placed, known
        self._count = 0
        self.own = OwnNav()

    def entries(self, nav: Any, depth: int = 0) -> Iterator[Any]:
        if depth > MAX_DEPTH:
            log.warning(f"mkdocs.yml: 'nav': sections deeper than {MAX_DEPTH} are left out")
            return
        for item in nav if isinstance(nav, list) else [nav]:
            pairs = item.items() if isinstance(item, dict) else [(None, item)]
            for title, value in pairs:
                yield from self._entry(title, value, depth)

    def _entry(self, title: Any, value: Any, depth: int) -> Iterator[Any]:
        if not isinstance(value, str):
            children = list(self.entries(value, depth + 1))
            if children:
                yield {escape(str(title)): children}
            return
        self._count += 1
        if self._count == MAX_ENTRIES + 1:
            log.warning(f"mkdocs.yml: 'nav': only its first {MAX_ENTRIES} entries are used")
        if self._count <= MAX_ENTRIES:
            yield from self._leaf("" if title is None else str(title), value)

    def _leaf(self, title: str, path: str) -> Iterator[Any]:
        uri = self._find(path)
        if uri is not None:
            if uri not in self._placed and uri not in self.own.titles:
                self.own.titles[uri] = title
                yield f"{uri}index.md"
        elif path in self._known:
            yield {escape(title): path} if title else path
        elif path.lower().startswith(OUTSIDE) and is_safe_link(path):
            yield {escape(title or path): str(escape(path))}
        else:
            log.warning(f"mkdocs.yml: 'nav': {path!r} is no page of the memory and no web address")
