"""Other notes: the shape of their folders, long texts, front matter, files that they use."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from memsite.site.pages.documents import LONG
from memsite.site.pages.folders import find_folders
from memsite.site.spec import Content, PageSpec, SiteSource

Render = Callable[[SiteSource, str], Content]
Pages = Callable[[SiteSource], dict[str, PageSpec]]
MEMORY = PurePosixPath("memory")
FILES = {
    "MEMORY.md": "# Lasting\n",
    "memory/state.md": "# State\n",
    "memory/people/grace.md": "# Grace\n",
    "memory/people-of-old/ada.md": "# Ada\n",
    "memory/people/colleagues/eve.md": "# Eve\n",
    "memory/研究/深/笔记.md": "# 笔记\n",
}
LINES = "".join(f"Line {number} of a log that nobody reads to its end.\n\n" for number in range(1, 1200))


def test_folders_are_nested_and_stand_behind_the_one_that_they_stand_in() -> None:
    found = find_folders(map(PurePosixPath, FILES), MEMORY)
    assert [(folder.title, folder.depth) for folder in found.values()] == [
        ("", 0),
        ("memory/", 0),
        ("memory/people/", 0),
        ("colleagues/", 1),
        ("memory/people-of-old/", 0),
        ("memory/研究/深/", 0),
    ]
    assert len({folder.anchor for folder in found.values()}) == len(found)


def test_a_memory_that_is_the_repository_has_folders_too() -> None:
    found = find_folders(map(PurePosixPath, ("a.md", "people/b.md", "people/old/c.md")), PurePosixPath())
    assert [(folder.title, folder.depth) for folder in found.values()] == [("", 0), ("people/", 0), ("old/", 1)]


def test_the_way_to_a_nested_note_leads_through_its_folders(make_source: Any, pages_of: Pages, render: Render) -> None:
    source = make_source(FILES)
    crumbs = {page.uri: [(crumb.title, crumb.uri) for crumb in page.crumbs] for page in pages_of(source).values()}
    assert crumbs["notes/people/colleagues/eve/"] == [
        ("Notes", "notes/"),
        ("people/", "notes/#on.folder-memory-people"),
        ("colleagues/", "notes/#on.folder-memory-people-colleagues"),
    ]
    assert crumbs["notes/state/"] == crumbs["notes/MEMORY/"] == [("Notes", "notes/")]
    assert crumbs["notes/研究/深/笔记/"][-1] == ("研究/深/", "notes/#on.folder-memory-研究-深")
    anchors = render(source, "notes/").anchors
    assert {uri.partition("#")[2] for way in crumbs.values() for _, uri in way if "folder" in uri} <= anchors


def test_the_rest_of_a_long_note_is_folded_and_nothing_of_it_is_lost(make_source: Any, render: Render) -> None:
    content = render(make_source({"memory/log.md": "# Log\n\n" + LINES}), "notes/log/")
    shown, _, folded = content.html.partition('<details class="memsite-fold memsite-rest">')
    assert re.match(r"<summary>The rest: 2,\d\d\d lines</summary>", folded)
    assert [int(number) for number in re.findall(r"Line (\d+) of", shown + folded)] == list(range(1, 1200))
    assert 50 < shown.count("Line ") < 100
    assert {"L3", "L2001"} <= content.anchors


def test_the_rest_of_a_long_day_is_folded(make_source: Any, render: Render) -> None:
    html = render(make_source({"memory/2025-03-20.md": LINES}), "daily/2025-03-20/").html
    assert html.count("memsite-rest") == 1
    assert html.count("Line ") == 1199


def test_a_long_day_that_is_consolidated_is_folded_once(make_source: Any, render: Render) -> None:
    mark = "<!-- ARCHIVED: consolidated into consolidated/blog-gen1-2025-03-25.md -->\n"
    html = render(make_source({"memory/2025-03-20.md": LINES + mark}), "daily/2025-03-20/").html
    assert "memsite-rest" not in html
    assert 'class="memsite-archived"' in html


def test_one_endless_line_is_a_long_note_too(make_source: Any, render: Render) -> None:
    html = render(make_source({"memory/line.md": "word " * LONG}), "notes/line/").html
    assert html.count("word") >= LONG


def test_a_short_note_is_not_folded(make_source: Any, render: Render) -> None:
    assert "memsite-rest" not in render(make_source({"memory/a.md": LINES[: LONG - 9]}), "notes/a/").html


def test_front_matter_is_a_table_of_texts(make_source: Any, render: Render) -> None:
    note = "---\ntopic: no\ntags: [a, 博客]\n---\n# Title\n\nText.\n"
    html = render(make_source({"memory/a.md": note}), "notes/a/").html
    assert '<th scope="row">topic</th><td>no</td>' in html
    assert '<th scope="row">tags</th><td>a, 博客</td>' in html
    assert "---" not in html


def test_files_that_a_note_uses_are_served_and_what_would_run_is_not(make_source: Any, render: Render) -> None:
    files = {f"memory/people/{name}": "x" for name in ("a b.png", "t.csv", "p.svg", "h.html", "s.js")}
    note = "![face](<a b.png>) [table](t.csv) ![drawing](p.svg) [page](h.html) [script](s.js) ![gone](c.png)\n"
    html = render(make_source({**files, "memory/people/grace.md": note}), "notes/people/grace/").html
    assert '<img src="../../../assets/memory/memory/people/a%20b.png" alt="face">' in html
    assert 'href="../../../assets/memory/memory/people/t.csv"' in html
    assert re.findall(r'<span class="memsite-broken" title="([^"]*)">', html) == ["p.svg", "h.html", "s.js", "c.png"]


def test_notes_of_a_large_folder_are_folded(make_source: Any, render: Render) -> None:
    files = {f"memory/dreaming/light/{number:02d}.md": f"# Night {number}\n" for number in range(40)}
    html = render(make_source({**files, "memory/people/ada.md": "# ada\n"}), "notes/").html
    folded = html.partition("<details")[2].partition("</details>")[0]
    assert "Night 39" in folded
    assert "no commit yet" in folded
    assert ">ada<" in html.replace(folded, "")
    assert html.count("<code>") == 40  # a file that is called what its title says needs no second name
