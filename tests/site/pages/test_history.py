"""The history by year and by day, and what it can be narrowed down to."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import html5lib

from memsite.site.spec import Content, PageSpec, SiteSource

Render = Callable[[SiteSource, str], Content]
Pages = Callable[[SiteSource], dict[str, PageSpec]]
SUBJECTS = (
    "session: 1 user",
    "consolidate(blog): gen1",
    "note: 2025-03-20",
    "index: blog",
    "flush: 2025-03-19",
    "Tidy up",
)
GROUPS = ("session", "consolidate", "note", "index", "other", "other")


def day_of_all_kinds(make_source: Any, commit: Any) -> SiteSource:
    start = datetime(2025, 3, 20, 9, tzinfo=UTC)
    made = [
        commit({"memory/a.md": f"{number}\n"}, start + timedelta(hours=number), subject)
        for number, subject in enumerate(SUBJECTS)
    ]
    source: SiteSource = make_source(None, made)
    return source


def narrowed(content: Content, tag: str) -> list[tuple[str, ...]]:
    """The groups of each element that can be narrowed away."""
    tree = html5lib.parseFragment(content.html, namespaceHTMLElements=False)
    classes = [(element.get("class") or "").split() for element in tree.iter(tag)]
    return [
        tuple(name[11:] for name in names if name[:11] == "memsite-of-")
        for names in classes
        if "memsite-narrowed" in names
    ]


def choices(content: Content) -> list[str]:
    return re.findall(r'<label for="__memsite-group-[a-z]+">([a-z]+)</label>', content.html)


def test_a_day_can_be_narrowed_down_to_the_kinds_that_it_has(make_source: Any, commit: Any, render: Render) -> None:
    content = render(day_of_all_kinds(make_source, commit), "history/2025-03-20/")
    assert choices(content) == ["all", "sessions", "consolidations", "notes", "index", "other"]
    assert narrowed(content, "div") == [(group,) for group in reversed(GROUPS)]


def test_a_day_of_one_kind_offers_no_choice(make_source: Any, commit: Any, render: Render) -> None:
    source = make_source(None, [commit({"memory/a.md": "x\n"}), commit({"memory/a.md": "y\n"})])
    assert choices(render(source, "history/2025-03-20/")) == []


def test_a_year_lists_its_days_with_their_kinds(make_source: Any, commit: Any, render: Render) -> None:
    days = (
        ("2024-12-31", "note: x"),
        ("2025-01-02", "session: y"),
        ("2025-03-05", "note: z"),
        ("2025-03-06", "index: w"),
    )
    made = [commit({"memory/a.md": day}, datetime.fromisoformat(f"{day}T09:00+00:00"), what) for day, what in days]
    content = render(make_source(None, made), "history/2025/")
    assert [heading.title for heading in content.headings] == ["March", "January"]
    assert {"on.m03", "on.m01"} <= content.anchors
    assert narrowed(content, "li") == [("index",), ("note",), ("session",)]
    assert narrowed(content, "section") == [("index", "note"), ("session",)]
    assert 'href="../2024/"' in content.html


def test_the_overview_counts_the_commits_of_each_month(make_source: Any, commit: Any, render: Render) -> None:
    made = [
        commit({"memory/a.md": str(number)}, datetime(2025, 3, 20, tzinfo=UTC) + number * timedelta(days=20))
        for number in range(3)
    ]
    content = render(make_source(None, made), "history/")
    hidden = '<span class="memsite-hidden">'
    assert f'#on.m03">Mar{hidden}ch 2025, </span><small>1{hidden} commit</span></small></a>' in content.html
    assert "3 commits on 3 days" in content.html
    assert narrowed(content, "li") == [("note",)] * 3


def test_pages_of_the_history_stay_small_whatever_its_length(make_source: Any, commit: Any, pages_of: Pages) -> None:
    start = datetime(2023, 1, 1, 9, tzinfo=UTC)
    made = [commit({f"memory/{n % 7}.md": str(n)}, start + n * timedelta(days=1)) for n in range(1000)]
    pages = pages_of(make_source(None, made))
    assert {"history/2023/", "history/2024/", "history/2025/"} <= set(pages)
    sizes = {uri: len(pages[uri].content().html) for uri in ("history/", "history/2024/")}
    assert sizes["history/"] < 20_000
    assert sizes["history/2024/"] < 200_000


def test_a_session_that_was_logged_after_each_turn_is_one_item(make_source: Any, commit: Any, render: Render) -> None:
    start = datetime(2025, 3, 20, 9, tzinfo=UTC)
    made = [
        commit(
            {"memory/sessions/2025-03-20.md": f"### 09:00\n- turn {n}\n"},
            start + n * timedelta(minutes=9),
            "session: hi",
            "id: one",
        )
        for n in range(4)
    ]
    content = render(make_source(None, made), "history/2025-03-20/")
    assert "3 earlier updates" in content.html
    assert len(narrowed(content, "div")) == 1
