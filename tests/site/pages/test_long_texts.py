"""Texts that are too long to be read as a whole: their pages show the beginning and lead to all of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memsite.memory.snapshot import blob_id
from memsite.site.catalog import all_files
from memsite.site.links import relative_url
from memsite.site.spec import Content, SiteIdentity, SiteSource

LONG = "# Long\n\n**a line** of <b>it</b>\n" + "and another\n" * 20_000 + "the very end\n"
SECOND = LONG.replace("another", "changed")
INDEX = """# Index

## Projects
- **blog**
  - Dates: [2025-03-20]
  - Status: active
  - Consolidations:
    - gen1 (2025-03-20): consolidated/blog-gen1-2025-03-20.md
    - gen2 (2025-03-21): consolidated/blog-gen2-2025-03-21.md
  - Current: consolidated/blog-gen2-2025-03-21.md
"""


@pytest.fixture
def source(make_source: Any, commit: Any) -> SiteSource:
    """A memory all of whose texts are too long, with a history of them."""
    names = ("2025-03-20.md", "note.md", "sessions/2025-03-20.md", "consolidated/blog-gen1-2025-03-20.md")
    first = commit({"memory/INDEX.md": INDEX, **{f"memory/{name}": LONG for name in names}})
    changed = {
        f"memory/{name}": SECOND for name in ("2025-03-20.md", "note.md", "consolidated/blog-gen2-2025-03-21.md")
    }
    return make_source(None, [first, commit(changed)])  # type: ignore[no-any-return]  # the fixture is typed in conftest


def raw_files(source: SiteSource) -> dict[str, bytes]:
    parts = all_files(source)[1](SiteIdentity("Memory")).parts
    return {part.uri: part.content() for part in parts if part.uri.startswith("assets/raw/")}


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("daily/2025-03-20/", SECOND),
        ("notes/note/", SECOND),
        ("sessions/2025-03-20/", LONG),
        ("topics/blog/gen1/", LONG),
        ("topics/blog/gen2/", SECOND),
    ],
)
def test_a_page_shows_the_beginning_and_leads_to_all(source: SiteSource, render: Any, page: str, text: str) -> None:
    content: Content = render(source, page)
    assert "too long to be rendered (241 kB in 20,004 lines)" in content.html
    assert "**a line** of &lt;b&gt;it&lt;/b&gt;" in content.html
    assert "the very end" not in content.html
    raw = f"assets/raw/{blob_id(text.encode())}.txt"
    assert f'href="{relative_url(raw, page)}"' in content.html
    assert raw_files(source)[raw] == text.encode()


def test_a_whole_text_stands_there_once_however_many_pages_show_it(source: SiteSource) -> None:
    assert len(raw_files(source)) == 2


def test_a_text_that_is_not_too_long_stands_nowhere_else(make_source: Any) -> None:
    assert raw_files(make_source({"memory/note.md": "short\n", "memory/2025-03-20.md": "short\n"})) == {}


def test_generations_that_are_too_long_are_not_compared(source: SiteSource, render: Any) -> None:
    html = render(source, "topics/blog/compare/1..2/").html
    assert "too long to be read as a whole (Generation 1: 241 kB in 20,004 lines; Generation 2: " in html
    any_two = next(page for page in all_files(source)[0] if page.uri == "topics/blog/compare/")
    assert all(b"and" not in part.content() for part in any_two.parts)


def test_the_history_names_what_is_too_long_without_reading_it(source: SiteSource, render: Any) -> None:
    html = render(source, "history/2025-03-20/").html
    assert "too long to be compared here" in html
    assert "241 kB in 20,004 lines are too long for this page" in html
    assert "and another" not in html


def test_the_markdown_of_a_page_says_that_it_is_not_all(source: SiteSource) -> None:
    parts = {part.uri: part for part in all_files(source)[1](SiteIdentity("Memory")).parts}
    text = parts["notes/note/index.md"].content().decode()
    assert re.search(r"\[The text goes on: 241 kB in 20,004 lines\]\(\.\./\.\./assets/raw/[0-9a-f]{40}\.txt\)", text)


def test_a_long_line_has_no_rest_to_fold(make_source: Any, render: Any) -> None:
    source = make_source({"memory/2025-03-20.md": "word " * 10_000, "memory/note.md": "word " * 10_000})
    for page in ("daily/2025-03-20/", "notes/note/"):
        assert "<details" not in render(source, page).html
