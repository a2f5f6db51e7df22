"""INDEX.md as a page: what it names is linked, and the page is made anew when that comes or goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memsite.site.spec import Content, PageSpec, SiteSource

INDEX = """# Memory Index

Read **roadmap** and `people/grace.md` first; memory/2025-03-20.md began it all, memory/2024-01-01.md did not.

## Projects
- **blog**
  - Dates: [2025-03-20]
  - Consolidations:
    - gen1 (2025-03-25): consolidated/blog-gen1-2025-03-25.md
    - gen2 (2025-04-01): consolidated/blog-gen2-2025-04-01.md
  - Current: consolidated/blog-gen1-2025-03-25.md
"""
FILES = {
    "memory/INDEX.md": INDEX,
    "memory/2025-03-20.md": "Began.\n",
    "memory/consolidated/blog-gen1-2025-03-25.md": "# Blog - Generation 1 Consolidation\n",
}


def test_plain_paths_of_the_index_lead_to_pages_and_broken_ones_are_marked(
    make_source: Any, render: Callable[[SiteSource, str], Content]
) -> None:
    html = render(make_source(FILES), "index/").html.replace(' rel="noopener noreferrer"', "")
    assert '<a href="../daily/2025-03-20/">memory/2025-03-20.md</a>' in html
    assert html.count('<a href="../topics/blog/gen1/">consolidated/blog-gen1-2025-03-25.md</a>') == 2
    assert '<a href="../topics/blog/">blog</a>' in html
    for gone in ("memory/2024-01-01.md", "consolidated/blog-gen2-2025-04-01.md"):
        assert f'<span class="memsite-broken" title="{gone}">{gone}</span>' in html
    assert "<code>people/grace.md</code>" in html


def test_what_the_index_names_belongs_to_its_key(
    make_source: Any, pages_of: Callable[[SiteSource], dict[str, PageSpec]]
) -> None:
    before = pages_of(make_source(FILES))["index/"]
    for name in ("memory/roadmap.md", "memory/people/grace.md", "memory/2024-01-01.md"):
        after = pages_of(make_source({**FILES, name: "# New\n"}))["index/"]
        assert after.content() != before.content(), name
        assert after.key != before.key, name
    same = pages_of(make_source({**FILES, "memory/other.md": "# New\n"}))["index/"]
    assert same.key == before.key
