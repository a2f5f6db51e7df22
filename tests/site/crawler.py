"""Walks over a built site as a browser would: every address on a page, resolved from where the page is served."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

REFERENCES = {"href", "src", "data", "poster", "action", "formaction", "cite", "srcset", "imagesrcset"}
"""Attributes that hold an address."""
URL_IN_STYLE = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)""")
COMPARED = re.compile(r"[0-9]+(?:-[0-9]+)?\.\.[0-9]+(?:-[0-9]+)?")
"""What stands behind `#` on a page that compares in the browser; no element has such an id."""
HOST = "https://memory.example"


@dataclass
class Parsed(HTMLParser):
    """What a page has and what it refers to."""

    path: Path
    ids: set[str] = field(default_factory=set)
    references: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Of each element, whatever its `tag`: its id, its addresses."""
        for name, value in attrs:
            name = name.rpartition(":")[2]
            if name == "id" and value:
                self.ids.add(value)
            elif name.endswith("srcset"):
                self.references += [part.split()[0] for part in (value or "").split(",") if part.split()]
            elif name in REFERENCES and value is not None:
                self.references.append(value)


@dataclass(frozen=True)
class Broken:
    """A reference that leads nowhere."""

    page: str
    reference: str
    why: str


def crawl(site: Path, below: str = "/") -> list[Broken]:
    """Every reference of the site that leads nowhere, or out of where it is served: the path `below`."""
    pages = {path: Parsed(path) for path in sorted(site.rglob("*.html"))}
    found: list[Broken] = []
    for path, page in pages.items():
        found += _broken(site, below, path, page.references, pages)
    for path in sorted(site.rglob("*.css")):
        found += _broken(site, below, path, _in_style(path), pages)
    return found


def _in_style(path: Path) -> Iterator[str]:
    for match in URL_IN_STYLE.finditer(path.read_text(encoding="utf-8")):
        yield match[1] or match[2]


def _broken(
    site: Path, below: str, path: Path, references: Iterable[str], pages: dict[Path, Parsed]
) -> Iterator[Broken]:
    name = path.relative_to(site).as_posix()
    base = urljoin(HOST, below + name.removesuffix("index.html"))
    for reference in dict.fromkeys(references):
        why = _why_broken(site, below, urljoin(base, reference), pages) if _is_ours(reference) else ""
        if why:
            yield Broken(name, reference, why)


def _is_ours(reference: str) -> bool:
    return not re.match(r"(?:https?|mailto|data|tel):", reference, re.IGNORECASE)


def _why_broken(site: Path, below: str, url: str, pages: dict[Path, Parsed]) -> str:
    parts = urlsplit(url)
    if not parts.path.startswith(below):
        return "leads out of the site"
    target = site / unquote(parts.path.removeprefix(below))
    target = target / "index.html" if parts.path.endswith("/") else target
    if not target.is_file():
        return "does not exist"
    fragment = unquote(parts.fragment)
    if not fragment or target not in pages or fragment in pages[target].ids:
        return ""
    compares = target.parent.name == "compare" and COMPARED.fullmatch(fragment)
    return "" if compares else "no such place on the page"
