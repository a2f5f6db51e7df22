"""The user's own `nav` and `extra_css`, with `memsite build` and with plain MkDocs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import html5lib
import pytest

from memsite.errors import RefusedError
from memsite.repo.workspace import open_workspace
from memsite.shipped import read_shipped
from memsite.site.build import build_site
from memsite.site.own_nav import MAX_ENTRIES, read_own_nav
from memsite.site.results import BuildResult
from tests.site.test_site import contents, mkdocs, write

Entries = list[tuple[str, str]]
PAGES = {"a.md": "notes/a/", "blog.md": "topics/blog/"}
INDEX = """# Memory Index

## Projects
- **blog**
  - Dates: [2025-03-20]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/blog-gen1-2025-03-25.md
  - Current: consolidated/blog-gen1-2025-03-25.md
"""
NAV = """
nav:
  - Ada's principles: principles.md
  - people/grace.md
  - Elsewhere:
      - The blog: https://example.org/blog?a=1&b=2
      - Of the topic: topics/blog/gen1/
      - Long-term memory: ../MEMORY.md
extra_css:
  - own/look.css
"""


def own(nav: object, placed: set[str] = frozenset(), others: set[str] = frozenset()) -> list[object]:  # type: ignore[assignment]  # sets to read
    return list(read_own_nav(nav, PAGES.get, placed, others).entries)


def test_entries_are_pages_links_and_sections() -> None:
    assert own([{"A": "a.md"}, "a.md", {"Out": "https://example.org/"}, {"In": [{"Blog": "blog.md"}]}]) == [
        "notes/a/index.md",
        {"Out": "https://example.org/"},
        {"In": ["topics/blog/index.md"]},
    ]


def test_a_page_that_has_its_place_keeps_it() -> None:
    found = read_own_nav([{"Mine": "blog.md"}, {"A": "a.md"}], PAGES.get, {"topics/blog/"}, ())
    assert (found.entries, found.titles) == (["notes/a/index.md"], {"notes/a/": "A"})


def test_pages_of_other_plugins_are_left_to_mkdocs() -> None:
    assert own([{"Made": "made.md"}], others={"made.md"}) == [{"Made": "made.md"}]


@pytest.mark.parametrize(
    "target",
    ["gone.md", "javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//example.org/", "/etc/passwd", ""],
)
def test_what_leads_nowhere_or_runs_is_left_out(target: str, caplog: pytest.LogCaptureFixture) -> None:
    assert own([{"X": target}]) == []
    assert "is no page of the memory and no web address" in caplog.text


def test_titles_are_text() -> None:
    entries = own([{"<b>": "https://example.org/?<b>"}, {"<i>": [{"<u>": "a.md"}]}])
    assert "<" not in str(entries)


def test_what_would_cost_every_page_too_much_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    assert len(own([f"https://example.org/{number}" for number in range(500)])) == MAX_ENTRIES
    nested: object = "https://example.org/"
    for _ in range(9):
        nested = [{"Deeper": nested}]
    assert own(nested) == []
    assert len(caplog.messages) == 2


@pytest.fixture
def memory(workspace: Path, git: Callable[..., str]) -> Path:
    """A workspace with notes, a topic with a generation, and the user's own style sheet."""
    write(workspace, "memory/principles.md", "# Principles\n\nNo tracking.\n")
    write(workspace, "memory/people/grace.md", "# Grace\n")
    write(workspace, "memory/consolidated/blog-gen1-2025-03-25.md", "# Blog - Generation 1 Consolidation\n")
    write(workspace, "memory/INDEX.md", INDEX)
    write(workspace, "MEMORY.md", "# What lasts\n")
    write(workspace, "memory/own/look.css", "h1 { color: green }\n")
    write(workspace, "memsite.toml", 'timezone = "UTC"\n')
    write(workspace, "mkdocs.yml", read_shipped("mkdocs.yml") + NAV)
    git("add", "-A", cwd=workspace)
    git("commit", "-q", "-m", "all", cwd=workspace)
    return workspace


def sidebar(site: Path, uri: str) -> Entries:
    tree = html5lib.parse((site / uri / "index.html").read_bytes(), namespaceHTMLElements=False)
    nav = next(element for element in tree.iter("nav") if "md-nav--primary" in (element.get("class") or ""))
    links = [link for link in nav.iter("a") if "md-nav__link" in (link.get("class") or "")]
    found = [(" ".join("".join(link.itertext()).split()), link.get("href") or "") for link in links]
    return [(text, href) for text, href in found if not href.startswith("#")]


def build(memory: Path) -> BuildResult:
    return build_site(open_workspace(memory), strict=True)


def test_own_entries_stand_behind_those_that_memsite_makes(memory: Path) -> None:
    build(memory)
    entries = sidebar(memory / "site", "index")
    assert entries[-3:] == [
        ("Ada's principles", "../notes/principles/"),
        ("Grace", "../notes/people/grace/"),
        ("Elsewhere", "https://example.org/blog?a=1&b=2"),
    ]
    assert [text for text, _ in entries[:2]] == ["Memory", "Topics"]


def test_a_section_of_ones_own_unfolds_on_its_pages(memory: Path) -> None:
    build(memory)
    entries = sidebar(memory / "site", "topics/blog/gen1")
    assert entries[-3:] == [
        ("The blog", "https://example.org/blog?a=1&b=2"),
        ("Of the topic", "./"),
        ("Long-term memory", "../../../notes/MEMORY/"),
    ]


def test_own_style_sheets_are_on_the_site_and_every_page_uses_them(memory: Path) -> None:
    build(memory)
    assert (memory / "site/own/look.css").read_text(encoding="utf-8") == "h1 { color: green }\n"
    for name, href in (
        ("", "own/look.css"),
        ("daily", "../own/look.css"),
        ("topics/blog/gen1", "../../../own/look.css"),
    ):
        assert f'<link rel="stylesheet" href="{href}">' in (memory / "site" / name / "index.html").read_text("utf-8")


def test_plain_mkdocs_gives_the_same_site_strictly(memory: Path, installed: dict[str, str], tmp_path: Path) -> None:
    done: subprocess.CompletedProcess[str] = mkdocs("build", "--strict", cwd=memory, env=installed)
    assert done.returncode == 0, done.stderr
    build_site(open_workspace(memory), destination=tmp_path / "ours", strict=True)
    assert contents(memory / "site") == contents(tmp_path / "ours")


def test_another_nav_is_another_site_and_the_same_as_a_clean_one(memory: Path, tmp_path: Path) -> None:
    build(memory)
    assert build(memory).rendered == 0
    config = memory / "mkdocs.yml"
    config.write_text(config.read_text("utf-8").replace("Ada's principles", "Principles of <Ada>"), encoding="utf-8")
    build(memory)
    build_site(open_workspace(memory), destination=tmp_path / "fresh", clean=True)
    assert contents(memory / "site") == contents(tmp_path / "fresh")
    assert ("Principles of <Ada>", "./") in sidebar(memory / "site", "notes/principles")


def test_an_entry_that_leads_nowhere_fails_a_strict_build_with_its_name(memory: Path) -> None:
    config = memory / "mkdocs.yml"
    config.write_text(config.read_text("utf-8").replace("people/grace.md", "people/gone.md"), encoding="utf-8")
    with pytest.raises(RefusedError, match=r"people/gone\.md"):
        build(memory)
    assert any("people/gone.md" in warning for warning in build_site(open_workspace(memory)).warnings)
