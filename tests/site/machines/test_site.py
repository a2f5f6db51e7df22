"""The files for other programs on a built site: every address leads somewhere; an incremental build has the same."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import html5lib
import pytest
from markdown_it import MarkdownIt

from memsite.repo.workspace import open_workspace
from memsite.shipped import read_shipped
from memsite.site.build import build_site
from memsite.site.publication import build_publication, read_publication
from tests.conftest import Demo
from tests.site.machines.conftest import INDEX, generation
from tests.site.machines.test_api import addresses

Git = Callable[..., str]
ATOM = "{http://www.w3.org/2005/Atom}"
URL = "https://example.org/memory/"


def html_links(data: bytes) -> Iterator[str]:
    for element in html5lib.parse(data, namespaceHTMLElements=False).iter():
        for name in ("href", "src", "data-memsite-markdown"):
            if element.get(name) is not None:
                yield element.get(name)


def markdown_links(text: str) -> Iterator[str]:
    for token in MarkdownIt().parse(text):
        yield from (str(child.attrs["href"]) for child in token.children or () if child.type == "link_open")


def links(site: Path, path: Path) -> Iterator[str]:
    """What a file of the site leads to; a note's own Markdown means the memory's files, not the site's."""
    name = path.relative_to(site).as_posix()
    if name.endswith(".html"):
        yield from html_links(path.read_bytes())
    elif name == "llms.txt" or re.fullmatch(r"topics/[^/]+/index\.md", name):
        yield from markdown_links(path.read_text(encoding="utf-8").partition("\n---\n")[0])
    elif name.startswith("api/") and name != "api/schema.json":
        document = json.loads(path.read_bytes())
        yield from (f"{'../' * name.count('/')}{one}" for one in addresses(document))
    elif name.endswith("feed.xml") or name.startswith("feeds/"):
        yield from (str(link.get("href")) for link in ET.fromstring(path.read_bytes()).iter(f"{ATOM}link"))  # noqa: S314 - ours


def dead_links(site: Path) -> list[tuple[str, str]]:
    """Every link of every file that leads to no file of the site, or to no place in it; those to other hosts aside."""

    @cache
    def places(path: Path) -> frozenset[str]:
        return frozenset(element.get("id") for element in html5lib.parse(path.read_bytes()).iter() if element.get("id"))

    dead = []
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if not path.is_file() or name == "404.html" or name.startswith("assets/"):
            continue
        for link in dict.fromkeys(links(site, path)):
            target = urlsplit(urljoin(f"{URL}{name}", link))
            if f"{target.scheme}://{target.netloc}{target.path}".startswith(URL):
                found = site / unquote(target.path.removeprefix(urlsplit(URL).path))
                found = found / "index.html" if target.path.endswith("/") else found
                fragment = unquote(target.fragment)
                if not found.is_file() or (
                    fragment and "/compare/" not in target.path and fragment not in places(found)
                ):
                    dead.append((name, link))
            elif target.scheme in ("http", "https") and target.netloc == urlsplit(URL).netloc:
                dead.append((name, link))
    return dead


def test_every_link_of_the_demo_leads_somewhere(demo: Demo) -> None:
    assert dead_links(demo.site) == []


