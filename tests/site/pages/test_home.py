"""The first page: what it counts, groups and lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from memsite.site.pages.atlas import Atlas
from memsite.site.pages.home import categories, totals
from memsite.site.spec import Content, SiteSource

Render = Callable[[SiteSource, str], Content]
INDEX = "# Memory Index\n\n- **loose**\n  - Dates: [{dates}]\n\n## Projects\n- **blog**\n  - Dates: [2025-03-20]\n"
SHALLOW = "This site was built from a shallow clone"


def index_of(dates: str) -> dict[str, str]:
    return {"memory/INDEX.md": INDEX.format(dates=dates), "memory/2025-03-20.md": "Text.\n"}


def test_a_topic_below_no_heading_is_in_the_index(make_source: Any, render: Render) -> None:
    files = index_of("2025-03-20") | {"memory/consolidated/lost-gen1-2025-03-25.md": "# T\n"}
    source = make_source(files)
    found = [(one.title, [card.badge.slug for card in one.cards]) for one in categories(Atlas(source))]
    assert found == [("Projects", ["blog"]), ("Without a category", ["loose"]), ("Not in the index", ["lost"])]
    assert "Not in the index" in render(source, "topics/lost/").html
    assert "Without a category" in render(source, "topics/loose/").html


def test_a_day_that_is_written_twice_is_one_day(make_source: Any, render: Render) -> None:
    source = make_source(index_of("2025-03-02,2025-03-01 ,2025-03-02"))
    (topic,) = [topic for topic in source.memory.topics if topic.slug == "loose"]
    assert topic.dates == (date(2025, 3, 1), date(2025, 3, 2))


def test_a_slip_in_a_date_leads_no_list(make_source: Any, render: Render) -> None:
    source = make_source(index_of("2025-03-21, 2030-01-01"))
    html = render(source, "").html
    assert "2030" not in html
    assert "2030-01-01" not in render(source, "daily/").html
    assert totals(Atlas(source)).last == date(2025, 3, 21)
    assert "2030-01-01" in render(source, "topics/loose/").html


def test_what_is_written_for_a_day_to_come_is_shown(make_source: Any) -> None:
    source = make_source(index_of("2025-03-21, 2030-01-01") | {"memory/2030-01-01.md": "Planned.\n"})
    assert totals(Atlas(source)).last == date(2030, 1, 1)


def test_decisions_of_a_deleted_generation_are_not_of_late(make_source: Any, commit: Any, render: Render) -> None:
    path = "memory/consolidated/blog-gen1-2025-03-25.md"
    made = commit({path: "# T\n\n## Decisions Made\n- Use Astro\n", "memory/2025-03-20.md": "Text.\n"})
    assert "Use Astro" in render(make_source(None, [made]), "").html
    assert "Use Astro" not in render(make_source(None, [made, commit({path: None})]), "").html


def test_a_shallow_clone_is_marked_and_told_no_untruth(make_source: Any, commit: Any, render: Render) -> None:
    files = {"memory/2025-03-20.md": "Text.\n"}
    for source in (make_source(files, shallow=True), make_source(None, [commit(files)], shallow=True)):
        for uri in ("", "history/"):
            html = render(source, uri).html
            assert SHALLOW in html
            assert "in a commit yet" not in html
    assert not re.search("shallow", render(make_source(files), "").html)


def test_what_git_has_deleted_is_not_counted(make_source: Any, commit: Any, render: Render) -> None:
    one, two = (f"memory/consolidated/blog-gen{number}-2025-03-2{number}.md" for number in (1, 2))
    log = "memory/sessions/2025-03-20.md"
    entry = "# Session Log — 2025-03-20\n\n### 10:00\n- **Topic:** x\n- **Messages:** 1 user / 1 assistant\n"
    made = commit({one: "# T\n", two: "# T\n", log: entry} | index_of("2025-03-20"))
    source = make_source(None, [made, commit({one: None, log: None})])
    assert (totals(Atlas(source)).generations, totals(Atlas(source)).sessions) == (1, 0)
    assert "<strong>1</strong> generation<" in render(source, "").html
    assert 'data-label="generations"><a href="blog/gen2/"' in render(source, "topics/").html.replace("../", "")
    assert ">2</a>" not in render(source, "topics/").html
