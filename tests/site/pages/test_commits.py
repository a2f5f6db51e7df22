from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memsite.site.pages.commits import commit_kind, commit_title


@pytest.mark.parametrize(
    ("subject", "kind", "title"),
    [
        ("note: 2025-03-20", "note", "2025-03-20"),
        ("consolidate(blog): gen2", "consolidate", "blog: gen2"),
        ("session: Fix: the build", "session", "Fix: the build"),
        ("feat: something", "edit", "feat: something"),
        ("Merge branch 'main'", "merge", "Merge branch 'main'"),
        ("note:", "edit", "note:"),
        ("", "edit", ""),
    ],
)
def test_commit_kind_and_title(subject: str, kind: str, title: str) -> None:
    assert (commit_kind(subject), commit_title(subject)) == (kind, title)


@pytest.mark.parametrize("count", [3, 15, 16, 40, 70])
def test_home_counts_a_burst_in_full_whatever_it_lists(make_source: Any, commit: Any, render: Any, count: int) -> None:
    made = [
        commit({f"memory/n{minute}.md": "x"}, datetime(2025, 3, 20, 9 + minute // 60, minute % 60, tzinfo=UTC))
        for minute in range(count)
    ]
    older = commit({"memory/older.md": "x"}, datetime(2025, 3, 19, 9, tzinfo=UTC), "an edit before")
    html = render(make_source(None, [older, *made]), "").html
    assert f"and {count - 1} more" in html
    assert "an edit before" in html


def test_home_ends_the_list_of_changes_after_its_lines(make_source: Any, commit: Any, render: Any) -> None:
    made = [
        commit({f"memory/n{day}.md": "x"}, datetime(2025, 3, day, 9, tzinfo=UTC), f"edit number {day}.")
        for day in range(1, 21)
    ]
    html = render(make_source(None, made), "").html
    assert "edit number 6." in html
    assert "edit number 5." not in html
