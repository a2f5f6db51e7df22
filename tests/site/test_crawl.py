"""A crawler over built sites: whatever a page leads to is there, anchors too, and nothing leads above the site."""

from __future__ import annotations

import posixpath
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from bench.memories import make_memory
from memsite.repo.workspace import open_workspace
from memsite.site.build import build_site
from tests.conftest import Demo

BELOW = "/user/memory/"
"""Where the sites are taken to stand: below a host's sub-path."""


class Reader(HTMLParser):
    """The ids of a page, and what it leads to or loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what matters of an element of any kind."""
        del tag
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.targets.add(value)


def read(path: Path) -> Reader:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def broken_links(site: Path) -> list[tuple[str, str]]:
    """(page, what it leads to) for everything that is not there."""
    pages = {path.relative_to(site).as_posix(): read(path) for path in sorted(site.rglob("index.html"))}
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    return [
        (name, target)
        for name, page in pages.items()
        for target in sorted(page.targets)
        if not urlsplit(target).scheme and not _is_there(posixpath.dirname(name), target, pages, files)
    ]


def _is_there(folder: str, target: str, pages: dict[str, Reader], files: set[str]) -> bool:
    page = f"http://host{BELOW}{folder}/" if folder else f"http://host{BELOW}"
    url = urlsplit(urljoin(page, target))
    if not url.path.startswith(BELOW):
        return False
    name = unquote(url.path.removeprefix(BELOW))
    name += "index.html" if not name or name.endswith("/") else ""
    anchor = unquote(url.fragment)
    return name in files and (not anchor or anchor.startswith("__") or anchor in pages[name].ids)


def test_no_link_of_the_demo_is_broken(demo: Demo) -> None:
    assert broken_links(demo.site) == []


@pytest.mark.parametrize("days", [45])
def test_no_link_of_a_generated_memory_is_broken(days: int, tmp_path: Path) -> None:
    made = make_memory(tmp_path / "memory", days=days, seed=7, last=date(2026, 6, 30))
    build_site(open_workspace(made.root))
    assert len(list((made.root / "site/history").iterdir())) > days / 2
    assert broken_links(made.root / "site") == []


def test_a_broken_link_and_a_lost_anchor_are_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text('<a href="a/#x"></a><a href="a/#y"></a><a href="b/"></a><a href="#z"></a>')
    (tmp_path / "a/index.html").write_text('<p id="x"><a href="../"></a><a href="../../"></a><img src="c.png"></p>')
    assert broken_links(tmp_path) == [
        ("a/index.html", "../../"),
        ("a/index.html", "c.png"),
        ("index.html", "#z"),
        ("index.html", "a/#y"),
        ("index.html", "b/"),
    ]
