"""Search finds a page by what it says, and shows that: not the dates, links and lists that stand around it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from memsite.site.catalog import all_pages
from memsite.site.search.documents import plain_text

GENERATION = """# Blog - Generation {number} Consolidation

**Created**: 2025-03-2{number}
**Covers**: 2025-03-2{number} to 2025-03-2{number}

## Summary
It moved.

## Key Points
- The blog moved. [2025-03-2{number}#L3]
"""
INDEX = """## Projects
- **blog**
  - Dates: [2025-03-21, 2025-03-22]
  - Consolidations:
    - gen1 (2025-03-21): consolidated/blog-gen1-2025-03-21.md
    - gen2 (2025-03-22): consolidated/blog-gen2-2025-03-22.md
  - Current: consolidated/blog-gen2-2025-03-22.md
  - Aliases: [博客项目]
  - Description: Ada's blog
"""


def test_search_reads_the_words_of_a_page_alone(make_source: Any, commit: Any, render: Any) -> None:
    files = {"memory/INDEX.md": INDEX}
    for number in (1, 2):
        name = f"blog-gen{number}-2025-03-2{number}.md"
        mark = f"<!-- ARCHIVED: consolidated into consolidated/{name} -->"
        files[f"memory/2025-03-2{number}.md"] = f"# 2025-03-2{number}\n\nThe blog moved.\n\n{mark}\n"
        files[f"memory/consolidated/{name}"] = GENERATION.format(number=number)
    source = make_source(None, [commit(files)])
    read = {
        uri: plain_text(render(source, uri).html).split("\n")
        for uri in ("daily/2025-03-21/", "topics/blog/gen2/", "topics/blog/")
    }
    assert read["daily/2025-03-21/"] == [
        "2025-03-21 Friday",
        "blog made blog generation 1",
        "Consolidated. Show the note as it was written",
        "The blog moved.",
    ]
    assert read["topics/blog/gen2/"] == [
        "blog generation 2",
        "Summary",
        "It moved.",
        "Key Points",
        "The blog moved.",
    ]
    assert read["topics/blog/"][:4] == ["Projects", "blog", "Ada's blog", "also 博客项目"]
    assert not [line for line in read["topics/blog/"] if "line 3" in line]


def test_search_knows_what_holds_now_and_of_which_day_it_is(make_source: Any, commit: Any) -> None:
    files = {"memory/INDEX.md": INDEX, "memory/garden.md": "# Garden\n", "memory/2025-03-19.md": "# Old\n"}
    files |= {
        f"memory/consolidated/blog-gen{number}-2025-03-2{number}.md": GENERATION.format(number=number)
        for number in (1, 2)
    }
    at = datetime(2025, 3, 23, 9, 0, tzinfo=UTC)
    source = make_source(None, [commit(files, at), commit({"memory/2025-03-19.md": None}, at + timedelta(days=1))])
    pages = {page.uri: page for page in all_pages(source)}
    assert [uri for uri, page in pages.items() if page.superseded] == ["topics/blog/gen1/", "daily/2025-03-19/"]
    assert pages["topics/blog/"].day == date(2025, 3, 22)
    assert pages["notes/garden/"].day == date(2025, 3, 23)
