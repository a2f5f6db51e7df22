"""Atom feeds: what RFC 4287 requires, what an independent parser makes of them, ids that stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from xml.etree import ElementTree as ET

import feedparser
import pytest

from memsite.site.machines.feeds import MAX_ENTRIES
from memsite.site.spec import SiteSource
from tests.conftest import Demo
from tests.site.machines.conftest import FIRST, OWN, make_files, naughty, read
from tests.site.pages.conftest import MadeCommit, SourceMaker

URL = "https://example.org/memory/"
ATOM = "{http://www.w3.org/2005/Atom}"
FEED = {"id", "title", "updated", "author", "generator", "link", "entry"}
ENTRY = {"id", "title", "updated", "author", "category", "link", "content"}
SINGLE = ("id", "title", "updated")


def feeds_of(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {uri: data for uri, data in files.items() if uri.endswith(".xml")}


def check_container(element: ET.Element, known: set[str]) -> None:
    """What RFC 4287 asks of a feed and of an entry (sections 4.1.1 and 4.1.2)."""
    names = [child.tag.removeprefix(ATOM) for child in element]
    assert set(names) <= known
    assert [names.count(name) for name in SINGLE] == [1, 1, 1]
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", element.findtext(f"{ATOM}id") or "")
    updated = element.findtext(f"{ATOM}updated") or ""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", updated)
    datetime.fromisoformat(updated)
    assert element.findtext(f"{ATOM}title")
    alternates = [link.get("type") for link in element.iter(f"{ATOM}link") if link.get("rel") == "alternate"]
    if element.tag == f"{ATOM}entry":
        assert "text/html" in alternates
        assert len(alternates) == len(set(alternates))


def check(data: bytes, url: str = "") -> list[ET.Element]:
    """A feed is valid; its entries."""
    root = ET.fromstring(data)  # noqa: S314 - ours
    assert root.tag == f"{ATOM}feed"
    check_container(root, FEED)
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    entries = root.findall(f"{ATOM}entry")
    for entry in entries:
        check_container(entry, ENTRY)
        assert [child.tag for content in entry.iter(f"{ATOM}content") for child in content] == []
        assert [part.get("type") for part in entry.iter() if part.tag in (f"{ATOM}content", f"{ATOM}title")] == [
            "text"
        ] * 2
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries) <= MAX_ENTRIES
    times = [entry.findtext(f"{ATOM}updated") or "" for entry in entries]
    assert times == sorted(times, reverse=True)
    hrefs = [link.get("href") or "" for link in root.iter(f"{ATOM}link")]
    assert all(href.startswith(url) for href in hrefs) if url else not any("://" in href for href in hrefs)
    selfs = [link for link in root.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert len(selfs) == bool(url)
    return entries


def check_by_another(data: bytes, count: int, uri: str) -> None:
    """What readers make of it when they fetch it from its place."""
    headers = {"content-location": f"{URL}{uri}", "content-type": "application/atom+xml; charset=utf-8"}
    parsed = feedparser.parse(data, response_headers=headers)
    assert parsed.bozo is False, parsed.get("bozo_exception")
    assert parsed.version == "atom10"
    assert len(parsed.entries) == count
    for entry in parsed.entries:
        assert entry.id
        assert entry.link.startswith(URL)
        assert entry.updated_parsed
        assert entry.content[0].type == "text/plain"


@pytest.mark.parametrize("url", ["", URL])
def test_the_feeds_are_valid(source: SiteSource, url: str) -> None:
    feeds = feeds_of(read(make_files(source, url)))
    assert set(feeds) == {"feeds/changes.xml", "feeds/generations.xml", "topics/personal-blog/feed.xml"}
    counts = {uri: len(check(data, url)) for uri, data in feeds.items()}
    assert counts == {"feeds/changes.xml": 7, "feeds/generations.xml": 1, "topics/personal-blog/feed.xml": 3}
    for uri, data in feeds.items():
        check_by_another(data, counts[uri], uri)


def test_the_demos_feeds_are_valid(demo: Demo) -> None:
    paths = [*demo.site.glob("feeds/*.xml"), *demo.site.glob("topics/*/feed.xml")]
    assert len(paths) == 5
    for path in paths:
        check_by_another(path.read_bytes(), len(check(path.read_bytes())), path.relative_to(demo.site).as_posix())


def test_an_empty_memory_has_valid_feeds(make_source: SourceMaker) -> None:
    for data in feeds_of(read(make_files(make_source({})))).values():
        assert check(data) == []


def test_no_text_breaks_a_feed_or_becomes_markup(hostile: SiteSource) -> None:
    feeds = feeds_of(read(make_files(hostile, name=OWN[0])))
    assert len(feeds) > min(100, len(naughty()))
    for data in feeds.values():
        check(data)
        assert b"<script" not in data
        assert b"<!" not in data


@pytest.mark.parametrize("text", [*OWN, "a\x00b\x0bc\x7f", "\ud800", "\ufffe", "&amp;&#0;"])
def test_a_text_is_read_back_as_it_was(make_source: SourceMaker, text: str) -> None:
    kept = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "\ufffd", text).replace(
        "\r", "\ufffd"
    )
    made = MadeCommit({"memory/a.md": "a\n"}, FIRST, "subject", f"[{text}]")
    files = read(make_files(make_source(None, [made])))
    (entry,) = check(files["feeds/changes.xml"])
    assert (entry.findtext(f"{ATOM}content") or "").partition("\n- memory/a.md")[0] == f"[{kept}]"


def test_a_feed_is_bounded(make_source: SourceMaker) -> None:
    commits = [
        MadeCommit({"memory/a.md": f"{number}\n"}, FIRST + timedelta(hours=number), f"note: {number}", "x" * 9000)
        for number in range(80)
    ]
    data = read(make_files(make_source(None, commits)))["feeds/changes.xml"]
    entries = check(data)
    assert [entries[0].findtext(f"{ATOM}title"), len(entries)] == ["note: 79", MAX_ENTRIES]
    assert len(data) < 200_000


def ids(files: Mapping[str, bytes], uri: str) -> dict[str, str]:
    return {entry.findtext(f"{ATOM}title") or "": entry.findtext(f"{ATOM}id") or "" for entry in check_any(files[uri])}


def check_any(data: bytes) -> list[ET.Element]:
    return ET.fromstring(data).findall(f"{ATOM}entry")  # noqa: S314 - ours


def test_an_entry_keeps_its_id_when_the_site_moves_and_in_every_feed(source: SiteSource) -> None:
    here, there = read(make_files(source)), read(make_files(source, URL, "Another name"))
    for uri in feeds_of(here):
        assert ids(here, uri) == ids(there, uri)
    one, other = ids(here, "feeds/generations.xml"), ids(here, "topics/personal-blog/feed.xml")
    assert one["personal-blog, generation 1"] == other["personal-blog, generation 1"]


def test_two_memories_have_no_id_in_common(source: SiteSource) -> None:
    """Even with the same topics on the same days: an aggregator would take one entry for the other."""
    commits = tuple(replace(commit, id=commit.id[::-1]) for commit in source.history.commits)
    other = replace(source, history=replace(source.history, commits=commits))
    one, two = read(make_files(source)), read(make_files(other))
    for uri in feeds_of(one):
        assert set(ids(one, uri).values()) & set(ids(two, uri).values()) == set()


def test_days_that_nobody_can_have_lived_are_dated(make_source: SourceMaker) -> None:
    index = "# I\n\n## Projects\n- **blog**\n  - Dates: [0001-01-01, 9999-12-31]\n"
    files = {f"memory/{day}.md": f"# {day}\n\nText.\n" for day in ("0001-01-01", "9999-12-31")}
    made = read(make_files(make_source({**files, "memory/INDEX.md": index})))
    times = [entry.findtext(f"{ATOM}updated") for entry in check(made["topics/blog/feed.xml"])]
    assert times == ["9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"]