def test_the_crawler_sees_a_dead_link(demo: Demo, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<p id="a"><a href="#a"></a><a href="#b"></a><a href="c/"></a>', "utf-8")
    (tmp_path / "llms.txt").write_text("- [x](d/index.md)\n- [y](index.html)\n", "utf-8")
    assert dead_links(tmp_path) == [("index.html", "#b"), ("index.html", "c/"), ("llms.txt", "d/index.md")]


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def commit(git: Git, root: Path, message: str, at: str) -> None:
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", message, cwd=root, GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)


def contents(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


@pytest.fixture
def memory(workspace: Path, git: Git) -> Path:
    """A workspace with a topic, a generation and two days."""
    write(workspace, "memory/INDEX.md", INDEX)
    write(workspace, "memory/2025-03-20.md", "# 2025-03-20\n\nA blog.\n")
    commit(git, workspace, "note: 2025-03-20", "2025-03-20T10:00:00Z")
    made = generation("Personal Blog", 1, "One.")
    write(workspace, "memory/consolidated/personal-blog-gen1-2025-03-25.md", made)
    write(workspace, "memory/2025-03-22.md", "# 2025-03-22\n\nHosting.\n")
    commit(git, workspace, "consolidate(personal-blog): gen1", "2025-03-25T10:00:00Z")
    return workspace


def test_an_incremental_build_has_the_same_files(memory: Path, git: Git, tmp_path: Path) -> None:
    """After a new day, an edit, a deletion, another status; each time as a clean build has them."""
    build_site(open_workspace(memory))
    paused = INDEX.replace("- Aliases", "- Status: paused\n  - Aliases")
    steps: list[tuple[str, Callable[[], object]]] = [
        ("a day", lambda: write(memory, "memory/2025-03-28.md", "# 2025-03-28\n\nMore.\n")),
        ("an edit", lambda: write(memory, "memory/2025-03-20.md", "# 2025-03-20\n\nTwo blogs.\n")),
        ("a deletion", (memory / "memory/2025-03-22.md").unlink),
        ("a status", lambda: write(memory, "memory/INDEX.md", paused)),
        ("nothing", lambda: write(memory, "code.py", "")),
    ]  # fmt: skip
    for number, (message, act) in enumerate(steps):
        before = contents(memory / "site")
        act()
        commit(git, memory, message, f"2025-04-0{number + 1}T10:00:00Z")
        build_site(open_workspace(memory))
        fresh = tmp_path / str(number)
        build_site(open_workspace(memory), destination=fresh, clean=True)
        one, other = contents(memory / "site"), contents(fresh)
        assert one.keys() == other.keys(), message
        assert [name for name in one if one[name] != other[name]] == [], message
        assert (one == before) is (message == "nothing")
        assert dead_links(fresh) == []


def test_an_edit_rewrites_what_tells_of_it_alone(memory: Path, git: Git) -> None:
    build_site(open_workspace(memory))
    files = [path for path in (memory / "site").rglob("*") if path.is_file()]
    times = {path: path.stat().st_mtime_ns for path in files}
    write(memory, "memory/2025-03-22.md", "# 2025-03-22\n\nHosting, again.\n")
    build_site(open_workspace(memory))
    changed = {path.relative_to(memory / "site").as_posix() for path in files if path.stat().st_mtime_ns != times[path]}
    made = {
        name for name in changed if name.endswith((".json", ".md", ".md.js", ".txt", ".xml")) and "search" not in name
    }
    assert made - {"sitemap.xml"} == {
        "daily/2025-03-22/index.md",
        "daily/2025-03-22/index.md.js",
        "api/days.json",
        "api/days/2025-03-22.json",
        "topics/personal-blog/feed.xml",
        "llms.txt",
    }


def test_with_an_address_everything_names_it(memory: Path, git: Git, tmp_path: Path) -> None:
    config = read_shipped("mkdocs.yml").replace('# site_url: "https://example.org/memory/"', f'site_url: "{URL}"')
    write(memory, "mkdocs.yml", config)
    site = build_site(open_workspace(memory), destination=tmp_path / "site").index.parent
    assert dead_links(site) == []
    for path in sorted(site.rglob("index.html")):
        folder = posixpath.relpath(path.parent, site)
        address = URL if folder == "." else f"{URL}{folder}/"
        assert f'<link rel="canonical" href="{address}">' in path.read_text(encoding="utf-8")
        assert f"<loc>{address}</loc>" in (site / "sitemap.xml").read_text(encoding="utf-8")
    assert json.loads((site / "api/index.json").read_bytes())["site"]["url"] == URL
    assert f"]({URL}topics/personal-blog/index.md)" in (site / "llms.txt").read_text(encoding="utf-8")


def test_without_an_address_there_is_no_empty_site_map(memory: Path) -> None:
    site = build_site(open_workspace(memory)).index.parent
    assert [path.name for path in site.glob("sitemap*")] == []
    assert 'rel="canonical"' not in (site / "index.html").read_text(encoding="utf-8")


def test_a_publication_holds_nothing_private_in_them(memory: Path, git: Git) -> None:
    """The words that are hidden stand in names, titles, texts, messages and settings of what is private alone."""
    write(memory, "memsite.toml", 'timezone = "UTC"\nprivate = ["quokka-talks", "people/"]\n')
    hidden = generation("Quokka Talks", 1, "The quokka earns forty.")
    write(memory, "memory/consolidated/quokka-talks-gen1-2025-03-25.md", hidden)
    write(memory, "memory/people/quokka.md", "# Quokka\n\nShe was born at sea.\n")
    write(memory, "memory/2025-03-22.md", "# 2025-03-22\n\nSeen.\n\n<!-- private -->\nA quokka.\n<!-- /private -->\n")
    commit(git, memory, "note: the quokka", "2025-03-29T10:00:00Z")
    opened = open_workspace(memory)
    files = contents(build_publication(opened, read_publication(opened)).index.parent)
    made = {name: data for name, data in files.items() if name.startswith(("api/", "feeds/")) or "index.md" in name}
    made["llms.txt"] = files["llms.txt"]
    assert len(made) > 20
    assert [name for name, data in made.items() if b"quokka" in (name.encode() + data).lower()] == []
    assert b"Seen." in made["daily/2025-03-22/index.md"]
