"""Addresses of memory files, and what their links mean."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsite.config import Config
from memsite.memory.model import (
    DailyNote,
    Generation,
    Index,
    Memory,
    OtherNote,
    SessionLog,
    Topic,
)
from memsite.memory.snapshot import Blob
from memsite.site.links import LinkResolver, relative_url

BLOB = Blob("0" * 40, b"")
DAY = date(2025, 3, 25)


def path(text: str) -> PurePosixPath:
    return PurePosixPath(text)


@pytest.fixture
def resolver() -> LinkResolver:
    generation = Generation(
        "personal-blog", 1, DAY, path("memory/consolidated/personal-blog-gen1-2025-03-25.md"), BLOB, "t"
    )
    memory = Memory(
        Index(path("memory/INDEX.md"), BLOB),
        topics=(
            Topic("personal-blog", "Projects", aliases=("the blog",), generations=(generation,)),
            Topic("博客", "Projects"),
        ),
        notes=(DailyNote(DAY, path("memory/2025-03-25.md"), BLOB, "t"),),
        session_logs=(SessionLog(DAY, path("memory/sessions/2025-03-25.md"), BLOB),),
        pages=(
            OtherNote(path("memory/plans/next year.md"), BLOB, "Next year", path("plans/next year")),
            OtherNote(path("MEMORY.md"), BLOB, "Long-term", path("MEMORY")),
        ),
        assets={path("memory/img/a b.png"): BLOB},
    )
    return LinkResolver(memory, Config())


@pytest.mark.parametrize(
    ("source", "href", "uri"),
    [
        ("memory/INDEX.md", "consolidated/personal-blog-gen1-2025-03-25.md", "topics/personal-blog/gen1/"),
        ("memory/consolidated/personal-blog-gen1-2025-03-25.md", "../2025-03-25.md#L3", "daily/2025-03-25/#L3"),
        ("memory/consolidated/personal-blog-gen1-2025-03-25.md", "2025-03-25.md", "daily/2025-03-25/"),
        ("memory/2025-03-25.md", "sessions/2025-03-25.md", "sessions/2025-03-25/"),
        ("memory/2025-03-25.md", "plans/next%20year.md", "notes/plans/next year/"),
        ("memory/2025-03-25.md", "plans/next%20year", "notes/plans/next year/"),
        ("memory/plans/next year.md", "../img/a%20b.png", "assets/memory/memory/img/a b.png"),
        ("memory/2025-03-25.md", "memory/INDEX.md", "index/"),
        ("memory/2025-03-25.md", "../MEMORY.md", "notes/MEMORY/"),
        ("memory/2025-03-25.md", "/memory/INDEX.md", "index/"),
        ("memory/2025-03-25.md", "[[personal-blog]]", "topics/personal-blog/"),
        ("memory/2025-03-25.md", "[[The Blog]]", "topics/personal-blog/"),
        ("memory/2025-03-25.md", "[[博客#now]]", "topics/博客/#now"),
        ("memory/2025-03-25.md", "[[博客#What's *new*, 博客?]]", "topics/博客/#whats-new-博客"),
        ("memory/2025-03-25.md", "[[博客#Plans#Next Year]]", "topics/博客/#next-year"),
        ("memory/2025-03-25.md", "[[博客#^a1b2c3]]", "topics/博客/"),
        ("memory/2025-03-25.md", "[[2025-03-25#L3]]", "daily/2025-03-25/#L3"),
        ("memory/2025-03-25.md", "[[gone#now]]", None),
        ("memory/2025-03-25.md", "[[a b.png]]", "assets/memory/memory/img/a b.png"),
        ("memory/2025-03-25.md", "[[2025-03-25]]", "daily/2025-03-25/"),
        ("memory/2025-03-25.md", "[[plans/next year]]", "notes/plans/next year/"),
        ("memory/2025-03-25.md", "[[Next year]]", "notes/plans/next year/"),
        ("memory/2025-03-25.md", "gone.md", None),
        ("memory/2025-03-25.md", "../../../etc/passwd", None),
        ("memory/2025-03-25.md", "[[gone]]", None),
        ("memory/2025-03-25.md", "%00", None),
        ("memory/2025-03-25.md", "?x", None),
    ],
)
def test_links_lead_to_pages(resolver: LinkResolver, source: str, href: str, uri: str | None) -> None:
    assert resolver.find(path(source), href) == uri


def test_a_page_gets_urls_relative_to_itself(resolver: LinkResolver) -> None:
    resolve = resolver.for_page(path("memory/2025-03-25.md"), "daily/2025-03-25/")
    assert resolve("[[博客]]") == "../../topics/%E5%8D%9A%E5%AE%A2/"
    assert resolve("gone.md") is None


@pytest.mark.parametrize(
    ("uri", "page", "url"),
    [
        ("topics/a/", "daily/2025-03-20/", "../../topics/a/"),
        ("", "daily/2025-03-20/", "../../"),
        ("", "", "./"),
        ("daily/", "", "daily/"),
        ("daily/2025/#x", "daily/2025/", "./#x"),
        ("assets/app.css", "topics/", "../assets/app.css"),
        ("notes/a:b/", "notes/", "a%3Ab/"),
        ("notes/C# or D/#x", "", "notes/C%23%20or%20D/#x"),
        ("assets/memory/a#b.png", "", "assets/memory/a%23b.png"),
        ("notes/博客 ?#%/", "", "notes/%E5%8D%9A%E5%AE%A2%20%3F%23%25/"),
    ],
)
def test_relative_urls(uri: str, page: str, url: str) -> None:
    assert relative_url(uri, page) == url


SEGMENT = st.text(min_size=1, max_size=8).filter(
    lambda text: (
        "/" not in text
        and not text.startswith("#")
        and text not in (".", "..")
        and "\0" not in text
        and text.isprintable()
    )
)
URI = st.lists(SEGMENT, max_size=4).map(lambda parts: "".join(f"{part}/" for part in parts))


@given(URI, URI)
def test_a_relative_url_leads_where_a_browser_would_go(uri: str, page: str) -> None:
    from urllib.parse import quote

    base = "http://example.org/site/" + quote(page)
    assert unquote(urljoin(base, relative_url(uri, page))) == "http://example.org/site/" + uri


def test_a_wikilink_leads_first_to_what_is_called_so_letter_by_letter() -> None:
    page = OtherNote(path("memory/index.md"), BLOB, "A list", path("index"))
    own = LinkResolver(Memory(Index(path("memory/INDEX.md"), BLOB), pages=(page,)), Config())
    found = [
        own.find(path("memory/a.md"), f"[[{name}]]") for name in ("INDEX", "index", "INDEX.md", "INDEX#A", "a LIST")
    ]
    assert found == ["index/", "notes/index/", "index/", "index/#a", "notes/index/"]


def test_a_wikilink_to_a_day_whose_notes_all_have_labels_leads_to_the_day() -> None:
    """Its session log, which is called like the day, does not take it."""
    notes = [DailyNote(DAY, path(f"memory/2025-03-25-{label}.md"), BLOB, "t", label) for label in ("retro", "standup")]
    logs = (SessionLog(DAY, path("memory/sessions/2025-03-25.md"), BLOB),)
    own = LinkResolver(Memory(Index(path("memory/INDEX.md"), BLOB), notes=tuple(notes), session_logs=logs), Config())
    assert own.find(path("memory/a.md"), "[[2025-03-25]]") == "daily/2025-03-25/"
    assert own.find(path("memory/a.md"), "[[2025-03-25-standup]]") == "daily/2025-03-25/"
    assert own.find(path("memory/a.md"), "[[2025-03-26]]") is None


@pytest.mark.parametrize(
    ("href", "uri"),
    [
        ("plans/next year.md#Goals", "notes/plans/next year/#goals"),
        ("[[Next year#Goals]]", "notes/plans/next year/#goals"),
        ("plans/next year.md#gone", None),
        ("[[Next year#gone]]", None),
        ("[[Next year#^block]]", "notes/plans/next year/"),
        ("2025-03-25.md#L3-L4", "daily/2025-03-25/#L3"),
        ("2025-03-25.md#L9", None),
        ("sessions/2025-03-25.md#anything", "sessions/2025-03-25/#anything"),
        ("[[personal-blog#anything]]", "topics/personal-blog/#anything"),
    ],
)
def test_a_fragment_leads_where_the_page_has_it(resolver: LinkResolver, href: str, uri: str | None) -> None:
    places = {"plans/next year.md": {"Goals": "goals", "goals": "goals"}, "2025-03-25.md": {"L3-L4": "L3"}}
    known = {path(f"memory/{name}"): found for name, found in places.items()}
    resolver.find_anchor = lambda file, fragment: known.get(file, {fragment: fragment}).get(fragment)
    assert resolver.find(path("memory/x.md"), href) == uri
